package widget

import (
	"strings"
	"testing"
)

const derived = "let C = 200e12 FLOP/s in 1e12..1e15 log \"Peak rate\"\nlet W = 8e11 byte/s in 1e10..1e13 log \"Bandwidth\"\n" +
	"let w = 2 byte in 1..4 \"Bytes of a weight\"\nB_crit = w * C / (2 FLOP * W) \"Critical batch\"\n" +
	"twice = 2 * B_crit\nask B_crit in C, W, w \"In terms of C, W and w?\"\n"

// A formula is held against the answer with other numbers too: one that fits only these is found out, a lost factor is
// told from a wrong symbol, and what can't be read is refused with the reason.
func TestFormulas(t *testing.T) {
	for said, want := range map[string]struct{ score, verdict string }{
		"w * C / (2 FLOP * W)":            {"1", "exactly right; it is 250. So it is with all other numbers"},
		"w * C / W / 2":                   {"1", "exactly right"},
		"C/W*w/2/(1 FLOP)":                {"1", "exactly right"},
		"w * C / W / (1 FLOP)":            {"2", "off by a factor of 2, too high; it is 250. So it is with all other"},
		"w * w * C / W / (4 byte*1 FLOP)": {"wrong", "It depends on Bytes of a weight in another way"},
		"-w * C / (2 FLOP * W)":           {"wrong", "off by 500"},
	} {
		v := New(written(t, "s", derived))
		v.SetField(v.id("B_crit", "guess"), said)
		if g := v.TakeGuess("B_crit"); g.Refused != "" || g.Score != want.score || !strings.Contains(g.Verdict, want.verdict) {
			t.Errorf("%s: %+v", said, g)
		}
	}
	for said, want := range map[string]string{
		"":            "say what you expect",
		"250":         "a number doesn’t say what it depends on",
		"twice / 2":   "`twice` is not among the symbols; write the formula in C, W, w",
		"C / w":       "your formula gives operations per byte and second",
		"C / ":        "ends too early",
		"C + W":       "",
		"C * nothing": "`nothing`",
		"C) + (W":     "", "C when C > W": "",
		"C # W":       "a formula is one line",
		"1/0 * C / C": "",
	} {
		v := New(written(t, "s", derived))
		v.SetField(v.id("B_crit", "guess"), said)
		if g := v.TakeGuess("B_crit"); g.Refused == "" || !strings.Contains(g.Refused, want) || !v.Veiled("B_crit") {
			t.Errorf("%q: %+v", said, g)
		}
	}
}

// Where a number is asked for, a formula in the inputs will do, and steps will not.
func TestFormulaForANumber(t *testing.T) {
	v := New(written(t, "s", "let x = 50 in 1..64\nlet y = 3 s in 1..9\nhalf = y / 2\nz = 2 * x * y\nask z \"How long?\"\n"))
	for said, want := range map[string]string{"x * y * 2": "1", "x * y": "2", "300 s": "1", "30 s": "10"} {
		v.SetField(v.id("z", "guess"), said)
		if g := v.TakeGuess("z"); g.Score != want {
			t.Errorf("%s: %+v", said, g)
		}
	}
	v.SetField(v.id("z", "guess"), "half * x * 4")
	if g := v.TakeGuess("z"); !strings.Contains(g.Refused, "`half` is not among the symbols") {
		t.Errorf("%+v", g)
	}
}

// Buttons write the symbols of a formula, and a formula is not asked again with other numbers.
func TestSymbols(t *testing.T) {
	v := New(written(t, "s", derived))
	page := HTML(Section(v))
	for _, want := range []string{"write C, Peak rate", "write w, Bytes of a weight", `placeholder="your formula"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	for _, s := range []string{"w", "C"} {
		v.Symbol("B_crit", s)
	}
	if got := v.fields[v.id("B_crit", "guess")]; got != "w C" {
		t.Errorf("%q", got)
	}
	if v.Tell("B_crit"); strings.Contains(HTML(Section(v)), "Again with other numbers") {
		t.Error("asked again with other numbers, which change no formula")
	}
}

// An answer is chosen among texts, or between yes and no; until then it shows nowhere. With other numbers it may be the
// same: if it never were, nobody would have to think.
func TestChoices(t *testing.T) {
	srcs := map[string]string{"say": `if(x > 8, "large", "small")`, "odd": "x > 7"}
	for row, want := range map[string][2]string{"say": {"small", "large"}, "odd": {"yes", "no"}} {
		v := New(written(t, "s", "let x = 8 in 1..64 log\n"+row+" = "+srcs[row]+"\nask "+row+" \"Which?\"\n"))
		if page := HTML(v.askNode(row)); strings.Count(page, "<button") != 3 || strings.Contains(page, "<input") {
			t.Errorf("%s: %s", row, page)
		}
		if !v.Veiled(row) {
			t.Errorf("%s shows", row)
		}
		if g := v.Choose(row, want[0]); g.Score != "right" || !strings.Contains(g.Verdict, "You said "+want[0]+": right") {
			t.Errorf("%+v", g)
		}
		if g := v.Choose(row, want[1]); g.Score != "wrong" || !strings.Contains(g.Verdict, "it is "+want[0]) || v.Veiled(row) {
			t.Errorf("%+v", g)
		}
		said := map[string]bool{}
		for range 12 {
			v.Renew(row)
			said[v.rowText(v.row(row))] = true
		}
		if len(said) != 2 {
			t.Errorf("%s: asked again, the answer is always %v", row, said)
		}
	}
}

// Asked again, a maximum is another operand's where other numbers make it so.
func TestRenewTriesAnotherRegime(t *testing.T) {
	v := New(written(t, "s", "let x = 8 in 1..64\na = 2 * x\nb = 24\ny = max(a, b)\nz = y + x\nask z \"How much?\"\n"))
	before, _ := v.Result.Binding("y")
	v.Tell("z")
	v.Renew("z")
	if after, _ := v.Result.Binding("y"); after == before {
		t.Errorf("with x = %s it is still %s that binds", v.Text(v.fitted("x")), after)
	}
}
