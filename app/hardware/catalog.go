package hardware

import (
	_ "embed"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/spell"
)

// The catalog's data: a fact a line. Where an accelerator has several lines for a field, the first is the one in use
// and the others are other readings.
var (
	//go:embed accelerators.tsv
	acceleratorTable string // accelerator, field, value, source, date, doubt, note

	//go:embed sources.tsv
	sourceTable string // id, title, address, date
)

// Accelerators is the catalog.
type Accelerators struct {
	All     []*Accelerator // in menu order
	sources sources
}

var catalog = sync.OnceValue(func() *Accelerators { return read(acceleratorTable, sourceTable) })

// Catalog is every accelerator the project knows. It is read once, and shared: treat it as immutable.
func Catalog() *Accelerators { return catalog() }

// Get finds an accelerator, or one of [Cards], by its ID: "tpu.v5e". The error names the nearest ones.
func (c *Accelerators) Get(id string) (*Accelerator, error) {
	if a := c.Find(id); a != nil {
		return a, nil
	}
	ids := make([]string, len(c.All))
	for i, a := range c.All {
		ids[i] = a.ID
	}
	return nil, unknown(id, ids)
}

// Find is the accelerator with an ID, nil if there is none: Get also looks for what may have been meant.
func (c *Accelerators) Find(id string) *Accelerator {
	for _, list := range [][]*Accelerator{c.All, Cards()} {
		for _, a := range list {
			if a.ID == id {
				return a
			}
		}
	}
	return nil
}

// Sources are all sources of the catalog.
func (c *Accelerators) Sources() []Source { return c.sources.list }

// read splits the tables into rows. Values are read when somebody asks for them, so that starting costs little.
func read(accelerators, sourceRows string) *Accelerators {
	c := &Accelerators{}
	for line := range strings.Lines(sourceRows) {
		cells := cut(line)
		c.sources.list = append(c.sources.list, Source{ID: cells[0], Title: cells[1], URL: cells[2], Date: cells[3]})
	}
	for accelerators != "" {
		id, _, _ := strings.Cut(accelerators, "\t")
		end := block(accelerators, id+"\t")
		if end == 0 {
			break // a line without cells; a test keeps the table free of them
		}
		a := &Accelerator{ID: id}
		a.rows = a.describe(accelerators[:end], &c.sources)
		a.facts = sync.OnceValue(func() []Fact { return c.sources.facts(a.rows) })
		c.All = append(c.All, a)
		accelerators = accelerators[end:]
	}
	return c
}

// block is the length of the lines at the start of table that begin with prefix.
func block(table, prefix string) int {
	end := 0
	for strings.HasPrefix(table[end:], prefix) {
		n := strings.IndexByte(table[end:], '\n')
		if n < 0 {
			return len(table)
		}
		end += n + 1
	}
	return end
}

// describe takes the rows that are no constants, which come first, and returns the others.
func (a *Accelerator) describe(rows string, s *sources) string {
	for rows != "" {
		line, rest, _ := strings.Cut(rows, "\n")
		if !a.describeRow(line[len(a.ID)+1:], s) {
			return rows
		}
		rows = rest
	}
	return ""
}

// describeRow takes a row that is no constant.
func (a *Accelerator) describeRow(row string, s *sources) bool {
	field, value, _ := strings.Cut(row, "\t")
	switch field {
	case "name":
		a.Name = value
	case "vendor":
		a.Vendor = value
	case "group":
		a.Group = value
	case "year":
		a.Year, _ = strconv.Atoi(value)
	case "note":
		a.Note = value
	case "interconnect":
		a.Interconnect = value
	case "torus":
		cells := cut(value)
		a.TorusShape = cells[0]
		a.TorusSource, _ = s.find(cells[1])
	default:
		return false
	}
	return true
}

// sources is the table of sources.
type sources struct{ list []Source }

func (s *sources) find(id string) (Source, bool) {
	for _, source := range s.list {
		if source.ID == id {
			return source, true
		}
	}
	return Source{}, false
}

// facts reads the constants of one accelerator. A line for the field of the line above is another reading of it.
func (s *sources) facts(rows string) []Fact {
	var all []Fact
	for line := range strings.Lines(rows) {
		_, row, _ := strings.Cut(line, "\t")
		field, cells, _ := strings.Cut(row, "\t")
		c, err := s.constant(cells)
		if n := len(all); n > 0 && all[n-1].Field == field {
			last := &all[n-1]
			last.Others = append(last.Others, c)
			last.err = errors.Join(last.err, err)
			continue
		}
		all = append(all, Fact{Field: field, Constant: c, err: err})
	}
	return all
}

// constant reads the cells of a fact from its value on.
func (s *sources) constant(cells string) (Constant, error) {
	c := cut(cells)
	q, err := value(c[0])
	if err != nil {
		return Constant{}, err
	}
	source, ok := s.find(c[1])
	if !ok {
		return Constant{}, phrase.Fault{
			What:   phrase.New("hardware.no-source", "source", c[1]),
			Remedy: phrase.New("hardware.add-source"),
		}
	}
	date := c[2]
	if date == "" {
		date = source.Date
	}
	return Constant{Value: q, Text: c[0], Source: source, Date: date, Doubt: c[3], Note: c[4]}, nil
}

// value reads a number with its unit.
func value(text string) (quantity.Quantity, error) {
	q, n, err := quantity.Literal(text)
	if err == nil && n < len(text) {
		err = phrase.Fault{What: phrase.New("hardware.no-number", "text", text),
			Remedy: phrase.New("hardware.write-number")}
	}
	return q, err
}

// cut splits a line at its tabs; cells that are left out are empty.
func cut(line string) (cells [6]string) {
	line = strings.TrimSuffix(line, "\n")
	for i := range cells {
		cells[i], line, _ = strings.Cut(line, "\t")
	}
	return cells
}

// mostSuggested is how many names a remedy offers.
const mostSuggested = 3

// unknown says that there is no such accelerator: it names those that were probably meant, or else some that many use.
func unknown(id string, ids []string) error {
	remedy := phrase.New("hardware.such-as", "ids",
		phrase.Or([]string{"gpu.h100", "gpu.b200", "gpu.mi355x", "tpu.v6e"}))
	if near := meant(clip(id), ids); len(near) > 0 {
		remedy = phrase.New("hardware.did-you-mean", "names", phrase.Or(near))
	}
	return phrase.Fault{What: phrase.New("hardware.unknown", "id", clip(id)), Remedy: remedy}
}

// meant are the accelerators whose name a word comes near to, the nearest first; a word without a dot is compared with
// what follows the kind. What is missing behind the word counts little.
func meant(word string, ids []string) []string {
	distance := func(id string) int {
		if _, short, _ := strings.Cut(id, "."); !strings.Contains(word, ".") {
			id = short
		}
		if rest, longer := strings.CutPrefix(id, word); longer && word != "" {
			return min(len(rest), 1)
		}
		return spell.Distance(word, id)
	}
	near := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return distance(id) > spell.Limit(word) })
	slices.SortStableFunc(near, func(a, b string) int { return distance(a) - distance(b) })
	return near[:min(len(near), mostSuggested)]
}

// remedyFor names the nearest of the names that exist, however far they are.
func remedyFor(word string, names []string) *phrase.Phrase {
	near := spell.Nearest(clip(word), names, math.MaxInt32, mostSuggested)
	return phrase.New("hardware.did-you-mean", "names", phrase.Or(near))
}

// clip shortens a hostile word.
func clip(word string) string { return spell.Clip(word, 32) }
