package instrument_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// The address brings any state back, and carries nothing of the default and no document.
func TestAddress(t *testing.T) {
	v := view2(t, all(), "")
	if got := params(v); got != "" {
		t.Error(got)
	}
	for _, x := range [][2]string{{"size", "8k MiB"}, {"many", "c,b"}, {"one", "b"}, {"on", "on"}, {"word", "a=b&c"}, {"paper", "{}"}, {"step", "3"}, {"b__speed", "50"}, {"sort", "-speed"}} {
		if err := v.Set(x[0], x[1]); err != nil {
			t.Error(x, err)
		}
	}
	query := params(v)
	if strings.Contains(query, "paper") || !strings.Contains(query, "all.b__speed=50") {
		t.Error(query)
	}
	ps, _, problems := widget.Decode(query)
	w := view2(t, all(), "")
	problems = append(problems, w.Apply(ps)...)
	if len(problems) > 0 || params(w) != query {
		t.Error(problems, params(w), query)
	}
	if a, b := v.Export("markdown"), w.Export("markdown"); a != b {
		t.Errorf("%s\n%s", a, b)
	}
	v.Reset()
	if got := params(v); got != "" {
		t.Error("after Reset:", got)
	}
}

// What a control may be set to can follow from one above it, whatever their names: the address is read in the order of the
// controls.
func TestAddressInOrderOfControls(t *testing.T) {
	within := func(top string) func(*instrument.State, string) error {
		return func(s *instrument.State, text string) error {
			if n, err := strconv.Atoi(text); err != nil || n > s.Int(top) {
				return errors.New("more than there are; write fewer")
			}
			return nil
		}
	}
	in := &instrument.Instrument{
		ID: "order", Title: "Order",
		Controls: func() []instrument.Control {
			return []instrument.Control{
				{Name: "zeta", Label: "Top", Default: "4"},
				{Name: "middle", Label: "Within it", Default: "2", Check: within("zeta")},
				{Name: "kind", Label: "Kind", Kind: instrument.Menu, Default: "few", Fit: func(s *instrument.State, c *instrument.Control) {
					c.Options = []instrument.Option{{ID: "few", Name: "few"}}
					if s.Int("middle") > 4 {
						c.Options = append(c.Options, instrument.Option{ID: "many", Name: "many"})
					}
				}},
				{Name: "alpha", Label: "Within that", Default: "1", Check: within("middle")},
			}
		},
		View: func(s *instrument.State) []instrument.Part { return nil },
	}
	v := view2(t, in, "")
	for _, x := range [][2]string{{"zeta", "32"}, {"middle", "16"}, {"kind", "many"}, {"alpha", "9"}} {
		if err := v.Set(x[0], x[1]); err != nil {
			t.Fatal(x, err)
		}
	}
	query := params(v)
	ps, _, problems := widget.Decode(query)
	w := view2(t, in, "")
	problems = append(problems, w.Apply(ps)...)
	if len(problems) > 0 || params(w) != query {
		t.Errorf("%s comes back as %s: %q", query, params(w), problems)
	}
}

func TestAddressProblems(t *testing.T) {
	v := view2(t, all(), "")
	ps, _, _ := widget.Decode("all.nothing=1&all.size=12+parrots&all.many=a,zz&all.many2=1&all.one=c&all.paper=x&all.step=99&all.c__speed=1&other.size=1")
	problems := v.Apply(ps)
	for _, want := range []string{"nothing", "parrots", "zz", "many2", "one = “c”", "paper", "step = “99”", "c__speed"} {
		if !strings.Contains(fmt.Sprint(problems), want) {
			t.Errorf("nothing said of %s in %q", want, problems)
		}
	}
	if len(problems) != 8 || params(v) != "" {
		t.Error(len(problems), problems, params(v))
	}
}
