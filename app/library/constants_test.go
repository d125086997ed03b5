package library

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// TestConstantsFollow: what a reader changes of a chip is what fields, methods, functions, tables and menus have of it,
// and no other chip.
func TestConstantsFollow(t *testing.T) {
	s, errs := sheet.Compile(`let chip = tpu.v5p of tpu.v5p, tpu.v5e, original.v5p
let shape = usual_slice(chip) of chip_slices(chip)
P = chip.flops(bf16)
W = chip.hbm_bandwidth
I = chip.ridge(bf16)
cut = shape.bisection_bandwidth
same = slice_shape(chip, "4x4").bisection_bandwidth
table W, I over chip
hidden all = accelerators
fast = (first of all).hbm_bandwidth
`, New())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	var st input.State
	for _, set := range [][2]string{{"tpu_v5p__hbm_bandwidth", "1 TB/s"}, {"tpu_v5p__flops_bf16", "100"},
		{"tpu_v5p__ici_link_bandwidth", "1 GB/s"}} {
		var err error
		if st, err = s.Set(st, set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	r := s.Eval(st)
	for name, want := range map[string]string{"P": "100 TFLOP/s", "W": "1 TB/s", "I": "100 FLOP/byte",
		"cut": "32 GB/s"} {
		if v, err := r.Value(name); err != nil || v.String() != want {
			t.Errorf("%s is %v, %v; want %s", name, v, err, want)
		}
	}
	data := s.TableData(st, s.Tables[0])
	for i, want := range []string{"1 TB/s", "819 GB/s", "2.8 TB/s"} {
		if got := data.Rows[i].Cells[0].Text(); got != want {
			t.Errorf("%s reads at %s in a table, not %s", data.Rows[i].Input, got, want)
		}
	}
	if n := len(s.Changed(st)); n != 3 || len(s.Published(st)) != 0 {
		t.Error(n, "changes;", s.Published(st))
	}
	if st = s.Without(st, "tpu_v5p__hbm_bandwidth"); len(s.Changed(st)) != 2 {
		t.Error("one taken back leaves", s.Changed(st))
	}
	if v, err := s.Eval(st).Value("I"); err != nil || v.String() != "36.2 FLOP/byte" {
		t.Error(v, err)
	}
	for _, other := range []string{"gpu_h100__nothing", "tpu_v99__hbm", "llama3_70b__layers", "chip__hbm"} {
		if _, err := s.Set(nil, other, "1 GB"); err == nil {
			t.Error(other, "is taken")
		}
	}
}

// TestOpenMenu: a slice that its list doesn't hold can be written, is the same one on another chip, and is no entry of
// it.
func TestOpenMenu(t *testing.T) {
	s, errs := sheet.Compile(
		"let chip = tpu.v5p of tpu.v5p, tpu.v4, tpu.v5e\nlet s = usual_slice(chip) of chip_slices(chip)\n"+
			"n = s.chips\nhidden own = s.chip\nname = own.name\n",
		New(),
	)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	st, err := s.Set(nil, "s", "4 x 12*4")
	if err != nil {
		t.Fatal(err)
	}
	for chip, want := range map[string]string{"tpu.v5p": "192 chips", "tpu.v4": "192 chips", "tpu.v5e": "32 chips"} {
		on, err := s.Set(st, "chip", chip)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Eval(on)
		if n, err := r.Value("n"); err != nil || n.String() != want {
			t.Errorf("%s: %v, %v", chip, n, err)
		}
		if fits := r.Misfit("s") == nil; fits != (chip != "tpu.v5e") {
			t.Errorf("%s: %v", chip, r.Misfit("s"))
		}
	}
	if _, err := s.Set(nil, "s", "5x5x5"); err == nil {
		t.Error("a slice that no pod has is taken")
	}
}

// TestOriginalProblems: each problem that the original numbers is checked by an expect of a sheet, but for one that
// asks for a program. Two facts are called otherwise than their problems.
func TestOriginalProblems(t *testing.T) {
	files, err := filepath.Glob("../../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var book strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		book.Write(text)
	}
	const program = "sharding.q8"
	called := map[string]string{"gpus.q5.1": "gpus.tp.b200", "jax.p4": "jax.p3"}
	for number, p := range originalParts() {
		if p.number != number {
			t.Errorf("part %d stands in place %d", p.number, number)
		}
		for _, problem := range p.problems {
			fact := cmp.Or(called[p.facts+problem], p.facts+problem)
			checks := regexp.MustCompile(` as "` + regexp.QuoteMeta(fact) + `[a-z]?[./]`)
			if checked := checks.MatchString(book.String()); checked == (fact == program) {
				t.Errorf("%s is checked: %v", fact, checked)
			}
		}
		for _, open := range p.open {
			if !slices.Contains(p.problems, open) {
				t.Errorf("part %d has no problem %s", number, open)
			}
		}
	}
}

// A text that a function makes of a phrase, and a record that one names, are said in the language of who reads them.
func TestPhrasesAsValues(t *testing.T) {
	l := phrase.Read("library.none\tничего\n")
	said := spoken(phrase.New("library.none"))
	if said.Text != "none" || said.In(l) != "ничего" || said.In(phrase.Phrases{}) != "none" {
		t.Errorf("%q, %q", said.Text, said.In(l))
	}
	r := newRecord(&value.RecordType{Name: "x"}, phrase.New("library.none"))
	if r.Name != "none" || r.value().In(l) != "ничего" {
		t.Errorf("%q, %q", r.Name, r.value().In(l))
	}
	if own := spoken("H100"); own.Phrase != nil || own.In(l) != "H100" {
		t.Errorf("%v", own)
	}
}

// The reasons against a plan are given in the reader’s language, with the part of the step that takes longer.
func TestVerdictInALanguage(t *testing.T) {
	r := worked(t, `job = training_job(llama3.8b, gpu.h100, 8 chip, 65536 token, 8192 token, bf16,
  usual_software(gpu.h100))
search = training_search(job, off, 0, 0)
plans = training_plans(search)
`)
	plans, err := r.Value("plans")
	if err != nil || len(plans.List) < 2 {
		t.Fatalf("%v, %v", plans, err)
	}
	lines := []string{"training.equal\tравен: {part}", "training.slower\tмедленнее: {part}"}
	for _, part := range (&training.Time{}).Parts() {
		lines = append(lines, phrase.WordKey+part.Name+"\tчасть")
	}
	slices.Sort(lines)
	l := phrase.Read(strings.Join(lines, "\n") + "\n")
	why := plans.List[1].Record.All()["why"]
	if got := why.In(l); got != "равен: часть" && got != "медленнее: часть" {
		t.Errorf("it says %q, in English %q", got, why.Text)
	}
}
