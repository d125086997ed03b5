package widget

import (
	"testing"

	"github.com/scalebook/scalebook/app/widget/address"
)

// renamed is a sheet two of whose inputs had other names.
const renamed = `let N = 8 in 1..64 step 1 was n was Chips "Chips"
let m = N in 1..N was most "Those used"
let config = document was text "A document"
T = 1 s * m`

// An address with a former name sets the input, and what the address then says has its present name, which counts where
// both are given. The case of former names doesn't matter: attributes of HTML have none.
func TestFormerNames(t *testing.T) {
	for query, want := range map[string]string{
		"r.n=4":                  "r.N=4",
		"r.chips=4":              "r.N=4",
		"r.most=3&r.n=5":         "r.N=5&r.m=3",
		"r.N=2&r.n=4":            "r.N=2",
		"r.n=4&r.N=2&r.chips=16": "r.N=2",
		"r.n=4&other.N=2":        "r.N=4",
		"other.n=4":              "",
	} {
		ps, _, _ := address.Decode(query)
		s := written(t, "r", renamed)
		if problems := Check(s, ps); len(problems) > 0 {
			t.Errorf("%s: %v", query, problems)
		}
		v, hosted := New(s), New(s)
		v.Apply(ps)
		hosted.Host(ps)
		for _, x := range []*View{v, hosted} {
			if got := address.Encode(x.Params()); got != want {
				t.Errorf("%s became %s, want %s", query, got, want)
			}
		}
		hosted.Reset()
		if got := address.Encode(hosted.Params()); got != want {
			t.Errorf("%s, given by a page and reset: %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"r.n=100", "r.N=x&r.n=4", "r.text=abc", "r.config=abc", "r.nn=4"} {
		ps, _, _ := address.Decode(query)
		if problems := New(written(t, "r", renamed)).Apply(ps); len(problems) != 1 {
			t.Errorf("%s: %v", query, problems)
		}
	}
}
