package schedule

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
)

// AllToAll is an all-to-all along shortest paths, along one axis after the other, every chunk one hop a step. A chunk
// for the chip opposite on a ring of even size goes one half each way. Of the array every chip holds a row of chunks,
// one for each chip.
func AllToAll(g Grid, bytes float64, d Direction) (*Schedule, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	axes := make([]int, len(g.Sides))
	for i := range axes {
		axes[i] = i
	}
	if err := checkOrders(g, d, [][]int{axes}, []float64{1}); err != nil {
		return nil, err
	}
	s := rows(g.Chips(), bytes)
	for axis := range g.Sides {
		for hop := 1; hop <= g.sweep(axis, d); hop++ {
			if err := s.add(g.exchangeHop(axis, d, hop)); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// rows is the beginning of an all-to-all.
func rows(chips int, bytes float64) *Schedule {
	s := &Schedule{
		Chips: chips,
		Nodes: chips,
		Begin: make([][]int, chips),
		Want:  make([][]int, chips),
	}
	for from := range chips {
		for to := range chips {
			for half := range 2 {
				c := rowChunk(from, to, chips, half)
				s.Begin[from], s.Want[to] = append(s.Begin[from], c), append(s.Want[to], c)
				s.Sizes = append(s.Sizes, bytes/float64(2*chips*chips))
			}
		}
	}
	return s
}

func rowChunk(from, to, chips, half int) int { return (from*chips+to)*2 + half }

// exchangeHop is one hop of all chunks that have that many to go along an axis.
func (g Grid) exchangeHop(axis int, d Direction, hop int) []Transfer {
	chips := g.Chips()
	sent := map[[2]int]*Transfer{} // by sender and direction
	for from := range chips {
		for to := range chips {
			for half := range 2 {
				dir, hops := g.route(g.coordinate(from, axis), g.coordinate(to, axis), axis, d, half)
				if hop > hops {
					continue
				}
				now := g.midway(from, to, axis, dir*(hop-1))
				next, _ := g.next(now, axis, dir)
				t := sent[[2]int{now, dir}]
				if t == nil {
					t = &Transfer{From: now, To: next, Axis: axis, Dir: dir}
					sent[[2]int{now, dir}] = t
				}
				t.Chunks = append(t.Chunks, rowChunk(from, to, chips, half))
			}
		}
	}
	var out []Transfer
	for chip := range chips {
		for _, dir := range [...]int{+1, -1} {
			if t := sent[[2]int{chip, dir}]; t != nil {
				out = append(out, *t)
			}
		}
	}
	return out
}

// route is the direction and the hops from one coordinate to another.
func (g Grid) route(from, to, axis int, d Direction, half int) (dir, hops int) {
	n := g.Sides[axis]
	if !g.Wrap[axis] {
		if to < from {
			return -1, from - to
		}
		return +1, to - from
	}
	ahead := (to - from + n) % n
	if d == Unidirectional || 2*ahead < n || 2*ahead == n && half == 0 {
		return +1, ahead
	}
	return -1, n - ahead
}

// midway is where a chunk is that has done the axes before this one, and so many places along it.
func (g Grid) midway(from, to, axis, places int) int {
	chip := from
	for a := range axis {
		chip = g.to(chip, a, g.coordinate(to, a))
	}
	n := g.Sides[axis]
	return g.to(chip, axis, ((g.coordinate(from, axis)+places)%n+n)%n)
}

// Direct is an all-gather through a switch in one step: everyone sends its shard to everyone.
func Direct(chips int, bytes float64) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	s := shards(chips, bytes, []float64{1})
	return s, s.add(pairs(chips, func(from, to int) []int { return s.Begin[from] }))
}

// DirectExchange is an all-to-all through a switch, or a tree of them, in one step.
func DirectExchange(chips int, bytes float64) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	s := rows(chips, bytes)
	return s, s.add(pairs(chips, func(from, to int) []int {
		return []int{rowChunk(from, to, chips, 0), rowChunk(from, to, chips, 1)}
	}))
}

// pairs is a transfer from everyone to every other.
func pairs(chips int, chunks func(from, to int) []int) []Transfer {
	var out []Transfer
	for from := range chips {
		for to := range chips {
			if from != to {
				out = append(out, Transfer{From: from, To: to, Axis: -1, Chunks: chunks(from, to)})
			}
		}
	}
	return out
}

// InSwitch is an all-reduce in which the switch adds: everyone sends its array in pieces to the switch (chip number
// chips), which sends each sum back as soon as it has it.
func InSwitch(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := whole(chips, bytes, pieces)
	s.Nodes = chips + 1
	for t := range pieces + 1 {
		var all []Transfer
		for chip := range chips {
			if t < pieces {
				all = append(all, Transfer{From: chip, To: chips, Axis: -1, Chunks: []int{t}, Add: true})
			}
			if t > 0 {
				all = append(all, Transfer{From: chips, To: chip, Axis: -1, Chunks: []int{t - 1}})
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// whole is the beginning of an all-reduce: everyone has its own version of the array, in pieces.
func whole(chips int, bytes float64, pieces int) *Schedule {
	s := &Schedule{Chips: chips, Nodes: chips, Begin: make([][]int, chips), Want: make([][]int, chips)}
	for p := range pieces {
		s.Sizes = append(s.Sizes, bytes/float64(pieces))
		for chip := range chips {
			s.Begin[chip], s.Want[chip] = append(s.Begin[chip], p), append(s.Want[chip], p)
		}
	}
	return s
}

// Pipeline is a broadcast from chip 0 along a line, in pieces that follow each other.
func Pipeline(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := fromRoot(chips, bytes, pieces)
	for t := range pieces + chips - 2 {
		var all []Transfer
		for chip := range chips - 1 {
			if piece := t - chip; piece >= 0 && piece < pieces {
				all = append(all, Transfer{From: chip, To: chip + 1, Dir: +1, Chunks: []int{piece}})
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// fromRoot is the beginning of a broadcast.
func fromRoot(chips int, bytes float64, pieces int) *Schedule {
	s := whole(chips, bytes, pieces)
	for chip := 1; chip < chips; chip++ {
		s.Begin[chip] = nil
	}
	return s
}

// Direction is how rings are gone around.
type Direction uint8

// The directions.
const (
	Bidirectional Direction = iota
	Unidirectional
)

// AllGather is an all-gather of an array of so many bytes along all axes of a grid. With several axes the array is cut
// into as many shares, each of which begins with another axis, so that all axes work at all times.
func AllGather(g Grid, bytes float64, d Direction) (*Schedule, error) {
	orders := make([][]int, len(g.Sides))
	shares := make([]float64, len(g.Sides))
	for i := range orders {
		shares[i] = 1
		for j := range g.Sides {
			orders[i] = append(orders[i], (i+j)%len(g.Sides))
		}
	}
	return AllGatherIn(g, bytes, d, orders, shares)
}

// AllGatherIn is an all-gather whose shares go along the axes in given orders: of each shard the part shares[i] (they
// need not add up to 1) goes along orders[i].
func AllGatherIn(g Grid, bytes float64, d Direction, orders [][]int, shares []float64) (*Schedule, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := checkOrders(g, d, orders, shares); err != nil {
		return nil, err
	}
	s := shards(g.Chips(), bytes, shares)
	held := make([][][]int, len(orders)) // of each share, the chunks that each chip holds
	for share := range orders {
		for chip := range g.Chips() {
			held[share] = append(
				held[share],
				[]int{shardChunk(chip, share, len(shares), 0), shardChunk(chip, share, len(shares), 1)},
			)
		}
	}
	for phase := range g.Sides {
		if err := s.gatherPhase(g, d, orders, held, phase); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func checkOrders(g Grid, d Direction, orders [][]int, shares []float64) error {
	if len(orders) == 0 || len(orders) != len(shares) {
		return phrase.Fault{
			What:   phrase.New("schedule.other-orders", "orders", len(orders), "shares", len(shares)),
			Remedy: phrase.New("schedule.as-many"),
		}
	}
	for _, order := range orders {
		sorted := slices.Clone(order)
		slices.Sort(sorted)
		for i := range g.Sides {
			if len(sorted) != len(g.Sides) || sorted[i] != i {
				return phrase.Fault{What: phrase.New("schedule.bad-order"), Remedy: phrase.New("schedule.each-axis")}
			}
		}
	}
	for i, wrap := range g.Wrap {
		if d == Unidirectional && !wrap && g.Sides[i] > 1 {
			return phrase.Fault{
				What:   phrase.New("schedule.line-one-way"),
				Remedy: phrase.New("schedule.let-wrap", "axis", i),
			}
		}
	}
	return nil
}

// shards is the beginning of an all-gather: each chip has a shard, of which each share is two halves.
func shards(chips int, bytes float64, shares []float64) *Schedule {
	s := &Schedule{Chips: chips, Nodes: chips, Begin: make([][]int, chips), Want: make([][]int, chips)}
	sum := 0.0
	for _, f := range shares {
		sum += f
	}
	for chip := range chips {
		for share, f := range shares {
			for half := range 2 {
				s.Begin[chip] = append(s.Begin[chip], shardChunk(chip, share, len(shares), half))
				s.Sizes = append(s.Sizes, bytes*f/sum/float64(2*chips))
			}
		}
	}
	for chip := range chips {
		for c := range s.Sizes {
			s.Want[chip] = append(s.Want[chip], c)
		}
	}
	return s
}

func shardChunk(chip, share, shares, half int) int { return (chip*shares+share)*2 + half }

// gatherPhase lets every share go along the axis whose turn it is in its order.
func (s *Schedule) gatherPhase(g Grid, d Direction, orders [][]int, held [][][]int, phase int) error {
	hops := 0
	for _, order := range orders {
		hops = max(hops, g.sweep(order[phase], d))
	}
	for hop := 1; hop <= hops; hop++ {
		var all []Transfer
		for share, order := range orders {
			all = append(all, g.gatherHop(order[phase], d, hop, held[share])...)
		}
		if err := s.add(all); err != nil {
			return err
		}
	}
	for share, order := range orders {
		held[share] = g.joined(order[phase], held[share])
	}
	return nil
}

// sweep is the hops that it takes until everyone along an axis has heard of everyone.
func (g Grid) sweep(axis int, d Direction) int {
	if g.Wrap[axis] && d == Bidirectional {
		return g.Sides[axis] / 2
	}
	return g.Sides[axis] - 1
}

// gatherHop is one hop along an axis: each chip hands on what began hop-1 places behind it. In a ring of even size what
// comes from the chip opposite comes one half from each side.
func (g Grid) gatherHop(axis int, d Direction, hop int, held [][]int) []Transfer {
	var out []Transfer
	n := g.Sides[axis]
	if hop > g.sweep(axis, d) {
		return nil
	}
	for chip := range held {
		for _, dir := range [...]int{+1, -1} {
			next, ok := g.next(chip, axis, dir)
			origin := g.coordinate(chip, axis) - dir*(hop-1)
			if !ok || d == Unidirectional && dir < 0 || !g.Wrap[axis] && (origin < 0 || origin >= n) {
				continue
			}
			chunks := held[g.to(chip, axis, (origin+n)%n)]
			if g.Wrap[axis] && d == Bidirectional && 2*hop == n {
				chunks = halves(chunks, dir)
			}
			out = append(out, Transfer{From: chip, To: next, Axis: axis, Dir: dir, Chunks: chunks})
		}
	}
	return out
}

// halves are the chunks that go one way to the chip opposite: even numbers forwards, odd ones backwards.
func halves(chunks []int, dir int) []int {
	var half []int
	for _, c := range chunks {
		if (c%2 == 0) == (dir > 0) {
			half = append(half, c)
		}
	}
	return half
}

// joined is what everyone holds once all along an axis have sent to each other.
func (g Grid) joined(axis int, held [][]int) [][]int {
	all := make([][]int, len(held))
	for chip := range held {
		for c := range g.Sides[axis] {
			all[chip] = append(all[chip], held[g.to(chip, axis, c)]...)
		}
	}
	return all
}
