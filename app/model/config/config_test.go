package config

import (
	"fmt"
	"os"
	"path/filepath"
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

// The figures are the whole numbers published with the weights ("release weights"), some of them as remembered ("from
// memory"), or where only a rounded one was published, a count by a formula that is not this project's code.
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
