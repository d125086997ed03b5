package widget

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// Guess is what a reader said before they saw the value.
type Guess struct {
	Text    string // as they typed it; empty if they asked to be told
	Verdict string // how far off it was
	Refused string // why the text can't be taken; then nothing is told yet
}

func (g *Guess) told() bool { return g != nil && g.Refused == "" }

func (g *Guess) fingerprint() string {
	if g == nil {
		return ""
	}
	return g.Text + "\n" + g.Verdict + "\n" + g.Refused
}

// asked says whether the sheet asks its reader to estimate the row.
func (v *View) asked(name string) bool { return v.question(name) != "" }

func (v *View) question(name string) string {
	for _, a := range v.Sheet.Asks {
		if a.Name == name {
			return v.Sheet.Filled(v.State, a.Question)
		}
	}
	return ""
}

// veil are the attributes of a drawing or table of these rows over an input: it stays veiled with the answer that could
// be read off it, which is an asked row, a step behind it, or the crossing that an asked solve looks for.
func (v *View) veil(rows []string, over string) []any {
	var asked []string
	for _, a := range v.Sheet.Asks {
		tells := func(row string) bool { return slices.Contains(v.tells(row), a.Name) }
		if slices.ContainsFunc(rows, tells) || v.seeks(a.Name, over) {
			asked = append(asked, a.Name)
		}
	}
	return v.veiled(asked)
}

// veiled are the attributes of what would tell what the asked rows come to: it stays veiled until the reader knows all.
func (v *View) veiled(asked []string) []any {
	if len(asked) == 0 {
		return nil
	}
	return []any{bare("data-asked", true), bare("data-told", !slices.ContainsFunc(asked, v.Veiled))}
}

// Veiled says whether the row's value waits for the reader's estimate.
func (v *View) Veiled(name string) bool { return v.asked(name) && !v.guesses[name].told() }

// tells are the asked rows that a row would tell of: itself, those that it begins from, and those that are the maximum
// or minimum of it and others, if it is the one that they come to.
func (v *View) tells(name string) []string {
	asked := slices.Clip(v.set(name).asked)
	for _, a := range v.Sheet.Asks {
		if a.Name == name || v.binds(a.Name) == name {
			asked = append(asked, a.Name)
		}
	}
	return asked
}

// begins are the asked rows that a step's formula begins from, itself or through others.
func (v *View) begins(code string) (asked []string) {
	for _, name := range strings.FieldsFunc(code, func(r rune) bool { return r != '.' && !address.WordRune(r) }) {
		if v.asked(name) {
			asked = append(asked, name)
		} else if v.Sheet.Row(name) != nil {
			asked = append(asked, v.set(name).asked...)
		}
	}
	return asked
}

// told counts the questions whose answer the reader knows.
func (v *View) told() (n int) {
	for _, a := range v.Sheet.Asks {
		if !v.Veiled(a.Name) {
			n++
		}
	}
	return n
}

// KeepGuess brings back an estimate of an earlier visit.
func (v *View) KeepGuess(name string, g *Guess) {
	if v.asked(name) {
		v.guesses[name] = g
	}
}

// ask is the question with a place for the estimate, and then the verdict.
func (v *View) ask(name string) *Node {
	if v.row(name).Absent {
		return absent()
	}
	g, id := v.guesses[name], v.id(name, "guess")
	box := el("div", class("ask"), el("p", class("question"), attr("id", id+"-question"), v.question(name)))
	if g.told() {
		box.Kids = append(box.Kids, el("p", class("verdict"), g.Verdict+" ",
			tool(v.say("widget.guess-again"), DoGuessAgain, name, attr("id", v.id(name, "again")))))
		if all := v.levers(); len(all[0])+len(all[1])+len(all[2]) > 0 {
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
	box.Kids = append(box.Kids,
		el("div", class("guess"), v.guessControl(name, id, invalid),
			tool(v.say("widget.guess-check"), DoGuess, name), tool(v.say("widget.guess-tell"), DoTell, name)),
		el("p", class("note error"), attr("id", id+"-said"), spoken(said)))
	return box
}

func (v *View) guessControl(name, id string, invalid any) *Node {
	return el(
		"input",
		attr("type", "text"),
		class("field"),
		attr("id", id),
		attr("aria-labelledby", id+"-question"),
		attr(
			"aria-describedby",
			id+"-said",
		),
		invalid,
		attr("size", "12"),
		attr("autocomplete", "off"),
		attr("spellcheck", "false"),
		attr("placeholder", v.say("widget.guess-hint")),
		attr("value", v.fields[id]),
		on("input", DoField, id),
		on("keydown", DoGuess, name),
	)
}

// TakeGuess is the reader committing to the estimate in the field.
func (v *View) TakeGuess(name string) *Guess {
	text := trimSpace(v.fields[v.id(name, "guess")])
	g := &Guess{Text: text}
	if verdict, err := v.judge(name, text); err != nil {
		g.Refused = v.tell(err)
	} else {
		g.Verdict = verdict
	}
	v.guesses[name] = g
	return g
}

// Tell is the reader asking to be told.
func (v *View) Tell(name string) *Guess {
	g := &Guess{Verdict: v.say("widget.answer", "value", v.rowText(v.row(name)))}
	v.guesses[name] = g
	return g
}

// Forget lets the reader estimate again.
func (v *View) Forget(name string) {
	delete(v.guesses, name)
	delete(v.fields, v.id(name, "guess"))
}

// judge says how far off an estimate is, as a factor.
func (v *View) judge(name, said string) (string, error) {
	if said == "" {
		return "", phrase.New("widget.guess-missing")
	}
	row := v.row(name)
	if row.Err != nil {
		return v.say("widget.answer-none", "why", row.Err), nil
	}
	like := quantity.Quantity{Value: 1, Dim: row.Value.Num.Dim, Label: row.Value.Num.Label}
	if err := needsUnit(said, like); err != nil {
		return "", err
	}
	guess, err := quantity.ParseLike(said, like)
	if err != nil {
		return "", err
	}
	return v.compared(said, guess.Value, row.Value.Num.Value, row.In(v.phrases())) + v.aside(name), nil
}

// compared says how far an estimate is off, as a factor where both have one sign.
func (v *View) compared(said string, guess, value float64, is string) string {
	f := math.Max(math.Abs(guess/value), math.Abs(value/guess))
	switch {
	case guess == value:
		return v.say("widget.guess-exact", "said", said, "value", is)
	case guess == 0 || value == 0 || (guess < 0) != (value < 0):
		off := quantity.Quantity{Value: math.Abs(guess - value)}.String()
		return v.say("widget.guess-off", "said", said, "off", off, "value", is)
	case f < 1.02:
		return v.say("widget.guess-close", "said", said, "value", is)
	case f < 1.25 && math.Abs(guess) < math.Abs(value):
		return v.say("widget.guess-near-low", "said", said, "percent", quantity.Percent(f-1, 0), "value", is)
	case f < 1.25:
		return v.say("widget.guess-near-high", "said", said, "percent", quantity.Percent(f-1, 0), "value", is)
	case math.Abs(guess) < math.Abs(value):
		return v.say("widget.guess-low", "said", said, "factor", factor(f), "value", is)
	}
	return v.say("widget.guess-high", "said", said, "factor", factor(f), "value", is)
}

func factor(f float64) string {
	switch {
	case f < 10:
		return strconv.FormatFloat(f, 'g', 3, 64)
	case f < 1e6:
		return strconv.FormatFloat(math.Round(f), 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'e', 1, 64)
}

func trimSpace(s string) string { return strings.TrimSpace(s) }

// A question can be asked again with other numbers. They are those of the author times a small factor, so that they
// stay what somebody would ask about: whole numbers stay whole, powers of two powers of two, and of two inputs of
// one kind the larger one stays the larger. Two inputs change at a time.

// mostDraws is how many sets of numbers are tried before there are none to be had.
const mostDraws = 40

// Renew gives the inputs behind an asked row other numbers, veils its value again, and says which they are.
func (v *View) Renew(name string) string {
	state, typed, was := v.State, maps.Clone(v.typed), v.Result
	for _, levers := range v.levers() {
		for range mostDraws * min(1, len(levers)) {
			v.draws++
			if v.turn(levers, v.draws) && v.fair(name, was) {
				v.Forget(name)
				v.renewed = name
				return v.say("widget.renewed", "numbers", v.others(name))
			}
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

// levers are the inputs that other values are found for: numbers with a range; where none of them changes the answer
// menus and switches, and then what a catalog says.
func (v *View) levers() (all [3][]*input.Input) {
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

// turn sets one or two of the levers to their nth other values, and all others to the author's. It says whether it
// could.
func (v *View) turn(levers []*input.Input, n int) (turned bool) {
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
	x := base
	x.Value = round(base.Value*factors[n%len(factors)], 6)
	whole := base.Dim.IsZero() && !base.IsPercent() && math.Trunc(base.Value) == base.Value
	if whole && math.Trunc(x.Value) != x.Value || scaleOf(in).onGrid(x.Value) != x.Value {
		return "", false
	}
	return numberText(x, in.Unit), x.Value >= in.Min && x.Value <= in.Max
}

// fair says whether the present numbers make a good question: the answer is another one, it is neither nothing nor
// everything, each row that is shown and had a value has one, and what was so is still so.
func (v *View) fair(name string, was *sheet.Result) bool {
	now, before := v.row(name), rowOf(was, name)
	if now.Err != nil || before.Err == nil && now.Text() == before.Text() || nothing(now.Value.Num) {
		return false
	}
	for i := range v.Result.Rows {
		a, b := &was.Rows[i], &v.Result.Rows[i]
		if a.Err == nil && !b.Absent && !b.Def.Hidden && (b.Err != nil || verdict(a) != verdict(b)) {
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

// verdict is what a row that follows from others says, if that is a yes or a no.
func verdict(row *expr.Row) string {
	if row.Def.Kind == "step" && row.Value.Kind == value.Bool {
		return row.Text()
	}
	return ""
}

// ordered says whether of two inputs of one kind the larger one still is the larger.
func (v *View) ordered() bool {
	ins := v.numbers()
	for i, a := range ins {
		for _, b := range ins[:i] {
			x, y := a.Default.Num, b.Default.Num
			p, q := v.Value(a).Num.Value, v.Value(b).Num.Value
			if x.Dim == y.Dim && (x.Value < y.Value && p > q || x.Value > y.Value && p < q) {
				return false
			}
		}
	}
	return true
}

// others are the numbers with which a question is asked again, in words; empty if they are the author's.
func (v *View) others(name string) string {
	if v.renewed != name {
		return ""
	}
	var parts []string
	all := v.levers()
	for _, in := range slices.Concat(all[:]...) {
		if v.Changed(in.Name) {
			parts = append(parts, v.say("widget.renewed-one", "input", v.called(in.Name), "value", v.Value(in).String()))
		}
	}
	return strings.Join(parts, "; ")
}
