package sheet

import (
	"errors"

	"github.com/scalebook/scalebook/app/quantity"
)

// The dimensions and types of the tests.
var (
	dimFLOP  = quantity.Dim{quantity.FLOP: 1}
	dimByte  = quantity.Dim{quantity.Byte: 1}
	dimRate  = quantity.Dim{quantity.FLOP: 1, quantity.Second: -1}
	dimBW    = quantity.Dim{quantity.Byte: 1, quantity.Second: -1}
	dimTime  = quantity.Dim{quantity.Second: 1}
	typPlain = Type{Kind: Number}
	typRate  = Type{Kind: Number, Dim: dimRate}
	typBW    = Type{Kind: Number, Dim: dimBW}
	typTime  = Type{Kind: Number, Dim: dimTime}
)

func num(x float64, d quantity.Dim) Value {
	return Value{Kind: Number, Num: quantity.Quantity{Value: x, Dim: d}}
}

func dtype(name string, bits float64) Value { return Value{Kind: DType, Text: name, Bits: bits} }

// testEnv is a tiny catalog: two chips, one of which lacks a field and a peak, four dtypes, and a few functions.
func testEnv() *Env {
	kin := &Kin{Name: "accelerator", Fields: []Field{
		{Name: "hbm_bandwidth", Label: "HBM bandwidth", Type: typBW},
		{Name: "hbm", Label: "HBM", Type: Type{Kind: Number, Dim: dimByte}},
		{Name: "link", Label: "link bandwidth", Type: typBW},
		{Name: "vendor", Label: "vendor", Type: Type{Kind: Text}},
		{Name: "native", Label: "native dtype", Type: Type{Kind: DType}},
	}}
	v5e := &Record{ID: "tpu.v5e", Name: "TPU v5e", Group: "TPU", Kin: kin, Fields: map[string]Value{
		"hbm_bandwidth": num(8.1e11, dimBW),
		"hbm":           {Kind: Number, Num: quantity.Quantity{Value: 16 << 30, Dim: dimByte, Binary: true}},
		"link":          num(4.5e10, dimBW), "vendor": {Kind: Text, Text: "Google"}, "native": dtype("bf16", 16),
	}}
	h100 := &Record{ID: "gpu.h100", Name: "H100 SXM", Group: "GPU", Kin: kin, Fields: map[string]Value{
		"hbm_bandwidth": num(3.35e12, dimBW), "hbm": num(80e9, dimByte), "vendor": {Kind: Text, Text: "NVIDIA"},
		"native": dtype("bf16", 16),
	}}
	kin.Members = []*Record{v5e, h100}
	peaks := map[string]map[string]float64{
		"tpu.v5e":  {"bf16": 1.97e14, "int8": 3.94e14},
		"gpu.h100": {"bf16": 9.9e14, "int8": 1.98e15, "fp8": 1.98e15},
	}
	kin.Methods = map[string]*Func{"flops": {
		Name: "flops", Params: []Param{{Name: "dtype", Type: Type{Kind: DType}}}, Result: typRate,
		Call: func(a []Value) (Value, error) {
			peak, ok := peaks[a[0].Record.ID][a[1].Text]
			if !ok {
				return Value{}, errors.New(a[0].Record.Name + " has no " + a[1].Text + " peak")
			}
			return num(peak, dimRate), nil
		},
	}}
	family := func(r *Record, name string) Value {
		return Value{Kind: Rec, Record: &Record{Fields: map[string]Value{name: {Kind: Rec, Record: r}}}}
	}
	env := &Env{Kins: []*Kin{kin}, Funcs: testFuncs()}
	env.Figures = map[string]*Figure{"disc": {Name: "disc", Params: []Param{
		{Name: "size", Type: typPlain}, {Name: "of", Type: typPlain, Optional: true, Default: num(10, quantity.Dim{})},
	}}}
	env.DTypes = []Value{dtype("fp32", 32), dtype("bf16", 16), dtype("fp8", 8), dtype("int8", 8)}
	env.Funcs["below"] = &Func{Name: "below", Params: []Param{{Name: "n", Type: typPlain}}, Result: ListOf(typPlain),
		Call: func(a []Value) (Value, error) {
			v := Value{Kind: List}
			for i := 0; i < int(min(a[0].Num.Value, 1000)); i++ {
				v.List = append(v.List, num(float64(i), quantity.Dim{}))
			}
			return v, nil
		}}
	env.Values = map[string]Value{"tpu": family(v5e, "v5e"), "gpu": family(h100, "h100"),
		"chips": {Kind: List, List: []Value{{Kind: Rec, Record: v5e}, {Kind: Rec, Record: h100}}}}
	for _, d := range env.DTypes {
		env.Values[d.Text] = d
	}
	return env
}

// testFuncs are a law with a formula, one with an optional parameter, a variadic one, one whose result's type depends
// on its argument, and three that misbehave.
func testFuncs() map[string]*Func {
	count := func(name string) Param { return Param{Name: name, Type: typPlain} }
	funcs := []*Func{
		{Name: "matmul_flops", Params: []Param{count("B"), count("D"), count("F")}, Formula: "2 FLOP * B * D * F",
			Doc: "Operations of a matmul.", Source: "counted from the definition", Result: Type{Kind: Number, Dim: dimFLOP},
			Call: func(a []Value) (Value, error) {
				return num(2*a[0].Num.Value*a[1].Num.Value*a[2].Num.Value, dimFLOP), nil
			}},
		{
			Name:    "weights",
			Params:  []Param{count("n"), {Name: "d", Type: Type{Kind: DType}, Optional: true, Default: dtype("bf16", 16)}},
			Formula: "n * d.bytes",
			Result:  Type{Kind: Number, Dim: dimByte},
			Call:    func(a []Value) (Value, error) { return num(a[0].Num.Value*a[1].Bits/8, dimByte), nil },
		},
		{Name: "total", Params: []Param{count("x")}, Variadic: true, Result: typPlain,
			Call: func(a []Value) (Value, error) {
				sum := 0.0
				for _, v := range a {
					sum += v.Num.Value
				}
				return num(sum, quantity.Dim{}), nil
			}},
		{Name: "twice", Params: []Param{{Name: "x", AnyDim: true}},
			ResultOf: func(t []Type) (Type, error) { return t[0], nil },
			Call: func(a []Value) (Value, error) {
				a[0].Num.Value *= 2
				return a[0], nil
			}},
		{Name: "divisors", Params: []Param{count("n")}, Result: ListOf(typPlain), Call: testDivisors},
		{Name: "broken", Result: typPlain, Call: func([]Value) (Value, error) { panic("out of order") }},
		{Name: "liar", Result: typTime, Call: func([]Value) (Value, error) { return num(1, dimByte), nil }},
		{
			Name:   "endless",
			Result: typPlain,
			Call:   func([]Value) (Value, error) { return num(1/(*new(float64)), quantity.Dim{}), nil },
		},
	}
	m := map[string]*Func{}
	for _, f := range funcs {
		m[f.Name] = f
	}
	return m
}

// sheetOf compiles src, which must have no faults.
func sheetOf(t tester, src string) *Sheet {
	t.Helper()
	s, errs := Compile(src, testEnv())
	for _, e := range errs {
		t.Errorf("%v", e)
	}
	if s == nil {
		t.Fatalf("no sheet from:\n%s", src)
	}
	return s
}

// tester is the part of *testing.T and *testing.B that the helpers need.
type tester interface {
	Helper()
	Errorf(string, ...any)
	Fatalf(string, ...any)
}

// testDivisors lists the divisors of a number, and none of one that is too small or not whole.
func testDivisors(a []Value) (Value, error) {
	list := Value{Kind: List}
	for d := 1.0; d <= min(a[0].Num.Value, 1000); d++ {
		if k := a[0].Num.Value / d; k == float64(int(k)) {
			list.List = append(list.List, num(d, quantity.Dim{}))
		}
	}
	return list, nil
}
