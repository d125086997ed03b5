package setup

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// Split is what a reader may choose of one dimension of one array: the mesh axes that split it, each choice with the
// text of the product that it makes.
type Split struct {
	Array   int            // 0, 1 or 2 for the result
	Label   string         // the dimension, or U for the axes along which the array is unreduced
	Says    *phrase.Phrase // the choice in words: "J of A: split over"
	Choices []Choice
}

// Choice is one of the choices of a Split.
type Choice struct {
	Name    string // "XY"; none is a dash
	Product string
	Now     bool // it holds
}

// Splits are the choices for each dimension of each array, and for the axes along which the result, or what is so
// already, is unreduced. What can't be is not offered.
func (s *Setup) Splits() []Split {
	var all []Split
	for i, a := range s.Arrays() {
		for k, d := range a.Dims {
			p := Split{Array: i, Label: d.Name, Says: phrase.New("setup.split-over", "dim", d.Name, "array", a.Name)}
			all = append(all, s.split(p, k, d.Axes))
		}
		if i == 2 || len(a.Unreduced) > 0 {
			u := Split{Array: i, Label: "U", Says: phrase.New("setup.left-unreduced", "array", a.Name)}
			all = append(all, s.split(u, -1, a.Unreduced))
		}
	}
	return all
}

// split adds the choices of a dimension to p; dim is -1 for the axes along which the array is unreduced.
func (s *Setup) split(p Split, dim int, now []int) Split {
	for _, axes := range orders(len(s.Mesh.Axes), now) {
		if dim < 0 && !slices.IsSorted(axes) {
			continue
		}
		names := s.axisNames(axes)
		text := edited(s.Text, s.Einsum, p.Array, dim, names)
		if _, err := sharding.ParseEinsum(text, s.Sizes, s.Mesh); err != nil {
			continue
		}
		c := Choice{Name: strings.TrimPrefix(subscript(names), "_"), Product: text, Now: slices.Equal(axes, now)}
		if len(axes) == 0 {
			c.Name = "–"
		}
		p.Choices = append(p.Choices, c)
	}
	return p
}

func (s *Setup) axisNames(axes []int) []string {
	var names []string
	for _, a := range axes {
		names = append(names, s.Mesh.Axes[a].Name)
	}
	return names
}

// orders are the ways to choose some of n axes in an order, none first: all for up to three axes, of more those of up
// to two, and the one that holds now.
func orders(n int, now []int) [][]int {
	most := n
	if n > 3 {
		most = 2
	}
	all := [][]int{nil}
	for from := 0; from < len(all); from++ {
		if len(all[from]) == most {
			break
		}
		for x := range n {
			if !slices.Contains(all[from], x) {
				all = append(all, append(slices.Clone(all[from]), x))
			}
		}
	}
	if len(now) > most {
		all = append(all, now)
	}
	return all
}

// edited is the text of e with the axes of one dimension set: they leave the array's other dimensions. dim is -1 for
// the axes along which the array is unreduced.
func edited(text string, e *sharding.Einsum, array, dim int, axes []string) string {
	all := brackets(text)
	if len(all) != 3 {
		return text
	}
	a := [...]*sharding.Array{&e.A, &e.B, &e.C}[array]
	kept := func(list []int) []string {
		var names []string
		for _, x := range list {
			if name := e.Mesh.Axes[x].Name; !slices.Contains(axes, name) {
				names = append(names, name)
			}
		}
		return names
	}
	for k, d := range a.Dims {
		names := axes
		if k != dim {
			names = kept(d.Axes)
		}
		all[array].dims[k] = d.Name + subscript(names)
	}
	sums := axes
	if dim >= 0 {
		sums = kept(a.Unreduced)
	}
	if all[array].sums = ""; len(sums) > 0 {
		all[array].sums = "{U" + subscript(sums) + "}"
	}
	return join(all)
}

// adapted is a product's text with the axes that a mesh doesn't have, or that can't split what they stand at, left out.
func adapted(text string, sizes sharding.Sizes, m *sharding.Mesh) string {
	if _, err := sharding.ParseEinsum(text, sizes, m); err == nil {
		return text
	}
	all := brackets(text)
	plain := brackets(bare(text))
	result := bare(text)
	try := func(change func(b []bracket)) {
		next := brackets(result)
		change(next)
		if len(next) == len(all) {
			if _, err := sharding.ParseEinsum(join(next), sizes, m); err == nil {
				result = join(next)
			}
		}
	}
	for i := range all {
		if len(all[i].dims) != len(plain[i].dims) {
			continue
		}
		for k, d := range all[i].dims {
			name, sub, _ := strings.Cut(d, "_")
			var kept []string
			for _, axis := range named(sub, m) {
				next := append(slices.Clone(kept), axis)
				before := result
				try(func(b []bracket) { b[i].dims[k] = name + subscript(next) })
				if result != before {
					kept = next
				}
			}
		}
		try(func(b []bracket) { b[i].sums = all[i].sums })
	}
	return result
}

// named are the axes of a mesh that a subscript names, in its order; others are passed over.
func named(sub string, m *sharding.Mesh) []string {
	var names []string
	for sub != "" {
		best := ""
		for _, a := range m.Axes {
			if strings.HasPrefix(sub, a.Name) && len(a.Name) > len(best) {
				best = a.Name
			}
		}
		if best == "" {
			sub = sub[1:]
			continue
		}
		names = append(names, best)
		sub = sub[len(best):]
	}
	return names
}

//go:embed examples.tsv
var examplesTable string

// Example is a product to begin with.
type Example struct {
	ID, Group, Name, Product, Mesh string
	Sizes                          sharding.Sizes
}

// Examples are all products to begin with.
func Examples() []Example {
	var all []Example
	for line := range strings.Lines(examplesTable) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 6 || f[0][0] == '#' {
			continue
		}
		sizes, _ := sharding.ParseSizes(strings.ReplaceAll(f[5], " ", ", "), nil)
		all = append(all, Example{f[0], f[1], f[2], f[3], f[4], sizes})
	}
	return all
}

// Is tells whether s is the example.
func (e *Example) Is(s *Setup) bool {
	if s.Product != e.Product || s.Given.Mesh != e.Mesh {
		return false
	}
	for _, d := range e.Sizes {
		if n, _ := s.Sizes.Get(d.Name); n != d.Value {
			return false
		}
	}
	return true
}

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

// Verdict says what limits a way, and why it is not chosen.
func (w *Way) Verdict() phrase.List {
	said := []*phrase.Phrase{w.waits()}
	if best := float64(w.Plan.Strategies[0].Lower()); !w.Best() && best > 0 {
		if r := float64(w.Lower()) / best; r > 1.005 {
			said = append(said, phrase.New("setup.times-best", "times",
				strconv.FormatFloat(r, 'f', ratioDigits(r), 64)))
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
		c.Known = append(c.Known, p)
		for i := len(c.Known) - 1; i > 0 && c.Known[i].Size <= c.Known[i-1].Size; i-- {
			c.Known[i], c.Known[i-1] = c.Known[i-1], c.Known[i]
		}
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
		p.Math, p.Comms, p.Memory, p.Took = float64(way.Math), float64(way.Comms), float64(way.Memory),
			float64(way.Lower())
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
