package machine

import (
	"math"
	"testing"
)

// TestCrowdSettles: at half of its capacity a machine has half of its slots taken on average, and nobody waits.
func TestCrowdSettles(t *testing.T) {
	served, waiting := 0, 0
	moments := Crowd(2, 4, 40, 40000, 1)
	for _, m := range moments {
		served, waiting = served+m.Served, waiting+m.Waiting
	}
	if mean := float64(served) / float64(len(moments)); math.Abs(mean-20) > 0.5 || waiting > 0 {
		t.Errorf("%v are served on average, %d wait", mean, waiting)
	}
}

// TestCrowdOverflows: above capacity the queue grows by what comes too much.
func TestCrowdOverflows(t *testing.T) {
	moments := Crowd(5, 4, 10, 4000, 2)
	if last := float64(moments[3999].Waiting); math.Abs(last-4000) > 400 {
		t.Errorf("after 4000 slices %v wait", last)
	}
	if again := Crowd(5, 4, 10, 4000, 2); again[3999] != moments[3999] {
		t.Error("the same seed gives another crowd")
	}
}

var texts = []Sequence{{0, 2, 7}, {1, 3, 5}, {2, 1, 9}, {3, 4, 6}, {4, 2, 8}, {5, 1, 4}, {7, 3, 7}}

// TestPagesBelongToWhoRuns: at every step the used pages are those of running sequences, and nobody is lost.
func TestPagesBelongToWhoRuns(t *testing.T) {
	for _, reserve := range []bool{true, false} {
		for step := range 120 {
			m := Fill(48, 12, step, reserve, texts)
			come := 0
			for _, s := range texts {
				if s.Comes <= step {
					come++
				}
			}
			if len(m.Running)+len(m.Waiting)+len(m.Done) != come {
				t.Fatalf("step %d: %v run, %v wait, %v are done of %d", step, m.Running, m.Waiting, m.Done, come)
			}
			owners := map[int]bool{}
			for _, p := range m.Memory {
				owners[p.Owner] = true
			}
			for _, q := range m.Running {
				if !owners[q] {
					t.Fatalf("step %d: %d runs without memory", step, q)
				}
			}
		}
		if m := Fill(48, 12, 120, reserve, texts); len(m.Done) != len(texts) || m.Free() != 48 {
			t.Errorf("at the end %v are done, %d pages are free", m.Done, m.Free())
		}
	}
}

// TestReservingWastes: with reservations fewer run at a time, though more of the memory is taken.
func TestReservingWastes(t *testing.T) {
	reserved, paged := Fill(48, 12, 8, true, texts), Fill(48, 12, 8, false, texts)
	if len(reserved.Running) >= len(paged.Running) || reserved.Free() >= paged.Free() {
		t.Errorf("%v and %v run, %d and %d pages are free", reserved.Running, paged.Running, reserved.Free(),
			paged.Free())
	}
	if paged.Free()+paged.Used() != 48 || reserved.Free()+reserved.Used() == 48 {
		t.Errorf("paged: %d free, %d used; reserved: %d, %d", paged.Free(), paged.Used(), reserved.Free(),
			reserved.Used())
	}
}

// TestOldestGoOn: a memory too small for all sends the young ones back, and all end.
func TestOldestGoOn(t *testing.T) {
	if m := Fill(12, 12, 200, false, texts); len(m.Done) != len(texts) || m.Free() != 12 {
		t.Errorf("%v are done", m.Done)
	}
}

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
	last := func(p Policy) (end, stalled int) {
		e := Serve(p, 3, 80, requests)
		for _, d := range e.Done {
			end = max(end, d)
		}
		for _, cells := range e.Slots {
			for _, c := range cells {
				if c.Doing == Stalled {
					stalled++
				}
			}
		}
		return end, stalled
	}
	static, _ := last(StaticBatches)
	whole, stalled := last(Continuous)
	chunks, none := last(Chunked)
	if !(chunks < whole && whole < static) || stalled == 0 || none != 0 {
		t.Errorf("the last ends after %d, %d, %d; stalled %d, %d", static, whole, chunks, stalled, none)
	}
}
