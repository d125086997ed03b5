package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// letters are the quantities that a capital letter stands for in the book, as labels call them. The table of notation
// in the introduction tells readers the same.
var letters = map[string]*regexp.Regexp{
	"B": regexp.MustCompile(`(?i)\btokens?\b|\bsequences\b|\brows?\b|\busers\b|\bbatch\b`),
	"C": regexp.MustCompile(`(?i)\bpeak\b|\brate\b|^bf16$|^Matrix units`),
	"D": regexp.MustCompile(`(?i)\bwidth\b`),
	"E": regexp.MustCompile(`(?i)\bexperts\b`),
	"F": regexp.MustCompile(`(?i)\bwidth\b|^Columns of (one matrix|w)$`),
	"G": regexp.MustCompile(`(?i)^query heads for each KV head$`),
	"H": regexp.MustCompile(`(?i)\bhead size\b|\b(size|width) of a head\b`),
	"I": regexp.MustCompile(`(?i)\bintensity\b`),
	"K": regexp.MustCompile(`(?i)\b(KV|key|key and value) heads\b|^Heads, if grouped$`),
	"L": regexp.MustCompile(`(?i)\blayers\b`),
	"M": regexp.MustCompile(`(?i)\baxes\b`),
	"N": regexp.MustCompile(`(?i)\bchips\b|\bGPUs\b|\bdevices\b`),
	"P": regexp.MustCompile(`(?i)\bparameters\b|^weights in all$`),
	"Q": regexp.MustCompile(`(?i)\bquery heads\b`),
	"R": regexp.MustCompile(`(?i)\breplicas\b`),
	"S": regexp.MustCompile(`(?i)\btokens\b|\bcache\b`),
	"T": regexp.MustCompile(`(?i)\btokens\b|\bcontext\b`),
	"V": regexp.MustCompile(`(?i)\bvocabulary\b|\bbytes\b|\barray\b|^Gathered|^The output$`),
	"W": regexp.MustCompile(`(?i)\bbandwidth\b|\blink\b|\baxis\b|\bsends?\b|\bPCIe\b|\begress\b|\ba second\b`),
	"X": regexp.MustCompile(`(?i)\baxis\b|\balong\b|\bchips\b|\bdegree\b|\bshards\b`),
	"Y": regexp.MustCompile(`(?i)\baxis\b|\balong\b|\bchips\b|\bdegree\b|\btensor parallelism\b|\bshards\b`),
	"Z": regexp.MustCompile(`(?i)\baxis\b|\balong\b|\bchips\b|\bGPUs\b`),
}

// dimension is what a letter is called that names a dimension of an array, as in A[I, J].
var dimension = regexp.MustCompile(`(?i)^(the )?(rows?|columns?|contracted|outer products|of (a|b|both)\b)|^Contracted`)

// ownLetters are sheets whose text defines other letters, for the terms of a derivation of its own.
var ownLetters = map[string]string{"merge": "M L A"}

// A letter stands for one quantity through the book.
func TestLetters(t *testing.T) {
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	env, seen := widget.Env(), 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) == "language.md" {
			continue // its examples are about the language
		}
		for _, src := range sources(file, data) {
			s, _ := src.compile(env)
			if s == nil {
				continue
			}
			for i := range s.Rows {
				d := &s.Rows[i]
				if len(d.Name) != 1 || d.Name > "Z" || strings.Contains(ownLetters[src.id], d.Name) {
					continue
				}
				seen++
				if what := wrongLetter(d); what != "" {
					t.Errorf("%s#%s: %s is %q, but stands for %s in the table of notation", file, src.id, d.Name,
						d.Label, what)
				}
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d letters", seen)
	}
}

// wrongLetter is what the letter of a row stands for, if it is used for something else.
func wrongLetter(d *expr.RowDef) string {
	switch known := letters[d.Name]; {
	case d.Type.Kind != value.Number, dimension.MatchString(d.Label), known != nil && known.MatchString(d.Label):
		return ""
	case d.Name == "T" && d.Type.Dim.String() == "s":
		return ""
	case known == nil:
		return "nothing"
	default:
		return known.String()
	}
}

// The table of notation has each letter, with the words by which labels are known.
func TestNotationHasTheLetters(t *testing.T) {
	page, err := os.ReadFile("../content/introduction.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| written | means |")
	for letter, means := range letters {
		line := regexp.MustCompile(`(?m)^\|[^|]*\$` + letter + `\$[^|]*\|(.*)\|$`).FindStringSubmatch(table)
		if line == nil || !means.MatchString(strings.TrimSpace(line[1])) {
			t.Errorf("the table of notation says of %s: %q; labels are known by %s", letter, line, means)
		}
	}
}

// otherFormulas are pieces of formulas in other letters than those of the table.
var otherFormulas = map[string]string{
	`P/W`:         "C/W",
	`\{P\}`:       "{C}",
	`/\(?P\b`:     "/C",
	`BTD`:         "BD",
	`BTF`:         "BF",
	`\bN\+K\b`:    "Q+K",
	`NH\b`:        "QH",
	`/nW`:         "/(MW)",
	`\\frac\{P\}`: `\frac{C}`,
}

// So do formulas in the text. What the original printed stands as it did.
func TestFormulasHaveTheLetters(t *testing.T) {
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	formula, formulas := regexp.MustCompile(`(?s)\$\$.*?\$\$|\$[^$\n]+\$`), 0
	var wrong []*regexp.Regexp
	for w := range otherFormulas {
		wrong = append(wrong, regexp.MustCompile(w))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formula.FindAllString(printedOrCode.ReplaceAllString(string(data), ""), -1) {
			formulas++
			for _, w := range wrong {
				if w.MatchString(f) {
					t.Errorf("%s: %s; write %s", file, f, otherFormulas[w.String()])
				}
			}
		}
	}
	if formulas < 500 {
		t.Errorf("only %d formulas", formulas)
	}
}

// Names of the program, such as so_far, are set as code and never as mathematics, neither in the text nor in a sheet.
func TestNamesOfCodeAreNoMathematics(t *testing.T) {
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	formula := regexp.MustCompile(`(?s)\$\$.*?\$\$|\$[^$\n]+\$`)
	words := regexp.MustCompile(`\\(text|mathrm|operatorname|mathbf)\w*\{[^}]*\}|\\[a-zA-Z]+`) // upright, and commands
	name := regexp.MustCompile(`[a-z]{2,}\\?_|_[a-z]{2,}`)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formula.FindAllString(printedOrCode.ReplaceAllString(string(data), ""), -1) {
			if name.MatchString(words.ReplaceAllString(f, " ")) {
				t.Errorf("%s: %s; write the name as `code`", file, f)
			}
		}
	}
	letter := regexp.MustCompile(`^\p{L}([0-9]*|_.*)$`)
	greek := regexp.MustCompile(`^(alpha|beta|gamma|delta|eta|theta|lambda|mu|rho|sigma|tau|phi)_`)
	seen := 0
	eachSheet(t, func(where string, s *sheet.Sheet) {
		for i := range s.Rows {
			n := s.Rows[i].Name
			code := strings.Contains(explain.Symbol(n, explain.MathML), `class="code-name"`)
			if want := strings.Contains(n, "_") && !letter.MatchString(n) && !greek.MatchString(n); code != want {
				t.Errorf("%s: %s is set as %s", where, n, explain.Symbol(n, explain.MathML))
			}
			if code {
				seen++
			}
		}
	})
	if seen < 100 {
		t.Errorf("only %d names", seen)
	}
}

var (
	quotedOrCode = regexp.MustCompile("(?s)```.*?\n```|`[^`]*`|\\$[^$]*\\$|\"[^\"]{0,400}\"|\\([0-9],[0-9]*\\)")
	fourDigits   = regexp.MustCompile(`(^|[^0-9,.\w])[1-9],[0-9]{3}($|[^0-9,]|,[^0-9])`)
)

// Numbers of four digits have no comma in the prose, as in the calculators beside it: 8192, but 16,384. What the
// original printed stands as it did.
func TestFourDigitsHaveNoComma(t *testing.T) {
	pages, err := filepath.Glob("../content/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range fourDigits.FindAll(quotedOrCode.ReplaceAll(page, []byte("“”")), -1) {
			t.Errorf("%s: %q; numbers of four digits have no comma", name, found)
		}
	}
}
