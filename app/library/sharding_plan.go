package library

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet"
)

// kept is how many strategies a plan of a sheet knows by their place; others are found by title.
const kept = 8

// addPlans offers the planner.
func addPlans(env *sheet.Env) {
	n := &networks{catalogs: []*hardware.Accelerators{hardware.Catalog(), original(hardware.Catalog())}}
	kin := strategyKin()
	product := []sheet.Param{of("einsum", text), of("sizes", text), of("mesh", text)}
	chip := of("chip", sheet.Type{Kind: sheet.Rec})
	env.Funcs["matmul_case"] = &sheet.Func{
		Name: "matmul_case", Params: append(product[:3:3], openSizes()), Variadic: true, Result: plain, Source: austinSharding,
		Doc: "Which of the four cases a product of two split arrays is: 1 nothing to communicate, 2 a contracting dimension split on one side, " +
			"3 split on both sides alike, 4 one axis on two dimensions of the result.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			e, err := einsum(a[:3], a[3:])
			if err != nil {
				return sheet.Value{}, err
			}
			c, _ := e.Case()
			return sheet.Value{Kind: sheet.Number, Num: quantity.Quantity{Value: float64(c)}}, nil
		}}
	env.Funcs["plan"] = &sheet.Func{
		Name: "plan", Params: append(product[:3:3], chip, openSizes()), Variadic: true, Source: austinSharding,
		Result: sheet.Type{Kind: sheet.Rec, Kin: kin},
		Doc: "The best way to compute a product of two split arrays on chips, such as plan(\"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]\", \"I, J=8192, K=8192\", \"X=4, Y=4\", chip, 1024). " +
			"The mesh lies on a torus of its own sides, or on one that it names (on 4x4x4, on 8x4 lines, on rings); a GPU's in its node.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			p, err := n.plan(a[:4], a[4:], kept)
			if err != nil {
				return sheet.Value{}, err
			}
			return planned(p, kin)
		}}
	env.Funcs["strategy"] = &sheet.Func{
		Name: "strategy", Params: append(product[:3:3], chip, of("title", text), openSizes()), Variadic: true, Source: austinSharding,
		Result: sheet.Type{Kind: sheet.Rec, Kin: kin},
		Doc:    "One way to compute a product of two split arrays, by its steps, whatever its rank: \"AllGather_X(B), Einsum\".",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			p, err := n.plan(a[:4], a[5:], 1)
			if err != nil {
				return sheet.Value{}, err
			}
			return titled(p, a[4].Text, kin)
		}}
}

// einsum reads the texts of a product.
func einsum(texts, open []sheet.Value) (*sharding.Einsum, error) {
	sizes, mesh, err := layout(texts[1].Text, texts[2].Text, open)
	if err != nil {
		return nil, err
	}
	return sharding.ParseEinsum(texts[0].Text, sizes, mesh)
}

// plan plans a product on a chip's torus or node.
func (n *networks) plan(a, open []sheet.Value, most int) (*sharding.Plan, error) {
	e, err := einsum(a[:3], open)
	if err != nil {
		return nil, err
	}
	chip, fabric, err := n.fabric(e.Mesh, a[3].Record)
	if err != nil {
		return nil, err
	}
	peak, err := chip.Peak(computedIn(e))
	if err != nil {
		return nil, err
	}
	limits := sharding.Chip{Peak: quantity.FLOPRate(peak.Value.Value)}
	if c, err := chip.Get("hbm_bandwidth"); err == nil {
		limits.HBM = quantity.Bandwidth(c.Value.Value)
	}
	if c, err := chip.Get("hbm"); err == nil {
		limits.Memory = quantity.Bytes(c.Value.Value)
	}
	return sharding.NewPlan(e, limits, fabric, sharding.Options{Most: most}), nil
}

// fabric lays a mesh on chips, or on a slice.
func (n *networks) fabric(m *sharding.Mesh, on *sheet.Record) (*hardware.Accelerator, *sharding.Fabric, error) {
	of, inSlice := on.Fields["chip"]
	if !inSlice {
		of = sheet.Value{Kind: sheet.Rec, Record: on}
	}
	if of.Record == nil || of.Record.ID == "" {
		return nil, nil, &sharding.Error{Where: "chip", What: on.Name + " is no chip", Remedy: "give a chip, such as tpu.v5p or gpu.h100, or a slice of a pod"}
	}
	chip, err := n.chip(of)
	if err != nil {
		return nil, nil, err
	}
	if !inSlice {
		f, err := sharding.On(m, chip)
		return chip, f, err
	}
	torus, err := torusOf(on, "", 0)
	if err != nil {
		return nil, nil, err
	}
	f, err := sharding.OnTorus(m, torus)
	return chip, f, err
}

// computedIn is the dtype of the arithmetic: that of the wider operand.
func computedIn(e *sharding.Einsum) string {
	if e.B.Element() > e.A.Element() {
		return e.B.DType
	}
	return e.A.DType
}

// planned is a plan's best strategy, which knows the next ones by their place.
func planned(p *sharding.Plan, kin *sheet.Kin) (sheet.Value, error) {
	if len(p.Strategies) == 0 {
		return sheet.Value{}, &sharding.Error{Where: "notation", What: "no sequence of collectives leads to " + p.Einsum.C.String(p.Einsum.Mesh), Remedy: "ask for the result without {U}, or let a contracting dimension be split along its axis"}
	}
	best := strategyRecord(p, p.Strategies[0], kin)
	for i := range p.Strategies[1:] {
		best.Fields[place(i+2)] = sheet.Value{Kind: sheet.Rec, Record: strategyRecord(p, p.Strategies[i+1], kin)}
	}
	return sheet.Value{Kind: sheet.Rec, Record: best}, nil
}

// place is the undeclared field by which a plan finds its i-th strategy.
func place(i int) string { return "#" + string(rune('0'+i)) }

// titled is the strategy with a title.
func titled(p *sharding.Plan, title string, kin *sheet.Kin) (sheet.Value, error) {
	s := p.Named(title)
	if s == nil {
		what := "there is no strategy " + title
		if len(title) > 80 {
			what = "there is no such strategy"
		}
		e := &sharding.Error{Where: "title", What: what, Remedy: "the result cannot be had"}
		if len(p.Strategies) > 0 {
			e.Remedy = "the best is " + p.Strategies[0].Title(p.Einsum.Mesh)
		}
		return sheet.Value{}, e
	}
	return sheet.Value{Kind: sheet.Rec, Record: strategyRecord(p, s, kin)}, nil
}

// strategyKin declares what is known of a strategy, and of a plan, which is its best strategy.
func strategyKin() *sheet.Kin {
	kin := &sheet.Kin{Name: "strategy", Fields: []sheet.Field{
		{Name: "best", Label: "steps", Type: text},
		{Name: "collectives", Label: "collectives", Type: text},
		{Name: "bound", Label: "bound by", Type: text},
		{Name: "t_total", Label: "time, fully overlapped", Type: seconds},
		{Name: "t_serial", Label: "time, nothing overlapped", Type: seconds},
		{Name: "t_math", Label: "time to compute", Type: seconds},
		{Name: "t_hbm", Label: "time of the local product's memory traffic", Type: seconds},
		{Name: "t_comms", Label: "time to communicate, exactly", Type: seconds},
		{Name: "t_comms_shortcut", Label: "time to communicate, by the shortcuts V/W", Type: seconds},
		{Name: "t_parallel", Label: "time to communicate, both operands at once where wires allow", Type: seconds},
		{Name: "flops", Label: "operations of a chip", Type: flops},
		{Name: "received", Label: "bytes that a chip takes in from others", Type: bytes},
		{Name: "moved", Label: "bytes between a chip and its memory in the local product", Type: bytes},
		{Name: "memory", Label: "most that a chip holds at once", Type: bytes},
		{Name: "fits", Label: "does that fit its memory", Type: sheet.Type{Kind: sheet.Bool}},
		{Name: "work", Label: "times that the product is computed", Type: plain},
		{Name: "case", Label: "case", Type: plain},
		{Name: "found", Label: "strategies there are", Type: plain},
	}}
	self := sheet.Type{Kind: sheet.Rec, Kin: kin}
	kin.Methods = map[string]*sheet.Func{"strategy": {
		Name: "strategy", Params: []sheet.Param{of("plan", self), count("place")}, Result: self, Source: austinSharding,
		Doc: "The strategy of a plan at a place, 1 being the best.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			if i := a[1].Num.Value; i >= 1 && i <= kept && i == math.Trunc(i) {
				if i == 1 {
					return a[0], nil
				}
				if v, ok := a[0].Record.Fields[place(int(i))]; ok {
					return v, nil
				}
			}
			return sheet.Value{}, &sharding.Error{Where: "place", What: "there is no strategy " + a[1].Num.String(), Remedy: "a plan keeps its best " + counted(kept, "").String() + " at most"}
		}}}
	return kin
}

func strategyRecord(p *sharding.Plan, s *sharding.Strategy, kin *sheet.Kin) *sheet.Record {
	m := p.Einsum.Mesh
	title := s.Title(m)
	f := map[string]sheet.Value{
		"best": words(title), "collectives": words(s.Collectives(m)), "bound": words(s.Bound()),
		"flops": quantityValue(s.FLOPs.Quantity()), "fits": {Kind: sheet.Bool, Bool: s.Fits},
		"work": counted(s.Work, ""), "case": counted(float64(p.Case), ""), "found": counted(float64(p.Found), ""),
	}
	for name, t := range map[string]quantity.Seconds{
		"t_total": s.Lower(), "t_serial": s.Upper(), "t_math": s.Math, "t_hbm": s.Memory,
		"t_comms": s.Exact, "t_comms_shortcut": s.Shortcut, "t_parallel": s.Parallel,
	} {
		f[name] = quantityValue(t.Quantity())
	}
	for name, b := range map[string]quantity.Bytes{"received": s.Received, "moved": s.Moved, "memory": s.Peak} {
		f[name] = quantityValue(b.Quantity())
	}
	return &sheet.Record{Name: strings.TrimSpace(title), Kin: kin, Fields: f}
}
