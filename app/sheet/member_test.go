package sheet

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// digitEnv has a family of entries whose names begin with a digit.
func digitEnv() *value.Env {
	env := testEnv()
	kin := &value.Kin{Name: "model", Fields: []value.Field{{Name: "layers", Label: "layers", Type: typPlain}}}
	kin.Methods = map[string]*value.Func{"flops": {
		Name: "flops", Params: []value.Param{{Name: "T", Type: typPlain}}, Result: typPlain,
		Call: func(a []value.Value) (value.Value, error) { return num(2*a[1].Num.Value, quantity.Dim{}), nil }}}
	family := &value.Record{ID: "llama3", Fields: map[string]value.Value{}}
	for name, layers := range map[string]float64{"70b": 80, "8b": 32, "8x7b": 33, "30b_a3b": 48, "1e5": 5} {
		r := &value.Record{
			ID:     "llama3." + name,
			Name:   "Llama " + name,
			Kin:    kin,
			Fields: map[string]value.Value{"layers": num(layers, quantity.Dim{})},
		}
		kin.Members = append(kin.Members, r)
		family.Fields[name] = value.Value{Kind: value.Rec, Record: r}
	}
	env.Kins = append(env.Kins, kin)
	env.Values["llama3"] = value.Value{Kind: value.Rec, Record: family}
	return env
}

func TestFieldsThatBeginWithADigit(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"x = llama3.70b.layers", "80"},
		{"x = llama3.8x7b.layers * 2", "66"},
		{"x = llama3.30b_a3b.layers", "48"},
		{"x = llama3.1e5.layers", "5"},
		{"x = llama3.70b.flops(3)", "6"},
		{"let m = llama3.8b\nx = m.layers", "32"},
		{"let m = llama3.8b of llama3.8b, llama3.70b\nx = m.layers", "32"},
		{"let m = llama3.8b\nx = m.layers\nexpect x = 80 at m = llama3.70b\ntable x over m = llama3.8b, llama3.8x7b", "32"},
		{"x = max(llama3.8b.layers,.5)", "32"},
		{"x = 2 *.5", "1"},
		{"let B = 2 in 1..5\nx = B", "2"},
		{"x = 70B", "70"},
		{"x = llama3.71b.layers", "did you mean"},
		{"x = llama3.70b.70b", "has no field `70b`"},
		{"x = llama3.5", "a field’s name stands after the point"},
		{"x = llama3 .70b", ""},
		{"x = llama3. 70b", ""},
		{"x = 3.70b", ""},
		{"x = llama3." + strings.Repeat("7b", 40), "this name is too long"},
	} {
		s, errs := Compile(c.src, digitEnv())
		got := ""
		if len(errs) > 0 {
			got = errs[0].Error()
		} else if v, err := s.Eval(nil).Value("x"); err != nil {
			got = err.Error()
		} else {
			got = v.String()
		}
		if c.want == "" && len(errs) == 0 || !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q in it", c.src, got, c.want)
		}
	}
}

// A record that begins with a digit is written back as it is read: in links, in code and in opened laws.
func TestDigitsAreWrittenBack(t *testing.T) {
	s, errs := Compile("let m = llama3.8b\nx = m.layers", digitEnv())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	v, err := s.Inputs[0].Parse("llama3.70b")
	if err != nil || v.Record == nil || v.Record.ID != "llama3.70b" {
		t.Errorf("%v, %v", v, err)
	}
	if e, errs := syntax.ParseExpr("llama3.70b"); len(errs) > 0 || syntax.Code(e) != "llama3.70b" {
		t.Errorf("%v, %v", e, errs)
	}
}

func TestCompleteDigits(t *testing.T) {
	for src, want := range map[string]string{
		"x = llama3.|": "1e5 30b_a3b 70b 8b 8x7b", "x = llama3.7|": "70b", "x = llama3.8|": "8b 8x7b", "x = 7|": "",
		"x = 3 .7|": "",
	} {
		at := strings.Index(src, "|")
		if got := strings.Join(Complete(digitEnv(), src[:at], at), " "); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}
