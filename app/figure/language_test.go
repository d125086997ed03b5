package figure_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
)

// foreign is a made-up language: each letter of a sentence, but not of its gaps, is ж.
func foreign(t *testing.T) phrase.Phrases {
	t.Helper()
	letters := regexp.MustCompile(`[A-Za-z]`)
	var lines []string
	for _, name := range []string{"en.txt"} {
		english, err := os.ReadFile("../phrase/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(english)) {
			key, rest, _ := strings.Cut(line, "\t")
			if !strings.HasPrefix(key, "figure.") {
				continue
			}
			line = key + "\t"
			for rest != "" {
				before, gap, after := phrase.Gap(rest)
				line += letters.ReplaceAllString(before, "ж")
				if gap != "" {
					line += "{" + gap + "}"
				}
				rest = after
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return phrase.Read(strings.Join(lines, ""))
}

// TestEveryFigureSpeaks: its title, what is told of it and the heads of its tables are in the language that it is drawn
// in.
func TestEveryFigureSpeaks(t *testing.T) {
	env, language := library.New(), foreign(t)
	figure.Offer(env)
	for name := range env.Figures {
		if name == "chip_bars" { // says what the catalog says of a field
			continue
		}
		s, errs := sheet.Compile(figureSheets[name], env)
		if len(errs) > 0 {
			t.Fatal(name, errs)
		}
		args, err := s.Eval(nil).FigureArgs(0)
		if err != nil {
			t.Fatal(name, err)
		}
		d, err := figure.Draw(language, name, args)
		if err != nil {
			t.Fatal(name, err)
		}
		said := map[string]string{"title": d.Title, "note": d.Note, "heads": strings.Join(d.Twin[0].Heads, " ")}
		for part, text := range said {
			if text != "" && !strings.Contains(text, "ж") {
				t.Errorf("%s: its %s is %q in any language", name, part, text)
			}
			if _, gap, _ := phrase.Gap(text); gap != "" {
				t.Errorf("%s: nothing fills {%s} of its %s", name, gap, part)
			}
		}
	}
}
