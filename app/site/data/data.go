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

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/scalebook/scalebook/app/book"
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
