package library

import (
	"cmp"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// products offers products of two split arrays: as they are written, on chips, and the ways to compute them.
type products struct {
	env                              *value.Env
	product, way, array, bend, reach *value.RecordType // of products, ways, their arrays, curves and regimes
}

func addProducts(env *value.Env) {
	p := &products{env: env, way: env.Funcs["plan"].Result.Record, array: env.Funcs["shard"].Result.Record,
		product: withFields(value.RecordType{Name: "sharded product"}, nil),
		bend:    withFields(value.RecordType{Name: "curve over a size"}, nil), reach: withFields(value.RecordType{Name: "regime"}, nil)}
	for _, f := range append(p.written(), p.computed()...) {
		f.Source = cmp.Or(f.Source, law.AustinSharding)
		env.Funcs[f.Name] = f
	}
}

// written are the functions of texts.
func (p *products) written() []*value.Func {
	product := param("product", text)
	chip := param("chip", kinType(p.env.RecordTypes[0]))
	return []*value.Func{
		{Name: "sharded_product", Params: []value.Param{product, param("sizes", text), param("mesh", text), openSizes()},
			Variadic: true, Result: kinType(p.product), Call: p.drawn,
			Doc: "A product of two split arrays on a mesh, such as sharded_product(\"A[I_X, J] . B[J, K] -> C[I_X, K]\", " +
				"\"I, J=8192, K=8192\", \"X=4\", 1024): what is drawn of it."},
		{Name: "product_on", Variadic: true, Result: kinType(p.product), Call: p.laid,
			Params: []value.Param{chip, param("wires", text), param("dtype", dtype), product, param("mesh", text),
				param("sizes", text), openSizes()},
			Doc: "A product of two split arrays on a mesh of chips, taken as near to what is written as can be. wires: " +
				"\"rings\", \"lines\", or \"pod\". Sizes that the text leaves out are 8192, or those of A to Z at the end."},
		{Name: "product_fault", Params: []value.Param{product, param("mesh", text)}, Result: text,
			Doc:  "What is wrong with the text of a product on a mesh; empty if nothing is.",
			Call: func(a []value.Value) (value.Value, error) { return fault(setup.ProductFault(a[0].Text, a[1].Text)) }},
		{Name: "mesh_fault", Params: []value.Param{param("mesh", text)}, Result: text,
			Doc:  "What is wrong with the text of a mesh; empty if nothing is.",
			Call: func(a []value.Value) (value.Value, error) { return fault(setup.MeshFault(a[0].Text)) }},
		{Name: "sizes_fault", Params: []value.Param{param("sizes", text)}, Result: text,
			Doc:  "What is wrong with the text of sizes, such as \"Dff=28672\"; empty if nothing is.",
			Call: func(a []value.Value) (value.Value, error) { return fault(setup.SizesFault(a[0].Text)) }},
		{Name: "with_specs", Variadic: true, Params: []value.Param{param("arrays", text), param("spec", text)}, Result: text,
			Doc: "Arrays with JAX’s PartitionSpecs written into them: with_specs(\"A[I, J]\", \"P('X', None)\") is " +
				"\"A[I_X, J]\". One spec for each array, in their order.",
			Call: withSpecs},
		{Name: "spec_fault", Params: []value.Param{param("array", text), param("spec", text), param("mesh", text)},
			Result: text, Doc: "What is wrong with a PartitionSpec of an array on a mesh; empty if nothing is.",
			Call: func(a []value.Value) (value.Value, error) {
				return fault(setup.SpecFault(a[0].Text, a[1].Text, a[2].Text))
			}},
		{Name: "wired", Params: []value.Param{chip}, Result: flag, Source: law.Catalog,
			Doc: "Whether a chip has links to its neighbours, as those of a torus do.",
			Call: func(a []value.Value) (value.Value, error) {
				return value.Value{Kind: value.Bool, Bool: has(a[0].Record, "ici_link_bandwidth")}, nil
			}},
		{Name: "product_dims", Params: []value.Param{product}, Result: value.ListOf(text), Call: dimensions,
			Doc: "The names of a product’s dimensions, as a list."},
		{Name: "has_dim", Params: []value.Param{product, param("name", text)}, Result: flag, Call: hasDimension,
			Doc: "Whether a product has a dimension of that name; \"\" asks for any whose name is no single capital letter."},
		{Name: "sharding_chips", Result: value.ListOf(chip.Type), Source: law.Catalog, Call: p.chips,
			Doc: "The chips on which split arrays can be multiplied: those whose network and peak rate are known."},
		{Name: "array_dtypes", Params: []value.Param{chip}, Result: value.ListOf(dtype), Call: p.dtypes,
			Doc: "The formats of arrays of which the peak rate of a chip is known, widest first."},
	}
}

// fault is an error as a text, empty for none.
func fault(err error) (value.Value, error) {
	if err == nil {
		return words(""), nil
	}
	return words(err.Error()), nil
}

// withSpecs writes specs into arrays.
func withSpecs(a []value.Value) (value.Value, error) {
	var specs []string
	for _, v := range a[1:] {
		specs = append(specs, v.Text)
	}
	made, err := sharding.WithSpecs(a[0].Text, specs...)
	return words(made), err
}

// drawn is a product on a mesh of no particular chips.
func (p *products) drawn(a []value.Value) (value.Value, error) {
	sizes, mesh, err := layout(a[1].Text, a[2].Text, a[3:])
	if err != nil {
		return value.Value{}, err
	}
	e, err := sharding.ParseEinsum(a[0].Text, sizes, mesh)
	if err != nil {
		return value.Value{}, err
	}
	given := setup.Given{Product: a[0].Text, Mesh: a[2].Text, Sizes: sizes}
	return p.record(&setup.Setup{Given: given, Text: a[0].Text, Mesh: mesh, Einsum: e}), nil
}

// laid is a product on chips.
func (p *products) laid(a []value.Value) (value.Value, error) {
	sizes, err := sharding.ParseSizes(a[5].Text, nil)
	if err != nil {
		return value.Value{}, err
	}
	for i, v := range a[6:] {
		if name := string(rune('A' + i)); i < 26 && v.Num.Value > 0 {
			sizes = append(sizes, sharding.Size{Name: name, Value: v.Num.Value})
		}
	}
	s, err := setup.New(setup.Given{Product: a[3].Text, Mesh: a[4].Text, Sizes: sizes, Wires: a[1].Text,
		Chip: a[0].Record.Of.(*hardware.Accelerator), DType: a[2].Text})
	if err != nil {
		return value.Value{}, err
	}
	return p.record(s), nil
}

// record is what a sheet sees of a product.
func (p *products) record(s *setup.Setup) value.Value {
	r := newRecord(p.product, s.Einsum.String())
	r.Of, r.From = s, s.Key()
	c, _ := s.Einsum.Case()
	r.num("case", float64(c))
	r.num("flops", float64(s.Einsum.FLOPs()))
	r.num("chips", float64(s.Mesh.Chips()))
	r.say("written", s.Einsum.String())
	if s.Fabric == nil {
		return r.value()
	}
	r.num("peak", float64(s.Limits.Peak))
	r.num("hbm_bandwidth", float64(s.Limits.HBM))
	r.num("hbm", float64(s.Limits.Memory))
	r.say("laid", s.Laid().String())
	return r.value()
}

func dimensions(a []value.Value) (value.Value, error) {
	v := value.Value{Kind: value.List}
	for _, name := range setup.Dimensions(a[0].Text) {
		v.List = append(v.List, words(name))
	}
	return v, nil
}

func hasDimension(a []value.Value) (value.Value, error) {
	v := value.Value{Kind: value.Bool}
	for _, name := range setup.Dimensions(a[0].Text) {
		letter := len(name) == 1 && name[0] >= 'A' && name[0] <= 'Z'
		v.Bool = v.Bool || name == a[1].Text || a[1].Text == "" && !letter
	}
	return v, nil
}

// chips are those with a network and a peak rate of arrays.
func (p *products) chips([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, r := range p.env.RecordTypes[0].Members {
		if a := r.Of.(*hardware.Accelerator); len(p.formats(a)) > 0 && setup.Joined(a) {
			all = append(all, r)
		}
	}
	return recordList(all), nil
}

func (p *products) dtypes(a []value.Value) (value.Value, error) {
	return value.Value{Kind: value.List, List: p.formats(a[0].Record.Of.(*hardware.Accelerator))}, nil
}

// formats are the formats of arrays in which a chip computes.
func (p *products) formats(a *hardware.Accelerator) []value.Value {
	var all []value.Value
	for _, d := range p.env.DTypes {
		if _, ok := sharding.ElementBytes(d.Text); ok && a.Has("flops."+d.Text) {
			all = append(all, d)
		}
	}
	return all
}
