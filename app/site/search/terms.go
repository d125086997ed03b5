package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Name is a name that a term goes by, its own or another.
type Name struct {
	Text     string
	Fragment string // of the term, on the page that explains it
}

// Letter is what begins with one letter, or with none.
type Letter struct {
	Text  string
	Names []Name
}

// Letters is the index of the terms that a page explains: all their names, by the alphabet. Digits and signs stand
// before it.
func Letters(page string) []Letter {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil // only a reader can fail, and this one doesn't
	}
	var names []Name
	for n := range doc.Descendants() {
		id := attr(n, "id")
		if n.Data != "dt" || id == "" || inSheet(n) {
			continue
		}
		_, also := definitions(n)
		_, others, _ := strings.Cut(strings.TrimSuffix(also, "."), " ") // behind Also
		names = append(names, Name{textOf(n), id})
		for other := range strings.SplitSeq(others, ",") {
			if other = strings.TrimSpace(other); other != "" {
				names = append(names, Name{other, id})
			}
		}
	}
	slices.SortStableFunc(names, func(a, b Name) int {
		return cmp.Or(cmp.Compare(initial(a.Text), initial(b.Text)),
			cmp.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text)))
	})
	var all []Letter
	for _, n := range names {
		if l := initial(n.Text); len(all) == 0 || all[len(all)-1].Text != l {
			all = append(all, Letter{Text: l})
		}
		last := &all[len(all)-1]
		last.Names = append(last.Names, n)
	}
	return all
}

// initial is the letter that a name begins with, a capital; nothing if it begins with a digit or a sign.
func initial(name string) string {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsLetter(r) {
		return string(unicode.ToUpper(r))
	}
	return ""
}
