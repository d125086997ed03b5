package widget

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// Guess is what a reader said before they saw the value.
type Guess struct {
	Text    string // as they typed it; empty if they asked for the answer
	Verdict string // how far off it was
	Score   string // the same for programs: a factor, "right" or "wrong"; empty if they asked for the answer
	Refused string // why the text can't be taken; then nothing is revealed yet
}

func (g *Guess) isKnown() bool { return g != nil && g.Refused == "" }

func (g *Guess) print(p *print) {
	if g != nil {
		p.text(g.Text, g.Verdict, g.Refused)
	}
}

// asked says whether the sheet asks its reader to estimate the row.
func (v *evaluated) asked(name string) bool { return v.question(name) != "" }

func (v *evaluated) question(name string) string {
	if a := v.ask(name); a != nil {
		return v.Sheet.Filled(v.State, a.Question)
	}
	return ""
}

// ask is what the sheet asks of the row, nil if nothing.
func (v *evaluated) ask(name string) *sheet.Ask {
	for i := range v.Sheet.Asks {
		if v.Sheet.Asks[i].Name == name {
			return &v.Sheet.Asks[i]
		}
	}
	return nil
}

// veil are the attributes of a drawing or table of these rows over an input: it stays veiled with the answer that could
// be read off it, which is an asked row, a step behind it, a choice that compares its rows, or the crossing that an
// asked solve looks for.
func (v *built) veil(rows []string, over string) []any {
	var asked []string
	for _, a := range v.Sheet.Asks {
		reveals := func(row string) bool {
			return slices.Contains(v.reveals(row), a.Name) || v.isChoice(a.Name) &&
				slices.Contains(v.works(row), a.Name)
		}
		if slices.ContainsFunc(rows, reveals) || v.seeks(a.Name, over) {
			asked = append(asked, a.Name)
		}
	}
	return v.veiled(asked)
}

// veiled are the attributes of what would tell what the asked rows come to: it stays veiled until the reader knows all.
func (v *questions) veiled(asked []string) []any {
	if len(asked) == 0 {
		return nil
	}
	return []any{bare("data-asked", true), bare("data-told", !slices.ContainsFunc(asked, v.Veiled))}
}

// Veiled says whether the row's value waits for the reader's estimate.
func (v *questions) Veiled(name string) bool { return v.asked(name) && !v.guesses[name].isKnown() }

// reveals are the asked rows that a row would tell of: itself, those that it begins from, those that are the maximum or
// minimum of it and others, if it is the one that they come to, and those of which it is one side.
func (v *built) reveals(name string) []string { return append(v.answers(name), v.ratios(name)...) }

// answers are the asked rows that a row would tell of by itself.
func (v *built) answers(name string) []string {
	asked := slices.Clip(v.set(name).asked)
	for _, a := range v.Sheet.Asks {
		if a.Name == name || v.binds(a.Name) == name || v.equal(a.Name, name) {
			asked = append(asked, a.Name)
		}
	}
	return asked
}

// equal says whether a row comes to what another comes to, as the same quantity worked out in two ways does. Small
// whole numbers are equal by chance.
func (v *evaluated) equal(name, other string) bool {
	a, err := v.Result.Value(name)
	b, fault := v.Result.Value(other)
	if d := v.Sheet.Row(other); err != nil || fault != nil || d == nil || d.Kind == "input" {
		return false
	}
	x, y := a.Num.Value, b.Num.Value
	return a.Kind == value.Number && b.Kind == value.Number && a.Num.Dim == b.Num.Dim &&
		math.Abs(x-y) <= 1e-9*math.Abs(x) && x != math.Trunc(x)
}

// ratios are the asked rows that are the quotient of a row and another: with the formulas of both, only to cancel would
// be left.
func (v *built) ratios(name string) (asked []string) {
	for _, a := range v.Sheet.Asks {
		if a.Symbols == nil && slices.Contains(v.set(a.Name).sides, name) {
			asked = append(asked, a.Name)
		}
	}
	return asked
}

// shows are the asked rows that who sees the row in its sheet, with its formula, would have the answer to, or the
// working of it.
func (v *built) shows(name string) []string { return append(v.reveals(name), v.works(name)...) }

// works are the asked rows whose answer is worked out from a step. What the answer is to be written in is given, and so
// is what a step only looks up, such as a constant of a chip; a step of nothing but what is given is a part of a
// formula.
func (v *built) works(name string) []string {
	if v.steps == nil {
		v.steps = map[string][]string{}
		for i := range v.Sheet.Asks {
			v.behind(&v.Sheet.Asks[i], v.Sheet.Asks[i].Name)
		}
		for i := range v.Sheet.Rows {
			v.partOf(&v.Sheet.Rows[i])
		}
	}
	return v.steps[name]
}

// partOf notes a step that has none but the letters of a formula that is asked for, and two of them or more.
func (v *built) partOf(d *expr.RowDef) {
	letters := names(v.Sheet.Formula(d.Name, explain.Code))
	for i := range v.Sheet.Asks {
		a, n := &v.Sheet.Asks[i], 0
		for _, word := range letters {
			if slices.Contains(a.Symbols, word) {
				n++
			} else if v.Sheet.Row(word) != nil {
				n = -len(letters)
			}
		}
		if n > 1 && d.Name != a.Name && d.Kind == "step" && !slices.Contains(v.steps[d.Name], a.Name) {
			v.steps[d.Name] = append(v.steps[d.Name], a.Name)
		}
	}
}

// behind notes the steps from which a row is worked out, itself or through others.
func (v *built) behind(a *sheet.Ask, name string) {
	for _, step := range names(v.Sheet.Formula(name, explain.Code)) {
		d := v.Sheet.Row(step)
		if d == nil || d.Kind == "input" || step == a.Name || slices.Contains(a.Symbols, step) ||
			slices.Contains(v.steps[step], a.Name) || !strings.Contains(v.Sheet.Formula(step, explain.Code), " ") {
			continue
		}
		v.steps[step] = append(v.steps[step], a.Name)
		v.behind(a, step)
	}
}

// begins are the asked rows that a step's formula begins from, itself or through others.
func (v *built) begins(code string) (asked []string) {
	for _, name := range names(code) {
		if v.asked(name) {
			asked = append(asked, name)
		} else if v.Sheet.Row(name) != nil {
			asked = append(asked, v.set(name).asked...)
		}
	}
	return asked
}

// sidesOf are the two steps whose quotient a formula is, nil if it is none.
func sidesOf(code string, s *sheet.Sheet) (steps []string) {
	if strings.Contains(code, "(") || strings.Count(code, "/") != 1 {
		return nil
	}
	for _, word := range names(code) {
		switch d := s.Row(word); {
		case d == nil:
		case d.Kind != "step":
			return nil
		default:
			steps = append(steps, word)
		}
	}
	if len(steps) != 2 {
		return nil
	}
	return steps
}

// names are the words of a formula that may be rows.
func names(code string) []string {
	return strings.FieldsFunc(code, func(r rune) bool { return r != '.' && !address.WordRune(r) })
}

// known counts the questions whose answer the reader knows.
func (v *questions) known() (n int) {
	for _, a := range v.Sheet.Asks {
		if !v.Veiled(a.Name) {
			n++
		}
	}
	return n
}

// KeepGuess brings back an estimate of an earlier visit.
func (v *questions) KeepGuess(name string, g *Guess) {
	if v.asked(name) {
		v.guesses[name] = g
	}
}

// askNode is the question with a place for the answer, and then the verdict.
func (v *built) askNode(name string) *Node {
	if v.row(name).Absent {
		return absent()
	}
	g, id := v.guesses[name], v.id(name, "guess")
	box := el("div", class("ask"), el("p", class("question"), attr("id", id+"-question"), v.question(name)))
	if g.isKnown() {
		box.Kids = append(box.Kids, el("p", class("verdict"), g.Verdict+" ",
			tool(v.say("widget.guess-again"), DoGuessAgain, name, attr("id", v.id(name, "again")))))
		if all := v.renewable(); v.ask(name).Symbols == nil && len(all[0])+len(all[1])+len(all[2]) > 0 {
			box.Kids[1].Add(" ", tool(v.say("widget.renew"), DoRenew, name, attr("id", v.id(name, "renew"))))
		}
		return box
	}
	if others := v.others(name); others != "" {
		box.Add(el("p", class("note"), attr("id", v.id(name, "others")), v.say("widget.renewed", "numbers", others)))
	}
	said, invalid := "", any(nil)
	if g != nil {
		said, invalid = sentence(g.Refused), attr("aria-invalid", "true")
	}
	if v.isChoice(name) {
		box.Add(v.choices(name, id))
		return box
	}
	box.Kids = append(box.Kids,
		el("div", class("guess"), v.guessControl(name, id, invalid),
			tool(v.say("widget.guess-check"), DoGuess, name), tool(v.say("widget.guess-tell"), DoReveal, name)),
		el("p", class("note error"), attr("id", id+"-said"), spoken(said)))
	a := v.ask(name)
	if a.Over != "" {
		box.Add(v.places(a))
	}
	if a.Symbols != nil {
		box.Add(v.symbols(a, id)) // last: the verdict takes the place of the field that has the focus
	}
	return box
}

// isChoice says whether the asked row is a text or a yes or no, of which the reader chooses one.
func (v *evaluated) isChoice(name string) bool { return v.row(name).Def.Type.Kind != value.Number }

// choices are the answers to choose from, a button each.
func (v *evaluated) choices(name, id string) *Node {
	texts := v.ask(name).Choices
	if texts == nil {
		texts = []string{v.say("sheet.yes"), v.say("sheet.no")}
	}
	box := el("div", class("guess"), attr("role", "group"), attr("aria-labelledby", id+"-question"))
	for i, t := range texts {
		var more []any
		if i == 0 {
			more = append(more, attr("id", id)) // where the focus comes back to
		}
		box.Add(tool(v.phrases().Word(t), DoChoose, name+"="+t, more...))
	}
	box.Add(tool(v.say("widget.guess-tell"), DoReveal, name))
	return box
}

// symbols are the rows that a formula is to be written in, each a button that writes its name.
func (v *evaluated) symbols(a *sheet.Ask, id string) *Node {
	box := el("p", class("symbols"), v.say("widget.symbols")+" ")
	for i, s := range a.Symbols {
		if i > 0 {
			box.Add(" ")
		}
		box.Add(el("button", attr("type", "button"), class("tool"), on("click", DoSymbol, a.Name+"="+s),
			attr("aria-label", v.say("widget.symbol", "symbol", s, "label", v.called(s))), el("code", s), " "+
				v.called(s)))
	}
	return box
}

// Symbol puts a symbol behind the formula that stands in a question's field.
func (v *state) Symbol(name, symbol string) {
	id := v.id(name, "guess")
	text := v.fields[id]
	if text != "" && wordByte(text[len(text)-1]) {
		text += " "
	}
	v.SetField(id, text+symbol)
}

func (v *state) guessControl(name, id string, invalid any) *Node {
	size, hint := "12", "widget.guess-hint"
	if v.ask(name).Symbols != nil {
		size, hint = "28", "widget.formula-hint"
	}
	if v.ask(name).Over != "" {
		size, hint = "40", "widget.curve-hint"
	}
	return el("input", attr("type", "text"), class("field"), attr("id", id), attr("aria-labelledby", id+"-question"),
		attr("aria-describedby", id+"-said"), invalid, attr("size", size), attr("autocomplete", "off"),
		attr("spellcheck", "false"), attr("placeholder", v.say(hint)), attr("value", v.fields[id]),
		on("input", DoField, id), on("keydown", DoGuess, name))
}

// TakeGuess is the reader committing to the estimate in the field.
func (v *View) TakeGuess(name string) *Guess {
	text := trimSpace(v.fields[v.id(name, "guess")])
	g := &Guess{Text: text}
	if err := v.checkAnswer(name, g); err != nil {
		*g = Guess{Text: text, Refused: v.errorText(err)}
	}
	v.guesses[name] = g
	return g
}

// Choose is the reader choosing an answer.
func (v *questions) Choose(name, text string) *Guess {
	is := v.rowText(v.row(name))
	g, key := &Guess{Text: text, Score: "right"}, "widget.choice-right"
	if text != is {
		g.Score, key = "wrong", "widget.choice-wrong"
	}
	g.Verdict = v.verdict(key, text, "", is)
	v.guesses[name] = g
	return g
}

// Reveal is the reader asking for the answer.
func (v *built) Reveal(name string) *Guess {
	g := &Guess{Verdict: v.say("widget.answer", "value", v.rowText(v.row(name)))}
	if a := v.ask(name); a != nil && a.Over != "" {
		if d := v.plotOf(a); d != nil && d.err == nil {
			is := d.truth(name)
			if ends := is.Y[0] + is.Y[handles-1]; ends-ends != 0 {
				v.guesses[name] = g
				return g
			}
			g.Verdict = v.say("widget.curve-shown", "left", d.plot.Y.Format(is.Y[0]), "right",
				d.plot.Y.Format(is.Y[handles-1])) + v.shapeOf(d, is, nil)
		}
	}
	v.guesses[name] = g
	return g
}

// Forget lets the reader estimate again.
func (v *questions) Forget(name string) {
	delete(v.guesses, name)
	delete(v.fields, v.id(name, "guess"))
}

func trimSpace(s string) string { return strings.TrimSpace(s) }
