package build

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// language is the package whose files hold the sentences, a key, a tab and a sentence a line.
const language = "app/phrase"

// shortenKeys gives the keys of sentences three letters in the compiled program, in the language's files and in every
// file of ours that names one. Nobody sees them, and each stands in the program twice.
func (b *builder) shortenKeys(parts []part) error {
	short := map[string]string{}
	for _, p := range parts {
		if p.Standard || !strings.HasSuffix(p.ImportPath, language) {
			continue
		}
		for i, name := range p.EmbedFiles {
			if err := b.rewrite(p.Dir, name, func(text []byte) []byte { return shortLines(text, i, short) }); err != nil {
				return err
			}
		}
	}
	for _, p := range parts {
		if p.Standard || len(short) == 0 {
			continue
		}
		for _, name := range p.GoFiles {
			if err := b.rewrite(p.Dir, name, func(text []byte) []byte { return shortLiterals(text, short) }); err != nil {
				return err
			}
		}
	}
	return b.saveOverlay()
}

// rewrite lets a changed copy stand in for a file of ours.
func (b *builder) rewrite(dir, name string, change func([]byte) []byte) error {
	path := filepath.Join(dir, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed := change(text)
	if bytes.Equal(changed, text) {
		return nil
	}
	place := filepath.Join(b.temp, fmt.Sprintf("%d-%s", len(b.replace), filepath.Base(name)))
	b.replace[path] = place
	return os.WriteFile(place, changed, 0o666)
}

// shortLines are the lines of the file of that number with short keys, in their order, and notes what each key becomes.
// A key is two names with a dot; what follows it (.one, .other) stays.
func shortLines(text []byte, file int, short map[string]string) []byte {
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, line := range lines {
		key, sentence, _ := strings.Cut(line, "\t")
		room, rest, _ := strings.Cut(key, ".")
		name, form, counted := strings.Cut(rest, ".")
		key = room + "." + name
		if short[key] == "" {
			short[key] = strconv.FormatInt(int64((file+1)*36*36*10+len(short)), 36)
		}
		if counted {
			form = "." + form
		}
		lines[i] = short[key] + form + "\t" + sentence
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}

// shortLiterals is a Go file whose string literals that are keys are short ones.
func shortLiterals(text []byte, short map[string]string) []byte {
	var out bytes.Buffer
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	s.Init(file, text, nil, 0)
	from := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		key, err := strconv.Unquote(lit)
		if tok != token.STRING || err != nil || short[key] == "" {
			continue
		}
		at := file.Offset(pos)
		out.Write(text[from:at])
		out.WriteString(strconv.Quote(short[key]))
		from = at + len(lit)
	}
	out.Write(text[from:])
	return out.Bytes()
}
