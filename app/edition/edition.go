// Package edition tells editions of the book apart: what its changelog says of each, and which results have other
// values.
package edition

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/site/data"
)

// Change is a result that has another value or unit.
type Change struct {
	Page  string    `json:"page"`
	Sheet string    `json:"sheet"`
	Name  string    `json:"name"`
	Label string    `json:"label"`
	Old   any       `json:"old"` // in base units; null where there was an error
	New   any       `json:"new"`
	Unit  string    `json:"unit"`               // the new one
	Was   string    `json:"old_unit,omitempty"` // if it was another
	Texts [2]string `json:"texts"`              // as the pages print it
	By    *float64  `json:"by,omitempty"`       // new over old, less 1; absent where that is no number
}

// Diff is how the results of two editions differ, in the order of the pages.
type Diff struct {
	Old      string        `json:"old_version"`
	New      string        `json:"new_version"`
	Same     int           `json:"same"`
	Changed  []Change      `json:"changed"`
	Appeared []data.Result `json:"appeared"`
	Gone     []data.Result `json:"gone"`
}

// ReadResults reads the results that an edition publishes.
func ReadResults(text []byte) (*data.Results, error) {
	var r data.Results
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("not the results of an edition: %w; name a built site, or its %s", err, data.ResultsName)
	}
	if len(r.Results) == 0 || r.Version == "" {
		return nil, fmt.Errorf("it holds no results; name a built site, or its %s", data.ResultsName)
	}
	return &r, nil
}

// noise is by which share a number may differ and still be the same: less than any page prints.
const noise = 1e-9

// Compare compares two editions result by result.
func Compare(before, now *data.Results) Diff {
	d := Diff{Old: before.Version, New: now.Version, Changed: []Change{}, Appeared: []data.Result{},
		Gone: []data.Result{}}
	old := map[string]*data.Result{}
	for i := range before.Results {
		old[before.Results[i].Key()] = &before.Results[i]
	}
	for i := range now.Results {
		r := &now.Results[i]
		was := old[r.Key()]
		delete(old, r.Key())
		switch {
		case was == nil:
			d.Appeared = append(d.Appeared, *r)
		case was.Unit == r.Unit && same(was.Value, r.Value):
			d.Same++
		default:
			d.Changed = append(d.Changed, changed(was, r))
		}
	}
	for _, r := range before.Results {
		if old[r.Key()] != nil {
			d.Gone = append(d.Gone, r)
		}
	}
	return d
}

// same tells whether two values are, numbers but for noise.
func same(a, b any) bool {
	x, isNumber := a.(float64)
	y, also := b.(float64)
	if isNumber && also {
		return math.Abs(x-y) <= noise*max(math.Abs(x), math.Abs(y))
	}
	p, isList := a.([]any)
	q, alsoList := b.([]any)
	if !isList || !alsoList || len(p) != len(q) {
		return reflect.DeepEqual(a, b)
	}
	for i := range p {
		if !same(p[i], q[i]) {
			return false
		}
	}
	return true
}

func changed(was, now *data.Result) Change {
	c := Change{Page: now.Page, Sheet: now.Sheet, Name: now.Name, Label: now.Label, Old: was.Value, New: now.Value,
		Unit: now.Unit, Texts: [2]string{printed(was), printed(now)}}
	if was.Unit != now.Unit {
		c.Was = was.Unit
	}
	x, isNumber := was.Value.(float64)
	y, also := now.Value.(float64)
	if isNumber && also && x != 0 && was.Unit == now.Unit {
		by := y/x - 1
		c.By = &by
	}
	return c
}

// printed is a result as its page prints it.
func printed(r *data.Result) string {
	if r.Error != "" {
		return "no value"
	}
	return r.Text
}

// key is what a result is called in a list.
func key(page, sheet, name string) string { return page + "#" + sheet + "." + name }

// percent is by how much a number changed, "" where that can't be said.
func (c *Change) percent() string {
	if c.By == nil {
		return ""
	}
	return fmt.Sprintf("%+.3g %%", 100**c.By)
}

// Write prints a diff for people.
func (d *Diff) Write(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range d.Changed {
		c := &d.Changed[i]
		fmt.Fprintf(out, "%s\t%s\t-> %s\t%s\n", key(c.Page, c.Sheet, c.Name), c.Texts[0], c.Texts[1], c.percent())
	}
	for i := range d.Appeared {
		r := &d.Appeared[i]
		fmt.Fprintf(out, "%s\tnew\t%s\t\n", key(r.Page, r.Sheet, r.Name), printed(r))
	}
	for i := range d.Gone {
		r := &d.Gone[i]
		fmt.Fprintf(out, "%s\tgone\t%s\t\n", key(r.Page, r.Sheet, r.Name), printed(r))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "results changed: %d, new: %d, gone: %d, the same: %d\n", len(d.Changed),
		len(d.Appeared), len(d.Gone), d.Same)
	return err
}

// WriteMarkdown prints what a changelog says of a diff, below its heading "Numbers". What is new stands among what was
// added, and isn't repeated.
func (d *Diff) WriteMarkdown(w io.Writer) error {
	if len(d.Changed)+len(d.Gone) == 0 {
		_, err := io.WriteString(w, "No result has another value.\n")
		return err
	}
	out := "| result | was | is | by |\n|---|---|---|---|\n"
	cell := strings.NewReplacer("|", `\|`, "\n", " ", "\u00a0", " ").Replace
	for i := range d.Changed {
		c := &d.Changed[i]
		out += fmt.Sprintf("| `%s` %s | %s | %s | %s |\n", key(c.Page, c.Sheet, c.Name), cell(c.Label),
			cell(c.Texts[0]), cell(c.Texts[1]), c.percent())
	}
	for i := range d.Gone {
		r := &d.Gone[i]
		out += fmt.Sprintf("| `%s` %s | %s | gone | |\n", key(r.Page, r.Sheet, r.Name), cell(r.Label), cell(printed(r)))
	}
	_, err := io.WriteString(w, out)
	return err
}

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
