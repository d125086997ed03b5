package serving

import "testing"

// TestNoNetworkNoWiderReplica: eight chips that have links and no network are a replica of eight at the most. Nine
// would wait for ever.
func TestNoNetworkNoWiderReplica(t *testing.T) {
	c := chipOf(t, "gpu.h100")
	c.Network = 0
	s := replica(t, "deepseek.v3", "gpu.h100", 1, Plan{}, ideal()).Shape
	for chips, legal := range map[int]bool{8: true, 16: false} {
		if err := (Plan{TP: 1, DP: chips, EP: chips}).Legal(s, &c); (err == nil) != legal {
			t.Errorf("%d chips: %v", chips, err)
		}
	}
}
