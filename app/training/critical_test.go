package training

import (
	"math/rand/v2"
	"testing"
)

// splitPipes calls yield with small pipelines that split the backward pass, and with some long ones: of 40 ranks, too,
// whose triangles are halved less often.
func splitPipes(yield func(q pipe)) {
	everyPipe(func(q pipe) {
		if q.split() {
			yield(q)
		}
	})
	for s := ZBH1; s < schedules; s++ {
		for _, m := range []int{2, 14, 32, 52, 101, 160} {
			if s.takes(16, m) {
				yield(newPipe(s, 16, 1, m))
			}
		}
		for _, m := range []int{80, 200} {
			yield(newPipe(s, 40, 1, m))
		}
	}
}

// TestCriticalPathCounted: ZB-H1 on two stages, three microbatches. The first does F1 F2 B1 W1 F3 B2 W2 B3 W3, the
// second F1 B1 F2 B2 W1 F3 B3 W2 W3. Where gradients of weights take longer than a forward pass, the first waits once,
// for B1: F1, then F1 and B1 on the second, then all that it does from its own B1 on. Where they take less, it waits
// for the second's B3 too: F1, then the second's F1 B1 F2 B2 W1 F3 B3, then its own B3 and W3.
func TestCriticalPathCounted(t *testing.T) {
	for _, c := range []struct{ length, want path }{
		{path{1, 2, 2}, path{1 + 1 + 1, 1 + 3, 3}},
		{path{2, 3, 1}, path{1 + 3, 3 + 1, 1 + 1}},
	} {
		q := newPipe(ZBH1, 2, 1, 3)
		if got := q.critical(q.orders(), c.length); got != c.want {
			t.Errorf("%v: %v, want %v", c.length, got, c.want)
		}
		all := c.length[0] + c.length[1] + c.length[2]
		near(t, "three microbatches", newPlays().span(q, c.length[0]/all, c.length[2]/all)*all,
			c.want.takes((*[3]float64)(&c.length)), 1e-12)
	}
	q := newPipe(ZBH1, 2, 1, 13) // ten more, through which no stage waits; 3 F + 4 B + 3 W and 10 of each
	near(t, "thirteen microbatches", newPlays().span(q, 1./5, 2./5)*5, 17+10*5, 1e-12)
}

// TestPricedAsPlayed: what is estimated is what is played, at the corners of the triangles in which paths are looked
// for exactly, elsewhere never above it and below by little; also if there are more microbatches than have been played.
// Where a rank holds the last stage as well as the first, the law of the first rank is up to a quarter above.
func TestPricedAsPlayed(t *testing.T) {
	plays, r, worst := newPlays(), rand.New(rand.NewPCG(seed(t), 7)), 0.0
	splitPipes(func(q pipe) {
		orders := q.orders()
		check := func(length [3]float64, exact bool) {
			all := length[0] + length[1] + length[2]
			want, got := q.play(orders, length[0], length[1], length[2], nil)/all, timeOf(plays, q, length)/all
			least, above := q.causal(length[0]/all, length[1]/all), 0.0
			if q.vee() || q.Schedule == DualPipe {
				above = min(max(0, least-want), 1./4)
			}
			worst = max(worst, want-got)
			if got > want+above+1e-9 || exact && got < want-1e-9 || got < want-0.03 {
				t.Errorf("%+v, %v: estimated as %v, played %v", q, length, got, want)
			}
			if got < least-1e-9 {
				t.Errorf("%+v, %v: %v, and the first rank takes %v", q, length, got, least)
			}
		}
		for _, corners := range triangles {
			for _, length := range corners {
				check(length, true)
			}
		}
		for _, length := range ratios {
			check(length, false)
		}
		for range 4 {
			f := 1 + r.Float64()
			check([3]float64{f, 1 + 2*r.Float64(), f * r.Float64()}, false)
		}
	})
	t.Logf("at most %.3f microbatches below what is played", worst)
}

// TestStepsGrowWithPasses: if a pass takes longer, the step takes no less, whatever its schedule.
func TestStepsGrowWithPasses(t *testing.T) {
	plays, r := newPlays(), rand.New(rand.NewPCG(seed(t), 9))
	splitPipes(func(q pipe) {
		f := 1 + r.Float64()
		length := [3]float64{f, 1 + 2*r.Float64(), f * r.Float64()}
		before := timeOf(plays, q, length)
		for pass := range length {
			longer := length
			longer[pass] *= 1 + r.Float64()
			if after := timeOf(plays, q, longer); after < before*(1-1e-12) {
				t.Errorf("%+v: %v of %v, %v of %v", q, before, length, after, longer)
			}
		}
	})
}

// TestWeightsOfAHostCounted: a host that takes a second a layer to issue three passes takes a third of it for those
// that make gradients of weights, however fast the devices' memories. One that takes nothing leaves the gradients of
// weights a third of the matmuls.
func TestWeightsOfAHostCounted(t *testing.T) {
	for _, stream := range []float64{1, 2, 4} {
		j := roundDense(2, 8)
		stack := *j.Stack
		stack.Launch, j.Stack = 1, &stack
		j.Device.Stream *= stream
		_, _, slow := laidOut(t, j, Plan{PP: 2, Schedule: ZBH1}) // of two layers, beside which the loss hides
		near(t, "a host's third", slow.Time.Passes[Weights], 2*(1./3), 1e-12)
		// the first stage takes as long, for a host issues its layers as it does the last's
		near(t, "a pass forward, backward", slow.Time.Bubble, slow.Time.Slot()-2*slow.Time.Passes[Weights], 1e-9)
		stack.Launch = 0
		_, _, fast := laidOut(t, j, Plan{PP: 2, Schedule: ZBH1})
		first := fast.Time.Slot() - fast.Time.Logits
		even := (first + fast.Time.Slot()) / 2
		near(t, "matmuls alone", fast.Time.Passes[Weights], even*fast.Time.Matmul/first/3, 1e-12)
	}
}

// TestRehearsals: a pipeline that is rehearsed, one play after another, takes as long as one that is asked for at once,
// and no rehearsal plays more than one pair of lengths.
func TestRehearsals(t *testing.T) {
	splitPipes(func(q pipe) {
		rehearsed, most := newPlays(), 0
		for more := true; more; {
			before := 0
			if rehearsed.exploring != nil {
				before = len(rehearsed.exploring.found)
			}
			if more = rehearsed.rehearse(q); more {
				most = max(most, len(rehearsed.exploring.found)-before)
			}
		}
		if most != 1 {
			t.Fatalf("%+v: %d plays in a rehearsal", q, most)
		}
		if got, want := rehearsed.span(q, 0.3, 0.31), newPlays().span(q, 0.3, 0.31); got != want {
			t.Errorf("%+v: rehearsed it takes %v, at once %v", q, got, want)
		}
	})
}
