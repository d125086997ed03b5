package training

import (
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// state takes a value of a part that is no whole number.
func (r *flagReader) state(part, written, value string) error {
	word := strings.ToLower(value)
	if r.elsewhere(part, written, value, word) {
		return nil
	}
	if word, keep := r.meant(part, written, value, word); keep {
		r.words[part] = word
	}
	return nil
}

// elsewhere takes what says something of other parts than its own, and tells whether it is one of those.
func (r *flagReader) elsewhere(part, written, value, word string) bool {
	switch part {
	case "targets", "saved":
		r.targets(part, written, value)
	case "file":
		r.file(written, value, word)
	case "lightning":
		r.lightning(written, value)
	case "plugin":
		r.plugin(written, value, word)
	case "plugins":
		r.plugins(word)
	case "mp": // of Levanter: p=f32,c=bfloat16
		if strings.Contains(word, "p=bf") || !strings.Contains(word, "p=") && strings.HasPrefix(word, "bf") {
			r.words["weights"] = "bf16"
		}
	case "dpname": // of OLMo-core
		if strings.HasPrefix(word, "dataparalleltype.") || strings.Contains(written, "dp_config") {
			r.fsdp(word)
		}
	case "oldmethod": // of Megatron-LM, before it said how much is computed again
		if on(word) {
			r.words["granularity"], r.words["method"] = "full", word
		}
	case "tpmode": // of nanotron
		if word == "all_reduce" {
			r.words["sp"] = "false"
		}
	case "stage": // of LLaMA-Factory; the others hold a second model
		if word != "sft" && word != "pt" {
			r.without(written, value)
		}
	case "component": // torchtune's function that makes the model
		if strings.Contains(word, "qlora") {
			r.words["adapter"] = "qlora"
		} else if strings.Contains(word, "lora") {
			r.words["adapter"] = "lora"
		}
	default:
		return false
	}
	return true
}

// file takes the name of a file of accelerate or FSDP, which isn't here.
func (r *flagReader) file(written, value, word string) {
	switch plain := strings.ReplaceAll(word, "_", ""); {
	case !on(word):
	case strings.Contains(plain, "fsdp"):
		r.fsdp("full_shard")
		r.words["stageof"] = spell.Clip(value, mostOpen)
	case strings.Contains(plain, "zero") && strings.ContainsAny(plain, "123"): // of DeepSpeed, by accelerate
		r.deepspeedFile(written, value)
	default:
		r.unread(written, value)
	}
}

// plugin takes one of Colossal-AI.
func (r *flagReader) plugin(written, value, word string) {
	for i, name := range [...]string{"", "", "zero2", "gemini"} {
		if i > 0 && name != "" && strings.HasPrefix(word, name) {
			r.numbers["zero"] = i
		}
	}
	if word == "zero2_cpu" {
		r.words["offload.optimizer"] = "cpu"
	} else if !listed("zero2|gemini|gemini_auto|3d|ddp|torch_ddp", word) && !strings.Contains(word, "plugin") {
		r.without(written, value)
	}
}

// meant is the word that is kept of a part, and whether one is.
func (r *flagReader) meant(part, written, value, word string) (_ string, keep bool) {
	switch part {
	case "fsdpmode":
		if _, said := r.numbers["zero"]; said && word == "true" { // another setting says how
			word = "auto_wrap"
		}
		r.fsdp(word)
	case "dsfile":
		r.deepspeedFile(written, value)
	case "optimizer":
		return word, r.optimizer(written, value, word)
	case "attention":
		if r.of("neox") { // lists in lists: kinds, and of how many layers
			word = r.words[part] + " " + word
		}
	case "msamp":
		if len(word) != 2 || word < "o1" || word > "o3" {
			r.without(written, value)
			return word, false
		}
	case "estimator": // of advantages: this one trains a critic, too
		if word == "gae" {
			r.without(written, value)
		}
	case "quantization", "fp8", "float8", "precision", "fp4":
		return word, r.format(written, value, word)
	case "chunked":
		if !strings.Contains(word, "chunked") && strings.Contains(word, ".") { // another loss, by its name
			return word, false
		}
	case "offload.optimizer", "offload.weights", "offload.activations", "offload.all":
		if !on(word) || word == "cpuoffload" { // PyTorch's class, whose argument says it
			return word, false
		}
		if word == "nvme" || word == "disk" {
			r.without(written, value)
		}
	case "checkpointing":
		return r.checkpointing(part, written, word)
	case "dispatcher", "capacity", "maskcapacity":
		_, known := dispatcherMeant(word)
		if part != "dispatcher" {
			_, known = capacitySaid(word)
		}
		if !known && on(word) && word[0] != '-' { // below 0 there is no limit
			r.without(written, value)
			return word, false
		}
	case "flash":
		if _, before := r.words["flash"]; before && !on(word) { // one of several kinds
			return word, false
		}
	}
	return word, true
}

// optimizer tells whether a word names one.
func (r *flagReader) optimizer(written, value, word string) bool {
	if _, known := OptimizerNamed(word); known {
		return true
	}
	// A class, whose arguments say it, or a variable.
	if !strings.HasSuffix(word, "config") && !strings.HasSuffix(word, "args") && !listed("opt|optimizer", word) {
		r.without(written, value)
	}
	return false
}

// format tells whether a word says in which format something is stored or multiplied; one that nobody knows is named.
func (r *flagReader) format(written, value, word string) bool {
	if strings.HasSuffix(word, "mixedprecision") || word == "mixedprecisionpolicy" {
		return false // PyTorch's class, whose arguments say it
	}
	if on(word) && !strings.HasPrefix(word, "bf16_with_") &&
		!strings.Contains("fp8 int8 fp4 nvfp4 bf16 fp16 32 fp32 16 bf16-mixed 16-mixed bf16-true 16-true "+
			"32-true hybrid e4m3 e4m3fn true bfloat16 float16 float32 no fp8_hybrid fp8-hybrid bf16_mixed "+
			"bf16_with_fp8_mixed tensorwise delayed blockwise mxfp8 te_fp8_delayedscaling fp8_full fp8_gpu fp8_nanoo "+
			"nanoo_fp8 e2m1 amp_bf16 amp_fp16 amp_fp8 quantize.linear.float8 float8", word) {
		r.without(written, value)
	}
	return true
}

// checkpointing is the word that is kept of checkpointing activations, and whether one is.
func (r *flagReader) checkpointing(part, written, word string) (_ string, keep bool) {
	name := settingName(written)
	if name = name[strings.LastIndexByte(name, '.')+1:]; on(word) {
		r.words["checkpointed"] = name
	} else if word = ""; r.words[part] != "" && r.words["checkpointed"] != name {
		return word, false // FSDP's way is off, and another on
	}
	if word == "unsloth" { // it leaves tables as they are loaded
		r.words["table"] = "2"
	}
	if word == "offload" || word == "unsloth" || word == "offload_disk" || strings.Contains(word, "offload") {
		r.words["offload.activations"] = "true"
	}
	return word, true
}
