package data

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// Source is where figures were read.
type Source struct {
	Title string `json:"title"`
	URL   string `json:"url,omitempty"`
	Date  string `json:"date,omitempty"`
}

// Field is a constant that chips may have, in base units.
type Field struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Unit  string `json:"unit" jsonschema:"base unit: FLOP, byte, s, USD, J and their quotients; empty for a plain number"`
}

// Reading is a constant as one source has it.
type Reading struct {
	Value  float64 `json:"value" jsonschema:"in the base unit of the field"`
	Text   string  `json:"text" jsonschema:"as the source writes it"`
	Source string  `json:"source"`
	Date   string  `json:"date,omitempty"`
	Doubt  string  `json:"doubt,omitempty" jsonschema:"why it may be otherwise"`
	Note   string  `json:"note,omitempty"`
}

type Chip struct {
	ID           string               `json:"id"`
	Name         string               `json:"name"`
	Vendor       string               `json:"vendor"`
	Group        string               `json:"group"`
	Year         int                  `json:"year"`
	Note         string               `json:"note,omitempty"`
	Interconnect string               `json:"interconnect,omitempty"`
	Torus        []int                `json:"torus,omitempty" jsonschema:"chips of the largest slice along each axis"`
	Usable       float64              `json:"usable_memory" jsonschema:"bytes that programs can have of hbm"`
	Constants    map[string][]Reading `json:"constants" jsonschema:"readings by field: the first is the one in use"`
}

type Model struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Group     string         `json:"group"`
	Shape     map[string]any `json:"shape" jsonschema:"the fields of the model that are not 0 or off"`
	Total     float64        `json:"parameters" jsonschema:"as counted from the shape"`
	Active    float64        `json:"active"`
	KV        float64        `json:"kv_bytes_per_token" jsonschema:"in bf16, windows not counted"`
	Published Published      `json:"published"`
	Source    string         `json:"source"`
	Note      string         `json:"note,omitempty"`
}

// Published is what the publisher says.
type Published struct {
	Total  string `json:"parameters,omitempty"`
	Active string `json:"active,omitempty"`
	Source string `json:"source,omitempty"`
}

// Chips is the catalog of accelerators.
type Chips struct {
	Head
	Fields  []Field           `json:"fields" jsonschema:"the constants that chips may have"`
	Sources map[string]Source `json:"sources" jsonschema:"where the constants were read, by id"`
	Chips   []Chip            `json:"chips"`
}

// Models is the catalog of models.
type Models struct {
	Head
	Sources map[string]Source `json:"sources" jsonschema:"where shapes and published figures were read, by id"`
	Models  []Model           `json:"models"`
}

// ChipsOf is the catalog as the package app/hardware has it.
func ChipsOf() *Chips {
	f := &Chips{Sources: map[string]Source{}}
	for _, x := range hardware.Fields() {
		f.Fields = append(f.Fields, Field{x.Name, x.Label, x.Dim.String()})
	}
	for _, s := range hardware.Catalog().Sources() {
		f.Sources[s.ID] = Source{s.Title, s.URL, s.Date}
	}
	for _, a := range hardware.Catalog().All {
		c := Chip{ID: a.ID, Name: a.Name, Vendor: a.Vendor, Group: a.Group, Year: a.Year, Note: a.Note,
			Interconnect: a.Interconnect, Torus: a.Torus(), Constants: map[string][]Reading{}}
		c.Usable, _ = a.Usable()
		for _, x := range a.Facts() {
			for _, r := range append([]hardware.Constant{x.Constant}, x.Others...) {
				c.Constants[x.Field] = append(c.Constants[x.Field], Reading{r.Value.Value, r.Text, r.Source.ID, r.Date,
					r.Doubt, r.Note})
			}
		}
		f.Chips = append(f.Chips, c)
	}
	return f
}

// ModelsOf is the catalog as the package app/model has it.
func ModelsOf() *Models {
	f := &Models{Sources: map[string]Source{}}
	for _, k := range model.Catalog().All {
		for _, s := range []model.Source{k.Source, k.Figure} {
			if s.ID != "" {
				f.Sources[s.ID] = Source{s.Title, s.URL, s.Date}
			}
		}
		shape, _ := plain(reflect.ValueOf(k.Model)).(map[string]any)
		for _, name := range []string{"id", "name", "group"} {
			delete(shape, name)
		}
		f.Models = append(f.Models, Model{ID: k.ID, Name: k.Name, Group: k.Group, Shape: shape, Total: k.Total(),
			Active: k.ActiveTotal(), KV: float64(k.KVBytesPerToken(2)), Source: k.Source.ID, Note: k.Note,
			Published: Published{k.PublishedTotal, k.PublishedActive, k.Figure.ID}})
	}
	return f
}

// plain is a value as JSON has it, without what is zero: a struct as names in small letters with underscores.
func plain(v reflect.Value) any {
	if v.Kind() != reflect.Struct {
		return v.Interface()
	}
	all := map[string]any{}
	for i := range v.NumField() {
		if f := v.Field(i); v.Type().Field(i).IsExported() && !f.IsZero() {
			all[snake(v.Type().Field(i).Name)] = plain(f)
		}
	}
	return all
}

// snake is "KVHeads" as "kv_heads".
func snake(name string) string {
	var b strings.Builder
	letters := []rune(strings.ReplaceAll(name, "MoE", "Moe"))
	for i, r := range letters {
		upper := unicode.IsUpper(r)
		if i > 0 && upper && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
