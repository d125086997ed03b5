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

// What takes too long is seen on any machine, and what is slow but once is not.
func TestWithin(t *testing.T) {
	const limit = 5 * time.Millisecond
	wait := func(d time.Duration) {
		for began := used(); used()-began < d; {
			runtime.Gosched()
		}
	}
	slow := max(1, float64(Of(reference))/float64(usual))
	runs := 0
	if took, ok := Within(limit, func() { runs++; wait(time.Duration(20 * slow * float64(limit))) }); ok || runs < 2 {
		t.Errorf("%v is within %v after %d runs", took, limit, runs)
	}
	first := true
	if took, ok := Within(limit, func() {
		if first {
			wait(time.Duration(20 * slow * float64(limit)))
		}
		first = false
	}); !ok {
		t.Errorf("%v once isn't within %v", took, limit)
	}
}
