package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/value"
)

var (
	// ofAChip is a number in the prose just behind the name of a chip, of which a sentence says it.
	ofAChip = regexp.MustCompile(`\b(?:[HBAV]\d00|GB\d00|v\d[ep]?)((?:\s+[\w-]+){1,4})\s+\{\{([\w.-]+)\}\}`)
	aName   = regexp.MustCompile(`(?:^|[^.\w])([A-Za-z_]\w*)`) // and no field of an entry
)

// chosenFrom are the menus of catalog entries that a row of the sheet follows.
func chosenFrom(s *sheet.Sheet, name string, seen map[string]bool) (menus []string) {
	if seen[name] {
		return nil
	}
	seen[name] = true
	for _, in := range s.Inputs {
		if in.Name == name && in.Default.Kind == value.Rec && len(in.Menu) > 1 {
			return []string{name}
		}
	}
	if s.Row(name) == nil {
		return nil
	}
	for _, part := range aName.FindAllStringSubmatch(s.Formula(name, explain.Code), -1) {
		menus = append(menus, chosenFrom(s, part[1], seen)...)
	}
	return menus
}

// A sentence that says a number of a chip by its name would be wrong as soon as a reader chooses another chip in the
// box that the number is from. So it names the menu, or its number doesn't follow it.
func TestNumbersOfNamedChipsFollowNoMenu(t *testing.T) {
	sheets := map[string]*sheet.Sheet{}
	eachSheet(t, func(where string, s *sheet.Sheet) {
		_, id, _ := strings.Cut(where, "#")
		sheets[id] = s
	})
	seen := 0
	eachPage(t, func(file, page string) {
		here := opened.FindAllStringSubmatch(page, -1)
		prose := fenced.ReplaceAllStringFunc(page, func(s string) string { return strings.Repeat(" ", len(s)) })
		for _, at := range ofAChip.FindAllStringSubmatchIndex(prose, -1) {
			id, name, named := cutLast(prose[at[4]:at[5]])
			if before := opened.FindAllStringSubmatch(page[:at[0]], -1); !named && len(before) > 0 {
				id = before[len(before)-1][1]
			}
			s := sheets[id]
			if s == nil || !slices.ContainsFunc(here, func(m []string) bool { return m[1] == id }) {
				continue // a number of another page is that of its author's choice
			}
			seen++
			if menus := chosenFrom(s, name, map[string]bool{}); len(menus) > 0 {
				t.Errorf("%s: %q follows the menu %s of %s", file, prose[at[0]:at[1]], menus[0], id)
			}
		}
	})
	if seen < 10 {
		t.Errorf("only %d numbers", seen)
	}
}
