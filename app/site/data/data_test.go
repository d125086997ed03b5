package data

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// theBook is the book, without what its pages print.
func theBook(t *testing.T) *book.Book {
	t.Helper()
	b, problems := loaded()
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return b
}

var loaded = sync.OnceValues(func() (*book.Book, []book.Problem) {
	return book.Load(os.DirFS("../../../content"), book.Config{
		Base: "/", Env: widget.Env(),
		RenderSheet:  func(*sheet.Sheet) string { return "" },
		RenderNumber: widget.Number,
		RenderInput:  func(*sheet.Sheet, string) string { return "" },
		Known: append([]string{"errata/", "search/", "scratch/", "feed.xml", "sitemap.xml", "robots.txt", "llms.txt",
			"llms-full.txt", "licences.txt"}, Names()...),
	})
})

// Every file fits the schema that is published beside it, and the schema refuses one that has lost a value, or has a
// text where a number must be.
func TestFilesFitTheirSchemas(t *testing.T) {
	b := theBook(t)
	all, err := Files(b, "https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	again, err := Files(b, "https://example.org")
	if err != nil || !reflect.DeepEqual(all, again) {
		t.Errorf("two calls, two files, %v", err)
	}
	if len(all) != len(Names()) {
		t.Errorf("%d files, %d names", len(all), len(Names()))
	}
	for _, name := range Names() {
		text, there := all[name]
		if !there {
			t.Fatalf("no %s", name)
		}
		if strings.HasPrefix(name, "data/schema/") {
			continue
		}
		var v map[string]any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		at, _ := v["$schema"].(string)
		fits := resolved(t, all["data/"+at])
		if err := fits.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		lists := 0
		for key, list := range v {
			list, isList := list.([]any)
			if !isList {
				continue
			}
			lists++
			if len(list) < 5 {
				t.Errorf("%s: only %d %s", name, len(list), key)
			}
			first := list[0].(map[string]any)
			for field := range first {
				kept := first[field]
				first[field] = []any{map[string]any{"no": "such"}}
				_, anything := kept.(map[string]any)
				if field != "value" && field != "want" && !anything && fits.Validate(v) == nil {
					t.Errorf("%s: %s.%s may be anything", name, key, field)
				}
				first[field] = kept
			}
			list[0] = map[string]any{}
			if fits.Validate(v) == nil {
				t.Errorf("%s: an empty object passes as one of %s", name, key)
			}
		}
		if lists == 0 {
			t.Errorf("%s has no list", name)
		}
	}
}

func resolved(t *testing.T, text []byte) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%v in %.80s", err, text)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is published of sheets is what their pages print.
func TestResultsAndFacts(t *testing.T) {
	b := theBook(t)
	results, facts := ResultsOf(b), FactsOf(b)
	seen := map[string]Result{}
	for _, r := range results.Results {
		if _, twice := seen[r.Key()]; twice {
			t.Errorf("%s stands there twice", r.Key())
		}
		if (r.Value == nil) == (r.Error == "") {
			t.Errorf("%s: value %v, error %q", r.Key(), r.Value, r.Error)
		}
		seen[r.Key()] = r
	}
	if len(seen) < 1000 || len(facts.Facts) < 1000 {
		t.Errorf("%d results, %d facts", len(seen), len(facts.Facts))
	}
	// A fact at the defaults is a result, so that the two files must agree.
	agree := 0
	for _, f := range facts.Facts {
		if page, _, _ := strings.Cut(f.Source, "."); f.Source != "" && facts.Sources[page].URL == "" {
			t.Errorf("%s.%s answers for %s, of an unknown page", f.Sheet, f.Name, f.Source)
		}
		r, found := seen[f.Sheet+"."+f.Name]
		want, isNumber := f.Want.(float64)
		if got, ok := r.Value.(float64); found && ok && isNumber && len(f.At) == 0 && f.Op == "=" {
			agree++
			scale := math.Abs(want)
			if want == 0 {
				scale = 1 // as in sheets: a tolerance of zero is in base units
			}
			if math.Abs(got-want) > f.Within*scale*1.001 || f.Unit != r.Unit {
				t.Errorf("%s: %v %s, and should be %v %s", r.Key(), got, r.Unit, want, f.Unit)
			}
		}
	}
	if agree < 300 {
		t.Errorf("only %d facts are at the defaults", agree)
	}
}

func TestGlossary(t *testing.T) {
	for _, term := range GlossaryOf(theBook(t), "https://example.org").Terms {
		if term.Term == "Peak rate" {
			if !strings.Contains(term.Text, "TFLOP/s") ||
				!strings.Contains(term.Text, "https://example.org/rooflines/#") ||
				term.Place != "glossary/#peak-rate" {
				t.Errorf("%+v", term)
			}
			return
		}
	}
	t.Error("no peak rate")
}

// Another content has another version; the same has the same.
func TestVersions(t *testing.T) {
	versions := func(change func(c *Chips)) string {
		c := ChipsOf()
		change(c)
		f := files()[0]
		all, err := f.bytes(c)
		if err != nil || !bytes.Contains(all["data/chips.json"], []byte(c.Version)) {
			t.Fatal(err)
		}
		return c.Version
	}
	same, again := versions(func(*Chips) {}), versions(func(*Chips) {})
	other := versions(func(c *Chips) { c.Chips[0].Name = "another" })
	if same != again || same == other || len(same) < 8 {
		t.Errorf("versions %q, %q and, changed, %q", same, again, other)
	}
}
