package widget

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
	"golang.org/x/net/html"
)

// foreign is a made-up language: each letter of a sentence, but not of its gaps, is ж.
func foreign(t *testing.T) phrase.Phrases {
	t.Helper()
	english, err := os.ReadFile("../phrase/en.txt")
	if err != nil {
		t.Fatal(err)
	}
	letters := regexp.MustCompile(`[A-Za-z]`)
	var b strings.Builder
	for line := range strings.Lines(string(english)) {
		key, rest, _ := strings.Cut(line, "\t")
		b.WriteString(key + "\t")
		for rest != "" {
			before, gap, after := phrase.Gap(rest)
			b.WriteString(letters.ReplaceAllString(before, "ж"))
			if gap != "" {
				b.WriteString("{" + gap + "}")
			}
			rest = after
		}
	}
	return phrase.Read(b.String())
}

// foreignSheet has labels without Latin letters.
const foreignSheet = `title Ω
let B = 256 byte in 1 byte..4096 byte log   "β"
let C = 2 in 1..10 step 1                   "γ"
let D = ring of ring, tree                  "δ"
let E = on                                  "ε"
let F = 0 in 0..8 step 1 play               "φ"
let G = 1, 2 of 1, 2, 3 most 3              "η"
let H = document(".x", 1 KiB)               "θ"
x = B / C                                   "ξ"
y = B * 2 / C                               "ψ"
z = max(x, y)                               "ζ"
w = sqrt(C - 3)                             "ω"
xs = divisors(12)                           "λ"
hidden q = x + y
solve a: B where x = 40 byte                "α"
solve b: B where x = 4000000000 byte        "β2"
solve c: B where x + 900 byte^2 / B is least           "κ"
solve all d: B where x = y
ask x "?"
ask a "?"
plot x, y over B
plot x over D
plot w over C in 1..2
table x, w over C = 1, 2, 3
table xs top 2
`

// foreignActs are what a reader may do, so that all of the machinery speaks.
func foreignActs(v *View) []func() {
	return []func(){
		func() {}, func() { v.ToggleAll(true); v.Toggle("menu", true); v.Toggle("rest:", true) },
		func() { v.Toggle("more:x", true); v.Toggle("more:w", true); v.Toggle(allKey(1), true) },
		func() {
			_ = v.Set("B", "12 parrots")
			_ = v.Set("C", "11")
			_ = v.Set("D", "star")
			_ = v.Set("E", "x")
		},
		func() { _ = v.Set("G", "1,2,3,4"); _ = v.Set("H", strings.Repeat("x", 5000)) },
		func() { v.SetField(v.id("x", "goal"), "40"); v.Goal("x") },
		func() { v.SetField(v.id("x", "goal"), "4e9 byte"); v.Goal("x") },
		func() { v.Reset(); v.SetField(v.id("x", "goal"), "64 byte"); v.Goal("x"); _ = v.Set("C", "4") },
		func() { v.SetField(v.id("x", "guess"), ""); v.TakeGuess("x") },
		func() { v.SetField(v.id("x", "guess"), "7 byte"); v.TakeGuess("x"); v.Reveal("a") },
		func() { v.SetField(v.id("x", "guess"), "9 s"); v.TakeGuess("x") },
		func() {
			given := []address.Param{{Sheet: "f", Name: "nobody", Text: "1"}, {Sheet: "f", Name: "H", Text: "y"}}
			v.Notice([]string{v.phrases().Text(v.Apply(given)[0])})
		},
		func() { v.Step("F", "play"); v.Say(v.Summary()) },
	}
}

// TestSecondLanguage shows a sheet in a made-up language, and finds no English of the machinery in it.
func TestSecondLanguage(t *testing.T) {
	env := library.New()
	env.Phrases = foreign(t)
	s, errs := sheet.Compile(foreignSheet, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "f"
	v, left := New(s), map[string]bool{}
	for _, act := range foreignActs(v) {
		act()
		page := parse(t, HTML(v.Fill(v.Frame())...)+HTML(Failure(env.Phrases, "!")))
		for n := range page.Descendants() {
			english(t, n, left)
		}
	}
	for _, text := range []string{Twin(s), Text(s, v.Result), Markdown(s, v.Result), v.Export("text")} {
		latin(t, text, left)
	}
}

// english reports what a reader is shown by a node in English.
func english(t *testing.T, n *html.Node, told map[string]bool) {
	t.Helper()
	if n.Type == html.TextNode && n.Parent.Data != "style" && n.Parent.Data != "math" {
		latin(t, n.Data, told)
	}
	for _, name := range []string{"aria-label", "title", "placeholder", "aria-valuetext", "alt"} {
		if text, ok := get(n, name); ok {
			latin(t, text, told)
		}
	}
}

// ownWord are names of the sheet, units, functions and file names, which no language translates.
var ownWord = regexp.MustCompile(
	`^([kKMG]i?)?B$|^bytes?$|^(ring|tree|star|parrots|nobody|max|sqrt|divisors|csv)$|^.$|^xs$|^e\d*$`,
)

func latin(t *testing.T, text string, told map[string]bool) {
	t.Helper()
	for _, word := range regexp.MustCompile(`[A-Za-z][A-Za-z_]*`).FindAllString(text, -1) {
		if !ownWord.MatchString(word) && !told[text] {
			told[text] = true
			t.Errorf("%q is said in English: %.200q", word, text)
		}
	}
}

// What a sheet shows of its data is said in the words of the language: a choice, a text, a head, a name. Programs get
// what the author wrote.
func TestDataInASecondLanguage(t *testing.T) {
	env := library.New()
	env.Phrases = phrase.Read("=HBM bandwidth\tПСП HBM\n=ring\tкольцо\n=the links\tканалы\n")
	s, errs := sheet.Compile(`let k = ring of ring, tree "δ"
let c = gpu.h100 of accelerators "γ"
w = if(k = "ring", "the links", "the chip") "ω"
t = 1 GB / c.hbm_bandwidth "τ"
`, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "f"
	v := New(s)
	v.ToggleAll(true)
	page := HTML(v.Fill(v.Frame())...)
	for _, want := range []string{`value="ring" selected>кольцо</option>`, `data-value="the links">каналы<`,
		"ПСП HBM"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if row := v.row("w"); row.Value.Text != "the links" {
		t.Errorf("the sheet computes with %q", row.Value.Text)
	}
}
