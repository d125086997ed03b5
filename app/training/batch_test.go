package training

import "testing"

// The nearest number of sequences that more degrees divide, against one that looks at all numbers near.
func TestEvenBatch(t *testing.T) {
	for _, c := range []struct{ n, even, power, higher int }{
		{15381, 15360, 1, 1024}, // 63 million tokens in sequences of 4096
		{488, 512, 8, 512},      // 4 million in sequences of 8192
		{1953, 2048, 1, 2048},
		{2048, 2048, 2048, 2048},
		{15360, 15360, 1024, 1024},
		{1, 1, 1, 1},
		{19, 19, 1, 1},
	} {
		if even, power, higher := evenBatch(c.n); even != c.even || power != c.power || higher != c.higher {
			t.Errorf("%d: %d, multiples of %d and %d; want %v", c.n, even, power, higher, c)
		}
	}
	for n := 1; n < 5000; n++ {
		most, near := n&-n, n
		for x := n - n/20; x <= n+n/20; x++ {
			p, far := x&-x, max(x-n, n-x)
			if p > most || p == most && far < max(near-n, n-near) {
				most, near = p, x
			}
		}
		even, power, higher := evenBatch(n)
		if higher != most || max(even-n, n-even) != max(near-n, n-near) || power != n&-n || even%higher != 0 {
			t.Fatalf("%d: %d, a multiple of %d, and %d is one of %d", n, even, higher, near, most)
		}
	}
}

// A batch that many degrees divide, or whose devices could use no more of them, is not spoken of.
func TestUnevenBatch(t *testing.T) {
	for _, c := range []struct {
		batch, devices int
		said           bool
	}{{1953, 16384, true}, {2048, 16384, false}, {1920, 16384, false}, {488, 8, false}, {488, 64, true}, {19, 64,
		false}} {
		j := Job{Batch: c.batch, Sequence: 8192, Devices: c.devices}
		if got := j.UnevenBatch(); (got != nil) != c.said {
			t.Errorf("%d sequences on %d devices: %v", c.batch, c.devices, got)
		}
	}
}
