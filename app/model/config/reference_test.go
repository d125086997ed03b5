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
	texts, why := map[string][]byte{}, map[string]string{}
	for _, s := range samples(t) {
		texts[s.file] = s.text
	}
	table, err := os.ReadFile("testdata/unlike.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), "\t")
		why[name] = reason
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
	if equal < 250 {
		t.Errorf("only %d configurations are counted as the library builds them", equal)
	}
}

// unlike tells which parts of a model are not those that the library builds.
func unlike(im *Import, b *built) string {
	want := b.Parts
	p := im.Model.Params()
	got := map[string]float64{"embedding": p.Embedding + p.Positions + p.PerLayer, "head": p.Unembedding,
		"attention": p.Attention() + p.Unused, "mlp": p.MLP + p.Shared + p.Narrow, "experts": p.Routed,
		"router": p.Router, "small": p.Small(), "other": p.Injected}
	if im.Model.Tied {
		got["embedding"], got["head"] = got["embedding"]+p.Unembedding, 0
	}
	var diffs []string
	for _, k := range []string{"embedding", "head", "attention", "mlp", "experts", "router", "small", "other"} {
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
