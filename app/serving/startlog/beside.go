package startlog

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
)

// Line is a step of a ledger, beside what the log says of it.
type Line struct {
	Name     string  // "total", "weights", "cache", "tokens" and the like
	Ours     float64 // worked out from what the log says of the steps before it, and from the rest of the ledger
	Logged   float64
	IsLogged bool // the log says it
	At       int  // its line
	Words    string
	Off      float64 // Ours over Logged, less 1; 0 where the log is silent
	Differs  bool    // by more than such a figure may differ
	step     int
}

// Title is the step in the words of the engine’s log.
func (x *Line) Title() *phrase.Phrase { return phrase.New(steps[x.step].key) }

// step is a step of a ledger: whose logs have it, by letters of engines (see letterOf); how the log calls it, and what
// makes it differ most often, as keys of sentences; and how far it may lie off, as a share and in GiB: the larger of
// the two.
type step struct {
	name, engines, key, why string
	share, gib              float64
}

// steps are those of a ledger, in the order in which bytes become tokens.
var steps = [...]step{
	{"total", "vstgldme", "startlog.total", "startlog.why-chip", 0.02, 0},
	{"free", "vstlde", "startlog.free", "startlog.why-chip", 0.02, 0.3},
	{"before", "s", "startlog.before", "startlog.why-chip", 0.02, 0.4},
	{"budget", "v", "startlog.budget", "startlog.why-budget", 0.01, 0.05},
	{"budget", "g", "startlog.budget-tgi", "startlog.why-budget", 0.01, 0.05},
	{"budget", "m", "startlog.budget-mlc", "startlog.why-budget", 0.01, 0.05},
	{"weights", "vt", "startlog.weights", "startlog.why-weights", 0.03, 0.2},
	{"weights", "gld", "startlog.weights-file", "startlog.why-weights", 0.05, 0.2},
	{"weights", "s", "startlog.weights-sglang", "startlog.why-weights", 0.03, 0.2},
	{"weights", "m", "startlog.weights-mlc", "startlog.why-weights", 0.03, 0.05},
	{"weights", "e", "startlog.weights-exllama", "startlog.why-weights", 0.05, 0.2},
	{"host", "vst", "startlog.host", "startlog.why-host", 0.03, 0.2},
	{"host", "e", "startlog.host-exllama", "startlog.why-host", 0.05, 0.2},
	{"host", "l", "startlog.host-file", "startlog.why-host", 0.05, 0.2},
	{"after", "s", "startlog.after", "startlog.why-weights", 0.02, 0.2},
	{"peak", "t", "startlog.peak", "startlog.why-activations", 0.05, 0.7},
	{"open", "t", "startlog.open", "startlog.why-activations", 0.05, 0.7},
	{"open", "d", "startlog.open-lmdeploy", "startlog.why-lmdeploy", 0.03, 1.5},
	{"budget", "s", "startlog.budget-static", "startlog.why-budget", 0.01, 0.05},
	{"budget", "t", "startlog.budget-free", "startlog.why-budget", 0.01, 0.05},
	{"nontorch", "vg", "startlog.nontorch", "startlog.why-nontorch", 0.5, 0.4},
	{"consumed", "v", "startlog.consumed", "startlog.why-weights", 0.03, 0.3},
	{"activations", "vg", "startlog.activations", "startlog.why-activations", 0.3, 0.3},
	{"activations", "l", "startlog.compute", "startlog.why-local", 0.3, 0.3},
	{"activations", "m", "startlog.temporary", "startlog.why-activations-mlc", 1, 0.3},
	{"activations", "e", "startlog.scratch", "startlog.why-exllama", 0.3, 0.3},
	{"budget", "le", "startlog.left", "startlog.why-local", 0.05, 0.3},
	{"counted", "v", "startlog.counted", "startlog.why-graphs", 1, 0.6},
	{"cache", "v", "startlog.cache", "startlog.why-cache", 0.03, 0.1},
	{"states", "s", "startlog.states", "startlog.why-states", 0.03, 0.1},
	{"cache", "s", "startlog.cache-sglang", "startlog.why-cache", 0.03, 0.1},
	{"cache", "t", "startlog.cache-trtllm", "startlog.why-cache", 0.03, 0.1},
	{"cache", "g", "startlog.left", "startlog.why-cache", 0.03, 0.1},
	{"cache", "d", "startlog.cache-lmdeploy", "startlog.why-lmdeploy", 0.03, 0.1},
	{"cache", "m", "startlog.cache-mlc", "startlog.why-mlc", 0.03, 0.1},
	{"cache", "l", "startlog.cache-file", "startlog.why-local", 0.03, 0.02},
	{"cache", "e", "startlog.cache-exllama", "startlog.why-exllama", 0.03, 0.1},
	{"pertoken", "vstgldme", "startlog.pertoken", "startlog.why-tokens", 0.01, 0},
	{"block", "vtgde", "startlog.block", "startlog.why-tokens", 0, 0},
	{"blockbytes", "d", "startlog.blockbytes", "startlog.why-tokens", 0.02, 0},
	{"blocks", "vtge", "startlog.blocks", "startlog.why-tokens", 0.02, 0},
	{"blocks", "d", "startlog.blocks-lmdeploy", "startlog.why-lmdeploy", 0.03, 0},
	{"tokens", "vtd", "startlog.tokens", "startlog.why-tokens", 0.02, 0},
	{"tokens", "m", "startlog.tokens-mlc", "startlog.why-mlc", 0.02, 0},
	{"tokens", "e", "startlog.tokens-exllama", "startlog.why-exllama", 0.02, 0},
	{"tokens", "s", "startlog.tokens-sglang", "startlog.why-tokens", 0.02, 0},
	{"tokens", "g", "startlog.tokens-tgi", "startlog.why-tgi", 0.05, 0},
	{"tokens", "l", "startlog.tokens-file", "startlog.why-local", 0.02, 0},
	{"request", "vstgdme", "startlog.request", "startlog.why-tokens", 0.02, 0.1},
	{"concurrency", "vstgdme", "startlog.concurrency", "startlog.why-tokens", 0.02, 0},
	{"concurrency", "l", "startlog.concurrency-file", "startlog.why-local", 0.02, 0},
	{"size", "l", "startlog.size", "startlog.why-local", 0.1, 0.6},
	{"graphs", "vst", "startlog.graphs", "startlog.why-graphs", 1, 0.6},
}

const gib = 1 << 30

// ours is a step of a ledger.
func ours(l *serving.Ledger, name string) float64 {
	used := l.Total - l.Free + l.Weights + l.NonTorch + l.Activations
	before := l.Free - l.NonTorch
	figures := [...]float64{l.Total, l.Free, before, before - l.Weights, l.Budget, l.Weights, l.NonTorch, l.Activations,
		l.Counted, l.Host, used, l.Total - used, l.Cache - l.States, l.States, l.Weights + l.NonTorch,
		l.PerToken, l.Block, l.BlockBytes, l.Blocks, l.Tokens, l.Request, l.Concurrency, l.Graphs,
		l.Weights + l.Cache + l.Activations}
	return figures[slices.Index(order[:], name)]
}

// order is that of the figures of ours.
var order = [...]string{
	"total",
	"free",
	"before",
	"after",
	"budget",
	"weights",
	"nontorch",
	"activations",
	"counted",
	"host",
	"peak",
	"open",
	"cache",
	"states",
	"consumed",
	"pertoken",
	"block",
	"blockbytes",
	"blocks",
	"tokens",
	"request",
	"concurrency",
	"graphs",
	"size",
}

// take takes a figure of a log over, for the steps behind it.
func take(s *serving.Said, l *serving.Ledger, name string, x float64) {
	to := [...]*float64{&s.Total, &s.Free, &s.Free, nil, &s.Budget, &s.Weights, &s.NonTorch, &s.Activations, &s.Counted,
		&s.Host, &s.Budget, &s.Budget, &s.Cache, &s.States}
	i := slices.Index(order[:], name)
	if i >= len(to) || to[i] == nil {
		return
	}
	switch name {
	case "before":
		s.NonTorch = l.NonTorch
		x += l.NonTorch
	case "peak":
		x = l.Share * (l.Total - x)
	case "open":
		x *= l.Share
	case "cache":
		x += l.States
	}
	*to[i] = x
}

// Beside puts the steps of a replica's ledger beside a log, for sequences of T tokens at the most. A step is worked out
// from what the log says of those before it: a line that differs tells of its own cause. Without a log it is the
// ledger.
func Beside(l *Log, r *serving.Replica, T float64) []Line {
	if l == nil {
		l = &Log{}
	}
	var said serving.Said
	var all []Line
	if l.Cards > 1 {
		said.Total = l.Cards * r.Chip.Memory
	}
	scale := 1.0 // the log's tokens over ours
	each := 1.0  // our bytes of a token over the log's
	engine := letterOf(r.Engine.Name)
	for i := range steps {
		if !strings.Contains(steps[i].engines, engine) {
			continue
		}
		account := r.Account(T, said)
		x := Line{Name: steps[i].name, step: i}
		x.Ours = ours(&account, x.Name)
		switch x.Name {
		case "concurrency":
			x.Ours *= scale
		case "blocks", "tokens":
			x.Ours *= each
		}
		if i := l.find(x.Name); i >= 0 {
			f := l.Figures[i]
			x.Logged, x.IsLogged, x.At, x.Words = f.Value, true, f.Line, f.Words
			x.Differs = math.Abs(x.Ours-f.Value) > max(steps[x.step].share*math.Abs(f.Value), steps[x.step].gib*gib)
			if f.Value != 0 {
				x.Off = x.Ours/f.Value - 1
				take(&said, &account, x.Name, f.Value)
			}
			if x.Name == "pertoken" && f.Value > 0 && r.Engine.Name == "sglang" {
				each = x.Ours / f.Value
			}
			if x.Name == "tokens" && x.Ours > 0 && f.Value > 0 {
				scale = f.Value / x.Ours
			}
		} else if x.Ours == 0 || x.Name == "consumed" || x.Name == "size" { // a sum of steps that others say one by one
			continue
		}
		all = append(all, x)
	}
	return all
}

// letterOf is how the table of steps calls an engine.
func letterOf(engine string) string {
	switch engine {
	case "tgi":
		return "g"
	case "lmdeploy":
		return "d"
	case "exllama":
		return "e"
	}
	return or(engine, "vllm")[:1]
}

// First is the place of the first line that differs; -1 if none does.
func First(lines []Line) int {
	for i := range lines {
		if lines[i].Differs {
			return i
		}
	}
	return -1
}

// CountLogged is how many of the lines the log says.
func CountLogged(lines []Line) int {
	n := 0
	for i := range lines {
		if lines[i].IsLogged {
			n++
		}
	}
	return n
}
