//go:build !lean

package training

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Optimizer is a way to update weights: what it keeps of each, and what it computes.
type Optimizer struct {
	ID, Label  string
	Numbers    float64 // moments, or what stands for them, that a weight of a matrix in a layer has
	Bytes      float64 // of each; 0 if the recipe says
	Factored   bool    // besides, a number for each row and column of a matrix
	Orthogonal bool    // makes each matrix of a layer orthogonal
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

// updates is the time of updating a rank's shard of the weights: what the update moves, or its operations.
func (p *Pricer) updates(c *layout, own float64) float64 {
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
func (p *Pricer) updateBytes() float64 {
	if !p.job.Stated {
		return p.job.Stack.Optimizer
	}
	usual := RecipeOf(p.job.Stack.Family, p.job.Recipe.Compute, false)
	return p.job.Stack.Optimizer * p.job.Recipe.updated() / usual.updated()
}

// updated is the bytes of a weight's state that an update reads and writes once.
func (r *Recipe) updated() float64 { return max(r.Grad, r.Accum) + 2*(r.Master+r.Moments) + r.Weight }
