package machine

import "testing"

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
		t.Errorf("%v and %v run, %d and %d pages are free", reserved.Running, paged.Running, reserved.Free(), paged.Free())
	}
	if paged.Free()+paged.Used() != 48 || reserved.Free()+reserved.Used() == 48 {
		t.Errorf("paged: %d free, %d used; reserved: %d, %d", paged.Free(), paged.Used(), reserved.Free(), reserved.Used())
	}
}

// TestOldestGoOn: a memory too small for all sends the young ones back, and all end.
func TestOldestGoOn(t *testing.T) {
	if m := Fill(12, 12, 200, false, texts); len(m.Done) != len(texts) || m.Free() != 12 {
		t.Errorf("%v are done", m.Done)
	}
}
