package figure

import (
	"slices"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/layer"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// entry is a figure of the table. What it takes are parameters as laws and functions write them: see [law.Params].
type entry struct {
	Name, Takes, Doc string
	draw             drawer
}

// table is all figures.
func table() []entry { return slices.Concat(chapterTable(), plannerTable(), readerTable()) }

// chapterTable is the figures of chapters.
func chapterTable() []entry {
	return []entry{
		{Name: "matmul_roofline",
			Takes: "B, intensity FLOP/byte, rate FLOP/s, peak FLOP/s, bandwidth byte/s, compute s, move s",
			Doc: "A matmul as a tile on the roofline of its chip, and the two times that put it there; dragging the tile sets " +
				"the input `B`.",
			draw: positive(MatmulRoofline)},
		{Name: "chip_ridges", Takes: "B, D, intensity FLOP/byte, chips list accelerator, chip accelerator",
			Doc: "The ridge points of chips over the years, and the intensity of a matmul across them; dragging it " +
				"sets the input `B`, clicking a chip the input `chip`.",
			draw: ChipRidges},
		{Name: "mesh_gather",
			Takes: "X, Y, step, shard byte, gathered byte, hop s, all s",
			Doc: "An array cut over a mesh, and a step of its all-gather around the rings of the first axis; dragging a cut " +
				"sets " +
				"the inputs `X` and `Y`.",
			draw: MeshGather},
		{Name: "layer_mosaic",
			Takes: "T, query, key, matrix, context, bytes switch",
			Doc: "A layer as boxes that are as large as their FLOPs, or as the bytes that a step of decoding reads; dragging " +
				"the seam sets the input `T`.",
			draw: positive(LayerMosaic)},
		{Name: "chip_at_work",
			Takes: "B, hbm byte/s, vmem byte/s, peak FLOP/s, from_hbm s, from_vmem s, compute s",
			Doc: "A matmul on its way from HBM to VMEM to the MXU, how busy each is and what waits; dragging the activations " +
				"sets the input `B`.",
			draw: positive(ChipAtWork)},
		{Name: "parallel_step",
			Takes: "tp, pp, fsdp, micros, compute s, tensor s, shards s",
			Doc: "One step of training with FSDP, TP and a pipeline on a time axis; dragging its seams sets the inputs `tp` " +
				"and `pp`.",
			draw: ParallelStep},
		{Name: "tiled_matmul",
			Takes: "b, n, moved byte, least byte, compute s, move s, sums byte, room byte",
			Doc: "A square matmul computed tile by tile, what it reads again and the memory of its sums; dragging the tile’s " +
				"corner sets the input `b`.",
			draw: positive(TiledMatmul)},
		{Name: "matmul_areas", Takes: "B, D, F, most, shared switch",
			Doc: "The arrays of a matmul, as large as their bytes, with one matrix for all rows or one for each; dragging the " +
				"activations sets the input `B`.",
			draw: positive(MatmulAreas)},
		{Name: "two_chips", Takes: "D, most, F, compute s, exchange s",
			Doc: "A matmul sharded over two chips along the summed width, and what computing and exchanging take; dragging " +
				"the weights sets the input `D`.",
			draw: positive(TwoChips)},
		{Name: "shared_heads", Takes: "Q, K, cache byte, full byte",
			Doc: "Query heads and the heads of keys and values that they share, with the cache that is left; dragging its end " +
				"sets the input `K`.",
			draw: SharedHeads},
		{Name: "expert_choice", Takes: "E, k, B, most",
			Doc: "The experts of a layer, those that a token chose and those that a batch reads; dragging the tokens sets the " +
				"input `B`.",
			draw: ExpertChoice},
		{Name: "switched_node", Takes: "gpus, switches, egress byte/s, send byte/s, carry byte/s",
			Doc: "The GPUs and switches of a node, what they send and what they carry; dragging the switches’ bar sets the " +
				"input `switches`.",
			draw: positive(SwitchedNode)},
		{Name: "slice_torus", Takes: "slice slice",
			Doc:  "A slice of a pod: its chips, its links, and which axes wrap around.",
			draw: alone(Torus)},
		{Name: "model_parameters", Takes: "model model",
			Doc: "A model’s parameters, part by part, and how many of them a token uses.",
			draw: drawing(func(l phrase.Phrases, m *model.Model, a values) *Drawing {
				return Strip(l, a[0].String(), m)
			})},
		{Name: "mesh_shards", Takes: "product sharded product, at",
			Doc: "What each chip of a mesh holds of the three arrays of a product; choosing a chip sets the input `at`.",
			draw: drawing(func(l phrase.Phrases, s *setup.Setup, a values) *Drawing {
				return Mesh(l, s.Einsum, a.whole(1))
			})},
		{Name: "product_splits", Takes: "product sharded product",
			Doc:  "Menus that build a product, split by split; choosing sets the input `product`.",
			draw: alone(ProductSplits)},
		{Name: "product_case", Takes: "product sharded product",
			Doc:  "Which of the four cases a product is, and what each mesh axis does.",
			draw: alone(ProductCase)},
		{Name: "way_steps", Takes: "way strategy",
			Doc:  "A way to compute a product, step by step, each with its law.",
			draw: alone(WaySteps)},
		{Name: "way_curve", Takes: "curve curve over a size",
			Doc:  "The times of a way over the size of a dimension.",
			draw: alone(WayCurve)},
		{Name: "way_trial", Takes: "way strategy",
			Doc:  "A way carried out on small numbers, and whether it gives the product.",
			draw: alone(WayTrial)},
		{Name: "systolic_array", Takes: "array systolic array",
			Doc:  "A systolic array after a cycle: what each cell does, what waits, what leaves.",
			draw: alone(Systolic)},
		{Name: "stream_timeline", Takes: "stream stream, step",
			Doc: "A matmul whose blocks stream through a fast memory, at a step.",
			draw: drawing(func(l phrase.Phrases, r *machine.Run, a values) *Drawing {
				return Stream(l, r, a.whole(1))
			})},
		{Name: "fat_tree", Takes: "tree fat tree",
			Doc: "A fat tree: its switches level by level, the ports that are taken, and its bisection.",
			draw: drawing(func(l phrase.Phrases, f network.FatTree, a values) *Drawing {
				return FatTree(l, f, a[0].Record.Fields["bisection"].Num.String())
			})},
		{Name: "collective_step", Takes: "collective collective, step",
			Doc: "A step of a collective: who sends what to whom, and who holds what after it.",
			draw: trying(func(l phrase.Phrases, x *play.Setting, a values) (*Drawing, error) {
				p := x.Play()
				if p == nil {
					return nil, x.Undrawn()
				}
				return Collective(l, p, a.whole(1)), nil
			})},
		{Name: "collective_law", Takes: "collective collective",
			Doc:  "The exact law of a collective, term by term, with its numbers.",
			draw: alone(CollectiveLaw)},
		{Name: "collective_curve", Takes: "collective collective, bus switch",
			Doc: "Time, or bus bandwidth, of a collective over the size of its array, beside what was measured.",
			draw: drawing(func(l phrase.Phrases, x *play.Setting, a values) *Drawing {
				return CollectiveCurve(l, x, a[1].Bool)
			})},
		{Name: "layer_boxes", Takes: "layer layer, box layer box",
			Doc: "A layer of a Transformer, box by box, one of them explained; choosing another one sets the input `box`.",
			draw: drawing(func(l phrase.Phrases, y *layer.Counted, a values) *Drawing {
				return Layer(l, y.Layer, y.Pass, a[1].Record.ID)
			})},
		{Name: "scheme_step", Takes: "scheme text, step",
			Doc: "A way to split a layer over four chips, at a step: which shard of each array each chip holds, " +
				"and what a collective has just brought.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) { return Scheme(l, a[0].Text, a.whole(1)) }},
		{Name: "layer_clocks", Takes: "arithmetic s, weights s, activations s, overlap switch",
			Doc: "Some layers that are split over chips: when they compute, gather weights and move " +
				"activations, and when they wait.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return Clocks(l, a.num(0), a.num(1), a.num(2), a[3].Bool)
			})},
		{Name: "two_clocks", Takes: "compute s, move s, overlap switch",
			Doc: "A program in blocks: when each is read and computed, and what waits.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return Blocks(l, a.num(0), a.num(1), a[2].Bool)
			})},
		{Name: "ring_matmul", Takes: "chips, multiply s, pass s, step",
			Doc: "A matmul whose operand goes around a ring piece by piece, at a step, and its time beside gathering first.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) {
				return RingMatmul(l, a.whole(0), a.num(1), a.num(2), a.whole(3))
			}},
		{Name: "pipeline_timetable", Takes: "schedule text, stages, microbatches",
			Doc: "One step of a pipeline: when each stage works on which microbatch, and when it is idle.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) {
				return Pipeline(l, a[0].Text, a.whole(1), a.whole(2))
			}},
		{Name: "step_clock", Takes: "weights s, caches s, matmuls s, sequences",
			Doc: "A decode step: what the memory reads, the cache of each sequence and the weights, and what is " +
				"computed meanwhile.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return DecodeStep(l, a.num(0), a.num(1), a.num(2), a.whole(3))
			})},
		{Name: "cache_pages", Takes: "paged switch, step",
			Doc: "A memory for caches while sequences come, grow and end, given out in pages or reserved.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return Pages(l, a[0].Bool, a.whole(1))
			})},
		{Name: "batch_slots", Takes: "policy text, step",
			Doc: "Requests in the slots of a batch, step by step; the policy is static, continuous or chunked.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return Slots(l, machine.Policy(a[0].Text), a.whole(1))
			})},
		{Name: "queue_in_time", Takes: "load, capacity 1/s, slots, second",
			Doc: "Requests that come at random: how many are in slots and how many wait, over two minutes.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return Crowd(l, a.num(0), a.num(1), a.whole(2), a.whole(3))
			})},
		{Name: "memory_fill", Takes: "capacity byte, weights byte, each byte, sequences",
			Doc: "A memory while it serves: weights, the KV cache of each sequence, what is free or does not fit.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return Memory(l, a.num(0), a.num(1), a.num(2), a.num(3))
			})},
		{Name: "serving_flow", Takes: "rate 1/s, most 1/s, waiting, running, slots, ttft s, tpot s, slowest s, " +
			"memory byte, weights byte, cache byte, prompt, read_weights s, read_cache s",
			Doc: "Requests that come at a rate: those that wait, the caches of those that are served beside the weights " +
				"in HBM, and what the time of a token is made of.",
			draw: infallible(ServingFlow)},
		{Name: "machine_room", Takes: "chips, most, time s, bill USD",
			Doc: "A run on some of the chips of a machine room: as wide as its chips, as high as its time, its area what " +
				"it costs.",
			draw: infallible(MachineRoom)},
		{Name: "layout_front", Takes: "read s, caches s, math s, wire s, hop s, weights byte, each byte, memory byte, " +
			"chips, batch",
			Doc: "Tokens/s per chip over tokens/s per user, for 8 to 64 chips and every batch; one of them " +
				"is chosen, and what its step is made of.",
			draw: infallible(LayoutFront)},
		{Name: "tree_load", Takes: "flows flows on a tree, takes s, best s",
			Doc: "Flows on a fat tree: links as wide as what is offered to them, the busiest with its load; dragging " +
				"sets the inputs `spines` and `job`.",
			draw: drawing(TreeLoad)},
		{Name: "sharded_matmul", Takes: "product sharded product, sends text, comms s, compute s, at",
			Doc: "A matmul whose operands stand at the sides of its result, what one device holds of each, and what is sent; " +
				"clicking a dimension sets the input that is called as its array, dragging the device `at`.",
			draw: drawing(ShardedMatmul)},
		{Name: "chip_bars", Takes: "chips list compared chip, column column",
			Doc:  "One column of a comparison of chips, as bars.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) { return ChipBars(l, a[0].List, a[1].Record) }},
		{Name: "chips_beside", Takes: "chips list compared chip, columns list column",
			Doc:  "The first two chips of a comparison side by side, as bars.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) { return ChipsBeside(l, a[0].List, a[1].List) }},
	}
}

// Register adds all figures to an environment that has the functions and catalogs whose records they draw.
func Register(env *value.Env) {
	figures := map[string]*value.Figure{}
	for _, e := range table() {
		figures[e.Name] = e.figure(env)
	}
	env.Figures = figures
}

// RegisterOne adds the figure of that name alone, if it is one of chapters and the environment has the types of what it
// takes, and says whether it did.
func RegisterOne(env *value.Env, name string) bool {
	all := chapterTable()
	i := slices.IndexFunc(all, func(e entry) bool { return e.Name == name })
	return i >= 0 && all[i].register(env)
}

// RegisterPlanners adds the figures of planners to an environment that has these.
func RegisterPlanners(env *value.Env) {
	for _, e := range plannerTable() {
		e.register(env)
	}
}

// offer adds the figure if the environment has the types of what it takes.
func (e *entry) register(env *value.Env) bool {
	f := e.figure(env)
	for _, p := range f.Params {
		for typ := &p.Type; typ != nil; typ = typ.Of {
			if typ.Kind == value.Rec && typ.Record == nil {
				return false
			}
		}
	}
	if env.Figures == nil {
		env.Figures = map[string]*value.Figure{}
	}
	env.Figures[e.Name] = f
	return true
}

func (e *entry) figure(env *value.Env) *value.Figure {
	return &value.Figure{Name: e.Name, Doc: e.Doc, Params: library.Params(env, e.Takes)}
}

// Draw draws the figure of a name in a language, from its values, which must be as its parameters say.
func Draw(l phrase.Phrases, name string, args []value.Value) (*Drawing, error) {
	all := table()
	i := slices.IndexFunc(all, func(e entry) bool { return e.Name == name })
	if i < 0 {
		return nil, phrase.New("figure.unknown", "name", name)
	}
	return all[i].draw(l, args)
}
