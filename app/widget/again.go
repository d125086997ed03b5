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
)

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
