// Package data publishes what the book knows as JSON, for programs of others: files below data/, each with a JSON
// Schema beside it, below data/schema/. All numbers are in base units (FLOP, byte, s, USD, J and their quotients).
package data

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/sheet"
)

// format grows when a name changes or goes, not when one comes; the version in a file is of its content.
const format = 2

// Head is how every file begins.
type Head struct {
	Schema  string `json:"$schema" jsonschema:"where the schema of this file is, from this file"`
	Format  int    `json:"format" jsonschema:"grows when a name changes or goes"`
	Version string `json:"version" jsonschema:"changes with the content, and with nothing else"`
	License string `json:"license"`
}

func (h *Head) head() *Head { return h }

// file is a file under way.
type file struct {
	name, about string
	content     func(b *book.Book, origin string) content // links in texts lie below the origin
	schema      func(*jsonschema.ForOptions) (*jsonschema.Schema, error)
}

type content interface{ head() *Head }

// files are all of them.
func files() []file {
	return []file{
		{"chips", "Accelerators: every constant as each source has it.",
			func(*book.Book, string) content { return ChipsOf() }, jsonschema.For[Chips]},
		{"models", "Transformers: shapes, counted parameters, and what their publishers say.",
			func(*book.Book, string) content { return ModelsOf() }, jsonschema.For[Models]},
		{"errata", "Where the original book is wrong, and what is right.",
			func(b *book.Book, _ string) content { return ErrataOf(b) }, jsonschema.For[Errata]},
		{"glossary", "The terms of the book.",
			func(b *book.Book, origin string) content { return GlossaryOf(b, origin) }, jsonschema.For[Glossary]},
		{"facts", "What results of calculators must be, at which inputs, and which fact each answers for.",
			func(b *book.Book, _ string) content { return FactsOf(b) }, jsonschema.For[Facts]},
		{"results", "Every named result of every calculator, at its default inputs.",
			func(b *book.Book, _ string) content { return ResultsOf(b) }, jsonschema.For[Results]},
		{"measured", "How far predictions lie from what was measured.",
			func(*book.Book, string) content { return MeasuredOf() }, jsonschema.For[Measured]},
	}
}

// Names are the names of all files, schemas included, below the root of the site.
func Names() []string {
	var names []string
	for _, f := range files() {
		names = append(names, nameOf(f.name), "data/"+schemaOf(f.name))
	}
	return names
}

// About are the files without their schemas, and a sentence for each.
func About() (all []struct{ Name, About string }) {
	for _, f := range files() {
		all = append(all, struct{ Name, About string }{nameOf(f.name), f.about})
	}
	return all
}

func nameOf(name string) string   { return "data/" + name + ".json" }
func schemaOf(name string) string { return "schema/" + name + ".json" }

// The largest files: of all results, which `scalebook diff` compares, and of what they are held to.
const (
	ResultsName = "data/results.json"
	FactsName   = "data/facts.json"
)

// Files are all files of a book, by name.
func Files(b *book.Book, origin string) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, f := range files() {
		own, err := f.bytes(f.content(b, origin))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", nameOf(f.name), err)
		}
		maps.Copy(all, own)
	}
	return all, nil
}

// bytes are a file and its schema.
func (f *file) bytes(c content) (map[string][]byte, error) {
	h := c.head()
	*h = Head{Schema: schemaOf(f.name), Format: format, License: "CC BY 4.0"}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	h.Version = stamp(text)
	if text, err = json.Marshal(c); err != nil {
		return nil, err
	}
	s, err := f.schema(&jsonschema.ForOptions{})
	if err != nil {
		return nil, err
	}
	s.Schema, s.Title, s.Description = "https://json-schema.org/draft/2020-12/schema", f.name, f.about
	loosen(s)
	schema, err := json.MarshalIndent(s, "", "  ")
	return map[string][]byte{nameOf(f.name): text, "data/" + schemaOf(f.name): append(schema, '\n')}, err
}

// loosen lets objects have further properties, since a name that comes makes no new format, and takes back that a list
// may be null, which none is.
func loosen(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" && s.Types[1] == "array" {
		s.Type, s.Types = "array", nil
	}
	if isNever(s.AdditionalProperties) {
		s.AdditionalProperties = nil
	}
	loosen(s.AdditionalProperties)
	loosen(s.Items)
	for _, p := range s.Properties {
		loosen(p)
	}
}

// isNever is true for the schema that nothing fits.
func isNever(s *jsonschema.Schema) bool { return s != nil && s.Not != nil }

// stamp stands for a text.
func stamp(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:12]
}

// place is where something of the book stands, from the root of the site: "rooflines/#two-times".
func place(p *book.Page, anchor string) string {
	return cmp.Or(p.Slug, ".") + "/#" + anchor
}

// Errata is where the original book is wrong.
type Errata struct {
	Head
	Errata []Erratum `json:"errata"`
}

// Erratum is one place in the original.
type Erratum struct {
	Place   string `json:"place" jsonschema:"where this book speaks of it, from the root of the site"`
	Title   string `json:"title,omitempty"`
	Where   string `json:"where" jsonschema:"where it stands in the original"`
	Printed string `json:"printed" jsonschema:"what the original prints"`
	Edition string `json:"edition" jsonschema:"of the original"`
	Right   string `json:"right" jsonschema:"what is right, as HTML"`
}

// ErrataOf are the errata of a book.
func ErrataOf(b *book.Book) *Errata {
	all := &Errata{Errata: []Erratum{}}
	for _, e := range b.Errata {
		all.Errata = append(all.Errata,
			Erratum{place(e.Page, e.Anchor), e.Title, e.Where, e.Printed, e.Edition, e.HTML})
	}
	return all
}

// Glossary is the terms of the book.
type Glossary struct {
	Head
	Terms []Term `json:"terms"`
}

// Term is one of them.
type Term struct {
	Term  string `json:"term"`
	Text  string `json:"text" jsonschema:"what it means, as Markdown"`
	Place string `json:"place" jsonschema:"in the glossary, from the root of the site"`
}

// GlossaryOf is the glossary of a book; empty if it has none.
func GlossaryOf(b *book.Book, origin string) *Glossary {
	all := &Glossary{Terms: []Term{}}
	p, terms := b.Glossary(origin)
	for _, t := range terms {
		all.Terms = append(all.Terms, Term{t.Name, t.Text, place(p, t.ID)})
	}
	return all
}

// Facts is what sheets are held to.
type Facts struct {
	Head
	Sources map[string]Source `json:"sources" jsonschema:"pages of the original book, by what sources begin with"`
	Facts   []Fact            `json:"facts"`
}

// Fact is what a result must be.
type Fact struct {
	Page   string         `json:"page" jsonschema:"slug of the page, empty for the first"`
	Sheet  string         `json:"sheet"`
	Name   string         `json:"name" jsonschema:"of the result"`
	At     map[string]any `json:"at,omitempty" jsonschema:"inputs that differ from their defaults, in base units"`
	Op     string         `json:"op" jsonschema:"how the result compares: = < <= > >="`
	Want   any            `json:"want" jsonschema:"in base units"`
	Unit   string         `json:"unit" jsonschema:"the base unit; empty for a count, and for what is no number"`
	Within float64        `json:"within" jsonschema:"by which share it may differ"`
	Source string         `json:"source,omitempty" jsonschema:"such as tpus.q1/t_ms: page, problem, field; none if ours"`
	Place  string         `json:"place" jsonschema:"from the root of the site"`
}

// original is the book whose problems are worked here, and the names of its pages by what facts call them.
const original = "https://jax-ml.github.io/scaling-book/"

var originalPages = map[string]string{"index": "", "roofline": "roofline/", "tpus": "tpus/", "sharding": "sharding/",
	"transformers": "transformers/", "training": "training/", "applied-training": "applied-training/",
	"inference": "inference/", "applied-inference": "applied-inference/", "profiling": "profiling/",
	"jax": "jax-stuff/", "conclusion": "conclusion/", "gpus": "gpus/"}

// FactsOf are the expectations of all sheets of a book.
func FactsOf(b *book.Book) *Facts {
	all := &Facts{Sources: map[string]Source{}, Facts: []Fact{}}
	for name, page := range originalPages {
		all.Sources[name] = Source{Title: law.AustinBook, URL: original + page}
	}
	eachSheet(b, func(p *book.Page, s *sheet.Sheet) {
		for _, e := range s.Expects {
			f := Fact{Page: p.Slug, Sheet: s.ID, Name: e.Name, Op: e.Op, Want: answer.Plain(e.Want),
				Unit: answer.Unit(e.Want), Within: e.Within, Source: e.Fact, Place: place(p, s.ID)}
			for name, v := range e.At {
				if f.At == nil {
					f.At = map[string]any{}
				}
				f.At[name] = answer.Plain(v)
			}
			all.Facts = append(all.Facts, f)
		}
	})
	return all
}

// Results is every named result of a book.
type Results struct {
	Head
	Results []Result `json:"results"`
}

// Result is a result of a sheet at its defaults.
type Result struct {
	Page  string `json:"page" jsonschema:"slug of the page, empty for the first"`
	Sheet string `json:"sheet"`
	Name  string `json:"name"`
	Label string `json:"label" jsonschema:"what the page calls it, may be empty"`
	Value any    `json:"value,omitempty" jsonschema:"in base units; absent where there is an error"`
	Unit  string `json:"unit" jsonschema:"the base unit; empty for a count, and for what is no number"`
	Text  string `json:"text" jsonschema:"as the page prints it"`
	Error string `json:"error,omitempty" jsonschema:"why there is no value"`
}

// Key is what a result is called in every edition.
func (r *Result) Key() string { return r.Sheet + "." + r.Name }

// ResultsOf are the results of all sheets of a book.
func ResultsOf(b *book.Book) *Results {
	all := &Results{Results: []Result{}}
	eachSheet(b, func(p *book.Page, s *sheet.Sheet) {
		for _, row := range answer.RowsOf(s.ID, p.Result(s)).Rows {
			if row.Kind != "input" {
				all.Results = append(all.Results,
					Result{p.Slug, s.ID, row.Name, row.Label, row.Value, row.Unit, row.Text, row.Error})
			}
		}
	})
	return all
}

func eachSheet(b *book.Book, f func(p *book.Page, s *sheet.Sheet)) {
	for _, p := range b.Pages {
		for _, s := range p.Sheets {
			f(p, s)
		}
	}
}

// Measured is how far predictions lie from measurements.
type Measured struct {
	Head
	Families []Family           `json:"families"`
	Runs     []Run              `json:"runs" jsonschema:"published runs of training, by software"`
	Misses   []Miss             `json:"misses" jsonschema:"the published runs whose prediction lies farthest off"`
	Figures  map[string]float64 `json:"figures" jsonschema:"further numbers about predictions, by name"`
}

// Family is how far the predictions of one quantity lie from measurements, over the rows of a family. Errors are
// shares: 0.1 is 10 %.
type Family struct {
	Half     string   `json:"half" jsonschema:"training, serving or start"`
	Name     string   `json:"name"`
	Quantity string   `json:"quantity"`
	Part     string   `json:"part" jsonschema:"kept aside, fitted, or all where constants were fitted to none"`
	Rows     int      `json:"rows"`
	Median   *float64 `json:"median_error,omitempty" jsonschema:"of the absolute value of predicted over measured less 1"`
	P90      *float64 `json:"p90_error,omitempty"`
	Coverage *float64 `json:"inside_interval,omitempty" jsonschema:"share of rows measured in the interval"`
	Width    *float64 `json:"interval_width,omitempty" jsonschema:"high over low, in the median"`
	Needs    *float64 `json:"needed_width,omitempty" jsonschema:"of the narrowest that holds nine rows in ten"`
	Breaks   string   `json:"breaks,omitempty" jsonschema:"which assumption breaks where predictions miss"`
}

// Run is the errors of the step times of published runs.
type Run struct {
	Stack  string   `json:"stack"`
	Part   string   `json:"part"`
	Rows   int      `json:"rows"`
	Median *float64 `json:"median_error,omitempty"`
	P90    *float64 `json:"p90_error,omitempty"`
	Bias   *float64 `json:"bias,omitempty" jsonschema:"median: below 0 predictions are too fast"`
	Inside *float64 `json:"inside_interval,omitempty"`
}

// Miss is a published run.
type Miss struct {
	ID        string  `json:"id"`
	Stack     string  `json:"stack"`
	Device    string  `json:"device"`
	Devices   int     `json:"devices"`
	Predicted float64 `json:"predicted_s" jsonschema:"seconds a step"`
	Measured  float64 `json:"measured_s" jsonschema:"seconds a step"`
	Source    string  `json:"source"`
}

// MeasuredOf is the summary as the package app/measured/summary has it.
func MeasuredOf() *Measured {
	all := &Measured{Figures: map[string]float64{}}
	for _, f := range summary.Families("") {
		all.Families = append(all.Families, Family{f.Half, f.Name, f.Quantity, f.Part, f.Rows, known(f.Median),
			known(f.P90), known(f.Coverage), known(f.Width), known(f.Needs), f.Breaks})
	}
	for _, r := range summary.Runs() {
		all.Runs = append(all.Runs, Run{r.Stack, r.Part, r.Rows, known(r.Median), known(r.P90), known(r.Bias),
			known(r.Inside)})
	}
	for _, m := range summary.Misses() {
		all.Misses = append(all.Misses, Miss(m))
	}
	for _, f := range summary.Figures() {
		if known(f.Value) != nil {
			all.Figures[f.Name] = f.Value
		}
	}
	return all
}

// known is nil for what is no number.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

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

// Chip is an accelerator with all that its sources say.
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

// Model is a model of the catalog with what is counted of it.
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
		c.Usable, _ = a.UsableMemory()
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
