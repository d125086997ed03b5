package training

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed flags.tsv
var flagTable string // tool, how it writes a flag or field, the part of a plan that it gives

// Tools are the programs whose flags are known, by ID.
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

// Flags is a plan of so many sequences of so many tokens a step as a tool takes it, a flag a line. What a tool has no
// word for is left to it.
func (p Plan) Flags(tool string, batch, sequence int) (string, error) {
	flags := flagsOf(tool)
	if tool == "" || len(flags) == 0 {
		return "", fault("there is no tool ", strconv.Quote(tool), "; write one of ", strings.Join(Tools(), ", "))
	}
	p = p.filled()
	var b strings.Builder
	for _, f := range flags {
		value, wanted := p.flagValue(tool, f.part, batch, sequence)
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
	return b.String(), nil
}

// flagValue is what a part of p comes to for a tool, and whether it needs to be said.
func (p *Plan) flagValue(tool, part string, batch, sequence int) (value string, wanted bool) {
	n := func(x int, wanted bool) (string, bool) { return strconv.Itoa(x), wanted }
	replicate, shard := p.shares(tool)
	m := p.MicroBatches(batch)
	switch part {
	case "tp":
		return n(p.TP, true)
	case "pp":
		return n(p.PP, true)
	case "cp":
		return n(p.CP, p.CP > 1)
	case "ep":
		return n(p.EP, p.EP > 1)
	case "etp":
		return n(p.ETP, p.EP > 1)
	case "chunks":
		return n(p.Virtual, p.Virtual > 1)
	case "micro":
		return n(p.Micro, true)
	case "pipemicro":
		return n(p.Micro, p.PP > 1)
	case "local":
		if p.PP > 1 {
			return n(p.Micro*m, true)
		}
		return n(p.Micro, true)
	case "batch":
		return n(batch, true)
	case "sequence":
		return n(sequence, true)
	case "steps":
		return n(m, p.PP > 1)
	case "accumulation":
		return n(m, p.PP == 1 && m > 1)
	case "each":
		each := float64(batch) / float64(p.Devices())
		if p.PP == 1 {
			each /= float64(m)
		}
		return strconv.FormatFloat(each, 'g', 10, 64), true
	case "replicate":
		return n(replicate, true)
	case "shard":
		return n(shard, true)
	}
	return p.flagWord(tool, part)
}

// shares are how data parallelism is divided into ranks that hold copies and ranks that hold shards.
func (p *Plan) shares(tool string) (replicate, shard int) {
	shard = max(1, p.Shard/p.CP)
	if p.Zero == 0 {
		shard = 1
	}
	replicate = max(1, p.DP/shard)
	if tool == "maxtext" { // experts have an axis of the mesh to themselves, over which the rest is sharded
		if p.Zero > 0 {
			return replicate, max(1, shard/p.EP)
		}
		return max(1, replicate/p.EP), 1
	}
	return replicate, shard
}

// flagWord is the same of parts that are words or switches.
func (p *Plan) flagWord(tool, part string) (value string, wanted bool) {
	word := func(words ...string) string { return words[min(int(p.Recompute), len(words)-1)] }
	on := func(wanted bool) (string, bool) {
		if tool == "nemo" {
			return "true", wanted
		}
		return "", wanted
	}
	switch part {
	case "sp":
		return on(p.TP > 1)
	case "distributed":
		return on(p.Zero > 0)
	case "offload":
		return on(p.Offload)
	case "strategy":
		return [...]string{"", "", "optim_grads", "optim_grads_params"}[p.Zero], p.Zero > 1
	case "reshard":
		return [...]string{"", "never", "never", "always"}[p.Zero], p.Zero > 0
	case "granularity":
		return word("", "selective", "full"), p.Recompute > KeepAll
	case "mode":
		return word("none", "selective", "full"), true
	case "remat":
		return word("minimal", "save_out_proj", "full"), true
	case "schedule":
		return scheduleWord(p.Schedule), p.PP > 1
	}
	return "", false
}

// scheduleWord is how TorchTitan calls a schedule; those that it lacks keep their own names.
func scheduleWord(s Schedule) string {
	switch s {
	case OneFOneB:
		return "1F1B"
	case GPipe:
		return "GPipe"
	case Interleaved:
		return "Interleaved1F1B"
	case ZBV:
		return "ZBVZeroBubble"
	}
	return s.String()
}
