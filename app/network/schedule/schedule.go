// Package schedule plays collectives out step by step: at each step which chip sends which chunks to whom, over which
// wires, and what everyone holds afterwards. It knows nothing of the laws of package network, so that a test can hold
// the two against each other and a drawing can show what a law counts.
//
// A [Schedule] is data. Builders make one for an algorithm: [AllGather] along the axes of a [Grid] (bidirectional rings
// or one way, lines, several axes at once), [AllToAll] along shortest paths, [Doubling], [Direct], [Levels] through a
// tree of switches, [Binomial] and [Pipeline] for a broadcast, [InSwitch] for a reduction in the network. [Reverse] of
// an all-gather is a reduce-scatter; [Schedule.Then] puts two together, as an all-reduce is made.
//
//	gather, err := schedule.AllGather(schedule.Ring(8), 1e6, schedule.Bidirectional)
//	err = gather.Play(func(step int, s *schedule.State) bool { ...draw...; return true })
//
// Play moves the chunks as the steps say, refuses to send what a chip does not hold or to add what has been added
// already, and at the end checks that everyone holds what the collective promises. Loads says what each link carried.
//
// Work is bounded: builders refuse more than MaxChips chips or MaxMoves moves of a chunk.
package schedule

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
)

// What a schedule may have at most, so that it can be played and drawn in a reader's browser.
const (
	MaxChips = 256
	MaxMoves = 1 << 20
)

// Transfer is what one chip sends to another in a step.
type Transfer struct {
	From, To int
	Axis     int   // of a Grid, the axis along which it goes; -1 through switches
	Dir      int   // +1 or -1 along the axis; 0 through switches
	Chunks   []int // by number
	Add      bool  // the receiver adds the chunks to its own, instead of keeping them beside
}

// Step is what happens at the same time.
type Step struct {
	Transfers []Transfer
}

// Schedule is a collective, step by step. Chunks are numbered from 0. The chips that begin with a chunk hold their own
// part of its sum (one chip, if nothing is to be added).
type Schedule struct {
	Chips  int       // taking part; a switch that adds is chip number Chips
	Sizes  []float64 // bytes of each chunk
	Begin  [][]int   // the chunks that each chip begins with
	Want   [][]int   // the chunks that each chip must hold in the end, with all parts added
	Steps  []Step
	Nodes  int // who may hold chunks: Chips, or one more if the switch adds
	moving int // moves of a chunk so far
}

// Bytes is the size of a transfer.
func (s *Schedule) Bytes(t Transfer) float64 {
	sum := 0.0
	for _, c := range t.Chunks {
		sum += s.Sizes[c]
	}
	return sum
}

// add appends a step, and says whether the schedule is still small enough.
func (s *Schedule) add(transfers []Transfer) error {
	for _, t := range transfers {
		s.moving += len(t.Chunks)
	}
	if s.moving > MaxMoves {
		return phrase.Fault{
			What:   phrase.New("schedule.many-moves", "most", MaxMoves),
			Remedy: phrase.New("schedule.fewer-chips"),
		}
	}
	if len(transfers) > 0 {
		s.Steps = append(s.Steps, Step{transfers})
	}
	return nil
}

// Then is s followed by t, which begins with what s ends with.
func (s *Schedule) Then(t *Schedule) *Schedule {
	both := *s
	both.Want = t.Want
	both.Nodes = max(s.Nodes, t.Nodes)
	both.Steps = append(slices.Clone(s.Steps), t.Steps...)
	return &both
}

// Reverse runs an all-gather (or a broadcast) backwards, with sums instead of copies: what was the last to arrive is
// the first to be added. It is a reduce-scatter (or a reduce), link for link and byte for byte.
func Reverse(s *Schedule) *Schedule {
	r := *s
	r.Begin, r.Want, r.Steps = s.Want, s.Begin, nil
	for _, step := range slices.Backward(s.Steps) {
		var back Step
		for _, t := range step.Transfers {
			back.Transfers = append(
				back.Transfers,
				Transfer{From: t.To, To: t.From, Axis: t.Axis, Dir: -t.Dir, Chunks: t.Chunks, Add: true},
			)
		}
		r.Steps = append(r.Steps, back)
	}
	return &r
}

// checkChips refuses schedules that would be too large.
func checkChips(n int) error {
	if n < 1 || n > MaxChips {
		return phrase.Fault{
			What:   phrase.New("schedule.bad-chips", "n", n),
			Remedy: phrase.New("schedule.take", "most", MaxChips),
		}
	}
	return nil
}

// State is what everyone holds: of each chunk, whose parts have been added up in a chip's copy.
type State struct {
	chunks, words int
	bits          []uint64
}

// Holds is the number of parts in chip's copy of a chunk: 0 if it has none, 1 for a part or a chunk that needs no
// adding, all chips that began with one when the sum is complete.
func (s *State) Holds(chip, chunk int) int {
	n := 0
	for _, w := range s.set(chip, chunk) {
		for ; w != 0; w &= w - 1 {
			n++
		}
	}
	return n
}

// Has tells whether chip's copy of a chunk holds the part of another.
func (s *State) Has(chip, chunk, part int) bool {
	return s.set(chip, chunk)[part/64]>>(part%64)&1 == 1
}

func (s *State) set(chip, chunk int) []uint64 {
	at := (chip*s.chunks + chunk) * s.words
	return s.bits[at : at+s.words]
}

// initialState is the state before the first step.
func (s *Schedule) initialState() *State {
	state := &State{chunks: len(s.Sizes), words: (s.Nodes + 63) / 64}
	state.bits = make([]uint64, s.Nodes*state.chunks*state.words)
	for chip, chunks := range s.Begin {
		for _, c := range chunks {
			state.set(chip, c)[chip/64] |= 1 << (chip % 64)
		}
	}
	return state
}

// Play moves the chunks step by step and shows everyone the state before the first step (step 0) and after each, until
// see returns false; see may be nil. The error says which transfer could not be, or what someone lacks in the end.
func (s *Schedule) Play(see func(step int, state *State) bool) error {
	state := s.initialState()
	full := make([][]uint64, len(s.Sizes))
	for chip := range s.Begin {
		for _, c := range s.Begin[chip] {
			if full[c] == nil {
				full[c] = make([]uint64, state.words)
			}
			full[c][chip/64] |= 1 << (chip % 64)
		}
	}
	if see != nil && !see(0, state) {
		return nil
	}
	for i := range s.Steps {
		if err := state.step(&s.Steps[i]); err != nil {
			return phrase.Fault{What: phrase.New("schedule.in-step", "step", i+1, "what", err.What), Remedy: err.Remedy}
		}
		if see != nil && !see(i+1, state) {
			return nil
		}
	}
	return s.check(state, full)
}

// step sends everything from the state as it is, then lets everything arrive.
func (s *State) step(step *Step) *phrase.Fault {
	var letters []uint64
	for _, t := range step.Transfers {
		for _, c := range t.Chunks {
			if s.Holds(t.From, c) == 0 {
				return &phrase.Fault{
					What:   phrase.New("schedule.not-held", "chip", t.From, "chunk", c),
					Remedy: phrase.New("schedule.arrive-first"),
				}
			}
			letters = append(letters, s.set(t.From, c)...)
		}
	}
	for _, t := range step.Transfers {
		for _, c := range t.Chunks {
			mine := s.set(t.To, c)
			for w := range mine {
				if t.Add && mine[w]&letters[w] != 0 {
					return &phrase.Fault{
						What:   phrase.New("schedule.added-twice", "chip", t.To, "chunk", c),
						Remedy: phrase.New("schedule.add-once"),
					}
				}
				if !t.Add {
					mine[w] = 0
				}
				mine[w] |= letters[w]
			}
			letters = letters[s.words:]
		}
	}
	return nil
}

// check holds the state in the end against what everyone wants.
func (s *Schedule) check(state *State, full [][]uint64) error {
	for chip, chunks := range s.Want {
		for _, c := range chunks {
			for w, bits := range state.set(chip, c) {
				if full[c] == nil || bits != full[c][w] {
					return phrase.Fault{
						What:   phrase.New("schedule.lacking", "chip", chip, "chunk", c),
						Remedy: phrase.New("schedule.wrong"),
					}
				}
			}
		}
	}
	return nil
}

// PipelineRing is a broadcast from chip 0 around a ring in pieces that follow each other, the even ones forwards and
// the odd ones backwards, each all around to the last who lacks it: every link carries half of the array in each
// direction.
func PipelineRing(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := fromRoot(chips, bytes, pieces)
	for t := range (pieces+1)/2 + chips - 2 {
		var all []Transfer
		for hop := range chips - 1 {
			for side, dir := range [...]int{+1, -1} {
				if piece := 2*(t-hop) + side; piece >= side && piece < pieces {
					from, to := (chips+dir*hop)%chips, (chips+dir*(hop+1))%chips
					all = append(all, Transfer{From: from, To: to, Dir: dir, Chunks: []int{piece}})
				}
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Grid is chips in rows along axes, each a ring or a line. Chips are numbered with the last axis fastest.
type Grid struct {
	Sides []int
	Wrap  []bool
}

// Ring is n chips around a ring.
func Ring(n int) Grid { return Grid{Sides: []int{n}, Wrap: []bool{true}} }

// Line is n chips in a row.
func Line(n int) Grid { return Grid{Sides: []int{n}, Wrap: []bool{false}} }

// Chips is the number of chips, 0 if an axis has none or there are too many.
func (g Grid) Chips() int {
	n := 1
	for _, s := range g.Sides {
		if s < 1 || n > MaxChips {
			return 0
		}
		n *= s
	}
	return n
}

func (g Grid) check() error {
	if len(g.Wrap) != len(g.Sides) || len(g.Sides) == 0 {
		return phrase.Fault{
			What:   phrase.New("schedule.bad-grid", "n", len(g.Sides), "wraps", len(g.Wrap)),
			Remedy: phrase.New("schedule.give-grid"),
		}
	}
	return checkChips(g.Chips())
}

// stride is the distance in numbering between neighbours along an axis.
func (g Grid) stride(axis int) int {
	n := 1
	for _, s := range g.Sides[axis+1:] {
		n *= s
	}
	return n
}

// coordinate is the coordinate of a chip along an axis.
func (g Grid) coordinate(chip, axis int) int { return chip / g.stride(axis) % g.Sides[axis] }

// to is the chip with another coordinate along an axis.
func (g Grid) to(chip, axis, coordinate int) int {
	return chip + (coordinate-g.coordinate(chip, axis))*g.stride(axis)
}

// next is the neighbour of a chip along an axis, and whether there is one.
func (g Grid) next(chip, axis, dir int) (int, bool) {
	n := g.Sides[axis]
	c := g.coordinate(chip, axis) + dir
	if c < 0 || c >= n {
		if !g.Wrap[axis] {
			return 0, false
		}
		c = (c + n) % n
	}
	return g.to(chip, axis, c), true
}

// Link is one direction of one physical link: of a Grid, from a chip along an axis; of Units, out of or into a unit of
// a level.
type Link struct {
	Level int // the axis, or the level: 0 is a device's own
	At    int // the chip, or the unit
	Dir   int // +1 or -1 along the axis; +1 out of a unit, -1 into it
}

// Topology says which links a transfer occupies.
type Topology interface {
	Links(t Transfer) []Link
}

// Links of a transfer along an axis is the one link from its sender.
func (g Grid) Links(t Transfer) []Link { return []Link{{Level: t.Axis, At: t.From, Dir: t.Dir}} }

// Units is a tree of switches, from the devices up: Degrees[0] devices in a unit of the first level, and so on. One
// level is a single switch.
type Units []int

// devices is how many there are.
func (u Units) devices() int {
	n := 1
	for _, d := range u {
		n *= d
	}
	return n
}

// Links of a transfer go out of the sender's units and into the receiver's, up to the level that joins them. What goes
// to a switch that adds, or comes from it, occupies the device's own link only.
func (u Units) Links(t Transfer) []Link {
	switch n := u.devices(); {
	case t.To >= n:
		return []Link{{At: t.From, Dir: +1}}
	case t.From >= n:
		return []Link{{At: t.To, Dir: -1}}
	}
	var links []Link
	for level, size := 0, 1; t.From/size != t.To/size; level++ {
		links = append(links,
			Link{Level: level, At: t.From / size, Dir: +1}, Link{Level: level, At: t.To / size, Dir: -1})
		size *= u[level]
	}
	return links
}

// Loads are the bytes that each link carries in each step.
func (s *Schedule) Loads(w Topology) []map[Link]float64 {
	loads := make([]map[Link]float64, len(s.Steps))
	for i, step := range s.Steps {
		loads[i] = map[Link]float64{}
		for _, t := range step.Transfers {
			for _, link := range w.Links(t) {
				loads[i][link] += s.Bytes(t)
			}
		}
	}
	return loads
}

// Totals are the bytes that each link carries over all steps: what counts if small pieces keep every link busy.
func (s *Schedule) Totals(w Topology) map[Link]float64 {
	total := map[Link]float64{}
	for _, loads := range s.Loads(w) {
		for link, bytes := range loads {
			total[link] += bytes
		}
	}
	return total
}

// Busiest is the most bytes that a link of a level carries over all steps.
func (s *Schedule) Busiest(w Topology, level int) float64 {
	most := 0.0
	for link, bytes := range s.Totals(w) {
		if link.Level == level {
			most = max(most, bytes)
		}
	}
	return most
}

// InTurn is the sum over the steps of the most bytes on any link: what counts if every step waits for the one before.
func (s *Schedule) InTurn(w Topology) float64 {
	sum := 0.0
	for _, loads := range s.Loads(w) {
		most := 0.0
		for _, bytes := range loads {
			most = max(most, bytes)
		}
		sum += most
	}
	return sum
}

// Levels is an all-gather through a tree of switches, of groups of every stride-th of its first members x stride
// devices, all groups at once. It goes from the top level down: first rings between devices of the same place in
// different units, then rings inside the units. So every chunk enters every unit once.
func Levels(u Units, members, stride int, bytes float64) (*Schedule, error) {
	if members < 1 || stride < 1 || members > MaxChips/stride {
		return nil, phrase.Fault{
			What:   phrase.New("schedule.bad-groups", "n", members, "stride", stride),
			Remedy: phrase.New("schedule.take-devices", "most", MaxChips),
		}
	}
	devices := members * stride
	sizes, err := u.sizes(devices, stride)
	if err != nil {
		return nil, err
	}
	s := groups(members, stride, bytes)
	held := make([][]int, devices)
	copy(held, s.Begin)
	for level := len(u) - 1; level >= 0; level-- {
		if err := s.levelRing(sizes[level], min(sizes[level+1], devices), stride, held); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// groups is the beginning of the all-gather of several groups: each has bytes to gather.
func groups(members, stride int, bytes float64) *Schedule {
	devices := members * stride
	s := &Schedule{
		Chips: devices,
		Nodes: devices,
		Begin: make([][]int, devices),
		Want:  make([][]int, devices),
	}
	for device := range devices {
		s.Begin[device] = []int{device}
		s.Sizes = append(s.Sizes, bytes/float64(members))
		for c := device % stride; c < devices; c += stride {
			s.Want[device] = append(s.Want[device], c)
		}
	}
	return s
}

// levelRing lets the devices of the same place in the units of one larger unit tell each other what they hold, around a
// ring.
func (s *Schedule) levelRing(unit, larger, stride int, held [][]int) error {
	hop := max(unit, stride)
	around := larger / hop
	if around < 2 {
		return nil
	}
	first := make([][]int, len(held))
	copy(first, held)
	for t := 1; t < around; t++ {
		var all []Transfer
		for device := range held {
			base, place := device/larger*larger, device%larger
			to := base + (place+hop)%larger
			origin := base + ((place-(t-1)*hop)%larger+larger)%larger
			all = append(all, Transfer{From: device, To: to, Axis: -1, Chunks: first[origin]})
			held[to] = append(held[to][:len(held[to]):len(held[to])], first[origin]...)
		}
		if err := s.add(all); err != nil {
			return err
		}
	}
	return nil
}

// sizes are the devices in a unit of each level, from 1 on; units that so many devices do not fill evenly are an error.
func (u Units) sizes(devices, stride int) ([]int, error) {
	sizes := []int{1}
	for _, d := range u {
		last := sizes[len(sizes)-1]
		if d < 1 || d > 1<<20 {
			return nil, phrase.Fault{What: phrase.New("schedule.bad-level", "n", d),
				Remedy: phrase.New("schedule.at-least-one")}
		}
		next := min(last*d, devices)
		if devices%next != 0 || max(next, stride)%min(next, stride) != 0 {
			return nil, phrase.Fault{
				What:   phrase.New("schedule.uneven", "n", devices, "stride", stride, "unit", next),
				Remedy: phrase.New("schedule.dividing", "unit", next),
			}
		}
		sizes = append(sizes, next)
	}
	if last := sizes[len(sizes)-1]; last < devices {
		return nil, phrase.Fault{
			What:   phrase.New("schedule.small-tree", "n", devices, "devices", last),
			Remedy: phrase.New("schedule.take-fewer"),
		}
	}
	return sizes, nil
}
