package widget

import (
	"strings"
	"testing"
)

// A number of the prose waits with the row that it shows: with an asked one, and with a step that begins from one.
func TestProseWaits(t *testing.T) {
	v := New(written(t, "s", "let x = 3 in 1..64\ny = 2 * x\nz = y + 1\nw = x + 1\nask y \"How much?\"\n"))
	for name, waits := range map[string]bool{"x": false, "y": true, "z": true, "w": false} {
		if got := strings.Contains(Number(v.Sheet, v.Result, name), "data-asked"); got != waits {
			t.Errorf("the number of %s in the prose waits: %v", name, got)
		}
	}
	veiled := func() (names string) {
		for _, s := range v.Values() {
			if s.Veiled {
				names += s.Name
			}
		}
		return names
	}
	if got := veiled(); got != "yz" {
		t.Errorf("%q wait in the page", got)
	}
	if v.Tell("y"); veiled() != "" {
		t.Errorf("%q wait although the reader knows", veiled())
	}
}

// The largest of what an asked row is the maximum of is its answer, and waits with it: whichever that is.
func TestBindingOperandWaits(t *testing.T) {
	v := New(written(t, "s", "let x = 3 in 1..64\na = 2 * x\nb = 10\ny = max(a, b)\nask y \"How much?\"\n"))
	for _, now := range []struct{ x, waits, stands string }{{"3", "b", "a"}, {"9", "a", "b"}} {
		if err := v.Set("x", now.x); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]bool{now.waits: true, now.stands: false} {
			if got := len(v.tells(name)) > 0; got != want {
				t.Errorf("x = %s: %s waits: %v", now.x, name, got)
			}
		}
	}
}

// The numbers of an asked maximum wait too, since its answer is one of them; those of an asked sum don't.
func TestWorkingOfAskedMaximumWaits(t *testing.T) {
	for formula, waits := range map[string]bool{"max(a, b)": true, "a + b": false} {
		v := New(written(t, "s", "let x = 3 in 1..64\na = 2 * x\nb = 10\ny = "+formula+"\nask y \"How much?\"\n"))
		if got := strings.Contains(HTML(v.buildWhy(v.row("y"))), "data-asked"); got != waits {
			t.Errorf("the working of %s waits: %v", formula, got)
		}
	}
}
