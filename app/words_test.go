package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget"
)

// pagesOfTerms are the pages of the first four chapters and their instruments, whose labels are held to the terms of
// the field.
var pagesOfTerms = strings.Fields("introduction rooflines rooflines-problems accelerators accelerators-tables " +
	"accelerators-problems chips sharding sharding-problems collective-problems sharding-lab collectives " +
	"transformer transformer-attention transformer-problems model-card kv-cache")

// otherWords are words that labels don't use, each with the term that they do.
var otherWords = []struct{ word, term string }{
	{`\b(un)?cuts?\b|\bcutting\b`, "sharded, a shard"},
	{`\bcopies\b`, "replicas"},
	{`\bto learn from a token\b`, "training FLOPs per token"},
	{`\btokens that look\b`, "query tokens"},
	{`\bthe exit\b`, "the unembedding"},
	{`\bwhat is remembered\b|\bremembered\b`, "activations that are kept"},
	{`\breading a prompt\b`, "prefill"},
	{`\bwriting a token\b`, "decode"},
	{`\btimes as long\b|\bhalf as \w+ again\b`, "a ratio of two named times"},
	{`\bsummands?\b`, "partial sums"},
	{`\bfour messages\b|\bits messages\b`, "collectives"},
	{`\bintensity of the arithmetic\b`, "arithmetic intensity"},
}

// caption is a figure with what is said below it.
var caption = regexp.MustCompile(`(?ms)^:::figure .*?^:::$`)

var quoted = regexp.MustCompile(`"([^"]*)"`)

// labels are what a page calls things: headings, titles of problems, titles and labels of its sheets, captions.
func labels(page string) []string {
	all := caption.FindAllString(page, -1)
	sheet := false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			sheet = strings.HasPrefix(line, "```sheet ")
		case strings.HasPrefix(line, "expect ") || strings.HasPrefix(line, "ask "):
		case sheet && strings.HasPrefix(line, "title "):
			all = append(all, line)
		case sheet:
			if m := quoted.FindAllStringSubmatch(line, -1); m != nil {
				all = append(all, m[len(m)-1][1])
			}
		case strings.HasPrefix(line, "##"), strings.HasPrefix(line, ":::problem "):
			name, _, _ := strings.Cut(line, "{#")
			all = append(all, name)
		}
	}
	return all
}

// Labels name things as the field does, so that who knows the papers knows them here.
func TestLabelsUseTerms(t *testing.T) {
	for _, name := range pagesOfTerms {
		page, err := os.ReadFile("../content/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		all := labels(string(page))
		if len(all) < 3 {
			t.Errorf("%s: %d labels found", name, len(all))
		}
		for _, w := range otherWords {
			word := regexp.MustCompile("(?i)" + w.word)
			for _, label := range all {
				if word.MatchString(label) {
					t.Errorf("%s: %q; say %s", name, strings.TrimSpace(label), w.term)
				}
			}
		}
	}
}

// privateWords are words that the book once had for what the field calls otherwise. They stand nowhere: in no sentence,
// label, caption or table. What the original printed stands as it did.
var privateWords = []struct{ word, term string }{
	{`\b(two|both|the larger|the smaller|computing|moving) clocks?\b`, "compute time, communication time"},
	{`\b(stands?|stood|standing) (idle|still)\b`, "idle, stalls"},
	{`\b(the|its|their|idle) arithmetic\b`, "compute units, compute time, FLOPs"},
	{
		`\b(how many|\d+|[*]) ways\b|\bways of (\w+ parallelism|fsdp|tensor|data|dp|tp)\b|\b(fsdp|tensor|tp) ways\b`,
		"degree",
	},
	{`\b(the|a|one|which|missing) wire\b|\b(shares?|twice the|no) wires\b`, "link, bandwidth"},
	{
		`\b(axis|axes) of wires\b|\b(more|fewer|most|many|which|of its) wires\b|\bwires (can|under)\b`,
		"links, axes of the torus",
	},
	{`\bnobody in it\b|\bonly two ways\b`, "without requests, over two chips"},
	{`\bfloors?\b|\bcompute-bound from, a\b`, "minimum tokens per chip, fixed time"},
	{`\bmessages?\b`, ofTransfers},
	{
		`\btraffic (that )?shows\b|\bof (that|it|which|its way) shows\b|\bshare shows\b|\bweights that show\b`,
		"exposed communication",
	},
	{`\bnine times in ten\b`, "90 % interval"},
	{`\bnine in ten below\b`, "p90"},
	{`\btokens a second(,| for| of) (each|a) (user|chip)\b`, "tokens/s per user, tokens/s per chip"},
	{`\bthat nothing beats\b`, "Pareto-optimal"},
	{`\bspeaks against\b`, "why not"},
	{`\bsummands?\b`, "partial sum"},
	{`\bchips promise\b|\bthat they reach\b`, "ideal and achieved speedup"},
	{`\brooms?\b`, "memory, capacity"},
	{`\bhalf as (high|much|large|many|long) again\b`, "1.5 times as"},
	{`\balive\b`, "running, live"},
	{`\b(is|are|isn’t|be|not) told\b|\b(rows?|nobody) (do(es)? not )?tells?\b`, "stated, said"},
	{
		`\bpric(e[sd]|ing) (every|it|them|alike)\b|\b(is|are|be|not|plans) priced\b|\bprices take for granted\b`,
		"estimated, assumptions",
	},
	{`\ba second and chip\b`, "tokens/s per chip"},
	{`\bso many times (as|one)\b`, "a ratio of two named quantities"},
	{`\btoken (that )?looks at\b|\btokens that look\b|\blooks at all\b`, "attends to"},
	{`\bwhat learns\b`, "trainable weights"},
	{`\bper cent\b`, "percent"},
	{`\bcomputed for nothing\b`, "wasted on padding"},
	{`\b(cells?|units|who|chips?) ((is|are) )?at work\b`, "utilization, busy"},
	{`\bdear(er|est)\b`, "cost ratio, the most expensive"},
	{`\btokens? guessed\b|\bguessed tokens?\b|\bsurvivals\b|\bsurvive\w* of (all|each)\b`,
		"draft tokens, acceptance rates"},
	{`\bchooses? (a )?tokens?\b|\bchoosing a token\b`, "sample"},
	{`\bshare of reading\b|\breading prompts\b`, "prefill"},
	{`\bcopies of the plan\b`, "replicas"},
	{`\bthin (it|part|node)\b|\bas thin\b|\bnetworks? (that )?(was|were|is|are) ill\b`,
		"oversubscribed, narrow, unstable"},
	{`\bcut in the middle\b`, "bisection"},
	{`\b(all )?places taken\b`, "a full batch"},
	{`\bpromised gain\b`, "ideal gain"},
	{`\bpipes?\b`, ofLinks},
	{`\b(utilis|materialis|quantis)\w+`, "utilization, rematerialization, quantization"},
}

// privateNames are parts of names that a sheet's lines had for what the field calls otherwise: readers see them as the
// symbols of formulas.
var privateNames = map[string]string{"room": "memory, capacity", "floor": "B_min", "floors": "T_fixed", "alive": "live",
	"told": "stated", "message": "V, size"}

// Lines of sheets are named by the terms of the field.
func TestNamesOfLinesUseTerms(t *testing.T) {
	pages, err := filepath.Glob("../content/*.md")
	if err != nil {
		t.Fatal(err)
	}
	line, names := regexp.MustCompile(`(?m)^(?:let |hidden |solve )?(\w+)(?: =|:) .*"`), 0
	for _, file := range pages {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatch(string(text), -1) {
			names++
			for part := range strings.SplitSeq(m[1], "_") {
				if term, private := privateNames[part]; private {
					t.Errorf("%s: a line is named %s; call it %s", file, m[1], term)
				}
			}
		}
	}
	if names < 3000 {
		t.Errorf("only %d lines", names)
	}
}

// ofTheField are the same words where they mean what everybody means by them.
var ofTheField = regexp.MustCompile(`(?i)\bmachine room\b|\barithmetic\s+intensity\b`)

// aboutPages are pages that speak of messages which browsers and the program send or show.
var aboutPages = []string{"accessibility.md", "embedding.md", "language.md", "changes.md"}

// What to say in place of messages and of pipes.
const (
	ofTransfers = "collectives, transfers, arrays"
	ofLinks     = "memory, link, bandwidth"
)

// printedOrCode is what the original printed, what isn't text for readers, and code in a text.
var printedOrCode = regexp.MustCompile("(?s)printed=\"[^\"]*\"|\\((#|/|[a-z-]*\\.md)[^)]*\\)|\\{#[^}]*\\}|" +
	"\\{\\{[^}]*\\}\\}|\\{\\w+\\}|\\[\\[[^\\]]*\\]\\]|`[^`\n]*`")

// seen is what readers see of a page: its prose, and of its sheets the labels.
func seen(page string) string {
	var b strings.Builder
	fence := "" // of what kind is the block that a line stands in
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			if fence = strings.TrimLeft(line, "`") + " "; strings.TrimSpace(fence) == "" {
				fence = ""
			}
		case fence == "", strings.HasPrefix(fence, "sheet") && strings.HasPrefix(line, "title "):
			b.WriteString(line)
		case strings.HasPrefix(fence, "sheet") && !strings.HasPrefix(line, "expect "):
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				b.WriteString(m[1] + ";\n")
			}
		}
	}
	return printedOrCode.ReplaceAllString(b.String(), "")
}

// keyOfPhrase is what a sentence of the program is found by, and names in it.
var keyOfPhrase = regexp.MustCompile(`(?m)^[a-z0-9.-]+\t|\{\w+\}`)

// readersTexts are what readers see: pages, sentences and words of the program, and what laws and figures say of
// themselves.
func readersTexts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	read := func(file string) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	pages, err := filepath.Glob("../content/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, file := range pages {
		all[file] = seen(read(file))
	}
	for _, file := range []string{"phrase/en.txt", "phrase/en.site.txt", "../content/po/words.txt"} {
		all[file] = keyOfPhrase.ReplaceAllString(read(file), "")
	}
	env := widget.Env()
	for name, f := range env.Funcs {
		all["the function "+name] = f.Doc
	}
	for name, f := range env.Figures {
		all["the figure "+name] = f.Doc
	}
	return all
}

func TestNoPrivateWords(t *testing.T) {
	for where, text := range readersTexts(t) {
		text = ofTheField.ReplaceAllString(text, "")
		for _, w := range privateWords {
			if w.term == ofTransfers && slices.Contains(aboutPages, filepath.Base(where)) {
				continue
			}
			if w.term == ofLinks && filepath.Base(where) == "changes.md" {
				continue // an edition of which it tells said so
			}
			word := regexp.MustCompile("(?i)" + strings.ReplaceAll(w.word, " ", `\s+`))
			for _, at := range word.FindAllStringIndex(text, -1) {
				around := text[max(0, at[0]-40):min(len(text), at[1]+40)]
				t.Errorf("%s: %q in …%s…; say %s", where, text[at[0]:at[1]], around, w.term)
			}
		}
	}
}

// What readers see of a page has labels and prose, and no code.
func TestSeen(t *testing.T) {
	page := "Prose {{floor}} `floor` [a](#floor).\n" +
		"```sheet floor\ntitle A title\nfloor = floor(a) \"A label of {floor}\"\n" +
		"expect floor = 1 as \"floor\"\n```\n```python\nfloor\n```\nMore."
	got := strings.Join(strings.Fields(seen(page)), " ")
	if got != "Prose [a]. title A title A label of ; More." {
		t.Errorf("%q", got)
	}
}
