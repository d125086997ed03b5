package model

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// get is a model of the catalog that must be there.
func get(t *testing.T, id string) *Known {
	t.Helper()
	k, err := Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestTable(t *testing.T) {
	used, seen := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(modelTable) {
		k, err := readModel(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		if seen[k.ID] || k.Name == "" || k.Group == "" || k.PublishedTotal == "" || strings.Count(line, "\t") > 15 ||
			!strings.Contains(k.ID, ".") {
			t.Errorf("%s: twice, or lacks its name, its group or a published figure", k.ID)
		}
		if (k.MoE.Experts > 0) != (k.PublishedActive != "") {
			t.Errorf("%s: models with experts, and only they, have a published active count", k.ID)
		}
		if strings.Contains(k.PublishedTotal+k.PublishedActive, "%") && k.Note == "" {
			t.Errorf("%s: a tolerance wants a reason", k.ID)
		}
		seen[k.ID], used[k.Source.ID], used[k.Figure.ID] = true, true, true
	}
	if n := strings.Count(modelTable, "\n"); len(Catalog().All) != n || n < 41 {
		t.Errorf("%d models of %d lines", len(Catalog().All), n)
	}
	for _, k := range Catalog().All {
		if err := k.Validate(); err != nil {
			t.Errorf("%s: %v", k.ID, err)
		}
		if k.Source.Title == "" || k.Figure.Title == "" {
			t.Errorf("%s: unknown source", k.ID)
		}
	}
	for line := range strings.Lines(sourceTable) {
		if id, _, _ := strings.Cut(line, "\t"); !used[id] {
			t.Errorf("nothing names the source %s", id)
		}
	}
}

func TestFaultyLines(t *testing.T) {
	for line, want := range map[string]string{
		"x.y\tX\tG\t2\t8\t2\t2\t4\tsixteen\t10\t":                 `"sixteen"`,
		"x.y\tX\tG\t2\t8\t2\t2\t4\t16\t10\tmla=1/2/3/4/5/6":       "5 whole numbers",
		"x.y\tX\tG\t2\t8\t2\t2\t4\t16\t10\tgated":                 `"gated"`,
		"x.y\tX\tG\t2\t8\t2\t2\t4\t16\t10\twindow=4 windowed=1x":  "Window.Layers.Cycle",
		"x.y\tX\tG\t2\t8\t2\t2\t4\t16\t10\texperts=4/8":           "MoE.PerToken",
		"x.y\tX\tG\t2\t8\t3\t2\t4\t16\t10":                        "KVHeads",
		"x.y":                                                     "whole number",
		"x.y\tX\tG\t2\t8\t2\t2\t4\t99999999999999999999999\t10\t": "whole number",
	} {
		k, err := readModel(line)
		if err == nil {
			err = k.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s in it", line, err, want)
		}
	}
	if c := readCatalog("x.y\tX\n"+modelTable, ""); len(c.All) != len(Catalog().All) {
		t.Error("a faulty line must be left out")
	}
}

func TestLookup(t *testing.T) {
	for id, want := range map[string]string{
		"llama3.80b":             `unknown model "llama3.80b"; the family has llama3.8b, llama3.70b, llama3.405b`,
		"":                       `unknown model ""; name one such as llama2.7b`,
		strings.Repeat("x", 400): `unknown model "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"; name one`,
	} {
		if _, err := Catalog().Get(id); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
}

// printed is a published figure, how far rounding lets the truth be from it, and whether it says "without".
func printed(t *testing.T, text string) (value, within float64, without bool) {
	t.Helper()
	words := strings.Fields(text)
	digits := strings.TrimRight(words[0], "BT")
	scale := map[byte]float64{'B': 1e9, 'T': 1e12}[words[0][len(words[0])-1]]
	if scale == 0 {
		scale = 1
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		t.Fatal(err)
	}
	_, decimals, _ := strings.Cut(digits, ".")
	within = scale * math.Pow(10, -float64(len(decimals))) / 2
	for _, w := range words[1:] {
		if w == "without" {
			without = true
			continue
		}
		share, err := strconv.ParseFloat(strings.TrimSuffix(w, "%"), 64)
		if err != nil {
			t.Fatal(err)
		}
		within = v * scale * share / 100
	}
	return v * scale, within, without
}

// TestPublishedFigures counts every model and compares with what its publisher prints: whole numbers exactly, rounded
// ones as far as rounding goes, and the few that counting contradicts within the tolerance that the table gives a
// reason for.
func TestPublishedFigures(t *testing.T) {
	exact := 0
	for _, k := range Catalog().All {
		if err := k.Validate(); err != nil {
			t.Errorf("%s: %v", k.ID, err)
		}
		want, within, _ := printed(t, k.PublishedTotal)
		if within == 0.5 {
			exact++
		}
		if got := k.Params().Total(); math.Abs(got-want) > within {
			t.Errorf("%s: counted %.0f, published %s (%+.3f%%)", k.ID, got, k.PublishedTotal, 100*(got/want-1))
		}
		if k.PublishedActive == "" {
			if k.ActiveTotal() != k.Params().Total() {
				t.Errorf("%s: a token uses every parameter of a dense model", k.ID)
			}
			continue
		}
		want, within, without := printed(t, k.PublishedActive)
		got := k.ActiveTotal()
		if without {
			got = k.ActiveWithoutLookup()
		}
		if math.Abs(got-want) > within {
			t.Errorf("%s: counted %.0f active, published %s (%+.3f%%)", k.ID, got, k.PublishedActive, 100*(got/want-1))
		}
	}
	if exact < 19 {
		t.Errorf("only %d models are held to a whole number", exact)
	}
}

// How publishers store checkpoints: DeepSeek-V3, Kimi K2 and MiniMax M2.5 in FP8, Kimi K2.5 in integers of 4 bits,
// gpt-oss and DeepSeek-V4 in MXFP4, whose Base models are in FP8; of Mistral Large 3 the Instruct checkpoint alone, by
// its card.
func TestPublishedIn(t *testing.T) {
	for _, c := range [][3]string{{"deepseek.v3", "deepseek-ai/DeepSeek-V3-0324", "fp8"}, {"deepseek.v3", "", "fp8"},
		{"deepseek.v3", "unsloth/DeepSeek-V3-bf16", ""}, {"kimi.k2_5", "moonshotai/Kimi-K2.5", "int4"},
		{"gpt_oss.120b", "openai/gpt-oss-120b", "mxfp4"}, {"gpt_oss.20b", "lmsys/gpt-oss-20b-BF16", ""},
		{"deepseek.v4_flash", "deepseek-ai/DeepSeek-V4-Flash-Base", "fp8"},
		{"deepseek.v4_flash", "x/V4-Flash", "mxfp4"},
		{"mistral.large3", "mistralai/Mistral-Large-3-675B-Instruct-2512", "fp8"},
		{"mistral.large3", "mistralai/Mistral-Large-3-675B-Base-2512", ""}, {"mistral.large3", "", ""},
		{"llama3.70b", "meta-llama/Llama-3.1-70B-Instruct", ""}} {
		k, err := Catalog().Get(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := k.PublishedIn(c[1]); got != c[2] {
			t.Errorf("%s as %q is in %q; want %q", c[0], c[1], got, c[2])
		}
	}
	for _, k := range Catalog().All {
		for part := range strings.SplitSeq(k.Published, ",") {
			format := part[strings.Index(part, ":")+1:]
			if part != "" && !strings.Contains(" fp8 mxfp4 int4 ", " "+format+" ") {
				t.Errorf("%s is published in %q", k.ID, part)
			}
		}
	}
}
