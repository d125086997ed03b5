package library

import (
	"math"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addShardings offers arrays on meshes, and the planner, as functions over texts.
func addShardings(env *value.Env) {
	shards := withFields(value.RecordType{Name: "sharded array"}, nil)
	layouts := []value.Param{param("array", text), param("sizes", text), param("mesh", text), openSizes()}
	for _, f := range []*value.Func{
		{Name: "shard", Result: typeOfRecord(shards),
			Doc: "An array split over a mesh, such as shard(\"bf16[I_X, J]\", \"I=8192, J\", \"X=4\", 4096): what " +
				"each chip holds, and how often. Names without a size take the numbers at the end, in their order.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return value.Value{Kind: value.Rec, Record: shardRecord(a, m, shards)}
			})},
		{Name: "local_shape", Result: text, Doc: "Shape of what one chip holds of an array, padding included.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return words(sharding.ShapeText(a.LocalShape(m)))
			})},
		{Name: "local_bytes", Result: bytes, Doc: "Bytes that one chip holds of an array, padding included.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return quantityValue(a.LocalBytes(m).Quantity())
			})},
		{Name: "replication", Result: plain,
			Doc: "On how many chips each element of an array lies: the product of the " +
				"mesh axes that it does not name.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return counted(float64(a.Replication(m)), "replica")
			})},
	} {
		f.Params, f.Variadic, f.Source = layouts, true, law.AustinSharding
		env.Funcs[f.Name] = f
	}
	addPlans(env)
}

// openSizes are the numbers at the end of a call, for names that the texts give no size.
func openSizes() value.Param {
	return value.Param{Name: "size", Type: plain, Optional: true, Default: value.Value{Kind: value.Number}}
}

func words(s string) value.Value { return value.Value{Kind: value.Text, Text: s} }

func quantityValue(q quantity.Quantity) value.Value { return value.Value{Kind: value.Number, Num: q} }

// layout reads sizes and mesh, and gives the numbers to the names without a size.
func layout(sizes, mesh string, open []value.Value) (sharding.Sizes, *sharding.Mesh, error) {
	n := &sharding.Numbers{}
	for _, v := range open {
		n.List = append(n.List, v.Num.Value)
	}
	if len(n.List) == 1 && n.List[0] == 0 {
		n.List = nil // left out
	}
	s, err := sharding.ParseSizes(sizes, n)
	if err != nil {
		return nil, nil, err
	}
	m, err := sharding.ParseMesh(mesh, n)
	if err == nil && n.Left() > 0 {
		err = &sharding.Error{
			Where:  "sizes",
			What:   phrase.New("library.more-numbers"),
			Remedy: phrase.New("library.leave-out-last", "n", n.Left()),
		}
	}
	return s, m, err
}

// onArray is a function of an array on a mesh.
func onArray(result func(*sharding.Array, *sharding.Mesh) value.Value) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		sizes, mesh, err := layout(a[1].Text, a[2].Text, a[3:])
		if err != nil {
			return value.Value{}, err
		}
		array, err := sharding.ParseArray(a[0].Text, sizes, mesh)
		if err != nil {
			return value.Value{}, err
		}
		return result(array, mesh), nil
	}
}

// shardRecord is what is known of an array on a mesh.
func shardRecord(a *sharding.Array, m *sharding.Mesh, rt *value.RecordType) *value.Record {
	shards := 1
	for _, d := range a.Dims {
		shards *= d.Shards(m)
	}
	r := newRecord(rt, a.DType+" "+a.String(m))
	r.say("local_shape", sharding.ShapeText(a.LocalShape(m)))
	r.say("notation", r.Name)
	r.num("local_bytes", float64(a.LocalBytes(m)))
	r.num("bytes", float64(a.Bytes()))
	r.num("total_bytes", float64(a.TotalBytes(m)))
	r.num("chips", float64(m.Chips()))
	r.num("shards", float64(shards))
	r.num("replication", float64(a.Replication(m)))
	r.num("waste", a.Waste(m))
	return r.Record
}

// kept is how many strategies a plan of a sheet knows by their place; others are found by title.
const kept = 8

// Planning is long work for a sheet, where a plot plans a hundred times.
const (
	planWork = 1000 // what is counted for a plan; few take less
	planAxes = 4    // of the mesh
)

// addPlans offers the planner.
func addPlans(env *value.Env) {
	n := &networks{}
	rt := strategyType()
	strategies := typeOfRecord(rt)
	on := []value.Param{
		param("einsum", text),
		param("sizes", text),
		param("mesh", text),
		param("chip", value.Type{Kind: value.Rec}),
		param("title", text),
		openSizes(),
	}
	for _, f := range []*value.Func{
		{Name: "matmul_case", Params: []value.Param{on[0], on[1], on[2], on[5]}, Result: plain, Call: caseOf,
			Doc: "Which of the four cases a product of two split arrays is: 1 nothing to communicate, 2 a " +
				"contracting dimension split on one side, 3 split on both sides alike, 4 one axis on two dimensions " +
				"of the result."},
		{Name: "plan", Params: []value.Param{on[0], on[1], on[2], on[3], on[5]}, Result: strategies, Work: planWork,
			Doc: "The best way to compute a product of two split arrays on chips, such as plan(\"A[I_X, J] . B[J, " +
				"K_Y] -> C[I_X, K_Y]\", \"I, J=8192, K=8192\", \"X=4, Y=4\", chip, 1024). The mesh lies on a torus " +
				"of its own sides, or on one that it names (on 4x4x4, on 8x4 lines, on rings); a GPU's in its node " +
				"or cluster.",
			Call: func(a []value.Value) (value.Value, error) { return n.planned(a, rt) }},
		{Name: "strategy", Params: on, Result: strategies, Work: planWork,
			Doc: "One way to compute a product of two split arrays, by its steps, whatever its rank: " +
				"\"AllGather_X(B), Einsum\".",
			Call: func(a []value.Value) (value.Value, error) { return n.titled(a, rt) }},
	} {
		f.Variadic, f.Source = true, law.AustinSharding
		env.Funcs[f.Name] = f
	}
}

// caseOf is which of the four cases a product is.
func caseOf(a []value.Value) (value.Value, error) {
	e, err := einsum(a[:3], a[3:])
	if err != nil {
		return value.Value{}, err
	}
	c, _ := e.Case()
	return counted(float64(c), ""), nil
}

// einsum reads the texts of a product.
func einsum(texts, open []value.Value) (*sharding.Einsum, error) {
	sizes, mesh, err := layout(texts[1].Text, texts[2].Text, open)
	if err != nil {
		return nil, err
	}
	return sharding.ParseEinsum(texts[0].Text, sizes, mesh)
}

// plan plans a product on a chip's torus or node.
func (n *networks) plan(a, open []value.Value, most int) (*sharding.Plan, error) {
	e, err := einsum(a[:3], open)
	if err != nil {
		return nil, err
	}
	if axes := len(e.Mesh.Axes); axes > planAxes {
		return nil, &sharding.Error{
			Where:  "mesh",
			What:   phrase.New("library.plan-axes", "n", axes),
			Remedy: phrase.New("library.axes-most", "most", planAxes),
		}
	}
	chip, fabric, err := n.fabric(e.Mesh, a[3].Record)
	if err != nil {
		return nil, err
	}
	peak, err := chip.Peak(e.Arithmetic())
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

// fabric lays a mesh on chips, or on a slice, unless it is the last that was laid. Two who ask at the same time get
// two.
func (n *networks) fabric(m *sharding.Mesh, on *value.Record) (*hardware.Accelerator, *sharding.Fabric, error) {
	of, inSlice := on.Fields["chip"]
	if !inSlice {
		of = value.Value{Kind: value.Rec, Record: on}
	}
	if of.Record == nil || of.Record.ID == "" {
		return nil, nil, &sharding.Error{
			Where:  "chip",
			What:   phrase.New("library.no-chip", "name", on.Name),
			Remedy: phrase.New("library.give-chip"),
		}
	}
	chip, err := n.chip(of)
	if err != nil {
		return nil, nil, err
	}
	if last := n.laid.Swap(nil); last.of(m, on) {
		return chip, last.fabric, nil
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

// planned is a plan's best strategy, which knows the next ones by their place.
func (n *networks) planned(a []value.Value, rt *value.RecordType) (value.Value, error) {
	p, err := n.plan(a[:4], a[4:], kept)
	if err != nil {
		return value.Value{}, err
	}
	if len(p.Strategies) == 0 {
		return value.Value{}, &sharding.Error{
			Where:  "notation",
			What:   phrase.New("library.no-collectives", "array", p.Einsum.C.String(p.Einsum.Mesh)),
			Remedy: phrase.New("library.no-collectives-fix"),
		}
	}
	best := strategyRecord(p, p.Strategies[0], rt)
	for i := range p.Strategies[1:] {
		best.Fields[place(i+2)] = value.Value{Kind: value.Rec, Record: strategyRecord(p, p.Strategies[i+1], rt)}
	}
	return value.Value{Kind: value.Rec, Record: best}, nil
}

// place is the undeclared field by which a plan finds its i-th strategy.
func place(i int) string { return "#" + string(rune('0'+i)) }

// titled is the strategy with a title.
func (n *networks) titled(a []value.Value, rt *value.RecordType) (value.Value, error) {
	p, err := n.plan(a[:4], a[5:], -1)
	if err != nil {
		return value.Value{}, err
	}
	title := a[4].Text
	s := p.Named(title)
	if s == nil {
		if p, err = n.plan(a[:4], a[5:], 1); err != nil {
			return value.Value{}, err
		}
		e := &sharding.Error{Where: "title", What: phrase.New("library.no-strategy", "name", title),
			Remedy: phrase.New("library.no-result")}
		if len(title) > 80 {
			e.What = phrase.New("library.no-such-strategy")
		}
		if len(p.Strategies) > 0 {
			e.Remedy = phrase.New("library.best-is", "name", p.Strategies[0].Title(p.Einsum.Mesh))
		}
		return value.Value{}, e
	}
	r := strategyRecord(p, s, rt)
	n.laid.Store(&laidMesh{a[3].Record, p.Fabric}) // p is done with it
	return value.Value{Kind: value.Rec, Record: r}, nil
}

// strategyType declares what is known of a strategy, and of a plan, which is its best strategy.
func strategyType() *value.RecordType {
	rt := withFields(value.RecordType{Name: "strategy"}, nil)
	self := typeOfRecord(rt)
	rt.Methods["strategy"] = &value.Func{
		Name: "strategy", Params: []value.Param{param("plan", self), count("place")}, Result: self,
		Source: law.AustinSharding,
		Doc:    "The strategy of a plan at a place, 1 being the best.", Call: nth,
	}
	return rt
}

// nth is the method strategy(place).
func nth(a []value.Value) (value.Value, error) {
	i := a[1].Num.Value
	if i == 1 {
		return a[0], nil
	}
	if i > 1 && i <= kept && i == math.Trunc(i) {
		if v, ok := a[0].Record.Fields[place(int(i))]; ok {
			return v, nil
		}
	}
	return value.Value{}, &sharding.Error{
		Where:  "place",
		What:   phrase.New("library.no-strategy", "name", a[1].Num),
		Remedy: phrase.New("library.plan-keeps", "most", kept),
	}
}

// strategyRecord is a strategy as a sheet sees it.
func strategyRecord(p *sharding.Plan, s *sharding.Strategy, rt *value.RecordType) *value.Record {
	m := p.Einsum.Mesh
	title := s.Title(m)
	r := newRecord(rt, title)
	r.say("best", title)
	r.say("collectives", s.Collectives(m))
	r.say("bound", s.Bound())
	r.say("laid", p.Fabric.Laid().String())
	r.flag("fits", s.Fits)
	r.num("t_total", float64(s.Lower()))
	r.num("t_serial", float64(s.Upper()))
	r.num("t_math", float64(s.Math))
	r.num("t_hbm", float64(s.Memory))
	r.num("t_comms", float64(s.Exact))
	r.num("t_comms_shortcut", float64(s.Shortcut))
	r.num("t_parallel", float64(s.Parallel))
	r.num("received", float64(s.Received))
	r.num("moved", float64(s.Moved))
	r.num("memory", float64(s.Peak))
	r.num("work", s.Work)
	r.num("case", float64(p.Case))
	r.num("found", float64(p.Found))
	r.num("flops", float64(s.FLOPs))
	return r.Record
}

// addSchemes offers what the figure of a layer split over chips may be asked beforehand.
func addSchemes(env *value.Env) {
	env.Funcs["scheme_steps"] = &value.Func{
		Name: "scheme_steps", Params: []value.Param{param("scheme", text)}, Result: value.Type{Kind: value.Number},
		Source: "the steps of Austin et al., How To Scale Your Model (2025), part 5",
		Doc:    "How many steps a way to split a layer has: dp, fsdp, tp, mixed, ep or cp.",
		Call: func(a []value.Value) (value.Value, error) {
			s, err := sharding.ReadScheme(a[0].Text)
			if err != nil {
				return value.Value{}, err
			}
			return value.Value{Kind: value.Number, Num: quantity.Quantity{Value: float64(len(s.Steps))}}, nil
		},
	}
}
