package config

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/scrap"
)

// What is large or deep or slow to read is refused or read quickly.
func TestHostile(t *testing.T) {
	many := strings.Repeat(`"a":1,`, 10_000)
	var names, experts strings.Builder
	for i := range 60_000 {
		names.WriteString(`"n` + strconv.Itoa(i) + `":{},`)
		experts.WriteString(strconv.Itoa(i%32) + ",")
	}
	for name, text := range map[string]string{
		"brackets":    strings.Repeat("[", MaxBytes),
		"an object":   `{"a":` + strings.Repeat("[", MaxBytes-10),
		"objects":     strings.Repeat(`{"a":`, MaxBytes/5),
		"closed":      `{"a":` + strings.Repeat("[", 400_000) + strings.Repeat("]", 400_000) + "}",
		"values":      `{"a":[` + strings.Repeat("0,", 400_000) + "0]}",
		"empty lists": `{"a":[` + strings.Repeat("[],", 300_000) + "[]]}",
		"digits":      `{"hidden_size":` + strings.Repeat("9", MaxBytes-20) + "}",
		"escapes":     `{"` + strings.Repeat(`\u0061`, 170_000) + `":1}`,
		"quotes":      strings.Repeat(`"`, MaxBytes),
		"spaces":      strings.Repeat(" ", MaxBytes),
		"lines":       "{" + strings.Repeat("\n", MaxBytes-10) + "?",
		"minus":       `{"a":[` + strings.Repeat("-", 1000) + "]}",
		"too long":    strings.Repeat("x", MaxBytes+1),
		"same names":  "{" + many + many + llama("")[1:],
		"names":       "{" + names.String() + llama("")[1:],
		"experts": llama(`, "num_experts": 8, "num_experts_per_tok": 2, "mlp_only_layers": [` + experts.String() +
			`0]`),
		"layers": llama(`, "num_hidden_layers": 10000, "layer_types": [` + strings.Repeat(`"full_attention",`, 9999) +
			`"sliding_attention"], "sliding_window": 5`),
		"kinds": llama(`, "num_hidden_layers": 10000, "layer_types": [` + strings.Repeat(`"a",`, 5000) +
			strings.Repeat(`"b",`, 5000) + `"c"]`),
		"huge": llama(`, "num_hidden_layers": 10000, "hidden_size": 1000000, "head_dim": 100000,
			"num_attention_heads": 100000`),
		"a megabyte":   llama(`, "x": "` + strings.Repeat("x", MaxBytes-300) + `"`),
		"nested often": `{"text_config":` + strings.Repeat(`{"text_config":`, 30) + "{}" + strings.Repeat("}", 31),
	} {
		var im Import
		var err error
		if took, ok := cputime.Within(2*time.Second, func() { im, err = Read([]byte(text)) }); !ok {
			t.Errorf("%s: took %v", name, took)
		}
		checkRead(t, im, err)
	}
}

// checkRead holds any answer of Read to the package's promises.
func checkRead(t *testing.T, im Import, err error) {
	t.Helper()
	if err != nil {
		var e *Error
		if !errors.As(err, &e) || e.Pos.Line < 1 || e.Pos.Col < 1 || e.What == nil || e.Remedy == nil {
			t.Errorf("an error without place or remedy: %#v", err)
		}
		if len(err.Error()) > 800 || strings.ContainsAny(err.Error(), "\n\x00\x1b") {
			t.Errorf("an error that is no line of text: %q", err)
		}
		return
	}
	m := &im.Model
	if err := m.Validate(); err != nil {
		t.Errorf("the model is not valid: %v", err)
	}
	for _, x := range []float64{
		m.Total(), m.ActiveTotal(), m.ActiveWithoutLookup(), float64(m.KVBytes(4096, 2)),
		float64(m.FLOPsPerToken(4096, model.Windowed, model.Train)), m.ActivationElements(model.KeepAll),
	} {
		if !(x >= 0) || math.IsInf(x, 0) {
			t.Errorf("a count is %v", x)
		}
	}
	if m.ActiveTotal() > m.Total() {
		t.Errorf("%v parameters are active of %v", m.ActiveTotal(), m.Total())
	}
	checkNotes(t, im)
}

func FuzzRead(plain *testing.F) {
	f := scrap.Of(plain)
	for _, s := range samples(f) {
		f.Add(s.text)
	}
	for _, c := range formatSamples {
		f.Add([]byte(c.text))
	}
	for _, c := range strangers {
		f.Add([]byte(c.text))
	}
	for _, text := range []string{
		"", "{}", "[]", "\ufeff{\"hidden_size\": 1e3}", llama(""),
		llama(`, "layer_types": null, "x": {"y": [NaN, -Infinity, 1.5e-7, "\ud83d\ude00\ud800"]}`),
		llama(`, "num_experts": 8, "num_experts_per_tok": 2, "n_shared_experts": 1, "mlp_only_layers": [0, 31],
			"decoder_sparse_step": 2`),
		`{"text_config": {"llm_config": {"model_type": "gemma3_text"}}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var im Import
		var err error
		if took, ok := cputime.Within(2*time.Second, func() { im, err = Read(text) }); !ok {
			t.Errorf("took %v", took)
		}
		checkRead(t, im, err)
	})
}

// Files made of the words of the tables, with sizes that are likely and values that are not: whatever they say, the
// promises hold.
func TestRandomFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var names []string
	for _, x := range known().roles {
		names = append(names, x.names...)
	}
	for _, f := range known().families {
		for _, s := range f.settings {
			names = append(names, s.names...)
		}
	}
	names = append(names, "text_config", "word_embed_proj_dim", "index_topk", "num_nextn_predict_layers")
	read, files := 0, 8000
	if testing.Short() {
		files /= 10
	}
	for range files {
		text := randomFile(random, names)
		im, err := Read([]byte(text))
		if checkRead(t, im, err); t.Failed() {
			t.Fatal(text)
		}
		if err == nil {
			read++
		}
	}
	if read < files/10 {
		t.Errorf("only %d of the files were read: they are too wild to test much", read)
	}
}

// randomFile writes the fields that every file has, and a few others.
func randomFile(random *rand.Rand, names []string) string {
	families := known().families
	f := families[random.IntN(len(families))]
	var b strings.Builder
	b.WriteString(
		`{"model_type": "` + f.types[0] + `", "hidden_size": 24, "num_hidden_layers": 6, "num_attention_heads": 4, ` +
			`"vocab_size": 50, "intermediate_size": 32, "attn_config": {"kv_n_heads": 2}, ` +
			`"ffn_config": {"ffn_hidden_size": 8, "moe_num_experts": 4, "moe_top_k": 2}`,
	)
	for range random.IntN(8) {
		values := []string{"0", "1", "2", "4", "6", "true", "false", "null", "[0, 1, 1, 0, 1, 1]", "[]", "8"}
		if random.IntN(12) == 0 {
			values = []string{
				"-1",
				"1e9",
				"268435456",
				"1e300",
				"2.5",
				`"4"`,
				"NaN",
				"[5, 1]",
				`["full_attention"]`,
				"{}",
				"3",
				"1000000",
			}
		}
		b.WriteString(`, "` + names[random.IntN(len(names))] + `": ` + values[random.IntN(len(values))])
	}
	return b.String() + "}"
}
