package cputime

import (
	"runtime"
	"testing"
	"time"
)

// Who waits computes nothing, as if another program had the processor, and who computes is seen to.
func TestOf(t *testing.T) {
	const long = 200 * time.Millisecond
	unknown := runtime.GOOS == "windows" || runtime.GOOS == "plan9"
	if took := Of(func() { time.Sleep(long) }); took > long/2 && !unknown {
		t.Errorf("waiting takes %v", took)
	}
	sum := 0
	took := Of(func() {
		for began := used(); used()-began < long; {
			for i := range 1000 {
				sum += i
			}
		}
	})
	if took < long || took > 5*long {
		t.Errorf("%v of computing takes %v (%d)", long, took, sum)
	}
}
