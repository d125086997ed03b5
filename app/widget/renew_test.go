package widget

import (
	"strings"
	"testing"
)

const renewable = "let D = 4096 in 64..65536 log \"Width\"\nlet K = 8 in 1..64\nlet N = 32 in 1..64\n" +
	"ratio = D * N / K\nask ratio \"How many, at {D}?\"\n"

// Asked again, a question has other numbers, which it tells, and an answer that waits for an estimate. Numbers stay
// powers of two, and what was the larger of two.
func TestRenew(t *testing.T) {
	v, seen := New(written(t, "s", renewable)), map[string]bool{}
	for range 10 {
		v.Tell("ratio")
		said := v.Renew("ratio")
		if !v.Veiled("ratio") || !strings.HasPrefix(said, "With other numbers: ") {
			t.Fatal(said)
		}
		if v.Value(v.fitted("K")).Num.Value > v.Value(v.fitted("N")).Num.Value {
			t.Errorf("more keys than queries: %s", said)
		}
		if page := HTML(Section(v)); !strings.Contains(page, said) ||
			!strings.Contains(page, "How many, at "+v.Value(v.fitted("D")).String()+"?") {
			t.Errorf("%s isn't in %s", said, page)
		}
		seen[said] = true
	}
	if len(seen) < 5 {
		t.Errorf("ten times only %d sets of numbers: %v", len(seen), seen)
	}
	v.Reset()
	if page := HTML(Section(v)); strings.Contains(page, "With other numbers") {
		t.Error("with the author's numbers they are called others")
	}
}

// Where no input changes the answer, the numbers stay as they are and the answer stands.
func TestNothingToRenew(t *testing.T) {
	v := New(written(t, "s", "let x = 8 in 1..64\neach = x / x\nask each \"How much?\"\n"))
	v.Tell("each")
	if said := v.Renew("each"); said != "No other numbers change this answer." || v.Veiled("each") || len(v.Params()) > 0 {
		t.Error(said, v.Params())
	}
}

// A right answer is told from a nearly right one.
func TestNearlyRight(t *testing.T) {
	v := New(written(t, "s", "let x = 50 in 1..64\ny = 2 * x\nask y \"How much?\"\n"))
	for said, want := range map[string]string{"100": "exactly right", "101": "right within 2 %",
		"110": "nearly right, 10\u00a0% too high", "200": "a factor of 2, too high"} {
		v.SetField(v.id("y", "guess"), said)
		if g := v.TakeGuess("y"); !strings.Contains(g.Verdict, want) {
			t.Errorf("%s: %s", said, g.Verdict)
		}
	}
}
