package site

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Of two rows that can be seen no single operation makes what is asked: their sum, difference, product or quotient is
// not its answer, nor is what one of them leaves to a whole. What a row looks up, and what is asked for as a formula,
// is given.
func TestNoTwoRowsAnswerAQuestion(t *testing.T) {
	t.Parallel()
	checked := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		if strings.HasPrefix(name, "embed/") {
			continue
		}
		numbers, asked := shownOn(doc)
		rows := map[string][]shown{}
		for _, n := range numbers {
			if !n.veiled && !n.stated && !n.prose {
				rows[n.sheet] = append(rows[n.sheet], n)
			}
		}
		for _, q := range numbers {
			if !slices.Contains(asked[q.sheet].numbers, q.name) || q.place < 0 || q.prose ||
				q.value == math.Trunc(q.value) {
				continue
			}
			checked++
			for i, a := range rows[q.sheet] {
				for _, b := range rows[q.sheet][i+1:] {
					if by := oneStep(a.value, b.value, q.value); by != "" {
						t.Errorf("%s: the answer for %s.%s, %s, is %s (%s) %s %s (%s); hide one, or let the answer "+
							"be worked "+
							"out from both", name, q.sheet, q.name, q.text, a.name, a.text, by, b.name, b.text)
					}
				}
			}
		}
	}
	if checked < 80 {
		t.Errorf("only %d questions for a number", checked)
	}
}

// What the answer of a problem prints waits with its question: beside it no row stands open that is a part of the
// answer, also not that of another part of the problem. Rows that are hidden can be looked up in the fold of all rows.
func TestRowsOfAnswersWait(t *testing.T) {
	t.Parallel()
	problems := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		for _, p := range problemsOf(doc) {
			if len(p.asked) == 0 {
				continue
			}
			problems++
			said := map[string]bool{}
			for k := p.node.FirstChild; k != nil; k = k.NextSibling {
				if class, _ := attr(k, "class"); class == "answer" {
					for _, n := range numbersIn(k) {
						said[n.sheet+"."+n.name] = said[n.sheet+"."+n.name] || n.prose
					}
				}
			}
			for _, n := range numbersIn(p.node) {
				source := sourceOf(doc, n.sheet)
				open := !n.prose && !n.veiled && !n.stated && said[n.sheet+"."+n.name] && len(p.asked[n.sheet]) > 0
				if open && !slices.Contains(firsts(inputsIn, source), n.name) {
					t.Errorf("%s#%s: beside its question stands %s.%s, %s, which the answer prints; hide the row", name,
						p.id, n.sheet, n.name, n.text)
				}
			}
		}
	}
	if problems < 200 {
		t.Errorf("only %d problems ask", problems)
	}
}

// oneStep is the operation that makes an answer of two numbers, empty if none does.
func oneStep(a, b, answer float64) string {
	for by, x := range map[string]float64{"+": a + b, "-": a - b, "from": b - a, "×": a * b, "/": a / b,
		"under": b / a} {
		if math.Abs(x-answer) < 1e-6*math.Abs(answer) {
			return by
		}
	}
	return ""
}
