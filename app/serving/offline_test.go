package serving

import "testing"

// Ten requests on four places are two waves of four and one of two: they take 2 4/X(4) + 2/X(2), with X(n) the requests
// a second of n under way. Three take one wave, and a list without an end full ones.
func TestOfflineIsWaves(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted("trtllm"))
	r.Engine.Sequences = 4
	l := Load{In: 600, Out: 200}
	full := r.Offline(l, 0)
	if full.Admitted < 4 || full.Admitted >= 5 { // four places, and who is on the way to one
		t.Fatalf("%v at a time", full.Admitted)
	}
	three, two := r.Closed(3, l).Requests, r.Closed(2, l).Requests
	ten := r.Offline(l, 10)
	near(t, "ten requests", ten.Requests, 10/(2*4/full.Requests+2/two), 1e-12)
	near(t, "their tokens", ten.Output, 200*ten.Requests, 1e-12)
	near(t, "one wave", r.Offline(l, 3).Requests, three, 1e-12)
	near(t, "full waves", r.Offline(l, 8).Requests, full.Requests, 1e-12)
}
