package widget

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// constants shows, for an input that chooses an entry of a catalog, what the sheet uses of the entry, each constant
// with its source and what is doubtful about it. Of several entries it shows all there is.
func (v *View) constants(in *input.Input) *Node {
	value := v.Value(in)
	if in.Form() == input.SeveralForm {
		return v.everyConstant(in, value.List)
	}
	key := partKey("constants", in.Name)
	box := el("details", class("constants"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key))
	r := published(value.Record)
	if r == nil || r.Type == nil {
		return box
	}
	if len(r.All()) == 0 {
		return absent() // a choice that is none
	}
	box.Kids = append(box.Kids, el("summary", v.say("widget.constants", "name", r.Name, "yours", v.yours(r))))
	if v.asPrinted(key) {
		return box
	}
	list := el("dl", class("facts"))
	for _, u := range v.uses(in.Name) {
		if n := v.constant(in, r, u); n != nil {
			list.Kids = append(list.Kids, n)
		}
	}
	if v.passed(in.Name) {
		v.otherFacts(in, r, list)
	}
	if note := r.Note("note"); note != "" {
		list.Kids = append(list.Kids, el("div", el("dt", v.say("widget.constants-remark")), el("dd", el("p",
			class("source"), note))))
	}
	box.Kids = append(box.Kids, list)
	return box
}

// otherFacts adds the constants of an entry that are not in the list yet: a function that takes the entry as a whole
// may use any.
func (v *View) otherFacts(in *input.Input, r *value.Record, list *Node) {
	used := v.uses(in.Name)
	for _, c := range constantsOf(r) {
		if !slices.ContainsFunc(used, func(u use) bool { return v.fieldOf(r, u) == c.Name }) {
			list.Add(v.fact(in, r, &c, false))
		}
	}
}

// use is something of a record that a sheet uses: a field, or a method with its argument.
type use struct{ name, arg string }

// fieldOf is the constant that a use reads: hbm, or flops.int8 of flops(d).
func (v *View) fieldOf(r *value.Record, u use) string {
	if r.Type.Methods[u.name] == nil {
		return u.name
	}
	d, _ := v.dtype(u.arg)
	return u.name + "." + d.Text
}

// constant is a line about what the sheet uses of r; nil if r knows nothing of that name.
func (v *View) constant(in *input.Input, r *value.Record, u use) *Node {
	field := v.fieldOf(r, u)
	for _, c := range constantsOf(r) {
		if c.Name == field {
			return v.fact(in, r, &c, false)
		}
	}
	if f := r.Type.Methods[u.name]; f != nil {
		d, ok := v.dtype(u.arg)
		if !ok || len(f.Params) != 2 {
			return nil
		}
		value, err := f.Call([]value.Value{v.Value(in), d})
		what, _, _ := strings.Cut(strings.TrimSuffix(f.Doc, "."), ",")
		return v.line(strings.Replace(what, "a dtype", d.Text, 1), value, err == nil, r.Note(u.name+"("+d.Text+")"))
	}
	for _, f := range r.Type.Fields {
		if f.Name == u.name {
			value, ok := r.All()[u.name]
			return v.line(sentence(f.Label), value, ok, r.Note(u.name))
		}
	}
	return nil
}

func (v *View) line(label string, value value.Value, known bool, note string) *Node {
	words := v.say("widget.constant-unknown")
	if known {
		words = value.String()
	}
	dd := el("dd", el("span", class("constant"), words))
	if note != "" {
		dd.Add(el("p", class("source"), note))
	}
	return el("div", el("dt", strings.TrimSuffix(label, ".")), dd)
}

// dtype is the dtype that an argument names, by itself or as a row of the sheet.
func (v *View) dtype(arg string) (value.Value, bool) {
	if row := v.row(arg); row != nil {
		return row.Value, row.Err == nil && row.Value.Kind == value.DType
	}
	return value.Value{Kind: value.DType, Text: arg}, arg != ""
}

// uses are the fields and methods of an input that the sheet's steps name, in the order of the steps, each once.
func (v *View) uses(input string) []use {
	var all []use
	for _, d := range v.Sheet.Rows {
		for _, u := range members(v.Sheet.Formula(d.Name, explain.Code), input) {
			if !slices.Contains(all, u) {
				all = append(all, u)
			}
		}
	}
	return all
}

// passed tells whether a step hands the entry of an input on as a whole.
func (v *View) passed(input string) bool {
	for _, d := range v.Sheet.Rows {
		code := v.Sheet.Formula(d.Name, explain.Code)
		if mentions(strings.ReplaceAll(code, input+".", "."), input) {
			return true
		}
	}
	return false
}

// members are the uses "name.field" and "name.method(arg)" in the code.
func members(code, name string) []use {
	var found []use
	for rest, before := code, byte(' '); ; {
		i := strings.Index(rest, name+".")
		if i < 0 {
			return found
		}
		if i > 0 {
			before = rest[i-1]
		}
		rest = rest[i+len(name)+1:]
		end := wordEnd(rest)
		if !wordByte(before) && before != '.' && end > 0 {
			u := use{name: rest[:end]}
			if arg, ok := strings.CutPrefix(rest[end:], "("); ok {
				u.arg = strings.TrimSpace(arg[:max(0, strings.IndexAny(arg, ",)"))])
			}
			found = append(found, u)
		}
		before, rest = '.', rest[end:]
	}
}

func wordEnd(s string) int {
	for i := range len(s) {
		if !wordByte(s[i]) {
			return i
		}
	}
	return len(s)
}
