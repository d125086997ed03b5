package machine

import "testing"

// requests are of several lengths.
var requests = []Request{{1, 6}, {1, 14}, {2, 4}, {1, 9}, {2, 7}, {1, 5}}

// TestServeDoesAllWork: whatever the policy, each request is read and written exactly once.
func TestServeDoesAllWork(t *testing.T) {
	for _, policy := range []Policy{StaticBatches, Continuous, Chunked} {
		e := Serve(policy, 3, 80, requests)
		did := make([]Request, len(requests))
		for _, cells := range e.Slots {
			for _, c := range cells {
				switch c.Doing {
				case Reading:
					did[c.Request].Prompt++
				case Writing:
					did[c.Request].Reply++
				}
			}
		}
		for i, r := range requests {
			if did[i] != r || e.First[i] > e.Done[i] || e.Done[i] < 0 {
				t.Errorf("%s: request %d did %v of %v, first %d, done %d", policy, i, did[i], r, e.First[i], e.Done[i])
			}
		}
	}
}

// TestPoliciesRank: slots that are filled at once end sooner, and prompts in chunks let nobody stand still.
func TestPoliciesRank(t *testing.T) {
	last := func(p Policy) (end, still int) {
		e := Serve(p, 3, 80, requests)
		for _, d := range e.Done {
			end = max(end, d)
		}
		for _, cells := range e.Slots {
			for _, c := range cells {
				if c.Doing == Stalled {
					still++
				}
			}
		}
		return end, still
	}
	static, _ := last(StaticBatches)
	whole, stalled := last(Continuous)
	chunks, none := last(Chunked)
	if !(chunks < whole && whole < static) || stalled == 0 || none != 0 {
		t.Errorf("the last ends after %d, %d, %d; stalled %d, %d", static, whole, chunks, stalled, none)
	}
}
