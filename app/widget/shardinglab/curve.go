package shardinglab

import (
	"math"
	"strconv"
	"sync"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// The curves are over one size, from a hundredth of what it is to a hundred times as much, with a plan of its own at each
// place. Places are planned from coarse to fine, so that the curves can be shown before they are done.
const (
	places = 49
	reach  = 128.0
)

// curve is the plans over a size.
type curve struct {
	mu     sync.Mutex
	x      []float64
	order  []int
	next   int // of order
	points []point
	work   int // units of work for a place

	stopped bool // by the reader
}

// point is what there is to know of one size.
type point struct {
	done                           bool
	math, comms, hbm, chosen, best float64
	title, bound                   string
}

// budget is the units of work that are done with the rest of the view, some 5 ms in a browser; workUnits is what a plan of
// so many axes takes in the same units, as measured. What is left is done in pieces, between frames.
const budget = 40

var workUnits = [...]int{1, 1, 6, 20, long}

// long is from where on the planning may be stopped; searches over five axes and more are cut short.
const long = 160

func (x *subject) newCurve() *curve {
	now, ok := x.sizes.Get(x.over)
	if !ok || x.way == nil {
		return nil
	}
	limit, _ := strconv.ParseFloat(mostSize, 64)
	low, high := math.Max(now/reach, x.least()), math.Min(now*reach, limit)
	if !(high > low) {
		return nil
	}
	c := &curve{work: workUnits[min(len(x.mesh.Axes), len(workUnits)-1)]}
	for i := range places {
		c.x = append(c.x, low*math.Pow(high/low, float64(i)/(places-1)))
	}
	c.points = make([]point, places)
	taken := make([]bool, places)
	for step := 16; step >= 1; step /= 2 {
		for i := 0; i < places; i += step {
			if !taken[i] {
				taken[i] = true
				c.order = append(c.order, i)
			}
		}
	}
	return c
}

// least is the smallest size that can still be split as the product is.
func (x *subject) least() float64 {
	n := 1
	for _, a := range x.all() {
		for _, d := range a.Dims {
			if d.Name == x.over {
				n = max(n, d.Shards(x.mesh))
			}
		}
	}
	return float64(n)
}

// advance plans places until the units of work are used up; it says whether there was one to plan.
func (x *subject) advance(units int) bool {
	c := x.curve
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return false
	}
	did := false
	for c.next < len(c.order) && units >= c.work {
		i := c.order[c.next]
		c.points[i] = x.at(c.x[i])
		c.next++
		units -= c.work
		did = true
	}
	return did
}

// at plans with another size.
func (x *subject) at(size float64) point {
	p := point{done: true}
	sizes := append(sharding.Sizes{}, x.sizes...)
	for i := range sizes {
		if sizes[i].Name == x.over {
			sizes[i].Value = size
		}
	}
	nan := math.NaN()
	p.math, p.comms, p.hbm, p.chosen, p.best = nan, nan, nan, nan, nan
	e := x.parse(x.text, sizes)
	if e == nil {
		return p
	}
	o := x.options
	o.Most = 1
	plan := sharding.NewPlan(e, x.chip, x.fabric, o)
	if len(plan.Strategies) == 0 {
		return p
	}
	best := plan.Strategies[0]
	way := best
	if x.way != x.best() {
		way = plan.Named(x.way.Title(x.mesh))
	}
	p.best, p.title, p.bound = float64(best.Lower()), best.Title(x.mesh), best.Bound()
	if way != nil {
		p.math, p.comms, p.hbm, p.chosen = float64(way.Math), float64(way.Comms), float64(way.Memory), float64(way.Lower())
	}
	return p
}

func (l *lab) work(s *instrument.State) bool {
	x := l.subject(s)
	return x.plan != nil && x.curve != nil && x.advance(x.curve.work)
}
