package site

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

var (
	asksIn   = regexp.MustCompile(`(?m)^\s*ask (\w+)`)
	hiddenIn = regexp.MustCompile(`(?m)^\s*hidden (\w+)`)
)

// shown is a number that a page prints.
type shown struct {
	sheet, name, text, unit string
	value                   float64
	place                   int        // its place in the page
	around                  *html.Node // the problem that it is part of
	section                 int        // headings of sections before it
	veiled, told            bool       // it waits for an answer; it explains one, or lies in a closed fold
	prose                   bool
}

// Beside a question nothing that can be seen is its answer: no other row of the sheet, and no number of the prose below
// it in the same section, or in the same problem.
func TestNothingAnswersAQuestion(t *testing.T) {
	t.Parallel()
	questions := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		if strings.HasPrefix(name, "embed/") {
			continue
		}
		numbers, asked := shownOn(doc)
		for _, q := range numbers {
			if !slices.Contains(asked[q.sheet], q.name) || q.place < 0 {
				continue
			}
			questions++
			for _, n := range numbers {
				if n.answers(&q) {
					t.Errorf("%s: beside the question for %s.%s, %s, stands %s.%s, %s", name, q.sheet, q.name, q.text,
						n.sheet, n.name, n.text)
				}
			}
		}
	}
	if questions < 200 {
		t.Errorf("only %d questions", questions)
	}
}

// A question stands before its hints, and never in its answer, where it could not be read before that is opened.
func TestQuestionsStandBeforeAnswers(t *testing.T) {
	t.Parallel()
	questions := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		var walk func(n *html.Node, sheet string, folded bool)
		walk = func(n *html.Node, sheet string, folded bool) {
			class, _ := attr(n, "class")
			folded = folded || n.Data == "details" && (class == "answer" || class == "hint")
			if id, is := attr(n, "data-sheet"); is {
				sheet = id
			}
			if n.Data == "template" && len(firsts(asksIn, wordsOf(n))) > 0 {
				if questions++; folded {
					t.Errorf("%s: the question of %s stands in a hint or an answer; put its sheet before the hints", name, sheet)
				}
			}
			for k := n.FirstChild; k != nil; k = k.NextSibling {
				walk(k, sheet, folded)
			}
		}
		walk(doc, "", false)
	}
	if questions < 200 {
		t.Errorf("only %d questions", questions)
	}
}

// answers says whether who is asked for q can see that it is n. Small counts are alike by chance.
func (n *shown) answers(q *shown) bool {
	own := n.sheet == q.sheet
	return !(own && n.name == q.name) && !n.veiled && !n.told && n.unit == q.unit &&
		math.Abs(n.value-q.value) < 0.005*math.Abs(q.value) && (q.unit != "" || math.Abs(q.value) > 40) &&
		(own || n.prose && n.place > q.place) && n.around == q.around && (n.around != nil || n.section == q.section)
}

// shownOn are the numbers of a page, and what each of its sheets asks.
func shownOn(doc *html.Node) (numbers []shown, asked map[string][]string) {
	asked, hidden := map[string][]string{}, map[string][]string{}
	place, section := 0, 0
	var walk func(n *html.Node, in shown)
	walk = func(n *html.Node, in shown) {
		place++
		value := ""
		switch class, _ := attr(n, "class"); n.Data {
		case "h2":
			section++
		case "section":
			if id, is := attr(n, "data-sheet"); is {
				in.sheet = id
			}
		case "template":
			source := wordsOf(n)
			asked[in.sheet], hidden[in.sheet] = firsts(asksIn, source), firsts(hiddenIn, source)
		case "div", "aside":
			if strings.Contains(class, "callout-erratum") {
				in.told = true
			} else if slices.Contains(strings.Fields(class), "problem") {
				in.around = n
			}
		case "output":
			in.name, _ = attr(n, "data-name")
			value, _ = attr(n, "data-value")
			in.told = in.told || slices.Contains(hidden[in.sheet], in.name)
		case "data":
			in.prose = true
			in.sheet, _ = attr(n, "data-sheet")
			in.name, _ = attr(n, "data-name")
			value, _ = attr(n, "value")
		}
		if _, veiled := attr(n, "data-asked"); veiled {
			in.veiled = true
		}
		if x, err := strconv.ParseFloat(value, 64); err == nil && x != 0 {
			in.value, in.text, in.place, in.section = x, strings.TrimSpace(wordsOf(n)), place, section
			_, in.unit, _ = strings.Cut(strings.ReplaceAll(in.text, " ", "\u00a0"), "\u00a0")
			if n.Data == "data" && in.veiled {
				in.place = -1
			}
			numbers = append(numbers, in)
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k, in)
		}
	}
	walk(doc, shown{})
	return numbers, asked
}

func firsts(re *regexp.Regexp, s string) (found []string) {
	for _, m := range re.FindAllStringSubmatch(s, -1) {
		found = append(found, m[1])
	}
	return found
}

func wordsOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		b.WriteString(wordsOf(k))
	}
	return b.String()
}
