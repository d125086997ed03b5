package measured

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// nimRow is a line of testdata/nim.tsv: what NVIDIA published of its containers of version 1.8.0, TensorRT-LLM with
// weights in fp8 on H100s of 80 GB (docs.nvidia.com/nim/benchmarking/llm/1.0.0/performance). They were gathered in
// November 2026, when all constants were fixed.
func nimRow(line, cache string) (Row, map[string]float64) {
	c := strings.Split(strings.TrimSpace(line), "\t")
	setup := Setup{"model": c[0], "device": "H100", "engine": "trtllm", "precision": "fp8", "tp": c[1], "isl": c[2],
		"osl": c[3], "concurrency": c[4]}
	if cache != "" {
		setup["kv_cache"] = cache
	}
	out := map[string]float64{}
	for i, name := range []string{"mean_ttft_ms", "mean_tpot_ms", "output_tok_s"} {
		out[name], _ = number(c[5+i])
	}
	return Row{Kind: "inference", Setup: setup}, out
}

// TestPublishedContainers: the page says how far predictions lie from these rows, as they are written, and with the
// cache in 8 bits, as their checkpoints have it.
func TestPublishedContainers(t *testing.T) {
	rows, err := os.ReadFile("testdata/nim.tsv")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(rows), "\n")
	said := []string{}
	for _, cache := range []string{"", "fp8"} {
		off, inside := map[string][]float64{}, map[string]float64{}
		for line := range strings.Lines(lines) {
			row, measured := nimRow(line, cache)
			p := One(row)
			for name, m := range measured {
				x := p.Metrics[name]
				if off[name] = append(off[name], math.Log(x.Mid/m)); x.Low <= m && m <= x.High {
					inside[name]++
				}
			}
		}
		median := func(name string) float64 { return 100 * Quantile(off[name], 0.5, Percent) }
		share := func(name string) float64 { return 100 * inside[name] / float64(len(off[name])) }
		said = append(said, fmt.Sprintf("%.0f %% for the first token, %.0f %% for the time per output token and "+
			"%.0f %% for tokens a second; %.0f, %.0f and %.0f %% are in the interval",
			median("mean_ttft_ms"), median("mean_tpot_ms"), median("output_tok_s"),
			share("mean_ttft_ms"), share("mean_tpot_ms"), share("output_tok_s")))
	}
	page, err := os.ReadFile("../../content/measured.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range said {
		if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), s) {
			t.Errorf("content/measured.md doesn’t say %q", s)
		}
	}
}
