package figure

import (
	_ "embed"
	"slices"
	"strings"

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

// drawn is how a figure is drawn.
type drawn struct {
	name string
	draw drawer
}

// entries are the figures of a table, a line each: name, parameters, what is to be seen.
func entries(table string, all []drawn) []entry {
	var found []entry
	for line := range strings.Lines(table) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for _, d := range all {
			if d.name == c[0] {
				found = append(found, entry{c[0], c[1], c[2], d.draw})
			}
		}
	}
	return found
}

// table is all figures.
func table() []entry { return slices.Concat(chapterTable(), plannerTable(), readerTable()) }

//go:embed chapters.tsv
var chapterFigures string

// chapterTable is the figures of chapters.
func chapterTable() []entry {
	return entries(chapterFigures, []drawn{
		{"matmul_roofline", positive(MatmulRoofline)},
		{"chip_ridges", ChipRidges},
		{"mesh_gather", MeshGather},
		{"layer_mosaic", positive(LayerMosaic)},
		{"chip_at_work", positive(ChipAtWork)},
		{"parallel_step", ParallelStep},
		{"tiled_matmul", positive(TiledMatmul)},
		{"matmul_areas", positive(MatmulAreas)},
		{"two_chips", positive(TwoChips)},
		{"shared_heads", SharedHeads},
		{"scaling_step", infallible(Scaling)},
		{"expert_choice", ExpertChoice},
		{"switched_node", positive(SwitchedNode)},
		{"slice_torus", alone(Torus)},
		{"model_parameters", drawing(drawModelParameters)},
		{"mesh_shards", drawing(drawMeshShards)},
		{"product_splits", alone(ProductSplits)},
		{"product_case", alone(ProductCase)},
		{"way_steps", alone(WaySteps)},
		{"way_curve", alone(WayCurve)},
		{"way_trial", alone(WayTrial)},
		{"systolic_array", alone(Systolic)},
		{"stream_timeline", drawing(drawStreamTimeline)},
		{"fat_tree", drawing(drawFatTree)},
		{"collective_step", trying(drawCollectiveStep)},
		{"collective_law", alone(CollectiveLaw)},
		{"collective_curve", drawing(drawCollectiveCurve)},
		{"layer_boxes", drawing(drawLayerBoxes)},
		{"scheme_step", drawSchemeStep},
		{"layer_clocks", infallible(drawLayerClocks)},
		{"two_clocks", infallible(drawTwoClocks)},
		{"ring_matmul", drawRingMatmul},
		{"pipeline_timetable", drawPipelineTimetable},
		{"step_clock", infallible(drawStepClock)},
		{"cache_pages", infallible(drawCachePages)},
		{"batch_slots", infallible(drawBatchSlots)},
		{"queue_in_time", infallible(drawQueueInTime)},
		{"memory_fill", infallible(drawMemoryFill)},
		{"serving_flow", infallible(ServingFlow)},
		{"machine_room", infallible(MachineRoom)},
		{"layout_front", infallible(LayoutFront)},
		{"tree_load", drawing(TreeLoad)},
		{"sharded_matmul", drawing(ShardedMatmul)},
		{"chip_bars", drawChipBars},
		{"chips_beside", drawChipsBeside},
	})
}

func drawModelParameters(l phrase.Phrases, m *model.Model, a values) *Drawing {
	return Strip(l, a[0].String(), m)
}

func drawMeshShards(l phrase.Phrases, s *setup.Setup, a values) *Drawing {
	return Mesh(l, s.Einsum, a.whole(1))
}

func drawStreamTimeline(l phrase.Phrases, r *machine.Run, a values) *Drawing {
	return Stream(l, r, a.whole(1))
}

func drawFatTree(l phrase.Phrases, f network.FatTree, a values) *Drawing {
	return FatTree(l, f, a[0].Record.Fields["bisection"].Num.String())
}

func drawCollectiveStep(l phrase.Phrases, x *play.Setting, a values) (*Drawing, error) {
	p := x.Play()
	if p == nil {
		return nil, x.Undrawn()
	}
	return Collective(l, p, a.whole(1)), nil
}

func drawCollectiveCurve(l phrase.Phrases, x *play.Setting, a values) *Drawing {
	return CollectiveCurve(l, x, a[1].Bool)
}

func drawLayerBoxes(l phrase.Phrases, y *layer.Counted, a values) *Drawing {
	return Layer(l, y.Layer, y.Pass, a[1].Record.ID)
}

func drawSchemeStep(l phrase.Phrases, a values) (*Drawing, error) {
	return Scheme(l, a[0].Text, a.whole(1))
}

func drawLayerClocks(l phrase.Phrases, a values) *Drawing {
	return StepTimes(l, a.num(0), a.num(1), a.num(2), a[3].Bool)
}

func drawTwoClocks(l phrase.Phrases, a values) *Drawing {
	return Blocks(l, a.num(0), a.num(1), a[2].Bool)
}

func drawRingMatmul(l phrase.Phrases, a values) (*Drawing, error) {
	return RingMatmul(l, a.whole(0), a.num(1), a.num(2), a.whole(3))
}

func drawPipelineTimetable(l phrase.Phrases, a values) (*Drawing, error) {
	return Pipeline(l, a[0].Text, a.whole(1), a.whole(2))
}

func drawStepClock(l phrase.Phrases, a values) *Drawing {
	return DecodeStep(l, a.num(0), a.num(1), a.num(2), a.whole(3))
}

func drawCachePages(l phrase.Phrases, a values) *Drawing {
	return Pages(l, a[0].Bool, a.whole(1))
}

func drawBatchSlots(l phrase.Phrases, a values) *Drawing {
	return Slots(l, machine.Policy(a[0].Text), a.whole(1))
}

func drawQueueInTime(l phrase.Phrases, a values) *Drawing {
	return Crowd(l, a.num(0), a.num(1), a.whole(2), a.whole(3))
}

func drawMemoryFill(l phrase.Phrases, a values) *Drawing {
	return Memory(l, a.num(0), a.num(1), a.num(2), a.num(3))
}

func drawChipBars(l phrase.Phrases, a values) (*Drawing, error) {
	return ChipBars(l, a[0].List, a[1].Record)
}

func drawChipsBeside(l phrase.Phrases, a values) (*Drawing, error) {
	return ChipsBeside(l, a[0].List, a[1].List)
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

// register adds the figure if the environment has the types of what it takes.
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
