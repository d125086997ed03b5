package measured

import (
	"encoding/json"
	"maps"
	"math"
	"strings"
	"testing"
)

// Predictions of rows that nothing was fitted to.
func TestMachineErrors(t *testing.T) {
	sizes := map[string]float64{"Files of GGUF": 0.95, "Files of other formats, and what programs keep": 0.85}
	limits := map[string]struct {
		rows   int
		median float64
	}{
		"Files of GGUF|size|all":                                        {40, 0.002},
		"Files of other formats, and what programs keep|size|all":       {15, 0.02},
		"One user, cards|tokens a second|kept aside":                    {150, 0.1},
		"One user, Apple’s computers|tokens a second|kept aside":        {40, 0.18},
		"One user, cards|prompt tokens a second|kept aside":             {100, 0.3},
		"One user, Apple’s computers|prompt tokens a second|kept aside": {40, 0.2},
		"NCCL’s tests, largest arrays|bus bandwidth|kept aside":         {25, 0.08},
		"NCCL’s tests, all sizes|bus bandwidth|kept aside":              {140, 0.15},
	}
	for _, f := range machineFamilies(readingsHeld()) {
		name := f.Name + "|" + f.Quantity + "|" + f.Part
		limit, is := limits[name]
		if !is {
			continue
		}
		delete(limits, name)
		if f.Coverage < sizes[f.Name] {
			t.Errorf("%s: %.2f are inside", name, f.Coverage)
		}
		if f.Rows < limit.rows || f.Median > limit.median {
			t.Errorf("%s: %d rows, median %.3f; limits %+v", name, f.Rows, f.Median, limit)
		}
	}
	for name := range limits {
		t.Errorf("no family %s", name)
	}
}

// What people call formats.
func TestFormatNames(t *testing.T) {
	for _, c := range []struct{ text, engine, id string }{
		{"Q4_K_M", "llama.cpp", "q4_k_m"}, {"llama3:8b-instruct-q5_K_M", "llama.cpp", "q5_k_m"},
		{"F16", "llama.cpp", "f16"}, {"qwen3moe 30B.A3B Q8_0", "llama.cpp", "q8_0"},
		{"gpt-oss 120B MXFP4 MoE", "llama.cpp", "mxfp4_moe"}, {"IQ3_XXS", "", "iq3_xxs"},
		{"MLX q4 g32", "", "mlx_4_32"}, {"Meta-Llama-3.1-8B-Instruct-4bit", "mlx", "mlx_4"},
		{"gpt-oss-20b-mxfp4-q8", "mlx", "mlx_mxfp4"}, {"MLX 6-bit", "mlx", "mlx_6"},
		{"MLX Nemotron-3-Nano-MLX-8Bit", "mlx",
			"mlx_8"}, {"GPTQ 4-bit g128", "exllama", "gptq"}, {"GPTQ 8bit", "vllm", "gptq_8"}, {"gptq-4bit-32g", "vllm",
			"gptq_32"},
		{"EXL2 3.0 bpw", "exllama", "exl2"}, {"3.5bpw", "exllama", "exl2"}, {"AWQ", "vllm", "awq"}, {"FP16", "mlc",
			"weights16"},
		{"FP8 block-scaled 128x128", "", "fp8_block"}, {"FP8", "", "fp8"}, {"NVFP4 W4A4 (modelopt)", "", "nvfp4"},
		{"INT8 W8A8", "", "int8"}, {"INT4 W4A16", "", "w4a16"}, {"FP4 experts / FP8 rest", "", "mxfp4_fp8"},
		{"bf16", "mlx", "weights16"}, {"4-bit", "llama.cpp", "q4_k_m"}, {"4-bit", "exllama", "gptq"},
		{"nf4", "", "nf4"},
	} {
		if f, err := formatNamed(c.text, c.engine); err != nil || f.ID != c.id {
			t.Errorf("%q with %q is %q, %v; want %s", c.text, c.engine, f.ID, err, c.id)
		}
	}
	for _, text := range []string{"", "UD-Q4_K_XL", "q2 mix of somebody", "NVFP4 mixed with FP8", "EXL2 99 bpw",
		"gold"} {
		if f, err := formatNamed(text, ""); err == nil || !strings.Contains(err.Error(), "write") {
			t.Errorf("%q is %q, %v", text, f.ID, err)
		}
	}
}

// What people call machines, and what they say of them.
func TestMachineNames(t *testing.T) {
	for text, want := range map[string]string{"3070 8GB": "card.rtx3070", "RTX 3090 Ti": "card.rtx3090ti",
		"3090 24GB": "gpu.rtx3090", "4080 16GB": "gpu.rtx4080", "RTX 4080 Super": "card.rtx4080super",
		"RTX 4000 Ada 20GB": "card.ada4000", "RTX 6000 Ada 48GB": "gpu.rtx6000ada", "RTX A6000 48GB": "gpu.a6000",
		"A40 48GB": "card.a40", "A10G": "card.a10g", "A100 PCIe 80GB": "gpu.a100_pcie", "NVIDIA A100": "gpu.a100",
		"4090 24GB": "gpu.rtx4090", "7900 XTX": "card.rx7900xtx", "DGX Spark (GB10)": "gpu.gb10",
		"L40S 48GB": "gpu.l40s", "H100 PCIe 80GB": "gpu.h100_pcie", "M1 Max 32-Core GPU 64GB": "soc.m1_max",
		"MacBook Pro M3 Max 128GB": "soc.m3_max", "Mac Studio M3 Ultra 512GB": "soc.m3_ultra",
		"Apple M4 10-core 16GB": "soc.m4", "Apple M4 Pro": "soc.m4_pro",
	} {
		if m, err := machineNamed(Setup{"device": text}); err != nil || m.ID != want {
			t.Errorf("%q is %q, %v; want %s", text, m.ID, err, want)
		}
	}
	m, _ := machineNamed(Setup{"device": "Apple M2 Max", "gpu_cores": 30.0, "ram_GB": 32.0})
	if math.Abs(m.Peak/13.5e12-30.0/38) > 1e-9 || math.Abs(m.UsableMemory-24*(1<<30)) > 1 {
		t.Errorf("30 cores and 32 GB: %+v", m)
	}
	for text, want := range map[string]float64{"Apple M4 Max 32-core GPU": 410e9, "Apple M4 Max 40-core GPU": 546e9,
		"M1 Max 24-core GPU": 400e9} {
		if m, err := machineNamed(Setup{"device": text}); err != nil || m.Bandwidth != want {
			t.Errorf("%s has %v byte/s, want %v (%v)", text, m.Bandwidth, want, err)
		}
	}
	for _, text := range []string{"", "abacus", "Apple, card not stated"} {
		if _, err := machineNamed(Setup{"device": text}); err == nil {
			t.Errorf("%q is a machine", text)
		}
	}
}

// Metrics have the names of the row; without any, the usual ones.
func TestMachineMetrics(t *testing.T) {
	line := `{"id":"x","kind":"nccl_tests","setup":{"op":"all-reduce","device":"H100 SXM","n_devices":8,"n_nodes":1},` +
		`"measured":{"busbw_GBps_by_bytes":{"1024":1,"1073741824":2},"busbw_GBps_at_max":3,"max_bytes":4}}`
	row, err := ReadRow([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(row.Asked, " "); got != "busbw_GBps_at_max busbw_GBps_by_bytes/1024 "+
		"busbw_GBps_by_bytes/1073741824 max_bytes" {
		t.Errorf("asked is %s", got)
	}
	text, err := json.Marshal(One(row))
	if err != nil || !strings.Contains(string(text), `"busbw_GBps_by_bytes":{"1024":{"low":`) ||
		strings.Contains(string(text), "max_bytes") {
		t.Errorf("%s, %v", text, err)
	}
	other, _ := ReadRow([]byte(strings.Replace(line, `"1024":1`, `"1024":99`, 1)))
	again, _ := json.Marshal(One(other))
	if string(again) != string(text) {
		t.Error("a measured value changes the prediction")
	}
	local := One(Row{Kind: "local_decode", Setup: Setup{"model": "Llama-3.1-8B", "device": "RTX 4090",
		"quant_type": "Q4_K_M", "engine": "Ollama"}})
	x, found := local.Metrics["tg128_tokens_per_s"]
	if !found || !(x.Low < x.Mid && x.Mid < x.High && x.Mid > 90 && x.Mid < 170) || local.Fits != "yes" {
		t.Errorf("%+v", local)
	}
	host := One(
		Row{Kind: "local_decode", Setup: Setup{"model": "Llama-3.1-70B", "device": "RTX 4090", "quant_type": "Q4_K_M",
			"engine": "llama.cpp", "n_gpu_layers": 40.0}},
	)
	if y := host.Metrics["tg128_tokens_per_s"]; !(y.Mid > 1 && y.Mid < 4) {
		t.Errorf("half of the layers on the host: %+v", host)
	}
	for flags, want := range map[string][2]float64{"llama-server -ngl 18": {0.5, 0}, "--n-cpu-moe 9 -ngl 99": {0, 0.25},
		"-ot exps=CPU": {0, 1}, "--cpu-moe": {0, 1}, "-fa 1 -ngl 99": {0, 0}} {
		l, err := readLocal(Setup{"model": "gpt-oss-120b", "device": "RTX 4090", "quant_type": "MXFP4",
			"engine": "llama.cpp", "flags": flags})
		if err != nil || l.run.Host.Layers != want[0] || l.run.Host.Experts != want[1] {
			t.Errorf("%s: %+v, %v", flags, l.run.Host, err)
		}
	}
}

// What a card can't hold is the host's, unless the row says what is; of Apple's computers both have one memory.
func TestLeftOver(t *testing.T) {
	of := func(more Setup) *localRow {
		s := Setup{"model": "Llama-3.1-70B", "device": "RTX 4090", "quant_type": "Q4_K_M", "engine": "llama.cpp"}
		maps.Copy(s, more)
		l, err := readLocal(s)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := of(nil)
	if h := l.run.Host.Layers; l.fits || !(h > 0.4 && h < 0.5) || len(l.notes) != 1 ||
		l.run.Held(1, 128) > l.run.Machine.UsableMemory {
		t.Errorf("42 GB on a card of 24 GiB: %v of the layers are the host's, notes %q", h, l.notes)
	}
	for name, more := range map[string]Setup{"stated": {"n_gpu_layers": 99.0},
		"a file that fits": {"model": "Llama-3.1-8B"}, "Apple": {"device": "Apple M1 Max 32GB"},
		"another engine": {"engine": "exllamav2", "quant_type": "EXL2 4.0 bpw"}} {
		if l := of(more); l.run.Host.Layers != 0 {
			t.Errorf("%s: %v of the layers are the host's", name, l.run.Host.Layers)
		}
	}
}

// llama.cpp on Apple's computers is of another time until September 2025, on cards until May 2024.
func TestLlamaByTime(t *testing.T) {
	for date, want := range map[string][2]string{"2023-11": {"llama.cpp-2024.unified", "llama.cpp-2024.graphics"},
		"2025-03": {"llama.cpp-2024.unified", "llama.cpp.graphics"},
		"2026-01": {"llama.cpp.unified", "llama.cpp.graphics"}, "": {"llama.cpp.unified", "llama.cpp.graphics"}} {
		for i, device := range []string{"Apple M2 Max", "RTX 4090"} {
			l, err := readLocal(Setup{"model": "Llama-2-7B", "device": device, "quant_type": "Q4_0", "log_date": date})
			if err != nil || l.run.Stack != want[i] {
				t.Errorf("%s of %q has the constants of %s, want %s (%v)", device, date, l.run.Stack, want[i], err)
			}
		}
	}
}

// A model that a name means by its family alone is not taken where the name says another size.
func TestSizesOfNames(t *testing.T) {
	for name, known := range map[string]bool{"NVIDIA-Nemotron-3-Nano-4B": false, "NVIDIA-Nemotron-3-Nano-30B-A3B": true,
		"DeepSeek-R1-0528-Qwen3-8B": true, "gemma-3n-E4B-it": true, "Qwen3-Coder-30B-A3B-Instruct": true,
		"Mixtral-8x7B-Instruct": true, "Qwen3-0.6B-8bit": true, "gpt-oss-120b": true,
		"Llama-3.2-1B-Instruct-4bit": true} {
		m, err := storedModel(Setup{"model": name})
		if (err == nil) != known {
			t.Errorf("%s: %v", name, err)
		}
		if name == "DeepSeek-R1-0528-Qwen3-8B" && m != nil && m.Params().Total() > 1e10 {
			t.Errorf("%s has %.3g parameters", name, m.Params().Total())
		}
	}
}
