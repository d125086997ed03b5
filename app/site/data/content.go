package data

import (
	"math"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/sheet"
)

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
		all.Errata = append(all.Errata, Erratum{place(e.Page, e.Anchor), e.Title, e.Where, e.Printed, e.Edition, e.HTML})
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
	"inference": "inference/", "applied-inference": "applied-inference/", "profiling": "profiling/", "jax": "jax-stuff/",
	"conclusion": "conclusion/", "gpus": "gpus/"}

// FactsOf are the expectations of all sheets of a book.
func FactsOf(b *book.Book) *Facts {
	all := &Facts{Sources: map[string]Source{}, Facts: []Fact{}}
	for name, page := range originalPages {
		all.Sources[name] = Source{Title: law.AustinBook, URL: original + page}
	}
	eachSheet(b, func(p *book.Page, s *sheet.Sheet) {
		for _, e := range s.Expects {
			f := Fact{Page: p.Slug, Sheet: s.ID, Name: e.Name, Op: e.Op, Want: answer.Plain(e.Want), Unit: answer.Unit(e.Want),
				Within: e.Within, Source: e.Fact, Place: place(p, s.ID)}
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
				all.Results = append(all.Results, Result{p.Slug, s.ID, row.Name, row.Label, row.Value, row.Unit, row.Text,
					row.Error})
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
	for _, f := range summary.Families() {
		all.Families = append(all.Families, Family{f.Half, f.Name, f.Quantity, f.Part, f.Rows, known(f.Median), known(f.P90),
			known(f.Coverage), known(f.Width), f.Breaks})
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
