// Package schedule plays collectives out step by step: at each step which chip sends which chunks to whom, over which
// wires, and what everyone holds afterwards. It knows nothing of the laws of package network, so that a test can hold
// the two against each other and a drawing can show what a law counts.
//
// A [Schedule] is data. Builders make one for an algorithm: [AllGather] along the axes of a [Grid] (rings both ways or
// one way, lines, several axes at once), [AllToAll] on shortest ways, [Doubling], [Direct], [Levels] through a tree of
// switches, [Binomial] and [Pipeline] for a broadcast, [InSwitch] for a reduction in the network. [Reverse] of an
// all-gather is a reduce-scatter; [Schedule.Then] puts two together, as an all-reduce is made.
//
//	gather, err := schedule.AllGather(schedule.Ring(8), 1e6, schedule.BothWays)
//	err = gather.Play(func(step int, s *schedule.State) bool { ...draw...; return true })
//
// Play moves the chunks as the steps say, refuses to send what a chip does not hold or to add what has been added
// already, and at the end checks that everyone holds what the collective promises. Loads says what each wire carried.
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

// begin is the state before the first step.
func (s *Schedule) begin() *State {
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
	state := s.begin()
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
			for way, dir := range [...]int{+1, -1} {
				if piece := 2*(t-hop) + way; piece >= way && piece < pieces {
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
