package book

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget"
)

// TestLabelsOfFigures draws every figure of the book where its author left it and at settings drawn by lot, wide and
// as on a phone, and looks at its labels: none is cut off, no two meet, and none lies on a curve.
func TestLabelsOfFigures(t *testing.T) {
	drawn := 0
	eachSheet(t, func(page string, s *sheet.Sheet) {
		settings := 10
		if strings.HasSuffix(page, "-planner") {
			settings = 1 // each is a search
		}
		if len(s.Figures) > 0 {
			drawn += labelsOfSheet(t, page, s, settings)
		}
	})
	if drawn < 500 {
		t.Errorf("only %d pictures", drawn)
	}
}

// labelsOfSheet looks at the labels of a sheet's figures, and counts the pictures that it saw.
func labelsOfSheet(t *testing.T, page string, s *sheet.Sheet, settings int) (drawn int) {
	lots := rand.New(rand.NewSource(int64(len(s.Figures)*7919 + len(s.Inputs))))
	seen := map[string]bool{}
	for k := range settings + 1 {
		v, set := widget.New(s), ""
		for _, in := range s.Inputs {
			if k == 0 || lots.Intn(4) == 0 {
				continue
			}
			if text := byLot(lots, in); text != "" && v.Set(in.Name, text) == nil {
				set += " " + in.Name + "=" + text
			}
		}
		for i := range s.Figures {
			html := widget.HTML(v.Part("figure:" + strconv.Itoa(i)))
			if seen[html] {
				continue
			}
			seen[html] = true
			for _, svg := range drawingOf.FindAllString(html, -1) {
				for _, phone := range []bool{false, true} {
					if strings.Contains(svg, `"fig open wide"`) && phone ||
						strings.Contains(svg, `"fig open narrow"`) && !phone {
						continue
					}
					drawn++
					p, err := readDrawing(s.Figures[i].Figure.Name, svg, phone)
					if err != nil {
						t.Fatalf("%s#%s%s: %v", page, s.ID, set, err)
					}
					for _, fault := range p.faults() {
						t.Errorf("%s#%s%s, phone %t: %s", page, s.ID, set, phone, fault)
					}
				}
			}
		}
	}
	return drawn
}

var drawingOf = regexp.MustCompile(`(?s)<svg class="fig.*?</svg>`)

// byLot is a value of an input within its range, as a reader types it; empty for what is free text.
func byLot(lots *rand.Rand, in *input.Input) string {
	switch {
	case in.IsNumber() && in.Ranged:
		span, at := in.Span(), lots.Float64()
		x := span.Lo + at*(span.Hi-span.Lo)
		if span.Log {
			x = span.Lo * math.Pow(span.Hi/span.Lo, at)
		}
		if in.Step > 0 {
			x = math.Round(x)
		}
		return in.Quantity(x).Exact()
	case in.Form() == input.MenuForm:
		return in.Menu[lots.Intn(len(in.Menu))].ID
	case in.Form() == input.SwitchForm:
		return []string{"on", "off"}[lots.Intn(2)]
	}
	return ""
}

// drawnLabel is a text of a figure and the place that it takes.
type drawnLabel struct {
	text, class    string
	x0, y0, x1, y1 float64
	level          bool // not turned
}

// affine is a transform of SVG: x' = a*x + c*y + e, y' = b*x + d*y + f.
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) at(x, y float64) (float64, float64) { return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f }

// with is the transform after those of an attribute.
func (m affine) with(attribute string) affine {
	for _, part := range transformOf.FindAllStringSubmatch(attribute, -1) {
		of := strings.FieldsFunc(part[2], func(r rune) bool { return r == ' ' || r == ',' })
		x, y := number(of[0]), 0.
		if len(of) > 1 {
			y = number(of[1])
		}
		if part[1] == "translate" {
			m.e, m.f = m.at(x, y)
			continue
		}
		sin, cos := math.Sincos(x * math.Pi / 180)
		m = affine{m.a*cos + m.c*sin, m.b*cos + m.d*sin, m.c*cos - m.a*sin, m.d*cos - m.b*sin, m.e, m.f}
	}
	return m
}

var transformOf = regexp.MustCompile(`(translate|rotate)\(([^)]*)\)`)

// letters is how high the letters of a label are, as figures.css and drawings.css have them: larger on a phone.
func letters(figure string, classes []string, open, phone bool) float64 {
	is := func(class string) bool { return slices.Contains(classes, class) }
	in := func(figures ...string) bool { return phone && slices.Contains(figures, figure) }
	phone = phone && !open && figure != "model_parameters" && figure != "ring_matmul"
	switch {
	case is("big"):
		return 19
	case is("place"):
		return 12
	case open:
		return 14
	case in("queue_in_time", "batch_slots", "mesh_shards"):
		return 17.5
	case in("stream_timeline"):
		return 14.4
	case in("ring_matmul"):
		return 15
	case is("micro") && in("pipeline_timetable", "step_timeline"):
		return 16
	case is("micro"):
		return 12
	case is("piece"):
		return 13
	case is("small") && in("trace_bars"):
		return 18.5
	case is("small") && in("pipeline_timetable", "step_timeline"):
		return 17.5
	case is("tex"):
		return 17
	case is("sub"):
		return 12.5
	case phone:
		return 16.1
	case is("small"):
		return 14
	}
	return 15
}

// curveClasses are those of lines that are a result; a label on one of them can't be distinguished from its name.
var curveClasses = []string{"curve", "curve3", "roof1", "roof2", "l1"}

// seenDrawing is what stands in a picture.
type seenDrawing struct {
	left, top, wide, high float64
	labels                []drawnLabel
	curves                [][][2]float64
}

// readDrawing reads a picture.
func readDrawing(figure, svg string, phone bool) (*seenDrawing, error) {
	p := &seenDrawing{}
	groups := []affine{{a: 1, d: 1}}
	var open *drawnLabel
	var size float64
	var anchor string
	root := strings.Contains(svg, `"fig open`)
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if token == nil {
			if err == io.EOF {
				err = nil
			}
			return p, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			attrs := map[string]string{}
			for _, a := range token.Attr {
				attrs[a.Name.Local] = a.Value
			}
			classes := strings.Fields(attrs["class"])
			groups = append(groups, groups[len(groups)-1].with(attrs["transform"]))
			switch token.Name.Local {
			case "svg":
				if _, err := fmt.Sscan(attrs["viewBox"], &p.left, &p.top, &p.wide, &p.high); err != nil {
					return nil, err
				}
			case "text":
				open = &drawnLabel{class: attrs["class"], x0: number(attrs["x"]), y0: number(attrs["y"])}
				size = letters(figure, classes, root, phone)
				if anchor = attrs["text-anchor"]; anchor == "" && slices.Contains(classes, "mid") {
					anchor = "middle"
				} else if anchor == "" && slices.Contains(classes, "end") {
					anchor = "end"
				}
				if figure == "hlo_tiles" && slices.Contains(classes, "place") {
					anchor = "middle"
				}
			case "path":
				if slices.ContainsFunc(classes, func(c string) bool { return slices.Contains(curveClasses, c) }) {
					p.curves = append(p.curves, corners(attrs["d"]))
				}
			}
		case xml.CharData:
			if open != nil {
				open.text += string(token)
			}
		case xml.EndElement:
			if open != nil && token.Name.Local == "text" {
				p.labels = append(p.labels, open.placed(groups[len(groups)-1], size, anchor))
				open = nil
			}
			groups = groups[:len(groups)-1]
		}
	}
}

// faults are what a reader would object to in the labels.
func (p *seenDrawing) faults() (all []string) {
	right, bottom := p.left+p.wide, p.top+p.high
	for i, a := range p.labels {
		if strings.TrimSpace(a.text) == "" {
			continue
		}
		if a.x0 < p.left-2 || a.x1 > right+2 || a.y0 < p.top-3 || a.y1 > bottom+3 {
			all = append(all, fmt.Sprintf("%q is cut off: %.0f to %.0f of %.0f to %.0f, %.0f to %.0f of %.0f to %.0f",
				a.text, a.x0, a.x1, p.left, right, a.y0, a.y1, p.top, bottom))
		}
		for _, b := range p.labels[:i] {
			if a.level && b.level && a.x0+1 < b.x1 && b.x0+1 < a.x1 && a.y0+2 < b.y1 && b.y0+2 < a.y1 {
				all = append(all, fmt.Sprintf("%q and %q meet", a.text, b.text))
			}
		}
		for _, curve := range p.curves {
			if a.level && !strings.Contains(a.class, "tile-name") && a.on(curve) { // not on a tile of its own
				all = append(all, fmt.Sprintf("%q lies on a curve", a.text))
				break
			}
		}
	}
	return all
}

// widest is how much wider the letters of the widest usual sans-serif font are than those of most.
const widest = 1.06

// placed is the label where its letters stand.
func (l *drawnLabel) placed(m affine, size float64, anchor string) drawnLabel {
	w := widest * size * ems(l.text)
	x := l.x0 - w*map[string]float64{"middle": 0.5, "end": 1}[anchor]
	y := l.y0
	out := drawnLabel{text: l.text, class: l.class, x0: math.Inf(1), y0: math.Inf(1), x1: math.Inf(-1),
		y1: math.Inf(-1), level: math.Abs(m.b) < 1e-9}
	up, down := y-0.73*size, y+0.2*size
	for _, corner := range [][2]float64{{x, up}, {x + w, up}, {x, down}, {x + w, down}} {
		px, py := m.at(corner[0], corner[1])
		out.x0, out.x1 = min(out.x0, px), max(out.x1, px)
		out.y0, out.y1 = min(out.y0, py), max(out.y1, py)
	}
	return out
}

// corners are the places that a path of moves and straight lines goes through; none if it is of another kind.
func corners(d string) (at [][2]float64) {
	for _, part := range regexp.MustCompile(`[A-Za-z][^A-Za-z]*`).FindAllString(d, -1) {
		of := strings.Fields(strings.ReplaceAll(part[1:], "-", " -"))
		switch {
		case (part[0] == 'M' || part[0] == 'L') && len(of) == 2:
			at = append(at, [2]float64{number(of[0]), number(of[1])})
		case part[0] == 'H' && len(of) == 1 && len(at) > 0:
			at = append(at, [2]float64{number(of[0]), at[len(at)-1][1]})
		default:
			return nil
		}
	}
	return at
}

// on says whether a curve goes through the letters of a label: through its box without the edge.
func (l *drawnLabel) on(curve [][2]float64) bool {
	x0, x1, y0, y1 := l.x0+2, l.x1-2, l.y0+3, l.y1-3
	for i := 1; i < len(curve); i++ {
		a, b := curve[i-1], curve[i]
		for f := 0.; f <= 1; f += 1. / 64 {
			if x, y := a[0]+f*(b[0]-a[0]), a[1]+f*(b[1]-a[1]); x > x0 && x < x1 && y > y0 && y < y1 {
				return true
			}
		}
	}
	return false
}
