package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/spell"
	"github.com/scalebook/scalebook/app/widget/address"
)

func rowKey(name string) string { return partKey("row", name) }

// rowNode is one line of the answer: label, formula, value. Opened, it shows where the value comes from.
func (v *View) rowNode(row *expr.Row) *Node {
	name, key := row.Def.Name, rowKey(row.Def.Name)
	if row.Absent {
		return absent()
	}
	box := "row row-" + row.Def.Kind
	if v.set(name).long {
		box += " row-long"
	}
	if row.Err != nil {
		box += " row-none"
	}
	n := el("details", class(box), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
		el("summary",
			el("span", class("row-label"), v.called(name)),
			v.formula(row),
			v.output(row)))
	if row.Err != nil {
		n.Kids[0].Kids = append(n.Kids[0].Kids, el("span", class("row-error"), spoken(sentence(v.errorText(row.Err)))))
	}
	n.Kids = append(n.Kids, v.whyOf(row))
	return n
}

// longFormula says whether the formula of a row, behind a head such as "name = ", needs a line of its own. A fraction
// is as wide as its wider part.
func longFormula(head, plain string) bool {
	const fits = 32 // characters, between a label and a value
	wide, depth, part := 0, 0, 0
	for _, r := range plain + "/" {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == '/' && depth <= 0:
			wide, part = max(wide, part), 0
			continue
		}
		part++
	}
	return utf8.RuneCountInString(head)+wide > fits
}

// longList is the most that a row shows of a list, which a table shows whole.
const longList = 60

// output is a value: the element that programs read and the eye runs down.
func (v *built) output(row *expr.Row) *Node {
	name := row.Def.Name
	parts := []any{class("row-value"), attr("data-name", name), attr("aria-live", "off"), attr("translate", "no")}
	if row.Err == nil {
		parts = append(parts, attr("data-value", dataValue(row.Value)), maybe("data-int", integerDigits(row.Value)))
	}
	parts = append(parts, v.veiled(v.shows(name))...)
	said := v.rowText(row)
	if row.Err == nil && row.Value.Kind == value.List {
		said = spell.Clip(said, longList)
	}
	return el("output", append(parts, figure.Notated(said))...)
}

// integerDigits is how many characters stand before the decimal point of a number, for aligning; empty for all else.
func integerDigits(v value.Value) string {
	if v.Kind != value.Number {
		return ""
	}
	number, _ := v.Num.Parts()
	before, _, _ := strings.Cut(strings.Replace(number, "×", ".", 1), ".")
	if n := utf8.RuneCountInString(before); n > 0 && n <= 8 {
		return strconv.Itoa(n)
	}
	return ""
}

// formula is the middle of a row: name = formula, or what a solve looks for.
func (v *built) formula(row *expr.Row) *Node {
	name := row.Def.Name
	f := v.set(name).formula
	if by := v.binds(name); by != "" {
		said := []*Node{text(v.say("widget.set-by", "name", by))}
		if address.IsName(by) {
			said = v.around("widget.set-by", raw("<math>"+symbolML(by)+"</math>"))
		}
		f += " " + HTML(el("span", append(v.veiled(v.reveals(name)), class("row-binds"), said)...))
	}
	return raw(`<span class="row-formula">` + f + `</span>`)
}

// setRow is what of a row stays the same in every state.
type setRow struct {
	formula string   // <math>name = formula</math>, or what a solve looks for
	whole   string   // the formula with all arguments, where the row shows it without
	long    bool     // the formula needs a line of its own
	chooses bool     // the formula is an if, of which there is nothing to say that it doesn't say itself
	asked   []string // what a step would tell of asked rows, which it begins from
	sides   []string // the two steps whose quotient it is, if it is one: who sees both can read it off them
}

// set is the row's setRow, worked out once.
func (v *built) set(name string) *setRow {
	r := v.sets[name]
	if r != nil {
		return r
	}
	r = &setRow{}
	v.sets[name] = r // here already, as a text in a formula may be a row's name
	if v.repeats(name) {
		return r
	}
	f, cut := v.Sheet.Brief(name, explain.MathML)
	plain, _ := v.Sheet.Brief(name, explain.Plain)
	head, code := "", v.Sheet.Formula(name, explain.Code)
	if d := v.Sheet.Row(name); d != nil && d.Kind != "solve" {
		r.asked, r.sides = v.begins(code), sidesOf(code, v.Sheet)
		f = symbolML(name) + "<mo>=</mo>" + f
		head = name + " = "
	} else if i := strings.LastIndex(plain, " = "); i >= 0 {
		head, plain = plain[:i+3], plain[i+3:] // the fraction of a solve begins there
	}
	r.formula = "<math>" + f + "</math>"
	r.long = longFormula(head, plain)
	r.chooses = strings.HasPrefix(code, "if(")
	if cut {
		r.whole = v.Sheet.Formula(name, explain.MathML)
	}
	return r
}

// repeats says whether a row only shows a text or a list that is written out, or a field of a record that is out of
// sight: its label says as much as "ttft = TTFT of loop" would.
func (v *evaluated) repeats(name string) bool {
	code := v.Sheet.Formula(name, explain.Code)
	ofTheLibrary := address.IsName(code) && code[0] > '9' && v.Sheet.Row(code) == nil
	if ofTheLibrary || strings.HasPrefix(code, `"`) && strings.Count(code, `"`) == 2 {
		return true
	}
	record, field, found := strings.Cut(code, ".")
	d := v.Sheet.Row(record)
	return found && address.IsName(field) && d != nil && d.Hidden
}

// binds is the operand that a row's max or min comes from, if there is one that can be said in a word or two.
func (v *built) binds(name string) string {
	const short = 20
	if v.set(name).chooses {
		return ""
	}
	by, ok := v.Result.Binding(name)
	if !ok || utf8.RuneCountInString(by) > short || !address.IsName(by) && strings.Contains(by, "_") {
		return ""
	}
	return by
}

// whyOf is what a row holds when it is opened. While it is closed it stays as it was last built, as one piece of HTML:
// nobody sees it, and most rows are closed.
func (v *View) whyOf(row *expr.Row) *Node {
	name, key := row.Def.Name, rowKey(row.Def.Name)
	if v.open[key] {
		delete(v.why, name)
		return v.buildWhy(row)
	}
	if v.why[name] == nil {
		v.why[name] = raw(HTML(v.buildWhy(row)))
	}
	return v.why[name]
}

func (v *View) printRow(p *print, name string) {
	row := v.row(name)
	if p.yes(row.Absent); row.Absent {
		return
	}
	p.yes(slices.ContainsFunc(v.shows(name), v.Veiled)).text(v.called(name), v.binds(name), v.rowText(row))
	if row.Err == nil {
		p.text(dataValue(row.Value))
	} else {
		p.text(v.errorText(row.Err))
	}
	if key := moreKey(name); v.open[rowKey(name)] {
		if p.number(v.rev).yes(v.open[key]); v.open[key] {
			v.slopes[name].print(p)
			v.goals[name].print(p)
			p.text(v.fields[v.id(name, "goal")])
		}
	}
}

// restFollows says whether the hidden rows follow each change: while their fold is open, or another page may ask for
// their values. Else they stay as they were last built.
func (v *View) restFollows() bool { return v.open["rest:"] || v.Away }

// rest is the fold that holds the hidden rows.
func (v *View) rest() *Node {
	const key = "rest:"
	rows := v.why[key]
	if rows == nil || v.restFollows() {
		rows = el("div", class("rows"))
		for _, row := range v.hiddenRows() {
			rows.Kids = append(rows.Kids, v.rowNode(row))
		}
		v.why[key] = rows
	}
	return el("details", class("rest"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
		el("summary", v.say("widget.all-rows")), rows)
}

// sentence is a message that begins like a sentence and ends like one.
func sentence(s string) string {
	if s == "" {
		return s
	}
	s = phrase.Capital(s)
	if strings.ContainsRune(".?!", rune(s[len(s)-1])) {
		return s
	}
	return s + "."
}

// buildWhy shows where a row's value comes from: the reader's own numbers in the formula, the laws it calls, and, once
// the sheet is live and the reader asks, what moves it and how to reach a wanted value. Veiled are the numbers of a row
// that begins from an asked one, whose value stands among them, of an asked maximum or minimum, which is one of them,
// and of a step of its working.
func (v *View) buildWhy(row *expr.Row) *Node {
	name := row.Def.Name
	asked := append(slices.Clip(v.set(name).asked), v.works(name)...)
	if _, binds := v.Result.Binding(name); binds || len(v.set(name).sides) > 0 || !v.asked(name) {
		asked = v.shows(name)
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
func (v *evaluated) noteOf(name string) []*Node {
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
			raw(`<p class="law-formula"><code>`+HTML(text(law.Call))+`</code> <math><mo>=</mo>`+law.Formula+
				`</math></p>`),
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

// numbers are the inputs that are numbers: those that can be turned to move a result.
func (v *evaluated) numbers() []*input.Input {
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
		body.Kids = append(body.Kids, v.moves(row))
		if v.slopesOf(name).known {
			body.Kids = append(body.Kids, v.goalForm(name))
		}
	}
	n.Kids = append(n.Kids, body)
	return n
}

// moves tells by how much each input moves a result, the strongest first.
func (v *View) moves(row *expr.Row) *Node {
	if row.Err != nil {
		return el("p", v.say("widget.moves-no-value"))
	}
	q := v.slopesOf(row.Def.Name)
	if !q.known {
		return q.progress(v)
	}
	list := el("ol", class("moves"))
	for _, e := range q.found {
		if math.Abs(e.Value) >= 0.005 || e.Kink {
			list.Kids = append(list.Kids, v.move(e))
		}
	}
	if len(list.Kids) == 0 {
		return el("p", v.say("widget.moves-nothing"))
	}
	return el("div", class("moves-box"), el("p", class("moves-head"), v.say("widget.moves-head")), list)
}

// slopes are how each input moves a row, or how far working them out has come.
type slopes struct {
	*sheet.Slopes
	known bool
	found []sheet.Elasticity
}

// slopesOf are the slopes of a row in the present state. Where long work is done between frames, so is theirs.
func (v *state) slopesOf(name string) *slopes {
	q := v.slopes[name]
	if q != nil {
		return q
	}
	if v.Sheet.Long() && !v.tasks.Whole {
		q = &slopes{Slopes: v.Sheet.Slopes(v.State, name)}
	} else {
		q = &slopes{known: true, found: v.Sheet.Elasticities(v.State, name)}
	}
	v.slopes[name] = q
	return q
}

// nextSlopes are slopes that are wanted and not known yet: those of the first open fold; nil if there are none.
func (v *View) nextSlopes() *slopes {
	if len(v.slopes) == 0 {
		return nil
	}
	for i := range v.Result.Rows {
		name := v.Result.Rows[i].Def.Name
		if q := v.slopes[name]; q != nil && !q.known && v.open[rowKey(name)] && v.open[moreKey(name)] {
			return q
		}
	}
	return nil
}

func (q *slopes) step() {
	if !q.Step() {
		q.known, q.found = true, q.Found()
	}
}

func (q *slopes) print(p *print) {
	if q != nil && !q.known {
		p.text(quantity.Percent(q.Done(), 0))
	}
}

// progress says how far the work has come. Closing the fold ends it.
func (q *slopes) progress(v *View) *Node {
	head, said := v.say("widget.moves-head"), v.say("widget.task-working", "done", quantity.Percent(q.Done(), 0))
	return el("p", class("task"), said+" ", progressOf(q.Done(), head, said))
}

func (v *evaluated) move(e sheet.Elasticity) *Node {
	words := v.say("widget.move", "percent", signed(e.Value, 2))
	if e.Kink {
		words = v.say("widget.move-kink", "percent", signed(e.Value, 2))
	}
	return el(
		"li",
		el(
			"span",
			class("move-name"),
			v.called(e.Input)+" ",
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
	pixels := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	return `<svg class="move-bar ` + kind + `" viewBox="0 0 120 10" width="120" height="10" aria-hidden="true"><rect x="` +
		pixels(from) + `" y="2" width="` + pixels(30*math.Abs(x)) +
		`" height="6"></rect><path d="M60 0V10"></path></svg>`
}
