package edition

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
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
	d := Diff{Old: before.Version, New: now.Version, Changed: []Change{}, Appeared: []data.Result{}, Gone: []data.Result{}}
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
		out += fmt.Sprintf("| `%s` %s | %s | %s | %s |\n", key(c.Page, c.Sheet, c.Name), cell(c.Label), cell(c.Texts[0]),
			cell(c.Texts[1]), c.percent())
	}
	for i := range d.Gone {
		r := &d.Gone[i]
		out += fmt.Sprintf("| `%s` %s | %s | gone | |\n", key(r.Page, r.Sheet, r.Name), cell(r.Label), cell(printed(r)))
	}
	_, err := io.WriteString(w, out)
	return err
}
