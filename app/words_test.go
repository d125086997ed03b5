package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
// label or caption. What the original printed stands as it did.
var privateWords = []struct{ word, term string }{
	{`\b(two|both|the larger|the smaller|computing|moving) clocks?\b`, "compute time, communication time"},
	{`\b(stands?|stood|standing) (idle|still)\b`, "idle, stalls"},
	{
		`\bthe arithmetic (is|stands|waits|shrinks|halves|takes|hides|still hides|grows)\b`,
		"compute units, compute time, FLOPs",
	},
	{`\bidle arithmetic\b|\bits arithmetic wait\b`, "idle compute units"},
	{`\bways of (fsdp|tensor|data|dp|tp)\b|\b(fsdp|tensor|tp) ways\b`, "degree"},
	{`\bthe floor (is|of|falls|for each pod)\b|\bcompute-bound from, a\b`, "minimum tokens per chip"},
	{`\b(its|the|both|whose|two) messages\b|\barithmetic over messages\b`, "collectives, communication"},
	{`\btraffic that shows\b|\bbetween replicas that show\b`, "exposed communication"},
	{`\bnine times in ten\b`, "90 % interval"},
	{`\bthat nothing beats\b`, "Pareto-optimal"},
	{`\bspeaks against it\b`, "why not"},
	{`\bsummands?\b`, "partial sum"},
	{`\bin all half as much again\b|\bin sum half as much\b`, "1.5x"},
	{`\bchips promise\b|\bthat they reach\b`, "ideal and achieved speedup"},
	{`\b(leaves?|no|more|has|too little) room\b|\broom (for|beside|there|to spare)\b`, "memory, capacity"},
	{`\bhalf as (high|much|large|many|long) again\b`, "1.5 times as"},
	{`\b(stays?|comes?|keeps?) alive\b`, "running, live"},
	{`\b(utilis|materialis|quantis)\w+`, "utilization, rematerialization, quantization"},
}

// printed is what the original printed, and code in a text.
var printedOrCode = regexp.MustCompile("(?s)printed=\"[^\"]*\"|\\(#[^)]*\\)|\\{#[^}]*\\}|```python.*?```|`[^`\n]*`")

// keyOfPhrase is what a sentence of the program is found by.
var keyOfPhrase = regexp.MustCompile(`(?m)^[a-z0-9.-]+\t`)

func TestNoPrivateWords(t *testing.T) {
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	files = append(files, "phrase/en.txt", "phrase/en.site.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page := keyOfPhrase.ReplaceAllString(printedOrCode.ReplaceAllString(string(data), ""), "")
		for _, w := range privateWords {
			word := regexp.MustCompile("(?i)" + strings.ReplaceAll(w.word, " ", `\s+`))
			for _, at := range word.FindAllStringIndex(page, -1) {
				t.Errorf("%s: %q in …%s…; say %s", file, page[at[0]:at[1]], page[max(0, at[0]-40):min(len(page), at[1]+40)], w.term)
			}
		}
	}
}
