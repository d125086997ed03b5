package book

import (
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// A box of the first four chapters shows a learner seven results at most; a chapter has eight boxes at most, those of
// problems and sentences aside. Tables of chips are no chapter.
func TestBoxesForLearners(t *testing.T) {
	env := widget.Env()
	for _, name := range strings.Fields("introduction rooflines rooflines-problems accelerators accelerators-problems " +
		"sharding sharding-problems collective-problems transformer transformer-attention transformer-problems") {
		text, err := os.ReadFile("../../content/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range Sheets(name+".md", text) {
			s, errs := sheet.Compile(source.Text, env)
			if len(errs) > 0 {
				t.Fatal(source.ID, errs)
			}
			if n := results(s); n > 7 {
				t.Errorf("%s: %s shows %d results", name, source.ID, n)
			}
		}
		if n := framed(string(text)); n > 8 {
			t.Errorf("%s has %d boxes", name, n)
		}
	}
}

// A chapter has eight boxes at most, and two or three of them are heroes; where one chapter ends the book or begins it,
// and on pages that continue a chapter, fewer will do.
func TestHeroesOfChapters(t *testing.T) {
	least := map[string]int{
		"introduction": 1, "rooflines": 2, "accelerators": 2, "sharding": 2, "transformer": 2, "training": 2,
		"applied-training": 2, "inference": 2, "applied-inference": 2, "profiling": 2, "jax": 2, "conclusion": 1, "gpus": 2,
		"switches": 0, "transformer-attention": 0,
	}
	for name, least := range least {
		text, err := os.ReadFile("../../content/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		heroes := 0
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " {")
			if strings.HasPrefix(line, "```sheet ") && strings.HasSuffix(line, " hero") {
				heroes++
			}
		}
		if heroes < least || heroes > 3 {
			t.Errorf("%s has %d heroes", name, heroes)
		}
		if n := framed(string(text)); n > 8 {
			t.Errorf("%s has %d boxes", name, n)
		}
	}
}

// results are the rows that a box shows besides its inputs, at its author's values.
func results(s *sheet.Sheet) (n int) {
	for _, row := range s.Eval(nil).Rows {
		if row.Def.Kind != "input" && !row.Def.Hidden && !row.Absent {
			n++
		}
	}
	return n
}

// framed counts the sheets of a text that stand in no problem, nor in its answer, nor in a sentence, and don't open it.
func framed(text string) (n int) {
	var blocks []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " {")
		switch name, block := strings.CutPrefix(line, ":::"); {
		case block && name == "" && len(blocks) > 0:
			blocks = blocks[:len(blocks)-1]
		case block && name != "":
			blocks = append(blocks, strings.Fields(name)[0])
		case !strings.HasPrefix(line, "```sheet ") || strings.HasSuffix(line, " inline"), strings.HasSuffix(line, " opening"):
		case len(blocks) == 0 || blocks[0] != "problem" && blocks[0] != "answer":
			n++
		}
	}
	return n
}
