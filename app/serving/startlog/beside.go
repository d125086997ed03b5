package startlog

import (
	"math"

	"github.com/scalebook/scalebook/app/serving"
)

// Line is a step of a ledger, beside what the log says of it.
type Line struct {
	Name  string  // "total", "weights", "cache", "tokens" and the like
	Ours  float64 // worked out from what the log says of the steps before it, and from the rest of the ledger
	Said  float64
	Spoke bool // the log says it
	At    int  // its line
	Words string
	Off   float64 // Ours over Said, less 1; 0 where the log is silent
	Apart bool    // by more than such a figure may differ
}

// step is how a ledger tells a figure, how far it may lie off, and how it takes it over.
type step struct {
	name         string
	share, bytes float64 // that it may lie off: the larger of the two
	ours         func(*serving.Ledger) float64
	take         func(*serving.Said, *serving.Ledger, float64)
}

const gib = 1 << 30

// steps are those of a ledger, in the order in which bytes become tokens.
func steps(engine string) []step {
	all := []step{
		{"total", 0.01, 0, func(l *serving.Ledger) float64 { return l.Total },
			func(s *serving.Said, _ *serving.Ledger, x float64) { s.Total = x }},
		{"free", 0.02, 0.3 * gib, func(l *serving.Ledger) float64 { return l.Free },
			func(s *serving.Said, _ *serving.Ledger, x float64) { s.Free = x }},
	}
	weights := step{"weights", 0.03, 0.1 * gib, func(l *serving.Ledger) float64 { return l.Weights },
		func(s *serving.Said, _ *serving.Ledger, x float64) { s.Weights = x }}
	nontorch := step{"nontorch", 0.5, 0.4 * gib, func(l *serving.Ledger) float64 { return l.NonTorch },
		func(s *serving.Said, _ *serving.Ledger, x float64) { s.NonTorch = x }}
	activations := step{"activations", 0.3, 0.3 * gib, func(l *serving.Ledger) float64 { return l.Activations },
		func(s *serving.Said, _ *serving.Ledger, x float64) { s.Activations = x }}
	budget := step{"budget", 0.01, 0.05 * gib, func(l *serving.Ledger) float64 { return l.Budget },
		func(s *serving.Said, _ *serving.Ledger, x float64) { s.Budget = x }}
	switch engine {
	case "sglang":
		all = append(all, step{"before", 0.02, 0.4 * gib, func(l *serving.Ledger) float64 { return l.Free - l.NonTorch },
			func(s *serving.Said, l *serving.Ledger, x float64) { s.Free, s.NonTorch = x+l.NonTorch, l.NonTorch }},
			weights,
			step{"after", 0.02, 0.2 * gib, func(l *serving.Ledger) float64 { return l.Free - l.NonTorch - l.Weights }, nil}, budget)
	case "trtllm":
		used := func(l *serving.Ledger) float64 { return l.Total - l.Free + l.Weights + l.NonTorch + l.Activations }
		take := func(s *serving.Said, l *serving.Ledger, x float64) { s.Budget = l.Share * (l.Total - x) }
		all = append(all, weights, step{"peak", 0.05, 0.7 * gib, used, take},
			step{"open", 0.05, 0.7 * gib, func(l *serving.Ledger) float64 { return l.Total - used(l) },
				func(s *serving.Said, l *serving.Ledger, x float64) { s.Budget = l.Share * x }}, budget)
	default:
		all = append(all, budget, weights, nontorch, activations,
			step{"counted", 1, 0.6 * gib, func(l *serving.Ledger) float64 { return l.Counted },
				func(s *serving.Said, _ *serving.Ledger, x float64) { s.Counted = x }})
	}
	return append(all,
		step{"cache", 0.03, 0.1 * gib, func(l *serving.Ledger) float64 { return l.Cache },
			func(s *serving.Said, _ *serving.Ledger, x float64) { s.Cache = x }},
		step{"pertoken", 0.01, 0, func(l *serving.Ledger) float64 { return l.PerToken }, nil},
		step{"block", 0, 0, func(l *serving.Ledger) float64 { return l.Block }, nil},
		step{"blocks", 0.02, 1, func(l *serving.Ledger) float64 { return l.Blocks }, nil},
		step{"tokens", 0.02, 0, func(l *serving.Ledger) float64 { return l.Tokens }, nil},
		step{"request", 0.02, 0.1 * gib, func(l *serving.Ledger) float64 { return l.Request }, nil},
		step{"concurrency", 0.02, 0.01, func(l *serving.Ledger) float64 { return l.Concurrency }, nil},
		step{"graphs", 1, 0.6 * gib, func(l *serving.Ledger) float64 { return l.Graphs }, nil},
	)
}

// Beside puts the steps of a replica's ledger beside a log, for sequences of T tokens at the most. A step is worked out
// from what the log says of those before it: a line that differs tells of its own cause. Without a log it is the ledger.
func Beside(l *Log, r *serving.Replica, T float64) []Line {
	if l == nil {
		l = &Log{}
	}
	var said serving.Said
	var all []Line
	scale := 1.0 // the log's tokens over ours
	for _, s := range steps(r.Engine.Name) {
		account := r.Account(T, said)
		x := Line{Name: s.name, Ours: s.ours(&account)}
		if s.name == "concurrency" {
			x.Ours *= scale
		}
		if i := l.find(s.name); i >= 0 {
			f := l.Figures[i]
			x.Said, x.Spoke, x.At, x.Words = f.Value, true, f.Line, f.Words
			if f.Value != 0 {
				x.Off = x.Ours/f.Value - 1
			}
			x.Apart = math.Abs(x.Ours-f.Value) > max(s.share*math.Abs(f.Value), s.bytes)
			if s.take != nil && f.Value != 0 {
				s.take(&said, &account, f.Value)
			}
			if s.name == "tokens" && x.Ours > 0 && f.Value > 0 {
				scale = f.Value / x.Ours
			}
		} else if x.Ours == 0 {
			continue
		}
		all = append(all, x)
	}
	return all
}

// First is the place of the first line that differs; -1 if none does.
func First(lines []Line) int {
	for i := range lines {
		if lines[i].Apart {
			return i
		}
	}
	return -1
}

// Heard is how many of the lines the log says.
func Heard(lines []Line) int {
	n := 0
	for i := range lines {
		if lines[i].Spoke {
			n++
		}
	}
	return n
}
