package widget

import (
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Static is the whole section of a sheet as the page carries it before any script has run: its source for the program
// that brings it to life, and the complete view with the author's values.
//
// A page of many sheets must stay light, so its closed folds hold only each working in plain text; the laws that a step
// calls and the sources of constants are there once the sheet is live.
func Static(s *sheet.Sheet) string { return HTML(static(s)) }

func static(s *sheet.Sheet) *Node {
	v := New(s)
	v.static = true
	return Section(v)
}

// Printed is Static for a page whose scripts may not come: no control can be used until a script answers for it. It
// says disabled="disabled", which tells it from one that the sheet itself disables.
func Printed(s *sheet.Sheet) string {
	section := static(s)
	disable(section)
	return HTML(section)
}

func disable(n *Node) {
	switch n.Tag {
	case "fieldset", "input", "select", "textarea":
		if _, already := n.Attr("disabled"); !already {
			n.Attrs = append([]Attr{disabled}, n.Attrs...) // first: it packs best there
		}
		return
	}
	for _, kid := range n.Kids {
		disable(kid)
	}
}

var disabled = Attr{Name: "disabled", Value: "disabled"}

// liveSource is the source without its expects, which only the build reads.
func liveSource(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if !isExpect(line) {
			b.WriteString(squeezed(line))
		}
	}
	return b.String()
}

// squeezed is a line without the spaces that align it, where no text could hold them.
func squeezed(line string) string {
	before, text, quoted := strings.Cut(line, `"`)
	indented := strings.HasPrefix(before, " ") || strings.HasPrefix(before, "\t")
	before = strings.Join(strings.Fields(before), " ")
	if indented {
		before = " " + before // it goes on with the line above
	}
	if quoted {
		return before + ` "` + text
	}
	return before + "\n"
}

// isExpect says whether the line is an expect that ends where the line does.
func isExpect(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "expect ") && !strings.ContainsAny(line[len(line)-1:], ",=<>+-*/^") &&
		strings.Count(line, "(") == strings.Count(line, ")")
}

// Section is the section of a view.
func Section(v *View) *Node {
	s := v.Sheet
	return el(
		"section",
		class("sheet"),
		attr("id", s.ID),
		attr("data-sheet", s.ID),
		maybe("data-size", sizeOf(s)),
		attr("aria-labelledby", s.ID+"-title"),
		el("template", class("sheet-source"), liveSource(s.Source)),
		el("div", class("sheet-body"), v.Fill(v.Frame())),
	)
}

// Number is a live number in prose: the value that the named row of sheet s has in r. Where the sheet asks its reader
// to estimate the row, or one that it begins from, the number is veiled until they did.
func Number(s *sheet.Sheet, r *sheet.Result, name string) string {
	return inProse(s, r, name, (*built).reveals)
}

// Below is Number in the text below the sheet, where the steps from which an answer is worked out wait with their rows.
func Below(s *sheet.Sheet, r *sheet.Result, name string) string {
	return inProse(s, r, name, (*built).shows)
}

// inProse is a live number that waits for the asked rows that it tells of.
func inProse(s *sheet.Sheet, r *sheet.Result, name string, reveals func(v *built, name string) []string) string {
	v := &View{built: built{sets: map[string]*setRow{}}}
	v.Sheet, v.Result = s, r
	if len(reveals(&v.built, name)) > 0 {
		return number(s, r, name, bare("data-asked", true))
	}
	return Unveiled(s, r, name)
}

// Unveiled is Number without a veil, for text that explains an answer.
func Unveiled(s *sheet.Sheet, r *sheet.Result, name string) string { return number(s, r, name) }

func number(s *sheet.Sheet, r *sheet.Result, name string, more ...any) string {
	row := rowOf(r, name)
	if row == nil {
		return HTML(el("span", class("none"), "?"))
	}
	kind := "live"
	if row.Def.Type.Kind != value.Number {
		kind = "live words" // that may break over lines, as a number and its unit may not
	}
	n := el("data", class(kind), attr("data-sheet", s.ID), attr("data-name", name), attr("value", ""))
	if row.Err == nil {
		n.Attrs[3].Value = dataValue(row.Value)
	}
	n.Add(more...)
	n.Kids = append(n.Kids, figure.Notated(inSentence(s, row)))
	return HTML(n)
}

// What is changed or taken away text by text is marked translate="no": a translating browser would put other nodes in
// the places of those that are looked for.

// HTML prints nodes as HTML.
func HTML(nodes ...*Node) string { return markup.HTML(nodes...) }

// The names under which views build their nodes.

type (
	Node  = markup.Node      // one node of a view
	Attr  = markup.Attribute // one attribute of it
	Event = markup.Event     // what happens when an event reaches it
	Act   = markup.Act       // what a reader can do to a view, as data: Do is one of the Do constants
)

func el(tag string, parts ...any) *Node { return markup.El(tag, parts...) }
func text(s string) *Node               { return markup.Text(s) }
func raw(html string) *Node             { return markup.Raw(html) }
func attr(name, value string) any       { return markup.Attr(name, value) }
func class(c string) any                { return markup.Class(c) }
func bare(name string, on bool) any     { return markup.Flag(name, on) }
func maybe(name, value string) any      { return markup.Optional(name, value) }
func on(event, do, what string) any     { return markup.On(event, do, what) }

// Env is the language of the book's sheets whole: what the library offers, and the figures.
func Env() *value.Env {
	env := LazyEnv()
	env.Whole()
	return env
}

// LazyEnv is the language of the book's sheets as far as most first sheets of pages need it; it becomes whole when a
// sheet needs more.
func LazyEnv() *value.Env {
	env := library.NewLazy()
	some := env.Some
	env.Some = func(name string) bool { return some(name) || figure.RegisterOne(env, name) }
	last := len(env.Rest) - 1 // which no planner needs
	env.Rest = append(env.Rest[:last:last],
		value.Part{Add: func() { figure.RegisterPlanners(env) }, Values: []string{}}, env.Rest[last],
		value.Part{Add: func() { figure.Register(env) }, Values: []string{}})
	return env
}
