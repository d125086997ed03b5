package value

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Field is the value of a field, if r has it.
func (r *Record) Field(name string) (Value, bool) {
	if r == nil {
		return Value{}, false
	}
	v, ok := r.All()[name]
	return v, ok
}

// Field is the declared field of that name, or nil.
func (k *Kin) Field(name string) *Field {
	if k == nil {
		return nil
	}
	for i := range k.Fields {
		if k.Fields[i].Name == name {
			return &k.Fields[i]
		}
	}
	return nil
}

// Root is the kin that k is like in the end.
func (k *Kin) Root() *Kin {
	for k != nil && k.Like != nil {
		k = k.Like
	}
	return k
}

// Method is the method of that name, or nil.
func (k *Kin) Method(name string) *Func {
	if k == nil {
		return nil
	}
	return k.Methods[name]
}

// Describe is what a message calls a record of k.
func (k *Kin) Describe() *phrase.Phrase {
	if k == nil || k.Name == "" {
		return phrase.New("sheet.this-record")
	}
	return phrase.New("sheet.a-record-of", "kin", k.Name)
}

// MissingField says that an entry of a catalog lacks a field that others have.
func MissingField(r *Record, field *Field) *phrase.Phrase {
	return phrase.New("sheet.no-field-value", "record", r.Called(), "field", FieldWords(r.Kin, field.Name))
}

// FieldWords is a field for a reader: its label if it has one, as far as the first comma.
func FieldWords(kin *Kin, field string) string {
	if kin != nil {
		for _, f := range kin.Fields {
			if f.Name == field && f.Label != "" {
				label, _, _ := strings.Cut(f.Label, ",")
				label, _, _ = strings.Cut(label, " (")
				return phrase.MidSentence(label)
			}
		}
	}
	return strings.ReplaceAll(field, "_", " ")
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
