package training

import (
	"math"
	"testing"
)

// TestExchangesAddUp: what shows of the exchanges of a plan is what its price says, part by part.
func TestExchangesAddUp(t *testing.T) {
	for _, c := range []struct {
		model, device, stack string
		plan                 Plan
	}{
		{"llama3.70b", "gpu.h100", "megatron", Plan{DP: 8, TP: 8, PP: 2, CP: 4, Zero: 1, Virtual: 2}},
		{"llama3.70b", "gpu.h100", "megatron", Plan{DP: 64, TP: 8, Zero: 3}},
		{"llama3.70b", "gpu.h100", "megatron", Plan{DP: 64, TP: 8, Zero: 2, Shard: 8}},
		{"llama3.70b", "gpu.h100", "nanotron", Plan{DP: 32, TP: 8, PP: 2}},
		{"mixtral.8x7b", "gpu.h100", "megatron", Plan{DP: 64, TP: 2, PP: 4, EP: 8, Zero: 1}},
		{"deepseek.v3", "gpu.h100", "fsdp", Plan{DP: 512, EP: 64, Zero: 3}},
		{"deepseek.v3", "gpu.h100", "megatron", Plan{DP: 128, CP: 4, EP: 16, Zero: 3, Shard: 128,
			Context: UlyssesContext}},
		{"llama3.8b", "tpu.v5p", "xla", Plan{DP: 128, TP: 4, Zero: 3}},
	} {
		p := NewPricer(newJob(t, c.model, c.device, c.stack, 512, 1024, 8192))
		if err := p.Legal(c.plan); err != nil {
			t.Fatalf("%s, %v: %v", c.model, c.plan, err)
		}
		price := p.Price(c.plan.filled())
		sums := map[string]float64{}
		for _, e := range p.Exchanges(&price) {
			sums[price.Time.Parts()[e.Part].Name] += e.Shown
			if !(e.Time > 0 && e.Times > 0 && e.Bytes > 0 && e.Ranks > 1 && e.Shown <= e.Time+1e-9) || e.Ranks*e.Stride > 512 {
				t.Errorf("%s, %v: %+v", c.model, c.plan, e)
			}
		}
		for _, part := range price.Time.Parts() {
			got, is := sums[part.Name]
			late := p.job.Stack.Bucket // of buckets, which no exchange takes
			if is && math.Abs(got-part.Value) > 1e-9*part.Value && (late == 0 || part.Name != "gradients between replicas") {
				t.Errorf("%s, %v: %s shows %v s, the exchanges %v", c.model, c.plan, part.Name, part.Value, got)
			}
			delete(sums, part.Name)
		}
		if len(sums) > 0 {
			t.Errorf("%s, %v: no part has %v", c.model, c.plan, sums)
		}
	}
}

// TestExpertsGatherOverOnePort: replicas of an expert stand EP ranks apart, so that a node of eight has one of each and
// one port carries its weights. Of DeepSeek-V3 on 2,048 H800s in two stages with 16 ranks of experts, a rank holds
// 58/61 of 30 or 31 layers of 16 experts of 3 x 7168 x 2048 weights in bf16: two gathers for each of 15 microbatches.
func TestExpertsGatherOverOnePort(t *testing.T) {
	j := newJob(t, "deepseek.v3", "gpu.h800", "megatron", 2048, 15360, 4096)
	p := NewPricer(j)
	plan := Plan{DP: 1024, PP: 2, EP: 16, Zero: 3}.filled()
	price := p.Price(plan)
	const weights = 30.5 * 58 / 61 * 16 * 3 * 7168 * 2048
	port := j.Device.Slow * j.Stack.SlowWire
	for _, e := range p.Exchanges(&price) {
		if e.What == "training.sends-weights" && e.Group == "expert DP" {
			near(t, "experts' gathers by hand", e.Time, 15*2*2*weights*63/64/port, 0.05)
			if e.Ranks != 64 || e.Stride != 16 || e.Inside {
				t.Errorf("%+v", e)
			}
			near(t, "bandwidth", e.Bandwidth, port, 1e-9)
			return
		}
	}
	t.Error("nothing gathers experts")
}

// TestShardedGradients: either sharded gradients are added up after each microbatch, or they stay whole: a plan never
// has the memory of one and the traffic of the other.
func TestShardedGradients(t *testing.T) {
	for _, stack := range []string{"megatron", "fsdp", "xla"} {
		for _, pp := range []int{1, 2} {
			for zero := 1; zero <= 3; zero++ {
				j := newJob(t, "llama3.8b", "gpu.h100", stack, 64, 64*8, 4096)
				p := NewPricer(j)
				price := p.Price(Plan{DP: 64 / pp, PP: pp, Zero: zero})
				reduced := 0.0
				for _, e := range p.Exchanges(&price) {
					if e.Group == "DP" && (e.What == "training.sends-each" ||
						e.What == "training.sends-gradients") {
						reduced += e.Times
					}
				}
				whole := price.Memory.Grads > j.Model.Total()/float64(pp)/2*4
				m := price.Time.MicroBatches
				if whole && reduced != 1 || !whole && reduced != m {
					t.Errorf("%s, PP %d, ZeRO-%d: whole %v, gradients are added up %v times for %v microbatches", stack, pp,
						zero, whole, reduced, m)
				}
			}
		}
	}
}
