package expr

import (
	"strings"
	"sync"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/value"
)

func TestFormula(t *testing.T) {
	plain := value.Type{Kind: value.Number}
	params := []value.Param{
		{Name: "n", Type: plain}, {Name: "on_off", Type: value.Type{Kind: value.Bool}},
		{Name: "d", Type: value.Type{Kind: value.DType}},
	}
	number := func(x float64) value.Value {
		v := value.Value{Kind: value.Number}
		v.Num.Value = x
		return v
	}
	for _, c := range []struct {
		text string
		want string
	}{
		{"if(on_off, n^2, 0)", "49"},
		{"n * d.bytes / 1 byte", "14"},
		{"max(n, 3 n)", "unexpected"},
		{"n / (n - 7)", "divides by zero"},
		{"missing", "unknown name"},
		{"n > 3", "on"},
	} {
		args := []value.Value{number(7), {Kind: value.Bool, Bool: true}, {Kind: value.DType, Text: "bf16", Bits: 16}}
		v, err := NewFormula(c.text, params, nil).Value(args)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	shared, wait := NewFormula("n + 1", params[:1], nil), sync.WaitGroup{}
	for i := range 8 {
		wait.Go(func() {
			if v, err := shared.Value([]value.Value{number(float64(i))}); err != nil || v.Num.Value != float64(i+1) {
				t.Errorf("%d: %v, %v", i, v, err)
			}
		})
	}
	wait.Wait()
}
