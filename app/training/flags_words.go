package training

import "strings"

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
		parts = append(parts, ends.endsText())
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
