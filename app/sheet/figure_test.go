package sheet

import (
	"strings"
	"testing"
)

const figureSheet = `
let B = 4 in 1..8
let deep = off
hidden half = B / 2       "Half"
twice = B * 2             "Twice" when deep
plot twice over B         when deep
table twice over B = 1, 2 when not deep
figure disc(half)         "Half of it"
figure disc(B - 4, 1/(B-4)) when deep
`

func TestFigureArgs(t *testing.T) {
	s := sheetOf(t, figureSheet)
	if len(s.Figures) != 2 || s.Figures[0].Caption != "Half of it" || s.Figures[0].Figure.Name != "disc" {
		t.Fatalf("figures: %+v", s.Figures)
	}
	st, _ := s.Set(nil, "B", "6")
	args, err := s.Eval(st).FigureArgs(0)
	if err != nil || len(args) != 2 || args[0].Num.Value != 3 || args[1].Num.Value != 10 {
		t.Errorf("a figure's values are %v, %v; want 3 and the default 10", args, err)
	}
	if _, err := s.Eval(nil).FigureArgs(1); err == nil || !strings.Contains(err.Error(), "zero") {
		t.Errorf("a value that divides by zero gives %v", err)
	}
}

func TestWhen(t *testing.T) {
	s := sheetOf(t, figureSheet)
	shown := func(r *Result) string {
		text := ""
		for i, is := range []bool{!r.Rows[3].Absent, r.ShowsPlot(0), r.ShowsTable(0), r.ShowsFigure(0), r.ShowsFigure(1)} {
			if is {
				text += []string{" row", " plot", " table", " figure", " second"}[i]
			}
		}
		return text
	}
	if got := shown(s.Eval(nil)); got != " table figure" {
		t.Errorf("shown are%s", got)
	}
	st, _ := s.Set(nil, "deep", "on")
	if got := shown(s.Eval(st)); got != " row plot figure second" {
		t.Errorf("with the switch on, shown are%s", got)
	}
	if v, err := s.Eval(nil).Value("twice"); err != nil || v.Num.Value != 8 {
		t.Errorf("an absent row is %v, %v; others may use it", v, err)
	}
	if !s.Row("half").Hidden || s.Row("twice").Hidden {
		t.Error("hidden is told wrongly")
	}
}
