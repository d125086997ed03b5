package build

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// language is the package whose files hold the sentences, a key, a tab and a sentence a line, and whose laterFile says
// where those are that come later: natively nowhere.
const (
	language  = "app/phrase"
	laterFile = "later.go"
)

// The files that hold the sentences of later modules, which only the compiled program has, and the functions that read
// them, in the linker's spelling.
const (
	chaptersText     = "en.chapters.txt"
	plannersText     = "en.planners.txt"
	readersText      = "en.readers.txt"
	chapterSentences = "github.com_scalebook_scalebook_app_phrase.later"
	plannerSentences = "github.com_scalebook_scalebook_app_phrase.forPlanners"
	readerSentences  = "github.com_scalebook_scalebook_app_phrase.forReaders"
)

// laterSentences takes the place of laterFile in a program in modules.
const laterSentences = `package phrase

import _ "embed" // the sentences of later modules

//go:embed ` + chaptersText + `
var chapters string

//go:embed ` + plannersText + `
var planners string

//go:embed ` + readersText + `
var readers string

// later finds a sentence that comes later.
func later(key string) (string, bool) {
	if s, ok := find(chapters, key); ok {
		return s, true
	}
	return forPlanners(key)
}

func forPlanners(key string) (string, bool) {
	if s, ok := find(planners, key); ok {
		return s, true
	}
	return forReaders(key)
}

func forReaders(key string) (string, bool) { return find(readers, key) }
`

// notedSentences takes its place in a program that notes what it says.
const notedSentences = `package phrase

import (
	_ "embed" // all sentences
	"syscall/js"
)

//go:embed ` + chaptersText + `
var chapters string

func later(key string) (string, bool) {
	if said := js.Global().Get("said"); said.Truthy() {
		said.Invoke(key)
	}
	return find(chapters, key)
}
`

// errLanguage says that the package of the language has another shape.
var errLanguage = errors.New("wasm/build: " + language + " has no one file of sentences beside " + laterFile)

// sentences are the lines of the language's file and where its package is.
func sentences(parts []part) (dir, file string, lines []string, err error) {
	for _, p := range parts {
		if p.Standard || !strings.HasSuffix(p.ImportPath, language) {
			continue
		}
		if len(p.EmbedFiles) != 1 || !slices.Contains(p.GoFiles, laterFile) {
			break
		}
		text, err := os.ReadFile(filepath.Join(p.Dir, p.EmbedFiles[0]))
		return p.Dir, p.EmbedFiles[0], strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n"), err
	}
	return "", "", nil, errLanguage
}

// keyOf is the key of a sentence, two names with a dot, and what follows it (.one, .other).
func keyOf(line string) (key, form, sentence string) {
	all, sentence, _ := strings.Cut(line, "\t")
	of, rest, _ := strings.Cut(all, ".")
	name, form, counted := strings.Cut(rest, ".")
	if counted {
		form = "." + form
	}
	return of + "." + name, form, sentence
}

// partSentences gives the keys of sentences three letters in the compiled program, in the language's file and in every
// file of ours that names one: nobody sees them, and each stands in the program twice. In a program in modules it parts
// the sentences by when they are said.
func (b *builder) partSentences(parts []part) error {
	dir, file, lines, err := sentences(parts)
	if err != nil {
		return err
	}
	short := shortKeys(lines)
	texts, listed := [modules][]string{}, names(listedSentences)
	for _, line := range lines {
		key, form, sentence := keyOf(line)
		k := inChapters
		if listed[key] || !b.splits() {
			k = inFirst
		} else if listed[key+plannersEnd] {
			k = inPlanners
		} else if listed[key+readersEnd] {
			k = inReaders
		}
		texts[k] = append(texts[k], short[key]+form+"\t"+strings.TrimSuffix(sentence, "\n")+"\n")
	}
	for k, name := range [modules]string{file, chaptersText, plannersText, readersText} {
		if slices.Sort(texts[k]); k == inFirst || b.splits() {
			if err := b.instead(dir, name, strings.Join(texts[k], "")); err != nil {
				return err
			}
		}
	}
	if b.splits() {
		if err := b.instead(dir, laterFile, laterSentences); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if p.Standard {
			continue
		}
		for _, name := range p.GoFiles {
			if err := b.rewrite(p.Dir, name, func(text []byte) []byte {
				return shortLiterals(text,
					short)
			}); err != nil {
				return err
			}
		}
	}
	return b.saveOverlay()
}

// noteSentences lets the compiled program tell the browser what it says.
func (b *builder) noteSentences(parts []part) error {
	dir, file, lines, err := sentences(parts)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		file: "", chaptersText: strings.Join(lines, ""), laterFile: notedSentences,
	} {
		if err := b.instead(dir, name, text); err != nil {
			return err
		}
	}
	return b.saveOverlay()
}

// plannerFiles are those in which the planners are offered, readerFiles those of what else few pages need, and what
// takes their places in a program without any of it.
var (
	plannerFiles = map[string]string{
		"app/library/planners.go": offersNone("addPlanners"),
		"app/figure/planners.go":  drawsNone("plannerTable"),
	}
	readerFiles = map[string]string{
		"app/library/readers.go": offersNone("addReaders"),
		"app/figure/readers.go":  drawsNone("readerTable"),
	}
)

func offersNone(function string) string {
	return "package library\n\nimport \"github.com/scalebook/scalebook/app/sheet/value\"\n\nfunc " + function +
		"(*value.Env) {}\n"
}

func drawsNone(function string) string {
	return "package figure\n\nfunc " + function + "() []entry { return nil }\n"
}

// without leaves what these files offer out of the compiled program.
func (b *builder) without(all ...map[string]string) func([]part) error {
	return func([]part) error {
		for _, files := range all {
			for name, text := range files {
				path := filepath.Join(b.module, filepath.FromSlash(name))
				if err := b.instead(filepath.Dir(path), filepath.Base(path), text); err != nil {
					return err
				}
			}
		}
		return b.saveOverlay()
	}
}

// instead lets a text stand in for a file of ours, or be one more.
func (b *builder) instead(dir, name, text string) error {
	place := filepath.Join(b.temp, fmt.Sprintf("%d-%s", len(b.replace), name))
	b.replace[filepath.Join(dir, name)] = place
	return os.WriteFile(place, []byte(text), 0o666)
}

// rewrite lets a changed copy stand in for a file of ours, or for what stands in for that.
func (b *builder) rewrite(dir, name string, change func([]byte) []byte) error {
	path := filepath.Join(dir, name)
	if place := b.replace[path]; place != "" {
		path = place
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if changed := change(text); !bytes.Equal(changed, text) {
		return b.instead(dir, name, string(changed))
	}
	return nil
}

// shortKeys are the short keys of sentences, by their whole ones.
func shortKeys(lines []string) map[string]string {
	short := map[string]string{}
	for _, line := range lines {
		if key, _, _ := keyOf(line); short[key] == "" {
			short[key] = strconv.FormatInt(int64(36*36*10+len(short)), 36)
		}
	}
	return short
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

// saidBy finds the functions that name the key of each sentence, in the linker's spelling; "" where it stands in none.
func saidBy(parts []part) (map[string][]string, error) {
	_, _, lines, err := sentences(parts)
	if err != nil {
		return nil, err
	}
	keys, by := shortKeys(lines), map[string][]string{}
	set := token.NewFileSet()
	for _, p := range parts {
		if p.Standard {
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			for _, d := range file.Decls {
				function := ""
				if f, ok := d.(*ast.FuncDecl); ok {
					function = linked(p.ImportPath, f)
				}
				ast.Inspect(d, func(n ast.Node) bool {
					if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						if key, err := strconv.Unquote(lit.Value); err == nil && keys[key] != "" {
							by[key] = append(by[key], function)
						}
					}
					return true
				})
			}
		}
	}
	return by, nil
}

// linked is the name of a function in the linker's spelling.
func linked(path string, f *ast.FuncDecl) string {
	name := f.Name.Name
	if f.Recv != nil && len(f.Recv.List) == 1 {
		switch t := f.Recv.List[0].Type.(type) {
		case *ast.StarExpr:
			if of, ok := t.X.(*ast.Ident); ok {
				name = "(*" + of.Name + ")." + name
			}
		case *ast.Ident:
			name = t.Name + "." + name
		}
	}
	return strings.Map(func(c rune) rune {
		if c == '.' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, path+"."+name)
}

// Translated is a file of sentences in another language as the compiled program reads it: with the short keys of the
// English sentences, in their order, and without those that only the site says. Words keep their keys.
func Translated(file string) string {
	short := shortKeys(slices.Collect(strings.Lines(phrase.English()[0].Lines)))
	var out []string
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, phrase.WordKey) { // the key of a word is the word
			out = append(out, line)
			continue
		}
		key, form, sentence := keyOf(line)
		if key != phrase.FormsKey {
			key = short[key]
		}
		if key != "" {
			out = append(out, key+form+"\t"+strings.TrimSuffix(sentence, "\n")+"\n")
		}
	}
	slices.Sort(out)
	return strings.Join(out, "")
}
