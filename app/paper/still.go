package paper

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// gone are the classes of what only a screen has a use for: controls, what they say, folds of details, texts for those
// who can't see a picture that is text already.
var gone = []string{
	"sheet-source", "sheet-tools", "notices", "guess", "twin", "plot-cursor", "readout", "sheet-status", "drop",
	"field-add", "file", "step", "permalink", "note-back", "tasks", "copied", "tool", "rest", "constants", "more",
	"behind", "visually-hidden", "list-more", "pad-open", "pad-example", "narrow", "arrows", "cursor",
	"drawing-note", "erratum-mark", "help",
}

// forUse says whether an element is there only to be used: what is gone, folded or hidden, calculators in a sentence,
// and the figure by which the axes of a mesh are chosen.
func forUse(n *html.Node) bool {
	return n.Data == "template" || bears(n, "hidden") || has(n, gone...) ||
		has(n, "sheet") && get(n, "data-size") == "inline" || get(n, "data-figure") == "product_splits" ||
		n.Data == "details" && has(n, "group") && !bears(n, "open")
}

// static makes of calculators what a page of paper has: their inputs as a list, their rows as a table.
func static(top *html.Node) {
	for _, n := range all(top, forUse) {
		remove(n)
	}
	for _, n := range all(top, class("in-text")) {
		n.Attr = nil
		if value := first(n, tag("data")); value != nil {
			replace(n, value)
		}
	}
	for _, n := range all(top, class("inputs")) {
		inputs(n)
	}
	for _, n := range all(top, class("rows")) {
		rows(n)
	}
	for _, n := range all(top, class("sheet-title")) {
		rename(n, "p")
	}
	for _, n := range all(top, tag("button", "label", "input", "select", "textarea", "progress", "fieldset", "form")) {
		replaceControl(n)
	}
	for _, n := range all(top, tag("details")) {
		rename(n, "div")
		if s := first(n, tag("summary")); s != nil && s.Parent == n {
			rename(s, "p")
			set(s, "class", "fold-title")
		}
	}
	for _, n := range all(top, tag("output", "data")) {
		rename(n, "span")
	}
	for _, n := range all(top, func(*html.Node) bool { return true }) {
		n.Attr = slices.DeleteFunc(n.Attr, forScreen)
	}
	for _, n := range slices.Backward(all(top, tag("div", "p", "header", "span"))) {
		if n.FirstChild == nil && get(n, "id") == "" {
			remove(n)
		}
	}
}

// forScreen says whether an attribute means something only where there are scripts or a keyboard.
func forScreen(a html.Attribute) bool {
	switch a.Key {
	case "tabindex", "translate", "value", "open", "disabled", "for", "aria-live", "aria-describedby", "aria-controls",
		"aria-current", "aria-sort", "aria-hidden", "aria-pressed", "aria-disabled", "aria-expanded":
		return true
	case "data-figure":
		return false
	}
	return strings.HasPrefix(a.Key, "data-")
}

// replaceControl puts in the place of a control what it says.
func replaceControl(n *html.Node) {
	switch {
	case n.Parent == nil:
	case n.Data == "fieldset" || n.Data == "form":
		rename(n, "div")
	case n.Data == "label":
		unwrap(n)
	case n.Data != "button":
		remove(n)
	case has(n, "sorter"):
		for _, sign := range all(n, func(n *html.Node) bool { return get(n, "aria-hidden") == "true" }) {
			remove(sign)
		}
		unwrap(n)
	default:
		rename(n, "span")
		set(n, "type", "")
	}
}

// inputs makes a list of the inputs of a calculator.
func inputs(n *html.Node) {
	rename(n, "div")
	for _, legend := range all(n, tag("legend")) {
		rename(legend, "p")
		set(legend, "class", "legend")
	}
	for _, in := range all(n, class("input")) {
		given := valueOf(in)
		if given == "" { // as documents of the reader's own
			remove(in)
			continue
		}
		label := move(el("span", "class", "given-name"), first(in, tag("label")))
		value := with(el("span", "class", "given-value"), words(given))
		replace(in, with(el("div", "class", "given"), label, words(" "), value))
	}
	if first(n, class("given")) == nil {
		remove(n)
	}
}

// valueOf is what an input is set to, as a text.
func valueOf(in *html.Node) string {
	var parts []string
	for _, n := range all(in, tag("select", "input", "li", "span", "p")) {
		switch {
		case n.Data == "select":
			if chosen := first(n, func(o *html.Node) bool { return bears(o, "selected") }); chosen != nil {
				parts = append(parts, plain(chosen))
			}
		case n.Data == "li":
			parts = append(parts, strings.TrimSuffix(plain(n), "×"))
		case n.Data == "input" && has(n, "field") && get(n, "value") != "":
			parts = append(parts, get(n, "value"))
		case n.Data == "span" && has(n, "unit") || n.Data == "p" && has(n, "note") && has(in, "input-step"):
			parts = append(parts, plain(n))
		}
	}
	if has(in, "input-many") {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, " ")
}

// rows makes a table of the rows of a calculator. What stands between them parts it.
func rows(n *html.Node) {
	var table *html.Node
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode && has(c, "row") {
			if table == nil {
				table = el("table", "class", "steps")
				n.InsertBefore(table, c)
				with(table, el("tbody"))
			}
			with(table.FirstChild, row(c))
			n.RemoveChild(c)
		} else if c.Type == html.ElementNode {
			table = nil
		}
		c = next
	}
}

// row is a row of a calculator: label, formula and, below it, the numbers put into it, value.
func row(n *html.Node) *html.Node {
	head := first(n, tag("summary"))
	if head == nil {
		head = n
	}
	label, formula := el("td", "class", "step-label"), first(head, class("row-formula"))
	move(label, first(head, class("row-label")))
	how := move(el("td", "class", "step-formula"), formula)
	for i, w := range all(n, class("working")) {
		if i == 2 { // the laws that a law calls
			break
		}
		with(how, move(el("div", "class", "working"), w))
	}
	value := el("td", "class", "step-value")
	for _, name := range []string{"row-label", "row-formula"} {
		if part := first(head, class(name)); part != nil {
			remove(part)
		}
	}
	move(value, head)
	if has(n, "row-long") {
		set(label, "colspan", "2")
		below := move(el("div", "class", "step-formula"), how)
		return with(el("tr", "class", "step-long"), with(label, below), value)
	}
	return with(el("tr"), label, how, value)
}
