package widget

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
)

// drawing is a figure as it was drawn: the picture, what it is, and the same for readers who don't see it: a table, whose
// first line are the heads, or sentences.
type drawing struct {
	svg         string
	title, desc string
	table       [][]string
	words       []string
}

// drawer draws the figure of a name from its values.
type drawer func(name string, args []sheet.Value) (*drawing, error)

// drawnFigure is a figure as it was last drawn. It is drawn again only when its values change.
type drawnFigure struct {
	rev     int
	args    []sheet.Value
	drawing *drawing
	err     error
	drawn   int // how often it was drawn
}

// drawFigure draws figure i in the present state.
func (v *View) drawFigure(i int) *drawnFigure {
	d := v.figures[i]
	if d == nil {
		d = &drawnFigure{rev: -1}
		v.figures[i] = d
	}
	if d.rev == v.rev {
		return d
	}
	d.rev = v.rev
	args, err := v.Result.FigureArgs(i)
	if d.drawn > 0 && err == nil && d.err == nil && slices.EqualFunc(args, d.args, sheet.Value.Equal) {
		return d
	}
	d.drawn++
	d.args, d.drawing, d.err = args, nil, err
	if err == nil {
		d.drawing, d.err = v.drawer(v.Sheet.Figures[i].Figure.Name, args)
	}
	return d
}

// figure is a drawing made from values, and the same in words.
func (v *View) figure(i int) *Node {
	if !v.Result.ShowsFigure(i) {
		return absent()
	}
	d, key, id := v.drawFigure(i), partKey("figure", strconv.Itoa(i)), v.id("figure", strconv.Itoa(i+1))
	fig := el("figure", class("drawing"), attr("id", id), attr("data-figure", v.Sheet.Figures[i].Figure.Name))
	if d.err != nil {
		fig.Add(el("p", class("none"), "There is no drawing: "+d.err.Error()+"."))
		return fig
	}
	fig.Add(
		el("div", class("drawing-stage"), on("click", DoPick, key), on("keydown", DoPick, key), raw(`<div class="drawing-box">`+d.drawing.svg+`</div>`)),
		v.figureTwin(key, id, d.drawing))
	caption := v.Sheet.Figures[i].Caption
	if caption == "" {
		caption = d.drawing.title
	}
	if caption != "" {
		fig.Add(el("figcaption", caption))
	}
	return fig
}

// figureTwin is what a drawing shows, as a table or in sentences.
func (v *View) figureTwin(key, id string, d *drawing) *Node {
	fold := func(summary string, inside ...*Node) *Node {
		return el("details", class("twin"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
			el("summary", summary), inside)
	}
	if len(d.table) > 0 {
		return fold("As a table", grid(id+"--twin", d.title, d.table[0], textCells(d.table[1:])))
	}
	var said []*Node
	for _, s := range d.words {
		said = append(said, el("p", s))
	}
	if len(said) == 0 {
		said = append(said, el("p", d.desc))
	}
	return fold("In words", said...)
}

// textCells are the cells of a table of texts.
func textCells(rows [][]string) [][]*Node {
	cells := make([][]*Node, len(rows))
	for r, row := range rows {
		for _, c := range row {
			cells[r] = append(cells[r], text(c))
		}
	}
	return cells
}

func (v *View) figureFingerprint(i int) string {
	return strconv.Itoa(v.drawFigure(i).drawn) + strconv.FormatBool(v.Result.ShowsFigure(i))
}

// Pick is the reader clicking what sets an input: "name=value", as a figure's data-set says.
func (v *View) Pick(set string) error {
	name, value, _ := strings.Cut(set, "=")
	return v.Set(name, value)
}

func noDrawing(name string, _ []sheet.Value) (*drawing, error) {
	return nil, errors.New("nothing draws " + name)
}
