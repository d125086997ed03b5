package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// sample is a file of testdata/configs with what is known of it.
type sample struct {
	file, catalog string
	total, active string // parameters in full; "-" if no figure is known
	source        string
	text          []byte
}

// samples reads testdata/expected.tsv: file, catalog ID or -, total, active, where the figures come from.
func samples(t testing.TB) []sample {
	table, err := os.ReadFile("testdata/expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	for line := range strings.Lines(string(table)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text, err := os.ReadFile(filepath.Join("testdata/configs", c[0]+".json"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sample{c[0], c[1], c[2], c[3], c[4], text})
	}
	return all
}

func mustRead(t *testing.T, text []byte) Import {
	t.Helper()
	im, err := Read(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return im
}

// The figures are the whole numbers published with the weights ("release weights"), or where only a rounded one was
// published, a count by a formula that is not this project's code.
func TestPublishedCounts(t *testing.T) {
	for _, s := range samples(t) {
		m := mustRead(t, s.text).Model
		if got := fmt.Sprintf("%.0f", m.Total()); got != s.total {
			t.Errorf("%s: %s parameters, %s: %s", s.file, got, s.source, s.total)
		}
		if got := fmt.Sprintf("%.0f", m.ActiveTotal()); s.active != "-" && got != s.active {
			t.Errorf("%s: %s active parameters, %s: %s", s.file, got, s.source, s.active)
		}
	}
}

// A file and the catalog's entry for the same model must agree in every layer and every law.
func TestCatalogAgrees(t *testing.T) {
	covered := map[string]bool{"palm.540b": true} // never published as a config.json
	for _, s := range samples(t) {
		if s.catalog == "-" {
			continue
		}
		covered[s.catalog] = true
		known, err := model.Catalog().Get(s.catalog)
		if err != nil {
			t.Fatal(err)
		}
		m := mustRead(t, s.text).Model
		if diff := difference(&m, &known.Model); diff != "" {
			t.Errorf("%s and %s differ: %s", s.file, s.catalog, diff)
		}
	}
	for _, known := range model.Catalog().All {
		if !covered[known.ID] {
			t.Errorf("no config.json for %s", known.ID)
		}
	}
}

// difference tells where two models are not the same, whichever way they are written.
func difference(a, b *model.Model) string {
	for i := range max(a.Layers, b.Layers) {
		if a.Layer(i) != b.Layer(i) {
			return fmt.Sprintf("layer %d: %+v and %+v", i, a.Layer(i), b.Layer(i))
		}
	}
	const T, bf16 = 100_000, 2
	switch {
	case a.Params() != b.Params():
		return fmt.Sprintf("parameters: %+v and %+v", a.Params(), b.Params())
	case a.Active() != b.Active():
		return fmt.Sprintf("active parameters: %+v and %+v", a.Active(), b.Active())
	case a.KVBytes(T, bf16) != b.KVBytes(T, bf16):
		return "KV cache"
	case a.FLOPsPerToken(T, model.Windowed, model.Train) != b.FLOPsPerToken(T, model.Windowed, model.Train):
		return "operations"
	case a.ActivationElements(model.KeepAll) != b.ActivationElements(model.KeepAll):
		return "activations"
	}
	return ""
}

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
		"num_key_value_heads: assumed heads of keys and values: 8, as in transformers' MistralConfig",
		"head_dim: assumed size of a head: the width divided by the query heads, 128",
		"sliding_window: assumed tokens in a window: 4096, as in transformers' MistralConfig",
		"intermediate_size: assumed width of the MLP: 14336, as in transformers' MistralConfig",
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

// The tables name each other rightly.
func TestTables(t *testing.T) {
	roles := map[string]role{}
	for _, x := range known().roles {
		if _, twice := roles[x.name]; twice || x.label == "" {
			t.Errorf("role %q is there twice, or has no label", x.name)
		}
		roles[x.name] = x
	}
	for table, columns := range map[string]int{fieldTable: 8, familyTable: 4, ignoredTable: 2, doubtTable: 3,
		refusedTable: 2} {
		for line := range strings.Lines(table) {
			if c, _ := cells(line); len(c) != columns {
				t.Errorf("%d cells, not %d: %q", len(c), columns, line)
			}
		}
	}
	ids, types := map[string]bool{}, map[string]bool{}
	for _, f := range known().families {
		if ids[f.id] || f.title == "" || f.class == "" || len(f.types) == 0 {
			t.Errorf("family %q is there twice, or lacks its title, class or types", f.id)
		}
		ids[f.id] = true
		for _, mt := range f.types {
			if types[mt] || row(refusedTable, 0, mt) != nil {
				t.Errorf("model type %q is there twice", mt)
			}
			types[mt] = true
		}
		for _, s := range f.settings {
			x, ok := roles[s.role]
			if !ok {
				t.Errorf("family %s sets %q, which is no role", f.id, s.role)
			}
			checkSetting(t, f.id, x, s.value)
		}
	}
	for line := range strings.Lines(familyTable) {
		if c, _ := cells(line); c[1] == "like" && !ids[c[2]] {
			t.Errorf("%s is like %s, which is no family", c[0], c[2])
		}
	}
}

func checkSetting(t *testing.T, id string, x role, value string) {
	valid := map[string]bool{"on": x.kind == "flag", "off": x.kind == "flag"}
	switch x.name {
	case "norm":
		maps.Copy(valid, map[string]bool{"layer": true, "scale": true, "bare": true})
	case "qk_norm":
		maps.Copy(valid, map[string]bool{"head": true, "width": true, "none": true})
	case "linear":
		for _, k := range linearKinds {
			valid[k.word] = true
		}
	}
	if x.kind == "count" || x.kind == "list" {
		n := json.Number(value)
		_, err := n.Int64()
		valid[value] = err == nil || value == ""
	}
	if !valid[value] {
		t.Errorf("family %s sets %s to %q", id, x.name, value)
	}
}
