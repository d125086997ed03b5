package library

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// eval is the value of x in a sheet, as the page prints it, or its error.
func eval(t *testing.T, env *value.Env, src string) string {
	t.Helper()
	s, errs := sheet.Compile(src, env)
	if len(errs) > 0 {
		return errs[0].Error()
	}
	v, err := s.Eval(nil).Value("x")
	if err != nil {
		return err.Error()
	}
	return v.String()
}

// evaluated is a sheet, and what the value of its row x, or the reason why there is none, has in its text.
type evaluated struct{ src, want string }

// evaluate holds sheets to what their row x should say.
func evaluate(t *testing.T, env *value.Env, cases []evaluated) {
	t.Helper()
	for _, c := range cases {
		if got := strings.ReplaceAll(eval(t, env, c.src), "\u00a0", " "); !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q in it", c.src, got, c.want)
		}
	}
}

func TestChipsInSheets(t *testing.T) {
	env := New()
	evaluate(t, env, []evaluated{
		{"x = tpu.v5e.hbm_bandwidth", "819 GB/s"},
		{"x = tpu.v5e.flops(int8)", "394 TFLOP/s"},
		{"let chip = gpu.h100\nx = chip.ridge(bf16)", "295 FLOP/byte"},
		{"let chip = gpu.h100\nx = chip", "H100 SXM 80 GB"},
		{"let chip = tpu.v5e\nlet d = fp4\nx = chip.flops(d)", "no fp4 rate for TPU v5e"},
		{"let chip = gpu.h100\nx = chip.vmem", "no entry for VMEM capacity"},
		{"x = tpu.v9.hbm", "did you mean"},
		{"x = tpu.v5e.hbm_bandwith", "did you mean `hbm_bandwidth`"},
		{"x = original.v5e.hbm_bandwidth", "810 GB/s"},
		{"x = original.v5e.flops(int8)", "394 TFLOP/s"},
		{"let chip = original.v6e\nx = chip.ridge(bf16)", "575 FLOP/byte"},
		{"let chip = original.h100\nx = chip.hbm_bandwidth", "3.35 TB/s"},
		{"let chip = original.v5e\nx = chip.flops(fp8)", "no fp8 rate for TPU v5e (original)"},
		{"x = original.v7x.hbm", "v7x"},
		{"let chip = tpu.v5e\nx = critical_batch(chip.flops(bf16), chip.hbm_bandwidth)", "241 tokens"},
	})
}

// TestEveryConstantIsOffered: what the catalog knows, a sheet can name, with the same value and a note on its source.
func TestEveryConstantIsOffered(t *testing.T) {
	env := New()
	if all := len(hardware.Catalog().All); len(env.RecordTypes) < 2 || len(env.RecordTypes[0].Members) != all {
		t.Fatalf("the menu offers %d accelerators, the catalog has %d", len(env.RecordTypes[0].Members), all)
	}
	constants := 0
	for i, a := range hardware.Catalog().All {
		r := env.RecordTypes[0].Members[i]
		for _, f := range hardware.Fields() {
			c, err := a.Get(f.Name)
			if err != nil {
				continue
			}
			constants++
			if r.Note(phrase.Phrases{}, strings.Replace(f.Name, ".", "(", 1)) == "" {
				t.Errorf("%s.%s has no note on its source", a.ID, f.Name)
			}
			family, dtype, method := strings.Cut(f.Name, ".")
			if method {
				call := a.ID + "." + family + "(" + dtype + ")"
				if got := eval(t, env, "x = "+call); got != c.Value.String() {
					t.Errorf("%s is %s, the catalog says %s", call, got, c.Value)
				}
			} else if r.All()[f.Name].Num != c.Value {
				t.Errorf("%s.%s is %v, the catalog says %v", a.ID, f.Name, r.All()[f.Name].Num, c.Value)
			}
		}
	}
	if constants < 300 {
		t.Errorf("only %d constants compared", constants)
	}
}

// TestOriginalsName: a reader of another language reads that a chip is the original's in that language.
func TestOriginalsName(t *testing.T) {
	s, errs := sheet.Compile("let chip = original.v5e\nx = chip", New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	v, err := s.Eval(nil).Value("x")
	if err != nil {
		t.Fatal(err)
	}
	l := phrase.Read("library.original\t{chip} (у оригинала)\n")
	if got := v.In(l); got != "TPU v5e (у оригинала)" {
		t.Errorf("it is called %q", got)
	}
	if got := v.In(phrase.Phrases{}); got != "TPU v5e (original)" {
		t.Errorf("in English it is called %q", got)
	}
}

// TestOriginal: an original's constant is a reading of the catalog, and it has no other.
func TestOriginal(t *testing.T) {
	o := original(hardware.Catalog())
	for _, a := range o.All {
		_, member, _ := strings.Cut(a.ID, ".")
		for _, f := range a.Facts() {
			if len(f.Others) != 0 || !strings.HasPrefix(f.Source.ID, "book-") {
				t.Errorf("%s: %s is from %s", a.ID, f.Field, f.Source.ID)
			}
			var mine *hardware.Accelerator
			for _, family := range []string{"tpu.", "gpu."} {
				if found, err := hardware.Catalog().Get(family + member); err == nil {
					mine = found
				}
			}
			c, err := mine.Get(f.Field)
			if r, ok := c.From(f.Source.ID); err != nil || !ok || r.Value != f.Value {
				t.Errorf("%s: %s is %s, the catalog has %s", a.ID, f.Field, f.Text, r.Text)
			}
		}
	}
	if len(o.All) < 9 {
		t.Errorf("only %d chips", len(o.All))
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New()
	}
}

// A chip and the same chip as the original prints it stand in one menu, each with its own constants.
func TestMenuAcrossFamilies(t *testing.T) {
	s, errs := sheet.Compile(
		"let chip = tpu.v5e of tpu.v5e, original.v5e, gpu.h100\nW = chip.hbm_bandwidth\nP = chip.flops(bf16)\ntable W, P "+
			"over chip\n",
		New(),
	)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	for id, want := range map[string]string{"tpu.v5e": "819 GB/s", "original.v5e": "810 GB/s",
		"gpu.h100": "3.35 TB/s"} {
		st, err := s.Set(nil, "chip", id)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Eval(st)
		if w, err := r.Value("W"); err != nil || w.String() != want {
			t.Errorf("%s reads HBM at %v, %v; want %s", id, w, err, want)
		}
		if p, err := r.Value("P"); err != nil {
			t.Errorf("%s: %v, %v", id, p, err)
		}
	}
	if rows := s.TableData(nil, s.Tables[0]).Rows; len(rows) != 3 || rows[1].Cells[0].Text() != "810 GB/s" {
		t.Errorf("%+v", rows)
	}
	for _, text := range []string{"let chip = tpu.v5e of tpu.v5e, llama3.70b\n",
		"let chip = tpu.v5e\nx = chip.layers\n"} {
		if _, errs := sheet.Compile(text, New()); len(errs) != 1 || errs[0].Remedy == nil {
			t.Errorf("%s: %v", text, errs)
		}
	}
	plain, _ := sheet.Compile("let chip = tpu.v5e\n", New())
	for _, o := range plain.Inputs[0].Menu {
		if o.Group == "As the original prints them" {
			t.Errorf("%s is offered without being named", o.ID)
		}
	}
}
