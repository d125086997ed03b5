package measured

import (
	"strings"

	"github.com/scalebook/scalebook/app/measured/summary"
)

// runKindHalf is how the summary calls kinds of published runs that lie off for a reason that pages name.
const runKindHalf = "kinds of runs"

// gatheredMemory is how far the memory of trainers on PyTorch's FSDP lies off, in the runs gathered last and since. No
// constant is fitted to them; what their code keeps was read with all of them in view.
func gatheredMemory() summary.Family {
	fsdp := func(t *Trial) bool { return t.Run.Job.Stack.Family == "fsdp" }
	return CheckErrors("PyTorch FSDP, gathered last", "all", append(Trials(Latest()), sinceTrials()...), true, fsdp)
}

// missedKinds are kinds of published runs whose predictions lie off alike, all rows of each, and beside the narrow
// matmuls those that are not. A page says what is known of the reason; how far they lie off is computed here.
func missedKinds(runs, latest []Trial) []summary.Family {
	const shardedBy = 8 // tensor parallelism of BigScience's largest shapes
	wide := func(width float64, is bool) func(*Trial) bool {
		return func(t *Trial) bool {
			return From("bloom-prequel")(t) && t.Run.Plan.TP == shardedBy && (t.Setup["d_model"] == width) == is
		}
	}
	since2026 := func(model string) func(*Trial) bool {
		return func(t *Trial) bool {
			return t.Run.Job.Stack.Name == "megatron-2026" && t.Setup.mentions("model", model)
		}
	}
	zero3 := func(t *Trial) bool {
		return t.Run.Job.Stack.Name == "deepspeed-zero3" && strings.HasPrefix(t.Setup.month(), "2021")
	}
	kempner := func(experts bool) func(*Trial) bool {
		return func(t *Trial) bool { return From("kempner")(t) && t.Setup.above("n_experts") == experts }
	}
	var all []summary.Family
	for _, kind := range []struct {
		name   string
		runs   []Trial
		wanted func(*Trial) bool
	}{
		{"BigScience, 8-way tensor parallelism, width 14400", runs, wide(14400, true)},
		{"BigScience, 8-way tensor parallelism, other widths", runs, wide(14400, false)},
		{"DeepSpeed ZeRO-3 of 2021", runs, zero3},
		{"DeepSeek, Megatron since 2026", runs, since2026("deepseek")},
		{"Qwen, Megatron since 2026", runs, since2026("qwen")},
		{"GPT-OSS, Megatron since 2026", runs, since2026("gpt")},
		{"Nemotron, Megatron since 2026", runs, since2026("nemotron")},
		{"Moonlight, one microbatch a step", runs, From("mbridge-moonlight-8h100")},
		{"NVIDIA’s archive of benchmarks, gathered last", latest, From("mbridge")},
		{"OpenEuroLLM, gathered last", latest, From("oellm")},
		{"PRIME-RL, gathered last", latest, From("prime-rl")},
		{"KempnerForge, dense models", latest, kempner(false)},
		{"KempnerForge, experts", latest, kempner(true)},
	} {
		f := CheckErrors(kind.name, "all", kind.runs, false, kind.wanted)
		f.Half = runKindHalf
		all = append(all, f)
	}
	return all
}
