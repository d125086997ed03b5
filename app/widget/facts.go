package widget

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// A fact is a constant of a catalog before its reader: a field to change it, where it is from, in what doubt it
// stands, and what others say.

// published is an entry as its catalog has it, without what the reader changed.
func published(r *value.Record) *value.Record {
	if r == nil || r.Type == nil || r.Type.Constants == nil {
		return r
	}
	for _, member := range r.Type.Members {
		if member.ID == r.ID {
			return member
		}
	}
	return r
}

func constantsOf(r *value.Record) []value.Constant {
	if r.Type.Constants == nil {
		return nil
	}
	return r.Type.Constants(r)
}

// yours says how many of an entry's constants the reader set.
func (v *evaluated) yours(r *value.Record) string {
	n := 0
	for _, c := range v.Sheet.Changed(v.State) {
		if c.Of.ID == r.ID {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return v.say("widget.constants-yours", "n", n)
}

// everyConstant is a fold for each of several entries, with all its constants.
func (v *View) everyConstant(in *input.Input, entries []value.Value) *Node {
	box := el("div", class("every"))
	if len(entries) > 0 {
		box.Add(el("p", class("every-head"), v.say("widget.constants-every")))
	}
	for _, e := range entries {
		r := published(e.Record)
		key := v.everyKey(in, r)
		fold := el("details", class("constants printed"), attr("data-key", key), bare("open", v.open[key]),
			on("toggle", DoToggle, key), el("summary", v.doubted(r)))
		if v.asPrinted(key) || v.open[key] {
			fold.Add(v.facts(in, r, v.asPrinted(key)))
		}
		box.Add(fold)
	}
	return box
}

func (v *evaluated) everyKey(in *input.Input, r *value.Record) string {
	return partKey("constants", in.Name+" "+r.ID)
}

// doubted counts the constants of an entry, and those in doubt.
func (v *evaluated) doubted(r *value.Record) string {
	all, n := constantsOf(r), 0
	for i := range all {
		if all[i].Doubt != "" || len(all[i].Others) > 0 {
			n++
		}
	}
	key := "widget.constants-all"
	if n > 0 {
		key = "widget.constants-doubted"
	}
	return v.say(key, "name", r.Name, "all", len(all), "n", n, "yours", v.yours(r))
}

// facts is all that is known of an entry.
func (v *state) facts(in *input.Input, r *value.Record, printed bool) *Node {
	list := el("dl", class("facts"))
	if note := r.Note(v.phrases(), "note"); note != "" {
		list.Add(el("div", el("dt", v.say("widget.constants-remark")), el("dd", el("p", class("source"), note))))
	}
	for _, c := range constantsOf(r) {
		list.Add(v.fact(in, r, &c, printed))
	}
	return list
}

// fact is one constant: a field to change it, or while that is printed its text.
func (v *state) fact(in *input.Input, r *value.Record, c *value.Constant, printed bool) *Node {
	value := el("span", class("constant"), c.Text)
	if !printed {
		value = v.constantField(in, r, c)
	}
	dd := el("dd", value, el("p", class("source"), v.phrases().Word(c.Source)))
	for _, remark := range []string{c.Note, c.Doubt} {
		if remark != "" {
			dd.Add(el("p", class("source"), capital(v.phrases().Word(remark))))
		}
	}
	for i := range c.Others {
		dd.Add(v.otherReading(r, c, &c.Others[i], printed))
	}
	return el("div", el("dt", capital(v.phrases().Word(c.Label))), dd)
}

// otherReading is what another source says, with a button that takes it.
func (v *evaluated) otherReading(r *value.Record, c *value.Constant, o *value.Reading, printed bool) *Node {
	p := el("p", class("other"), v.say("widget.constant-also")+" ", el("b", o.Text), ": "+o.Source)
	if o.Doubt != "" {
		p.Add(el("span", " ("+v.phrases().Word(o.Doubt)+")"))
	}
	if !printed {
		said := v.say("widget.constant-use-long", "value", o.Text, "label", v.phrases().Word(c.Label), "name", r.Name)
		p.Add(" ", tool(v.say("widget.constant-use"), DoSet, r.Key(c.Name)+"="+o.Text, attr("aria-label", said)))
	}
	return p
}

// constantField is the field in which a reader changes a constant, with what there is to say about it.
func (v *state) constantField(in *input.Input, r *value.Record, c *value.Constant) *Node {
	key := r.Key(c.Name)
	id, box := v.constantID(in, key), "cell"
	label := v.say("widget.constant-of", "label", v.phrases().Word(c.Label), "name", r.Name)
	note := el("p", class("note"), attr("id", id+"--note"), attr("translate", "no"))
	if v.Changed(key) {
		box += " changed"
		v.constantNote(note, key, label, c)
	}
	field := el("input", attr("type", "text"), class("field"), attr("id", id), attr("name", key),
		attr("aria-label", label), attr("aria-describedby", id+"--note"), attr("inputmode", "decimal"),
		attr("autocomplete", "off"),
		attr("autocapitalize", "off"), attr("spellcheck", "false"), attr("size", "9"),
		attr("value", v.constantText(key, c)), on("input", DoInput, key))
	if v.errs[key] != "" {
		field.Add(attr("aria-invalid", "true"))
	}
	return el("div", class(box), field, note)
}

// constantNote says why a text was refused or what it was understood as, and offers the way back.
func (v *state) constantNote(note *Node, key, label string, c *value.Constant) {
	now := c.Text
	if own, ok := v.State[key]; ok {
		now = own.String()
	}
	if e := v.errs[key]; e != "" {
		note.Add(refusal(e, v.say("widget.still", "value", now)))
	} else {
		if now != v.typed[key] {
			note.Add(el("span", class("echo"), "= "+now+" · "))
		}
		note.Add(el("span", class("was"), v.say("widget.was", "value", c.Text)+" "))
	}
	note.Add(v.undoButton(key, label, c.Text))
}

// constantText is what stands in the field of a constant.
func (v *state) constantText(key string, c *value.Constant) string {
	if t, ok := v.typed[key]; ok {
		return t
	}
	return c.Text
}

// constantID is the id of a constant's field. Two inputs may have chosen the same entry.
func (v *evaluated) constantID(in *input.Input, key string) string {
	for _, first := range v.Sheet.Inputs {
		if v.hasConstants(first) {
			if first.Name == in.Name {
				return v.id(key)
			}
			return v.id(key, in.Name)
		}
	}
	return v.id(key)
}

// hasConstants tells whether an input chooses entries of a catalog whose constants are known one by one.
func (v *evaluated) hasConstants(in *input.Input) bool {
	t := v.Sheet.Row(in.Name).Type
	if t.Kind == value.List && t.Of != nil && in.Form() == input.SeveralForm {
		t = *t.Of
	}
	return t.Kind == value.Rec && t.Record != nil && t.Record.Constants != nil
}

// setConstant is the reader typing a constant. It is false if there is none of that key.
func (v *state) setConstant(key, text string) (bool, error) {
	_, c := v.Sheet.Constant(key)
	if c == nil {
		return false, nil
	}
	if text == c.Text {
		v.Undo(key)
		return true, nil
	}
	st, err := v.Sheet.Set(v.State, key, text)
	v.typed[key] = text
	if err != nil {
		v.errs[key] = err.Error()
		v.rev++
		return true, err
	}
	delete(v.errs, key)
	v.adopt(st)
	return true, nil
}

// Takes tells whether an address may set what has this name although no control of a page has it: a constant of a
// catalog, or the order of a table.
func Takes(env *value.Env, name string) bool {
	_, c := env.Constant(name)
	return c != nil || name == sortAll || strings.HasPrefix(name, address.SortPrefix)
}

// constantParams are the constants that the address carries.
func (v *state) constantParams() []address.Param {
	var ps []address.Param
	for _, c := range v.Sheet.Changed(v.State) {
		if key := c.Of.Key(c.Constant.Name); v.errs[key] == "" {
			ps = append(ps, address.Param{Sheet: v.Sheet.ID, Name: key, Text: v.typed[key]})
		}
	}
	return ps
}

// constantControls are the fields of the constants of an input, as far as they are open.
func (v *View) constantControls(in *input.Input) []Control {
	if !v.hasConstants(in) {
		return nil
	}
	entries, several := []value.Value{v.Value(in)}, in.Form() == input.SeveralForm
	if several {
		entries = v.Value(in).List
	}
	var cs []Control
	for _, e := range entries {
		r := published(e.Record)
		if r == nil || !v.open[partKey("constants", in.Name)] && !(several && v.open[v.everyKey(in, r)]) {
			continue
		}
		for _, c := range constantsOf(r) {
			key := r.Key(c.Name)
			cs = append(cs, Control{ID: v.constantID(in, key), Value: v.constantText(key, &c)})
		}
	}
	return cs
}

// printConstants covers the state only while some constants are in sight.
func (v *View) printConstants(p *print, in *input.Input, key string) {
	value, open := v.Value(in), false
	see := func(key string) {
		p.yes(v.open[key], v.kept[key])
		open = open || v.open[key]
	}
	p.text(dataValue(value)).number(len(v.Sheet.Changed(v.State)))
	see(key)
	for _, e := range value.List {
		if e.Record != nil {
			see(v.everyKey(in, e.Record))
		}
	}
	if open {
		p.number(v.rev)
	}
}

// capital is a text that begins with a capital letter.
func capital(s string) string {
	switch {
	case s == "":
	case 'a' <= s[0] && s[0] <= 'z':
		return strings.ToUpper(s[:1]) + s[1:]
	case s[0] >= utf8.RuneSelf:
		return phrase.Capital(s)
	}
	return s
}

// constants shows, for an input that chooses an entry of a catalog, what the sheet uses of the entry, each constant
// with its source and what is doubtful about it. Of several entries it shows all there is.
func (v *View) constants(in *input.Input) *Node {
	value := v.Value(in)
	if in.Form() == input.SeveralForm {
		return v.everyConstant(in, value.List)
	}
	key := partKey("constants", in.Name)
	box := el("details", class("constants"), attr("data-key", key), bare("open", v.open[key]),
		on("toggle", DoToggle, key))
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
	var shown []string
	for _, u := range v.uses(in.Name) {
		field := v.fieldOf(r, u)
		if slices.Contains(shown, field) {
			continue // flops(a) is flops(fp8) while a is fp8
		}
		shown = append(shown, field)
		if n := v.constant(in, r, u); n != nil {
			list.Kids = append(list.Kids, n)
		}
	}
	if v.passed(in.Name) {
		v.otherFacts(in, r, list)
	}
	if note := r.Note(v.phrases(), "note"); note != "" {
		list.Kids = append(list.Kids, el("div", el("dt", v.say("widget.constants-remark")), el("dd", el("p",
			class("source"), note))))
	}
	box.Kids = append(box.Kids, list)
	return box
}

// otherFacts adds the constants of an entry that are not in the list yet: a function that takes the entry as a whole
// may use any.
func (v *state) otherFacts(in *input.Input, r *value.Record, list *Node) {
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
func (v *evaluated) fieldOf(r *value.Record, u use) string {
	if r.Type.Methods[u.name] == nil {
		return u.name
	}
	d, _ := v.dtype(u.arg)
	return u.name + "." + d.Text
}

// constant is a line about what the sheet uses of r; nil if r knows nothing of that name.
func (v *state) constant(in *input.Input, r *value.Record, u use) *Node {
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
		what = v.phrases().Word(strings.Replace(what, "a dtype", "{dtype}", 1))
		return v.line(strings.Replace(what, "{dtype}", d.Text, 1), value, err == nil,
			r.Note(v.phrases(), u.name+"("+d.Text+")"))
	}
	for _, f := range r.Type.Fields {
		if f.Name == u.name {
			value, ok := r.All()[u.name]
			return v.line(sentence(v.phrases().Word(f.Label)), value, ok, r.Note(v.phrases(), u.name))
		}
	}
	return nil
}

func (v *evaluated) line(label string, value value.Value, known bool, note string) *Node {
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
func (v *evaluated) dtype(arg string) (value.Value, bool) {
	if row := v.row(arg); row != nil {
		return row.Value, row.Err == nil && row.Value.Kind == value.DType
	}
	return value.Value{Kind: value.DType, Text: arg}, arg != ""
}

// uses are the fields and methods of an input that the sheet's steps name, in the order of the steps, each once.
func (v *evaluated) uses(input string) []use {
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
func (v *evaluated) passed(input string) bool {
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
