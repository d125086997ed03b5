package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

var (
	// crossing is a number in the prose that a sentence calls a limit: up to it, or past it, something else holds.
	crossing = regexp.MustCompile(`(?i)\b(up to|past|beyond|above|below|until|not before)\s+((an?|the) )?\{\{([\w.-]+)\}\}`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```")
	opened   = regexp.MustCompile("(?m)^```sheet ([a-z0-9-]+)")
)

// crossed are the numbers of a page's prose that its sentences call limits, each with its sheet.
func crossed(page string) (limits [][2]string) {
	prose := fenced.ReplaceAllStringFunc(page, func(s string) string { return strings.Repeat(" ", len(s)) })
	for _, at := range crossing.FindAllStringSubmatchIndex(prose, -1) {
		id, name, named := cutLast(prose[at[8]:at[9]])
		if !named { // a number of the sheet before it
			before := opened.FindAllStringSubmatch(page[:at[0]], -1)
			if len(before) == 0 {
				continue
			}
			id = before[len(before)-1][1]
		}
		limits = append(limits, [2]string{id, name})
	}
	return limits
}

// cutLast cuts a name such as sheet.row in two.
func cutLast(name string) (id, row string, found bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// A limit of which a sentence speaks, as in "up to so many chips", is worked out: it is no input, which stands where
// the reader left it and says nothing of where the limit lies.
func TestLimitsAreWorkedOut(t *testing.T) {
	inputs := map[string][]string{}
	eachSheet(t, func(where string, s *sheet.Sheet) {
		_, id, _ := strings.Cut(where, "#")
		for _, in := range s.Inputs {
			inputs[id] = append(inputs[id], in.Name)
		}
	})
	seen := 0
	eachPage(t, func(file, page string) {
		for _, l := range crossed(page) {
			if seen++; slices.Contains(inputs[l[0]], l[1]) {
				t.Errorf("%s: a sentence calls {{%s.%s}} a limit, which is an input", file, l[0], l[1])
			}
		}
	})
	if seen < 20 {
		t.Errorf("only %d limits", seen)
	}
}

// Such a sentence is found, whether it names the sheet or not.
func TestCrossed(t *testing.T) {
	page := "Past {{a.x}} it waits.\n```sheet s\nlet y = 1\n```\nUp to {{y}} it doesn't, at {{z}} it may."
	if got := crossed(page); len(got) != 2 || got[0] != [2]string{"a", "x"} || got[1] != [2]string{"s", "y"} {
		t.Error(got)
	}
}
