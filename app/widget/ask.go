package widget

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
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

// A question can be asked again with other numbers. They are those of the author times a small factor, so that they
// stay what somebody would ask about: whole numbers stay whole, powers of two powers of two, and of two inputs of
// one kind the larger one stays the larger. Two inputs change at a time.

// mostDraws is how many sets of numbers are tried before there are none to be had.
const mostDraws = 40

// Renew gives the inputs behind an asked row other numbers, veils its value again, and says which they are.
func (v *questions) Renew(name string) string {
	state, typed, was := v.State, maps.Clone(v.typed), v.Result
	all := v.mattering(name, v.renewable())
	tries := all[:]
	if v.isChoice(name) && v.draws%2 == 0 {
		tries = slices.Concat(tries, tries) // if no lever leads to another choice, the same one again
	}
	for i, levers := range tries {
		if n := v.instructive(name, levers, was, len(tries)-i > len(all)); n > 0 {
			v.draws = n
			v.turn(levers, n)
			v.Forget(name)
			v.renewed = name
			return v.say("widget.renewed", "numbers", v.others(name))
		}
		v.typed = maps.Clone(typed)
		v.adopt(state)
	}
	said := v.say("widget.no-others")
	if g := v.guesses[name]; g != nil && !strings.HasSuffix(g.Verdict, said) {
		g.Verdict += " " + said
	}
	return said
}

// instructive is the draw among the next ones that makes the best question, 0 if none makes a fair one: the first after
// which something else binds than before, such as the memory in the place of the compute units, or else the first. One
// with the author's answer is the last choice: most readers have seen it. Of choices only another one will do, or any:
// if they always changed, or never, nobody who chooses would have to think.
func (v *questions) instructive(name string, levers []*input.Input, was *sheet.Result, other bool) (best int) {
	const looks = 8 // for another regime, from the first fair draw on
	before, last, known := regime(was), 0, ""
	if !v.isChoice(name) && !v.Sheet.Long() {
		known = rowOf(v.Sheet.Eval(nil), name).Text()
	}
	for n := v.draws + 1; n <= v.draws+mostDraws*min(1, len(levers)) && (best == 0 || n < best+looks); n++ {
		switch fair := v.turn(levers, n) && v.fair(name, was); {
		case !fair:
		case v.isChoice(name):
			if !other || v.row(name).Text() != rowOf(was, name).Text() {
				return n
			}
		case v.row(name).Text() == known:
			last = cmp.Or(last, n)
		case regime(v.Result) != before:
			return n
		case best == 0:
			best = n
		}
	}
	return cmp.Or(best, last)
}

// regime is what the rows come from: which operand of a maximum binds, and what texts say.
func regime(r *sheet.Result) (s string) {
	for i := range r.Rows {
		row := &r.Rows[i]
		if by, ok := r.Binding(row.Def.Name); ok && row.Def.Kind == "step" {
			s += by
		}
		if row.Def.Kind == "step" && row.Value.Kind == value.Text {
			s += row.Value.Text
		}
		s += "\n"
	}
	return s
}

// levers are the inputs that other values are found for: numbers with a range; where none of them changes the answer
// menus and switches, and then what a catalog says.
func (v *evaluated) levers() (all [3][]*input.Input) {
	for _, own := range v.Sheet.Inputs {
		kind, in := 0, v.fitted(own.Name)
		switch form := in.Form(); {
		case in.Absent || len(in.Follows) > 0 || form == input.NumberForm && !in.Ranged:
			continue
		case form == input.MenuForm || form == input.SwitchForm:
			kind = 1
		case form != input.NumberForm:
			continue
		case in.Fact:
			kind = 2
		}
		all[kind] = append(all[kind], in)
	}
	return all
}

// renewable are the levers that a question may be asked again with. What was published isn't, nor what a catalog says:
// with another value the statement would say of a run or of a chip what isn't so.
func (v *evaluated) renewable() [3][]*input.Input {
	all := v.levers()
	for i := range all {
		all[i] = slices.DeleteFunc(all[i], func(in *input.Input) bool { return in.Published || in.Fact })
	}
	return all
}

// mattering are those of some levers that a row is worked out from; all, if it is written without one of them. Another
// value of what the answer doesn't depend on would teach nothing.
func (v *evaluated) mattering(name string, all [3][]*input.Input) [3][]*input.Input {
	roots, some, any := map[string]bool{}, all, false
	v.roots(name, roots)
	if a := v.ask(name); a != nil {
		roots[a.Over] = false // the curve runs over it
	}
	for i, levers := range all {
		some[i] = slices.DeleteFunc(slices.Clone(levers), func(in *input.Input) bool { return !roots[in.Name] })
		any = any || len(some[i]) > 0
	}
	if !any {
		return all
	}
	return some
}

// roots notes the rows that a row is worked out from, itself or through others.
func (v *evaluated) roots(name string, noted map[string]bool) {
	for _, word := range names(v.Sheet.Formula(name, explain.Code)) {
		if word, _, _ = strings.Cut(word, "."); v.Sheet.Row(word) != nil && !noted[word] {
			noted[word] = true
			v.roots(word, noted)
		}
	}
}

// turn sets one or two of the levers to their nth other values, and all others to the author's. It says whether it
// could.
func (v *state) turn(levers []*input.Input, n int) (turned bool) {
	v.waits = true
	for k, in := range levers {
		v.Undo(in.Name)
		draw := n
		switch (n + k) % len(levers) {
		case 0:
		case 1:
			draw = n / 2
		default:
			continue
		}
		if text, ok := otherValue(in, draw); ok && v.Set(in.Name, text) == nil {
			turned = turned || v.Changed(in.Name)
		}
	}
	v.waits = false
	v.evaluate()
	return turned
}

// otherValue is the nth other value for an input, as a reader would type it.
func otherValue(in *input.Input, n int) (string, bool) {
	if len(in.Menu) > 0 {
		return in.Menu[n%len(in.Menu)].ID, true
	}
	base := in.Default.Num
	factors := []float64{2, 0.5, 4, 0.25, 3, 1.5, 0.75}
	if math.Exp2(math.Round(math.Log2(base.Value))) == base.Value {
		factors = factors[:4]
	}
	many := base.Value / cmp.Or(in.Unit.Value, 1) * factors[n%len(factors)]
	if math.Trunc(many) != many {
		many = round(many, 6) // of its unit: $1.475 an hour
	}
	x, err := quantity.ParseLike(strconv.FormatFloat(many, 'g', -1, 64), in.Unit)
	if err != nil {
		return "", false
	}
	whole := base.Dim.IsZero() && !base.IsPercent() && math.Trunc(base.Value) == base.Value
	if whole && math.Trunc(x.Value) != x.Value || scaleOf(in).onGrid(x.Value) != x.Value {
		return "", false
	}
	return numberText(x, in.Unit), x.Value >= in.Min && x.Value <= in.Max
}

// fair says whether the present numbers make a good question: the answer is another one, it is neither nothing nor
// everything, each row that is shown and had a value has one, and what was so is still so.
func (v *evaluated) fair(name string, was *sheet.Result) bool {
	now, before := v.row(name), rowOf(was, name)
	if chosen := v.isChoice(name); now.Err != nil || !chosen && (before.Err == nil && now.Text() == before.Text() ||
		nothing(now.Value.Num)) {
		return false
	}
	for i := range v.Result.Rows {
		a, b := &was.Rows[i], &v.Result.Rows[i]
		if a.Def.Name != name && a.Err == nil && !b.Absent && !b.Def.Hidden &&
			(b.Err != nil || answersYes(a) != answersYes(b)) {
			return false
		}
	}
	return v.ordered()
}

// nothing is what no question should have as its answer: nothing, all of it, or as much as what it is compared with.
func nothing(q quantity.Quantity) bool {
	return !q.IsFinite() || q.Value <= 0 || q.IsPercent() && q.Value < 0.002 ||
		q.Dim.IsZero() && math.Abs(q.Value-1) < 1e-3
}

// answersYes is what a row that follows from others says, if that is a yes or a no.
func answersYes(row *expr.Row) string {
	if row.Def.Kind == "step" && row.Value.Kind == value.Bool {
		return row.Text()
	}
	return ""
}

// ordered says whether of two inputs of one kind the larger one still is the larger. Tokens and widths are of two
// kinds, and so are two shares, each of something else.
func (v *evaluated) ordered() bool {
	ins := v.numbers()
	for i, a := range ins {
		for _, b := range ins[:i] {
			x, y := a.Default.Num, b.Default.Num
			p, q := v.Value(a).Num.Value, v.Value(b).Num.Value
			alike := x.Dim == y.Dim && (a.Unit == b.Unit && !x.IsPercent() || !x.Dim.IsZero())
			if alike && (x.Value < y.Value && p > q || x.Value > y.Value && p < q) {
				return false
			}
		}
	}
	return true
}

// others are the numbers with which a question is asked again, in words; empty if they are the author's.
func (v *questions) others(name string) string {
	if v.renewed != name {
		return ""
	}
	var parts []string
	all := v.levers()
	for _, in := range slices.Concat(all[:]...) {
		if v.Changed(in.Name) {
			parts = append(parts, v.say("widget.renewed-one", "input", v.called(in.Name), "value",
				v.Value(in).String()))
		}
	}
	return strings.Join(parts, "; ")
}
