package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// The measures of a scheme: the column of names, the columns of chips, and the pictures in them.
const (
	schemeNames = 170
	schemeChip  = 78
	schemePic   = 58
	schemeHigh  = 26
	schemeRow   = 40
	schemeTop   = 54
	schemeRows  = 7 // room for as many arrays, so that nothing moves from step to step
)

// Scheme draws a way to split a layer over four chips, at a step: which shard of each array each chip holds, and which
// arrays a message has just brought.
func Scheme(l phrase.Phrases, id string, step int) (*Drawing, error) {
	s, err := sharding.ReadScheme(id)
	if err != nil {
		return nil, err
	}
	step = min(max(step, 0), len(s.Steps)-1)
	now := s.Steps[step]
	d := &Drawing{
		Title: l.Say("figure.scheme", "scheme", l.Word(s.Name), "n", step+1, "all", len(s.Steps),
			"does", l.Word(now.Does)),
		About: schemeWords(l, now, s.Mesh),
		Now:   sentences(l, l.Say("figure.ended", "said", l.Word(now.Does)), schemeWords(l, now, s.Mesh)),
		Note:  l.Say("figure.scheme-note"),
		Twin:  []Table{schemeTable(l, s)},
	}
	var pen markup.Pen
	pen.Label("head", 0, 17, l.Say("figure.scheme-does", "n", step+1, "does", l.Word(now.Does)))
	for c := range s.Mesh.Chips() {
		pen.Label("mid small", chipLeft(c)+schemePic/2, schemeTop-8, chipName(s.Mesh, c))
	}
	for i, a := range now.Arrays {
		schemeRowOf(&pen, s.Mesh, a, schemeTop+float64(i*schemeRow))
	}
	return d.svg("fig", frame{0, 0, chipLeft(s.Mesh.Chips()) - (schemeChip - schemePic) + 2,
		schemeTop + schemeRows*schemeRow}, &pen), nil
}

func chipLeft(c int) float64 { return schemeNames + float64(c*schemeChip) }

// chipName says where a chip stands: "X 2", or "X 0 Y 1".
func chipName(m *sharding.Mesh, c int) string { return strings.Join(axisPlaces(m, m.Coords(c)), " ") }

// schemeRowOf draws an array: its notation, the message that brought it, and what each chip holds.
func schemeRowOf(pen *markup.Pen, m *sharding.Mesh, a sharding.SchemeArray, top float64) {
	notation(pen, a.Text, top+12)
	if a.Message != "" {
		pen.Label("small told", 0, top+28, a.Message)
	}
	for c := range m.Chips() {
		schemePicture(pen, a, a.Held(m, m.Coords(c)), chipLeft(c), top)
	}
}

// notation writes an array with its axes as indices.
func notation(pen *markup.Pen, text string, y float64) {
	pen.Put(`<text`).Attr("x", 0).Attr("y", y).Put(">")
	for i, part := range strings.Split(text, "_") {
		if i == 0 {
			pen.Escaped(part)
			continue
		}
		index := strings.IndexAny(part, ",]}")
		pen.Put(`<tspan class="index" dy="4">`).Escaped(part[:index]).Put(`</tspan><tspan dy="-4">`)
		pen.Escaped(part[index:]).Put("</tspan>")
	}
	pen.Put("</text>")
}

// schemePicture draws what a chip holds of an array: the last two dimensions down and to the right, one before them as
// a bar at the left.
func schemePicture(pen *markup.Pen, a sharding.SchemeArray, held []sharding.Range, left, top float64) {
	fill := arrayKind(a.Name)
	if len(a.Unreduced) > 0 {
		fill += " sum"
	}
	if a.Message != "" {
		fill += " came"
	}
	wide := float64(schemePic)
	if len(held) == 3 {
		from, long := stretch(a.Array, held, 0, schemeHigh)
		pen.Rect(`class="whole"`, left, top, 5, schemeHigh).Rect(`class="`+fill+`"`, left, top+from, 5, long)
		left, wide = left+9, wide-9
	}
	y, high := stretch(a.Array, held, len(held)-2, schemeHigh)
	x, long := stretch(a.Array, held, len(held)-1, wide)
	pen.Rect(`class="whole"`, left, top, wide, schemeHigh).Rect(`class="`+fill+`"`, left+x, top+y, long, high)
}

// arrayKind is the class of an array: weights, gradients of weights, or activations.
func arrayKind(name string) string {
	switch {
	case strings.HasPrefix(name, "dW"):
		return "h3"
	case strings.HasPrefix(name, "W"):
		return "h2"
	}
	return "h1"
}

// schemeWords is who holds what after a step, and what has been sent.
func schemeWords(l phrase.Phrases, s sharding.SchemeStep, m *sharding.Mesh) string {
	var arrays []string
	for _, a := range s.Arrays {
		key := "figure.scheme-after-an"
		switch {
		case a.Message == "":
			key = "figure.scheme-holds"
		case strings.HasPrefix(a.Message, "reduce"):
			key = "figure.scheme-after-a"
		}
		arrays = append(arrays, l.Say(key, "array", a.Text, "share", l.Say(shareHeld(a, m)), "message", a.Message))
	}
	return l.Say("figure.scheme-each", "arrays", clauses(l, arrays))
}

// shareHeld is the key of how much of an array a chip holds.
func shareHeld(a sharding.SchemeArray, m *sharding.Mesh) string {
	n := 1
	for _, d := range a.Dims {
		n *= d.Shards(m)
	}
	switch {
	case len(a.Unreduced) > 0:
		return "figure.held-a-summand"
	case n == 1:
		return "figure.held-all"
	case n == 2:
		return "figure.held-half"
	}
	return "figure.held-quarter"
}

// schemeTable is all steps in words.
func schemeTable(l phrase.Phrases, s *sharding.Scheme) Table {
	t := Table{Caption: l.Say("figure.scheme-table", "scheme", l.Word(s.Name)),
		Heads: cells(l, "figure.scheme-heads")}
	for i, step := range s.Steps {
		t.add(strconv.Itoa(i+1), l.Word(step.Does), schemeWords(l, step, s.Mesh))
	}
	return t
}
