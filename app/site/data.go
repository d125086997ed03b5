package site

import (
	"encoding/json"
	"reflect"
	"strings"
	"unicode"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// The catalogs as JSON, for programs of others. dataFormat grows when a name changes or goes, not when one comes; the
// version in a file is of its content.
const (
	chipsName  = "data/chips.json"
	modelsName = "data/models.json"
	dataFormat = 1
)

// dataSource is where figures were read.
type dataSource struct {
	Title string `json:"title"`
	URL   string `json:"url,omitempty"`
	Date  string `json:"date,omitempty"`
}

// dataField is a constant that chips may have, in base units.
type dataField struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Unit  string `json:"unit"`
}

// dataReading is a constant as one source has it.
type dataReading struct {
	Value  float64 `json:"value"`
	Text   string  `json:"text"`
	Source string  `json:"source"`
	Date   string  `json:"date,omitempty"`
	Doubt  string  `json:"doubt,omitempty"`
	Note   string  `json:"note,omitempty"`
}

type dataChip struct {
	ID           string                   `json:"id"`
	Name         string                   `json:"name"`
	Vendor       string                   `json:"vendor"`
	Group        string                   `json:"group"`
	Year         int                      `json:"year"`
	Note         string                   `json:"note,omitempty"`
	Interconnect string                   `json:"interconnect,omitempty"`
	Torus        []int                    `json:"torus,omitempty"`
	Usable       float64                  `json:"usable_memory"` // bytes that programs can have of hbm
	Constants    map[string][]dataReading `json:"constants"`     // the first reading is the one in use
}

type dataModel struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Group     string         `json:"group"`
	Shape     map[string]any `json:"shape"`      // what is 0 or off is left out
	Total     float64        `json:"parameters"` // as counted
	Active    float64        `json:"active"`
	KV        float64        `json:"kv_bytes_per_token"` // in bf16, windows not counted
	Published dataPublished  `json:"published"`
	Source    string         `json:"source"`
	Note      string         `json:"note,omitempty"`
}

// dataPublished is what the publisher says.
type dataPublished struct {
	Total  string `json:"parameters,omitempty"`
	Active string `json:"active,omitempty"`
	Source string `json:"source,omitempty"`
}

type dataFile struct {
	Format  int                   `json:"format"`
	Version string                `json:"version"`
	License string                `json:"license"`
	Fields  []dataField           `json:"fields,omitempty"`
	Sources map[string]dataSource `json:"sources"`
	Chips   []dataChip            `json:"chips,omitempty"`
	Models  []dataModel           `json:"models,omitempty"`
}

// data adds the catalogs.
func data(files Files) error {
	for name, f := range map[string]dataFile{chipsName: chipsData(), modelsName: modelsData()} {
		f.Format, f.License = dataFormat, "CC BY 4.0"
		text, err := json.Marshal(f)
		if err != nil {
			return err
		}
		f.Version = stamp(Files{name: text})
		if files[name], err = json.Marshal(f); err != nil {
			return err
		}
	}
	return nil
}

func chipsData() dataFile {
	f := dataFile{Sources: map[string]dataSource{}}
	for _, x := range hardware.Fields() {
		f.Fields = append(f.Fields, dataField{x.Name, x.Label, x.Dim.String()})
	}
	for _, s := range hardware.Catalog().Sources() {
		f.Sources[s.ID] = dataSource{s.Title, s.URL, s.Date}
	}
	for _, a := range hardware.Catalog().All {
		c := dataChip{ID: a.ID, Name: a.Name, Vendor: a.Vendor, Group: a.Group, Year: a.Year, Note: a.Note,
			Interconnect: a.Interconnect, Torus: a.Torus(), Constants: map[string][]dataReading{}}
		c.Usable, _ = a.Usable()
		for _, x := range a.Facts() {
			for _, r := range append([]hardware.Constant{x.Constant}, x.Others...) {
				c.Constants[x.Field] = append(c.Constants[x.Field], dataReading{r.Value.Value, r.Text, r.Source.ID, r.Date,
					r.Doubt, r.Note})
			}
		}
		f.Chips = append(f.Chips, c)
	}
	return f
}

func modelsData() dataFile {
	f := dataFile{Sources: map[string]dataSource{}}
	for _, k := range model.Catalog().All {
		for _, s := range []model.Source{k.Source, k.Figure} {
			if s.ID != "" {
				f.Sources[s.ID] = dataSource{s.Title, s.URL, s.Date}
			}
		}
		shape, _ := plain(reflect.ValueOf(k.Model)).(map[string]any)
		for _, name := range []string{"id", "name", "group"} {
			delete(shape, name)
		}
		f.Models = append(f.Models, dataModel{ID: k.ID, Name: k.Name, Group: k.Group, Shape: shape, Total: k.Total(),
			Active: k.ActiveTotal(), KV: float64(k.KVBytesPerToken(2)), Source: k.Source.ID, Note: k.Note,
			Published: dataPublished{k.PublishedTotal, k.PublishedActive, k.Figure.ID}})
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
