package widget

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget/address"
)

// Params is what the address carries of this view: the changed inputs, as the reader typed them. What doesn't fit any
// more goes as what is reckoned with instead. Documents stay with the reader.
func (v *View) Params() []address.Param {
	var ps []address.Param
	for _, own := range v.Sheet.Inputs {
		in := v.fitted(own.Name)
		text, ok := v.typed[in.Name]
		if !ok {
			text, ok = v.hosted[in.Name]
		}
		if !ok {
			text, ok = v.given(in)
		}
		if !ok || v.errs[in.Name] != "" || in.Absent || in.Form() == input.DocumentForm {
			continue
		}
		if v.Result.Misfit(in.Name) != nil {
			text = fieldText(in, v.Value(in))
		}
		ps = append(ps, address.Param{Sheet: v.Sheet.ID, Name: in.Name, Text: text})
	}
	return slices.Concat(ps, v.constantParams(), v.listParams())
}

// Apply sets inputs from the parameters of an address that are meant for this sheet, each behind those that it follows,
// and returns, for the reader, what can't be taken. The sheet is evaluated at the end, and before an input that follows
// other lines.
func (v *View) Apply(ps []address.Param) []*phrase.Phrase {
	problems := v.check(ps)
	v.waits = false
	v.evaluate()
	return problems
}

// Check says what of an address a sheet can't take.
func Check(s *sheet.Sheet, ps []address.Param) []*phrase.Phrase { return New(s).check(ps) }

// check sets inputs, and may leave the sheet to be evaluated.
func (v *View) check(ps []address.Param) (problems []*phrase.Phrase) {
	v.waits = true
	order := v.Sheet.Order()
	ps = slices.Clone(ps)
	sortBy(len(ps), func(i, j int) bool { return slices.Index(order, ps[i].Name) < slices.Index(order, ps[j].Name) },
		func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	for _, p := range ps {
		if p.Sheet != v.Sheet.ID {
			continue
		}
		if in := v.Sheet.Input(p.Name); in != nil && len(in.Follows) > 0 {
			v.evaluate()
		}
		if err := v.apply(p); err != nil {
			problems = append(problems, Problem(p.Name, p.Text, err))
			if v.Changed(p.Name) {
				v.Undo(p.Name)
			}
		}
	}
	return problems
}

// apply sets one input from an address.
func (v *View) apply(p address.Param) error {
	if in := v.fitted(p.Name); in != nil && in.Form() == input.DocumentForm {
		return phrase.New("widget.document-in-address")
	}
	return v.Set(p.Name, p.Text)
}

// Take takes over what a reader did to a control before there was a program: a menu for several adds to it, and a
// stepper's slider says which step.
func (v *View) Take(name, text string) {
	in := v.fitted(name)
	if in == nil {
		return
	}
	switch in.Form() {
	case input.SeveralForm:
		v.Add(name, text)
	case input.StepForm:
		v.Slide(name, index(text))
	default:
		_ = v.Set(name, text)
	}
}
