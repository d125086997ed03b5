package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// drawer draws the figure of a name in a language, from its values.
type drawer func(l phrase.Phrases, name string, args []value.Value) (*figure.Drawing, error)

// drawnFigure is a figure as it was last drawn. It is drawn again only when its values change.
type drawnFigure struct {
	rev     int
	args    []value.Value
	drawing *figure.Drawing
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
	if d.drawn > 0 && err == nil && d.err == nil && slices.EqualFunc(args, d.args, value.Value.Same) {
		return d
	}
	d.drawn++
	d.args, d.drawing, d.err = args, nil, err
	if err == nil {
		d.drawing, d.err = v.drawer(v.phrases(), v.Sheet.Figures[i].Figure.Name, args)
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
		fig.Add(el("p", class("none"), spoken(v.say("widget.no-drawing", "why", d.err))))
		return fig
	}
	stage := el("div", class("drawing-stage"), on("click", DoPick, key), on("keydown", DoPick, key),
		on("change", DoPick, key), picture(d.drawing))
	fig.Add(stage, v.strip(i))
	if i != v.lead() {
		fig.Add(v.figureTwin(key, id, d.drawing))
	}
	fig.Add(figureCaption(v.caption(v.Sheet.Figures[i].Caption), d.drawing))
	return fig
}

// leadTwin is what the picture that opens a chapter shows, apart from it: the controls come first.
func (v *View) leadTwin(i int) *Node {
	d := v.drawFigure(i)
	if d.err != nil {
		return absent()
	}
	return v.figureTwin(partKey("twin", strconv.Itoa(i)), v.id("figure", strconv.Itoa(i+1)), d.drawing)
}

// picture is a drawing without its words.
func picture(d *figure.Drawing) *Node {
	if d.Root.Raw == "" {
		return d.Root
	}
	return raw(`<div class="drawing-box">` + d.Root.Raw + `</div>`)
}

// figureCaption is what the author says of a drawing, or else what it is, unless the picture says so itself, and what
// is needed to read it.
func figureCaption(author string, d *figure.Drawing) *Node {
	if author == "" && !d.Headed {
		author = d.Title
	}
	caption := el("figcaption", author)
	if d.Note != "" {
		caption.Add(el("p", class("drawing-note"), d.Note))
	}
	return caption
}

// figureTwin is what a drawing shows, as tables or in a sentence.
func (v *View) figureTwin(key, id string, d *figure.Drawing) *Node {
	summary, inside := v.say("widget.in-words"), []*Node{el("p", d.About)}
	if len(d.Twin) > 0 {
		summary, inside = v.say("widget.as-table"), nil
	}
	for i, t := range d.Twin {
		inside = append(inside, onePiece(grid(id+"--twin"+strconv.Itoa(i+1), t.Caption, t.Heads, textCells(t.Rows))))
	}
	return el(
		"details",
		class("twin"),
		attr("data-key", key),
		bare("open", v.open[key]),
		on("toggle", DoToggle, key),
		el("summary", summary),
		inside,
	)
}

// onePiece is a node as one piece of HTML: in a browser thousands of cells, in which nothing happens, are one element
// then, not one each.
func onePiece(n *Node) *Node { return raw(HTML(n)) }

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
	return strconv.Itoa(
		v.drawFigure(i).drawn,
	) + strconv.FormatBool(
		v.Result.ShowsFigure(i),
	) + v.caption(
		v.Sheet.Figures[i].Caption,
	)
}

// Pick is the reader choosing what sets inputs, as a figure's data-set or the option of a menu says: "name=value", a
// line each. A name alone puts its input back to its author's value.
func (v *state) Pick(set string) error {
	for line := range strings.Lines(set) {
		name, value, given := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !given {
			v.Undo(name)
		} else if err := v.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
