package serving

import (
	"math"
	"testing"
)

// What lies on the host is counted by hand for gpt-oss-120b in 2 bytes: of 36 layers with 128 experts of 3 x 2880 x
// 2880 weights each, 3 layers' experts, 3 x 128 x 24,883,200 = 9.555e9 weights; and a table of 201,088 x 2880. Half of
// the layers there whole leave half of their cache on the card, so that twice as many sequences fit what is left.
func TestHostedBytes(t *testing.T) {
	const experts, table = 3 * 128 * 24_883_200., 201_088 * 2880.
	r := started(t, "gpt_oss.120b", "gpu.h200", Uniform(2, 2), Plan{}, Engine{Name: "llama.cpp"}, 4096)
	for _, c := range []struct {
		hosted Hosted
		want   float64
	}{{Hosted{}, 0}, {Hosted{Experts: 3. / 36}, 2 * experts}, {Hosted{First: true}, 2 * table}, {Hosted{Last: true},
		2 * table},
		{Hosted{Experts: 3. / 36, First: true, Last: true}, 2 * (experts + 2*table)}} {
		r.Engine.Hosted = c.hosted
		if is := r.Ledger(4096).Host; math.Abs(is-c.want) > 2e-3*c.want {
			t.Errorf("%+v: %v bytes on the host, want %v", c.hosted, is, c.want)
		}
	}
	r.Engine.Hosted = Hosted{}
	all := r.Ledger(4096)
	r.Engine.Hosted = Hosted{Cache: 0.5}
	if half := r.Ledger(4096); math.Abs(half.Concurrency/all.Concurrency-2) > 1e-9 {
		t.Errorf("%v sequences with half of the caches on the host, %v with none", half.Concurrency, all.Concurrency)
	}
}
