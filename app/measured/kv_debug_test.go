package measured

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"testing"
)

func TestKVDebug(t *testing.T) {
	b, _ := os.ReadFile("/work/shared/facts/measured/serving-logs.jsonl")
	var errs []float64
	for line := range strings.Lines(string(b)) {
		var c struct {
			Row
			Measured map[string]any `json:"measured"`
		}
		json.Unmarshal([]byte(line), &c)
		if c.Kind != "kv_capacity" {
			continue
		}
		p := One(c.Row)
		if p.Skipped != "" {
			fmt.Println("SKIP", c.ID, p.Skipped)
			continue
		}
		fmt.Printf("%v %s fits=%v rel=%v\n", (&RunCase{Row: c.Row}).Aside(), c.ID, *p.Fits, c.Row.Setup.release())
		var names []string
		for k := range c.Measured {
			names = append(names, k)
		}
		sort.Strings(names)
		for _, k := range names {
			v, ok := c.Measured[k].(float64)
			if !ok {
				continue
			}
			key := strings.TrimSuffix(k, "_per_device")
			if m, ok := p.Metrics[key]; ok {
				fmt.Printf("    %-28s %12.2f  measured %12.2f  %+.1f%%\n", k, m.Mid, v, 100*(m.Mid/v-1))
				if (k == "kv_cache_tokens" || strings.HasPrefix(k, "kv_cache_GiB") && c.Measured["kv_cache_tokens"] == nil) && c.Setup.Has("gpu_memory_utilization", "mem_fraction_static", "kv_cache_memory_bytes") && c.Setup.Has("quant") {
					fmt.Printf("LIST %+.3f %v %s %s\n", m.Mid/v-1, (&RunCase{Row: c.Row}).Aside(), c.ID, k)
					errs = append(errs, math.Abs(m.Mid/v-1))
				}
			}
		}
	}
	sort.Float64s(errs)
	fmt.Printf("n=%d median %.3f p90 %.3f\n", len(errs), errs[len(errs)/2], errs[len(errs)*9/10])
}
