package serving

import (
	"math"
	"strconv"
	"strings"
)

// Engines are the engines whose flags are known.
func Engines() []string { return []string{"vllm", "sglang", "trtllm", "maxtext"} }

// Flags is how an engine is told to run r with so many requests at once; empty for an engine that nobody knows. It asks for
// no longer sequences and no more of them than the caches hold, so that what is printed starts.
func (r *Replica) Flags(engine string, l Load, batch float64) string {
	length := math.Ceil(l.In + l.Out)
	most := math.Floor(r.Memory(length).Sequences)
	f := flags{r: r, length: int(length), prompt: int(math.Ceil(l.In)), batch: int(max(min(batch, most), 1))}
	switch engine {
	case "vllm":
		return f.vllm()
	case "sglang":
		return f.sglang()
	case "trtllm":
		return f.tensorRT()
	case "maxtext":
		return f.maxText()
	}
	return ""
}

// flags is a command under way.
type flags struct {
	r                     *Replica
	length, prompt, batch int // tokens of a sequence and of its prompt; sequences at once
	text                  strings.Builder
}

// add writes a flag with its number.
func (f *flags) add(name string, n int) { f.text.WriteString(name + strconv.Itoa(n)) }

// when writes a text if it is wanted.
func (f *flags) when(want bool, text string) {
	if want {
		f.text.WriteString(text)
	}
}

// group is the sequences of an attention group.
func (f *flags) group() int { return max(f.batch/f.r.DP, 1) }

// share writes how much of the memory the engine takes.
func (f *flags) share(name string) {
	f.text.WriteString(name + strconv.FormatFloat(f.r.Share, 'g', 3, 64))
}

func (f *flags) vllm() string {
	r := f.r
	f.add("vllm serve MODEL --tensor-parallel-size ", r.TP)
	f.add(" --data-parallel-size ", r.DP)
	f.add(" --pipeline-parallel-size ", r.PP)
	f.add(" --max-model-len ", f.length)
	f.add(" --max-num-seqs ", f.group())
	f.add(" --max-num-batched-tokens ", int(r.Chunk))
	f.share(" --gpu-memory-utilization ")
	f.when(r.EP > 1, " --enable-expert-parallel")
	f.when(r.narrowCache(), " --kv-cache-dtype fp8")
	return f.text.String()
}

func (f *flags) sglang() string {
	r := f.r
	f.add("python -m sglang.launch_server --model-path MODEL --tp-size ", r.TP*r.DP)
	f.add(" --dp-size ", r.DP)
	f.add(" --ep-size ", r.EP)
	f.add(" --pp-size ", r.PP)
	f.add(" --context-length ", f.length)
	f.add(" --max-running-requests ", f.batch)
	f.add(" --chunked-prefill-size ", int(r.Chunk))
	f.share(" --mem-fraction-static ")
	f.when(r.DP > 1, " --enable-dp-attention")
	f.when(r.narrowCache(), " --kv-cache-dtype fp8_e4m3")
	return f.text.String()
}

func (f *flags) tensorRT() string {
	r := f.r
	f.add("trtllm-serve MODEL --tp_size ", r.TP*r.DP)
	f.add(" --ep_size ", r.EP)
	f.add(" --pp_size ", r.PP)
	f.add(" --max_seq_len ", f.length)
	f.add(" --max_batch_size ", f.group())
	f.add(" --max_num_tokens ", int(r.Chunk))
	f.share(" --kv_cache_free_gpu_memory_fraction ")
	f.when(r.DP > 1, " --config config.yml # enable_attention_dp: true")
	return f.text.String()
}

// maxText counts sequences by chip.
func (f *flags) maxText() string {
	r := f.r
	f.add("python -m MaxText.maxengine_server MaxText/configs/base.yml model_name=MODEL ici_tensor_parallelism=", r.TP)
	f.add(" ici_expert_parallelism=", r.EP)
	f.add(" ici_autoregressive_parallelism=", max(r.DP/r.EP, 1))
	f.add(" ici_pipeline_parallelism=", r.PP)
	f.add(" max_prefill_predict_length=", f.prompt)
	f.add(" max_target_length=", f.length)
	each := math.Floor(1000*float64(f.batch)/float64(r.Chips())) / 1000
	f.text.WriteString(" per_device_batch_size=" + strconv.FormatFloat(each, 'g', -1, 64))
	f.when(r.narrowCache(), " quantize_kvcache=True kv_quant_dtype=int8")
	f.when(r.Precision.MLP < 2, " quantization=int8")
	return f.text.String()
}

// narrowCache tells whether keys and values are stored in 8 bits.
func (r *Replica) narrowCache() bool { return r.Precision.Cache < 2 }
