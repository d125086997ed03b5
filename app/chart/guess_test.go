package chart

import (
	"strings"
	"testing"
)

// An estimate is drawn on the axis that it belongs to and moves nothing else; one that has no place isn't drawn.
func TestGuess(t *testing.T) {
	p := Plot{ID: "p", Series: []Series{{Name: "y", X: []float64{1, 10, 100}, Y: []float64{1, 2, 3}}}, X: Axis{Log: true}}
	bare := p.SVG()
	for name, c := range map[string]struct {
		mark  Mark
		drawn bool
	}{
		"of x":    {Mark{Kind: Vertical, X: 20, Label: "your estimate"}, true},
		"of y":    {Mark{Kind: Point, X: 20, Y: 2.5, Label: "your estimate"}, true},
		"outside": {Mark{Kind: Vertical, X: 1e6, Label: "your estimate"}, false},
	} {
		p.Guess = &c.mark
		svg := p.SVG()
		if got := strings.Contains(svg, "your estimate"); got != c.drawn {
			t.Errorf("%s: drawn %v", name, got)
		}
		if !c.drawn && svg != bare {
			t.Errorf("%s: something moved", name)
		}
		var rest []string
		for line := range strings.Lines(svg) {
			if !strings.Contains(line, "guess") {
				rest = append(rest, line)
			}
		}
		if strings.Join(rest, "") != bare {
			t.Errorf("%s: something else moved", name)
		}
	}
}

// At is the inverse of where the values stand, and Share that of YAt.
func TestAt(t *testing.T) {
	p := Plot{Series: []Series{{X: []float64{1, 1000}, Y: []float64{0, 8}}}, X: Axis{Log: true}}
	d := p.Draw()
	for _, want := range []float64{1, 10, 500, 1000} {
		if x, _ := d.At(d.Cursor(want), 0); x < want*(1-1e-12) || x > want*(1+1e-12) {
			t.Errorf("At(Cursor(%v)) = %v", want, x)
		}
	}
	for _, share := range []float64{0, 0.25, 1} {
		if got := d.Share(d.YAt(share)); got < share-1e-12 || got > share+1e-12 {
			t.Errorf("Share(YAt(%v)) = %v", share, got)
		}
	}
}

// A curve that the reader expects is drawn within the plot, with a handle at each point and a column in the twin, and
// moves nothing else.
func TestSketch(t *testing.T) {
	p := Plot{ID: "p", Series: []Series{{Name: "y", X: []float64{1, 10, 100}, Y: []float64{1, 2, 3}}}, X: Axis{Log: true}}
	bare := p.SVG()
	p.Sketch = &Series{Label: "your curve", X: []float64{1, 10, 100}, Y: []float64{1, 3, 1e9}}
	p.Guess = &Mark{Kind: Point, X: 10, Y: 3, Label: "your estimate"}
	svg := p.SVG()
	if strings.Count(svg, `<circle r="5"`) != 3 || strings.Contains(svg, "NaN") ||
		!strings.Contains(svg, "your estimate") {
		t.Error(svg)
	}
	var rest []string
	for line := range strings.Lines(svg) {
		if !strings.Contains(line, "guess") {
			rest = append(rest, line)
		}
	}
	if strings.Join(rest, "") != bare {
		t.Error("something else moved")
	}
	header, rows := p.Twin()
	if header[2] != "your curve" || rows[0][2] != "1" {
		t.Errorf("%q %q", header, rows)
	}
}
