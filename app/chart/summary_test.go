package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

func TestTwin(t *testing.T) {
	for _, p := range examples() {
		header, rows := p.AltTable()
		for _, r := range rows {
			if len(r) != len(header) {
				t.Errorf("%s: a row of %d under a header of %d", p.ID, len(r), len(header))
			}
		}
		if len(rows) > max(twinRows, 2+1+len(p.Marks), len(p.X.Categories)) {
			t.Errorf("%s: %d rows", p.ID, len(rows))
		}
	}
	_, rows := matmul().AltTable()
	marked := slices.IndexFunc(rows, func(r []string) bool { return strings.Contains(r[3], "Compute-bound above") })
	if marked < 0 || rows[marked][1] != rows[marked][2] {
		t.Errorf("the crossing is not in the twin, or is none: %v", rows)
	}
}

func TestSummary(t *testing.T) {
	line := func(ys ...float64) *Plot {
		xs := make([]float64, len(ys))
		for i := range xs {
			xs[i] = float64(i)
		}
		return &Plot{Series: []Series{{Label: "Cost", X: xs, Y: ys}}}
	}
	for _, c := range []struct {
		p    *Plot
		want string
	}{
		{line(1, 2, 3), "Cost rises from 1 to 3."},
		{line(3, 2, 1), "Cost falls from 3 to 1."},
		{line(1, 3, 2), "Cost rises from 1 to 3 at 1, then falls to 2."},
		{line(3, 1, 2), "Cost falls from 3 to 1 at 1, then rises to 2."},
		{line(1, 2, 2), "Cost rises from 1 to 2 at 1, then stays there."},
		{line(1, 1, 2), "Cost stays at 1 up to 1, then rises to 2."},
		{line(1, 2, 1, 2), "Cost varies between 1 and 2."},
		{line(5, 5), "Cost stays at 5."},
		{line(3.9e-11, 1, 2), "Cost rises from 0 to 2."},
		{line(7), "Cost is 7 at 0."},
		{line(), "Nothing to draw: there are no values."},
		{line(math.NaN(), math.Inf(1)), "Nothing to draw: there are no values."},
		{matmul(), "Time to compute rises from 341 ns to 5.58 ms; it overtakes time to move the bytes at 263."},
	} {
		if got := c.p.Summary(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// label is a text of a drawing, with the space it takes at the largest size of the style sheet.
type label struct {
	s, class string
	box      box
}

// inspect reads a drawing as a browser would, holds it to what every drawing must be, and returns its labels.
func inspect(t *testing.T, svg string) []label {
	t.Helper()
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "e+") {
		t.Errorf("the drawing contains something that isn't a number:\n%s", svg)
	}
	in := inspector{t: t, ids: map[string]bool{}, height: -1}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		in.token(token)
	}
	for _, ref := range in.refs {
		if !in.ids[ref] {
			t.Errorf("a reference to #%s, which isn't there", ref)
		}
	}
	if t.Failed() {
		t.Logf("%s", svg)
	}
	return in.labels
}

type inspector struct {
	t       *testing.T
	anchors []string // text-anchor of the open elements
	classes []string
	height  float64
	ids     map[string]bool
	refs    []string
	labels  []label
	open    *label // the text element being read
	x, y    float64
	anchor  string
}

var decimals = regexp.MustCompile(`\.\d\d`)

func (in *inspector) token(token xml.Token) {
	switch token := token.(type) {
	case xml.StartElement:
		in.start(token)
	case xml.CharData:
		if in.open != nil {
			in.open.s += string(token)
		}
	case xml.EndElement:
		in.anchors = in.anchors[:len(in.anchors)-1]
		in.classes = in.classes[:len(in.classes)-1]
		if token.Name.Local == "text" {
			in.labels = append(in.labels, *in.open)
			in.measure(&in.labels[len(in.labels)-1])
			in.open = nil
		}
	}
}

func (in *inspector) start(e xml.StartElement) {
	attrs := map[string]string{}
	for _, a := range e.Attr {
		name := a.Name.Local
		attrs[name] = a.Value
		if name == "style" || strings.HasPrefix(name, "on") || name == "href" {
			in.t.Errorf("<%s> has the attribute %s", e.Name.Local, name)
		}
		switch name {
		case "d", "x", "y", "cx", "cy", "width", "height", "transform", "data-x0", "data-x1", "data-y0", "data-y1":
			if decimals.MatchString(a.Value) {
				in.t.Errorf("%s=%q has more than one decimal", name, a.Value)
			}
		}
		if strings.HasPrefix(a.Value, "url(#") {
			in.refs = append(in.refs, strings.TrimSuffix(a.Value[5:], ")"))
		}
	}
	if id, ok := attrs["id"]; ok {
		if in.ids[id] {
			in.t.Errorf("the id %q twice", id)
		}
		in.ids[id] = true
	}
	if e.Name.Local == "svg" {
		in.root(attrs)
	}
	anchor, class := attrs["text-anchor"], attrs["class"]
	if n := len(in.anchors); n > 0 && anchor == "" {
		anchor = in.anchors[n-1]
	}
	if n := len(in.classes); n > 0 && class == "" {
		class = in.classes[n-1]
	}
	in.anchors, in.classes = append(in.anchors, anchor), append(in.classes, class)
	switch e.Name.Local {
	case "script", "foreignObject", "image", "a":
		in.t.Errorf("an element <%s>", e.Name.Local)
	case "text":
		in.open = &label{class: class}
		in.x, in.y, in.anchor = number(in.t, attrs["x"]), number(in.t, attrs["y"]), anchor
	}
}

func (in *inspector) root(attrs map[string]string) {
	if attrs["role"] != "img" || attrs["class"] != "chart" {
		in.t.Errorf("the root lacks its role or class: %v", attrs)
	}
	in.refs = append(in.refs, strings.Fields(attrs["aria-labelledby"])...)
	var w float64
	if _, err := fmt.Sscanf(attrs["viewBox"], "0 0 %f %f", &w, &in.height); err != nil || w != 440 {
		in.t.Errorf("viewBox = %q", attrs["viewBox"])
	}
	x0, x1 := number(in.t, attrs["data-x0"]), number(in.t, attrs["data-x1"])
	y0, y1 := number(in.t, attrs["data-y0"]), number(in.t, attrs["data-y1"])
	if !(0 <= x0 && x0+50 < x1 && x1 <= w && 0 <= y0 && y0 < y1 && y1 <= in.height) {
		in.t.Errorf("the plot area %v..%v, %v..%v is too small or outside", x0, x1, y0, y1)
	}
}

// measure finds the space of a label: letters reach from the baseline, 0.35 em below its y, to capital height above,
// and descend a quarter of an em at most.
func (in *inspector) measure(l *label) {
	w := textWidth(l.s) * 15
	if strings.HasPrefix(l.class, "now") || strings.HasPrefix(l.class, "value ") {
		w *= 1.13
	}
	x := in.x
	switch in.anchor {
	case "middle":
		x -= w / 2
	case "end":
		x -= w
	}
	if x < 0 || x+w > 440 || in.y-0.45*15 < 0 || in.y+0.55*15 > in.height {
		in.t.Errorf("the label %q at %v, %v leaves the viewBox", l.s, in.x, in.y)
	}
	l.box = box{x, in.y - 0.45*15, x + w, in.y + 0.55*15}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Errorf("%q is not a number", s)
	}
	return v
}

// An estimate is drawn on the axis that it belongs to and moves nothing else; one that has no place isn't drawn.
func TestGuess(t *testing.T) {
	p := Plot{ID: "p", Series: []Series{{Name: "y", X: []float64{1, 10, 100}, Y: []float64{1, 2, 3}}},
		X: Axis{Log: true}}
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
	p := Plot{ID: "p", Series: []Series{{Name: "y", X: []float64{1, 10, 100}, Y: []float64{1, 2, 3}}},
		X: Axis{Log: true}}
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
	header, rows := p.AltTable()
	if header[2] != "your curve" || rows[0][2] != "1" {
		t.Errorf("%q %q", header, rows)
	}
}

// roof is a machine, or a way to use it, in a roofline: it does min(Peak, Bandwidth·x) at the intensity x.
type roof struct {
	Label     string
	Peak      float64 // FLOP/s
	Bandwidth float64 // byte/s
}

// ridge is the intensity, in FLOP/byte, at which the roof levels off: memory-bound below, compute-bound above.
func (r roof) ridge() float64 { return r.Peak / r.Bandwidth }

// rooflineUnder is a plot of what each roof reaches over arithmetic intensity, both axes logarithmic, with the ridge
// points marked. The caller may set formats, the id, the current place, and replace labels. Roofs that aren't positive
// are left out.
func rooflineUnder(roofs ...roof) *Plot {
	p := &Plot{
		Title: "Roofline",
		X:     Axis{Label: "Arithmetic intensity (FLOP/byte)", Log: true},
		Y:     Axis{Label: "Attainable FLOP/s", Log: true},
	}
	var ridges span
	for _, r := range roofs {
		if at := r.ridge(); finite(at) && at > 0 && finite(r.Peak) && r.Peak > 0 {
			ridges.add(at)
		}
	}
	if !ridges.any {
		return p
	}
	lo, hi := math.Max(ridges.lo/30, 1e-300), math.Min(ridges.hi, 1e300)*30
	for _, r := range roofs {
		at := r.ridge()
		if !finite(at) || at <= 0 || !finite(r.Peak) || r.Peak <= 0 {
			continue
		}
		p.Series = append(p.Series, Series{
			Name: r.Label, X: []float64{lo, at, hi}, Y: []float64{float64(lo * r.Bandwidth), r.Peak, r.Peak}})
		label := "ridge"
		if len(roofs) == 1 {
			label = "ridge point"
		}
		p.Marks = append(p.Marks, Mark{Kind: Point, X: at, Y: r.Peak, Label: label})
	}
	return p
}

// TestGolden holds the drawings and their words to what was looked at and found good.
func TestGolden(t *testing.T) {
	for _, p := range examples() {
		header, rows := p.AltTable()
		words := []string{p.Summary(), "", strings.Join(header, " | ")}
		for _, r := range rows {
			words = append(words, strings.Join(r, " | "))
		}
		golden.Check(t, "testdata/"+p.ID+".svg", p.SVG()+"\n")
		golden.Check(t, "testdata/"+p.ID+".txt", strings.Join(words, "\n")+"\n")
	}
}
