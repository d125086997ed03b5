package book

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadingsAreAnswered: each point that readers raised has a place in the book, says what was done, and names what
// holds it: tests that exist, words that are gone, or what was seen where no test can hold it.
func TestReadingsAreAnswered(t *testing.T) {
	points := readPoints(t, "testdata/readings.txt")
	if len(points) < 115 {
		t.Errorf("only %d points", len(points))
	}
	said, tests := textsOfBook(t), testsOfModule(t)
	b := wholeBook()
	for _, p := range points {
		faults := p.lacks()
		for _, place := range p.at {
			faults = append(faults, b.missing(place)...)
		}
		for _, name := range p.held {
			if !tests[name] {
				faults = append(faults, "there is no test "+name)
			}
		}
		faults = append(faults, p.quotesIn(said)...)
		for _, fault := range faults {
			t.Errorf("testdata/readings.txt:%d: %s: %s", p.line, p.title, fault)
		}
	}
}

// point is what a reader raised: lines of testdata/readings.txt below its title, by the word that they begin with.
type point struct {
	line           int
	title          string
	at, held       []string // "training#tp", a file such as "app/site/search", names of tests
	gone, label    []string // what stood in a text, and what was a whole label
	now            []string // what stands there
	done           []string
	seen, unsolved []string
}

// lacks says what a point must have and has not.
func (p *point) lacks() (faults []string) {
	if len(p.at) == 0 {
		faults = append(faults, "no place: write at PAGE#ID")
	}
	if len(p.done) == 0 {
		faults = append(faults, "nothing was done: write done: what")
	}
	if len(p.held)+len(p.seen)+len(p.gone)+len(p.label) == 0 {
		faults = append(faults, "nothing holds it: write held by, gone, or seen: what")
	}
	return faults
}

// readPoints reads a table of points: a title at the margin, what is said of it below, indented by a tab, and further
// lines of the same by two. Lines with # in front are remarks.
func readPoints(t *testing.T, file string) (points []*point) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\n\t\t", " \r") // a line that goes on keeps its number
	n := 1
	for line := range strings.Lines(text) {
		at := n
		n += 1 + strings.Count(line, "\r")
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\r", "")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != '\t':
			points = append(points, &point{line: at, title: line})
		case len(points) == 0:
			t.Fatalf("%s:%d: %q stands below no point", file, at, line)
		default:
			if err := points[len(points)-1].read(strings.TrimSpace(line)); err != nil {
				t.Errorf("%s:%d: %v", file, at, err)
			}
		}
	}
	return points
}

// read takes what a line says of a point.
func (p *point) read(line string) error {
	for begins, into := range map[string]*[]string{"at ": &p.at, "held by ": &p.held} {
		if rest, ok := strings.CutPrefix(line, begins); ok {
			*into = append(*into, strings.Fields(rest)...)
			return nil
		}
	}
	word, rest, _ := strings.Cut(line, ": ")
	into, ok := map[string]*[]string{"done": &p.done, "seen": &p.seen, "left": &p.unsolved, "gone": &p.gone,
		"gone label": &p.label, "now": &p.now}[word]
	quote := word == "gone" || word == "gone label" || word == "now"
	switch {
	case !ok:
		return fmt.Errorf("%q: want at, done:, held by, seen:, gone:, gone label:, now: or left:", line)
	case strings.TrimSpace(rest) == "":
		return fmt.Errorf("%q says nothing", line)
	case quote && (len(rest) < 3 || rest[0] != '"' || rest[len(rest)-1] != '"'):
		return fmt.Errorf("%q: want words in quotation marks", line)
	case quote:
		rest = rest[1 : len(rest)-1]
	}
	*into = append(*into, rest)
	return nil
}

// missing says what of a place isn't there: the page, or what it has by that id. What no page has lies in a file.
func (b *Book) missing(place string) []string {
	if strings.Contains(place, "/") {
		if _, err := os.Stat("../../" + place); err != nil {
			return []string{"there is no file " + place}
		}
		return nil
	}
	name, id, ofPage := strings.Cut(place, "#")
	page := b.file(name + ".md")
	switch {
	case page == nil:
		return []string{"there is no page " + name}
	case ofPage && (id == "" || page.draft.targets[id] == nil):
		return []string{"there is no " + id + " in " + name}
	}
	return nil
}

// quotesIn says which words that must be gone still stand in a text, and which words that came for them don't.
func (p *point) quotesIn(said []reading) (faults []string) {
	for _, quote := range p.gone {
		for part := range strings.SplitSeq(quote, "...") {
			words := wordsOf(part)
			if strings.TrimSpace(words) == "" {
				faults = append(faults, fmt.Sprintf("no words in %q", quote))
			}
			for _, in := range said {
				if strings.Contains(in.words, words) {
					faults = append(faults, fmt.Sprintf("%q still stands in %s", part, in.file))
				}
			}
		}
	}
	for _, label := range p.label {
		for _, in := range said {
			if slices.Contains(in.labels, wordsOf(label)) {
				faults = append(faults, fmt.Sprintf("%q is still a label in %s", label, in.file))
			}
		}
	}
	for _, quote := range p.now {
		words := wordsOf(quote)
		if !slices.ContainsFunc(said, func(in reading) bool {
			return p.mayBe(in) && strings.Contains(in.words, words)
		}) {
			faults = append(faults, fmt.Sprintf("%q does not stand there", quote))
		}
	}
	return faults
}

// mayBe says whether new words of a point may stand in a text: in a page that is its place, or in no page.
func (p *point) mayBe(in reading) bool {
	page, isPage := strings.CutSuffix(in.file, ".md")
	return !isPage || slices.ContainsFunc(p.at, func(place string) bool {
		name, _, _ := strings.Cut(place, "#")
		return name == page
	})
}

// reading is a source of what readers see, as words between spaces, and its labels, each so.
type reading struct {
	file, words string
	labels      []string
}

var (
	linkOf   = regexp.MustCompile(`\[([^\[\]]*)\]\([^()]*\)`)
	numberOf = regexp.MustCompile(`\{\{[^}]*\}\}|\[\[[^\]]*\]\]|\{[a-zA-Z_]+\}|[0-9]+([.,][0-9]+)*`)
	wordsIn  = regexp.MustCompile(`[\p{L}\p{N}§/%]+`)
	labelOf  = regexp.MustCompile(`"([^"\n]*)"`)
)

// wordsOf are the words of a text in lower case, a space around each. Marks, the ends of lines and signs between words
// make no difference, and each number, typed or from a sheet, is a §, with a percent sign or without.
func wordsOf(s string) string {
	s = linkOf.ReplaceAllString(strings.ToLower(s), "$1")
	s = numberOf.ReplaceAllString(s, " § ")
	s = strings.NewReplacer("’", "", "'", "", "%", " ").Replace(s)
	return " " + strings.Join(wordsIn.FindAllString(s, -1), " ") + " "
}

// textsOfBook are the pages and the sentences of the program.
func textsOfBook(t *testing.T) (all []reading) {
	t.Helper()
	files, err := filepath.Glob("../../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "../phrase/en.txt", "../phrase/en.site.txt", "../library/fields.tsv",
		"../training/assumptions.tsv", "../training/estimate.go", "../measured/breaks.tsv") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in := reading{file: filepath.Base(file), words: wordsOf(string(data))}
		for line := range strings.Lines(string(data)) {
			for _, m := range labelOf.FindAllStringSubmatch(line, -1) {
				in.labels = append(in.labels, wordsOf(m[1]))
			}
			cells := strings.Split(strings.ReplaceAll(line, "|", "\t"), "\t")
			for _, cell := range cells[1:] { // a line of prose is no cell
				in.labels = append(in.labels, wordsOf(cell))
			}
		}
		all = append(all, in)
	}
	return all
}

var testOf = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(t \*testing\.T\)`)

// testsOfModule are the names of all tests.
func testsOfModule(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	for _, folder := range []string{"../../app", "../../wasm"} {
		err := filepath.WalkDir(folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, "_test.go") {
				return err
			}
			data, err := os.ReadFile(file)
			for _, m := range testOf.FindAllSubmatch(data, -1) {
				tests[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tests
}
