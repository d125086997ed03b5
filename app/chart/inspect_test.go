package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// label is a text of a drawing, with the room it takes at the largest size of the style sheet.
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

// measure finds the room of a label: letters reach from the baseline, 0.35 em below its y, to capital height above, and
// descend a quarter of an em at most.
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
