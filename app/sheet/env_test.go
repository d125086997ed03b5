package sheet

import (
	"errors"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// The dimensions and types of the tests.
var (
	dimFLOP  = quantity.Dim{quantity.FLOP: 1}
	dimByte  = quantity.Dim{quantity.Byte: 1}
	dimRate  = quantity.Dim{quantity.FLOP: 1, quantity.Second: -1}
	dimBW    = quantity.Dim{quantity.Byte: 1, quantity.Second: -1}
	dimTime  = quantity.Dim{quantity.Second: 1}
	typPlain = value.Type{Kind: value.Number}
	typRate  = value.Type{Kind: value.Number, Dim: dimRate}
	typBW    = value.Type{Kind: value.Number, Dim: dimBW}
	typTime  = value.Type{Kind: value.Number, Dim: dimTime}
)

func num(x float64, d quantity.Dim) value.Value {
	return value.Value{Kind: value.Number, Num: quantity.Quantity{Value: x, Dim: d}}
}

func dtype(name string, bits float64) value.Value {
	return value.Value{Kind: value.DType, Text: name, Bits: bits}
}

// testEnv is a tiny catalog: two chips, one of which lacks a field and a peak, four dtypes, and a few functions.
func testEnv() *value.Env {
	kin := &value.RecordType{Name: "accelerator", Fields: []value.Field{
		{Name: "hbm_bandwidth", Label: "HBM bandwidth", Type: typBW},
		{Name: "hbm", Label: "HBM", Type: value.Type{Kind: value.Number, Dim: dimByte}},
		{Name: "link", Label: "link bandwidth", Type: typBW},
		{Name: "vendor", Label: "vendor", Type: value.Type{Kind: value.Text}},
		{Name: "native", Label: "native dtype", Type: value.Type{Kind: value.DType}},
	}}
	v5e := &value.Record{ID: "tpu.v5e", Name: "TPU v5e", Group: "TPU", Type: kin, Fields: map[string]value.Value{
		"hbm_bandwidth": num(8.1e11, dimBW),
		"hbm":           {Kind: value.Number, Num: quantity.Quantity{Value: 16 << 30, Dim: dimByte, Binary: true}},
		"link":          num(4.5e10, dimBW), "vendor": {Kind: value.Text, Text: "Google"}, "native": dtype("bf16", 16),
	}}
	h100 := &value.Record{ID: "gpu.h100", Name: "H100 SXM", Group: "GPU", Type: kin, Fields: map[string]value.Value{
		"hbm_bandwidth": num(3.35e12, dimBW), "hbm": num(80e9, dimByte), "vendor": {Kind: value.Text, Text: "NVIDIA"},
		"native": dtype("bf16", 16),
	}}
	kin.Members = []*value.Record{v5e, h100}
	peaks := map[string]map[string]float64{
		"tpu.v5e":  {"bf16": 1.97e14, "int8": 3.94e14},
		"gpu.h100": {"bf16": 9.9e14, "int8": 1.98e15, "fp8": 1.98e15},
	}
	kin.Methods = map[string]*value.Func{"flops": {
		Name: "flops", Params: []value.Param{{Name: "dtype", Type: value.Type{Kind: value.DType}}}, Result: typRate,
		Call: func(a []value.Value) (value.Value, error) {
			peak, ok := peaks[a[0].Record.ID][a[1].Text]
			if !ok {
				return value.Value{}, errors.New(a[0].Record.Name + " has no " + a[1].Text + " peak")
			}
			return num(peak, dimRate), nil
		},
	}}
	family := func(r *value.Record, name string) value.Value {
		fields := map[string]value.Value{name: {Kind: value.Rec, Record: r}}
		return value.Value{Kind: value.Rec, Record: &value.Record{Fields: fields}}
	}
	env := &value.Env{RecordTypes: []*value.RecordType{kin}, Funcs: testFuncs()}
	env.Figures = map[string]*value.Figure{"disc": {Name: "disc", Params: []value.Param{
		{Name: "size", Type: typPlain}, {Name: "of", Type: typPlain, Optional: true, Default: num(10, quantity.Dim{})},
	}}}
	env.DTypes = []value.Value{dtype("fp32", 32), dtype("bf16", 16), dtype("fp8", 8), dtype("int8", 8)}
	env.Funcs["below"] = &value.Func{Name: "below", Params: []value.Param{{Name: "n", Type: typPlain}},
		Result: value.ListOf(typPlain),
		Call: func(a []value.Value) (value.Value, error) {
			v := value.Value{Kind: value.List}
			for i := 0; i < int(min(a[0].Num.Value, 1000)); i++ {
				v.List = append(v.List, num(float64(i), quantity.Dim{}))
			}
			return v, nil
		}}
	env.Values = map[string]value.Value{"tpu": family(v5e, "v5e"), "gpu": family(h100, "h100"),
		"chips": {Kind: value.List, List: []value.Value{{Kind: value.Rec, Record: v5e}, {Kind: value.Rec, Record: h100}}}}
	for _, d := range env.DTypes {
		env.Values[d.Text] = d
	}
	return env
}

// testFuncs are a law with a formula, one with an optional parameter, a variadic one, one whose result's type depends
// on its argument, and three that misbehave.
func testFuncs() map[string]*value.Func {
	count := func(name string) value.Param { return value.Param{Name: name, Type: typPlain} }
	funcs := []*value.Func{
		{Name: "matmul_flops", Params: []value.Param{count("B"), count("D"), count("F")}, Formula: "2 FLOP * B * D * F",
			Doc: "Operations of a matmul.", Source: "counted from the definition",
			Result: value.Type{Kind: value.Number, Dim: dimFLOP},
			Call: func(a []value.Value) (value.Value, error) {
				return num(2*a[0].Num.Value*a[1].Num.Value*a[2].Num.Value, dimFLOP), nil
			}},
		{
			Name: "weights",
			Params: []value.Param{count("n"),
				{Name: "d", Type: value.Type{Kind: value.DType}, Optional: true, Default: dtype("bf16", 16)}},
			Formula: "n * d.bytes",
			Result:  value.Type{Kind: value.Number, Dim: dimByte},
			Call:    func(a []value.Value) (value.Value, error) { return num(a[0].Num.Value*a[1].Bits/8, dimByte), nil },
		},
		{Name: "total", Params: []value.Param{count("x")}, Variadic: true, Result: typPlain,
			Call: func(a []value.Value) (value.Value, error) {
				sum := 0.0
				for _, v := range a {
					sum += v.Num.Value
				}
				return num(sum, quantity.Dim{}), nil
			}},
		{Name: "twice", Params: []value.Param{{Name: "x", AnyDim: true}},
			ResultOf: func(t []value.Type) (value.Type, error) { return t[0], nil },
			Call: func(a []value.Value) (value.Value, error) {
				a[0].Num.Value *= 2
				return a[0], nil
			}},
		{Name: "divisors", Params: []value.Param{count("n")}, Result: value.ListOf(typPlain), Call: testDivisors},
		{Name: "broken", Result: typPlain, Call: func([]value.Value) (value.Value, error) { panic("out of order") }},
		{Name: "liar", Result: typTime, Call: func([]value.Value) (value.Value, error) { return num(1, dimByte), nil }},
		{
			Name:   "endless",
			Result: typPlain,
			Call:   func([]value.Value) (value.Value, error) { return num(1/(*new(float64)), quantity.Dim{}), nil },
		},
	}
	m := map[string]*value.Func{}
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
func testDivisors(a []value.Value) (value.Value, error) {
	list := value.Value{Kind: value.List}
	for d := 1.0; d <= min(a[0].Num.Value, 1000); d++ {
		if k := a[0].Num.Value / d; k == float64(int(k)) {
			list.List = append(list.List, num(d, quantity.Dim{}))
		}
	}
	return list, nil
}
