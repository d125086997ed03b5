package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// A quantity that many sheets have must have one value in all of them, or say in its label why it has another.

// chipQuantities are labels of constants of chips, and the fields of the catalog that have their values.
var chipQuantities = []struct {
	label  *regexp.Regexp
	fields []string
}{
	{regexp.MustCompile(`^(Its )?HBM bandwidth( of (a|one) chip)?$`), []string{"hbm_bandwidth"}},
	{regexp.MustCompile(`^HBM( of (a|one) chip)?$`), []string{"hbm"}},
	{regexp.MustCompile(`^(Its )?[Pp]eak rate( of (a|each|the) chip)?(, (bf16|fp8|int8|fp4))?$`),
		[]string{"flops.bf16", "flops.fp8", "flops.int8", "flops.fp4", "flops.int4"}},
	{regexp.MustCompile(`^VMEM$|^All of VMEM$`), []string{"vmem"}},
	{regexp.MustCompile(`^Chips in a pod$|^Chips of a pod$`), []string{"pod_chips"}},
	{regexp.MustCompile(`^Price of the chip$`), []string{"price"}},
}

// eachSheet compiles the sheets of the content, those about the language left out.
func eachSheet(t *testing.T, do func(where string, s *sheet.Sheet)) {
	t.Helper()
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	env := widget.Env()
	for _, file := range files {
		page := strings.TrimSuffix(filepath.Base(file), ".md")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range sources(file, data) {
			if s, _ := src.compile(env); s != nil && page != "language" {
				do(page+"#"+src.id, s)
			}
		}
	}
}

// What a sheet says of a chip agrees with the catalog, all of it with one chip.
func TestChipsHaveOneValue(t *testing.T) {
	seen := 0
	eachSheet(t, func(where string, s *sheet.Sheet) {
		fits := hardware.Catalog().All
		result := s.Eval(nil)
		for i := range result.Rows {
			row := &result.Rows[i]
			fields := chipFields(row.Def.Label)
			if fields == nil || unlike(fields, row.Def.Type) || row.Err != nil || row.Value.Kind != value.Number {
				continue
			}
			seen++
			have := slices.DeleteFunc(slices.Clone(fits), func(a *hardware.Accelerator) bool {
				return !hasValue(a, fields, row.Value.Num.Value)
			})
			if len(have) == 0 {
				t.Errorf("%s: %s, %q, is %s, which no chip of the catalog has that has the sheet's other constants; "+
					"take it from the catalog, or say whose it is", where, row.Def.Name, row.Def.Label, row.Value.Num)
				continue
			}
			fits = have
		}
	})
	if seen < 60 {
		t.Errorf("only %d constants", seen)
	}
}

func chipFields(label string) []string {
	for _, q := range chipQuantities {
		if q.label.MatchString(label) {
			return q.fields
		}
	}
	return nil
}

// unlike says that a row with such a label is of another dimension than the constant, such as a time.
func unlike(fields []string, t value.Type) bool {
	f, _ := hardware.FieldNamed(fields[0])
	return t.Dim != f.Dim
}

func hasValue(a *hardware.Accelerator, fields []string, want float64) bool {
	for _, a := range []*hardware.Accelerator{a, a.As("book-tpus", "book-gpus")} {
		for _, f := range fields {
			if c, err := a.Get(f); err == nil && c.Value.Value == want {
				return true
			}
		}
	}
	return false
}

// modelsByTitle are models that titles of sheets name.
var modelsByTitle = map[string]string{"Llama 3 70B": "llama3.70b", "Llama 3 405B": "llama3.405b",
	"Llama 2 13B": "llama2.13b", "Llama 3 8B": "llama3.8b"}

// What a sheet says of a model that its title names agrees with the catalog.
func TestModelsHaveOneValue(t *testing.T) {
	seen := 0
	eachSheet(t, func(where string, s *sheet.Sheet) {
		for title, id := range modelsByTitle {
			if !strings.Contains(s.Title, title) {
				continue
			}
			m, err := model.Catalog().Get(id)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]int{"L": m.Layers, "D": m.Width, "F": m.FFWidth, "Q": m.Heads, "K": m.KVHeads,
				"H": m.HeadSize, "V": m.Vocab}
			for _, in := range s.Inputs {
				if n, known := want[in.Name]; known && in.Default.Kind == value.Number {
					if seen++; in.Default.Num.Value != float64(n) {
						t.Errorf("%s: %s is %s, but %s has %d", where, in.Name, in.Default.Num, title, n)
					}
				}
			}
		}
	})
	if seen < 20 {
		t.Errorf("only %d sizes of models", seen)
	}
}

// The run that chapters 0 to 6 speak of: its tokens in a step, and what is kept for each parameter.
const (
	runBatch = 1 << 22
	runState = 10 // bytes: bf16 weights and two fp32 moments
)

// ownRuns are sheets of these chapters about other runs.
var ownRuns = map[string]string{
	"introduction#strong-end": "the team of the problem has four times the batch",
	"training#dp":             "3M tokens, as the original compares",
	"training#mixed":          "a small batch, so that the valley lies above the compute time",
	"training#two-million":    "the problem's two million",
	"training#sixteen":        "the problem's large batch",
}

// The run of the chapters is one run.
func TestOneRun(t *testing.T) {
	chapters := []string{
		"introduction",
		"rooflines",
		"accelerators",
		"sharding",
		"transformer",
		"training",
		"applied-training",
	}
	seen := 0
	eachSheet(t, func(where string, s *sheet.Sheet) {
		page, _, _ := strings.Cut(where, "#")
		if !slices.Contains(chapters, page) {
			return
		}
		result := s.Eval(nil)
		number := func(name string) float64 {
			for i := range result.Rows {
				if r := &result.Rows[i]; r.Def.Name == name && r.Err == nil {
					return r.Value.Num.Value
				}
			}
			return 0
		}
		params := max(number("params"), number("P"))
		for i := range result.Rows {
			r := &result.Rows[i]
			switch v := r.Value.Num.Value; {
			case r.Err != nil || ownRuns[where] != "":
			case r.Def.Kind == "input" && r.Def.Label == "Tokens in a step":
				if seen++; v != runBatch {
					t.Errorf("%s: %s tokens in a step; the run has 2^22", where, r.Value.Num)
				}
			case params > 0 && isState.MatchString(r.Def.Label) && r.Def.Kind == "step":
				if seen++; v != runState*params {
					t.Errorf("%s: %s, %q, is %s for %g parameters; the book keeps %d bytes each", where, r.Def.Name, r.Def.Label,
						r.Value.Num, params, runState)
				}
			}
		}
	})
	if seen < 8 {
		t.Errorf("only %d numbers of the run", seen)
	}
}

var isState = regexp.MustCompile(
	`(?i)^(weights and optimizer state|state of (a replica|the whole model)|parameters and moments)$`,
)
