package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
)

// DeepSeek-V3 in 8 bits, counted by its config.json: of 61 layers attention has 187.1 M weights each; three dense MLPs,
// shared experts and routers have 3,850 M, 256 routed experts of 58 layers 653.9 G; either table 926.7 M in 16 bits.
func TestWeightsOfGroups(t *testing.T) {
	const (
		attention, mlps, experts, table = 61 * 187.1e6, 3.850e9, 653.9e9, 2 * 926.7e6
		joins                           = 2 * 2 * 7168 * 7168
		launch                          = "python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 "
		serve                           = "vllm serve deepseek-ai/DeepSeek-V3 "
		speculative                     = `--speculative-config '{"method":"mtp","num_speculative_tokens":1}'`
	)
	// SGLang's replicas share no expert
	shared := attention/8 + 61*7168*(1536+576)*7./8 // by eight, but for what makes latents
	for command, want := range map[string]float64{
		launch + "--tp 16 --dp 16 --enable-dp-attention": attention + (mlps+experts+table)/16 + table,
		launch + "--tp 16 --dp 16 --enable-dp-attention --speculative-algorithm EAGLE": attention*62/61 +
			(mlps+experts+table)/16 + mlps/61 + experts/61/16 + table + joins,
		launch + "--tp 8":                                        shared + (mlps+experts+2*table)/8,
		launch + "--tp 8 --dp 2":                                 shared + (mlps+experts+2*table)/8,
		serve + "-tp 8 -dp 2":                                    shared + mlps/8 + experts/16 + table/4,
		serve + "-dp 16 --enable-expert-parallel":                attention + mlps + experts/16 + 2*table,
		serve + "-dp 16 --enable-expert-parallel " + speculative: (attention+mlps+experts/16)*62/61 + 2*table + joins,
	} {
		l, err := Read(command)
		if err != nil {
			t.Fatal(command, err)
		}
		l.Chip = "gpu.h200"
		r, length := of(t, l, 1, 2)
		if l.Draft {
			r.Shape = r.Shape.Drafted()
		}
		if got := r.Ledger(length).Weights; math.Abs(got/want-1) > 0.002 {
			t.Errorf("%s: %.2f GiB on a chip, want %.2f", command, got/gib, want/gib)
		}
	}
}

// SGLang and TensorRT-LLM start with a cache that the longest request does not fit in, and serve shorter ones.
func TestShorterThanTheLongest(t *testing.T) {
	for command, want := range map[string]string{
		"python -m sglang.launch_server --model-path Qwen/Qwen3-8B --context-length 4m": "startlog.starts",
		"trtllm-serve Qwen/Qwen3-8B --max_seq_len 4000000":                              "startlog.starts",
		"vllm serve Qwen/Qwen3-8B --max-model-len 4m":                                   "startlog.too-long",
	} {
		l, err := Read(command)
		if err != nil {
			t.Fatal(command, err)
		}
		l.Chip = "gpu.h100"
		r, length := of(t, l, 2, 2)
		x := r.Ledger(length)
		if said, is := Verdict(l, Beside(l, r, length), &x, r).(*phrase.Phrase); !is || said.Key != want {
			t.Errorf("%s: %v, want %s", command, said, want)
		}
	}
}

// llama.cpp takes the cells that are asked for. Without 6.87 GiB of layers, 2.32 of tables and 0.30 of a buffer 69.21
// of 78.70 GiB are left, which would hold 61.5 times 8,192 cells of 144 KiB. Slots share them.
func TestCellsOfLlamaCpp(t *testing.T) {
	for command, want := range map[string][]string{
		"llama-server -m Qwen3-8B-Q8_0.gguf -c 8192":       {"8,192 tokens of cache; ", " 61.5"},
		"llama-server -m Qwen3-8B-Q8_0.gguf -c 8192 -np 4": {"Its 4 slots have 2,048 tokens each"},
	} {
		l, err := Read(command)
		if err != nil {
			t.Fatal(command, err)
		}
		l.Chip = "gpu.h100"
		r, length := of(t, l, 8.5/8, 2)
		x := r.Ledger(length)
		lines := Beside(l, r, length)
		said := phrase.Phrases{}.Text(Verdict(l, lines, &x, r))
		for _, w := range want {
			if !strings.Contains(said, w) {
				t.Errorf("%s: %s, without %q", command, said, w)
			}
		}
		for _, line := range lines {
			if line.Name == "concurrency" && !strings.Contains(line.Title().Error(), "memory left") {
				t.Errorf("%s: %v is called %v", command, line.Ours, line.Title())
			}
		}
	}
}

// A line of llama.cpp's that looks like two of the table counts once, and Ollama's logs say how its cache is stored.
func TestEachLineOnce(t *testing.T) {
	l, err := Read("llm_load_tensors: offloaded 33/33 layers to GPU\nllm_load_tensors:        CUDA0 model buffer " +
		"size =  4403.50 MiB\nllm_load_tensors:        CUDA1 model buffer size =  1000.00 MiB\n" +
		"llm_load_tensors:   CPU_Mapped model buffer size =   281.81 MiB\n")
	if err != nil || math.Abs(l.Figure("weights")*1024/gib-4403.5-1000-281.81) > 0.01 {
		t.Errorf("%+v, %v", l, err)
	}
	for text, want := range map[string]float64{
		`msg="starting llama server" cmd="ollama runner --kv-cache-type q8_0 --parallel 1"`: 34. / 32,
		`msg="server config" env="map[OLLAMA_KV_CACHE_TYPE:q4_0 OLLAMA_NUM_PARALLEL:1]"`:    18. / 32,
		`msg=load request="{Operation:fit KvSize:4096 KvCacheType:q8_0 NumThreads:16`:       34. / 32,
		`msg=load request="{Operation:fit KvSize:4096 KvCacheType: NumThreads:16`:           0,
	} {
		if l, err := Read("ollama serve\n" + text + "\n"); err != nil || l.Element != want {
			t.Errorf("%s: %v bytes an element, %v", text, l.Element, err)
		}
	}
}

// A share of more than the whole is not understood, and percents are.
func TestSharesOfMemory(t *testing.T) {
	for flag, want := range map[string]float64{"0.85": 0.85, "90": 0.9, "95%": 0.95, "1": 1, "1.9": 0, "120": 0} {
		l, err := Read("vllm serve Qwen/Qwen3-8B --gpu-memory-utilization " + flag)
		if err != nil || l.Share != want || len(l.Unread) > 0 != (want == 0) {
			t.Errorf("%s: %v, not understood: %v; %v", flag, l.Share, l.Unread, err)
		}
	}
}
