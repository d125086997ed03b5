package widget

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// goal is the reader's wish that a row have a certain value.
type goal struct {
	input string // what may change
	said  string // what came of it
	bad   bool
}

func (g *goal) fingerprint() string {
	if g == nil {
		return ""
	}
	return g.input + "\n" + g.said
}

func (v *View) goalOf(name string) *goal {
	g := v.goals[name]
	if g == nil {
		g = &goal{input: v.numbers()[0].Name}
		if es := v.Sheet.Elasticities(v.State, name); len(es) > 0 {
			g.input = es[0].Input
		}
		v.goals[name] = g
	}
	return g
}

// goalForm asks which value a row should have, and by changing what.
func (v *View) goalForm(name string) *Node {
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
		el("input", attr("type", "text"), class("field"), attr("id", id), attr("size", "9"), attr("autocomplete", "off"),
			attr("spellcheck", "false"), attr("value", v.fields[id]), attr("aria-describedby", id+"-said"),
			on("input", DoField, id), on("keydown", DoGoal, name)),
		el("label", attr("for", id+"-input"), " ", v.say("widget.goal-by"), " "), menu,
		tool(v.say("widget.goal-find"), DoGoal, name),
		el("p", class(said), attr("id", id+"-said"), spoken(g.said)))
}

// SetField is the reader typing into a field that isn't an input.
func (v *View) SetField(id, text string) {
	v.fields[id] = text
	for name, g := range v.goals {
		if id == v.id(name, "goal")+"-input" {
			g.input = text
		}
	}
}

// Goal looks for the value of the chosen input that gives the row the wanted value, and sets it. What came of it is
// returned and shown.
func (v *View) Goal(name string) string {
	g := v.goalOf(name)
	x, err := v.seek(name, g.input)
	if err == nil {
		err = v.Set(g.input, x)
	}
	g.bad = err != nil
	if err != nil {
		g.said = sentence(v.tell(err))
	} else {
		g.said = v.say("widget.goal-found", "input", v.called(g.input), "value", v.Value(v.fitted(g.input)).String(), "row",
			v.called(name), "result", v.rowText(v.row(name)))
	}
	v.rev++
	return g.said
}

// seek is the text for the input that gives the row the value the reader typed.
func (v *View) seek(name, input string) (string, error) {
	in, row := v.fitted(input), v.row(name)
	if in == nil || row == nil {
		return "", phrase.New("widget.goal-no-input")
	}
	like := quantity.Quantity{Value: 1, Dim: row.Def.Type.Dim}
	text := v.fields[v.id(name, "goal")]
	if err := needsUnit(text, like); err != nil {
		return "", err
	}
	target, err := quantity.ParseLike(text, like)
	if err != nil {
		return "", err
	}
	x, err := v.Sheet.Seek(v.State, name, target, input)
	if err != nil {
		return "", err
	}
	return seekText(x, in), nil
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

// needsUnit refuses a bare number where it could mean anything: 90 is hardly meant as 90 s beside 87 µs.
func needsUnit(text string, like quantity.Quantity) error {
	q, err := quantity.Parse(text)
	if err != nil || like.Dim.IsZero() || !q.Dim.IsZero() || q.Value == 0 {
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
	}
	return like.Dim.String()
}
