package book

import (
	"bytes"
	"sort"
	"strconv"
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
	src = normalise(src)
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

// normalise drops a byte order mark, carriage returns and NULs.
func normalise(src []byte) []byte {
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
