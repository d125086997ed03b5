package trace

import (
	"fmt"
	"testing"
)

// stream is n kernels of 60 us on one stream of a process, each so long after the one before.
func stream(n int, from, apart float64) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"ph":"X","pid":0,"tid":7,"cat":"kernel","name":"gemm","ts":%g,"dur":60}`,
			from+apart*float64(i)))
	}
	return all
}

// Two ranks under the number of one process show kernels of a stream at the same time: 20 of 60 us in 973 us. Kernels
// that start 20 us before the one before them ends, by programmatic dependent launch, are those of one device, and so
// are streams beside each other.
func TestCrowded(t *testing.T) {
	other := fmt.Sprintf(`{"ph":"X","pid":0,"tid":8,"cat":"kernel","name":"gemm","ts":0,"dur":%d}`, 1000)
	for name, c := range map[string]struct {
		events []string
		want   int
	}{
		"two ranks":           {append(stream(10, 0, 100), stream(10, 13, 100)...), 1},
		"one rank":            {stream(10, 0, 100), 0},
		"dependent launch":    {stream(20, 0, 40), 0},
		"two streams":         {append(stream(10, 0, 100), other), 0},
		"too few to tell":     {append(stream(2, 0, 100), stream(2, 13, 100)...), 0},
		"one after the other": {append(stream(10, 0, 100), stream(10, 5000, 100)...), 0},
	} {
		tr := whole(t, events(c.events...))
		if tr.Crowded != c.want || len(tr.Devices) != 1 || again(t, tr).Crowded != c.want {
			t.Errorf("%s: %d streams, want %d", name, tr.Crowded, c.want)
		}
	}
}

// Kernels of one process that name two devices are those of two, whether or not their streams have the same number.
// Where the process is called by the number of its first device, as in PyTorch, so is the second by its own.
func TestDevicesOfAProcess(t *testing.T) {
	for pid, name := range map[string]string{"0": "GPU 1", "77": "GPU 77 1"} {
		for _, second := range []int{7, 8} {
			var all []string
			for i := range 10 {
				for device, tid := range []int{7, second} {
					all = append(all, fmt.Sprintf(`{"ph":"X","pid":%s,"tid":%d,"cat":"kernel",`+
						`"name":"gemm","ts":%d,"dur":60,"args":{"device":%d}}`, pid, tid, 100*i, device))
				}
			}
			tr := whole(t, events(all...))
			if len(tr.Devices) != 2 || tr.Crowded > 0 || !near(tr.Devices[1].Compute, 600e-6) ||
				tr.Devices[1].Name != name || tr.Devices[0].Name != "GPU "+pid {
				t.Errorf("process %s, streams 7 and %d: %+v", pid, second, tr.Devices)
			}
		}
	}
	one := `{"ph":"X","pid":77,"tid":7,"cat":"kernel","name":"gemm","ts":1,"dur":60,"args":{"device":0}}`
	if tr := whole(t, events(one, one)); len(tr.Devices) != 1 || tr.Devices[0].Name != "GPU 77" {
		t.Errorf("%+v", tr.Devices)
	}
}
