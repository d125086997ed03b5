package widget

import (
	"strconv"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/sheet"
)

// InText is an input within a sentence: a field that a reader types into or drags, and the same as a number for paper
// and for pages without scripts. It can be used once a script answers for it: see [Printed].
func InText(s *sheet.Sheet, name string) string {
	v := New(s)
	in := v.fitted(name)
	text := v.Text(in)
	n := el("span", class("in-text"), maybe("data-unit", counted(in)),
		el("input", disabled, attr("type", "text"), attr("name", name), attr("data-sheet", s.ID), attr("aria-label", v.called(name)),
			attr("aria-describedby", v.id(name, "note")), bare("data-ranged", in.Ranged), attr("inputmode", "decimal"),
			attr("autocomplete", "off"), attr("autocapitalize", "off"), attr("spellcheck", "false"),
			attr("size", InTextSize(text)), attr("value", text)),
		raw(Told(s, v.Result, name)))
	return HTML(n)
}

// InTextSize is how many letters wide a field within a sentence is, where it can't follow its text by itself.
func InTextSize(text string) string { return strconv.Itoa(max(1, utf8.RuneCountInString(text))) }

// InText is what a field within a sentence holds now, and why its text was refused.
func (v *View) InText(name string) (text, fault string) {
	in := v.fitted(name)
	if in == nil {
		return "", ""
	}
	return v.Text(in), v.fault(name)
}

// SliderAt is where on its slider an input stands.
func (v *View) SliderAt(name string) int {
	return scaleOf(v.fitted(name)).Position(v.Value(v.fitted(name)).Num.Value)
}
