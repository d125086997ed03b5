package training

import (
	"math/rand/v2"
	"testing"
)

// playUneven plays a pipeline whose stages have so many layers, the logits counted as layers of the last stage's last
// chunk, in times of a layer, of which a forward pass takes the share f. A stage's first chunks have a layer more.
func playUneven(q *pipe, s *stage, f float64) (span float64) {
	length := func(rank int, a act) float64 {
		n := int(s.layers(rank, q.ranks))
		layers := float64(n / q.chunks)
		if int(a.chunk) < n%q.chunks {
			layers++
		}
		if rank == q.ranks-1 && int(a.chunk) == q.chunks-1 {
			layers += s.logits
		}
		return layers * pick(a.pass == Forward, f, 1-f)
	}
	c, orders := newTimetable(q), q.orders()
	at, free := make([]int, q.ranks), make([]float64, q.ranks)
	for moved := true; moved; {
		moved = false
		for i, acts := range orders {
			for at[i] < len(acts) {
				from, ok := c.ready(i, acts[at[i]])
				if !ok {
					break
				}
				free[i] = max(free[i], from) + length(i, acts[at[i]])
				c.set(i, acts[at[i]], free[i])
				at[i], moved = at[i]+1, true
			}
		}
	}
	return free[0] // the first rank begins first and ends last
}

// estimated is the same by the closed form.
func estimated(q *pipe, s *stage, f float64) float64 {
	c := layout{schedule: q.Schedule, pp: float64(q.ranks), v: float64(q.chunks), m: float64(q.micros), stage: *s}
	waits, _ := c.closed(f)
	return c.m*s.work + waits
}

// TestUnevenStagesArePlayed: three layers on two stages are two and one. Four microbatches take the first 4 x 2 layers'
// time and what it waits for the second stage's layer: of its forward third and backward two thirds the next forward
// pass of two layers hides 2/3, and the backward pass all, so that a third is left. GPipe waits for all of it. Whatever
// the layers and logits, the closed forms are what is played; fewer microbatches than stages take no longer than they
// say.
func TestUnevenStagesArePlayed(t *testing.T) {
	two := split(3, 0, 2, ends{}, false)
	one, all := newPipe(OneFOneB, 2, 1, 4), newPipe(GPipe, 2, 1, 4)
	near(t, "1F1B", estimated(&one, &two, 1./3), 8+1./3, 1e-12)
	near(t, "1F1B, played", playUneven(&one, &two, 1./3), 8+1./3, 1e-12)
	near(t, "GPipe", estimated(&all, &two, 1./3), 9, 1e-12)
	r := rand.New(rand.NewPCG(seed(t), 1))
	for range 3000 {
		p := 2 + r.IntN(9)
		e := ends{}
		if p > 2 && r.IntN(3) == 0 {
			e = ends{1, r.IntN(2)}
		}
		s := split(float64(2*p+r.IntN(5*p)), 3*r.Float64()*float64(r.IntN(2)), p, e, r.IntN(3) == 0)
		f := 0.25 + 0.2*r.Float64()
		q := newPipe([]Schedule{OneFOneB, GPipe}[r.IntN(2)], p, 1, 1+r.IntN(4*p))
		got, want, within := estimated(&q, &s, f), playUneven(&q, &s, f), 1e-9
		if got < want-within || got > want+within && (q.Schedule == GPipe || q.micros >= p) {
			t.Errorf("%+v of %+v, forward %.2f: %v, played %v", q, s, f, got, want)
		}
	}
}

// TestUnevenChunks: interleaved stages whose chunks differ by a layer take as long as they are played, within a sixth
// where chunks have one layer or two, within a tenth where they have more, and in the mean within two percent.
func TestUnevenChunks(t *testing.T) {
	for _, c := range []struct {
		least  int // layers of a chunk
		within float64
	}{{1, 1. / 6}, {3, 0.1}} {
		sum, n := 0.0, 0
		for _, p := range []int{2, 4, 8} {
			for _, v := range []int{2, 3, 4} {
				for L := p*v*c.least + 1; L < p*v*(c.least+1); L++ {
					for _, m := range []int{p, 2 * p, 8 * p} {
						for _, logits := range []float64{0, 0.5, 2} {
							s := split(float64(L), logits, p, ends{}, false)
							q := newPipe(Interleaved, p, v, m)
							off := estimated(&q, &s, 1./3)/playUneven(&q, &s, 1./3) - 1
							if sum, n = sum+off, n+1; off > c.within || off < -c.within {
								t.Errorf("%d layers on %d stages of %d chunks, %v of logits, %d microbatches: %.3f off",
									L, p, v, logits, m, off)
							}
						}
					}
				}
			}
		}
		if mean := sum / float64(n); mean > 0.02 || mean < -0.02 {
			t.Errorf("%d layers a chunk: %.3f off in the mean", c.least, mean)
		}
	}
}

// TestStagesTakeTheirLayersTime: one microbatch goes through all layers and the loss once, there and back. However many
// stages share the layers, and however little a layer computes beside what it waits, it takes as long as the layers of
// one stage do one after another, and what makes the logits counts once.
func TestStagesTakeTheirLayersTime(t *testing.T) {
	r, checked := rand.New(rand.NewPCG(seed(t), 21)), 0
	for range 400 {
		j := randomJob(t, r)
		p := NewEstimator(j)
		s := p.Whole()
		plan, found := randomPlan(r, p, &s)
		plan.Schedule, plan.Virtual, plan.Zero = OneFOneB, 1, min(plan.Zero, 1)
		if !found || plan.PP == 1 || p.Legal(plan) != nil {
			continue
		}
		checked++
		x := p.Estimate(plan).Time
		c := p.layout(&plan)
		busy := x.Matmul + x.Attention + x.Elementwise
		var alone Time
		p.compute(&c, &alone)
		layer := busy / c.stage.pace
		if least := x.Bubble + x.MicroBatches*(x.Slot()-x.Wait); least < (p.shape.layers*layer+c.loss)*(1-1e-9) {
			t.Errorf("%s, %v: %d layers of %v s and a loss of %v s in %v s", j.Model.ID, plan, j.Model.Layers, layer,
				c.loss, least)
		}
		if others := (p.shape.layers - c.stage.last) * layer; x.Logits > 0 && x.Bubble < others*(1-1e-9) {
			t.Errorf("%s, %v: the last stage, the slowest, waits %v s for %v s of others", j.Model.ID, plan, x.Bubble,
				others)
		}
	}
	if checked < 20 {
		t.Errorf("only %d plans", checked)
	}
}

// TestLossOfAShortStageCounted: a sequence goes through three layers on one stage, then one with the loss on the other.
// The loss takes what it computes and moves, not so many layers as it has operations, however slow layers are.
func TestLossOfAShortStageCounted(t *testing.T) {
	for _, slower := range []float64{1, 3} {
		j := roundDense(2, 1)
		stack := *j.Stack
		stack.Traffic, j.Stack = slower*stack.Traffic, &stack
		_, _, estimate := laidOut(t, j, Plan{PP: 2, Last: 1})
		x := &estimate.Time
		const loss = 3*2*2000*handTable/handRate + 15*2000*10000/handKernel
		took := x.Slot() + x.Bubble
		handCount{"there and back", took, x.Slot()*4/3 + loss, "four of three layers, and a loss"}.check(t)
	}
}
