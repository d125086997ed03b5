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
