// Package edition tells editions of the book apart: what its changelog says of each, and which results have other
// values.
package edition

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Release is an edition as the changelog has it.
type Release struct {
	Version string // "1.0.0", or "Unreleased"
	Day     string // "2026-11-26"; "" for what is not released
	Text    string // Markdown, with headings of the third level
}

// unreleased is the heading of what no edition has yet.
const unreleased = "Unreleased"

// heading begins an edition: "## [1.0.0] - 2026-11-26".
var heading = regexp.MustCompile(`^## \[(\d+\.\d+\.\d+|Unreleased)\](?: - (\d{4}-\d\d-\d\d))?$`)

// kinds are the headings that Keep a Changelog allows within an edition, and ours for results.
var kinds = []string{"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Numbers"}

// Read reads a changelog: its head, and its editions, the newest first. An error names the line.
func Read(text string) (head string, releases []Release, err error) {
	last := -1
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		at := func(format string, args ...any) error {
			return fmt.Errorf("CHANGELOG.md:%d: %s", i+1, fmt.Sprintf(format, args...))
		}
		if strings.HasPrefix(line, "## ") {
			m := heading.FindStringSubmatch(line)
			switch {
			case m == nil:
				return "", nil, at("%q is no edition; write ## [1.2.3] - 2026-11-26, or ## [Unreleased]", line)
			case (m[1] == unreleased) != (m[2] == ""):
				return "", nil, at("%q: an edition has a day, and what is unreleased has none", line)
			case m[1] == unreleased && last >= 0:
				return "", nil, at("what is unreleased stands first")
			case last >= 0 && releases[last].Version != unreleased && !newer(releases[last].Version, m[1]):
				return "", nil, at("%s stands below %s; the newest edition stands first", m[1], releases[last].Version)
			}
			releases = append(releases, Release{Version: m[1], Day: m[2]})
			last++
			continue
		}
		if kind, ok := strings.CutPrefix(line, "### "); ok && !slices.Contains(kinds, kind) {
			return "", nil, at("%q is no kind of change; write one of %s", kind, strings.Join(kinds, ", "))
		}
		if last < 0 {
			head += line + "\n"
		} else {
			releases[last].Text += line + "\n"
		}
	}
	for i := range releases {
		releases[i].Text = strings.TrimSpace(releases[i].Text)
	}
	if len(releases) == 0 {
		return "", nil, errors.New("CHANGELOG.md: no edition; write ## [1.0.0] - 2026-11-26")
	}
	return strings.TrimSpace(head), releases, nil
}

// newer tells whether a version comes after another.
func newer(a, b string) bool {
	var x, y [3]int
	fmt.Sscanf(a, "%d.%d.%d", &x[0], &x[1], &x[2])
	fmt.Sscanf(b, "%d.%d.%d", &y[0], &y[1], &y[2])
	return slices.Compare(x[:], y[:]) > 0
}

// pageHead is how the page of changes begins.
const pageHead = `---
title: What changed
subtitle: Editions and their numbers
description: What each edition of Scalebook added and changed, newest first, with every result that has another value.
kind: page
order: 103
---

`

// pageTail follows the editions.
const pageTail = `
Every edition publishes all of its results as [data](/data/results.json). In the book's source,
` + "`go run ./app diff OLD NEW`" + ` compares two of them, folders or addresses, and prints each result that has
another value, came or went.
`

// Page is the changelog as a page of the book: the head without its title, then the editions.
func Page(head string, releases []Release) string {
	_, about, _ := strings.Cut(head, "\n")
	var b strings.Builder
	b.WriteString(pageHead + strings.TrimSpace(about) + "\n")
	for _, r := range releases {
		if r.Text == "" {
			continue
		}
		title := "Edition " + r.Version + ", " + r.Day
		if r.Version == unreleased {
			title = "Not yet in an edition"
		}
		b.WriteString("\n## " + title + "\n\n" + withBoldKinds(r) + "\n")
	}
	return b.String() + pageTail
}

// withBoldKinds is the text of an edition with its kinds of change as bold words: headings of one name would need ids.
func withBoldKinds(r Release) string {
	return regexp.MustCompile(`(?m)^### (.*)$`).ReplaceAllString(r.Text, "**$1**")
}
