package measured

import (
	"math"
	"strings"
	"testing"
)

// Rows as people write them: sizes with units, devices by node, a format in a file’s name, a text model by the name
// that it has with pictures. What isn’t read is told.
func TestRowsAsBrought(t *testing.T) {
	mid := func(line, metric string) float64 {
		t.Helper()
		p, _ := predictLine([]byte(line), 1)
		if p.Skipped != "" {
			t.Errorf("%s: %s", line, p.Skipped)
		}
		return p.Metrics[metric].Mid
	}
	ring := `{"kind":"nccl_tests","setup":{"op":"all_gather","device":"H200","n_devices":8,%},"measured":{"time_us":1}}`
	base := mid(strings.Replace(ring, "%", `"payload_bytes":1073741824`, 1), "time_us")
	for _, said := range []string{`"payload_MiB":1024`, `"message_size":"1GiB"`, `"size_bytes":"1G"`} {
		if got := mid(strings.Replace(ring, "%", said, 1), "time_us"); got != base || !(got > 0) {
			t.Errorf("%s: %v us, want %v", said, got, base)
		}
	}
	decimal := mid(strings.Replace(ring, "%", `"payload_bytes":1000000000`, 1), "time_us")
	if got := mid(strings.Replace(ring, "%", `"message_size":"1 GB"`, 1), "time_us"); got != decimal || got >= base {
		t.Errorf("1 GB: %v us, want %v, less than %v", got, decimal, base)
	}
	p, _ := predictLine([]byte(strings.Replace(ring, "%", `"payload_bytes":1e9,"switch":"Q3400"`, 1)), 1)
	if len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0], "switch: nothing") {
		t.Errorf("what isn’t read: %q", p.Notes)
	}
	// 96 nodes of 8, by node or all of them.
	run := `{"kind":"training","setup":{"model":"gpt3.175b","device":"A100-80GB",%,"tp":8,"pp":8,"gbs":1536,"mbs":1,` +
		`"seq_len":2048},"measured":{"step_time_s":1}}`
	all := mid(strings.Replace(run, "%", `"n_devices":768`, 1), "step_time_s")
	if got := mid(strings.Replace(run, "%", `"nodes":96,"gpus_per_node":8`, 1), "step_time_s"); got != all ||
		!(got > 0) {
		t.Errorf("nodes and devices of each: %v s, want %v", got, all)
	}
	for _, c := range []struct {
		line, metric string
		want, within float64
	}{
		// Sizes of files on Hugging Face: Qwen/Qwen3-VL-2B-Instruct-GGUF, bartowski/Qwen2.5-VL-7B-Instruct-GGUF.
		{`{"kind":"quantised_size","setup":{"model":"Qwen3-VL-2B-Instruct","format":"GGUF","quant_type":"Q4_K_M"},` +
			`"measured":{"size_bytes":1}}`, "size_bytes", 1107409952, 0.01},
		{`{"kind":"quantised_size","setup":{"file":"Qwen2.5-VL-7B-Instruct-Q8_0.gguf"},"measured":{"file_size_MB":1}}`,
			"file_size_MB", 8098.52368, 0.01},
		// 4.25 bits of 68.45e9 weights in layers, six of the 1.05e9 of the unembedding, 16 of as many of the embedding.
		{`{"kind":"quantised_size","setup":{"model":"meta-llama/Llama-3.3-70B-Instruct","format":"EXL2","bpw":4.25},` +
			`"measured":{"size_gb":1}}`, "size_gb", (68.45*4.25 + 1.05*6 + 1.05*16) / 8, 0.005},
	} {
		if got := mid(c.line, c.metric); math.Abs(got/c.want-1) > c.within {
			t.Errorf("%s: %v, want %v", c.line, got, c.want)
		}
	}
}
