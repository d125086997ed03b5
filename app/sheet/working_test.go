package sheet

import (
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// TestWork: a lone formula is printed as the step of a sheet with the same inputs.
func TestWork(t *testing.T) {
	values := []explain.Named{{Name: "N"}, {Name: "V"}, {Name: "W_oneway"}}
	for i, text := range []string{"16", "256 MiB", "45 GB/s"} {
		q, err := quantity.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		values[i].Value = value.Value{Kind: value.Number, Num: q}
	}
	s, errs := Compile("let N = 16\nlet V = 256 MiB\nlet W_oneway = 45 GB/s\nT = (N - 1)/N * V/W_oneway\n", nil)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	r := s.Eval(nil)
	for _, f := range []explain.Format{explain.Plain, explain.MathML, explain.Code} {
		w, err := explain.Work("(N - 1)/N * V/W_oneway", values, nil, f)
		if err != nil || w.Symbols != s.Formula("T", f) || w.Numbers != r.Working("T", f) {
			t.Errorf("%+v, %v; a sheet prints %s, %s", w, err, s.Formula("T", f), r.Working("T", f))
		}
		if want, _ := r.Value("T"); !w.Value.Equal(want) {
			t.Errorf("%v, a sheet has %v", w.Value, want)
		}
	}
	if _, err := explain.Work("N / M", values, nil, explain.Plain); err == nil {
		t.Error("a name without value passes")
	}
	if _, err := explain.Work("N /", values, nil, explain.Plain); err == nil {
		t.Error("half a formula passes")
	}
}
