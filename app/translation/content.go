package translation

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/book"
)

// Content is a content folder in a language.
type Content struct {
	fs.FS
	language *Language
	dir      string
	files    map[string]*translated
}

// translated is a file in the language.
type translated struct {
	english []int    // where a block begins that is still in English
	lines   []origin // by line: where it comes from
	counts  Count    // of its messages
	faults  []book.Problem
}

// origin is where a line of a translated file comes from: a line of the English one and, if a translation begins in it,
// one of the language's file.
type origin struct{ english, po int }

// Content is the folder with the sentences of the language; dir is how problems name it.
func (l *Language) Content(content fs.FS, dir string) (*Content, error) {
	c := &Content{language: l, dir: dir, files: map[string]*translated{}}
	over := fstest.MapFS{}
	err := eachFile(content, dir, func(name string, src []byte, spans []span) {
		out, t := l.apply(src, spans, strings.HasSuffix(name, ".svg"))
		c.files[name] = t
		over[name] = &fstest.MapFile{Data: out}
	})
	if err != nil {
		return nil, err
	}
	c.FS = layered{over, content}
	return c, nil
}

// layered is a folder whose files hide those of another.
type layered struct {
	over  fstest.MapFS
	under fs.FS
}

func (l layered) Open(name string) (fs.File, error) {
	if _, there := l.over[name]; there {
		return l.over.Open(name)
	}
	return l.under.Open(name)
}

// ReadDir lists the folder below: the one above has no files of its own.
func (l layered) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(l.under, name) }

// apply puts translations in the place of the texts of a file.
func (l *Language) apply(src []byte, spans []span, drawing bool) ([]byte, *translated) {
	t := &translated{}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	line := 1
	put := func(text []byte, po int) {
		if out.Len() == 0 {
			t.lines = append(t.lines, origin{english: 1})
		}
		if po > 0 {
			t.lines[len(t.lines)-1].po = po
		}
		for _, c := range text {
			if c == '\n' {
				t.lines = append(t.lines, origin{})
			}
		}
		out.Write(text)
	}
	copyTo := func(to int) {
		for _, part := range bytes.SplitAfter(src[at:to], []byte("\n")) {
			put(part, 0)
			if bytes.HasSuffix(part, []byte("\n")) {
				line++
				t.lines[len(t.lines)-1].english = line
			}
		}
		at = to
	}
	for _, s := range spans {
		t.counts.All++
		copyTo(s.from)
		str, poLine := l.of(s.text)
		switch m := l.byKey[s.text]; {
		case m != nil && m.Fuzzy():
			t.counts.Fuzzy++
		case str == "":
			t.counts.Missing++
		}
		if str != "" {
			if what, remedy := check(s.text, str, s.kind); what != "" {
				t.faults = append(t.faults, l.fault(poLine, what, remedy))
				str = ""
			}
		}
		if str == "" {
			if s.block {
				t.english = append(t.english, out.Len())
			}
			copyTo(s.to)
			continue
		}
		put([]byte(written(s, str, drawing)), poLine)
		line += bytes.Count(src[at:s.to], []byte("\n"))
		at = s.to
	}
	copyTo(len(src))
	return out.Bytes(), t
}

// written is a translation as it stands in its file.
func written(s span, str string, drawing bool) string {
	switch {
	case drawing:
		return html.EscapeString(str)
	case s.quoted:
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(str)
	}
	return str
}

// English says whether the block at an offset of a file is still in English.
func (c *Content) English(file string, offset int) bool {
	t := c.files[file]
	if t == nil {
		return false
	}
	i := sort.SearchInts(t.english, offset)
	return i < len(t.english) && t.english[i] == offset
}

// Problems are what is wrong with the translations of the folder.
func (c *Content) Problems() (all []book.Problem) {
	for _, t := range c.files {
		all = append(all, t.faults...)
	}
	slices.SortFunc(all, func(a, b book.Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.What, b.What)
	})
	return slices.Compact(all)
}

// Place is a problem of a translated file at its place: in the language's file, if a translation stands on its line.
func (c *Content) Place(p book.Problem) book.Problem {
	t := c.files[strings.TrimPrefix(p.File, c.dir+"/")]
	if t == nil || p.Line < 1 || p.Line > len(t.lines) {
		return p
	}
	from := t.lines[p.Line-1]
	if from.po == 0 {
		if from.english > 0 {
			p.Line = from.english
		}
		return p
	}
	p.What += fmt.Sprintf(" (the translation of %s:%d)", p.File, from.english)
	p.File, p.Line, p.Col = c.language.name, from.po, 1
	return p
}

// Pages are how far the translation of each file is.
func (c *Content) Pages() map[string]Count {
	out := map[string]Count{}
	for name, t := range c.files {
		out[name] = t.counts
	}
	return out
}
