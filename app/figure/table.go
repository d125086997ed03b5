package figure

import (
	"errors"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/layer"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet"
)

// entry is a figure of the table. Its parameters are names with what they take: a kin of records, or one of the words
// number, bytes, seconds, rate, text and switch, or a list of one.
type entry struct {
	name, params, doc string
	draw              func(a []sheet.Value) (*Drawing, error)
}

// table is all figures.
func table() []entry { return append(leanTable(), plannerTable()...) }

// leanTable is the figures of both of the browser's programs.
func leanTable() []entry {
	return []entry{
		{"slice_torus", "slice: slice", "A slice of a pod: its chips, its links, and which axes wrap around.",
			drawing(func(s network.Slice, _ []sheet.Value) *Drawing { return Torus(s) })},
		{"model_parameters", "model: model", "A model's parameters, part by part, and how many of them a token uses.",
			func(a []sheet.Value) (*Drawing, error) {
				m, err := behind[*model.Model](a[0])
				if err != nil {
					return nil, err
				}
				return Strip(a[0].String(), m), nil
			}},
		{"mesh_shards", "product: sharded product, at: number",
			"What each chip of a mesh holds of the three arrays of a product; choosing a chip sets the input `at`.",
			drawing(func(s *setup.Setup, a []sheet.Value) *Drawing { return Mesh(s.Einsum, whole(a[0])) })},
		{"product_splits", "product: sharded product",
			"Menus that build a product, split by split; choosing sets the input `product`.",
			drawing(func(s *setup.Setup, _ []sheet.Value) *Drawing { return ProductSplits(s) })},
		{"product_case", "product: sharded product", "Which of the four cases a product is, and what each mesh axis does.",
			drawing(func(s *setup.Setup, _ []sheet.Value) *Drawing { return ProductCase(s) })},
		{"way_steps", "way: strategy", "A way to compute a product, step by step, each with its law.",
			drawing(func(w *setup.Way, _ []sheet.Value) *Drawing { return WaySteps(w) })},
		{"way_curve", "curve: curve over a size", "The times of a way over the size of a dimension.",
			drawing(func(c *setup.Curve, _ []sheet.Value) *Drawing { return WayCurve(c) })},
		{"way_trial", "way: strategy", "A way carried out on small numbers, and whether it gives the product.",
			drawing(func(w *setup.Way, _ []sheet.Value) *Drawing { return WayTrial(w) })},
		{"systolic_array", "array: systolic array", "A systolic array after a cycle: what each cell does, what waits, " +
			"what leaves.",
			drawing(func(m *machine.Array, _ []sheet.Value) *Drawing { return Systolic(m) })},
		{"stream_timeline", "stream: stream, step: number", "A matmul whose blocks stream through a fast memory, at a step.",
			drawing(func(r *machine.Run, a []sheet.Value) *Drawing { return Stream(r, whole(a[0])) })},
		{"fat_tree", "tree: fat tree", "A fat tree: its switches level by level, the ports that are taken, and its bisection.",
			func(a []sheet.Value) (*Drawing, error) {
				f, err := behind[network.FatTree](a[0])
				if err != nil {
					return nil, err
				}
				return FatTree(f, a[0].Record.Fields["bisection"].Num.String()), nil
			}},
		{"collective_step", "collective: collective, step: number",
			"A step of a collective: who sends what to whom, and who holds what after it.",
			func(a []sheet.Value) (*Drawing, error) {
				x, err := behind[*play.Setting](a[0])
				if err != nil {
					return nil, err
				}
				p := x.Play()
				if p == nil {
					return nil, errors.New(x.Undrawn())
				}
				return Collective(p, whole(a[1])), nil
			}},
		{"collective_law", "collective: collective", "The exact law of a collective, term by term, with its numbers.",
			drawing(func(x *play.Setting, _ []sheet.Value) *Drawing { return CollectiveLaw(x) })},
		{"collective_curve", "collective: collective, bus: switch",
			"Time, or bus bandwidth, of a collective over the size of its array, beside what was measured.",
			drawing(func(x *play.Setting, a []sheet.Value) *Drawing { return CollectiveCurve(x, a[0].Bool) })},
		{"layer_boxes", "layer: layer, box: layer box",
			"A layer of a Transformer, box by box, one of them explained; choosing another one sets the input `box`.",
			drawing(func(y *layer.Counted, a []sheet.Value) *Drawing { return Layer(y.Layer, y.Pass, a[0].Record.ID) })},
		{"scheme_step", "scheme: text, step: number",
			"A way to split a layer over four chips, at a step: which shard of each array each chip holds, and what a " +
				"message has just brought.",
			func(a []sheet.Value) (*Drawing, error) { return Scheme(a[0].Text, whole(a[1])) }},
		{"layer_clocks", "arithmetic: seconds, weights: seconds, activations: seconds, overlap: switch",
			"Some layers that are split over chips: when they compute, gather weights and move activations, and when they wait.",
			func(a []sheet.Value) (*Drawing, error) {
				return Clocks(a[0].Num.Value, a[1].Num.Value, a[2].Num.Value, a[3].Bool), nil
			}},
		{"ring_matmul", "chips: number, multiply: seconds, pass: seconds, step: number",
			"A matmul whose operand goes around a ring piece by piece, at a step, and its time beside gathering first.",
			func(a []sheet.Value) (*Drawing, error) {
				return RingMatmul(whole(a[0]), a[1].Num.Value, a[2].Num.Value, whole(a[3]))
			}},
		{"pipeline_timetable", "schedule: text, stages: number, microbatches: number",
			"One step of a pipeline: when each stage works on which microbatch, and when it stands still.",
			func(a []sheet.Value) (*Drawing, error) { return Pipeline(a[0].Text, whole(a[1]), whole(a[2])) }},
		{"step_clock", "weights: seconds, caches: seconds, matmuls: seconds, sequences: number",
			"A decode step: what the memory reads, the cache of each sequence and the weights, and what is computed meanwhile.",
			func(a []sheet.Value) (*Drawing, error) {
				return DecodeStep(a[0].Num.Value, a[1].Num.Value, a[2].Num.Value, whole(a[3])), nil
			}},
		{"cache_pages", "paged: switch, step: number",
			"A memory for caches while sequences come, grow and end, given out in pages or reserved.",
			func(a []sheet.Value) (*Drawing, error) { return Pages(a[0].Bool, whole(a[1])), nil }},
		{"batch_slots", "policy: text, step: number",
			"Requests in the slots of a batch, step by step; the policy is static, continuous or chunked.",
			func(a []sheet.Value) (*Drawing, error) { return Slots(machine.Policy(a[0].Text), whole(a[1])), nil }},
		{"queue_in_time", "load: number, capacity: rate, slots: number, second: number",
			"Requests that come at random: how many are in slots and how many wait, over two minutes.",
			func(a []sheet.Value) (*Drawing, error) {
				return Crowd(a[0].Num.Value, a[1].Num.Value, whole(a[2]), whole(a[3])), nil
			}},
		{"memory_fill", "capacity: bytes, weights: bytes, each: bytes, sequences: number",
			"A memory while it serves: weights, the KV cache of each sequence, what is free or does not fit.",
			func(a []sheet.Value) (*Drawing, error) {
				return Memory(a[0].Num.Value, a[1].Num.Value, a[2].Num.Value, a[3].Num.Value), nil
			}},
		{"chip_bars", "chips: list of compared chip, column: column", "One column of a comparison of chips, as bars.",
			func(a []sheet.Value) (*Drawing, error) { return ChipBars(a[0].List, a[1].Record) }},
	}
}

// drawing is a figure of what is behind its first value, and of the other values.
func drawing[T any](draw func(T, []sheet.Value) *Drawing) func([]sheet.Value) (*Drawing, error) {
	return func(a []sheet.Value) (*Drawing, error) {
		x, err := behind[T](a[0])
		if err != nil {
			return nil, err
		}
		return draw(x, a[1:]), nil
	}
}

// behind is the value of the domain that a record stands for.
func behind[T any](v sheet.Value) (x T, err error) {
	if v.Record != nil {
		if x, ok := v.Record.Of.(T); ok {
			return x, nil
		}
	}
	return x, errors.New(v.String() + " can't be drawn here; give what the figure's documentation names")
}

// whole is a number as a step or a place.
func whole(v sheet.Value) int { return int(v.Num.Value + 0.5) }

// Offer adds all figures to an environment that has the functions and catalogs whose records they draw.
func Offer(env *sheet.Env) {
	env.Figures = map[string]*sheet.Figure{}
	lean := len(leanTable())
	for i, e := range table() {
		f := &sheet.Figure{Name: e.name, Doc: e.doc, Apart: i >= lean}
		for p := range strings.SplitSeq(e.params, ", ") {
			name, takes, _ := strings.Cut(p, ": ")
			f.Params = append(f.Params, sheet.Param{Name: name, Type: typeOf(takes, env)})
		}
		env.Figures[e.name] = f
	}
}

// typeOf is the type that a word of the table stands for.
func typeOf(takes string, env *sheet.Env) sheet.Type {
	if of, list := strings.CutPrefix(takes, "list of "); list {
		return sheet.ListOf(typeOf(of, env))
	}
	switch takes {
	case "number":
		return sheet.Type{Kind: sheet.Number}
	case "bytes":
		return sheet.Type{Kind: sheet.Number, Dim: quantity.Dim{quantity.Byte: 1}}
	case "seconds":
		return sheet.Type{Kind: sheet.Number, Dim: quantity.Dim{quantity.Second: 1}}
	case "rate":
		return sheet.Type{Kind: sheet.Number, Dim: quantity.Dim{quantity.Second: -1}}
	case "text":
		return sheet.Type{Kind: sheet.Text}
	case "switch":
		return sheet.Type{Kind: sheet.Bool}
	}
	return sheet.Type{Kind: sheet.Rec, Kin: kinNamed(takes, env)}
}

// kinNamed finds a kin of records among the catalogs and the results of functions; nil if there is none.
func kinNamed(name string, env *sheet.Env) *sheet.Kin {
	for _, kin := range env.Kins {
		if kin.Name == name {
			return kin
		}
	}
	for _, f := range env.Funcs {
		t := f.Result
		if t.Kind == sheet.List {
			t = *t.Of
		}
		if t.Kind == sheet.Rec && t.Kin != nil && t.Kin.Name == name {
			return t.Kin
		}
	}
	return nil
}

// Draw draws the figure of a name from its values, which must be as its parameters say.
func Draw(name string, args []sheet.Value) (*Drawing, error) {
	all := table()
	i := slices.IndexFunc(all, func(e entry) bool { return e.name == name })
	if i < 0 {
		return nil, errors.New("there is no figure " + name)
	}
	return all[i].draw(args)
}
