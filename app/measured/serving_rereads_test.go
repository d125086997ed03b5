package measured

import (
	"fmt"
	"math"
	"testing"
)

// TensorRT-LLM before 0.8 read the keys and values of a group of heads for each of them. Its own page of release 0.6.1
// and a post on 0.5 have what models with and without groups made of full batches (docs/source/performance.md @138f96d,
// docs/source/blogs/H200launch.md @1555478): tokens a second of all chips.
func TestGroupsReadForEachHead(t *testing.T) {
	for _, c := range []struct {
		model, device, release, precision string
		tp, isl, osl, batch, want, within float64
	}{
		{"Llama-2-7B", "H100", "0.6.1", "fp8", 1, 128, 2048, 112, 6818, 0.15},
		{"Llama-2-7B", "H100", "0.6.1", "fp8", 1, 2048, 2048, 48, 2740, 0.15},
		{"Llama-2-7B", "A100", "0.6.1", "fp16", 1, 128, 128, 384, 5586, 0.15},
		{"Llama-2-70B", "H100", "0.6.1", "fp8", 2, 2048, 2048, 64, 1094, 0.15},
		{"Llama-2-70B", "H100", "0.6.1", "fp8", 4, 128, 2048, 480, 5944, 0.2},
		{"Llama-2-70B", "H200", "0.5.0", "fp8", 2, 128, 2048, 512, 3308, 0.15},
		{"falcon-180b", "H100", "0.6.1", "fp8", 4, 2048, 2048, 64, 1056, 0.15},
		{"falcon-180b", "H100", "0.6.1", "fp8", 8, 128, 2048, 1024, 5792, 0.2},
	} {
		at := func(release string) float64 {
			t.Helper()
			row := fmt.Sprintf(`{"kind":"inference","setup":{"model":%q,"device":%q,"n_devices":%v,"tp":%v,`+
				`"engine":"tensorrt-llm %s","precision":%q,"kv_cache":%q,"isl":%v,"osl":%v,"load":"offline",`+
				`"num_requests":%v,"max_num_seqs":%v},"measured":["output_tok_s"]}`, c.model, c.device, c.tp, c.tp,
				release, c.precision, c.precision, c.isl, c.osl, c.batch, c.batch)
			p, _ := predictLine([]byte(row), 1)
			if p.Skipped != "" {
				t.Fatal(p.Skipped)
			}
			return p.Metrics["output_tok_s"].Mid
		}
		if got := at(c.release); math.Abs(got/c.want-1) > c.within {
			t.Errorf("%s on %v %s, %v to %v tokens: %v tokens a second, want %v", c.model, c.tp, c.device, c.isl, c.osl,
				got, c.want)
		}
		if grouped := c.model != "Llama-2-7B"; grouped != (at("0.9.0") > at(c.release)*1.2) {
			t.Errorf("%s: %v tokens a second by release 0.9, %v by %s", c.model, at("0.9.0"), at(c.release), c.release)
		}
	}
}
