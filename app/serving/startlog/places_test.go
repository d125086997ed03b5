package startlog

import "testing"

// Where people's texts have the name of a model: behind the arguments of a pod whose command stands apart, at the place
// that KServe loads from, in the lines with which llama.cpp opens a file, and in a remark beside a log.
func TestPlacesOfNames(t *testing.T) {
	for text, want := range map[string]string{
		"command: [\"vllm\", \"serve\"]\nargs:\n  - RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic\n" +
			"  - --tensor-parallel-size=2\n": "llama3.70b",
		"image: vllm/vllm-openai:v0.11.0\nargs:\n  - Qwen/Qwen3-32B\n  - --max-model-len=8192\n": "qwen3.32b",
		"args:\n  - --model_name=llama3\n  - --backend=vllm\n  - --max_model_len=16384\n" +
			"storageUri: hf://meta-llama/Llama-3.1-8B-Instruct\n": "llama3.8b",
		"main: loading model\nsrv    load_model: loading model '/models/Qwen3-30B-A3B-Q4_K_M.gguf'\n" +
			"llama_context: n_ctx         = 32768\n": "qwen3.30b_a3b",
		"llama_model_loader: loaded meta data with 40 key-value pairs from /m/Qwen3-8B-Q8_0.gguf (version GGUF V3)\n" +
			"llama_model_loader: 399 tensors from /m/Qwen3-8B-Q8_0.gguf (version GGUF V3)\n" +
			"llama_context: n_ctx         = 4096\n": "qwen3.8b",
		"msg=\"starting llama server\" cmd=\"ollama runner --model /m/blobs/sha256-afa0 --ctx-size 2048\"\n" +
			"# ollama run gemma3:27b\n": "gemma3.27b",
		"INFO Loading model weights took 14.99 GB\n": "",
	} {
		if l, err := Read(text); err != nil || l.Known != want {
			t.Errorf("%q: %+v, %v; want %q", text, l, err, want)
		}
	}
}
