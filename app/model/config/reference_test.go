package config

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// built is a line of testdata/reference.jsonl, which `make reference` writes: what the transformers library builds of a
// configuration, parameters by module, or why it builds nothing.
type built struct {
	Name   string             `json:"name"`
	Class  string             `json:"class"`
	Config json.RawMessage    `json:"config"` // empty if it stands in testdata/configs
	Parts  map[string]float64 `json:"parts"`
	Uses   map[string]float64 `json:"uses"`  // by one token, of the parts of which it doesn't use all; nil if not run
	Keeps  map[string]float64 `json:"keeps"` // bytes in bf16 for one more token, and elements of states
	Unrun  string             `json:"unrun"` // why the library doesn't run it without weights
	Error  string             `json:"error"`
}

func reference(t testing.TB) []built {
	text, err := os.ReadFile("testdata/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []built
	for line := range strings.Lines(string(text)) {
		var b built
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// What we count of a configuration is what the library builds, module by module. testdata/unlike.tsv says why a few
// differ; one that doesn't any more has no place there.
func TestReference(t *testing.T) {
	texts, why := map[string][]byte{}, reasons(t, "testdata/unlike.tsv")
	for _, s := range samples(t) {
		texts[s.file] = s.text
	}
	equal := 0
	for _, b := range reference(t) {
		if b.Error != "" {
			continue // the library builds nothing
		}
		if len(b.Config) == 0 {
			b.Config = texts[b.Name]
		}
		diff := ""
		if im, err := Read(b.Config); err != nil {
			diff = err.Error()
		} else {
			diff = unlike(&im, &b)
		}
		switch {
		case diff == "":
			equal++
			if why[b.Name] != "" {
				t.Errorf("%s is alike, though unlike.tsv has it", b.Name)
			}
		case why[b.Name] == "":
			t.Errorf("%s: %s", b.Name, diff)
		}
	}
	if equal < 300 {
		t.Errorf("only %d configurations are counted as the library builds them", equal)
	}
}

// modules are the parts of a line that are language's.
var modules = [...]string{"embedding", "head", "attention", "mlp", "experts", "router", "small", "other"}

// byModule are parameters of m by the library's modules.
func byModule(m *model.Model, p model.Params) map[string]float64 {
	parts := map[string]float64{"embedding": p.Embedding + p.Positions + p.PerLayer, "head": p.Unembedding,
		"attention": p.Attention() + p.Unused, "mlp": p.MLP + p.Shared + p.Narrow, "experts": p.Routed,
		"router": p.Router, "small": p.Small(), "other": p.Injected}
	if m.Tied {
		parts["embedding"], parts["head"] = parts["embedding"]+p.Unembedding, 0
	}
	return parts
}

// unlike tells which parts of a model are not those that the library builds.
func unlike(im *Import, b *built) string {
	want := b.Parts
	got := byModule(&im.Model, im.Model.Params())
	var diffs []string
	for _, k := range modules {
		if k == "head" && !strings.Contains(b.Class, "For") {
			continue // built without a head
		}
		if got[k] != want[k] {
			diffs = append(diffs, fmt.Sprintf("%s %.0f, not %.0f (%+.0f)", k, got[k], want[k], got[k]-want[k]))
		}
	}
	if has := string(b.Config); !strings.Contains(has, "vision_config") && !strings.Contains(has, "audio_config") {
		return strings.Join(diffs, "; ") // an encoder by default
	}
	for _, n := range im.Doubts {
		if strings.Contains(n.Text.String(), "left out") {
			return strings.Join(diffs, "; ") // it says that it doesn't count all that is beside
		}
	}
	beside := want["vision"] + want["audio"]
	for _, a := range im.Apart {
		if name := a.Name.String(); strings.Contains(name, "encoder") || strings.Contains(name, "pictures") {
			beside -= a.Params
		}
	}
	if beside != 0 {
		diffs = append(diffs, fmt.Sprintf("encoders lack %.0f of %.0f and %.0f", beside, want["vision"], want["audio"]))
	}
	return strings.Join(diffs, "; ")
}

// What a file leaves out of what its class has by default counts as if it stood there: the configurations that classes
// have by default, each without one of its fields.
func TestLeftOut(t *testing.T) {
	// What a file must say, and what the class makes of other fields.
	kept := map[string]bool{"model_type": true, "hidden_size": true, "vocab_size": true, "num_hidden_layers": true,
		"num_attention_heads": true, "kv_lora_rank": true, "qk_nope_head_dim": true, "qk_rope_head_dim": true,
		"v_head_dim": true, "n_layer": true, "n_layers": true, "num_layers": true, "n_head": true, "n_heads": true,
		"num_heads": true, "n_embd": true, "d_model": true, "attention_heads": true, "decoder_layers": true}
	unlike := map[string]bool{"lfm2 intermediate_size": true, "granite_swa sliding_window": true,
		"granitemoe_swa sliding_window": true, "falcon_h1 mamba_d_head": true, "diffllama intermediate_size": true}
	// What is the same as none, and what changes nothing that is counted of the default itself.
	nothing := map[string]bool{"null": true, "false": true, "0": true, "1": true, "1.0": true}
	unstated := map[string]bool{"max_position_embeddings": true, "n_positions": true, "n_ctx": true, "block_size": true,
		"model_max_length": true, "word_embed_proj_dim": true, "moe_layer_end_index": true}
	tried := 0
	for _, b := range reference(t) {
		var fields map[string]json.RawMessage
		within := strings.Contains(string(b.Config), "_config\"") // a model within another has its own class's defaults
		if len(b.Config) == 0 || within || json.Unmarshal(b.Config, &fields) != nil {
			continue
		}
		whole, err := Read(b.Config)
		if err != nil {
			continue
		}
		for name, value := range fields {
			if kept[name] || unlike[b.Name+" "+name] || value[0] == '{' || value[0] == '[' {
				continue
			}
			delete(fields, name)
			text, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			fields[name] = value
			im, err := Read(text)
			if err != nil {
				t.Errorf("%s without %s: %v", b.Name, name, err)
				continue
			}
			if why := otherCounts(&im.Model, &whole.Model); why != "" {
				t.Errorf("%s without %s, which is %s: %s", b.Name, name, value, why)
			}
			at := slices.IndexFunc(whole.Understood, func(n Note) bool { return n.Field == name })
			stated := len(im.Missing) > len(whole.Missing) || unstated[name] || nothing[string(value)]
			if at >= 0 && !stated && (name != "sliding_window" || whole.Model.Window.Size > 0) {
				t.Errorf("%s without %s: nothing says that %v is assumed", b.Name, name, whole.Understood[at].Text)
			}
			tried++
		}
	}
	if tried < 1000 {
		t.Errorf("only %d fields were left out", tried)
	}
}

// otherCounts is how a model differs from the one that is wanted in what is counted.
func otherCounts(m, want *model.Model) string {
	const tokens = 1 << 20
	groups := func(m *model.Model) [2]int {
		if e := m.MoE; 0 < e.Chosen && e.Chosen < e.Groups {
			return [2]int{e.Groups, e.Chosen}
		}
		return [2]int{1, 1}
	}
	switch {
	case m.Total() != want.Total() || m.ActiveTotal() != want.ActiveTotal():
		return fmt.Sprintf("%.0f parameters, %.0f active, not %.0f and %.0f", m.Total(), m.ActiveTotal(), want.Total(),
			want.ActiveTotal())
	case m.KVBytes(tokens, 2) != want.KVBytes(tokens, 2):
		return fmt.Sprintf("%v bytes of keys and values, not %v", m.KVBytes(tokens, 2), want.KVBytes(tokens, 2))
	case m.Linear != want.Linear:
		return fmt.Sprintf("linear layers %+v, not %+v", m.Linear, want.Linear)
	case groups(m) != groups(want):
		return fmt.Sprintf("groups of experts %v, not %v", groups(m), groups(want))
	}
	return ""
}
