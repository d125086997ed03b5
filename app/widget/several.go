package widget

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// Several is a menu, which stays where it is while one thing after the other is chosen, and what has been chosen,
// each with a way out.
type Several struct {
	ID, Name, Label string
	Chosen          []string // ids
	Options         []input.Option
	Most            int  // 0 for any number
	Still           bool // for a page before its scripts
	Phrases         phrase.Phrases
}

// nobody is the value of the menu of a Several while nothing is chosen in it.
const nobody = "+"

// Control is the menu with what has been chosen.
func (s Several) Control() *Node {
	pills := el("ul", class("pills"), attr("aria-label", s.Label))
	for _, id := range s.Chosen {
		pills.Add(s.pill(id))
	}
	full := s.Most > 0 && len(s.Chosen) >= s.Most
	first := s.Phrases.Say("widget.several-add")
	if full {
		first = s.Phrases.Say("widget.several-full", "most", s.Most)
	}
	menu := el("select", class("field field-menu field-add"), attr("id", s.ID), attr("name", s.Name),
		attr("aria-describedby", s.ID+"--note"),
		attr("autocomplete", "off"), bare("disabled", full), on("change", DoAdd, s.Name),
		el("option", attr("value", nobody), first))
	if !s.Still {
		s.others(menu)
	}
	return el("div", class("control"), menu, pills)
}

// pill is one thing that has been chosen.
func (s Several) pill(id string) *Node {
	name := id
	if i := slices.IndexFunc(s.Options, func(o input.Option) bool { return o.ID == id }); i >= 0 {
		name = s.Options[i].Name
	}
	return el("li", el("span", name), el("button", attr("type", "button"), class("drop"),
		attr("aria-label", s.Phrases.Say("widget.several-drop", "name", name)),
		on("click", DoDrop, s.Name+" "+id), "×"))
}

// others adds the options to the menu under their headings; those that have been chosen can't be chosen again.
func (s Several) others(menu *Node) {
	group, heading := menu, ""
	for _, o := range s.Options {
		if o.Group != heading {
			group, heading = menu, o.Group
			if heading != "" {
				group = el("optgroup", attr("label", heading))
				menu.Add(group)
			}
		}
		group.Add(el("option", attr("value", o.ID), bare("disabled", slices.Contains(s.Chosen, o.ID)), o.Name))
	}
}

// severalControl is the control of an input with several choices.
func (v *View) severalControl(in *input.Input) *Node {
	return Several{ID: v.id(in.Name), Name: in.Name, Label: v.called(in.Name), Chosen: v.chosen(in), Options: in.Menu,
		Most: in.Most, Still: v.still, Phrases: v.phrases()}.Control()
}

// chosen are the ids of what has been chosen.
func (v *View) chosen(in *input.Input) []string {
	if text := fieldText(in, v.Value(in)); text != "" {
		return strings.Split(text, ",")
	}
	return nil
}

// Add is the reader choosing one more of several.
func (v *View) Add(name, id string) {
	if in := v.fitted(name); in != nil && in.Form() == input.SeveralForm && id != nobody {
		_ = v.Set(name, strings.Join(append(v.chosen(in), id), ",")) // what is wrong stands beside the control
	}
}

// Drop is the reader taking one out: "name id".
func (v *View) Drop(what string) {
	name, id, _ := strings.Cut(what, " ")
	if in := v.fitted(name); in != nil && in.Form() == input.SeveralForm {
		rest := slices.DeleteFunc(v.chosen(in), func(x string) bool { return x == id })
		_ = v.Set(name, strings.Join(rest, ","))
	}
}
