package measured

import (
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/measured/summary"
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

// containerFamilies are how far predictions lie from these rows, as they are written, and with the cache in 8 bits, as
// their checkpoints have it.
func containerFamilies(t *testing.T) []summary.Family {
	t.Helper()
	rows, err := os.ReadFile("testdata/nim.tsv")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(rows), "\n")
	var all []summary.Family
	for _, as := range []struct{ name, cache string }{{"as written", ""}, {"with the cache in 8 bits", "fp8"}} {
		sums := map[string]*tally{}
		for line := range strings.Lines(lines) {
			row, measured := nimRow(line, as.cache)
			p := One(row)
			for name, m := range measured {
				if sums[name] == nil {
					sums[name] = new(tally)
				}
				sums[name].add(p.Metrics[name], m, 1)
			}
		}
		for _, name := range []string{"mean_ttft_ms", "mean_tpot_ms", "output_tok_s"} {
			f := summary.Family{Half: "containers", Name: as.name, Quantity: quantities[quantity(name)], Part: "all"}
			sums[name].sumUp(&f)
			f.Bias, f.Points = bias(f.Points), nil
			all = append(all, f)
		}
	}
	return all
}

// TestPublishedContainers: of first tokens a third of the error goes with what checkpoints say of the cache, and rows
// are predicted as far off as when they were gathered, at most.
func TestPublishedContainers(t *testing.T) {
	limits := map[string]float64{"as written, time to first token": 0.75, "as written, time per output token": 0.16,
		"as written, tokens a second": 0.2, "with the cache in 8 bits, time to first token": 0.45,
		"with the cache in 8 bits, time per output token": 0.15, "with the cache in 8 bits, tokens a second": 0.16}
	for _, f := range containerFamilies(t) {
		if limit := limits[f.Name+", "+f.Quantity]; f.Rows != 76 || !(f.Median < limit) {
			t.Errorf("%s, %s: %d rows, a median of %.3f; want less than %v", f.Name, f.Quantity, f.Rows, f.Median,
				limit)
		}
	}
}
