package translation

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/po"
	"github.com/scalebook/scalebook/app/sheet/syntax"
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
	x := &extractor{seen: map[string]*po.Message{}, nouns: map[string]bool{}}
	err := eachFile(content, dir, func(name string, _ []byte, spans []span) {
		for _, s := range spans {
			x.nouns[s.text] = x.nouns[s.text] || s.role == nounRole
			x.add(s.text, "", fmt.Sprintf("%s/%s:%d", dir, name, s.line), s.notes)
		}
	})
	if err != nil {
		return nil, err
	}
	x.machinery()
	x.shown(content, dir)
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
	all   []*po.Message
	seen  map[string]*po.Message
	nouns map[string]bool // what sheets count: "nodes", which stands behind each number
}

// alone is the context of what the machinery says where a sheet counts by the same word. Behind a number, a language
// may need another form of it.
const alone = "not behind a number"

// mostRefs is after how many places a message names no more of them.
const mostRefs = 6

func (x *extractor) add(text, plural, ref string, notes []string) {
	key := po.Key("", text)
	if m := x.seen[key]; m != nil && m.Plural != plural {
		key = po.Key("count", text)
	}
	x.addKey(key, text, plural, ref, notes)
}

// addKey adds a message by its key: its text, with a context where it has one.
func (x *extractor) addKey(key, text, plural, ref string, notes []string) {
	m := x.seen[key]
	if m == nil {
		m = &po.Message{ID: text, Plural: plural, Str: []string{""}}
		m.Context, _, _ = strings.Cut(strings.TrimSuffix(key, text), "\x04")
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
			if key == "site.lang" || !translatable(text, sentence) || strings.HasSuffix(key, ".other") &&
				phrase.Counted(key) {
				continue
			}
			plural := ""
			if one, ok := strings.CutSuffix(key, ".one"); ok {
				plural = phrase.Phrases{}.Sentence(one + ".other")
			}
			notes := []string{"machinery: " + key}
			if plural == "" && x.nouns[text] {
				x.addKey(po.Key(alone, text), text, "", ref, notes)
				continue
			}
			x.add(text, plural, ref, notes)
		}
	}
}

// shown adds what tables, menus and drawings show of the program's data.
func (x *extractor) shown(content fs.FS, dir string) {
	for i, w := range shownWords(content, "po/"+WordsFile) {
		ref := fmt.Sprintf("%s/po/%s:%d", dir, WordsFile, i+1)
		x.addKey(po.Key(w.context, w.text), w.text, "", ref, []string{"in a table, a menu or a drawing"})
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

// words are what a translator has to do with: two small letters or more, or a little word such as that of "On GPUs".
var words = regexp.MustCompile(
	`(?:^|[^\pL\pN_])(?:[\p{L}]?[’'\p{Ll}]*\p{Ll}{2,}|An|As|At|By|If|In|No|Of|On|Or|So|To)(?:$|[^\pL\pN_])`)

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

// drawingPieces are the texts of an SVG file: what it is called, how it is described, and what is written in it.
func drawingPieces(src []byte) (all []piece, err error) {
	dec := xml.NewDecoder(bytes.NewReader(src))
	var within []string
	for {
		from := int(dec.InputOffset())
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("a drawing that can't be read: %w", err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			within = append(within, t.Name.Local)
		case xml.EndElement:
			within = within[:len(within)-1]
		case xml.CharData:
			raw := string(src[from:dec.InputOffset()])
			body := strings.TrimSpace(raw)
			if len(within) == 0 || body == "" {
				continue
			}
			switch role := within[len(within)-1]; role {
			case "title", "desc", "text", "tspan":
				at := from + strings.Index(raw, body)
				text := html.UnescapeString(strings.Join(strings.Fields(body), " "))
				all = append(all, piece{from: at, to: at + len(body), text: text, role: role})
			}
		}
	}
}

// piece is a text within another one.
type piece struct {
	from, to int // bytes; of a text in quotation marks, what stands between them
	text     string
	role     string // "title", "label"
	quoted   bool   // escapes \" and \\
}

// sheetPieces are the texts of a sheet that a reader sees: its title, the labels, questions, captions and names of
// choices, what numbers count, and sentences that are values.
func sheetPieces(src string) (all []piece) {
	var errs syntax.Errors
	toks := syntax.Lex(src, &errs).Toks
	begin := 0
	for i := range toks {
		if toks[i].Kind == syntax.TokEnd {
			all = append(all, statementPieces(toks[begin:i])...)
			begin = i + 1
		}
	}
	return all
}

// InWords is a sheet whose texts for readers are put into other words.
func InWords(src string, word func(text string) string) string {
	var b strings.Builder
	at := 0
	for _, p := range sheetPieces(src) {
		b.WriteString(src[at:p.from] + written(span{piece: p}, word(p.text), false))
		at = p.to
	}
	return b.String() + src[at:]
}

// nounRole is the role of what a number of a sheet counts.
const nounRole = "noun behind a number"

func statementPieces(toks []syntax.Token) (all []piece) {
	depth := 0
	for i := range toks {
		t := &toks[i]
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case toks[0].Is("expect"):
		case t.Kind == syntax.TokText:
			all = append(all, piece{from: t.Off, to: t.End, text: t.Text, role: "title"})
		case t.Kind == syntax.TokString && (i > 0 && depth == 0 && !wantsValue(&toks[i-1]) || isSentence(t.Text)):
			role := "label"
			switch {
			case toks[0].Is("ask"):
				role = "question"
			case i > 0 && toks[i-1].Is("as"):
				role = nounRole
			}
			all = append(all, piece{from: t.Off + 1, to: t.End - 1, text: t.Text, role: role, quoted: true})
		}
	}
	return all
}

// wantsValue says whether what stands behind a token is a value and no label.
func wantsValue(t *syntax.Token) bool {
	switch t.Kind {
	case syntax.TokName:
		return strings.Contains(" of when and or not check where in to at ", " "+t.Text+" ")
	case syntax.TokNumber, syntax.TokString:
		return false
	}
	return !t.Is(")")
}

// isSentence tells a value that is said to readers from a name or a setting: four words or more, no equals sign.
func isSentence(s string) bool {
	const least = 4
	words := 0
	for word := range strings.FieldsSeq(s) {
		first, _ := utf8.DecodeRuneInString(word)
		strange := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("’'.,:;-…{}", r) }
		if unicode.IsLetter(first) && strings.IndexFunc(word, strange) < 0 {
			words++
		}
	}
	return words >= least && !strings.ContainsAny(s, "=_/")
}

// codePieces are the comments of a program.
func codePieces(language, src string) (all []piece) {
	mark := map[string]string{
		"python": "# ", "py": "# ", "bash": "# ", "sh": "# ", "yaml": "# ", "toml": "# ", "go": "// ",
		"sheet": "# ", "sheet-example": "# ", "sheet-error": "# ",
	}[language]
	if mark == "" {
		return nil
	}
	offset := 0
	for line := range strings.Lines(src) {
		body := strings.TrimRight(line, "\n \t")
		at := strings.Index(body, mark)
		if at >= 0 && (at == 0 || body[at-1] == ' ' || body[at-1] == '\t') && !strings.HasPrefix(body, "#!") &&
			strings.Count(body[:at], `"`)%2 == 0 {
			text := strings.TrimLeft(body[at+len(mark):], " ")
			from := offset + len(body) - len(text)
			if text != "" {
				all = append(all, piece{from: from, to: from + len(text), text: text, role: "comment"})
			}
		}
		offset += len(line)
	}
	return all
}
