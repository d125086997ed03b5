package site

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/po"
	"github.com/scalebook/scalebook/app/translation"
)

// Tongue is a language that the site is published in.
type Tongue struct {
	Code string // "ru"
	Name string // as it calls itself
	Base string // where its pages live: "/scalebook/ru/"
}

// sourceCode is the language of the sources.
const sourceCode = "en"

// offered is how much of a language must be translated for pages of other languages to lead to it.
const offered = 0.95

// phrasesFile is what the program says in a language, beside it.
const phrasesFile = "phrases.txt"

// Languages are those of which the content folder has a translation, by their codes, sorted.
func Languages(content fs.FS) ([]string, error) {
	names, err := fs.Glob(content, "po/*.po")
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".po")
	}
	return names, err
}

// RenderIn makes all files of the site in English and in the languages of these codes, those below `CODE/`, and says
// how far each is translated. A language is a site of its own, with its own search, feed and offline book.
func RenderIn(o Options, codes []string) (Files, []translation.Count, error) {
	var languages []*translation.Language
	var counts []translation.Count
	var messages *po.File
	tongues := []Tongue{{Code: sourceCode, Name: "English", Base: o.Base}}
	for _, code := range codes {
		if code == sourceCode {
			continue
		}
		l, err := readLanguage(o, code)
		if err != nil {
			return nil, nil, err
		}
		if messages == nil {
			if messages, err = translation.Extract(o.Content, o.Dir); err != nil {
				return nil, nil, err
			}
		}
		count := l.Count(messages)
		languages, counts = append(languages, l), append(counts, count)
		if count.Share() >= offered {
			tongues = append(tongues, Tongue{Code: code, Name: l.Name, Base: o.Base + code + "/"})
		}
	}
	if len(languages) == 0 {
		files, err := Render(o)
		return files, nil, err
	}
	if len(tongues) > 1 {
		o.tongues = tongues
	}
	files, source, err := renderBook(o)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range languages {
		own, err := renderLanguage(o, l, source)
		if err != nil {
			return nil, nil, err
		}
		for name, data := range own {
			if name != "robots.txt" && name != ".nojekyll" {
				files[l.Code+"/"+name] = data
			}
		}
	}
	return files, counts, nil
}

// readLanguage reads the translation of a language.
func readLanguage(o Options, code string) (*translation.Language, error) {
	l, err := translation.Read(o.Content, "po/"+code+".po", o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		known, _ := Languages(o.Content) // the pattern is valid
		return nil, fmt.Errorf("no translation %s/po/%s.po; there are %s", o.Dir, code,
			strings.Join(append(known, sourceCode), ", "))
	}
	if err != nil {
		return nil, err
	}
	if l.Code != code {
		return nil, fmt.Errorf("%s/po/%s.po:1: its header says that it is in %q; write Language: %s",
			o.Dir, code, l.Code, code)
	}
	return l, nil
}

// inOrder joins problems in the order of their lines.
func inOrder(problems []book.Problem) error {
	slices.SortStableFunc(problems, func(a, b book.Problem) int { return a.Line - b.Line })
	var errs []error
	for _, p := range problems {
		errs = append(errs, p)
	}
	return errors.Join(errs...)
}

// renderLanguage makes the files of a language.
func renderLanguage(o Options, l *translation.Language, source *book.Book) (Files, error) {
	o, err := o.in(l, source)
	if err != nil {
		return nil, err
	}
	own := Tongue{Code: l.Code, Name: l.Name, Base: o.Base}
	if len(o.tongues) == 0 {
		o.tongues = []Tongue{{Code: sourceCode, Name: "English", Base: strings.TrimSuffix(o.Base, l.Code+"/")}}
	}
	if !slices.Contains(o.tongues, own) {
		o.tongues = append(slices.Clone(o.tongues), own)
	}
	files, _, err := renderBook(o)
	return files, err
}

// URLIn is the address of the page in another language, "" for a calculator alone.
func (v view) URLIn(t Tongue) string {
	if v.Alone {
		return ""
	}
	return t.Base + strings.TrimPrefix(v.URL, v.base)
}

// Tongues are the languages that the page is there in, if there are several.
func (v view) Tongues() []Tongue {
	if v.Alone {
		return nil
	}
	return v.tongues
}

// Lang is the language of the page.
func (s *shell) Lang() string { return s.text("site.lang") }
