package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

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
