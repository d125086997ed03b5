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
func (p *Estimator) Flags(plan Plan, tool string) (string, error) {
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
	estimator       *Estimator
	tool            string
	batch, sequence int
	depth           int // layers of the model
	experts         bool
	latents         bool
	stage           stage
}

func (p *Estimator) flagWriter(plan Plan, tool string) *flagWriter {
	w := &flagWriter{Plan: plan.filled(), estimator: p, tool: tool, batch: p.job.Batch, sequence: p.job.Sequence,
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

// uneven tells whether stages, or their chunks, have different numbers of layers.
func (w *flagWriter) uneven() bool {
	return w.PP > 1 && (w.depth%(w.PP*w.Virtual) != 0 || w.First+w.Last > 0)
}

// laid tells whether Megatron-LM takes the plan's stages by a layout alone: its other flags want stages of one size
// between the ends, and chunks of one size.
func (w *flagWriter) laid() bool { return w.tool == "megatron" && w.uneven() && !w.endsSuffice() }

// layout is the stages as Megatron-LM's flag of that name has them: E is the input's table, t a layer, L the logits;
// chunks stand one after another.
func (w *flagWriter) layout() string { return strings.Join(w.chunks(), "") }

// chunks are the chunks of all stages, the first of each before the second. Where a stage's layers don't divide, the
// chunks beside the tables have one less.
func (w *flagWriter) chunks() []string {
	var all []string
	for k := range w.Virtual {
		for i, layers := range w.estimator.StageLayers(w.Plan) {
			n, more := layers/w.Virtual, layers%w.Virtual
			if k < more && i > 0 || k >= w.Virtual-more && i == 0 {
				n++
			}
			all = append(all, strings.Repeat("t", n)+"|")
		}
	}
	last := len(all) - 1
	all[0], all[last] = "E"+all[0], strings.TrimSuffix(all[last], "|")+"L"
	return all
}

// word is a part of the plan that is a word or a switch, and whether it needs to be said.
func (w *flagWriter) word(part string) (value string, wanted bool) {
	policy := func(words ...string) string { return words[min(w.Recompute.level(), len(words)-1)] }
	on := func(wanted bool) (string, bool) {
		if w.tool == "nemo" || w.tool == "maxtext" {
			return "true", wanted
		}
		return "", wanted
	}
	switch part {
	case "sp":
		return on(w.TP > 1)
	case "distributed":
		return on(w.Zero > 0 && (w.tool != "maxtext" || w.Zero == 1))
	case "fsdp":
		if w.tool == "nemo" {
			return "megatron", w.Zero > 1
		}
		return on(w.Zero > 1)
	case "unfused":
		return on(w.Zero > 1)
	case "checkpoint":
		return "fsdp_dtensor", w.Zero > 1
	case "strategy":
		return [...]string{"", "", "optim_grads", "optim_grads_params"}[w.Zero], w.Zero > 1
	case "offload", "aware":
		return on(w.Offload)
	case "reshard":
		return [...]string{"", "never", "never", "always"}[w.Zero], w.Zero > 0
	case "granularity":
		return policy("", "selective", "full"), w.Recompute.level() > 1 || w.modules() != ""
	case "modules":
		return w.modules(), w.modules() != ""
	case "method":
		return "uniform", w.Recompute >= RecomputeBlock
	case "unit":
		return "1", w.Recompute >= RecomputeBlock
	case "mode":
		return policy("none", "selective", "full"), true
	case "remat":
		return policy("none", "minimal", "full", "custom"), true
	case "inputs":
		return "offload", w.Recompute == RecomputeOffload
	case "context":
		name, known := contextWord(w.tool, w.Context)
		return name, w.CP > 1 && known
	case "schedule":
		name, known := titanSchedule(w.Schedule)
		return name, w.PP > 1 && known
	}
	return "", false
}

// modules are those that a plan computes again as Megatron-LM calls them, which knows activation functions of experts
// only.
func (w *flagWriter) modules() string {
	set := w.Recompute
	switch {
	case set >= RecomputeBlock:
		return ""
	case set.has(RecomputeSome):
		set |= usual(w.latents)
	}
	if !w.experts {
		set &^= RecomputeActivations
	}
	var names []string
	for _, n := range recomputeNames {
		if n.flag != "" && set.has(n.policy) {
			names = append(names, n.flag)
		}
	}
	return strings.Join(names, " ")
}

// unsaid are the parts of the plan that its tool has no flag for.
func (w *flagWriter) unsaid() []string {
	var parts []string
	_, titan := titanSchedule(w.Schedule)
	if usual := w.Schedule == OneFOneB || w.Schedule == Interleaved; !usual && (w.tool != "torchtitan" || !titan) {
		parts = append(parts, "schedule="+w.Schedule.String())
	}
	if _, known := contextWord(w.tool, w.Context); !known {
		parts = append(parts, "context="+w.Context.String())
	}
	chosen := w.Recompute.level() == 1 && !w.Recompute.has(RecomputeSome)
	switch {
	case w.Recompute == RecomputeOffload && w.tool != "maxtext", chosen && w.tool != "megatron":
		parts = append(parts, "recompute="+w.Recompute.String())
	case chosen && w.Recompute.has(RecomputeActivations) && !w.Recompute.has(RecomputeMLP) && !w.experts:
		parts = append(parts, "recompute="+RecomputeActivations.String())
	}
	if w.Zero == 2 && w.tool == "maxtext" {
		parts = append(parts, "zero=2")
	}
	if w.uneven() && (w.tool == "maxtext" || w.tool == "nemo" && !w.endsSuffice()) {
		ends := Plan{First: int(w.stage.first), Last: int(w.stage.last)}
		parts = append(parts, "first="+strconv.Itoa(ends.First)+" last="+strconv.Itoa(ends.Last))
	}
	return parts
}

// titanSchedule is how TorchTitan calls a schedule.
func titanSchedule(s Schedule) (name string, known bool) {
	switch s {
	case OneFOneB:
		return "1F1B", true
	case GPipe:
		return "GPipe", true
	case Interleaved:
		return "Interleaved1F1B", true
	case ZBV:
		return "ZBVZeroBubble", true
	}
	return "", false
}

// contextWords are the words of tools for the ways of context parallelism, "" where a tool can't. No word has two
// meanings.
var contextWords = [...]struct {
	tool  string
	words [contexts]string
}{
	{"megatron", [contexts]string{"p2p", "all_gather", "a2a"}},
	{"nemo", [contexts]string{"p2p", "all_gather", "a2a"}},
	{"torchtitan", [contexts]string{"alltoall", "allgather", ""}}, // its all-to-all passes keys and values around
	{"maxtext", [contexts]string{"ring", "all_gather", "ulysses"}},
}

// contextWord is how a tool calls a way of context parallelism.
func contextWord(tool string, x Context) (name string, known bool) {
	for _, t := range &contextWords {
		if t.tool == tool {
			return t.words[x], t.words[x] != ""
		}
	}
	return "", false
}

// contextMeant is the way that some tool calls so.
func contextMeant(word string) (x Context, known bool) {
	for _, t := range &contextWords {
		if x, known := named[Context](t.words[:], word); known {
			return x, true
		}
	}
	return 0, false
}
