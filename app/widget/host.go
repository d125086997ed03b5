package widget

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget/address"
)

// A page of another site may give a calculator values of its own to start with. For the reader those are the defaults:
// they count as no edit, and undoing and resetting come back to them.

// Host sets inputs from the parameters that the page around gives, as Apply does, and takes them for the defaults.
func (v *View) Host(ps []address.Param) (problems []*phrase.Phrase) {
	problems = v.Apply(ps)
	for _, p := range ps {
		if text, ok := v.typed[p.Name]; ok && p.Sheet == v.Sheet.ID && v.errs[p.Name] == "" && v.fitted(p.Name) != nil {
			v.hosted[p.Name] = text
			delete(v.typed, p.Name)
		}
	}
	return problems
}

// startText is the text that a field holds before its reader changes it.
func (v *View) startText(in *input.Input) string {
	if text, ok := v.hosted[in.Name]; ok {
		return text
	}
	return followText(in)
}

// startName is the value that an input begins with, as its control shows it.
func (v *View) startName(in *input.Input) string {
	text, ok := v.hosted[in.Name]
	if !ok {
		return v.optionName(in, in.Default)
	}
	if o := in.Option(text); o != nil && !in.Open() {
		return o.Name
	}
	return text
}

// started is a state with an input as it began.
func (v *View) started(st input.State, name string) input.State {
	if text, ok := v.hosted[name]; ok {
		if with, err := v.Sheet.Set(st, name, text); err == nil {
			return with
		}
	}
	return v.Sheet.Without(st, name)
}

// startState is the state in which all inputs are as they began.
func (v *View) startState() input.State {
	var st input.State
	for _, name := range v.Sheet.Order() {
		if _, ok := v.hosted[name]; ok {
			st = v.started(st, name)
		}
	}
	return st
}
