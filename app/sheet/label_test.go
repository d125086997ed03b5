package sheet

import (
	"testing"

	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

func TestLabelsNameInputs(t *testing.T) {
	bf16, int8 := dtype("bf16", 16), dtype("int8", 8)
	const source = "let d = bf16 \"Format\"\nlet n = 2 in 1..9 \"{d} items\"\nx = n * 3 \"{n} of {d}, {odd\"\n"
	s, errs := Compile(source, &value.Env{
		Values: map[string]value.Value{"bf16": bf16, "int8": int8},
		DTypes: []value.Value{bf16, int8},
	})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	st, err := s.Set(nil, "d", "int8")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		st         input.State
		name, want string
	}{
		{nil, "x", "2 of bf16, {odd"},
		{st, "x", "2 of int8, {odd"},
		{st, "n", "int8 items"},
		{nil, "d", "Format"},
		{nil, "nobody", "nobody"},
	} {
		if got := s.Label(c.st, c.name); got != c.want {
			t.Errorf("Label(%v, %s) = %q, want %q", c.st, c.name, got, c.want)
		}
	}
}

// At the head of a column a label can't name the value of one line.
func TestLabelsOverAnInput(t *testing.T) {
	s, errs := Compile("let n = 2 in 1..9 \"The number\"\nlet m = 3 \"{n} others\"\nx = n * m \"{n} by {m}\"\n", nil)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	for _, c := range [][2]string{{"n", "The number by 3"}, {"m", "2 by m"}, {"", "2 by 3"}} {
		if got := s.LabelOver(nil, "x", c[0]); got != c[1] {
			t.Errorf("over %q: %q, want %q", c[0], got, c[1])
		}
	}
}

func TestLabelsNameOnlyInputs(t *testing.T) {
	_, errs := Compile("x = 1 \"{y} of it\"\ny = 2", nil)
	if len(errs) != 1 || errs[0].Pos.Line != 1 {
		t.Fatalf("got %v, want one error in line 1", errs)
	}
}
