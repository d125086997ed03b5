package training

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

//go:embed flags.tsv
var flagTable string // tool, how it writes a flag or field, the part of a plan that it gives

// Tools are the programs whose flags are written, by ID.
func Tools() []string { return []string{"megatron", "nemo", "torchtitan", "maxtext"} }

// flagOf is how a tool takes a part of a plan.
type flagOf struct{ tool, written, part string }

// name is what is left of a flag as people write it: without dashes in front and sections, and with underscores.
func (f flagOf) name() string { return flagName(f.written) }

func flagName(written string) string {
	name := strings.ReplaceAll(strings.TrimLeft(written, "-"), "-", "_")
	return strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
}

func flagsOf(tool string) []flagOf {
	var all []flagOf
	for line := range strings.Lines(flagTable) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if tool == "" || c[0] == tool {
			all = append(all, flagOf{c[0], c[1], c[2]})
		}
	}
	return all
}

// Flags is a plan of p's job as a tool takes it, a flag a line. What a tool has no flag for is said in a comment.
func (p *Pricer) Flags(plan Plan, tool string) (string, error) {
	flags := flagsOf(tool)
	if tool == "" || len(flags) == 0 {
		return "", fault("training.no-tool", "name", strconv.Quote(tool), "names", phrase.Commas(Tools()))
	}
	w := p.flagWriter(plan, tool)
	var b strings.Builder
	for _, f := range flags {
		value, wanted := w.value(f.part)
		switch {
		case !wanted:
		case value == "": // a switch
			b.WriteString(f.written + "\n")
		case tool == "megatron":
			b.WriteString(f.written + " " + value + "\n")
		default:
			b.WriteString(f.written + "=" + value + "\n")
		}
	}
	for _, part := range w.unsaid() {
		b.WriteString(phrase.New("training.flags-unsaid", "tool", tool, "part", part).String() + "\n")
	}
	return b.String(), nil
}

// flagWriter writes a plan for a tool.
type flagWriter struct {
	Plan
	pricer          *Pricer
	tool            string
	batch, sequence int
	depth           int // layers of the model
	experts         bool
	latents         bool
	stage           stage
}

func (p *Pricer) flagWriter(plan Plan, tool string) *flagWriter {
	w := &flagWriter{Plan: plan.filled(), pricer: p, tool: tool, batch: p.job.Batch, sequence: p.job.Sequence,
		depth: int(p.shape.layers), experts: p.shape.experts > 0, latents: p.shape.latents > 0}
	w.stage = split(p.shape.layers, p.logits, w.PP, w.ends(), false)
	return w
}

// value is what a part of the plan comes to, and whether it needs to be said.
func (w *flagWriter) value(part string) (value string, wanted bool) {
	n := func(x int, wanted bool) (string, bool) { return strconv.Itoa(x), wanted }
	replicate, shard := w.shares()
	m := w.MicroBatches(w.batch)
	switch part {
	case "tp":
		return n(w.TP, true)
	case "pp":
		return n(w.PP, true)
	case "cp":
		return n(w.CP, w.CP > 1)
	case "ep":
		return n(w.EP, w.EP > 1)
	case "etp":
		return n(w.ETP, w.ETP > 1 || w.experts && w.TP > 1 && w.tool != "torchtitan") // it is TP if nothing says it
	case "micro":
		return n(w.Micro, true)
	case "pipemicro":
		return n(w.Micro, w.PP > 1)
	case "local":
		if w.PP > 1 {
			return n(w.Micro*m, true)
		}
		return n(w.Micro, true)
	case "batch":
		return n(w.batch, true)
	case "sequence":
		return n(w.sequence, true)
	case "steps":
		return n(m, w.PP > 1)
	case "accumulation":
		return n(m, w.PP == 1 && m > 1)
	case "each":
		return w.each(m), true
	case "replicate":
		return n(replicate, true)
	case "shard":
		return n(shard, true)
	case "instances":
		return n(replicate, w.Zero > 0 && replicate > 1)
	}
	if value, wanted, known := w.stages(part); known {
		return value, wanted
	}
	return w.word(part)
}

// each is MaxText's batch of a device, which may be a fraction.
func (w *flagWriter) each(m int) string {
	each := float64(w.batch) / float64(w.Devices())
	if w.PP == 1 {
		each /= float64(m)
	}
	return strconv.FormatFloat(each, 'g', 10, 64)
}

// shares are how data parallelism is divided into ranks that hold copies and ranks that hold shards.
func (w *flagWriter) shares() (replicate, shard int) {
	shard = max(1, w.Shard/w.CP)
	if w.Zero == 0 || w.tool == "maxtext" && w.Zero == 1 { // there, another switch shards the optimizer
		shard = 1
	}
	replicate = max(1, w.DP/shard)
	if w.tool == "maxtext" { // experts have an axis of the mesh to themselves, over which the rest is sharded
		if w.Zero > 1 {
			return replicate, max(1, shard/w.EP)
		}
		return max(1, replicate/w.EP), 1
	}
	return replicate, shard
}

// stages are the parts that say how layers lie on a pipeline.
func (w *flagWriter) stages(part string) (value string, wanted, known bool) {
	n := func(x float64, wanted bool) (string, bool, bool) { return strconv.Itoa(int(x)), wanted, true }
	pipes, s := w.PP > 1, &w.stage
	firstLess, lastLess := w.fewer()
	uneven := pipes && (w.depth%w.PP != 0 || w.First+w.Last > 0) && w.endsSuffice()
	switch part {
	case "first":
		return n(s.first, uneven && w.PP > 2)
	case "last":
		return n(s.last, uneven)
	case "firstless":
		return n(firstLess, pipes)
	case "lastless":
		return n(lastLess, pipes)
	case "layout":
		return strconv.Quote(w.layout()), w.laid(), true
	case "chunks":
		return n(float64(w.Virtual), w.Virtual > 1 && !w.laid()) // a layout says it, too
	case "layers":
		each := w.PP * w.Virtual
		if w.tool == "maxtext" {
			return n(float64(w.depth/each), pipes && w.depth%each == 0)
		}
		return n(ceil((float64(w.depth)+firstLess+lastLess)/float64(each)), pipes && w.Virtual > 1)
	}
	return "", false, false
}

// fewer is how many layers fewer than the others the first and the last stage have. Of stages that differ by one,
// TorchTitan gives the earlier ones more.
func (w *flagWriter) fewer() (first, last float64) {
	most := max(w.stage.first, w.stage.last, w.stage.middle)
	first, last = most-w.stage.first, most-w.stage.last
	if w.stage.short > 0 {
		last = max(0, last-1)
	}
	return first, last
}

// endsSuffice tells whether the layers of the first and of the last stage say how all of them lie.
func (w *flagWriter) endsSuffice() bool {
	return w.stage.short == 0 && (w.Virtual == 1 || int(w.stage.first)%w.Virtual+int(w.stage.last)%w.Virtual+
		int(w.stage.middle)%w.Virtual == 0)
}
