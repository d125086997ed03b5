package widget

import (
	"slices"
	"strings"
	"testing"
)

// Formulas as people write them, on paper, in chats and in TeX, and what a sheet has for them.
func TestFormulasAsOnPaper(t *testing.T) {
	symbols := []string{"B", "C", "D", "F", "W", "mfu", "B_crit", "k", "w"}
	for text, want := range map[string]string{
		"2 B D F / C":                  "2*B*D*F/C",
		"2BDF/C":                       "2*B*D*F/C",
		"2 FLOP * B * D / C":           "2FLOP*B*D/C",
		"2·B·D ÷ C":                    "2*B*D/C",
		"2×B×D − F":                    "2*B*D-F",
		"B(D+F)":                       "B*(D+F)",
		"(B+D)(C+F)":                   "(B+D)*(C+F)",
		"2(B+D)F":                      "2*(B+D)*F",
		`\frac{2 B D}{C}`:              "((2*B*D)/(C))",
		`\dfrac{B}{C} \cdot D`:         "((B)/(C))*D",
		`\frac{\frac{B}{C}}{D}`:        "((((B)/(C)))/(D))",
		`\frac12 B`:                    "((1)/(2))*B",
		`$B \times D$`:                 "B*D",
		`B_{\text{crit}} D`:            "B_crit*D",
		`B_{crit} \left( D + F\right)`: "B_crit*(D+F)",
		`\sqrt{2 B} D`:                 "sqrt(2*B)*D",
		"√(2B)":                        "sqrt(2*B)",
		"B²D":                          "B^2*D",
		"B^2 D":                        "B^2*D",
		"B**2*D":                       "B^2*D",
		"B^{2} D":                      "B^(2)*D",
		"D·10⁻³":                       "D*10^-3",
		"½ B D":                        "0.5*B*D",
		"0,5*B":                        "0.5*B",
		"max(B, C) D":                  "max(B,C)*D",
		"max(B,2,5)":                   "max(B,2,5)",
		"[B + C] / D":                  "(B+C)/D",
		"b*d/c":                        "B*D/C",
		"bdf":                          "bdf", // B, D and F, or a name that nobody knows
		"CW":                           "C*W",
		"2 W k":                        "2*W*k", // symbols, and neither watts nor thousands
		"3 ms * B":                     "3ms*B",
		"B x D":                        "B*D",
		"4x8 B":                        "4*8*B",
		"mfu C":                        "mfu*C",
		"MFU*C":                        "mfu*C",
		"chip.flops(int8) B":           "chip.flops(int8)*B",
		"B and D":                      "B and D",
		"C/W.":                         "C/W",
		"2e3 B":                        "2e3*B",
		"2.5e-3B":                      "2.5e-3*B",
		"":                             "",
		`\frac{B}`:                     "((B)/())",
		"Q + B":                        "Q+B",
		"2^20 B":                       "2^20*B",
		"-B D":                         "-B*D",
		"B/C/D":                        "B/C/D",
		"B w":                          "B*w",
		"Bw":                           "B*w",
	} {
		w := formulaWriter{symbols: symbols, row: func(name string) bool { return slices.Contains(symbols, name) }}
		got := w.paper(text)
		if want != "B and D" {
			got = strings.ReplaceAll(got, " ", "")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What was understood is a formula of the sheet, and the verdict says how a text was read that doesn't stand there.
func TestFormulaOnPaperIsChecked(t *testing.T) {
	for said, want := range map[string][2]string{
		"w*C/(2 FLOP*W)":                {"1", "You said w*C/(2 FLOP*W): exactly right"},
		"wC/(2W)/(1 FLOP)*1 FLOP":       {"1", "read as w * C/(2 * W)"},
		`\frac{w C}{2 W}`:               {"1", "exactly right"},
		"B_crit = w·C ÷ W ÷ 2":          {"1", "read as w * C / W / 2): exactly right"},
		"½ w C / W":                     {"1", "read as 0.5 * w * C / W"},
		"w² C / W / 4":                  {"wrong", "It depends on"},
		"w C / W":                       {"2", "A factor of 2: a multiply and an add"},
		"8 w C / 2 / W":                 {"8", "A factor of 8: are bits"},
		"w*C/(2 FLOP*W) * 1000":         {"1000", "is a prefix off"},
		"w*C/W/2 * (1 GiB / 1 GB) * 64": {"68.72", "off by a factor of 69"},
	} {
		v := New(written(t, "s", derived))
		v.SetField(v.id("B_crit", "guess"), said)
		g := v.TakeGuess("B_crit")
		if g.Refused != "" || g.Score != want[0] || !strings.Contains(g.Verdict, want[1]) {
			t.Errorf("%s: %+v", said, g)
		}
	}
}

// An estimate that is off by a well-known factor is explained by it.
func TestHints(t *testing.T) {
	for said, want := range map[string]string{
		"0.8 GB": "exactly right", "800 MB": "exactly right", "0,8 GB": "0,8 GB (read as 800 MB): exactly",
		"6.4 GB": "A factor of 8: are bits", "100 MB": "A factor of 8", "800 GB": "is a prefix off",
		"800 kB": "is a prefix off", "1.6 GB": "A factor of 2", "0.8 GiB": "differ by this factor",
		"80 GB": "taken for percent", "0.5 GB": "factor of 1.6, too low", "6.4 Gbit": "exactly right",
		"800,000 KB": "800,000 KB (read as 800 MB)", "about 800 MB": "about 800 MB (read as 800 MB): exactly right",
	} {
		v := New(written(t, "s", "let x = 8 in 1..64\nz = x * 100 MB\nask z \"How much?\"\n"))
		v.SetField(v.id("z", "guess"), said)
		if g := v.TakeGuess("z"); g.Refused != "" || !strings.Contains(g.Verdict, want) {
			t.Errorf("%s: %+v, want %s", said, g, want)
		}
	}
	v := New(written(t, "s", "let x = 8 in 1..64\nz = x * 15 s\nask z \"How long?\"\n"))
	for said, want := range map[string]string{"2 s": "Are hours, minutes or seconds", "2 min": "exactly right",
		"2 h": "Are hours, minutes", "a day": "factor of 720", "90 - 100 s": "", "5 to 7 s": ""} {
		v.SetField(v.id("z", "guess"), said)
		g := v.TakeGuess("z")
		if (want == "") != (g.Refused != "") || !strings.Contains(g.Verdict, want) {
			t.Errorf("%s: %+v, want %s", said, g, want)
		}
	}
}

// Any text comes to an end, and what is a formula of the sheet already means the same.
func FuzzPaper(f *testing.F) {
	for _, s := range []string{`\frac{a}{b}`, "2BDF", "B_{", `\frac`, "√(2B)²", "max(B, 1,5)", "}{", "4x8", "\x00_\x00",
		"B.C"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w := formulaWriter{symbols: []string{"B", "BB", "D"}, row: func(name string) bool { return name == "B" }}
		one := w.paper(s)
		again := formulaWriter{symbols: w.symbols, row: w.row}
		if len(s) < 200 && strings.Trim(s, "BD+-*/() 0123456789") == "" && again.paper(one) != one {
			t.Errorf("%q: %q, then %q", s, one, again.paper(one))
		}
	})
}
