package measured

import (
	"math"
	"strings"
	"testing"
)

// Names that no row of ours has mean what their words say, in their units.
func TestNamesByTheirWords(t *testing.T) {
	const names = `"peak_mem_per_gpu_gb": 1, "Peak memory (MiB)": 1, "vram_gib": 1, "max_memory_reserved_bytes": 1,
		"total_memory_all_gpus_GB": 1, "tok/s/GPU": 1, "tokens_per_second": 1, "throughput (samples/sec)": 1,
		"sequences_per_sec_per_device": 1, "seconds_per_step": 1, "iteration time (ms)": 1, "steps_per_second": 1,
		"it/s": 1, "MFU (%)": 1, "mfu": 1, "TFLOPs/GPU": 1, "cpu_memory_gb": 1, "gpu_mem": 1, "train_loss": 1`
	row, err := ReadRow([]byte(`{"id": "a", "kind": "fine-tuning", "setup": {"model": "Llama 2 7B", "gpu": "A100 80GB",
		"num_gpus": 4, "method": "lora", "lora_target_modules": "all-linear", "rank": 8, "seq_len": 1024, "mbs": 2,
		"optim": "adamw_torch"}, "measured": {` + names + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	p := One(row)
	if p.Skipped != "" {
		t.Fatal(p.Skipped)
	}
	for name, want := range map[string]float64{
		"peak_mem_per_gpu_gb":          p.Metrics["peak_memory_GiB"].Mid * gibi / giga,
		"Peak memory (MiB)":            p.Metrics["peak_memory_GiB"].Mid * 1024,
		"vram_gib":                     p.Metrics["peak_memory_GiB"].Mid,
		"max_memory_reserved_bytes":    p.Metrics["peak_memory_reserved_per_device_GiB"].Mid * gibi,
		"total_memory_all_gpus_GB":     p.Metrics["peak_memory_GiB"].Mid * gibi / giga * 4,
		"tok/s/GPU":                    p.Metrics["tokens_per_s_per_device"].Mid,
		"tokens_per_second":            p.Metrics["tokens_per_s_per_device"].Mid * 4,
		"throughput (samples/sec)":     p.Metrics["tokens_per_s"].Mid / 1024,
		"sequences_per_sec_per_device": p.Metrics["tokens_per_s_per_device"].Mid / 1024,
		"seconds_per_step":             p.Metrics["step_time_s"].Mid,
		"iteration time (ms)":          p.Metrics["step_time_s"].Mid * 1e3,
		"steps_per_second":             1 / p.Metrics["step_time_s"].Mid,
		"it/s":                         1 / p.Metrics["step_time_s"].Mid,
		"MFU (%)":                      p.Metrics["mfu_pct"].Mid,
		"mfu":                          p.Metrics["mfu_pct"].Mid / 100,
		"TFLOPs/GPU":                   p.Metrics["tflops_per_device"].Mid,
	} {
		if got, is := p.Metrics[name]; !is || !got.sound() || math.Abs(got.Mid/want-1) > 1e-9 {
			t.Errorf("%s: %v, want %g", name, got, want)
		}
	}
	// Of the host, without a unit, no figure of ours.
	for _, name := range []string{"cpu_memory_gb", "gpu_mem", "train_loss"} {
		if x, is := p.Metrics[name]; is {
			t.Errorf("%s is predicted: %v", name, x)
		}
	}
	row.Asked = Names{"gpu_mem"}
	if p := One(row); len(p.Notes) == 0 || !strings.Contains(p.Notes[len(p.Notes)-1], "gpu_mem") {
		t.Errorf("nothing is noted of a name that says no unit: %q", p.Notes)
	}
}

// A model may be described where rows name it, and names alone may be asked for.
func TestModelAsAnObject(t *testing.T) {
	row, err := ReadRow([]byte(`{"id": "a", "kind": "pretraining", "setup": {"model": {"hidden_size": 4096,
		"num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000},
		"device": "A100", "n_devices": 32, "tp": 4, "pp": 2, "dp": 4, "mbs": 1, "gbs": 128, "seq_len": 4096,
		"framework": "Megatron-LM"},
		"metrics": ["ms_per_iteration"]}`))
	if err != nil {
		t.Fatal(err)
	}
	p := One(row)
	if x := p.Metrics["ms_per_iteration"]; p.Skipped != "" || !x.sound() ||
		x.Mid != p.Metrics["iteration_time_ms"].Mid {
		t.Errorf("%v, skipped %q", x, p.Skipped)
	}
}
