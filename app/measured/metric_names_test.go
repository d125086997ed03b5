package measured

import "testing"

// Metrics under the names that people give them are predicted under those names, and are what the usual name means.
func TestMetricNames(t *testing.T) {
	for _, c := range []struct{ row, usual string }{
		{`{"kind":"local_decode","setup":{"model":"Llama-3.1-8B","quant_type":"Q4_K_M","device":"RTX 4090",` +
			`"engine":"ollama"},"measured":{"tok/s":1,"t/s":1,"tg_tok_s":1,"tokens/s":1,` +
			`"eval rate":1,"tokens_per_second":1}}`, "tokens_per_s"},
		{`{"kind":"local_decode","setup":{"model":"Llama-3.1-8B","quant_type":"Q4_K_M.gguf","device":"RTX 4090","engine":` +
			`"llama.cpp"},"measured":{"tg128":1,"tg128 t/s":1}}`, "tg128_tokens_per_s"},
		{`{"kind":"local_decode","setup":{"model":"Llama-3.1-8B","quant_type":"Q4_K_M","device":"Strix Halo","engine":` +
			`"llama.cpp"},"measured":{"tg128 @ d4096":1}}`, "tg128_at_d4096_tokens_per_s"},
		{`{"kind":"quantised_size","setup":{"model":"meta-llama/Llama-3.1-8B","quant_type":"Q4_K_M","format":"GGUF"},` +
			`"measured":{"size_on_disk_GB":1,"disk_GB":1,"gguf_size_GB":1}}`, "file_size_GB"},
		{`{"kind":"quantised_size","setup":{"model":"phi-4","quant_type":"Q8_0","format":"GGUF"},"measured":{"bpw":1,` +
			`"bits_per_param":1}}`, "bits_per_weight"},
		{`{"kind":"nccl_tests","setup":{"op":"all_reduce_perf","device":"H100","n_devices":8,"payload_bytes":"8G"},` +
			`"measured":{"busbw_GB/s":1,"bus_bandwidth_GBps":1,"bus bw GB_s":1,"busbw":1}}`, "busbw_GBps"},
		{`{"kind":"nccl_tests","setup":{"op":"allreduce","device":"GB200 NVL72","n_devices":144,"n_nodes":36,` +
			`"payload_bytes":"8G"},"measured":{"latency_us":1}}`, "time_us"},
	} {
		r, err := ReadRow([]byte(c.row))
		if err != nil {
			t.Fatal(err)
		}
		p := One(r)
		usual := r
		usual.Asked = Names{c.usual}
		want := One(usual).Metrics[c.usual]
		for _, name := range r.Asked {
			if got := p.Metrics[name]; got != want || want.Mid <= 0 {
				t.Errorf("%s: %q is %+v, want %+v (%s)", c.row, name, got, want, p.Skipped)
			}
		}
	}
	text, err := Metrics{"tok/s": {1, 2, 3}, "by_bytes/8": {1, 2, 3}}.MarshalJSON()
	if want := `{"by_bytes":{"8":{"low":1,"mid":2,"high":3}},"tok/s":{"low":1,"mid":2,"high":3}}`; err != nil ||
		string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// Models, cards and shares as people write them in rows of starts.
func TestStartsAsWritten(t *testing.T) {
	for _, c := range []struct {
		model, device string
		weights       float64 // GiB
	}{
		{"zai-org/GLM-4.5-Air", "H200", 0}, {"CohereForAI/c4ai-command-r-plus", "H100", 0},
		{"nvidia/Llama-3.1-Nemotron-70B-Instruct-HF", "B200", 131.4},
		{"ibm-granite/granite-3.3-8b-instruct", "A10G", 0}, {"01-ai/Yi-1.5-34B-Chat", "RTX 6000 Ada", 64.06},
		{"ByteDance-Seed/Seed-OSS-36B-Instruct", "H800", 0}, {"HuggingFaceTB/SmolLM3-3B", "RTX 3080 Ti", 5.73},
		{"microsoft/phi-4", "RTX 6000 Ada 48GB", 27.3}, {"THUDM/glm-4-9b-chat", "RTX A5000", 0},
		{"tencent/Hunyuan-A13B-Instruct", "H20", 0},
	} {
		row := Row{Kind: "kv_capacity", Setup: Setup{"model": c.model, "device": c.device, "n_devices": 1.0,
			"engine": "vLLM 0.11.0", "gpu_memory_utilization": "90%", "max_model_len": "8k"}}
		p := One(row)
		got := p.Metrics["model_weights_GiB"].Mid
		if p.Skipped != "" || got <= 0 || c.weights > 0 && (got/c.weights > 1.02 || got/c.weights < 0.98) {
			t.Errorf("%s on %s: %v GiB, want %v (%s)", c.model, c.device, got, c.weights, p.Skipped)
		}
		row.Setup["gpu_memory_utilization"] = 0.9
		if same := One(row).Metrics["kv_cache_tokens"]; same != p.Metrics["kv_cache_tokens"] {
			t.Errorf("%s: 90%% is %+v, 0.9 is %+v", c.model, p.Metrics["kv_cache_tokens"], same)
		}
	}
}

// Names as publishers and people write them, with dates of releases and blanks; a relative of another size is none.
func TestModelsAsWritten(t *testing.T) {
	for name, want := range map[string]string{
		"Llama 3.1 8B": "llama3.8b", "qwen3 8b": "qwen3.8b", "Qwen/Qwen2.5-72B-Instruct": "qwen2_5.72b",
		"Qwen3-235B-A22B-Thinking-2507": "qwen3.235b_a22b", "deepseek-ai/DeepSeek-V3-0324": "deepseek.v3",
		"mistralai/Mistral-Small-3.2-24B-Instruct-2506": "mistral.small_24b", "kimi k2": "kimi.k2",
		"gpt-oss 20b": "gpt_oss.20b", "microsoft/phi-4": "phi4.14b", "Qwen/QwQ-32B": "qwen2_5.32b",
	} {
		if m, found := Model(name); !found || m.ID != want {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if m, found := Model("GLM-4.5-Air"); !found || m.ID != "" || m.Name != "GLM-4.5-Air" || m.Layers != 46 {
		t.Errorf("%+v", m)
	}
	for _, name := range []string{"llama 99b", "Qwen2.5-99B", "Llama-3.1-8B-4x", "nobody"} {
		if m, found := Model(name); found {
			t.Errorf("%s is %s", name, m.Name)
		}
	}
}

// A row's model is a name within its text, but a later version is another model: its number goes on in digits. Of what
// follows after a space or a dash, such as the number of parameters, that isn't said.
func TestLaterVersionsAreOtherModels(t *testing.T) {
	for _, name := range []string{"GLM-5.3-Flash", "stepfun-ai/Step-3.5-Flash", "DeepSeek-V2.7", "Qwen3.9-99B"} {
		if m, err := modelNamed(name); err == nil {
			t.Errorf("%s is taken for %s", name, m.Name)
		}
	}
	for name, want := range map[string]string{"MiniMax-M2.1 4bit": "minimax.m2_5",
		"a file of Llama-3.1-8B-Q4_K_M.gguf": "llama3.8b",
		"zai-org/GLM-5.1-FP8":                "glm5.744b_a40b", "DeepSeek-V2.5": "deepseek.v2"} {
		if m, err := modelNamed(name); err != nil || m.ID != want {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}
