package shardinglab

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/execute"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// trial is the opened way carried out on numbers: the same steps, on a small mesh with small arrays.
type trial struct {
	einsum *sharding.Einsum
	equal  bool
	worst  float64 // the largest difference of an element
	count  int     // elements compared
	err    error
}

// run offers the trial.
func (x *subject) run(s *instrument.State) *instrument.Node {
	box := div("part")
	if x.way == nil {
		return box
	}
	box.Kids = append(box.Kids, s.Fold("run", "Run it on small numbers", true, func(bool) []*instrument.Node {
		return []*instrument.Node{para("lab-run", x.try().String())}
	}))
	return box
}

func (t trial) String() string {
	if t.err != nil {
		return "It could not be run: " + trimmed(t.err.Error()) + "."
	}
	said := "These steps were carried out on a mesh " + t.einsum.Mesh.String() + ", with random whole numbers, every chip knowing only its own: " + t.einsum.String() + " with"
	for i, ix := range t.einsum.Indices {
		if i > 0 {
			said += ","
		}
		said += " " + ix.Name + " = " + count(ix.Size)
	}
	said += ". Equals the unsharded product: "
	if t.equal {
		return said + "yes, in all " + strconv.Itoa(t.count) + " elements that the chips hold."
	}
	return said + "no, by as much as " + strconv.FormatFloat(t.worst, 'g', 3, 64) + "."
}

// try runs the opened way. The steps only name axes and arrays; so those of the large mesh serve for a small one.
func (x *subject) try() trial {
	m := &sharding.Mesh{}
	for _, a := range x.mesh.Axes {
		m.Axes = append(m.Axes, sharding.Axis{Name: a.Name, Size: min(a.Size, 2)})
	}
	sides := x.sides(m)
	e := *x.einsum
	e.Mesh = m
	e.A, e.B, e.C = *smaller(&x.einsum.A, sides), *smaller(&x.einsum.B, sides), *smaller(&x.einsum.C, sides)
	e.Indices = append([]sharding.Index{}, e.Indices...)
	t := trial{einsum: &e}
	work := 1.0
	for i := range e.Indices {
		e.Indices[i].Size, _ = sides.Get(e.Indices[i].Name)
		work *= e.Indices[i].Size
	}
	if work > mostWork {
		t.err = execute.ErrTooLarge
		return t
	}
	steps := append([]sharding.Step{}, x.way.Steps...)
	for i := range steps {
		steps[i].From, steps[i].To = smaller(steps[i].From, sides), smaller(steps[i].To, sides)
	}
	seed := uint32(1)
	left, right := filled(&e.A, &seed), filled(&e.B, &seed)
	pa, err := execute.Place(left, &e.A, m, evenly(&e.A, m))
	if err != nil {
		t.err = err
		return t
	}
	pb, err := execute.Place(right, &e.B, m, evenly(&e.B, m))
	if err != nil {
		t.err = err
		return t
	}
	got, err := execute.Run(&e, steps, pa, pb)
	if err != nil {
		t.err = err
		return t
	}
	t.compare(got, execute.Multiply(&e, left, right))
	return t
}

// evenly says how an unreduced array is divided into summands: each chip has the same.
func evenly(a *sharding.Array, m *sharding.Mesh) func([]int) float64 {
	n := 1.0
	for _, u := range a.Unreduced {
		n *= float64(m.Axes[u].Size)
	}
	return func([]int) float64 { return 1 / n }
}

// mostWork is how many products of numbers a trial may take: some 100 ms in a browser.
const mostWork = 1 << 18

// sides are small sizes that can still be split as the arrays and the steps split them on a mesh.
func (x *subject) sides(m *sharding.Mesh) sharding.Sizes {
	var all sharding.Sizes
	for _, ix := range x.einsum.Indices {
		all = append(all, sharding.Size{Name: ix.Name, Value: 2})
	}
	raise := func(a *sharding.Array) {
		for _, d := range a.Dims {
			for i := range all {
				if all[i].Name == d.Name {
					all[i].Value = math.Max(all[i].Value, float64(d.Shards(m)))
				}
			}
		}
	}
	for _, a := range x.all() {
		raise(a)
	}
	for _, t := range x.way.Steps {
		raise(t.From)
		raise(t.To)
	}
	return all
}

// smaller is an array with other sizes.
func smaller(a *sharding.Array, sides sharding.Sizes) *sharding.Array {
	b := *a
	b.Dims = append([]sharding.Dim{}, a.Dims...)
	for i := range b.Dims {
		b.Dims[i].Size, _ = sides.Get(b.Dims[i].Name)
	}
	return &b
}

// filled is a tensor of small whole numbers, whose sums are exact.
func filled(a *sharding.Array, seed *uint32) execute.Tensor {
	shape := make([]int, len(a.Dims))
	for i, d := range a.Dims {
		shape[i] = int(d.Size)
	}
	t := execute.NewTensor(shape...)
	for i := range t.Data {
		*seed = *seed*1664525 + 1013904223
		t.Data[i] = float64(*seed>>24) - 128
	}
	return t
}

// compare adds up what is unreduced and looks at every element that any chip holds.
func (t *trial) compare(got execute.Placed, want execute.Tensor) {
	m, a := t.einsum.Mesh, got.Array
	whole := make([]sharding.Range, len(want.Shape))
	for i, n := range want.Shape {
		whole[i] = sharding.Range{To: n}
	}
	t.equal = true
	for chip := range got.Shards {
		members := partners(m, a.Unreduced, chip)
		sh := got.Shards[chip]
		i := 0
		walk(sh.Held, func(at []int) {
			sum := 0.0
			for _, k := range members {
				sum += got.Shards[k].Data[i]
			}
			o := 0
			for d, n := range want.Shape {
				o = o*n + at[d]
			}
			diff := math.Abs(sum - want.Data[o])
			t.worst = math.Max(t.worst, diff)
			t.count++
			i++
		})
	}
	t.equal = t.worst < 1e-6
}

// partners are the chips that differ from one along some axes only.
func partners(m *sharding.Mesh, axes []int, chip int) []int {
	at := m.Coords(chip)
	var all []int
	for k := range m.Chips() {
		same := true
		for x, c := range m.Coords(k) {
			free := false
			for _, u := range axes {
				free = free || u == x
			}
			same = same && (free || c == at[x])
		}
		if same {
			all = append(all, k)
		}
	}
	return all
}

// walk visits the indices of ranges, the last running fastest.
func walk(ranges []sharding.Range, visit func(at []int)) {
	at := make([]int, len(ranges))
	var step func(i int)
	step = func(i int) {
		if i == len(ranges) {
			visit(at)
			return
		}
		for at[i] = ranges[i].From; at[i] < ranges[i].To; at[i]++ {
			step(i + 1)
		}
	}
	step(0)
}
