package measured

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/measured/summary"
)

const (
	pagePath    = "../../content/measured.md"
	numbersPath = "testdata/page_numbers.tsv" // phrase with a number, kind, why it is no result of today
)

// numberKinds are why a number may be typed on the page: all others are results and must be computed.
var numberKinds = []string{"name", "date", "constant", "source", "definition", "target", "record"}

// pageConstants are constants of the program, and counts of its tables, that the page states.
func pageConstants(t *testing.T) map[string]float64 {
	t.Helper()
	kinds, open, most := map[string]bool{}, map[string]bool{}, 0.0
	for _, c := range Gathered() {
		n, _ := c.Setup["n_devices"].(float64)
		kinds[c.Setup.Text("device")], most = true, max(most, n)
	}
	for _, c := range served(t) {
		if c.Regime() == "open" {
			open[c.Family()] = true
		}
	}
	return map[string]float64{"usualDecoders": usualDecoders, "usualDecoding": usualDecoding, "few": few,
		"Folds":     Folds,
		"fewAtOnce": fewAtOnce, "fewRuns": fewRuns, "fewServed": fewServed, "len(tried)": float64(len(tried)),
		"cost of one beyond": cost(width{}, 1), "promised": 10 * promised, "most gathered devices": most,
		"kinds of gathered devices": float64(len(kinds)), "configurations of open loops": float64(len(open)),
		"published set-ups": float64(strings.Count(layoutTable, "\n"))}
}

// typedNumber is a number in digits that is no part of a name such as H100, or one in words.
var typedNumber = regexp.MustCompile(`(?i)(^|[^\p{L}\p{N}_.-])(\d[\d.,]*\d|\d)($|[^\p{L}\p{N}_])|` +
	`\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|` +
	`nineteen|twenty|thirty|hundred|thousand|twice|thirds?|quarters?|fifths?|tenths?|twentieths?|tenfold)\b`)

// shown is the text of the page, and what its tables say of families whose predictions miss.
func shown(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	text := prose(string(page))
	for line := range strings.Lines(breakTable) {
		text += " ~ " + strings.Split(strings.TrimSuffix(line, "\n"), "\t")[2]
	}
	return text
}

// prose is the text of a chapter that readers see, in one line, without what is computed: paragraphs, and what stands
// between quotes in sheets. Addresses and names in code count as nothing.
func prose(page string) string {
	_, page, _ = strings.Cut(strings.TrimPrefix(page, "---\n"), "\n---\n")
	quoted, inside := regexp.MustCompile(`"[^"]*"`), false
	var text []string
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside
		case inside && strings.Contains(line, "held_"): // its text names a table
			text = append(text, quoted.FindAllString(line, -1)[1:]...)
		case inside:
			text = append(text, quoted.FindAllString(line, -1)...)
		default:
			text = append(text, listItem.ReplaceAllString(line, " "))
		}
	}
	joined := strings.Join(text, " ")
	for _, computed := range []string{"{{[^}]*}}", `\]\([^)]*\)`, "{[^}]*}", "`[^`]*`"} {
		joined = regexp.MustCompile(computed).ReplaceAllString(joined, " ~ ")
	}
	return strings.Join(strings.Fields(joined), " ")
}

var listItem = regexp.MustCompile(`^\d+\. `)

// typed are the phrases of numbers.tsv with their kinds and reasons, the longest first.
func typed(t *testing.T) [][]string {
	t.Helper()
	table, err := os.ReadFile(numbersPath)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(table)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 3 || c[0] == "" || c[2] == "" || !slices.Contains(numberKinds, c[1]) {
			t.Errorf("%s: %q; write a phrase, one of %v, and why", numbersPath, line, numberKinds)
			continue
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b []string) int { return len(b[0]) - len(a[0]) })
	return all
}

// TestNumbersOfThePageAreLive: a number on the page of measurements is computed, or it is listed with the reason why it
// is no result that could change; what is listed stands on the page, and constants have the values that they have.
func TestNumbersOfThePageAreLive(t *testing.T) {
	text, constants := shown(t), pageConstants(t)
	for _, c := range typed(t) {
		if !strings.Contains(text, c[0]) {
			t.Errorf("%s: %q isn’t on the page any more, or a longer phrase holds it; take it out", numbersPath, c[0])
		}
		if name, _, _ := strings.Cut(c[2], ":"); c[1] == "constant" && !states(c[0], constants[name]) {
			t.Errorf("%s: %q states %s, which is %v", numbersPath, c[0], name, constants[name])
		}
		text = strings.ReplaceAll(text, c[0], " ~ ")
	}
	for _, at := range typedNumber.FindAllStringIndex(text, -1) {
		t.Errorf("%s, breaks.tsv: %q is typed; compute it (held_families, held_number), or list it in %s with a reason",
			pagePath, text[max(at[0]-40, 0):min(at[1]+30, len(text))], numbersPath)
	}
}

// numberWords are how the page writes numbers that it doesn't write in digits.
var numberWords = map[int]string{5: "five", 9: "nine", 10: "tenth", 20: "twenty"}

// states tells whether a phrase has a number, in digits or as a word.
func states(phrase string, number float64) bool {
	n := int(math.Round(number))
	word, spelled := numberWords[n]
	digits := regexp.MustCompile(`\b` + strconv.Itoa(n) + `\b`).MatchString(strings.ReplaceAll(phrase, ",", ""))
	return n > 0 && (digits || spelled && strings.Contains(strings.ToLower(phrase), word))
}

// TestFirstScoresStay: what was written down before anything was changed stays as it was, with its day.
func TestFirstScoresStay(t *testing.T) {
	want := map[string]float64{"MLPerf Training 3.1, 4.0 and 5.1, step time, 2026-11-28": 0.098,
		"NVIDIA’s containers, time to first token, 2026-11-30":   0.72,
		"NVIDIA’s containers, time per output token, 2026-11-30": 0.14,
		"NVIDIA’s containers, tokens a second, 2026-11-30":       0.18}
	families := summary.Families("first scores")
	for _, f := range families {
		name := f.Name + ", " + f.Quantity + ", " + f.Part
		if first, known := want[name]; known && f.Median != first {
			t.Errorf("%s is %v, and was %v", name, f.Median, first)
		}
		delete(want, name)
	}
	if len(want) > 0 || !slices.IsSortedFunc(families, func(a, b summary.Family) int {
		return strings.Compare(a.Part, b.Part)
	}) {
		t.Errorf("first scores are lacking, or not in the order of their days: %v", want)
	}
}
