package sheet

import (
	"errors"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
)

// quantityOf reads a quantity such as "1 byte/s".
func quantityOf(text string) quantity.Quantity {
	q, _, err := quantity.Literal(text)
	if err != nil {
		panic(err)
	}
	return q
}

func numberType(unit string) Type { return Type{Kind: Number, Dim: quantityOf(unit).Dim} }

func numberValue(text string) Value { return Value{Kind: Number, Num: quantityOf(text)} }

// explainEnv is a small environment: two chips, three dtypes, four laws.
func explainEnv() *Env {
	env := &Env{Values: map[string]Value{}, Funcs: map[string]*Func{}}
	for _, d := range []Value{{Kind: DType, Text: "bf16", Bits: 16}, {Kind: DType, Text: "int8", Bits: 8},
		{Kind: DType, Text: "fp4", Bits: 4}} {
		env.DTypes = append(env.DTypes, d)
		env.Values[d.Text] = d
	}
	kin := &Kin{Name: "accelerator", Fields: []Field{
		{Name: "hbm", Label: "HBM", Type: numberType("1 byte")},
		{Name: "hbm_bandwidth", Label: "HBM bandwidth", Type: numberType("1 byte/s")},
		{Name: "cores", Label: "", Type: numberType("1")},
	}}
	kin.Methods = map[string]*Func{"flops": {
		Name: "peak", Params: []Param{{Name: "chip", Type: Type{Kind: Rec, Kin: kin}}, {Name: "d", Type: Type{Kind: DType}}},
		Result: numberType("1 FLOP/s"),
		Call: func(a []Value) (Value, error) {
			if a[1].Bits < 8 {
				return Value{}, errors.New(a[0].Record.Name + " has no " + a[1].Text + " units")
			}
			q := a[0].Record.Fields["bf16"].Num
			q.Value *= 16 / a[1].Bits
			return Value{Kind: Number, Num: q}, nil
		},
	}}
	tpus := &Record{ID: "tpu", Kin: &Kin{Name: "catalog"}, Fields: map[string]Value{}}
	for _, c := range [][5]string{
		{"v5e", "TPU v5e", "16 GiB", "820 GB/s", "197 TFLOP/s"}, {"v5p", "TPU v5p", "95 GiB", "2.765 TB/s", "459 TFLOP/s"},
	} {
		r := &Record{ID: "tpu." + c[0], Name: c[1], Group: "Google TPU", Kin: kin, Fields: map[string]Value{
			"hbm": numberValue(c[2]), "hbm_bandwidth": numberValue(c[3]), "bf16": numberValue(c[4]), "cores": numberValue("1"),
		}}
		kin.Members = append(kin.Members, r)
		tpus.Fields[c[0]] = Value{Kind: Rec, Record: r}
		tpus.Kin.Fields = append(tpus.Kin.Fields, Field{Name: c[0], Label: c[1], Type: Type{Kind: Rec, Kin: kin}})
	}
	env.Values["tpu"] = Value{Kind: Rec, Record: tpus}
	env.Kins = []*Kin{kin}
	addExplainLaws(env)
	return env
}

// addExplainLaws adds laws whose Go and whose formula say the same.
func addExplainLaws(env *Env) {
	count := func(name string) Param { return Param{Name: name, Type: Type{Kind: Number}} }
	width := func(name string) Param {
		return Param{Name: name, Type: Type{Kind: DType}, Optional: true, Default: env.Values["bf16"]}
	}
	num := func(a []Value, i int) float64 { return a[i].Num.Value }
	result := func(unit string, v float64) (Value, error) {
		q := quantityOf(unit)
		q.Value = v
		return Value{Kind: Number, Num: q}, nil
	}
	for _, f := range []*Func{
		{Name: "matmul_flops", Params: []Param{count("B"), count("D"), count("F")}, Formula: "2 FLOP * B * D * F",
			Doc: "Operations of [B, D] x [D, F].", Source: "counted", Result: numberType("1 FLOP"),
			Call: func(a []Value) (Value, error) { return result("1 FLOP", 2*num(a, 0)*num(a, 1)*num(a, 2)) }},
		{Name: "matmul_bytes", Params: []Param{count("B"), count("D"), count("F"), width("x"), width("w")},
			Formula: "B * D * x.bytes + D * F * w.bytes + B * F * x.bytes", Result: numberType("1 byte"),
			Call: func(a []Value) (Value, error) {
				x, w := a[3].Bits/8, a[4].Bits/8
				return result("1 byte", num(a, 0)*num(a, 1)*x+num(a, 1)*num(a, 2)*w+num(a, 0)*num(a, 2)*x)
			}},
		{Name: "attainable", Params: []Param{{Name: "peak", Type: numberType("1 FLOP/s")},
			{Name: "bandwidth", Type: numberType("1 byte/s")},
			{Name: "intensity", Type: numberType("1 FLOP/byte")}},
			Formula: "min(peak, bandwidth * intensity)", Result: numberType("1 FLOP/s"), Doc: "The lower of two roofs.",
			Source: "Williams (2009)",
			Call:   func(a []Value) (Value, error) { return result("1 FLOP/s", min(num(a, 0), num(a, 1)*num(a, 2))) }},
		{Name: "matmul_time", Params: []Param{count("B"), count("D"), count("F"),
			{Name: "peak", Type: numberType("1 FLOP/s")}},
			Formula: "matmul_flops(B, D, F) / peak", Result: numberType("1 s"),
			Call: func(a []Value) (Value, error) { return result("1 s", 2*num(a, 0)*num(a, 1)*num(a, 2)/num(a, 3)) }},
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
