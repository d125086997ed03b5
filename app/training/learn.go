package training

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/model"
)

// Learn is what of a model learns where its own weights are frozen, or some of them. The zero Learn adds nothing.
type Learn struct {
	Rank    float64 // of the adapters (LoRA); 0 if there are none
	Targets Target  // which matrices have one
	Saved   Target  // tables that learn as a whole beside them
	Weight  float64 // bytes of a weight of an adapter
	Grad    float64 // of its gradient
	Moments float64 // of its moments together
	Shards  bool    // transformers’ Trainer shards by FSDP, where weights are sharded
	Dropout bool    // adapters have an input of their own, with parts dropped
	Layers  int     // only the last so many layers learn; 0 means all
	Quant   bool    // frozen matrices are kept in few bits and made wide for each product
	Inputs  bool    // their matmuls keep inputs that nothing learns from
	Wide    bool    // norms were made wide for them, so that what passes from layer to layer is wide too
	// bytes of a frozen weight as it is loaded, where those in layers may be narrower; 0 if as in layers
	Table float64
}

// Target is a set of matrices that have adapters.
type Target uint16

// The matrices: of attention, of MLPs, of layers with a state, and the tables.
const (
	TargetQ Target = 1 << iota
	TargetK
	TargetV
	TargetO
	TargetGate
	TargetUp
	TargetDown
	TargetLinear
	TargetEmbed
	TargetHead

	targetMLP = TargetGate | TargetUp | TargetDown
)

var targetNames = [...]string{"q", "k", "v", "o", "gate", "up", "down", "linear", "embed", "head"}

//go:embed targets.tsv
var targetTable string // how software calls a matrix, and what it is

// targetNamed is the matrices of a name as any software calls them, a path or a pattern before it left out.
func targetNamed(name string) (set Target, known bool) {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	name = name[strings.LastIndexAny(name, ".*/")+1:]
	for line := range strings.Lines(targetTable) {
		called, are, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if called != name {
			continue
		}
		for i, n := range targetNames {
			if strings.Contains(" "+are+" ", " "+n+" ") {
				set |= 1 << i
			}
		}
		return set, true
	}
	return 0, false
}

// matrix is a matrix of a layer: what it takes in and gives out, and how many of its kind there are.
type matrix struct {
	target  Target
	in, out float64
	n       float64
	routed  bool
}

// matrixList is matrices under way.
type matrixList []matrix

// add adds matrices, if there are any.
//
//go:noinline
func (l *matrixList) add(t Target, in, out, n float64, routed bool) {
	if in > 0 && out > 0 && n > 0 {
		*l = append(*l, matrix{t, in, out, n, routed})
	}
}

// matrices are those of a layer.
func matrices(m *model.Model, l model.Layer) (all matrixList) {
	D := float64(m.Width)
	if l.Attends() {
		N, K, H, V := float64(l.Heads), float64(l.KVHeads), float64(l.HeadSize), float64(l.ValueSize)
		q, r := float64(m.MLA.QRank), float64(m.MLA.KVRank)
		if q > 0 {
			all.add(TargetQ, D, q, 1, false)
			all.add(TargetQ, q, N*H, 1, false)
		} else {
			all.add(TargetQ, D, N*H, 1, false)
		}
		if r > 0 {
			all.add(TargetK, D, r+float64(m.MLA.RopeSize), 1, false)
			all.add(TargetV, r, N*(float64(m.MLA.NopeSize)+V), 1, false)
		} else if !l.Shares {
			all.add(TargetK, D, K*H, 1, false)
			all.add(TargetV, D, K*V, 1, false)
		}
		all.add(TargetO, N*V, D, 1, false)
	}
	if l.Linear {
		for _, x := range m.LinearMatrices() {
			all.add(TargetLinear, float64(x.Rows), float64(x.Cols), 1, false)
		}
	}
	mlp := func(from, F, n float64, routed bool) {
		if !m.Plain {
			all.add(TargetGate, from, F, n, routed)
		}
		all.add(TargetUp, from, F, n, routed)
		all.add(TargetDown, F, from, n, routed)
	}
	switch {
	case l.NoMLP:
	case l.Experts:
		from := float64(m.MoE.Latent)
		if from == 0 {
			from = D
		}
		mlp(from, float64(m.ExpertWidth()), float64(m.MoE.Experts), true)
		mlp(D, float64(m.SharedWidth()), float64(m.MoE.Shared), false)
	default:
		mlp(D, float64(m.DenseWidth(l)), 1, false)
	}
	return all
}

// learned sums up for a mean layer what depends on its matrices.
type learned struct {
	dense, routed float64 // weights of adapters of a layer
	tables        float64 // weights of tables that learn beside them
	inputs        float64 // widths of the inputs of matrices that have adapters
	distinct      float64 // the same, what several of them take in counted once
	share         float64 // of the layers that learn
	sides         float64 // rows and columns of a layer's matrices
	newton        float64 // FLOPs of five Newton-Schulz steps on a layer's matrices
	largest       float64 // weights of the largest matrix
}

// newLearned sums up a job's model.
func newLearned(j *Job) (a learned) {
	m, t := j.Model, j.Learn.Targets
	for i := range m.Layers {
		for _, x := range matrices(m, m.Layer(i)) {
			a.sides += x.n * (x.in + x.out)
			a.newton += x.n * newtonFLOPs(x.in, x.out)
			a.largest = max(a.largest, x.in*x.out)
			if x.target&t == 0 {
				continue
			}
			n := x.n * j.Learn.Rank * (x.in + x.out)
			if x.routed {
				a.routed += n
				continue
			}
			a.dense += n
			a.inputs += x.in
			if x.target&(TargetQ|TargetGate) != 0 || x.target&(TargetK|TargetV|TargetUp) == 0 ||
				t&(TargetQ|TargetGate) == 0 {
				a.distinct += x.in
			}
		}
	}
	L := float64(m.Layers)
	for _, x := range []*float64{&a.dense, &a.routed, &a.inputs, &a.distinct, &a.sides, &a.newton} {
		*x /= L
	}
	if a.share = 1; j.Learn.Layers > 0 {
		a.share = min(1, float64(j.Learn.Layers)/L)
	}
	p := m.Params()
	if j.Learn.Saved&TargetEmbed != 0 {
		a.tables += p.Embedding
	}
	if j.Learn.Saved&TargetHead != 0 || j.Learn.Saved&TargetEmbed != 0 && m.Tied {
		a.tables += p.Unembedding
	}
	return a
}

// newtonFLOPs are the operations by which Muon makes a matrix orthogonal: in each of five steps X X', its square, and
// their product with X, on the shorter side.
func newtonFLOPs(in, out float64) float64 {
	a, b := min(in, out), max(in, out)
	return 5 * (2*a*a*b + 2*a*a*a + 2*a*a*b)
}

// Adapters are the weights that adapters of a job have in all.
func (p *Estimator) Adapters() float64 {
	return p.shape.layers * (p.learned.dense + p.learned.routed)
}

// learns adds to a rank's memory the adapters of so many layers and the tables that learn, with their state.
func (p *Estimator) learns(m *Memory, c *layout, layers float64, tables float64) {
	l := &p.job.Learn
	if !p.job.Frozen {
		return
	}
	add := func(n, shard float64) {
		whole := n
		local := n / shard
		m.Weights += pick(c.zero >= 3, local, whole) * l.Weight
		m.Grads += pick(c.zero >= 2, local, whole) * l.Grad
		m.Moments += pick(c.zero >= 1, local, whole) * l.Moments
	}
	add(layers*p.learned.dense/c.tp, c.shard)
	add(layers*p.learned.routed/(c.ep*c.etp), c.expertShard)
	add(tables/c.tp, c.shard)
	if l.Quant { // the matrix that is wide for the moment
		m.Gathered += BF16.Bytes() * p.learned.largest / c.tp
	}
}

// Optimizer is a way to update weights: what it keeps of each, and what it computes.
type Optimizer struct {
	ID, Label  string
	Numbers    float64 // moments, or what stands for them, that a weight of a matrix in a layer has
	Bytes      float64 // of each; 0 if the recipe says
	Factored   bool    // besides, a number for each row and column of a matrix
	Orthogonal bool    // makes each matrix of a layer orthogonal
	Embeddings bool    // keeps numbers of embeddings in 4 bytes
	AllAtOnce  bool    // updates all weights by one operation after the other, so that there are copies of all
	Paged      bool    // the driver may move its state to the host
	InBackward bool    // each weight is updated as soon as its gradient is there
	Table      float64 // moments of a weight that is in no layer
	FLOPs      float64 // elementwise operations for a weight
	Source     string
	names      []string
}

//go:embed optimizers.tsv
var optimizerTable string // ID, label, numbers, bytes, kind, numbers in tables, FLOPs, other names, source

// Optimizers are all that are known, the usual one first.
var Optimizers = sync.OnceValue(func() (all []Optimizer) {
	for line := range strings.Lines(optimizerTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		o := Optimizer{ID: c[0], Label: c[1], Source: c[8], names: strings.Fields(c[7])}
		for i, x := range map[int]*float64{2: &o.Numbers, 3: &o.Bytes, 5: &o.Table, 6: &o.FLOPs} {
			*x, _ = strconv.ParseFloat(c[i], 64)
		}
		o.Embeddings = strings.Contains(c[4], "embeddings")
		o.AllAtOnce = strings.Contains(c[4], "at_once")
		o.Factored, o.Orthogonal = strings.Contains(c[4], "factored"), strings.Contains(c[4], "orthogonal")
		o.Paged, o.InBackward = strings.Contains(c[4], "paged"), strings.Contains(c[4], "fused")
		all = append(all, o)
	}
	return all
})

// OptimizerNamed finds one by any of the names that software has for it.
func OptimizerNamed(name string) (Optimizer, bool) {
	plain := strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	bare := strings.ReplaceAll(plain, "_", "")
	for _, o := range Optimizers() {
		if o.ID == bare || slices.Contains(o.names, plain) || slices.Contains(o.names, bare) {
			return o, true
		}
	}
	_, last, inside := cutLast(plain, ".")
	if inside {
		return OptimizerNamed(last)
	}
	return Optimizer{}, false
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// momentBytes is what the state of a weight takes, of a matrix in a layer and elsewhere, where each number takes so
// many bytes and a layer has so many weights and sides of matrices.
func (o *Optimizer) momentBytes(each, weights, sides float64) (layer, table float64) {
	if o.Bytes > 0 {
		each = o.Bytes
	}
	layer, table = o.Numbers*each, o.Table*each
	if o.Factored && weights > 0 {
		layer += 4 * sides / weights
	}
	return layer, table
}

// tableBytes is what the state of a weight of tables takes in the mean: embeddings may have theirs in full width.
func (o *Optimizer) tableBytes(each float64, z *shape) float64 {
	if all := z.embed + z.head; o.Embeddings && all > 0 {
		return each + pick(z.tied, 1, z.embed/all)*(o.Table*4-each)
	}
	return each
}

// updates is the time of updating a rank's shard of the weights: what the update moves, or its operations.
func (p *Estimator) updates(c *layout, own float64) float64 {
	t := own * p.updateBytes() / p.job.Device.Stream
	if p.job.Optimizer.Orthogonal {
		ranks := c.tp
		if c.zero >= 1 {
			ranks *= c.shard
		}
		t += c.stage.slowest * p.learned.newton / ranks / p.matmulRate(BF16)
	}
	return t
}

// updateBytes is what an update moves for each weight: as the software's constant has it, by so much more or less as
// the state is larger or smaller than its usual one.
func (p *Estimator) updateBytes() float64 {
	if !p.job.Stated {
		return p.job.Stack.Optimizer
	}
	usual := p.job.Stack.Recipe(p.job.Recipe.Compute, false)
	return p.job.Stack.Optimizer * p.job.Recipe.updated() / usual.updated()
}

// updated is the bytes of a weight's state that an update reads and writes once.
func (r *Recipe) updated() float64 { return max(r.Grad, r.Accum) + 2*(r.Master+r.Moments) + r.Weight }
