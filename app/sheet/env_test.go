package sheet

import (
	"errors"
	"testing"

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
	rt := &value.RecordType{Name: "accelerator", Fields: []value.Field{
		{Name: "hbm_bandwidth", Label: "HBM bandwidth", Type: typBW},
		{Name: "hbm", Label: "HBM", Type: value.Type{Kind: value.Number, Dim: dimByte}},
		{Name: "link", Label: "link bandwidth", Type: typBW},
		{Name: "vendor", Label: "vendor", Type: value.Type{Kind: value.Text}},
		{Name: "native", Label: "native dtype", Type: value.Type{Kind: value.DType}},
	}}
	v5e := &value.Record{ID: "tpu.v5e", Name: "TPU v5e", Group: "TPU", Type: rt, Fields: map[string]value.Value{
		"hbm_bandwidth": num(8.1e11, dimBW),
		"hbm":           {Kind: value.Number, Num: quantity.Quantity{Value: 16 << 30, Dim: dimByte, Binary: true}},
		"link":          num(4.5e10, dimBW), "vendor": {Kind: value.Text, Text: "Google"}, "native": dtype("bf16", 16),
	}}
	h100 := &value.Record{ID: "gpu.h100", Name: "H100 SXM", Group: "GPU", Type: rt, Fields: map[string]value.Value{
		"hbm_bandwidth": num(3.35e12, dimBW), "hbm": num(80e9, dimByte), "vendor": {Kind: value.Text, Text: "NVIDIA"},
		"native": dtype("bf16", 16),
	}}
	rt.Members = []*value.Record{v5e, h100}
	peaks := map[string]map[string]float64{
		"tpu.v5e":  {"bf16": 1.97e14, "int8": 3.94e14},
		"gpu.h100": {"bf16": 9.9e14, "int8": 1.98e15, "fp8": 1.98e15},
	}
	rt.Methods = map[string]*value.Func{"flops": {
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
	env := &value.Env{RecordTypes: []*value.RecordType{rt}, Funcs: testFuncs()}
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
		"chips": {Kind: value.List, List: []value.Value{{Kind: value.Rec, Record: v5e},
			{Kind: value.Rec, Record: h100}}}}
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
			Call: func(a []value.Value) (value.Value, error) {
				return num(a[0].Num.Value*a[1].Bits/8, dimByte),
					nil
			},
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

// quantityOf reads a quantity such as "1 byte/s".
func quantityOf(text string) quantity.Quantity {
	q, _, err := quantity.Literal(text)
	if err != nil {
		panic(err)
	}
	return q
}

func numberType(unit string) value.Type {
	return value.Type{Kind: value.Number, Dim: quantityOf(unit).Dim}
}

func numberValue(text string) value.Value {
	return value.Value{Kind: value.Number, Num: quantityOf(text)}
}

// explainEnv is a small environment: two chips, three dtypes, four laws.
func explainEnv() *value.Env {
	env := &value.Env{Values: map[string]value.Value{}, Funcs: map[string]*value.Func{}}
	for _, d := range []value.Value{dtype("bf16", 16), dtype("int8", 8), dtype("fp4", 4)} {
		env.DTypes = append(env.DTypes, d)
		env.Values[d.Text] = d
	}
	rt := &value.RecordType{Name: "accelerator", Fields: []value.Field{
		{Name: "hbm", Label: "HBM", Type: numberType("1 byte")},
		{Name: "hbm_bandwidth", Label: "HBM bandwidth", Type: numberType("1 byte/s")},
		{Name: "cores", Label: "", Type: numberType("1")},
	}}
	rt.Methods = map[string]*value.Func{"flops": {
		Name: "peak",
		Params: []value.Param{{Name: "chip", Type: value.Type{Kind: value.Rec, Record: rt}},
			{Name: "d", Type: value.Type{Kind: value.DType}}},
		Result: numberType("1 FLOP/s"),
		Call: func(a []value.Value) (value.Value, error) {
			if a[1].Bits < 8 {
				return value.Value{}, errors.New(a[0].Record.Name + " has no " + a[1].Text + " units")
			}
			q := a[0].Record.Fields["bf16"].Num
			q.Value *= 16 / a[1].Bits
			return value.Value{Kind: value.Number, Num: q}, nil
		},
	}}
	tpus := &value.Record{ID: "tpu", Type: &value.RecordType{Name: "catalog"}, Fields: map[string]value.Value{}}
	for _, c := range [][5]string{
		{"v5e", "TPU v5e", "16 GiB", "820 GB/s", "197 TFLOP/s"},
		{"v5p", "TPU v5p", "95 GiB", "2.765 TB/s", "459 TFLOP/s"},
	} {
		r := &value.Record{ID: "tpu." + c[0], Name: c[1], Group: "Google TPU", Type: rt, Fields: map[string]value.Value{
			"hbm": numberValue(c[2]), "hbm_bandwidth": numberValue(c[3]), "bf16": numberValue(c[4]),
			"cores": numberValue("1"),
		}}
		rt.Members = append(rt.Members, r)
		tpus.Fields[c[0]] = value.Value{Kind: value.Rec, Record: r}
		tpus.Type.Fields = append(tpus.Type.Fields,
			value.Field{Name: c[0], Label: c[1], Type: value.Type{Kind: value.Rec, Record: rt}})
	}
	env.Values["tpu"] = value.Value{Kind: value.Rec, Record: tpus}
	env.RecordTypes = []*value.RecordType{rt}
	addExplainLaws(env)
	return env
}

// addExplainLaws adds laws whose Go and whose formula say the same.
func addExplainLaws(env *value.Env) {
	count := func(name string) value.Param { return value.Param{Name: name, Type: value.Type{Kind: value.Number}} }
	width := func(name string) value.Param {
		return value.Param{Name: name, Type: value.Type{Kind: value.DType}, Optional: true, Default: env.Values["bf16"]}
	}
	num := func(a []value.Value, i int) float64 { return a[i].Num.Value }
	result := func(unit string, v float64) (value.Value, error) {
		q := quantityOf(unit)
		q.Value = v
		return value.Value{Kind: value.Number, Num: q}, nil
	}
	for _, f := range []*value.Func{
		{Name: "matmul_flops", Params: []value.Param{count("B"), count("D"), count("F")}, Formula: "2 FLOP * B * D * F",
			Doc: "Operations of [B, D] x [D, F].", Source: "counted", Result: numberType("1 FLOP"),
			Call: func(a []value.Value) (value.Value,
				error) {
				return result("1 FLOP", 2*num(a, 0)*num(a, 1)*num(a, 2))
			}},
		{Name: "matmul_bytes", Params: []value.Param{count("B"), count("D"), count("F"), width("x"), width("w")},
			Formula: "B * D * x.bytes + D * F * w.bytes + B * F * x.bytes", Result: numberType("1 byte"),
			Call: func(a []value.Value) (value.Value, error) {
				x, w := a[3].Bits/8, a[4].Bits/8
				return result("1 byte", num(a, 0)*num(a, 1)*x+num(a, 1)*num(a, 2)*w+num(a, 0)*num(a, 2)*x)
			}},
		{Name: "attainable", Params: []value.Param{{Name: "peak", Type: numberType("1 FLOP/s")},
			{Name: "bandwidth", Type: numberType("1 byte/s")},
			{Name: "intensity", Type: numberType("1 FLOP/byte")}},
			Formula: "min(peak, bandwidth * intensity)", Result: numberType("1 FLOP/s"), Doc: "The lower of two roofs.",
			Source: "Williams (2009)",
			Call: func(a []value.Value) (value.Value, error) {
				return result("1 FLOP/s", min(num(a, 0), num(a, 1)*num(a, 2)))
			}},
		{Name: "matmul_time", Params: []value.Param{count("B"), count("D"), count("F"),
			{Name: "peak", Type: numberType("1 FLOP/s")}},
			Formula: "matmul_flops(B, D, F) / peak", Result: numberType("1 s"),
			Call: func(a []value.Value) (value.Value, error) {
				return result("1 s", 2*num(a, 0)*num(a, 1)*num(a, 2)/num(a, 3))
			}},
	} {
		env.Funcs[f.Name] = f
	}
}

// explainSheet is src as a sheet; the test fails if it is none.
func explainSheet(t testing.TB, src string) *Sheet {
	t.Helper()
	s, errs := Compile(src, explainEnv())
	for _, err := range errs {
		t.Error(err)
	}
	if s == nil || len(errs) > 0 {
		t.Fatalf("sheet does not compile:\n%s", src)
	}
	return s
}

const matmulSheet = `title An int8 matmul on one chip

let chip = tpu.v5e                              "Chip"
let W_hbm = 8.1e11 byte/s                       "HBM bandwidth, as the problem gives it"
let B = 256 token in 1..16384 log               "Tokens in the batch"
let D = 4096      in 128..65536 log             "Model width"
let F = 16384     in 128..262144 log            "Feed-forward width"

ops       = 2 FLOP * B * D * F                  "Operations"
moved     = (B*D + D*F + B*F) * 1 byte          "Bytes to and from HBM"
intensity = ops / moved                         "Arithmetic intensity"
T_math    = ops / chip.flops(int8)              "Time to compute"
T_comms   = moved / W_hbm                       "Time to move the bytes"
T_lower   = max(T_math, T_comms)                "At best, fully overlapped"
T_upper   = T_math + T_comms                    "At worst, nothing overlapped"
bound     = if(T_math > T_comms, "compute", "memory")

solve B_crit: B where T_math = T_comms          "Compute-bound above"
plot T_math, T_comms, T_lower over B mark B_crit
plot T_lower over B for D = 1024, 4096
plot T_lower over chip
`
