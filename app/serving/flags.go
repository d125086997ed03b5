package serving

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

// flagTable is how engines are told to run a plan, a line an engine: its name, the command with gaps in braces, and
// what is added to it under a condition, the first word of a column.
//
//go:embed flags.tsv
var flagTable string

// Engines are the engines whose flags are known.
func Engines() []string {
	var all []string
	for line := range strings.Lines(flagTable) {
		name, _, _ := strings.Cut(line, "\t")
		all = append(all, name)
	}
	return all
}

// Flags is how an engine is told to run r with so many requests at once; empty for an engine that nobody knows. It asks
// for no longer sequences than the caches hold, and for no more of them than run at a time.
func (r *Replica) Flags(engine string, l Load, batch float64) string {
	_, line, _ := strings.Cut("\n"+flagTable, "\n"+engine+"\t")
	line, _, _ = strings.Cut(line, "\n")
	command, rest, _ := strings.Cut(line, "\t")
	for rest != "" {
		var option string
		option, rest, _ = strings.Cut(rest, "\t")
		if when, text, _ := strings.Cut(option, " "); r.needs(when, l) {
			command += " " + text
		}
	}
	length, told := r.Longest(l), *r
	told.Engine.Reserve = Reserves(engine)
	n := max(math.Floor(min(batch, told.Fit(l))), 1)
	for i, x := range []float64{float64(r.TP / r.WS), float64(r.DP), float64(r.PP), float64(r.EP), float64(r.TP * r.DP),
		float64(r.CP), max(float64(r.DP/r.EP), 1), length, math.Ceil(l.In), n, max(math.Floor(n/float64(r.DP)), 1),
		math.Floor(1000*n/float64(r.Chips())) / 1000, r.Chunk, r.Share, math.Ceil(r.Offload / (1 << 30)), float64(r.WS),
		float64(r.Spare), r.Shape.Experts + float64(r.Spare)} {
		command = strings.ReplaceAll(command, "{"+flagGaps[i]+"}", strconv.FormatFloat(x, 'f', -1, 64))
	}
	return command
}

// Longest is the tokens of the longest sequence of a load that the engine is told to take.
func (r *Replica) Longest(l Load) float64 { return max(math.Ceil(l.In+l.Out), r.Engine.Length) }

// flagGaps are the gaps of a command, in the order in which Flags fills them: group is the sequences of an attention
// group, each those of a chip.
var flagGaps = [...]string{"tp", "dp", "pp", "ep", "chips", "cp", "copies", "length", "prompt", "batch", "group",
	"each", "chunk", "share", "host", "ws", "spare", "slots"}

// needs tells whether a condition of the table holds.
func (r *Replica) needs(when string, l Load) bool {
	switch when {
	case "chunked": // prompts that are longer than a step may be
		return l.In > r.Chunk
	case "configured": // what only a file can say
		return r.DP > 1 || r.Precision.Cache < 2 || r.Spare > 0
	case "context":
		return r.CP > 1
	case "experts":
		return r.EP > 1
	case "groups":
		return r.DP > 1
	case "halves":
		return r.Halves && r.DP > 1
	case "spare":
		return r.Spare > 0
	case "host":
		return r.Offload > 0
	case "widths":
		return r.WS > 1
	case "narrow": // keys and values in 8 bits
		return r.Precision.Cache < 2
	}
	return r.Precision.MLP < 2 // light
}
