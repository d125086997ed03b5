package value

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Type is the type of v.
func (v Value) Type() Type {
	switch v.Kind {
	case Number:
		return Type{Kind: Number, Dim: v.Num.Dim}
	case Rec:
		if v.Record != nil {
			return Type{Kind: Rec, Record: v.Record.Type}
		}
	case List:
		if len(v.List) > 0 {
			return ListOf(v.List[0].Type())
		}
	}
	return Type{Kind: v.Kind}
}

// String is v as the page prints it in English: "1.31 ms", "compute", "TPU v5e", "int8", "on".
func (v Value) String() string { return v.In(phrase.Phrases{}) }

// In is v as the page prints it in a language.
func (v Value) In(l phrase.Phrases) string {
	switch v.Kind {
	case Number:
		return v.Num.String()
	case Bool:
		return l.Say(onOff(v.Bool))
	case Rec:
		if v.Record != nil && v.Record.Phrase != nil {
			return l.Text(v.Record.Phrase)
		}
		return l.Word(v.Record.Called())
	case List:
		return ListText(l, v.List)
	}
	if v.Phrase != nil {
		return l.Text(v.Phrase)
	}
	return l.Word(v.Text)
}

// onOff is the key of what a switch is set to.
func onOff(b bool) string {
	if b {
		return "sheet.on"
	}
	return "sheet.off"
}

// Called is what a reader calls r.
func (r *Record) Called() string {
	switch {
	case r == nil:
		return "nothing"
	case r.Name != "":
		return r.Name
	case r.ID != "":
		return r.ID
	case r.Type != nil && r.Type.Name != "":
		return r.Type.Name
	}
	return "record"
}

// Brief is what a formula calls r.
func (r *Record) Brief() string {
	if r != nil && r.Short != "" {
		return r.Short
	}
	return r.Called()
}

// Equal tells whether v and w are the same: numbers by value and dimension, whatever they count.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind {
		return false
	}
	switch v.Kind {
	case Number:
		return v.Num.Value == w.Num.Value && v.Num.Dim == w.Num.Dim
	case Bool:
		return v.Bool == w.Bool
	case Rec:
		return v.Record == w.Record || v.Record != nil && w.Record != nil && v.Record.ID != "" &&
			v.Record.ID == w.Record.ID
	case List:
		return slices.EqualFunc(v.List, w.List, Value.Equal)
	}
	return v.Text == w.Text
}

// String says in English what a value of type t is: "time (s)", "a plain number", "a text", "a record (accelerator)".
func (t Type) String() string { return t.In(phrase.Phrases{}) }

// In says it in a language.
func (t Type) In(l phrase.Phrases) string { return l.Text(t.Words()) }

// Words is what a message calls a value of type t.
func (t Type) Words() *phrase.Phrase {
	switch t.Kind {
	case Number:
		return dimText(t.Dim)
	case Text:
		return phrase.New("sheet.a-text")
	case Bool:
		return phrase.New("sheet.a-switch")
	case DType:
		return phrase.New("sheet.a-dtype")
	case List:
		return t.listWords()
	}
	if t.Record != nil && t.Record.Name != "" {
		return phrase.New("sheet.a-record-of", "kin", t.Record.Name)
	}
	return phrase.New("sheet.a-record")
}

func dimText(d quantity.Dim) *phrase.Phrase {
	if d.IsZero() {
		return phrase.New("quantity.a-plain-number")
	}
	return phrase.New("sheet.dim", "word", d.Words(), "unit", d.String())
}

// SameType tells whether values of both types may stand in each other's place.
func SameType(a, b Type) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Number:
		return a.Dim == b.Dim
	case Rec:
		return a.Record.Root() == b.Record.Root()
	case List:
		return a.Of == nil || b.Of == nil || SameType(*a.Of, *b.Of)
	}
	return true
}

// Example is a value of type t, for whoever asks what kind of value an input has before it is known.
func (t Type) Example() Value {
	v := Value{Kind: t.Kind}
	switch t.Kind {
	case Number:
		v.Num.Dim = t.Dim
	case Rec:
		v.Record = &Record{Type: t.Record}
	case List:
		if t.Of != nil {
			v.List = []Value{t.Of.Example()}
		}
	}
	return v
}

// Unit is the base unit of a number's type as text, "" for anything else.
func (t Type) Unit() string {
	if t.Kind != Number {
		return ""
	}
	return t.Dim.String()
}

// Field is the value of a field, if r has it.
func (r *Record) Field(name string) (Value, bool) {
	if r == nil {
		return Value{}, false
	}
	v, ok := r.All()[name]
	return v, ok
}

// Field is the declared field of that name, or that was called so, or nil.
func (k *RecordType) Field(name string) *Field {
	if k == nil {
		return nil
	}
	for i := range k.Fields {
		if k.Fields[i].Name == name {
			return &k.Fields[i]
		}
	}
	for i := range k.Fields {
		if name != "" && k.Fields[i].Was == name {
			return &k.Fields[i]
		}
	}
	return nil
}

// Root is the record type that k is like in the end.
func (k *RecordType) Root() *RecordType {
	for k != nil && k.Like != nil {
		k = k.Like
	}
	return k
}

// Method is the method of that name, or nil.
func (k *RecordType) Method(name string) *Func {
	if k == nil {
		return nil
	}
	return k.Methods[name]
}

// Describe is what a message calls a record of k.
func (k *RecordType) Describe() *phrase.Phrase {
	if k == nil || k.Name == "" {
		return phrase.New("sheet.this-record")
	}
	return phrase.New("sheet.a-record-of", "kin", k.Name)
}

// MissingField says that an entry of a catalog lacks a field that others have.
func MissingField(r *Record, field *Field) *phrase.Phrase {
	return phrase.New("sheet.no-field-value", "record", Value{Kind: Rec, Record: r}, "field",
		FieldLabel(r.Type, field.Name))
}

// FieldLabel is a field for a reader: its label if it has one, as far as the first comma.
func FieldLabel(rt *RecordType, field string) phrase.Label {
	if rt != nil {
		for _, f := range rt.Fields {
			if f.Name == field && f.Label != "" {
				label, _, _ := strings.Cut(f.Label, ",")
				label, _, _ = strings.Cut(label, " (")
				return phrase.Label(label)
			}
		}
	}
	return phrase.Label(strings.ReplaceAll(field, "_", " "))
}

// Names are what m calls its values, fields or functions, in order.
func Names[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Offered are the names of the functions that sheets are offered today: all but those of earlier editions.
func Offered(funcs map[string]*Func) []string {
	return slices.DeleteFunc(Names(funcs), func(name string) bool { return funcs[name].Instead != "" })
}

// rounding is the relative difference up to which two numbers are the same: some thousand times what an operation
// loses, and less than one part in a count of parameters.
const rounding = 1e-12

// Compare is the sign of x-y, and 0 if they are the same but for rounding. size is the largest number from which x and
// y were summed: what is left of a difference is as inexact as its terms.
func Compare(x, y, size float64) int {
	switch d := x - y; {
	case math.Abs(d) <= float64(rounding*max(math.Abs(x), math.Abs(y), size)):
		return 0
	case d < 0:
		return -1
	}
	return 1
}

// Holds tells whether an operator is true of numbers that compare as order says.
func Holds(op string, order int) bool {
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "!=":
		return order != 0
	}
	return order == 0
}

// ListOf is the type of lists whose entries are of type t.
func ListOf(t Type) Type { return Type{Kind: List, Of: &t} }

// maxNamed is how many entries of a list its text names.
const maxNamed = 6

// ListText names the entries of a list in a language: all of a short one, the first few of a longer one.
func ListText(l phrase.Phrases, list []Value) string {
	var b strings.Builder
	for i, v := range list[:min(len(list), maxNamed)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.In(l))
	}
	switch more := len(list) - maxNamed; {
	case len(list) == 0:
		return l.Say("sheet.list-none")
	case more > 0:
		return l.Say("sheet.list-more", "list", b.String(), "n", more)
	}
	return b.String()
}

// listWords says what a list holds: "a list of records (accelerator)".
func (t Type) listWords() *phrase.Phrase {
	if t.Of == nil {
		return phrase.New("sheet.a-list")
	}
	switch t.Of.Kind {
	case Number:
		return phrase.New("sheet.list-of-numbers", "dim", dimText(t.Of.Dim))
	case Rec:
		if t.Of.Record != nil && t.Of.Record.Name != "" {
			return phrase.New("sheet.list-of-records", "kin", t.Of.Record.Name)
		}
		return phrase.New("sheet.list-of-any-records")
	}
	return phrase.New("sheet.list-of", "type", t.Of)
}

// same tells whether a and b are one record, or were computed from the same.
func (a *Record) same(b *Record) bool {
	return a == b || a != nil && b != nil && a.From != nil && a.From == b.From && a.Type == b.Type
}

// Same tells whether v and w are one and the same value, not only alike: records with one ID that were worked out at
// different times may differ in what they hold.
func (v Value) Same(w Value) bool {
	switch {
	case v.Kind != w.Kind:
		return false
	case v.Kind == Rec:
		return v.Record.same(w.Record)
	case v.Kind == List:
		return slices.EqualFunc(v.List, w.List, Value.Same)
	case v.Kind == Number:
		return v.Num == w.Num
	}
	return v.Equal(w)
}

// ShortText is a text in a line of its own: the beginning of a document.
func ShortText(text string) string {
	const most = 200
	if len(text) <= most && !strings.Contains(text, "\n") {
		return text
	}
	line := strings.Join(strings.Fields(text[:min(len(text), most)]), " ")
	return strings.ToValidUTF8(line, "") + "…"
}
