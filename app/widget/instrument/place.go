package instrument

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/widget"
)

// Placed is an instrument in its place in a page: under an id of its own, with what its author has set beforehand.
type Placed struct {
	Instrument *Instrument
	ID, Title  string
	Source     string // the lines of the fence
	Settings   []Setting
}

// Setting is what an author sets: the default for this place.
type Setting struct {
	Name, Text string
	Line       int // of the source, 1-based
}

// Fault is something wrong with the settings of a place. Line is 0 for the place as a whole.
type Fault struct {
	Line         int
	What, Remedy string
}

// Place puts an instrument into a page. The source has a line `name = text` for each control that is to begin with
// something else than its default, `title = ...` for another title, and remarks behind #. The faults are for the author;
// what they are about is left out.
func Place(in *Instrument, id, source string) (*Placed, []Fault) {
	p := &Placed{Instrument: in, ID: id, Title: in.Title, Source: source}
	if id == "" {
		p.ID = in.ID
	}
	var faults []Fault
	for i, text := range strings.Split(source, "\n") {
		line := i + 1
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok:
			faults = append(faults, Fault{line, "a line without `=`", "write `name = text`"})
		case name == "title":
			p.Title = value
		default:
			faults = append(faults, p.set(Setting{name, value, line})...)
		}
	}
	return p, faults
}

// set takes a setting in if it can be.
func (p *Placed) set(s Setting) []Fault {
	if _, twice := p.setting(s.Name); twice {
		return []Fault{{s.Line, "`" + s.Name + "` is set twice", "keep one"}}
	}
	v := p.View()
	if err := v.Set(s.Name, s.Text); err != nil {
		what, remedy, _ := strings.Cut(err.Error(), "; ")
		return []Fault{{s.Line, "`" + s.Name + "`: " + what, remedy}}
	}
	if c := v.find(s.Name); c.Kind != Step {
		s.Text = v.text(s.Name)
	}
	p.Settings = append(p.Settings, s)
	return nil
}

func (p *Placed) setting(name string) (string, bool) {
	for _, s := range p.Settings {
		if s.Name == name {
			return s.Text, true
		}
	}
	return "", false
}

// Static is the whole section as the page carries it before any script has run, with its default state complete.
func (p *Placed) Static() string {
	v := p.View()
	v.Still()
	template := widget.El("template", widget.At("class", "sheet-source"), p.Source)
	return widget.HTML(El("section", Class("sheet instrument"), At("id", p.ID), At("data-sheet", p.ID),
		At("data-instrument", p.Instrument.ID), At("aria-labelledby", p.ID+"-title"),
		template, El("div", Class("sheet-body"), v.Fill(v.Frame()))))
}

// Value is a named result at the settings of the place.
func (p *Placed) Value(name string) (Value, bool) {
	v := p.View()
	v.build()
	for _, x := range v.values {
		if x.Name == name {
			return x, true
		}
	}
	return Value{}, false
}

// Results are the names of the results.
func (p *Placed) Results() []string {
	v := p.View()
	v.build()
	var names []string
	for _, x := range v.values {
		names = append(names, x.Name)
	}
	return names
}

// Number is a named result as a live number in prose.
func (p *Placed) Number(x Value) string {
	kind := "live"
	if _, err := strconv.ParseFloat(x.Data, 64); err != nil {
		kind = "live words" // that may break over lines, as a number and its unit may not
	}
	return widget.HTML(El("data", Class(kind), At("data-sheet", p.ID), At("data-name", x.Name), At("value", x.Data), x.Text))
}

// Labels are what the controls are called, for searching.
func (p *Placed) Labels() []string {
	var labels []string
	for _, c := range p.View().controls {
		if c.Label != "" {
			labels = append(labels, c.Label)
		}
	}
	return labels
}
