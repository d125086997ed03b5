package widget

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// goal is the reader's wish that a row have a certain value.
type goal struct {
	input string // what may change
	said  string // what came of it
	bad   bool
	under *sheet.Seeking // work that is not done
	tried int            // how often the sheet was evaluated for it
}

func (g *goal) print(p *print) {
	if g != nil {
		p.text(g.input, g.said).number(g.tried)
	}
}

func (v *state) goalOf(name string) *goal {
	g := v.goals[name]
	if g == nil {
		g = &goal{input: v.numbers()[0].Name}
		if es := v.slopesOf(name).found; len(es) > 0 {
			g.input = es[0].Input
		}
		v.goals[name] = g
	}
	return g
}

// goalForm asks which value a row should have, and by changing what.
func (v *state) goalForm(name string) *Node {
	g, id := v.goalOf(name), v.id(name, "goal")
	menu := el("select", class("field field-menu"), attr("id", id+"-input"), on("change", DoField, id+"-input"))
	for _, in := range v.numbers() {
		menu.Kids = append(
			menu.Kids,
			el("option", attr("value", in.Name), bare("selected", in.Name == g.input), v.called(in.Name)),
		)
	}
	said := "goal-said"
	if g.bad {
		said += " error"
	}
	return el("div", class("goal"),
		el("label", attr("for", id), v.say("widget.goal-make"), " "),
		el("input", attr("type", "text"), class("field"), attr("id", id), attr("size", "9"),
			attr("autocomplete", "off"), attr("spellcheck", "false"), attr("value", v.fields[id]),
			attr("aria-describedby", id+"-said"), on("input", DoField, id), on("keydown", DoGoal, name)),
		el("label", attr("for", id+"-input"), " ", v.say("widget.goal-by"), " "), menu,
		tool(v.say("widget.goal-find"), DoGoal, name),
		el("p", class(said), attr("id", id+"-said"), v.goalSaid(g)))
}

// goalSaid is what came of a goal, or that the search for it goes on.
func (v *evaluated) goalSaid(g *goal) []*Node {
	if g.under != nil {
		return spoken(v.say("widget.goal-searching", "n", g.tried))
	}
	return spoken(g.said)
}

// SetField is the reader typing into a field that isn't an input.
func (v *state) SetField(id, text string) {
	v.fields[id] = text
	for name, g := range v.goals {
		if id == v.id(name, "goal")+"-input" {
			g.input = text
		}
	}
}

// Goal looks for the value of the chosen input that gives the row the wanted value, and sets it. What came of it is
// returned and shown. Where long work is done between frames, so is this, and what came of it is what Met says.
func (v *state) Goal(name string) string {
	g := v.goalOf(name)
	q, err := v.seek(name, g.input)
	v.rev++
	switch {
	case err != nil:
		return v.met(name, nil, err)
	case v.Sheet.Long() && !v.tasks.Whole:
		g.under, g.tried, g.said, g.bad = q, 0, "", false
		return ""
	}
	for q.Step() {
	}
	return v.met(name, q, nil)
}

// met sets what was found.
func (v *state) met(name string, q *sheet.Seeking, err error) string {
	g := v.goalOf(name)
	if err == nil {
		var x quantity.Quantity
		if x, err = q.Found(); err == nil {
			err = v.Set(g.input, seekText(x, v.fitted(g.input)))
		}
	}
	if g.bad = err != nil; g.bad {
		g.said = sentence(v.errorText(err))
	} else {
		g.said = v.say("widget.goal-found", "input", v.called(g.input), "value", v.Value(v.fitted(g.input)).String(),
			"row", v.called(name), "result", v.rowText(v.row(name)))
	}
	v.rev++
	return g.said
}

// nextGoal is the row of a search that is not done, and empty if there is none. Closing the fold stops it.
func (v *View) nextGoal() string {
	for name, g := range v.goals {
		if g.under != nil && v.open[rowKey(name)] && v.open[moreKey(name)] {
			return name
		}
	}
	return ""
}

// seekOn goes on with a search.
func (v *state) seekOn(name string) {
	g := v.goals[name]
	if g.tried++; !g.under.Step() {
		q := g.under
		g.under = nil
		v.reached = v.met(name, q, nil)
	}
}

// Met is what came of a search that has come to its end since it was last asked; else it is empty.
func (v *state) Met() string {
	said := v.reached
	v.reached = ""
	return said
}

// seek looks for the value of the input that gives the row the value the reader typed.
func (v *state) seek(name, input string) (*sheet.Seeking, error) {
	in, row := v.fitted(input), v.row(name)
	if in == nil || row == nil {
		return nil, phrase.New("widget.goal-no-input")
	}
	like := quantity.Quantity{Value: 1, Dim: row.Def.Type.Dim}
	text := v.fields[v.id(name, "goal")]
	if err := needsUnit(text, like); err != nil {
		return nil, err
	}
	target, err := quantity.ParseLike(text, like)
	if err != nil {
		return nil, err
	}
	return v.Sheet.Seeking(v.State, name, target, input)
}

// seekText is the found value as the reader could have typed it: six digits, on the input's grid and within its range.
func seekText(x quantity.Quantity, in *input.Input) string {
	value := round(x.Value, 6)
	if in.Step > 0 {
		value = in.Min + math.Round((x.Value-in.Min)/in.Step)*in.Step
	}
	if in.Ranged {
		value = math.Max(in.Min, math.Min(in.Max, value))
	}
	return numberText(quantity.Quantity{Value: value, Dim: x.Dim, Binary: in.Unit.Binary}, in.Unit)
}

// needsUnit refuses a bare number where it could mean anything: 90 is hardly meant as 90 s beside 87 µs. Of requests a
// second it is their number.
func needsUnit(text string, like quantity.Quantity) error {
	q, err := quantity.Parse(text)
	if err != nil || like.Dim.IsZero() || !q.Dim.IsZero() || q.Value == 0 ||
		like.Label.Over != "" && like.Dim == (quantity.Dim{quantity.Second: -1}) {
		return nil
	}
	return phrase.New("widget.unit-missing", "text", trimSpace(text), "unit", unitWord(like))
}

// unitWord is a unit that suits a dimension, for an example.
func unitWord(like quantity.Quantity) string {
	switch like.Dim {
	case quantity.Dim{quantity.Second: 1}:
		return "ms"
	case quantity.Dim{quantity.Byte: 1}:
		return "GB"
	case quantity.Dim{quantity.FLOP: 1}:
		return "TFLOP"
	case quantity.Dim{quantity.Byte: 1, quantity.Second: -1}:
		return "GB/s"
	case quantity.Dim{quantity.FLOP: 1, quantity.Second: -1}:
		return "TFLOP/s"
	case quantity.Dim{quantity.Second: -1}:
		if like.Value > 1e6 {
			return "GHz"
		}
		return "/s"
	}
	return like.Dim.String()
}
