package library

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
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
		bend:    withFields(value.RecordType{Name: "curve over a size"}, nil),
		reach:   withFields(value.RecordType{Name: "regime"}, nil)}
	for _, f := range append(p.written(), p.computed()...) {
		f.Source = cmp.Or(f.Source, law.AustinSharding)
		env.Funcs[f.Name] = f
	}
}

// written are the functions of texts.
func (p *products) written() []*value.Func {
	product := param("product", text)
	chip := param("chip", typeOfRecord(p.env.RecordTypes[0]))
	return []*value.Func{
		{Name: "sharded_product", Params: []value.Param{product, param("sizes", text), param("mesh", text),
			openSizes()},
			Variadic: true, Result: typeOfRecord(p.product), Call: p.drawn,
			Doc: "A product of two split arrays on a mesh, such as sharded_product(\"A[I_X, J] . B[J, K] -> C[I_X, " +
				"K]\", \"I, J=8192, K=8192\", \"X=4\", 1024): what is drawn of it."},
		{Name: "product_on", Variadic: true, Result: typeOfRecord(p.product), Call: p.laid,
			Params: []value.Param{chip, param("links", text), param("dtype", dtype), product, param("mesh", text),
				param("sizes", text), openSizes()},
			Doc: "A product of two split arrays on a mesh of chips, taken as near to what is written as can be. " +
				"links: \"rings\", \"lines\", or \"pod\". Sizes that the text leaves out are 8192, or those of A to " +
				"Z at the end."},
		{Name: "product_fault", Params: []value.Param{product, param("mesh", text)}, Result: text,
			Doc: "What is wrong with the text of a product on a mesh; empty if nothing is.",
			Call: func(a []value.Value) (value.Value, error) {
				return fault(setup.ProductFault(a[0].Text,
					a[1].Text))
			}},
		{Name: "mesh_fault", Params: []value.Param{param("mesh", text)}, Result: text,
			Doc:  "What is wrong with the text of a mesh; empty if nothing is.",
			Call: func(a []value.Value) (value.Value, error) { return fault(setup.MeshFault(a[0].Text)) }},
		{Name: "sizes_fault", Params: []value.Param{param("sizes", text)}, Result: text,
			Doc:  "What is wrong with the text of sizes, such as \"Dff=28672\"; empty if nothing is.",
			Call: func(a []value.Value) (value.Value, error) { return fault(setup.SizesFault(a[0].Text)) }},
		{Name: "with_specs", Variadic: true, Params: []value.Param{param("arrays", text), param("spec", text)},
			Result: text,
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
			Doc: "Whether a product has a dimension of that name; \"\" asks for any whose name is no single capital " +
				"letter."},
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
	return spoken(err), nil
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
	s, err := setup.New(setup.Given{Product: a[3].Text, Mesh: a[4].Text, Sizes: sizes, Topology: a[1].Text,
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

// computed are the functions of products and ways.
func (p *products) computed() []*value.Func {
	product, way := param("product", typeOfRecord(p.product)), param("way", typeOfRecord(p.way))
	return []*value.Func{
		{Name: "product_ways", Params: []value.Param{product, param("law", text)}, Result: value.ListOf(way.Type),
			Work: planWork, Call: p.plans,
			Doc: "The ways to compute a product of two split arrays on chips, the fastest first: by the \"exact\" " +
				"times of collectives, or by the \"shortcut\" V/W."},
		{Name: "product_arrays", Params: []value.Param{product}, Result: listType(p.array), Call: p.arrays,
			Doc: "The three arrays of a product, as a list: what each chip holds, and how often."},
		{Name: "way_curve", Params: []value.Param{way, param("over", text)}, Result: typeOfRecord(p.bend),
			Work: 64 * planWork,
			Doc:  "A way to compute a product over the size of one of its dimensions, and the best way at each size.",
			Call: atOnce(p.beginCurve), Begin: p.beginCurve},
		{Name: "curve_regimes", Params: []value.Param{param("curve", typeOfRecord(p.bend))},
			Result: listType(p.reach), Call: p.regimes,
			Doc: "The stretches of sizes over which one way is the best for one reason, as a list."},
	}
}

func (p *products) plans(a []value.Value) (value.Value, error) {
	s := a[0].Record.Of.(*setup.Setup)
	if s.Fabric == nil {
		return value.Value{}, &sharding.Error{Where: "product", What: phrase.New("library.no-chips"),
			Remedy: phrase.New("library.make-on-chips")}
	}
	var all []*value.Record
	for _, w := range s.Ways(a[1].Text == "shortcut") {
		r := recordBuilder{strategyRecord(w.Plan, w.Strategy, p.way)}
		r.ID, r.Of, r.From = w.ID(), w, w.Key()
		r.say("verdict", w.Verdict())
		all = append(all, r.Record)
	}
	if len(all) == 0 {
		return value.Value{}, &sharding.Error{Where: "product",
			What:   phrase.New("library.no-moves", "array", s.Einsum.C.String(s.Mesh)),
			Remedy: phrase.New("library.no-moves-fix")}
	}
	return recordList(all), nil
}

func (p *products) arrays(a []value.Value) (value.Value, error) {
	s := a[0].Record.Of.(*setup.Setup)
	var all []*value.Record
	for _, x := range s.Arrays() {
		r := shardRecord(x, s.Mesh, p.array)
		r.ID = x.Name
		all = append(all, r)
	}
	return recordList(all), nil
}

// curveTask is a curve under way.
type curveTask struct {
	p     *products
	curve *setup.Curve
}

func (p *products) beginCurve(a []value.Value) value.Task {
	return &curveTask{p, a[0].Record.Of.(*setup.Way).NewCurve(a[1].Text)}
}

// Step plans as many places as take well less than a frame: fewer, the more axes the mesh has.
func (t *curveTask) Step() bool {
	atOnce := [...]int{32, 32, 5, 2, 1}
	axes := min(len(t.curve.Way.Setup.Mesh.Axes), len(atOnce)-1)
	more := true
	for i := 0; more && i < atOnce[axes]; i++ {
		more = t.curve.Step()
	}
	return more
}

// Progress is how much of the curve is planned.
func (t *curveTask) Progress() float64 { return t.curve.Done() }

// Value is the curve as far as it is planned.
func (t *curveTask) Value() (value.Value, error) {
	c := *t.curve
	r := newRecord(t.p.bend, phrase.New("library.over-dimension", "name", c.Over))
	r.Of = &c
	r.num("regimes", float64(len(c.Regimes())))
	return r.value(), nil
}

func (p *products) regimes(a []value.Value) (value.Value, error) {
	var all []*value.Record
	for _, x := range a[0].Record.Of.(*setup.Curve).Regimes() {
		var sizes any = sizeOf(x.From)
		if x.To > x.From {
			sizes = phrase.New("library.from-to", "from", sizeOf(x.From), "to", sizeOf(x.To))
		}
		r := newRecord(p.reach, sizes)
		r.ID = strings.ReplaceAll(strconv.FormatFloat(math.Round(x.From), 'f', -1, 64), ".", "-")
		r.say("sizes", sizes)
		r.say("best", x.Title)
		r.say("bound", x.Bound)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// sizeOf is the size of a dimension as a reader knows it.
func sizeOf(x float64) quantity.Quantity { return quantity.Quantity{Value: math.Round(x)} }

// addEinsums offers what a product of two arrays takes, whatever their dimensions.
func addEinsums(env *value.Env) {
	add := func(f value.Func, take func(*sharding.Einsum) quantity.Quantity) {
		f.Params, f.Variadic = []value.Param{param("einsum", text), param("sizes", text), openSizes()}, true
		f.Source, f.Work, f.Call = law.Counted, einsumWork, onEinsum(take)
		env.Funcs[f.Name] = &f
	}
	add(value.Func{Name: "einsum_flops", Result: flops,
		Doc: "Operations of a product such as \"A[B, D] . W[D, F] -> C[B, F]\": two for each combination of all " +
			"indices, one where nothing is summed over. Names without a size take the numbers at the end, in their " +
			"order."},
		func(e *sharding.Einsum) quantity.Quantity { return e.FLOPs().Quantity() })
	add(value.Func{Name: "einsum_bytes", Result: bytes,
		Doc: "Bytes of its three arrays, each once. An array is bf16 unless its format stands before it: " +
			"\"int8[B, D] . W[D, F] -> C[B, F]\"."},
		func(e *sharding.Einsum) quantity.Quantity {
			return (e.A.Bytes() + e.B.Bytes() + e.C.Bytes()).Quantity()
		})
}

// einsumWork is what reading a product counts as.
const einsumWork = 500

// onEinsum is a function of a product on one chip.
func onEinsum(take func(*sharding.Einsum) quantity.Quantity) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		sizes, mesh, err := layout(a[1].Text, "", a[2:])
		if err != nil {
			return value.Value{}, err
		}
		e, err := sharding.ParseEinsum(a[0].Text, sizes, mesh)
		if err != nil {
			return value.Value{}, err
		}
		return quantityValue(take(e)), nil
	}
}
