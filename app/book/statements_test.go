package book

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// TestStatementsFollowTheirNumbers: a sentence of the prose that compares says something else as soon as its numbers
// do. Each line of testdata/statements.tsv is a sheet, what a reader sets in it, what a paragraph says as the page
// opens, and what the same paragraph says then.
func TestStatementsFollowTheirNumbers(t *testing.T) {
	prose := readProse(t)
	data, err := os.ReadFile("testdata/statements.tsv")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 4 {
			t.Fatalf("%q: want a sheet, settings, what the page says as it opens, and what it says then", line)
		}
		cases++
		id, settings, before, after := c[0], c[1], c[2], c[3]
		if prose.sheets[id] == nil {
			t.Errorf("no sheet %s", id)
			continue
		}
		opened, err := prose.rendered(id, "")
		if err != nil {
			t.Fatal(err)
		}
		changed, err := prose.rendered(id, settings)
		if err != nil {
			t.Errorf("%s with %s: %v", id, settings, err)
			continue
		}
		found := 0
		for i, said := range opened {
			if !strings.Contains(said, before) {
				continue
			}
			found++
			if strings.Contains(changed[i], before) || !strings.Contains(changed[i], after) {
				t.Errorf("%s with %s says %q; want %q", id, settings, changed[i], after)
			}
		}
		if found == 0 {
			t.Errorf("%s: no paragraph says %q as the page opens", id, before)
		}
	}
	if cases < 29 {
		t.Errorf("only %d statements", cases)
	}
}

// prose is the text of the book's pages with its references to sheets.
type prose struct {
	paragraphs []paragraph
	sheets     map[string]*sheet.Sheet
	opened     map[string]*sheet.Result // each sheet as its author left it
}

// paragraph is one of a page, its lines joined, and the sheet that a bare name in it belongs to.
type paragraph struct{ text, sheet string }

var (
	fenceOfSheet = regexp.MustCompile("^```sheet ([a-z0-9-]+)")
	reference    = regexp.MustCompile(`\{\{([a-zA-Z0-9_.-]+)\}\}|\[\[([a-zA-Z0-9_.-]+)\]\]`)
)

func readProse(t *testing.T) *prose {
	t.Helper()
	p := &prose{sheets: map[string]*sheet.Sheet{}, opened: map[string]*sheet.Result{}}
	eachSheet(t, func(_ string, s *sheet.Sheet) { p.sheets[s.ID] = s })
	pages, err := filepath.Glob("../../content/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		p.read(string(text))
	}
	return p
}

// read adds the paragraphs of a page.
func (p *prose) read(page string) {
	var lines []string
	nearest, fenced := "", false
	end := func() {
		if text := strings.Join(lines, " "); strings.Contains(text, "{{") || strings.Contains(text, "[[") {
			p.paragraphs = append(p.paragraphs, paragraph{text, nearest})
		}
		lines = nil
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			end()
			if m := fenceOfSheet.FindStringSubmatch(line); m != nil {
				nearest = m[1]
			}
			fenced = !fenced
		case fenced:
		case line == "" || strings.HasPrefix(line, ":::"):
			end()
		default:
			lines = append(lines, line)
		}
	}
	end()
}

// rendered are all paragraphs with the numbers of a sheet as it is with some settings, "B=1024; chip=gpu.h100", and of
// the others as their authors left them.
func (p *prose) rendered(id, settings string) ([]string, error) {
	var state = p.sheets[id].Eval(nil)
	if settings != "" {
		v := widget.New(p.sheets[id])
		for _, one := range strings.Split(settings, ";") {
			name, text, _ := strings.Cut(strings.TrimSpace(one), "=")
			if err := v.Set(name, text); err != nil {
				return nil, err
			}
		}
		state = p.sheets[id].Eval(v.State)
	}
	said := make([]string, len(p.paragraphs))
	for i, par := range p.paragraphs {
		if par.sheet != id && !strings.Contains(par.text, id+".") {
			continue
		}
		said[i] = reference.ReplaceAllStringFunc(par.text, func(ref string) string {
			of, name, whole := strings.Cut(strings.Trim(ref, "{}[]"), ".")
			if !whole {
				of, name = par.sheet, of
			}
			if of == id {
				return shown(state, name)
			}
			if p.sheets[of] == nil {
				return ref
			}
			if p.opened[of] == nil {
				p.opened[of] = p.sheets[of].Eval(nil)
			}
			return shown(p.opened[of], name)
		})
	}
	return said, nil
}

// shown is a value as the prose has it.
func shown(r *sheet.Result, name string) string {
	v, err := r.Value(name)
	if err != nil {
		return "–"
	}
	return v.String()
}

// TestSharesArePercent: a row that its author multiplies by 100 % is printed with a percent sign wherever it stands,
// and not as tokens or chips, whose label may come along.
func TestSharesArePercent(t *testing.T) {
	shares := 0
	eachSheet(t, func(page string, s *sheet.Sheet) {
		r := s.Eval(nil)
		for _, line := range strings.Split(s.Source, "\n") {
			m := shareOf.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			v, err := r.Value(m[1])
			if err != nil {
				continue
			}
			shares++
			if text := v.String(); !strings.HasSuffix(text, "%") {
				t.Errorf("%s#%s: share %s is printed as %s; write as \"%%\" behind its label", page, s.ID, m[1], text)
			}
		}
	})
	if shares < 150 {
		t.Errorf("only %d shares", shares)
	}
}

var shareOf = regexp.MustCompile(`^(?:hidden )?(\w+) = .*\* 100% +"`)
