package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
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
func Scheme(id string, step int) (*Drawing, error) {
	s, err := sharding.ReadScheme(id)
	if err != nil {
		return nil, err
	}
	step = min(max(step, 0), len(s.Steps)-1)
	now := s.Steps[step]
	d := &Drawing{
		Title: s.Name + ", step " + strconv.Itoa(step+1) + " of " + strconv.Itoa(len(s.Steps)) + ": " + now.Does,
		About: schemeWords(now, s.Mesh),
		Now:   now.Does + ". " + schemeWords(now, s.Mesh),
		Note: "Filled: the shard that a chip holds of the outlined array. Thick edge: a message has just brought it. " +
			"Pale and dashed: a summand, still to be added up.",
		Twin: []Table{schemeTable(s)},
	}
	var pen markup.Pen
	pen.Label("head", 0, 17, strconv.Itoa(step+1)+". "+now.Does)
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
func chipName(m *sharding.Mesh, c int) string {
	return strings.ReplaceAll(ChipPlace(m, m.Coords(c)), ",", "")
}

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
func schemeWords(s sharding.SchemeStep, m *sharding.Mesh) string {
	var said []string
	for _, a := range s.Arrays {
		text := a.Text + ", " + shareHeld(a, m)
		if a.Message != "" {
			text += ", after an " + a.Message
			text = strings.Replace(text, "an reduce", "a reduce", 1)
		}
		said = append(said, text)
	}
	return "Each chip holds " + strings.Join(said, "; ") + "."
}

// shareHeld says how much of an array a chip holds.
func shareHeld(a sharding.SchemeArray, m *sharding.Mesh) string {
	n := 1
	for _, d := range a.Dims {
		n *= d.Shards(m)
	}
	switch {
	case len(a.Unreduced) > 0:
		return "a summand of it"
	case n == 1:
		return "all of it"
	case n == 2:
		return "a half"
	}
	return "a quarter"
}

// schemeTable is all steps in words.
func schemeTable(s *sharding.Scheme) Table {
	t := Table{Caption: s.Name + ", step by step", Heads: []string{"Step", "What is done", "What each chip holds"}}
	for i, step := range s.Steps {
		t.add(strconv.Itoa(i+1), step.Does, schemeWords(step, s.Mesh))
	}
	return t
}
