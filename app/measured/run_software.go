package measured

import (
	"regexp"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// balanced tells whether tokens are dealt out evenly, whatever the router says: a row may say so, and NVIDIA's recipes
// for benchmarks of Megatron-Bridge do it (moe_router_force_load_balancing).
func (s Setup) balanced() bool { return s.mentions("routing", "forced balance") || s.benchmark() }

// benchmark tells whether a set-up is one of these recipes, whose names tell how many GPUs of which kind.
func (s Setup) benchmark() bool {
	return s.mentions("source", benchmarks) || benchmarkRecipe.MatchString(s.Text("recipe"))
}

// benchmarks is the page on which NVIDIA publishes what these recipes reach.
const benchmarks = "megatron-bridge docs/performance-summary"

// graphed is a version of Megatron that launches experts' kernels as graphs, as far as a row says that it does: a graph
// of a whole iteration holds all of them; one of a router leaves each expert to the host, and no graph leaves both.
// NVIDIA's recipes for benchmarks have whole ones since 2026 unless a row says otherwise.
func (s Setup) graphed(stack *training.Stack) *training.Stack {
	said := strings.ToLower(s.Text("cuda_graph"))
	plain, err := training.StackNamed(stack.Family)
	if stack.Family != "megatron" || err != nil {
		return stack
	}
	one := *stack
	router := strings.Contains(said, "moe_router")
	whole := strings.Contains(said, "full") || stack.Name == "megatron-2026" && said == "" && s.benchmark()
	if whole || router {
		one.LaunchRouted = 0
	}
	if stack.Name != "megatron-2026" || whole {
		return &one
	}
	one.LaunchExpert, one.LaunchBias, one.BiasBytes = plain.LaunchExpert, plain.LaunchBias, plain.BiasBytes
	if !router {
		one.LaunchMoE, one.LaunchRouted = plain.LaunchMoE, plain.LaunchRouted
	}
	return &one
}

var benchmarkRecipe = regexp.MustCompile(`_pretrain_\d+gpu_[a-z]+\d+_[a-z\d]+_config$`)

// stack finds the software: a stack by its name, or that version of it which people ran when the row says it ran.
func (s Setup) stack(device string) (*training.Stack, error) {
	if named, err := training.StackNamed(strings.ToLower(s.Text("stack", "software"))); err == nil {
		return named, nil
	}
	family, month := s.software(device), s.month()
	if deep := s.deepspeed(); deep != "" && (month == "" || month <= lastDeep) {
		return training.StackNamed(deep)
	}
	return training.StackAt(family, month)
}

// lastDeep is the last month of DeepSpeed's stacks: later ones are as Megatron-LM or PyTorch are.
const lastDeep = "2023-06"

// deepspeed is the stack of a row that says DeepSpeed, by what it shards; "" if it doesn't.
func (s Setup) deepspeed() string {
	said := strings.ToLower(s.Text("software", "framework"))
	zero, err := s.zero()
	switch {
	case !strings.Contains(said, "deepspeed") && !strings.Contains(said, "gpt-neox"):
		return ""
	case err == nil && zero == 3, strings.Contains(said, "zero-3"):
		return "deepspeed-zero3"
	}
	return "deepspeed"
}

// fused tells whether a row says that its attention is, whatever its software usually had.
func (s Setup) fused() bool {
	said := plainName(s.Text("software") + s.Text("attention"))
	return strings.Contains(said, "flashattention") || s.Has("flash_attention") && s.Switch(false, "flash_attention")
}

// ownKernels tells whether a row says that its attention is of kernels made for the chip, whatever its software usually
// had.
func (s Setup) ownKernels() bool {
	said := plainName(s.Text("software") + s.Text("attention"))
	return strings.Contains(said, "transformerengine") || strings.Contains(said, "cudnn") ||
		strings.Contains(said, "flashattention3")
}

// flash2 is the share of the peak that FlashAttention 2 reaches on the chip it was made for: its paper's benchmarks lie
// between 0.50 and 0.73 on A100 (arXiv:2307.08691).
const flash2 = 0.55

// withKernels is the software with the kernels of attention that a row says it had.
func (s Setup) withKernels(stack *training.Stack) *training.Stack {
	with := *stack
	if s.fused() {
		with.Flash = 1
	}
	if own, err := training.StackNamed("megatron"); err == nil && s.ownKernels() { // as fast whatever calls it
		with.OwnKernels = 1
		with.Attention = max(with.Attention, own.Attention)
	}
	const second = "flashattention2"
	if strings.Contains(plainName(s.Text("attention")), second) {
		with.Attention, with.OwnKernels = max(with.Attention, flash2), 0
	} else if strings.Contains(plainName(s.Text("software")), second) {
		with.OwnKernels = 0
	}
	return &with
}

// month is when a row ran, as 2021-04: as it says, or when its source was written; "" if neither tells.
func (s Setup) month() string {
	if said := months.FindString(s.Text("date", "software_date")); said != "" {
		return said
	}
	source := s.Text("source")
	if number := preprints.FindStringSubmatch(source); number != nil {
		return "20" + number[1] + "-" + number[2]
	}
	if release := containers.FindStringSubmatch(source); release != nil {
		return "20" + release[1] + "-" + release[2]
	}
	return months.FindString(source)
}

var (
	months     = regexp.MustCompile(`\b20\d\d-[01]\d`)
	containers = regexp.MustCompile(`\b(2\d)\.([01]\d)(?:\.\d+)? (?:NeMo )?[Cc]ontainer`)
	preprints  = regexp.MustCompile(`arXiv:(\d\d)([01]\d)\.\d{3}`)
)

// softwareWords are what users of a stack call it. The first that is said counts.
var softwareWords = []struct{ stack, words string }{
	{"nanotron", "nanotron"},
	{"xla", "maxtext pax jax levanter alpa neuron xla"},
	{"fsdp", "torchtitan fsdp llm-foundry composer internevo"},
	{"megatron", "megatron nemo mcore mbridge gpt-neox nemotron"},
	{"transformers", "transformers huggingface hugging-face trl axolotl"},
}

// saidSoftware is the stack whose users write what a set-up says of its software; "" if nobody does.
func (s Setup) saidSoftware() string {
	said := strings.ToLower(s.Text("framework", "software", "engine"))
	said = strings.ReplaceAll(said, "hugging face", "huggingface")
	for _, w := range softwareWords {
		for word := range strings.FieldsSeq(w.words) {
			if strings.Contains(said, word) {
				return w.stack
			}
		}
	}
	return ""
}

// software tells which stack ran, by what only its users write.
func (s Setup) software(device string) string {
	if said := s.saidSoftware(); said != "" {
		return said
	}
	switch {
	case strings.HasPrefix(device, "tpu.") || strings.HasPrefix(device, "npu."):
		return "xla"
	case s.Has("remat"):
		return "xla"
	case s.mentions("precision", "fp32 gradient accumulation"):
		return "nanotron"
	case s.Has("sharding", "strategy", "local_batch", "local_bs", "compile", "ac", "activation_checkpoint"):
		return "fsdp"
	case s.above("fsdp") && s.above("pp"): // Megatron's own FSDP has no stages
		return "fsdp"
	case strings.Contains(strings.ToLower(s.Text("device")), "gcp a3"):
		return "xla"
	}
	return "megatron"
}
