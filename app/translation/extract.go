package translation

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/po"
)

// kind is how a text is written, and with that what a translation of it must keep.
type kind uint8

const (
	markdown kind = iota // of a block: formulas, code, live numbers, links, numbers
	plain                // of front matter, attributes, drawings, comments: numbers
	label                // of a sheet: {gaps}
	sentence             // of the machinery: {gaps}
)

// span is a text in a file, to be put in the place of.
type span struct {
	piece
	kind  kind
	line  int
	notes []string
	block bool // a block of its own, which can be marked as being in English
	cell  bool // of a table, where | parts cells
}

// Extract gathers the messages of a content folder, called dir in references, and of the machinery.
func Extract(content fs.FS, dir string) (*po.File, error) {
	x := &extractor{seen: map[string]*po.Message{}}
	err := eachFile(content, dir, func(name string, _ []byte, spans []span) {
		for _, s := range spans {
			x.add(s.text, "", fmt.Sprintf("%s/%s:%d", dir, name, s.line), s.notes)
		}
	})
	if err != nil {
		return nil, err
	}
	x.machinery()
	return &po.File{
		Comments: []string{
			"Every sentence that a reader of Scalebook sees, for translators. Written by `make messages`: don't edit.",
			"Formulas, code, {{...}}, [[...]], {...}, the addresses of links and numbers stay as they are; " +
				"their order may change.",
		},
		Header: []string{
			"Project-Id-Version: scalebook", "MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8",
			"Content-Transfer-Encoding: 8bit", "Plural-Forms: nplurals=2; plural=n != 1;",
		},
		Messages: x.all,
	}, nil
}

// files are the chapters and drawings of a content folder, in their order.
func files(content fs.FS) ([]string, error) {
	var names []string
	for _, pattern := range []string{"*.md", "figures/*.svg"} {
		found, err := fs.Glob(content, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

type extractor struct {
	all  []*po.Message
	seen map[string]*po.Message
}

// mostRefs is after how many places a message names no more of them.
const mostRefs = 6

func (x *extractor) add(text, plural, ref string, notes []string) {
	key := po.Key("", text)
	m := x.seen[key]
	if m != nil && m.Plural != plural {
		key = po.Key("count", text)
		m = x.seen[key]
	}
	if m == nil {
		m = &po.Message{ID: text, Plural: plural, Str: []string{""}}
		if context, id, found := strings.Cut(key, "\x04"); found {
			m.Context, m.ID = context, id
		}
		if plural != "" {
			m.Str = []string{"", ""}
		}
		x.seen[key] = m
		x.all = append(x.all, m)
	}
	if len(m.Refs) < mostRefs && !slices.Contains(m.Refs, ref) {
		m.Refs = append(m.Refs, ref)
	}
	for _, note := range notes {
		if len(m.Notes) < mostRefs && !slices.Contains(m.Notes, note) {
			m.Notes = append(m.Notes, note)
		}
	}
}

// machinery adds what is said by programs.
func (x *extractor) machinery() {
	for _, file := range phrase.English() {
		for i, line := range slices.Collect(strings.Lines(file.Lines)) {
			key, text, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			ref := file.Name + ":" + strconv.Itoa(i+1)
			if key == "site.lang" || !translatable(text, sentence) || strings.HasSuffix(key, ".other") && phrase.Counted(key) {
				continue
			}
			plural := ""
			if one, ok := strings.CutSuffix(key, ".one"); ok {
				plural = phrase.Phrases{}.Sentence(one + ".other")
			}
			x.add(text, plural, ref, []string{"machinery: " + key})
		}
	}
}

// eachFile calls f for each file of a folder whose texts are translated, with those texts.
func eachFile(content fs.FS, dir string, f func(name string, src []byte, spans []span)) error {
	names, err := files(content)
	if err != nil {
		return err
	}
	for _, name := range names {
		src, err := fs.ReadFile(content, name)
		if err != nil {
			return err
		}
		src = book.Normalise(src)
		spans, err := spansOf(name, src)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", dir, name, err)
		}
		f(name, src, spans)
	}
	return nil
}

// spansOf are the texts of a file.
func spansOf(name string, src []byte) ([]span, error) {
	if strings.HasSuffix(name, ".svg") {
		return drawingSpans(name, src)
	}
	var all []span
	for _, t := range book.Texts(name, src) {
		if t.Role == book.InFence {
			all = append(all, fenceSpans(name, t)...)
			continue
		}
		s := span{piece: piece{from: t.From, to: t.To, text: t.Text}, line: t.Line, kind: markdown}
		what := string(t.Role)
		switch t.Role {
		case book.InFront, book.InAttr:
			s.kind = plain
			what = t.Info
		case book.InProse, book.InHeading, book.InTerm, book.InCell, book.InTitle:
			s.block, s.cell = true, t.Role == book.InCell
		}
		s.notes = []string{note(name, what, t.Under)}
		if translatable(s.text, s.kind) {
			all = append(all, s)
		}
	}
	return all, nil
}

func note(name, what, under string) string {
	text := strings.TrimSuffix(name, ".md") + ", " + what
	if under != "" {
		text += ", in “" + under + "”"
	}
	return text
}

// fenceSpans are the texts of a sheet or of a program.
func fenceSpans(name string, t book.Text) (all []span) {
	mode, id, _ := strings.Cut(t.Info, " ")
	id, _, _ = strings.Cut(strings.TrimSpace(id), " ")
	pieces := codePieces(mode, t.Text)
	what := mode + " code"
	if strings.HasPrefix(mode, "sheet") {
		pieces = append(pieces, sheetPieces(t.Text)...)
		what = "sheet " + id
	}
	slices.SortFunc(pieces, func(a, b piece) int { return a.from - b.from })
	starts := []int{0}
	for line := range strings.Lines(t.Text) {
		starts = append(starts, starts[len(starts)-1]+len(line))
	}
	for _, p := range pieces {
		line, found := slices.BinarySearch(starts, p.from)
		if !found {
			line--
		}
		if line >= len(t.Starts) {
			continue
		}
		shift := t.Starts[line] - starts[line]
		k := label
		if p.role == "comment" {
			k = plain
		}
		s := span{piece: p, kind: k, line: t.Line + line, notes: []string{note(name, what+", "+p.role, t.Under)}}
		s.from, s.to = p.from+shift, p.to+shift
		if translatable(s.text, k) {
			all = append(all, s)
		}
	}
	return all
}

func drawingSpans(name string, src []byte) (all []span, err error) {
	pieces, err := drawingPieces(src)
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if translatable(p.text, plain) {
			line := 1 + bytes.Count(src[:p.from], []byte("\n"))
			all = append(all, span{piece: p, kind: plain, line: line, notes: []string{note(name, p.role, "")}})
		}
	}
	return all, nil
}

// words are what a translator has to do with: two small letters or more, or a single word.
var words = regexp.MustCompile(`(?:^|[^\pL\pN_])[\p{L}]?[’'\p{Ll}]*\p{Ll}{2,}(?:$|[^\pL\pN_])`)

// translatable says whether a text has words besides what a translation must keep.
func translatable(text string, k kind) bool {
	switch k {
	case markdown:
		text = book.Words(text)
	case label, sentence:
		for {
			before, name, after := phrase.Gap(text)
			if name == "" {
				break
			}
			text = before + " " + after
		}
	case plain:
	}
	return words.MatchString(text)
}
