package measured

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A row in the words of another tool is the row that says the same in those of the table.
func TestOtherNamesOfParts(t *testing.T) {
	for _, c := range [][2]string{
		{`"training","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":8,"seq_len":8192,"gbs":128,` +
			`"mbs":1,"tp":2,"zero":1}`,
			`"training","setup":{"model_name":"meta-llama/Llama-3.1-8B","accelerator":"NVIDIA H100 80GB HBM3","num_gpus":8,` +
				`"seq_length":8192,"global_batch_size":128,"micro_batch_size":1,"tensor_model_parallel_size":2,"zero_stage":1}`},
		{`"training","setup":{"layers":24,"d_model":2048,"n_heads":16,"d_ff":8192,"vocab":50304,"device":"A100",` +
			`"n_devices":8,"seq_len":2048,"gbs":512,"mbs":8,"pp":2}`,
			`"training","setup":{"num_layers":24,"hidden_size":2048,"num_attention_heads":16,"ffn_hidden_size":8192,` +
				`"vocab_size":50304,"gpu_type":"A100","world_size":8,"encoder_seq_length":2048,"train_batch_size":512,` +
				`"per_device_train_batch_size":8,"pipeline-parallel-size":2}`},
		{`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","isl":512,"osl":128,` +
			`"concurrency":8,"tp":1}`,
			`"inference","setup":{"model_id":"meta-llama/Llama-3.1-8B","device":"H100","inference_engine":"vLLM","ISL":512,` +
				`"OSL":128,"max_concurrency":8,"tensor_parallel_size":1}`},
		{`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","isl":512,"osl":128,` +
			`"load":"offline","tp":1}`,
			`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","random_input_len":512,` +
				`"random_output_len":128,"request_rate":"inf","tp_size":1}`},
		{`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","isl":512,"osl":128,` +
			`"request_per_s":2,"tp":1}`,
			`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","prompt_len":512,"output_length":128,` +
				`"qps":2,"tp":1}`},
		{`"finetuning","setup":{"model":"Llama-2-7B","device":"A100 80GB","method":"lora","lora_rank":8,"seq_len":1024,` +
			`"mbs":2,"grad_accum":4,"n_devices":1}`,
			`"finetuning","setup":{"model":"Llama-2-7B","device":"A100 80GB","method":"lora","r":8,"max_seq_length":1024,` +
				`"per_device_train_batch_size":2,"gradient_accumulation_steps":4,"num_gpus":1}`},
	} {
		var got [2]string
		for i, text := range c {
			row, err := ReadRow([]byte(`{"id":"x","kind":` + text + `}`))
			if err != nil {
				t.Fatal(err)
			}
			p := One(row)
			if p.Skipped != "" || len(p.Metrics) == 0 {
				t.Errorf("%s: %s", text, p.Skipped)
			}
			b, err := json.Marshal(p)
			if got[i] = string(b); err != nil {
				t.Fatal(err)
			}
		}
		if got[0] != got[1] {
			t.Errorf("%s gives\n%.600s\nand %s\n%.600s", c[0], got[0], c[1], got[1])
		}
	}
}

// Weights in integers of 4 bits, and those that a model is published with, are told by its name.
func TestWeightsByName(t *testing.T) {
	for name, bytes := range map[string]float64{"Qwen/Qwen2.5-32B-Instruct-AWQ": 0.52,
		"org/Llama-3.1-8B-GPTQ-Int4": 0.52, "RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16": 0.52,
		"Meta-Llama-3.1-70B-Instruct-FP8": 1,
		"Llama-3.1-8B":                    2, "deepseek-ai/DeepSeek-R1": 1, "moonshotai/Kimi-K2-Instruct": 1, "openai/gpt-oss-120b": 2} {
		text := fmt.Sprintf(`{"id":"x","kind":"inference","setup":{"model":%q,"device":"H200","engine":"vllm","isl":512,`+
			`"osl":128,"concurrency":8,"tp":8}}`, name)
		row, err := ReadRow([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		s, err := readServing(row.Setup)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := s.shape.MLP; got < bytes*0.98 || got > bytes*1.02 {
			t.Errorf("%s: %v bytes of an element, want %v", name, got, bytes)
		}
	}
}

// A share is at most 1, or percents; what is a little above 1 is refused.
func TestShare(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 0.9: 0.9, 1: 1, 2: 0.02, 90: 0.9, 100: 1} {
		if got, err := (Setup{"gpu_memory_utilization": x}).Share(0, "gpu_memory_utilization"); err != nil ||
			got != want {
			t.Errorf("%v: %v, %v; want %v", x, got, err, want)
		}
	}
	for _, x := range []float64{-0.1, 1.01, 1.9, 101} {
		if got, err := (Setup{"gpu_memory_utilization": x}).Share(0, "gpu_memory_utilization"); err == nil {
			t.Errorf("%v is taken as %v", x, got)
		}
	}
}

// Set-ups in the words of people are those in the words of rows.
func TestSpellings(t *testing.T) {
	for _, c := range []struct{ kind, theirs, ours string }{
		{"training", `"model": "llama-3-8b", "gpu": "H100", "num_gpus": 16, "tensor_parallel_size": 2,
			"sequence_length": 4096, "global_batch_size": 64, "micro_batch_size": 1`,
			`"model": "llama-3-8b", "device": "H100", "n_devices": 16, "tp": 2, "seq_len": 4096, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-70b", "device": "8xH100", "tp": 8, "gbs": 64, "mbs": 1`,
			`"model": "llama-3-70b", "device": "H100", "n_devices": 8, "tp": 8, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-70b", "device": "H100 SXM × 16", "tp": 8, "gbs": 64, "mbs": 1`,
			`"model": "llama-3-70b", "device": "H100 SXM", "n_devices": 16, "tp": 8, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-8b", "device": "A100", "tp": 2, "dp": 4, "pp": 2, "gbs": 64, "mbs": 1`,
			`"model": "llama-3-8b", "device": "A100", "n_devices": 16, "tp": 2, "dp": 4, "pp": 2, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-8b", "device": "H200", "n_devices": 8, "gbs": 64, "mbs": 1, "zero_stage": 3,
			"gradient_checkpointing": true`,
			`"model": "llama-3-8b", "device": "H200", "n_devices": 8, "gbs": 64, "mbs": 1, "zero": 3, "recompute": true`},
		{"memory", `"model": "llama-3-8b", "device": "H100", "world_size": 8, "activation_checkpointing": "selective",
			"per_device_train_batch_size": 2, "gradient_accumulation_steps": 4, "seq_length": 2048`,
			`"model": "llama-3-8b", "device": "H100", "n_devices": 8, "recompute": "selective", "mbs": 2, "grad_accum": 4,
			"seq_len": 2048`},
		{"finetuning", `"model": "llama-3-70b", "device": "8 x H100", "method": "qlora", "seq_len": 4096,
			"mbs": 1, "lora_r": 16`,
			`"model": "llama-3-70b", "device": "H100", "n_devices": 8, "method": "qlora", "seq_len": 4096,
			"mbs": 1, "lora_rank": 16`},
		{"finetuning", `"model": "phi-2", "device": "T4", "method": "lora", "seq_length": 512, "micro_batch_size": 4`,
			`"model": "phi-2", "device": "Tesla T4", "n_devices": 1, "method": "lora", "seq_len": 512, "mbs": 4`},
		{"nccl_tests", `"device": "H100", "num_gpus": 8, "collective": "all_reduce", "bytes": 65536`,
			`"device": "H100", "n_devices": 8, "op": "all-reduce", "payload_bytes": 65536`},
		{"inference", `"model": "llama-3-70b", "gpu": "H100", "num_gpus": 4, "tensor_parallel_size": 4, "input_len": 1024,
			"output_len": 256, "concurrency": 32`,
			`"model": "llama-3-70b", "device": "H100", "n_devices": 4, "tp": 4, "isl": 1024, "osl": 256, "concurrency": 32`},
	} {
		var texts [2]string
		for i, setup := range []string{c.theirs, c.ours} {
			row, err := ReadRow([]byte(`{"id": "x", "kind": "` + c.kind + `", "setup": {` + setup + `}}`))
			if err != nil {
				t.Fatal(err)
			}
			p := One(row)
			if p.Skipped != "" {
				t.Errorf("%s: %s", setup, p.Skipped)
			}
			text, _ := json.Marshal(p)
			texts[i] = string(text)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s\nis %s\nnot %s", c.theirs, texts[0], texts[1])
		}
	}
}

// What a row says under its own name is not overruled, and cards without links of their own stand in one machine.
func TestSpellingsKeepWhatIsSaid(t *testing.T) {
	row, err := ReadRow([]byte(`{"kind": "training", "setup": {"device": "8xH100", "n_devices": 16, "tp": 2,
		"tensor_parallel": 4, "gbs": 32, "global_batch_size": 64}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"n_devices": 16, "tp": 2, "gbs": 32} {
		if got := row.Setup[name]; got != want {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	for device, most := range map[string]float64{"RTX 4090": 32, "RTX 5090": 64, "L40S": 32} {
		row := Row{Kind: "nccl_tests", Asked: Names{"busbw_GBps"}, Setup: Setup{"device": device, "n_devices": 2.0,
			"op": "all-reduce"}}
		if x := One(row).Metrics["busbw_GBps"]; !(x.Mid > 1 && x.Mid <= most) {
			t.Errorf("two %s have a bus bandwidth of %v GB/s, above their links", device, x.Mid)
		}
	}
	row = Row{Kind: "training", Setup: Setup{"model": "llama3.8b", "device": "H100", "n_devices": 8.0, "tp": 0.0}}
	if p := One(row); p.Skipped == "" {
		t.Error("tp 0 is taken for 1")
	}
}
