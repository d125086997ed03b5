package translation

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/sheet/syntax"
)

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
			if toks[0].Is("ask") {
				role = "question"
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
