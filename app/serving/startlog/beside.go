package startlog

import (
	_ "embed"
	"math"
	"strconv"
	"strings"

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

// stepTable is the steps of a ledger, in the order in which bytes become tokens: the name, whose logs have it (the first
// letters of engines), and how far it may lie off, as a share and in GiB: the larger of the two.
//
//go:embed steps.tsv
var stepTable string

const gib = 1 << 30

// ours is a step of a ledger.
func ours(l *serving.Ledger, name string) float64 {
	used := l.Total - l.Free + l.Weights + l.NonTorch + l.Activations
	switch name {
	case "total":
		return l.Total
	case "free":
		return l.Free
	case "before":
		return l.Free - l.NonTorch
	case "after":
		return l.Free - l.NonTorch - l.Weights
	case "budget":
		return l.Budget
	case "weights":
		return l.Weights
	case "nontorch":
		return l.NonTorch
	case "activations":
		return l.Activations
	case "counted":
		return l.Counted
	case "peak":
		return used
	case "open":
		return l.Total - used
	case "cache":
		return l.Cache
	case "pertoken":
		return l.PerToken
	case "block":
		return l.Block
	case "blocks":
		return l.Blocks
	case "tokens":
		return l.Tokens
	case "request":
		return l.Request
	case "concurrency":
		return l.Concurrency
	}
	return l.Graphs
}

// take takes a figure of a log over, for the steps behind it.
func take(s *serving.Said, l *serving.Ledger, name string, x float64) {
	switch name {
	case "total":
		s.Total = x
	case "free":
		s.Free = x
	case "before":
		s.Free, s.NonTorch = x+l.NonTorch, l.NonTorch
	case "budget":
		s.Budget = x
	case "weights":
		s.Weights = x
	case "nontorch":
		s.NonTorch = x
	case "activations":
		s.Activations = x
	case "counted":
		s.Counted = x
	case "peak":
		s.Budget = l.Share * (l.Total - x)
	case "open":
		s.Budget = l.Share * x
	case "cache":
		s.Cache = x
	}
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
	engine := or(r.Engine.Name, "vllm")[:1]
	for line := range strings.Lines(stepTable) {
		c := strings.Split(line, "\t")
		if !strings.Contains(c[1], engine) {
			continue
		}
		share, _ := strconv.ParseFloat(c[2], 64)
		most, _ := strconv.ParseFloat(strings.TrimSpace(c[3]), 64)
		account := r.Account(T, said)
		x := Line{Name: c[0], Ours: ours(&account, c[0])}
		if x.Name == "concurrency" {
			x.Ours *= scale
		}
		if i := l.find(x.Name); i >= 0 {
			f := l.Figures[i]
			x.Said, x.Spoke, x.At, x.Words = f.Value, true, f.Line, f.Words
			x.Apart = math.Abs(x.Ours-f.Value) > max(share*math.Abs(f.Value), most*gib)
			if f.Value != 0 {
				x.Off = x.Ours/f.Value - 1
				take(&said, &account, x.Name, f.Value)
			}
			if x.Name == "tokens" && x.Ours > 0 && f.Value > 0 {
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
