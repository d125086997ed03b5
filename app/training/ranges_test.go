package training

import (
	"strings"
	"testing"
)

// Every constant of a stack lies inside the range that physics allows what its name says. One at the edge stands for a
// mechanism that is missing, and its source names it after the word "missing"; no other source does.
func TestConstantsArePhysical(t *testing.T) {
	checked := 0
	for _, c := range Sources() {
		s, err := StackNamed(c.Scope)
		if err != nil || s.constant(c.Name) == nil {
			continue
		}
		checked++
		r, x := RangeOf(c.Name), *s.constant(c.Name)
		if r.Why == "" {
			t.Errorf("nobody says what %s can be", c.Name)
		}
		_, missing, _ := strings.Cut(c.Source, "missing: ")
		switch at := edge(c.Name, x, r); {
		case at && len(missing) < 30:
			t.Errorf("%s of %s is %g, at the edge of %g to %g (%s): say which mechanism is missing", c.Name, c.Scope, x,
				r.Low, r.High, r.Why)
		case !at && missing != "":
			t.Errorf("%s of %s is %g, inside of %g to %g: nothing is missing", c.Name, c.Scope, x, r.Low, r.High)
		}
	}
	if checked < 60 {
		t.Errorf("only %d constants", checked)
	}
}

// edge tells whether a constant is outside its range or within a hundredth of its end. What is counted or switched may
// be at an end.
func edge(name string, x float64, r Range) bool {
	switch name {
	case "eager", "flash",
		"norms_split",
		"keep_cast",
		"keep_outputs",
		"held_grad",
		"late_sync",
		"first_rank",
		"cost_split",
		"sent_grad",
		"flat_grad",
		"buckets",
		"narrow",
		"keep_input",
		"reach",
		"score_bytes",
		"slow_from",
		"show_tp",
		"show_dp",
		"show_pp",
		"show_reduce",
		"show_gather":
		return x < r.Low || x > r.High // a share of 1 says that nothing is overlapped
	}
	return x < r.Low*1.01 || x > r.High*0.99 || x == 0 && r.Low > 0
}

// A range is a check only if it has two ends and the values of every stack's default are inside.
func TestRangesAreRanges(t *testing.T) {
	for line := range strings.Lines(rangeTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var s Stack
		if len(c) != 4 || s.constant(c[0]) == nil {
			t.Errorf("%q is no range of a constant", line)
		}
		if r := RangeOf(c[0]); r.Low > r.High {
			t.Errorf("%s is from %g to %g", c[0], r.Low, r.High)
		}
	}
}
