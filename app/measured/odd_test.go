package measured

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/measured/summary"
)

// Words that nobody knows are named, with what is taken instead; those that are known are not.
func TestOddWordsAreNamed(t *testing.T) {
	const served = `"inference","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"tp":1,"isl":1024,` +
		`"osl":128,"concurrency":8,%s}`
	const trained = `"training","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":8,"gbs":8,"seq_len":4096,` +
		`"precision":"bf16",%s}`
	const tuned = `"finetuning","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"method":"lora",` +
		`"seq_len":1024,"mbs":1,%s}`
	for _, c := range []struct{ form, says, note string }{
		{served, `"engine":"vlmm"`, `"vlmm" is no engine`},
		{served, `"engine":"vllm 0.10.2"`, ""},
		{served, `"engine":"TensorRT-LLM"`, ""},
		{served, `"engine":"vllm","kv_cache_dtype":"foo"`, `"foo" is no format of a cache that is known: 16 bits`},
		{served, `"engine":"vllm","precision":"fp8","kv_cache_dtype":"fp6"`, `"fp6" is no format`},
		{served, `"engine":"vllm","kv_cache_dtype":"auto"`, ""},
		{served, `"engine":"vllm","kv_cache_dtype":"fp8_e4m3"`, ""},
		{served, `"engine":"vllm","mode":"agglomerated"`, `mode is "agglomerated"`},
		{served, `"engine":"vllm","mode":"agg"`, ""},
		{served, `"engine":"vllm","moon":3`, "moon: nothing here depends on that"},
		{trained, `"mbs":1,"grad_acc":3`, "replicas with 3 micro-batches of 1 sequences are 12, not the " +
			"batch of 8: 8 are priced"},
		{trained, `"mbs":1,"grad_acc":1`, ""},
		{trained, `"framework":"bar"`, "not read: software bar, constants of megatron are taken"},
		{trained, `"framework":"NeMo 2.0"`, ""},
		{trained, `"software":"megatron-2021"`, ""},
		{trained, `"software":"DeepSpeed 0.6"`, ""},
		{trained, `"moon":3`, "not read: moon"},
		{tuned, `"moon":3`, "moon: nothing here depends on that"},
		{`"nccl_tests","setup":{"device":"H100","n_devices":8,"op":"all-reduce","payload_bytes":65536,%s}`, `"moon":3`,
			"moon: nothing here depends on that"},
	} {
		row, err := ReadRow(fmt.Appendf(nil, `{"id":"x","kind":`+c.form+`}`, c.says))
		if err != nil {
			t.Fatal(err)
		}
		p := One(row)
		said := strings.Join(p.Notes, "; ")
		if p.Skipped != "" || (c.note == "") != (said == "") || !strings.Contains(said, c.note) {
			t.Errorf("%s: skipped %q, notes %q, want %q", c.says, p.Skipped, said, c.note)
		}
	}
}

// Devices are counted by their plain name, too, and none is refused by it.
func TestDevicesByTheirPlainName(t *testing.T) {
	for count, want := range map[string]string{"-1": "n_devices is -1", "0": "n_devices is 0", "64": ""} {
		row, err := ReadRow([]byte(`{"id":"x","kind":"training","setup":{"model":"llama-3.1-8b","device":"H100",` +
			`"gbs":64,"seq_len":4096,"devices":` + count + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if p := One(row); !strings.HasPrefix(p.Skipped, want) || (want == "") != (p.Skipped == "") {
			t.Errorf("%s: %q, want %q", count, p.Skipped, want)
		}
	}
}

// The command prints every table: each family with the sign of its error, where predictions miss once, and each of the
// other tools.
func TestErrorsPrintEveryTable(t *testing.T) {
	var tables, breaks, training, serving strings.Builder
	families := summary.Families("")
	if err := writeFamilies(&tables, families); err != nil {
		t.Fatal(err)
	}
	writeBreaks(&breaks, families)
	if err := writeRivals(&training); err != nil {
		t.Fatal(err)
	}
	if err := writeServingRivals(&serving); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(tables.String(), "\n")
	if !strings.Contains(lines[0], "bias") || len(lines) != len(families)+2 {
		t.Fatalf("%d lines of %d families, below %q", len(lines), len(families), lines[0])
	}
	for i, f := range families {
		for _, want := range []string{f.Name, f.Quantity, f.Part, fmt.Sprintf(" %+.1f %% ", 100*f.Bias)} {
			if !strings.Contains(lines[i+1], want) {
				t.Errorf("%q lacks %q", lines[i+1], want)
			}
		}
	}
	for line := range strings.Lines(breaks.String()) {
		if n := strings.Count(breaks.String(), line); n != 1 {
			t.Errorf("%d times %q", n, line)
		}
	}
	for _, r := range summary.Rivals() {
		if !strings.Contains(training.String(), r.Name) {
			t.Errorf("%s is not printed", r.Name)
		}
	}
	for _, r := range summary.ServingRivals() {
		if !strings.Contains(serving.String(), r.Name+"; "+r.Where) {
			t.Errorf("%s is not printed", r.Name)
		}
	}
}

// Rows are read whatever the case of their texts and however the words of their names are joined, and 8k is 8192.
func TestRowsInOtherSpellings(t *testing.T) {
	for _, c := range []struct{ row, other string }{
		{`"kind":"training","setup":{"model":"Llama 3.1 8B","device":"H100","n_devices":8,"gbs":64,"seq_len":8192}`,
			`"kind":"training","setup":{"model":"LLAMA 3.1 8B","device":"h100","nDevices":8,"gbs":64,"seqLen":"8k"}`},
		{`"kind":"training","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":8,"gbs":8,"seq_len":4096,
			"precision":"bf16, fp32 gradient accumulation"}`,
			`"kind":"training","setup":{"model":"llama-3.1-8b","device":"H100","n-devices":8,"gbs":8,"seq-len":"4K",
			"precision":"BF16, FP32 gradient accumulation"}`},
		{`"kind":"inference","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"tp":1,"isl":1024,"osl":8192,
			"concurrency":8,"engine":"vllm"}`,
			`"kind":"inference","setup":{"model":"llama-3.1-8b","device":"H100","nDevices":1,"TP":1,"isl":"1k","osl":"8K",
			"concurrency":8,"engine":"VLLM"}`},
		{`"kind":"inference","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"tp":1,"isl":10000,"osl":100,
			"concurrency":8,"engine":"vllm"}`,
			`"kind":"inference","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"tp":1,"isl":"10k","osl":100,
			"concurrency":8,"engine":"vllm"}`},
		{`"kind":"inference","setup":{"model":"openai/gpt-oss-120b","device":"H100","n_devices":2,"tp":2,"isl":1024,
			"osl":128,"concurrency":8,"engine":"vllm"}`,
			`"kind":"inference","setup":{"model":"gpt oss 120b","device":"NVIDIA H100 80GB HBM3","n_devices":"2 GPUs",
			"tp":"2","isl":"1 024 tokens","osl":"2^7","concurrency":"8 requests","engine":"vLLM"}`},
		{`"kind":"kv_capacity","setup":{"model":"Llama-3.1-8B","device":"80 GB GPU (79.22 GiB)","n_devices":1,
			"engine":"vllm 0.10.2","precision":"bf16","max_model_len":131072}`,
			`"kind":"kv_capacity","setup":{"model":"Llama-3.1-8B","device":"80 gb gpu (79.22 gib)","n_devices":1,
			"engine":"vLLM 0.10.2","precision":"BF16","max-model-len":"128k"}`},
	} {
		var read [2]Prediction
		for i, text := range []string{c.row, c.other} {
			row, err := ReadRow([]byte(`{"id":"x",` + text + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if read[i] = One(row); read[i].Skipped != "" || len(read[i].Metrics) == 0 {
				t.Fatalf("%s: skipped: %s", text, read[i].Skipped)
			}
		}
		if !reflect.DeepEqual(read[0], read[1]) {
			t.Errorf("%s\n%+v\nin another spelling\n%+v", c.row, read[0], read[1])
		}
	}
}

// Weights of which a row says nothing are taken as they are published.
func TestPublishedWeights(t *testing.T) {
	for _, c := range []struct {
		model, device string
		n             int
		fits          string
	}{
		{"Kimi K2.5", "H200", 8, "yes"}, // int4: 0.6 of 1.2 TB
		{"moonshotai/Kimi-K2.5", "H200", 8, "yes"},
		{"DeepSeek R1", "H200", 8, "yes"},                  // fp8
		{"DeepSeek R1 in bf16", "H200", 8, "no"},           // 1.3 TB
		{"Qwen3 235B A22B", "H100", 4, "no"},               // bf16: 470 of 340 GB
		{"gpt-oss-120b", "H100", 1, "yes"},                 // mxfp4
		{"gpt_oss_120b", "H100", 1, "yes"},                 // the same
		{"Ministral 3 14B Instruct", "RTX 4090", 1, "yes"}, // fp8: 14 of 24 GB
		{"Ministral 3 14B Base", "RTX 4090", 1, "no"},      // bf16: 28 GB
	} {
		row := Row{ID: "x", Kind: "inference", Setup: Setup{"model": c.model, "device": c.device,
			"n_devices": float64(c.n), "tp": float64(c.n), "isl": 1024.0, "osl": 128.0, "concurrency": 1.0,
			"engine": "vllm"}}
		if p := One(row); p.Skipped != "" || p.Fits != c.fits {
			t.Errorf("%s on %d %s: %q %s, want %q", c.model, c.n, c.device, p.Fits, p.Skipped, c.fits)
		}
	}
}
