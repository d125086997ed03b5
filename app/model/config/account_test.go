package config

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Every field of every file is in one of the lists, and none is in two: nothing is passed over in silence.
func TestEveryFieldIsAccountedFor(t *testing.T) {
	for _, s := range samples(t) {
		im := mustRead(t, s.text)
		lists := map[string]int{}
		for _, list := range [][]Note{im.Understood, im.Ignored, im.Unknown, im.Doubts} {
			seen := map[string]bool{}
			for _, n := range list {
				seen[n.Field] = true
			}
			for f := range seen {
				lists[f]++
			}
		}
		for _, field := range paths(t, s.text) {
			if lists[field] == 0 && !parentListed(lists, field) {
				t.Errorf("%s: nothing is said of %s", s.file, field)
			}
		}
		for _, n := range im.Missing {
			if lists[n.Field] > 0 {
				t.Errorf("%s: %s is missing, and is not", s.file, n.Field)
			}
		}
	}
}

// parentListed tells whether the object that holds a field is accounted for as a whole.
func parentListed(lists map[string]int, field string) bool {
	for i := strings.LastIndexByte(field, '.'); i > 0; i = strings.LastIndexByte(field[:i], '.') {
		if lists[field[:i]] > 0 && field[:i] != "text_config" {
			return true
		}
	}
	return false
}

// paths are the fields of a file, those of nested objects included.
func paths(t *testing.T, text []byte) []string {
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	var all []string
	var walk func(m map[string]any, prefix string)
	walk = func(m map[string]any, prefix string) {
		for k, v := range m {
			if inner, ok := v.(map[string]any); ok {
				walk(inner, prefix+k+".")
			} else {
				all = append(all, prefix+k)
			}
		}
	}
	walk(root, "")
	return all
}

// What is said to change nothing must change nothing: neither left out nor with any other value.
func TestIgnoredFieldsChangeNothing(t *testing.T) {
	values := []any{nil, "text", 7.5, []any{1, 2}, true}
	if testing.Short() {
		values = values[1:2]
	}
	for _, s := range samples(t) {
		im := mustRead(t, s.text)
		for _, n := range append(im.Ignored, im.Unknown...) {
			for _, v := range values {
				if strings.HasSuffix(n.Field, "architectures") || strings.HasSuffix(n.Field, "is_encoder_decoder") {
					continue // they tell the family where model_type doesn't
				}
				changed := with(t, s.text, n.Field, v)
				again, err := Read(changed)
				if err != nil {
					t.Errorf("%s: %s = %v: %v", s.file, n.Field, v, err)
				} else if again.Model.Name = im.Model.Name; again.Model != im.Model {
					t.Errorf("%s: %s = %v changes the model", s.file, n.Field, v)
				}
			}
		}
	}
}

// with is a text with a field set to a value, or without it.
func with(t *testing.T, text []byte, path string, v any) []byte {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	at, names := root, strings.Split(path, ".")
	for i, n := range names[:len(names)-1] {
		inner, ok := at[n].(map[string]any)
		if !ok { // the name itself has a dot
			names = []string{strings.Join(names[i:], ".")}
			break
		}
		at = inner
	}
	if last := names[len(names)-1]; v == nil {
		delete(at, last)
	} else {
		at[last] = v
	}
	out, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The order of fields, spaces, and a byte order mark change nothing; the JSON writer here sorts and leaves spaces out.
func TestOrderChangesNothing(t *testing.T) {
	for _, s := range samples(t) {
		im := mustRead(t, s.text)
		again := mustRead(t, append([]byte("\ufeff"), with(t, s.text, "nothing", nil)...))
		if again.Model != im.Model {
			t.Errorf("%s: the order of its fields changes the model", s.file)
		}
	}
}

// Writing down what was assumed must change nothing, and leave nothing to assume.
func TestAssumptionsHold(t *testing.T) {
	m := mustRead(
		t,
		[]byte(`{"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
		"vocab_size": 32000}`),
	)
	whole := mustRead(
		t,
		[]byte(`{"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
		"vocab_size": 32000, "num_key_value_heads": 8, "head_dim": 128, "sliding_window": 4096, "intermediate_size": 14336,
		"tie_word_embeddings": false}`),
	)
	if diff := difference(&m.Model, &whole.Model); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"tie_word_embeddings: assumed two matrices, for embedding and unembedding",
		"num_key_value_heads: assumed heads of keys and values: 8, as in transformers’ MistralConfig",
		"head_dim: assumed size of a head: the width divided by the query heads, 128",
		"sliding_window: assumed tokens in a window: 4096, as in transformers’ MistralConfig",
		"intermediate_size: assumed width of the MLP: 14336, as in transformers’ MistralConfig",
	}
	if got := texts(m.Missing); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	if len(whole.Missing) > 0 {
		t.Errorf("still missing: %v", whole.Missing)
	}
}

func texts(notes []Note) []string {
	var all []string
	for _, n := range notes {
		all = append(all, n.Field+": "+n.Text.String())
	}
	return all
}

// Of several fields that nobody knows, and that may decide a count, a reader is told at once.
func TestFieldsThatMayDecideAreNamedTogether(t *testing.T) {
	const text = `{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
		"intermediate_size": 128, "vocab_size": 100, "attn_gate_rank": 8, "hyper_streams": 4, "memory_heads": 3,
		"engram_width": 16}`
	_, err := Read([]byte(text))
	const want = "attn_gate_rank is 8: the name is not known here, and it may decide how much there is to count; " +
		"memory_heads is 3, likewise; engram_width is 16, likewise; leave it out"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if _, err = Read([]byte(strings.Replace(text, `"vocab_size": 100, `, "", 1))); err == nil ||
		!strings.Contains(err.Error(), "vocab_size") || strings.Contains(err.Error(), "likewise") {
		t.Errorf("what is missing is said first, not %v", err)
	}
}
