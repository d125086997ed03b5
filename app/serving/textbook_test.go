package serving

import (
	"math"
	"testing"
)

// TestQueueOfOneServer: with one slot the chain is the textbook's M/M/1.
func TestQueueOfOneServer(t *testing.T) {
	l := desk{slots: 1, prompt: 0.2, step: 0.01, each: 0.005, out: 100}
	service, rate := l.service(1), 0.4
	if want := 1 / (100*0.015 + 0.2); math.Abs(service-want) > 1e-12 {
		t.Fatalf("service %v, want %v", service, want)
	}
	busy := rate / service
	running, waiting := l.mean(rate)
	if math.Abs(running-busy) > 1e-12 || math.Abs(waiting-busy*busy/(1-busy)) > 1e-12 {
		t.Errorf("%v run, %v wait at %v busy", running, waiting, busy)
	}
}

// TestQueueOfManyServers: if a step takes no longer with more requests, the slots are servers that don't disturb each
// other, and the wait is Erlang's.
func TestQueueOfManyServers(t *testing.T) {
	l := desk{slots: 12, step: 0.02, out: 50}
	for _, rate := range []float64{1, 6, 11, 11.9} {
		load := rate * 50 * 0.02
		b := 1.0 // Erlang's loss, server by server
		for n := 1.0; n <= 12; n++ {
			b = load * b / (n + load*b)
		}
		late := b / (1 - load/12*(1-b))
		running, waiting := l.mean(rate)
		if want := late * load / (12 - load); math.Abs(waiting-want) > 1e-9*want || math.Abs(running-load) > 1e-9*load {
			t.Errorf("at %v: %v run, %v wait, want %v and %v", rate, running, waiting, load, want)
		}
	}
}

// TestQueueOverflows: as many slots as there may be give finite numbers right below capacity.
func TestQueueOverflows(t *testing.T) {
	l := desk{slots: mostSlots, prompt: 0.001, step: 0.02, each: 1e-5, out: 1000}
	running, waiting := l.mean(0.999 * l.service(mostSlots))
	if !(running > 1000 && running <= mostSlots) || !(waiting > 0) || math.IsInf(waiting, 0) {
		t.Errorf("%v run, %v wait", running, waiting)
	}
}
