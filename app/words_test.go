package main

import (
	"os"
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
