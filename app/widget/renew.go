package widget

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
)

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
	text := row.Text()
	if row.Def.Kind == "step" && (text == "yes" || text == "no" || text == "on" || text == "off") {
		return text
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
