package config

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// built is a line of testdata/reference.jsonl, which `make reference` writes: what the transformers library builds of a
// configuration, parameters by module, or why it builds nothing.
type built struct {
	Name   string             `json:"name"`
	Class  string             `json:"class"`
	Config json.RawMessage    `json:"config"` // empty if it stands in testdata/configs
	Parts  map[string]float64 `json:"parts"`
	Error  string             `json:"error"`
}

func reference(t testing.TB) []built {
	path := "testdata/reference.jsonl"
	if p := os.Getenv("REF"); p != "" {
		path = p
	}
	text, err := os.ReadFile(path)
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

// What we count of a configuration is what the library builds, module by module.
func TestReference(t *testing.T) {
	texts := map[string][]byte{}
	for _, s := range samples(t) {
		texts[s.file] = s.text
	}
	equal := 0
	for _, b := range reference(t) {
		if b.Error != "" {
			continue
		}
		text := []byte(b.Config)
		if len(text) == 0 {
			text = texts[b.Name]
		}
		im, err := Read(text)
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		if diff := unlike(&im, b.Parts); diff != "" {
			t.Errorf("%s (%s): %s", b.Name, im.Family, diff)
		} else {
			equal++
		}
	}
	t.Logf("%d are equal", equal)
}

// unlike tells which parts of a model are not those that the library builds.
func unlike(im *Import, want map[string]float64) string {
	p := im.Model.Params()
	got := map[string]float64{"embedding": p.Embedding + p.Positions + p.PerLayer, "head": p.Unembedding,
		"attention": p.Attention() + p.Unused, "mlp": p.MLP + p.Shared + p.Narrow, "experts": p.Routed,
		"router": p.Router, "small": p.Small(), "other": p.Injected}
	if im.Model.Tied {
		got["embedding"], got["head"] = got["embedding"]+p.Unembedding, 0
	}
	var diffs []string
	for _, k := range []string{"embedding", "head", "attention", "mlp", "experts", "router", "small", "other"} {
		if got[k] != want[k] {
			diffs = append(diffs, fmt.Sprintf("%s %.0f, not %.0f (%+.0f)", k, got[k], want[k], got[k]-want[k]))
		}
	}
	return strings.Join(diffs, "; ")
}
