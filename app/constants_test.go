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
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// A quantity that many sheets have must have one value in all of them, or say in its label why it has another.

// chipQuantities are labels of constants of chips, and the fields of the catalog that have their values.
var chipQuantities = []chipQuantity{
	{regexp.MustCompile(`^(Its )?HBM bandwidth( of (a|one) chip)?$`), []string{"hbm_bandwidth"}, ""},
	{regexp.MustCompile(`^HBM( of (a|one) chip)?$`), []string{"hbm"}, ""},
	{regexp.MustCompile(`^(Its )?[Pp]eak rate( of (a|each|the) chip)?(, (bf16|fp8|int8|fp4))?$`),
		[]string{"flops.bf16", "flops.fp8", "flops.int8", "flops.fp4", "flops.int4"}, ""},
	{regexp.MustCompile(`^VMEM( of a TPU v5p)?$|^All of VMEM$`), []string{"vmem"}, ""},
	{regexp.MustCompile(`^Chips in a pod$|^Chips of a pod$`), []string{"pod_chips"}, ""},
	{regexp.MustCompile(`^Price of (the|a) chip$`), []string{"price"}, ""},
	{regexp.MustCompile(`^(A|One|One ICI) link, one way$|^Each, one way \(of a v5p\)$`),
		[]string{"ici_link_bandwidth", "network_bandwidth"}, ""},
	{regexp.MustCompile(`^Egress of a GPU(, in the node)?$|^A GPU sends(, in the node|, one way)?$`),
		[]string{"scaleup_bandwidth"}, ""},
	{regexp.MustCompile(`^A node sends$|^Egress of a node$`), []string{"network_bandwidth"}, "node_size"},
	{regexp.MustCompile(`^Its port out of the node$|^A port, one way$|^Network of a chip, one way$`),
		[]string{"network_bandwidth"}, ""},
	{regexp.MustCompile(`^Shared memory and L1 of an SM$`), []string{"sm_memory"}, ""},
	{regexp.MustCompile(`^Registers of an SM$`), []string{"sm_registers"}, ""},
	{regexp.MustCompile(`^SMs$`), []string{"sms"}, ""},
	{regexp.MustCompile(`^L2 cache$`), []string{"l2"}, ""},
}

// chipQuantity is the constants that a label means: one of the fields, times another.
type chipQuantity struct {
	label  *regexp.Regexp
	fields []string
	times  string
}

// ownChips are sheets with a constant of no chip, and why.
var ownChips = map[string]string{
	"serving-planner#serving": "the price is what the reader pays",
	"inference#front":         "the price is what the reader pays",
}

// theOriginals are sheets that take a constant as the original has it, to answer its problem with its numbers; their
// labels or their texts say so.
var theOriginals = map[string]string{
	"accelerators-problems#two-memories": "the problem gives 394 TOP/s and 810 GB/s",
	"accelerators-problems#wrong-place":  "the problem gives the bandwidths",
	"accelerators-tables#original-row":   "a row of the original's table",
	"accelerators-problems#whole-pod":    "the original's chips, with their HBM",
	"rooflines-problems#int8":            "the problem gives 810 GB/s",
	"sharding-problems#q-barely":         "the original's problem, with its HBM",
	"gpus-problems#q-spec":               "rates and memories, as the original prints them",
}

// twoChips are sheets that compare a TPU with a GPU: their constants need not belong to one chip.
var twoChips = []string{"gpus#gpu-memory", "switches#torus-or-tree"}

// eachSheet compiles the sheets of the content, those about the language left out.
func eachSheet(t *testing.T, do func(where string, s *sheet.Sheet)) {
	t.Helper()
	env := widget.Env()
	eachPage(t, func(file, text string) {
		page := strings.TrimSuffix(filepath.Base(file), ".md")
		for _, src := range sources(file, []byte(text)) {
			if s, _ := src.compile(env); s != nil && page != "language" {
				do(page+"#"+src.id, s)
			}
		}
	})
}

// eachPage gives a test each page of the book, as its author wrote it.
func eachPage(t *testing.T, look func(file, page string)) {
	t.Helper()
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		look(file, string(page))
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
			q := chipFields(row.Def.Label)
			if q == nil || ownChips[where] != "" || q.unlike(row.Def.Type) || row.Err != nil ||
				row.Value.Kind != value.Number {
				continue
			}
			seen++
			have := slices.DeleteFunc(slices.Clone(fits), func(a *hardware.Accelerator) bool {
				return !q.has(a, row.Value.Num.Value) && !(theOriginals[where] != "" &&
					q.has(a.As("book-tpus", "book-gpus"), row.Value.Num.Value))
			})
			if len(have) == 0 {
				t.Errorf("%s: %s, %q, is %s, which no chip of the catalog has that has the sheet's other constants; "+
					"take it from the catalog, or say whose it is", where, row.Def.Name, row.Def.Label, row.Value.Num)
				continue
			}
			if !slices.Contains(twoChips, where) {
				fits = have
			}
		}
	})
	if seen < 60 {
		t.Errorf("only %d constants", seen)
	}
}

func chipFields(label string) *chipQuantity {
	for i := range chipQuantities {
		if chipQuantities[i].label.MatchString(label) {
			return &chipQuantities[i]
		}
	}
	return nil
}

// unlike says that a row with such a label is of another dimension than the constant, such as a time.
func (q *chipQuantity) unlike(t value.Type) bool {
	f, _ := hardware.FieldNamed(q.fields[0])
	return t.Dim != *f.Dim
}

// has says whether a chip has the value.
func (q *chipQuantity) has(a *hardware.Accelerator, want float64) bool {
	times := 1.0
	if q.times != "" {
		c, err := a.Get(q.times)
		if err != nil {
			return false
		}
		times = c.Value.Value
	}
	for _, f := range q.fields {
		if c, err := a.Get(f); err == nil && c.Value.Value*times == want {
			return true
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

// ownModels are sheets about a model of no name, and why it has so many parameters, or so large a cache.
var ownModels = map[string]string{
	"accelerators-problems#read-model": "200 billion, as the problem says",
	"accelerators-problems#restore":    "405 billion, as its name says",
	"sharding#too-big":                 "405 billion, as its name says",
	"introduction#strong":              "8 billion, a round number to begin with",
	"introduction#strong-end":          "the problem's 4 billion",
	"training-problems#q-store":        "13 billion, as the problem says",
	"training-problems#thirteen":       "13 billion, as the problem says",
	"training-problems#real-bytes":     "the model of the measurement",
	"transformer#q-budget":             "what the budget buys",
	"transformer-problems#q-params":    "counted from the problem's sizes",
	"gpus-problems#q-gpu-70b":          "70 billion, as the problem says",
	"inference-problems#q-quiz":        "the quiz gives 30 billion and 100 kB",
	"inference-problems#q-timed":       "the shards of one layer",
	"inference-problems#q-slice":       "a model of the problem",
	"inference-problems#q-batches":     "13 billion, as the original's table has it",
	"inference-problems#q-moe":         "a model of the problem",
	"conclusion#since-mla":             "a cache that grows by entries, on average over the text",
}

var (
	isParameters = regexp.MustCompile(`^Parameters( of the model)?$`)
	isCache      = regexp.MustCompile(`^(KV c|C)ache,? a token( of .*)?(, (int8|bf16|fp8))?$`)
)

// A model that a sheet counts has the parameters and the cache of one in the catalog, or of the run of chapters 0 to 6.
func TestParametersHaveOneValue(t *testing.T) {
	seen, used := 0, map[string]bool{}
	eachSheet(t, func(where string, s *sheet.Sheet) {
		page, _, _ := strings.Cut(where, "#")
		result := s.Eval(nil)
		for i := range result.Rows {
			row := &result.Rows[i]
			cache := isCache.MatchString(row.Def.Label)
			if row.Err != nil || row.Value.Kind != value.Number || !cache && !isParameters.MatchString(row.Def.Label) {
				continue
			}
			seen++
			v := row.Value.Num.Value
			if known := isRunsModel(page, v) || ofAModel(v, cache); !known && ownModels[where] == "" {
				t.Errorf("%s: %s, %q, is %s, which is no model's of the catalog; take it from there, or say "+
					"whose it is",
					where, row.Def.Name, row.Def.Label, row.Value.Num)
			} else if !known {
				used[where] = true
			}
		}
	})
	if seen < 20 {
		t.Errorf("only %d counts of models", seen)
	}
	for where := range ownModels {
		if !used[where] {
			t.Errorf("%s needs no model of its own", where)
		}
	}
}

// isRunsModel says whether so many parameters are those of the model that chapters 0 to 6 train, 70 billion.
func isRunsModel(page string, v float64) bool {
	for _, chapter := range runChapters {
		if strings.HasPrefix(page, chapter) {
			return v == 70e9
		}
	}
	return false
}

// ofAModel says whether a number is the parameters of a model, with or without what rounding or norms add, or the cache
// of a token in one of its formats.
func ofAModel(v float64, cache bool) bool {
	for _, m := range model.Catalog().All {
		if !cache {
			if x := m.Total(); x > 0 && v > x*(1-1e-4) && v < x*(1+1e-4) {
				return true
			}
			continue
		}
		for _, bytes := range []float64{0.5, 1, 2, 4} {
			if float64(m.KVBytesPerToken(quantity.Bytes(bytes))) == v {
				return true
			}
		}
	}
	return false
}

// The run that chapters 0 to 6 speak of: its tokens in a step, and what is kept for each parameter.
const (
	runBatch = 1 << 22
	runState = 10 // bytes: bf16 weights and two fp32 moments
)

var runChapters = []string{"introduction", "rooflines", "accelerators", "sharding", "transformer", "training",
	"applied-training"}

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
	seen := 0
	eachSheet(t, func(where string, s *sheet.Sheet) {
		page, _, _ := strings.Cut(where, "#")
		if !slices.Contains(runChapters, page) {
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
					t.Errorf("%s: %s, %q, is %s for %g parameters; the book keeps %d bytes each", where, r.Def.Name,
						r.Def.Label, r.Value.Num, params, runState)
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
