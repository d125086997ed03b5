package widget

import (
	"fmt"
	"math"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// buildWhy shows where a row's value comes from: the reader's own numbers in the formula, the laws it calls, and, once
// the sheet is live and the reader asks, what moves it and how to reach a wanted value. Veiled are the numbers of a row
// that begins from an asked one, whose value stands among them, and of an asked maximum or minimum, which is one of
// them.
func (v *View) buildWhy(row *expr.Row) *Node {
	name := row.Def.Name
	asked := v.set(name).asked
	if _, binds := v.Result.Binding(name); binds {
		asked = v.tells(name)
	}
	n := el("div", append(v.veiled(asked), class("why"))...)
	if v.asPrinted(rowKey(name)) {
		if v.set(name).whole != "" {
			n.Kids = append(n.Kids, el("p", class("working"), "= "+v.Sheet.Formula(name, explain.Plain)))
		}
		if w := v.Result.Working(name, explain.Plain); w != "" {
			n.Kids = append(n.Kids, el("p", class("working"), "= "+w))
		}
		n.Kids = append(n.Kids, v.noteOf(name)...)
		for _, law := range v.Result.Opened(name, explain.Plain) {
			if law.Working != "" {
				n.Kids = append(n.Kids, el("p", class("working"), law.Call+" = "+law.Working))
			}
		}
		return n
	}
	for _, w := range []string{v.set(name).whole, v.Result.Working(name, explain.MathML)} {
		if w != "" {
			n.Kids = append(n.Kids, raw(`<p class="working"><math><mo>=</mo>`+w+`</math></p>`))
		}
	}
	n.Kids = append(n.Kids, v.noteOf(name)...)
	for _, law := range v.Result.Opened(name, explain.MathML) {
		n.Kids = append(n.Kids, lawNode(law))
	}
	if row.Def.Type.Kind == value.Number && len(v.numbers()) > 0 {
		n.Kids = append(n.Kids, v.more(row))
	}
	return n
}

// noteOf is what there is to know of a solve beside its value.
func (v *View) noteOf(name string) []*Node {
	if note := v.Result.Note(name); note != "" {
		return []*Node{el("p", class("row-note"), spoken(sentence(note)))}
	}
	return nil
}

// lawNode is a law of the library, opened.
func lawNode(law explain.Law) *Node {
	n := el("div", class("law"))
	if law.Formula != "" {
		n.Kids = append(
			n.Kids,
			raw(`<p class="law-formula"><code>`+escaped(law.Call)+`</code> <math><mo>=</mo>`+law.Formula+`</math></p>`),
		)
	} else {
		n.Kids = append(n.Kids, el("p", class("law-formula"), el("code", law.Call)))
	}
	if law.Working != "" {
		n.Kids = append(n.Kids, raw(`<p class="working"><math><mo>=</mo>`+law.Working+`</math></p>`))
	}
	about := el("p", class("law-doc"), law.Doc)
	if law.Source != "" {
		about.Kids = append(about.Kids, el("cite", class("source"), " "+law.Source))
	}
	n.Kids = append(n.Kids, about)
	return n
}

func escaped(s string) string { return HTML(text(s)) }

// numbers are the inputs that are numbers: those that can be turned to move a result.
func (v *View) numbers() []*input.Input {
	var ins []*input.Input
	for _, own := range v.Sheet.Inputs {
		if in := v.fitted(own.Name); in.IsNumber() && !in.Absent {
			ins = append(ins, in)
		}
	}
	return ins
}

func moreKey(name string) string { return "more:" + name }

// more is the second fold of a row. What it holds is worked out only while it is open.
func (v *View) more(row *expr.Row) *Node {
	name, key := row.Def.Name, moreKey(row.Def.Name)
	n := el("details", class("more"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
		el("summary", v.say("widget.moves")))
	body := el("div", class("more-body"))
	if v.open[key] {
		body.Kids = append(body.Kids, v.moves(row), v.goalForm(name))
	}
	n.Kids = append(n.Kids, body)
	return n
}

func (v *View) moreFingerprint(name string) string {
	key := moreKey(name)
	if !v.open[key] {
		return ""
	}
	return "open" + v.goals[name].fingerprint() + v.fields[v.id(name, "goal")]
}

// moves tells by how much each input moves a result, the strongest first.
func (v *View) moves(row *expr.Row) *Node {
	if row.Err != nil {
		return el("p", v.say("widget.moves-no-value"))
	}
	es := v.Sheet.Elasticities(v.State, row.Def.Name)
	list := el("ol", class("moves"))
	for _, e := range es {
		if math.Abs(e.Value) >= 0.005 || e.Kink {
			list.Kids = append(list.Kids, v.move(e))
		}
	}
	if len(list.Kids) == 0 {
		return el("p", v.say("widget.moves-nothing"))
	}
	return el("div", class("moves-box"), el("p", class("moves-head"), v.say("widget.moves-head")), list)
}

func (v *View) move(e sheet.Elasticity) *Node {
	words := v.say("widget.move", "percent", signed(e.Value, 2))
	if e.Kink {
		words = v.say("widget.move-kink", "percent", signed(e.Value, 2))
	}
	return el(
		"li",
		el(
			"span",
			class("move-name"),
			v.called(e.Input),
			raw(`<span class="symbol"><math>`+symbolML(e.Input)+`</math></span>`),
		),
		raw(moveBar(e.Value)),
		el("span", class("move-value"), words),
	)
}

// moveBar is a bar to the right for more, to the left for less; longer than two means two.
func moveBar(x float64) string {
	x = math.Max(-2, math.Min(2, x))
	from, kind := 60.0, "up"
	if x < 0 {
		from, kind = 60+30*x, "down"
	}
	return fmt.Sprintf(`<svg class="move-bar %s" viewBox="0 0 120 10" width="120" height="10" aria-hidden="true">`+
		`<rect x="%.1f" y="2" width="%.1f" height="6"></rect><path d="M60 0V10"></path></svg>`, kind, from, 30*math.Abs(x))
}
