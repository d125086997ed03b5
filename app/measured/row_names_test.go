package measured

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A row in the words of another tool is the row that says the same in those of the table.
func TestOtherNamesOfParts(t *testing.T) {
	for _, c := range [][2]string{
		{`"training","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":8,"seq_len":8192,"gbs":128,"mbs":1,"tp":2,"zero":1}`,
			`"training","setup":{"model_name":"meta-llama/Llama-3.1-8B","accelerator":"NVIDIA H100 80GB HBM3","num_gpus":8,` +
				`"seq_length":8192,"global_batch_size":128,"micro_batch_size":1,"tensor_model_parallel_size":2,"zero_stage":1}`},
		{`"training","setup":{"layers":24,"d_model":2048,"n_heads":16,"d_ff":8192,"vocab":50304,"device":"A100","n_devices":8,` +
			`"seq_len":2048,"gbs":512,"mbs":8,"pp":2}`,
			`"training","setup":{"num_layers":24,"hidden_size":2048,"num_attention_heads":16,"ffn_hidden_size":8192,` +
				`"vocab_size":50304,"gpu_type":"A100","world_size":8,"encoder_seq_length":2048,"train_batch_size":512,` +
				`"per_device_train_batch_size":8,"pipeline-parallel-size":2}`},
		{`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","isl":512,"osl":128,"concurrency":8,"tp":1}`,
			`"inference","setup":{"model_id":"meta-llama/Llama-3.1-8B","device":"H100","inference_engine":"vLLM","ISL":512,` +
				`"OSL":128,"max_concurrency":8,"tensor_parallel_size":1}`},
		{`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","isl":512,"osl":128,"load":"offline","tp":1}`,
			`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","random_input_len":512,` +
				`"random_output_len":128,"request_rate":"inf","tp_size":1}`},
		{`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","isl":512,"osl":128,"request_per_s":2,"tp":1}`,
			`"inference","setup":{"model":"llama-3.1-8b","device":"H100","engine":"vllm","prompt_len":512,"output_length":128,` +
				`"qps":2,"tp":1}`},
		{`"finetuning","setup":{"model":"Llama-2-7B","device":"A100 80GB","method":"lora","lora_rank":8,"seq_len":1024,"mbs":2,` +
			`"grad_accum":4,"n_devices":1}`,
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
	for name, bytes := range map[string]float64{"Qwen/Qwen2.5-32B-Instruct-AWQ": 0.52, "org/Llama-3.1-8B-GPTQ-Int4": 0.52,
		"RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16": 0.52, "Meta-Llama-3.1-70B-Instruct-FP8": 1,
		"Llama-3.1-8B": 2, "deepseek-ai/DeepSeek-R1": 1, "moonshotai/Kimi-K2-Instruct": 1, "openai/gpt-oss-120b": 2} {
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
		if got, err := (Setup{"gpu_memory_utilization": x}).Share(0, "gpu_memory_utilization"); err != nil || got != want {
			t.Errorf("%v: %v, %v; want %v", x, got, err, want)
		}
	}
	for _, x := range []float64{-0.1, 1.01, 1.9, 101} {
		if got, err := (Setup{"gpu_memory_utilization": x}).Share(0, "gpu_memory_utilization"); err == nil {
			t.Errorf("%v is taken as %v", x, got)
		}
	}
}
