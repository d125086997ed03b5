package widget

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
)

// constants shows, for an input that chooses an entry of a catalog, the entry's fields that the sheet uses, each with
// its source and what is doubtful about it.
func (v *View) constants(in *sheet.Input) *Node {
	r := v.Value(in).Record
	key := partKey("constants", in.Name)
	box := el("details", class("constants"), attr("data-key", key), flag("open", v.open[key]), on("toggle", DoToggle, key))
	if r == nil || r.Kin == nil {
		return box
	}
	box.Kids = append(box.Kids, el("summary", r.Name+": the constants used here, and their sources"))
	list := el("dl")
	for _, f := range r.Kin.Fields {
		if !slices.Contains(fieldsUsed(v.Sheet, in.Name), f.Name) {
			continue
		}
		list.Kids = append(list.Kids, el("div", el("dt", f.Label), el("dd", constant(r, f.Name))))
	}
	box.Kids = append(box.Kids, list)
	return box
}

// constant is a field's value with its note.
func constant(r *sheet.Record, field string) []*Node {
	value, ok := r.Fields[field]
	words := "not known"
	if ok {
		words = value.String()
	}
	nodes := []*Node{el("span", class("constant"), words)}
	if note := r.Notes[field]; note != "" {
		nodes = append(nodes, el("span", class("source"), " "+note))
	}
	return nodes
}

// fieldsUsed are the fields of an input that the sheet's steps name, and those whose names begin with a method they
// call: chip.flops(int8) rests on the fields flops_….
func fieldsUsed(s *sheet.Sheet, input string) []string {
	var used []string
	in := s.Input(input)
	if in.Default.Record == nil || in.Default.Record.Kin == nil {
		return nil
	}
	for _, c := range code(s) {
		for _, word := range members(c, input) {
			method := in.Default.Record.Kin.Methods[word] != nil
			for _, f := range in.Default.Record.Kin.Fields {
				if f.Name == word || method && strings.HasPrefix(f.Name, word+"_") {
					used = append(used, f.Name)
				}
			}
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}

// members are the words that stand behind "name." in the code.
func members(code, name string) []string {
	var words []string
	for rest := code; ; {
		i := strings.Index(rest, name+".")
		if i < 0 {
			return words
		}
		starts := i == 0 || !wordByte(rest[i-1]) && rest[i-1] != '.'
		rest = rest[i+len(name)+1:]
		end := strings.IndexFunc(rest, func(r rune) bool { return !wordRune(r) })
		if end < 0 {
			end = len(rest)
		}
		if starts && end > 0 {
			words = append(words, rest[:end])
		}
	}
}
