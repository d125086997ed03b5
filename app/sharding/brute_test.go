package sharding

import (
	"math"
	"math/bits"
	"slices"

	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// This file plans in another way, without any of the search's code: states are whole Arrays, moves are tried one by one
// from the rules in NewPlan's documentation, and both operands are moved in one joint search with Bellman's relaxation.

// brute is the joint problem with prices of its own.
type brute struct {
	e     *Einsum
	price func(op network.Op, mask uint8) rate
}

// hop is a state one move away, and what the move takes.
type hop struct {
	to   Array
	time float64
}

func (b *brute) cost(op network.Op, axes []int, v q.Bytes) float64 {
	r := b.price(op, maskOf(axes))
	return max(r.perByte*float64(v), r.latency)
}

func (b *brute) chips(axes []int) int {
	n := 1
	for _, x := range axes {
		n *= b.e.Mesh.Axes[x].Size
	}
	return n
}

// without is a without some of its axes; false if they are not the last ones of their dimensions.
func without(a Array, axes []int) (Array, bool) {
	dims := slices.Clone(a.Dims)
	for i, d := range dims {
		keep := slices.DeleteFunc(slices.Clone(d.Axes), func(x int) bool { return slices.Contains(axes, x) })
		if !slices.Equal(keep, d.Axes[:len(keep)]) {
			return a, false
		}
		dims[i].Axes = keep
	}
	a.Dims = dims
	a.Unreduced = slices.DeleteFunc(slices.Clone(a.Unreduced), func(x int) bool { return slices.Contains(axes, x) })
	return a, true
}

// appended is a with axis x behind the axes of a dimension; false if chips would hold nothing.
func (b *brute) appended(a Array, dim, x int) (Array, bool) {
	dims := slices.Clone(a.Dims)
	dims[dim].Axes = append(slices.Clone(dims[dim].Axes), x)
	a.Dims = dims
	return a, float64(dims[dim].Shards(b.e.Mesh)) <= dims[dim].Size
}

// spread puts axes behind dimensions in every order.
func (b *brute) spread(a Array, axes []int, visit func(Array)) {
	if len(axes) == 0 {
		visit(a)
		return
	}
	for i, x := range axes {
		rest := slices.Delete(slices.Clone(axes), i, i+1)
		for d := range a.Dims {
			if to, ok := b.appended(a, d, x); ok {
				b.spread(to, rest, visit)
			}
		}
	}
}

func (b *brute) hops(a Array) []hop {
	m := b.e.Mesh
	var out []hop
	local := a.LocalBytes(m)
	var used, free []int
	for x := range m.Axes {
		switch {
		case slices.Contains(a.Unreduced, x):
		case a.uses(x):
			used = append(used, x)
		default:
			free = append(free, x)
		}
	}
	subsets(used, func(axes []int) {
		to, ok := without(a, axes)
		if !ok {
			return
		}
		out = append(out, hop{to, b.cost(network.AllGather, axes, to.LocalBytes(m))})
		for _, from := range a.Dims { // the same axes, if they are of one dimension, may go behind another instead
			last := len(from.Axes) - len(axes)
			if last < 0 || !sameSet(from.Axes[last:], axes) {
				continue
			}
			for d := range a.Dims {
				next, ok := to, a.Dims[d].Name != from.Name
				for _, x := range from.Axes[last:] {
					if ok {
						next, ok = b.appended(next, d, x)
					}
				}
				if ok {
					out = append(out, hop{next, b.cost(network.AllToAll, axes, local*q.Bytes(b.chips(axes)))})
				}
			}
		}
	})
	subsets(a.Unreduced, func(axes []int) {
		summed, _ := without(a, axes)
		out = append(out, hop{summed, b.cost(network.AllReduce, axes, local)})
		b.spread(summed, axes, func(to Array) {
			out = append(out, hop{to, b.cost(network.ReduceScatter, axes, local)})
		})
	})
	for _, x := range free {
		for d := range a.Dims {
			if to, ok := b.appended(a, d, x); ok {
				out = append(out, hop{to, 0})
			}
		}
	}
	return out
}

func subsets(list []int, visit func([]int)) {
	for s := 1; s < 1<<len(list); s++ {
		var axes []int
		for i, x := range list {
			if s&(1<<i) != 0 {
				axes = append(axes, x)
			}
		}
		visit(axes)
	}
}

func sameSet(a, b []int) bool {
	return maskOf(a) == maskOf(b) && len(a) == len(b)
}

// product is what chips get by multiplying what they hold; false if they can't. It is judged by what every chip holds.
func (b *brute) product(left, right Array) (Array, bool) {
	m := b.e.Mesh
	for i := range m.Chips() {
		l, r := left.Held(m, m.Coords(i)), right.Held(m, m.Coords(i))
		for j, d := range left.Dims {
			if k := right.find(d.Name); k >= 0 && l[j] != r[k] {
				return Array{}, false
			}
		}
	}
	c := b.e.C
	c.Dims = slices.Clone(c.Dims)
	uses := slices.Concat(left.Unreduced, right.Unreduced)
	for _, d := range slices.Concat(left.Dims, right.Dims) {
		if k := c.find(d.Name); k >= 0 {
			c.Dims[k].Axes = d.Axes
		} else if left.find(d.Name) < 0 || !slices.Contains(uses, first(d.Axes)) {
			uses = append(uses, d.Axes...)
		}
	}
	slices.Sort(uses)
	c.Unreduced = uses
	count := 0
	for _, d := range c.Dims {
		count += len(d.Axes)
	}
	mask := maskOf(uses)
	for _, d := range c.Dims {
		mask |= maskOf(d.Axes)
	}
	return c, bits.OnesCount8(mask) == count+len(uses)
}

func first(axes []int) int {
	if len(axes) == 0 {
		return -1
	}
	return axes[0]
}

// distances is the least time to every array reachable from one.
func (b *brute) distances(from Array) (map[string]float64, map[string]Array) {
	m := b.e.Mesh
	time, states := map[string]float64{from.String(m): 0}, map[string]Array{from.String(m): from}
	for queue := []string{from.String(m)}; len(queue) > 0; queue = queue[1:] {
		for _, h := range b.hops(states[queue[0]]) {
			key, t := h.to.String(m), time[queue[0]]+h.time
			if old, known := time[key]; !known || t < old-1e-18 {
				time[key], states[key] = t, h.to
				queue = append(queue, key)
			}
		}
	}
	return time, states
}

// best is the least Lower and, apart from it, the least communication that any way to compute the einsum has.
func (b *brute) best(chip Chip) (lower, comms float64) {
	m := b.e.Mesh
	lower, comms = math.Inf(1), math.Inf(1)
	ta, sa := b.distances(b.e.A)
	tb, sb := b.distances(b.e.B)
	after := map[string]float64{}
	for ka, a := range sa {
		for kb, r := range sb {
			c, ok := b.product(a, r)
			if !ok {
				continue
			}
			key := c.String(m)
			if _, known := after[key]; !known {
				after[key] = math.Inf(1)
				if t, _ := b.distances(c); true {
					if d, ok := t[b.e.C.String(m)]; ok {
						after[key] = d
					}
				}
			}
			total := ta[ka] + tb[kb] + after[key]
			ops := b.e.perElement()
			for _, x := range b.e.Indices {
				d := [2]*Array{&a, &r}
				k := 0
				if x.dim[inA] < 0 {
					k = 1
				}
				ops *= d[k].Dims[x.dim[k]].Local(m)
			}
			moved := a.LocalBytes(m) + r.LocalBytes(m) + c.LocalBytes(m)
			local := max(ops/float64(chip.Peak), float64(moved)/float64(chip.HBM))
			lower, comms = min(lower, max(local, total)), min(comms, total)
		}
	}
	return lower, comms
}
