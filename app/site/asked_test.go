package site

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget"
	"golang.org/x/net/html"
)

var (
	asksIn   = regexp.MustCompile(`(?m)^\s*ask (\w+)`)
	numberIn = regexp.MustCompile(`(?m)^\s*ask (\w+)(?: of .*)? "`) // and not a formula
	inputsIn = regexp.MustCompile(`(?m)^\s*let (\w+)`)
	hiddenIn = regexp.MustCompile(`(?m)^\s*hidden (?:solve (?:all )?)?(\w+)`)
)

// shown is a number that a page prints.
type shown struct {
	sheet, name, text, unit string
	value                   float64
	place                   int        // its place in the page
	around                  *html.Node // the problem that it is part of
	section                 int        // headings of sections before it
	veiled, stated          bool       // it waits for an answer; it explains one, or lies in a closed fold
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
			if !slices.Contains(asked[q.sheet].rows, q.name) || q.place < 0 {
				continue
			}
			questions++
			formula := !slices.Contains(asked[q.sheet].numbers, q.name)
			for _, n := range numbers {
				given := n.sheet == q.sheet && slices.Contains(asked[n.sheet].given, n.name) // a number is no formula
				if n.answers(&q) && !(formula && given) {
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

// Above a question, in whichever section, nothing that can be seen is its answer as it is printed: no row, no number or
// words of the text, no label of a drawing. Nor is it a number that agrees in all digits and counts something else. A
// number is no formula, and whole numbers of one or two digits, as 16 chips, are alike by chance.
func TestNothingAboveAnswersAQuestion(t *testing.T) {
	t.Parallel()
	checked := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		if strings.HasPrefix(name, "embed/") {
			continue
		}
		numbers, asked := shownOn(doc)
		words := wordsSeen(doc)
		for _, q := range numbers {
			if !slices.Contains(asked[q.sheet].numbers, q.name) || q.place < 0 || q.prose {
				continue
			}
			for _, n := range numbers {
				if n.place < q.place && n.sheet != q.sheet && !n.veiled && !n.stated && n.sameAs(&q) {
					t.Errorf("%s: above the question for %s.%s stands its answer, %s, in another unit, as %s.%s; ask "+
						"with other numbers", name, q.sheet, q.name, q.text, n.sheet, n.name)
				}
			}
			if q.unit == "" || q.value < 100 && q.value == math.Trunc(q.value) {
				continue
			}
			checked++
			for _, n := range numbers {
				if n.place < q.place && n.sheet != q.sheet && !n.veiled && !n.stated && n.text == q.text {
					t.Errorf("%s: above the question for %s.%s stands its answer, %s, as %s.%s; ask with other numbers",
						name, q.sheet, q.name, q.text, n.sheet, n.name)
				}
			}
			for _, w := range words {
				if w.place < q.place && w.sheet != q.sheet && slices.ContainsFunc(roundings(q.text), w.says) {
					t.Errorf("%s: above the question for %s.%s stands its answer, %s: %.60q; ask with other numbers",
						name, q.sheet, q.name, q.text, w.text)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d questions for a number with a unit", checked)
	}
}

// sameAs says whether two numbers agree in all of their digits, so that one law gives both, as a ratio of two times may
// be a critical batch. Whole numbers agree by chance.
func (n *shown) sameAs(q *shown) bool {
	return q.value != math.Trunc(q.value) && math.Abs(n.value-q.value) < 1e-9*math.Abs(q.value)
}

// says is whether words have a number with its unit in them, and not as a part of another.
func (n *shown) says(number string) bool {
	words, number := strings.ReplaceAll(n.text, "\u00a0", " "), strings.ReplaceAll(number, "\u00a0", " ")
	at := strings.Index(words, number)
	if at < 0 {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(words[:at])
	after, _ := utf8.DecodeRuneInString(words[at+len(number):])
	return !unicode.IsDigit(before) && before != '.' && before != ',' && !unicode.IsLetter(after) && after != '/'
}

// roundings are a number with its unit as it is printed, and as a sentence would round it: 95.6 ms, 96 ms and 96ms.
func roundings(text string) []string {
	number, unit, _ := strings.Cut(strings.ReplaceAll(text, " ", "\u00a0"), "\u00a0")
	all := []string{text}
	if x, err := strconv.ParseFloat(number, 64); err == nil && x >= 10 && x < 1000 || strings.Contains(number, ".") {
		short := strconv.FormatFloat(x, 'f', -1, 64)
		all = append(all, short+" "+unit, short+unit)
		if whole := strconv.FormatFloat(math.Round(x), 'f', -1, 64); len(whole) > 1 && whole+unit != "100%" {
			all = append(all, whole+" "+unit, whole+unit)
		}
	}
	return all
}

// wordsSeen are the texts of a page that stand open: not in a fold, nor in a plot that waits for an answer.
func wordsSeen(doc *html.Node) (all []shown) {
	place := 0
	var walk func(n *html.Node, sheet string)
	walk = func(n *html.Node, sheet string) {
		place++ // as shownOn counts
		_, veiled := attr(n, "data-asked")
		if id, is := attr(n, "data-sheet"); is && n.Data == "section" {
			sheet = id
		}
		seen := !veiled && !closed(n) && n.Data != "template" && n.Data != "script"
		if n.Type == html.TextNode && strings.ContainsAny(n.Data, "0123456789") {
			all = append(all, shown{sheet: sheet, text: n.Data, place: place})
		}
		mute := len(all)
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k, sheet)
		}
		if !seen {
			all = all[:mute]
		}
	}
	walk(doc, "")
	return all
}

// closed says whether a node is a fold that its reader has to open first, or explains an answer.
func closed(n *html.Node) bool {
	class, _ := attr(n, "class")
	_, open := attr(n, "open")
	return n.Data == "details" && !open && slices.Contains([]string{"hint", "answer", "rest"}, class) ||
		strings.Contains(class, "callout-erratum")
}

// noQuestion are problems that ask nothing, and why.
var noQuestion = map[string]string{}

// Each problem asks its reader something before it tells, leads to the answer by two hints or more, and has an answer.
func TestEachProblemAsks(t *testing.T) {
	t.Parallel()
	asks := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		for _, p := range problemsOf(doc) {
			if len(p.asked) > 0 && len(p.hints) > 1 && p.answers == 1 {
				asks++
			} else if noQuestion[p.id] == "" {
				t.Errorf("%s#%s: %d questions, %d hints, %d answers", name, p.id, len(p.asked), len(p.hints), p.answers)
			}
		}
	}
	t.Logf("%d problems ask", asks)
	if asks < 220 {
		t.Errorf("only %d problems ask", asks)
	}
}

// A question stands before its hints, and never in its answer, where it could not be read before that is opened.
func TestQuestionsPrecedeAnswers(t *testing.T) {
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
					t.Errorf("%s: the question of %s stands in a hint or an answer; put its sheet before the hints",
						name, sheet)
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
	return !(own && n.name == q.name) && !n.veiled && !n.stated && n.unit == q.unit &&
		math.Abs(n.value-q.value) < 0.005*math.Abs(q.value) && (q.unit != "" || math.Abs(q.value) > 40) &&
		(own || n.prose && n.place > q.place) && n.around == q.around && (n.around != nil || n.section == q.section)
}

// asking is what a sheet asks: its asked rows, those of them that aren't asked for as a formula, and what it gives.
type asking struct{ rows, numbers, given []string }

// shownOn are the numbers of a page, and what each of its sheets asks.
func shownOn(doc *html.Node) (numbers []shown, asked map[string]asking) {
	asked, hidden := map[string]asking{}, map[string][]string{}
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
			asked[in.sheet] = asking{firsts(asksIn, source), firsts(numberIn, source), firsts(inputsIn, source)}
			hidden[in.sheet] = firsts(hiddenIn, source)
		case "div", "aside":
			if strings.Contains(class, "callout-erratum") {
				in.stated = true
			} else if slices.Contains(strings.Fields(class), "problem") {
				in.around = n
			}
		case "details":
			in.stated = in.stated || closed(n)
		case "output":
			in.name, _ = attr(n, "data-name")
			value, _ = attr(n, "data-value")
			in.stated = in.stated || slices.Contains(hidden[in.sheet], in.name)
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

// The hints of a problem that asks lead to the answer in steps: there are at least two, and none of them shows it.
func TestHintsLeadInSteps(t *testing.T) {
	t.Parallel()
	problems := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		for _, p := range problemsOf(doc) {
			if len(p.asked) == 0 {
				continue
			}
			problems++
			if len(p.hints) < 2 {
				t.Errorf("%s#%s: %d hints; lead to the answer in steps: which law, what cancels, what is left", name,
					p.id, len(p.hints))
			}
			for _, h := range p.hints {
				for _, n := range numbersIn(h) {
					if slices.Contains(p.asked[n.sheet], n.name) {
						t.Errorf("%s#%s: a hint shows %s.%s, the answer", name, p.id, n.sheet, n.name)
					}
				}
			}
		}
	}
	if problems < 100 {
		t.Errorf("only %d problems ask", problems)
	}
}

// problemOf is a problem of a page: what it asks, by sheet, and its hints.
type problemOf struct {
	id    string
	node  *html.Node
	asked map[string][]string
	hints []*html.Node

	answers int
}

func problemsOf(doc *html.Node) (all []problemOf) {
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if class, _ := attr(n, "class"); slices.Contains(strings.Fields(class), "problem") {
			id, _ := attr(n, "id")
			_, asked := shownOn(n)
			p := problemOf{id: id, node: n, asked: map[string][]string{}}
			for sheet, asks := range asked {
				if len(asks.rows) > 0 {
					p.asked[sheet] = asks.rows
				}
			}
			for k := n.FirstChild; k != nil; k = k.NextSibling {
				switch class, _ := attr(k, "class"); class {
				case "hint":
					p.hints = append(p.hints, k)
				case "answer":
					p.answers++
				}
			}
			all = append(all, p)
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k)
		}
	}
	walk(doc)
	return all
}

func numbersIn(n *html.Node) []shown {
	numbers, _ := shownOn(n)
	return numbers
}

// Asked again with other numbers, a problem must say them: no number of its statement or its question is typed that its
// calculator may change. What no number changes, a formula, is not asked again.
func TestStatementsFollowTheirNumbers(t *testing.T) {
	t.Parallel()
	env := widget.Env()
	for name, doc := range pagesOf(t, render(t, realBook)) {
		for _, p := range problemsOf(doc) {
			said := map[string]bool{} // inputs that the statement follows
			for _, n := range statementNumbers(p.node) {
				said[n.sheet+"."+n.name] = true
			}
			statement := statementOf(p.node)
			for id := range p.asked {
				s, errs := sheet.Compile(sourceOf(doc, id), env)
				if len(errs) > 0 {
					t.Fatal(id, errs)
				}
				asked := slices.DeleteFunc(s.Asks, func(a sheet.Ask) bool { return a.Symbols != nil })
				if len(asked) == 0 {
					continue
				}
				for _, in := range s.Inputs {
					if in.Form() != input.NumberForm || !in.Ranged || in.Fact {
						continue
					}
					if typed := typedFor(in, statement); typed != "" && !said[id+"."+in.Name] {
						t.Errorf("%s#%s: %q is typed; write {{%s.%s}}", name, p.id, typed, id, in.Name)
					}
					for _, a := range asked {
						if typed := typedFor(in, a.Question); typed != "" {
							t.Errorf("%s#%s: %q asks with %q; write {%s}", name, p.id, a.Question, typed, in.Name)
						}
					}
				}
			}
		}
	}
}

// Asked again, a problem must not say of its source what that doesn't say. Where a statement names a source, and its
// numbers may change, some of them are published, and stay.
func TestPublishedNumbersAreMarked(t *testing.T) {
	t.Parallel()
	env, seen := widget.Env(), 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		for _, p := range problemsOf(doc) {
			if !cites(p.node) {
				continue
			}
			for _, n := range statementNumbers(p.node) {
				s, errs := sheet.Compile(sourceOf(doc, n.sheet), env)
				if len(errs) > 0 {
					t.Fatal(n.sheet, errs)
				}
				asked := slices.ContainsFunc(s.Asks, func(a sheet.Ask) bool { return a.Symbols == nil })
				in := s.Input(n.name)
				if len(p.asked[n.sheet]) == 0 || !asked || in == nil || !in.Ranged {
					continue
				}
				seen++
				if !slices.ContainsFunc(s.Inputs, func(in *input.Input) bool { return in.Published }) {
					t.Errorf("%s#%s: {{%s.%s}} is of a source; write `published`", name, p.id, n.sheet, n.name)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d numbers of sources", seen)
	}
}

// cites says whether a problem names a source before its first calculator.
func cites(problem *html.Node) bool {
	for k := problem.FirstChild; k != nil; k = k.NextSibling {
		class, _ := attr(k, "class")
		if slices.Contains(strings.Fields(class), "sheet") || class == "hint" || class == "answer" {
			break
		}
		for n := range k.Descendants() {
			if role, _ := attr(n, "role"); role == "doc-biblioref" {
				return true
			}
		}
	}
	return false
}

var numberTyped = regexp.MustCompile(`\b[0-9][0-9.,]*( ?(k|M|B|T)?)( ?(%|[A-Za-zµ]+(/s)?))?`)

// inDigits writes small numbers in digits; two and three are too common to be of an input.
var inDigits = strings.NewReplacer("four ", "4 ", "five ", "5 ", "six ", "6 ", "seven ", "7 ", "eight ", "8 ", "Eight ",
	"8 ", "nine ", "9 ", "ten ", "10 ", "twelve ", "12 ", "sixteen ", "16 ", "Four ", "4 ")

// typedFor is a number in a text that an input begins with, as it is typed there. A one says nothing.
func typedFor(in *input.Input, text string) string {
	text = inDigits.Replace(strings.ReplaceAll(text, "\u00a0", " "))
	for _, typed := range numberTyped.FindAllString(text, -1) {
		q, err := quantity.ParseLike(strings.TrimSpace(typed), quantity.Quantity{Value: 1, Dim: in.Default.Num.Dim})
		if err == nil && q.Value == in.Default.Num.Value && q.Value != 1 {
			return typed
		}
	}
	return ""
}

// statementOf is what a problem says before its first calculator, without the numbers that calculators write.
func statementOf(problem *html.Node) (text string) {
	for k := problem.FirstChild; k != nil; k = k.NextSibling {
		class, _ := attr(k, "class")
		if slices.Contains(strings.Fields(class), "sheet") || class == "hint" || class == "answer" {
			break
		}
		text += typedIn(k)
	}
	return text
}

// statementNumbers are the numbers that calculators write into a problem before its hints.
func statementNumbers(problem *html.Node) (all []shown) {
	for k := problem.FirstChild; k != nil; k = k.NextSibling {
		if class, _ := attr(k, "class"); class == "hint" || class == "answer" {
			break
		} else if !slices.Contains(strings.Fields(class), "sheet") {
			all = append(all, numbersIn(k)...)
		}
	}
	return all
}

// typedIn is the text of a node without the numbers that a calculator writes.
func typedIn(n *html.Node) string {
	if class, _ := attr(n, "class"); n.Data == "data" || class == "cite" || class == "heading" {
		return " "
	}
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		b.WriteString(typedIn(k))
	}
	return b.String()
}

// sourceOf is the source of a sheet, as its page has it.
func sourceOf(doc *html.Node, id string) (source string) {
	var walk func(n *html.Node, in string)
	walk = func(n *html.Node, in string) {
		if sheet, is := attr(n, "data-sheet"); is && n.Data == "section" {
			in = sheet
		}
		if n.Data == "template" && in == id {
			source = wordsOf(n)
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k, in)
		}
	}
	walk(doc, "")
	return source
}
