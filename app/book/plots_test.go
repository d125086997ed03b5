package book

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget"
)

// TestPlotsOfBook draws every plot of the book where its author left it and with each input moved, and looks at what a
// reader sees: labels apart, curves named in their colour, no mark without a reason, bars in order. Where the author
// left it the curves are named beside themselves, and fill the plot.
func TestPlotsOfBook(t *testing.T) {
	plots := 0
	eachSheet(t, func(page string, s *sheet.Sheet) {
		plots += len(s.Plots)
		for _, c := range plotCases(s) {
			c.name = page + "#" + s.ID + c.name
			c.draw(t, s)
		}
	})
	if plots < 60 {
		t.Errorf("only %d plots", plots)
	}
}

// eachSheet gives a test each sheet of the book that compiles by itself, with the name of its page.
func eachSheet(t *testing.T, look func(page string, s *sheet.Sheet)) {
	t.Helper()
	env := widget.Env()
	pages, err := filepath.Glob("../../content/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		for _, source := range Sheets(name+".md", text) {
			if s, errs := sheet.Compile(source.Text, env); len(errs) == 0 {
				s.ID = source.ID
				look(name, s)
			}
		}
	}
}

// plotCase is a state of a sheet in which its plots are drawn.
type plotCase struct{ name, input, value string }

// plotCases are the sheet as it is, and with each of its inputs moved: numbers to a fifth and to four fifths of their
// range, menus to their last entry.
func plotCases(s *sheet.Sheet) []plotCase {
	cases := []plotCase{{}}
	add := func(in *input.Input, value string) {
		cases = append(cases, plotCase{" with " + in.Name + " = " + value, in.Name, value})
	}
	for _, in := range s.Inputs {
		switch {
		case in.IsNumber() && in.Ranged:
			span := in.Span()
			for _, f := range []float64{0.2, 0.8} {
				x := span.Lo + f*(span.Hi-span.Lo)
				if span.Log {
					x = span.Lo * math.Pow(span.Hi/span.Lo, f)
				}
				if in.Step > 0 {
					x = math.Round(x)
				}
				add(in, in.Quantity(x).Exact())
			}
		case in.Form() == input.MenuForm:
			add(in, in.Menu[len(in.Menu)-1].ID)
		}
	}
	return cases
}

// draw draws the plots of a sheet in the case's state and looks at them.
func (c plotCase) draw(t *testing.T, s *sheet.Sheet) {
	v := widget.New(s)
	if c.input != "" && v.Set(c.input, c.value) != nil {
		return // its range follows from others
	}
	for i := range s.Plots {
		html := widget.HTML(v.Part("plot:" + strconv.Itoa(i)))
		from, to := strings.Index(html, "<svg"), strings.Index(html, "</svg>")
		if from < 0 || to < 0 {
			continue // it says why it isn't drawn
		}
		p, err := readPlot(html[from : to+6])
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, fault := range p.faults(c.input == "") {
			t.Errorf("%s, plot %d: %s", c.name, i+1, fault)
		}
	}
}

// seenPlot is what stands in the drawing of a plot.
type seenPlot struct {
	width, height float64
	y0, y1        float64 // of the plot area
	labels        []seenLabel
	lines         [][]string // the classes of curves
	low, high     float64    // how far down and up the curves come
	markers       int
	rings, stems  []float64 // where they stand
	bars          []float64 // how long they are, from top to bottom
}

// seenLabel is a text and the place it takes.
type seenLabel struct {
	classes        []string
	text           string
	x0, x1, y0, y1 float64
}

func (l *seenLabel) is(class string) bool { return slices.Contains(l.classes, class) }

// readPlot reads a drawing.
func readPlot(svg string) (*seenPlot, error) {
	p := &seenPlot{low: math.Inf(-1), high: math.Inf(1)}
	d := xml.NewDecoder(strings.NewReader(svg))
	var open *seenLabel
	var groups []map[string]string
	at := func(name string) string {
		for _, g := range slices.Backward(groups) {
			if g[name] != "" {
				return g[name]
			}
		}
		return ""
	}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return p, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			attrs := map[string]string{}
			for _, a := range token.Attr {
				attrs[a.Name.Local] = a.Value
			}
			groups = append(groups, attrs)
			if token.Name.Local == "text" {
				x, y := number(attrs["x"]), number(attrs["y"])
				open = &seenLabel{classes: strings.Fields(attrs["class"]), x0: x, y0: y - 8, y1: y + 8}
			} else {
				p.shape(token.Name.Local, attrs)
			}
		case xml.CharData:
			if open != nil {
				open.text += string(token)
			}
		case xml.EndElement:
			if open != nil && token.Name.Local == "text" {
				wide := 15 * ems(open.text)
				open.x0 -= wide * map[string]float64{"middle": 0.5, "end": 1}[at("text-anchor")]
				open.x1 = open.x0 + wide
				p.labels = append(p.labels, *open)
				open = nil
			}
			groups = groups[:len(groups)-1]
		}
	}
}

func number(s string) float64 {
	x, _ := strconv.ParseFloat(s, 64)
	return x
}

// shape notes an element that isn't a text.
func (p *seenPlot) shape(tag string, attrs map[string]string) {
	classes := strings.Fields(attrs["class"])
	is := func(class string) bool { return slices.Contains(classes, class) }
	switch {
	case tag == "svg":
		p.width, p.height = number(attrs["width"]), number(attrs["height"])
		p.y0, p.y1 = number(attrs["data-y0"]), number(attrs["data-y1"])
	case is("line"):
		ys := heights(attrs["d"])
		if len(ys) > 0 && ys[0] >= p.y0-1 { // not the piece of a curve in the legend
			p.lines = append(p.lines, classes)
			p.high, p.low = min(p.high, slices.Min(ys)), max(p.low, slices.Max(ys))
		}
	case is("marker"):
		p.markers++
	case is("ring"):
		p.rings = append(p.rings, number(attrs["cx"]))
	case is("vert"):
		x, _, _ := strings.Cut(strings.TrimPrefix(attrs["d"], "M"), " ")
		p.stems = append(p.stems, number(x))
	case is("bar"):
		p.bars = append(p.bars, number(attrs["width"]))
	}
}

// heights are the y of the places that a path goes through; it is made of moves and of relative lines.
func heights(d string) (ys []float64) {
	x, y, command := 0.0, 0.0, byte('M')
	var numbers []float64
	take := func() {
		if command == 'h' && len(numbers) == 1 {
			x, numbers = x+numbers[0], nil
		}
		if len(numbers) < 2 {
			return
		}
		if command == 'M' {
			x, y = 0, 0
		}
		x, y, numbers = x+numbers[0], y+numbers[1], nil
		ys = append(ys, y)
	}
	for i := 0; i < len(d); {
		switch c := d[i]; {
		case c == ' ':
			i++
		case unicode.IsLetter(rune(c)):
			command = c
			i++
		default:
			j := i + 1
			for j < len(d) && (d[j] == '.' || d[j] >= '0' && d[j] <= '9') {
				j++
			}
			numbers = append(numbers, number(d[i:j]))
			i = j
			take()
		}
	}
	return ys
}

// ems is about how wide a text is, by kinds of letters of a usual sans-serif font.
func ems(s string) (w float64) {
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljI.,:;'|!", r):
			w += 0.26
		case strings.ContainsRune("tfr()[]/- \u00a0", r):
			w += 0.34
		case strings.ContainsRune("mwMW%@", r):
			w += 0.88
		case unicode.IsUpper(r):
			w += 0.68
		case r >= '⁰' && r <= '⁹' || r == '¹' || r == '²' || r == '³' || r == '⁻':
			w += 0.36
		default:
			w += 0.56
		}
	}
	return w
}

// faults are what a reader would object to.
func (p *seenPlot) faults(asWritten bool) (all []string) {
	fault := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for i, a := range p.labels {
		if a.text == "Number" {
			fault("an axis says nothing of what is plotted: give the labels of its curves one beginning")
		}
		if a.x0 < -1 || a.x1 > p.width+1 || a.y0 < -1 || a.y1 > p.height+1 {
			fault("%q is cut off", a.text)
		}
		for _, b := range p.labels[:i] {
			if a.x0+1 < b.x1 && b.x0+1 < a.x1 && a.y0+1.5 < b.y1 && b.y0+1.5 < a.y1 {
				fault("%q and %q collide", a.text, b.text)
			}
		}
	}
	if p.markers > 0 {
		fault("%d curves have marks that are no points of interest", p.markers)
	}
	if !slices.IsSorted(p.bars) {
		fault("the bars are not sorted: %v", p.bars)
	}
	if len(p.lines) == 0 {
		return all
	}
	points := 0
	for _, l := range p.labels {
		if l.is("point") {
			points++
		}
	}
	for _, x := range p.rings {
		if slices.ContainsFunc(p.stems, func(at float64) bool { return math.Abs(at-x) < 3 }) {
			points++ // the vertical's label says what it is
		}
	}
	if len(p.rings) > points {
		fault("%d points are marked and %d of them named", len(p.rings), points)
	}
	return append(all, p.names(asWritten)...)
}

// names are faults of the names of curves.
func (p *seenPlot) names(asWritten bool) (all []string) {
	for _, curve := range p.lines {
		at := slices.IndexFunc(p.labels, func(l seenLabel) bool {
			return l.is("name") &&
				strings.Join(l.classes[1:], " ") == strings.TrimSuffix(strings.Join(curve[1:], " "), " main")
		})
		switch {
		case len(p.lines) == 1: // the axis names it
		case at < 0:
			all = append(all, fmt.Sprintf("curve %v has no name", curve))
		case asWritten && p.labels[at].y1 < p.y0:
			all = append(all, fmt.Sprintf("%q stands in a legend, not at its curve", p.labels[at].text))
		}
	}
	if asWritten && p.low-p.high < 0.6*(p.y1-p.y0) {
		all = append(all, fmt.Sprintf("the curves fill %.0f %% of the height", 100*(p.low-p.high)/(p.y1-p.y0)))
	}
	return all
}
