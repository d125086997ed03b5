package setup

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// Way is a way to compute a product, among all others.
type Way struct {
	*sharding.Strategy
	Setup *Setup
	Plan  *sharding.Plan
}

// Listed is how many ways are kept, the fastest first.
const Listed = 32

// Ways are the ways to compute the product, ranked by the exact times, or by the textbook's approximations.
func (s *Setup) Ways(shortcut bool) []*Way {
	p := sharding.NewPlan(s.Einsum, s.Limits, s.Fabric, sharding.Options{Shortcut: shortcut, Most: Listed})
	all := make([]*Way, len(p.Strategies))
	for i, t := range p.Strategies {
		all[i] = &Way{Strategy: t, Setup: s, Plan: p}
	}
	return all
}

// Name is the way in a line.
func (w *Way) Name() string { return w.Title(w.Setup.Mesh) }

// ID is the name without spaces.
func (w *Way) ID() string { return strings.ReplaceAll(w.Name(), " ", "") }

// WayKey is all that a way depends on.
type WayKey struct {
	setup    Key
	shortcut bool
	name     string
}

// Key is the key of w: ways with equal keys are alike.
func (w *Way) Key() WayKey { return WayKey{w.Setup.Key(), w.Plan.Options.Shortcut, w.Name()} }

// Best tells whether no other way is faster.
func (w *Way) Best() bool { return w.Strategy == w.Plan.Strategies[0] }

// Rank says where the way stands among all: "The best of 12 ways."
func (w *Way) Rank() *phrase.Phrase {
	n := w.Plan.Found
	rank := phrase.New("setup.best-of", "n", n)
	if i := slices.Index(w.Plan.Strategies, w.Strategy); i > 0 {
		rank = phrase.New("setup.place-of", "place", i+1, "n", n)
	} else if n == 1 {
		rank = phrase.New("setup.only-way")
	}
	if listed := len(w.Plan.Strategies); listed < n {
		rank = phrase.New("setup.listed", "rank", rank, "listed", listed)
	}
	if !w.Plan.Complete {
		rank = phrase.New("setup.cut-short", "rank", rank)
	}
	return phrase.New("setup.of-one-chip", "rank", rank)
}

// Verdict says what a way waits for, and what speaks against it.
func (w *Way) Verdict() phrase.List {
	said := []*phrase.Phrase{w.waits()}
	if best := float64(w.Plan.Strategies[0].Lower()); !w.Best() && best > 0 {
		if r := float64(w.Lower()) / best; r > 1.005 {
			said = append(said, phrase.New("setup.times-best", "times", strconv.FormatFloat(r, 'f', ratioDigits(r), 64)))
		} else {
			said = append(said, phrase.New("setup.as-fast"))
		}
	}
	if w.Work > 1.001 {
		said = append(said, phrase.New("setup.extra-work", "times", strconv.FormatFloat(w.Work, 'g', 3, 64)))
	}
	if !w.Fits {
		said = append(said, phrase.New("setup.too-large"))
	}
	return phrase.Commas(said)
}

// waits says what most of the way's time goes into.
func (w *Way) waits() *phrase.Phrase {
	switch w.Bound() {
	case "communication":
		return phrase.New("setup.communication-bound")
	case "memory":
		return phrase.New("setup.memory-bound")
	}
	return phrase.New("setup.compute-bound")
}

func ratioDigits(r float64) int {
	if r >= 10 {
		return 0
	}
	return 2
}

// A curve is over one size, from a hundredth of what it is to a hundred times as much, with a plan of its own at each
// place. Places are planned from coarse to fine, so that the curve can be shown before it is done.
const (
	places = 49
	reach  = 128.0
	most   = 1 << 24
)

// Curve is the plans over a size. The zero value has no places.
type Curve struct {
	Way   *Way
	Over  string  // the dimension
	Now   float64 // its size
	Known []Point // the places that are planned, by size
	left  []float64
	all   int
}

// Point is what there is to know of one size. The times of the way are not numbers where there is no such way.
type Point struct {
	Size                            float64
	Math, Comms, Memory, Took, Best float64
	Title, Bound                    string // of the best way
}

// NewCurve is a curve of which nothing is planned yet.
func (w *Way) NewCurve(over string) *Curve {
	c := &Curve{Way: w, Over: over}
	now, ok := w.Setup.Sizes.Get(over)
	low, high := math.Max(now/reach, w.Setup.least(over)), math.Min(now*reach, most)
	if c.Now = now; !ok || !(high > low) {
		return c
	}
	taken := make([]bool, places)
	for step := 16; step >= 1; step /= 2 {
		for i := 0; i < places; i += step {
			if !taken[i] {
				taken[i] = true
				c.left = append(c.left, low*math.Pow(high/low, float64(i)/(places-1)))
			}
		}
	}
	c.all = len(c.left)
	return c
}

// least is the smallest size of a dimension that can still be split as the product is.
func (s *Setup) least(over string) float64 {
	n := 1
	for _, a := range s.Arrays() {
		for _, d := range a.Dims {
			if d.Name == over {
				n = max(n, d.Shards(s.Mesh))
			}
		}
	}
	return float64(n)
}

// Step plans one place, and says whether there is one left.
func (c *Curve) Step() (more bool) {
	if len(c.left) == 0 {
		return false
	}
	size := c.left[0]
	c.left = c.left[1:]
	if p, ok := c.point(size); ok {
		i, _ := slices.BinarySearchFunc(c.Known, size, func(p Point, x float64) int {
			if p.Size < x {
				return -1
			}
			return 1
		})
		c.Known = slices.Insert(c.Known, i, p)
	}
	return len(c.left) > 0
}

// Done is the share of the places that are planned.
func (c *Curve) Done() float64 {
	if c.all == 0 {
		return 1
	}
	return 1 - float64(len(c.left))/float64(c.all)
}

// point plans with another size.
func (c *Curve) point(size float64) (Point, bool) {
	s, p := c.Way.Setup, Point{Size: size}
	sizes := slices.Clone(s.Sizes)
	for i := range sizes {
		if sizes[i].Name == c.Over {
			sizes[i].Value = size
		}
	}
	e, err := s.parse(sizes)
	if err != nil {
		return p, false
	}
	plan := sharding.NewPlan(e, s.Limits, s.Fabric, sharding.Options{Shortcut: c.Way.Plan.Options.Shortcut, Most: 1})
	if len(plan.Strategies) == 0 {
		return p, false
	}
	best := plan.Strategies[0]
	way := best
	if !c.Way.Best() {
		way = plan.Named(c.Way.Name())
	}
	p.Best, p.Title, p.Bound = float64(best.Lower()), best.Title(s.Mesh), best.Bound()
	p.Math, p.Comms, p.Memory, p.Took = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if way != nil {
		p.Math, p.Comms, p.Memory, p.Took = float64(way.Math), float64(way.Comms), float64(way.Memory), float64(way.Lower())
	}
	return p, true
}

// Regime is a stretch of sizes over which one way is the best, for one reason.
type Regime struct {
	From, To     float64
	Title, Bound string
}

// Regimes are those of the places that are planned.
func (c *Curve) Regimes() []Regime {
	var all []Regime
	for _, p := range c.Known {
		if n := len(all); n > 0 && all[n-1].Title == p.Title && all[n-1].Bound == p.Bound {
			all[n-1].To = p.Size
		} else {
			all = append(all, Regime{p.Size, p.Size, p.Title, p.Bound})
		}
	}
	return all
}
