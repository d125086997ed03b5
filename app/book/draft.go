package book

import (
	"bytes"
	"path"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// draft is a page under way.
type draft struct {
	b        *builder
	name     string // file name
	src      []byte // the file with its front matter blanked
	starts   []int  // offset of each line
	page     *Page
	ordered  bool // has a place in the reading order
	doc      ast.Node
	problems []Problem
	files    []string // images that it shows as they are

	compiled map[*ast.FencedCodeBlock]compiled
	targets  map[string]*target
	heads    map[*ast.Heading]*head
	sheets   map[*ast.FencedCodeBlock]*sheetBlock
	images   map[*ast.Image]*picture
	labels   map[*ast.Link]string // what a link without text says
	cited    []string             // keys in the order of their first citation
	order    []*ast.Heading
	refsID   string // of the heading of the references

	explained map[string]bool // terms that the page has marked so far

	made    []string // ids that were made up, in the order in which they were
	english []string // those of the same page in English, if the book is in another language
}

// target is something that a link can lead to.
type target struct {
	label   string       // "Figure 1.2"
	heading *ast.Heading // whose text is the label instead
	title   *titleNode   // or whose title is
	claimed string       // where an author wrote its id: file:line:col
}

// head is what the survey knows of a heading.
type head struct{ id, number string }

// newDraft reads one file and parses it.
func (b *builder) newDraft(name string, src []byte) *draft {
	d := &draft{
		b: b, name: name, page: &Page{File: name},
		compiled: map[*ast.FencedCodeBlock]compiled{}, targets: map[string]*target{}, heads: map[*ast.Heading]*head{},
		sheets: map[*ast.FencedCodeBlock]*sheetBlock{}, images: map[*ast.Image]*picture{},
		labels: map[*ast.Link]string{}, explained: map[string]bool{},
	}
	if line, col, what, remedy := Foreign(src); what != "" {
		d.problemLine(line, col, what, remedy)
		if Encoding(src) != "" {
			src = nil
		}
	}
	if english := b.cfg.Source.file(name); english != nil {
		d.english = english.draft.made
	}
	src = Normalise(src)
	d.starts = lineStarts(src)
	if !utf8.Valid(src) {
		d.problemAt(0, "not valid UTF-8", "save the file as UTF-8")
		src = bytes.ToValidUTF8(src, []byte("?"))
		d.starts = lineStarts(src)
	}
	d.src = d.front(src)
	d.doc = newParser().Parse(text.NewReader(d.src))
	return d
}

// Normalise is a chapter as the book reads it: without a byte order mark, carriage returns and NULs. The places of
// [Texts] are in it.
func Normalise(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	src = bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
	return bytes.ReplaceAll(src, []byte{0}, []byte("\ufffd"))
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// place turns an offset into a 1-based line and a column in characters.
func (d *draft) place(offset int) (line, col int) {
	offset = max(0, min(offset, len(d.src)))
	line = sort.SearchInts(d.starts, offset+1)
	return line, utf8.RuneCount(d.src[d.starts[line-1]:offset]) + 1
}

// problemAt reports a fault at an offset of the file.
func (d *draft) problemAt(offset int, what, remedy string) {
	line, col := 1, 1
	if offset > 0 && d.src != nil {
		line, col = d.place(offset)
	} else if offset > 0 { // the front matter is still being read
		line = sort.SearchInts(d.starts, offset+1)
	}
	d.problemLine(line, col, what, remedy)
}

func (d *draft) problemLine(line, col int, what, remedy string) {
	d.problems = append(d.problems, Problem{File: d.b.path(d.name), Line: line, Col: col, What: what, Remedy: remedy})
}

// problem reports a fault at a node.
func (d *draft) problem(n ast.Node, what, remedy string) { d.problemAt(posOf(n), what, remedy) }

// at is where a node begins: file:line:col.
func (d *draft) at(n ast.Node) string {
	line, col := d.place(posOf(n))
	return d.b.path(d.name) + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
}

// posOf returns where a node begins, or where the nearest node that knows its place does.
func posOf(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if t, ok := n.(*ast.Text); ok {
			return t.Segment.Start
		}
		if p := n.Pos(); p >= 0 {
			return p
		}
		for c := n.FirstChild(); c != nil; c = c.FirstChild() {
			if t, ok := c.(*ast.Text); ok {
				return t.Segment.Start
			}
		}
	}
	return 0
}

// walk calls f for every node in the order of the text, entering; f returns false to skip the node's children.
func walk(n ast.Node, f func(ast.Node) bool) {
	if !f(n) {
		return
	}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		walk(c, f)
		c = next
	}
}

// sheetBlock is a fence that holds a sheet.
type sheetBlock struct {
	mode string // "sheet", "sheet-example" or "sheet-error"
	src  Source
	compiled
}

// Kind says what part a page plays in the book.
type Kind string

// The kinds of page.
const (
	Home    Kind = "home"       // the front page; its address is the base path
	Chapter Kind = "chapter"    // a numbered chapter
	Plain   Kind = "page"       // anything else: reference, errata, about
	Tool    Kind = "instrument" // the page of an instrument, which may be wider than prose
)

// frontKeys are the keys that front matter may hold.
var frontKeys = []string{"title", "subtitle", "description", "also", "kind", "number", "order", "slug", "authors",
	"date", "picture"}

// frontTexts are the keys whose values are texts for readers.
var frontTexts = []string{"title", "subtitle", "description", "also"}

// front fills the page from the front matter at the head of src and returns src with those lines blanked,
// so that every offset, line and column behind them stays true.
func (d *draft) front(src []byte) []byte {
	d.page.Kind, d.page.Slug = Plain, strings.TrimSuffix(path.Base(d.name), ".md")
	if d.page.Slug == "index" {
		d.page.Kind = Home
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	if strings.TrimRight(string(lines[0]), "\n \t") != "---" {
		d.problemAt(0, "no front matter", "begin the file with lines of `key: value` between two lines of `---`")
		return src
	}
	offset := len(lines[0])
	out := append([]byte(nil), src...)
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		text := strings.TrimRight(string(line), "\n \t")
		if text == "---" {
			blank(out[:offset+len(line)])
			d.applyFrontDefaults(seen)
			return out
		}
		d.frontLine(offset, text, seen)
		offset += len(line)
	}
	d.problemAt(0, "front matter without an end", "close it with a line of `---`")
	return src
}

// blank turns everything but line ends into spaces.
func blank(b []byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
}

// frontLine reads one `key: value`.
func (d *draft) frontLine(offset int, line string, seen map[string]bool) {
	if line == "" || strings.HasPrefix(line, "#") {
		return
	}
	key, value, ok := strings.Cut(line, ":")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok {
		d.problemAt(offset, "front matter line without a colon", "write `key: value`")
		return
	}
	if seen[key] {
		d.problemAt(offset, "`"+key+"` given twice", "keep one")
		return
	}
	seen[key] = true
	if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		value = value[1 : len(value)-1]
	}
	d.frontValue(offset, key, value)
}

// frontValue sets what one key says.
func (d *draft) frontValue(offset int, key, value string) {
	p := d.page
	switch key {
	case "title":
		p.Title = value
	case "subtitle":
		p.Subtitle = value
	case "description":
		p.Description = value
	case "also":
		p.Also = value
	case "authors":
		for a := range strings.SplitSeq(value, ",") {
			if a = strings.TrimSpace(a); a != "" {
				p.Authors = append(p.Authors, a)
			}
		}
	case "kind":
		p.Kind = Kind(value)
		if p.Kind != Home && p.Kind != Chapter && p.Kind != Plain && p.Kind != Tool {
			d.problemAt(offset, "unknown kind `"+value+"`", "write home, chapter, page or instrument")
		}
	case "number", "order":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 9999 {
			d.problemAt(offset, "`"+key+"` is not a whole number: "+value, "write 0, 1, 2, ...")
			return
		}
		if key == "number" {
			p.Number = strconv.Itoa(n)
		} else {
			p.Order, d.ordered = n, true
		}
	case "picture":
		p.Picture = value
	case "slug":
		p.Slug = value
		if !validID(value) {
			d.problemAt(
				offset,
				"slug `"+value+"` does not fit an address",
				"use letters, digits and single dashes, a letter first",
			)
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			d.problemAt(offset, "the date `"+value+"` is none", "write it as 2026-11-21")
			return
		}
		p.Day = value
	default:
		d.problemAt(
			offset,
			"unknown key `"+key+"` in the front matter",
			suggest(key, frontKeys, "known are "+strings.Join(frontKeys, ", ")),
		)
	}
}

// applyFrontDefaults applies the defaults that depend on several keys.
func (d *draft) applyFrontDefaults(seen map[string]bool) {
	p := d.page
	if p.Title == "" {
		d.problemAt(0, "a page without a title", "add `title: ...` to the front matter")
	}
	if p.Kind == Chapter && p.Number == "" {
		d.problemAt(0, "a chapter without a number", "add `number: 1` to the front matter")
	}
	if p.Kind == Home {
		p.Slug = ""
		d.ordered = true
	}
	if p.Number != "" && !seen["order"] {
		p.Order, _ = strconv.Atoi(p.Number)
		d.ordered = true
	}
}

// validID says whether an author may use s as an id or a slug. Two dashes in a row and colons are the machine's own.
func validID(s string) bool {
	if s == "" || len(s) > 80 || !isLetter(s[0]) || strings.Contains(s, "--") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
