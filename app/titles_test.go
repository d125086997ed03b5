package main

import (
	"regexp"
	"strings"
	"testing"
)

// problemOrTitle is the opening of a problem, its end, the opening of a sheet or the title of one.
var problemOrTitle = regexp.MustCompile("(?m)^(?::::problem (.+?)(?: \\{#[^}]*\\})?|(:::)|" +
	"```sheet ([a-z0-9-]+).*|title (.+))$")

// sameTitles are the sheets of a page that are called as the problem is in which they stand, and how many stand in one.
func sameTitles(page string) (same []string, sheets int) {
	problem, sheet := "", ""
	for _, m := range problemOrTitle.FindAllStringSubmatch(page, -1) {
		switch {
		case m[1] != "":
			problem = m[1]
		case m[2] != "":
			problem = ""
		case m[3] != "":
			sheet = m[3]
		case problem != "":
			if sheets++; strings.EqualFold(m[4], problem) {
				same = append(same, sheet)
			}
		}
	}
	return same, sheets
}

// The title of a sheet says what it calculates: it also stands where the problem doesn't, in the search, on a page of
// its own and in what readers copy. So it is another than its problem's, which asks.
func TestSheetsAreCalledByWhatTheyCalculate(t *testing.T) {
	seen := 0
	eachPage(t, func(file, page string) {
		same, sheets := sameTitles(page)
		seen += sheets
		for _, id := range same {
			t.Errorf("%s: the sheet %s is called as its problem; say what it calculates", file, id)
		}
	})
	if seen < 150 {
		t.Errorf("only %d sheets of problems", seen)
	}
}

// Such a sheet is found in its problem, and not behind it.
func TestSameTitles(t *testing.T) {
	page := ":::problem A pod {#p}\n```sheet a\ntitle A pod\n```\n```sheet b\ntitle Its rate\n```\n:::\n" +
		"```sheet c\ntitle A pod\n```\n"
	if same, sheets := sameTitles(page); len(same) != 1 || same[0] != "a" || sheets != 2 {
		t.Error(same, sheets)
	}
}
