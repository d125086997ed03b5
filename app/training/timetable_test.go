package training

import (
	"math"
	"testing"
)

// ratios are how long a microbatch takes forward, backward to the gradients of activations, and for those of weights:
// alike; with attention; computed again; of long sequences; and where weights don't learn.
var ratios = [][3]float64{{1, 1, 1}, {1, 1.3, 0.8}, {1, 2, 1}, {1, 2.2, 0.4}, {1.1, 1, 0.9}, {1, 1, 0}}

// everyPipe calls yield with all small pipelines.
func everyPipe(yield func(q pipe)) {
	for s := OneFOneB; s < schedules; s++ {
		for p := 2; p <= 7; p++ {
			for m := 1; m <= 6*p; m++ {
				for v := 1; v <= 3; v++ {
					if s.takes(p, m) && (v == 1) == (s != Interleaved) {
						yield(newPipe(s, p, v, m))
					}
				}
			}
		}
	}
}

// timeOf is how long a pipeline takes as it is priced.
func timeOf(t *plays, q pipe, r [3]float64) float64 {
	all := r[0] + r[1] + r[2]
	if waits, ok := q.closed(float64(q.ranks), float64(q.chunks)); ok {
		return (float64(q.micros) + waits) * all
	}
	return t.span(q, r[0]/all, r[2]/all) * all
}

// TestCausality: no pipeline is faster than its first rank can be, which waits for the first microbatch to come back,
// nor than one microbatch on its way through all stages and back. Chunks let the first rank begin backward earlier.
func TestCausality(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		for _, r := range ratios {
			p, m := float64(q.ranks), float64(q.micros)
			f, b, w := r[0], r[1], r[2]
			if !q.split() {
				b, w = b+w, 0
			}
			got := timeOf(plays, q, r)
			back := (p - 1) * b
			if q.Schedule == Interleaved {
				back /= float64(q.chunks)
			}
			if least := max(0, p*f+back-m*f) + m*(f+b+w); got < least-1e-9 {
				t.Errorf("%+v, %v: %v, and the first rank takes %v", q, r, got, least)
			}
			if least := p * (f + b); got < least-1e-9 {
				t.Errorf("%+v, %v: %v, and a microbatch takes %v", q, r, got, least)
			}
		}
	})
}

// TestMoreMicrobatchesTakeLonger: at least as long as a rank computes, even where the schedule is full.
func TestMoreMicrobatchesTakeLonger(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		for _, r := range ratios {
			more := q
			for more.micros++; !more.takes(more.ranks, more.micros); more.micros++ {
			}
			before, after := timeOf(plays, q, r), timeOf(plays, more, r)
			if after <= before {
				t.Errorf("%+v, %v: %v, one microbatch more takes %v", q, r, before, after)
			}
		}
	})
}

// TestPricedAsPlayed: what is priced is what is played, or above it by little, where ratios lie between those of the
// table; also if there are more microbatches than the table has.
func TestPricedAsPlayed(t *testing.T) {
	plays := newPlays()
	worst := 0.0
	everyPipe(func(q pipe) {
		for _, r := range ratios {
			want, got := q.play(q.orders(), r[0], r[1], r[2], nil), timeOf(plays, q, r)
			slots := (got - want) / (r[0] + r[1] + r[2])
			if worst = max(worst, slots); slots < -1e-9 || slots > 0.2 {
				t.Errorf("%+v, %v: priced as %v, played %v", q, r, got, want)
			}
			if grid := r == ratios[0] || r == ratios[2]; grid && slots > 1e-9 && q.micros >= q.ranks {
				t.Errorf("%+v, %v: priced as %v, played %v, which the table has", q, r, got, want)
			}
		}
	})
	t.Logf("at most %.3f microbatches above what is played", worst)
}

// TestClosedForms: the laws of the papers, of passes that take the same time, where they hold: 1F1B (p-1)(F+B),
// interleaved that over v; ZB-H1 (p-1)(F+B-W) from as many microbatches as stages; ZB-H2 and ZB-V none from 2p-1 on;
// DualPipe (p/2-1)(F&B + B - 3W), F&B being both one after the other. Of V-Half and V-Min the papers say that their
// bubbles are about 1/2 and 2/3 of 1F1B's; played, V-Half's is (3p - 4)/2 of an even p, and V-Min's within two slots.
func TestClosedForms(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		p, m := float64(q.ranks), float64(q.micros)
		law, within, holds := 0.0, 1e-9, true
		switch q.Schedule {
		case GPipe, OneFOneB:
			law = 3 * (p - 1)
		case Interleaved:
			law = 3 * (p - 1) / float64(q.chunks)
		case ZBH1:
			law, holds = p-1, m >= p
		case ZBH2, ZBV:
			holds = m >= 2*p-1
		case VHalf:
			law, holds = (3*p-4)/2, q.ranks%2 == 0 && m >= p
		case VMin:
			law, within, holds = 2*(p-1), 2, m >= p
		case DualPipe:
			law = p - 2
		}
		if got := timeOf(plays, q, ratios[0]) - 3*m; holds && math.Abs(got-law) > within {
			t.Errorf("%+v: a bubble of %v, the law says %v", q, got, law)
		}
	})
}

// ZB-H1's law holds of all ratios.
func TestZeroBubbleLaw(t *testing.T) {
	for _, r := range [][3]float64{{1, 1, 1}, {1, 2, 1}, {1, 1.5, 0.5}} {
		q := newPipe(ZBH1, 6, 1, 20)
		want := 20*(r[0]+r[1]+r[2]) + 5*(r[0]+r[1]-r[2])
		near(t, "ZB-H1", timeOf(newPlays(), q, r), want, 1e-9)
	}
}

// TestTimetablesKeepTheOrder: each pass begins when what it needs is done, no stage does two things at once, and all
// that is to be done is done once.
func TestTimetablesKeepTheOrder(t *testing.T) {
	everyPipe(func(q pipe) {
		stages, ok := Timetable(q.Schedule, q.ranks, q.chunks, q.micros, 1, 1.5, 0.75)
		if !ok {
			t.Fatalf("%+v can't be played", q)
		}
		checkTimetable(t, q, stages)
	})
}

func checkTimetable(t *testing.T, q pipe, stages [][]Run) {
	t.Helper()
	done, passes := map[[4]int]float64{}, 0
	for i, runs := range stages {
		for _, r := range runs {
			done[[4]int{i, int(r.Pass), r.Chunk, r.Micro}] = r.Until
			passes++
		}
	}
	want := 2 * q.ranks * q.micros * int(q.parts())
	if q.split() {
		want += want / 2
	}
	if passes != want || len(done) != want {
		t.Errorf("%+v: %d passes, %d of them different, want %d", q, passes, len(done), want)
	}
	joined := q.Schedule == DualPipe // passes that overlap stand one after another in a timetable
	for i, runs := range stages {
		free := 0.0
		for _, r := range runs {
			for _, need := range needs(&q, i, r) {
				at, ok := done[need]
				if r.From < free-1e-9 || !ok || !joined && r.From < at-1e-9 {
					t.Errorf("%+v: stage %d begins %+v too early", q, i, r)
				}
			}
			free = r.Until
		}
	}
}

// needs are the passes that one needs.
func needs(q *pipe, stage int, r Run) (all [][4]int) {
	own := [4]int{stage, int(Forward), r.Chunk, r.Micro}
	switch r.Pass {
	case Forward:
		if i, k := q.before(stage, r.Chunk); i >= 0 {
			all = append(all, [4]int{i, int(Forward), k, r.Micro})
		}
	case Backward:
		all = append(all, own)
		if i, k := q.after(stage, r.Chunk); i >= 0 {
			all = append(all, [4]int{i, int(Backward), k, r.Micro})
		}
	case Weights:
		own[1] = int(Backward)
		all = append(all, own)
	}
	return all
}

// TestMicrobatchesInFlight: where memory has a closed form, ranks keep as much in what is played; elsewhere what the
// papers say: ZB-H1 and ZB-V as much as 1F1B on each rank, ZB-H2 2p-1, V-Half p/2+1, V-Min p/3+1 and a chunk at most,
// DualPipe p+1. Never more than there are.
func TestMicrobatchesInFlight(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		p, m := float64(q.ranks), float64(q.micros)
		got := newFlight(q.held(q.orders()))
		if law, ok := q.Schedule.flight(p, float64(q.chunks), m); ok {
			if got != law && (q.ranks > 2 || got.first != law.first || got.last != law.last) {
				t.Errorf("%+v: ranks keep %+v, the law says %+v", q, got, law)
			}
			return
		}
		if table := plays.flight(q); table != got {
			t.Errorf("%+v: ranks keep %+v, the table says %+v", q, got, table)
		}
		most := map[Schedule]float64{ZBH1: p, ZBH2: 2*p - 1, ZBV: p, VHalf: p/2 + 1, VMin: p/3 + 1.5, DualPipe: p + 1}
		if fullest := max(got.first, got.middle, got.last); fullest > min(m, most[q.Schedule])+1e-9 {
			t.Errorf("%+v: a rank keeps %v", q, fullest)
		}
	})
}

// One sequence through four stages can't do without a bubble: the next stage waits for the one before.
func TestOneSequence(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 4, 1, 8192)
	p := NewPricer(j)
	usual := p.Price(Plan{PP: 4, Zero: 1}).Time
	one := usual.Step()
	for s := ZBH1; s <= VMin; s++ {
		time := p.Price(Plan{PP: 4, Zero: 1, Schedule: s}).Time
		if least := 4 * (time.Passes[Forward] + time.Passes[Backward]); time.Bubble == 0 || time.Step() < least {
			t.Errorf("%s: %v s, one microbatch takes %v", s, time.Step(), least)
		}
		if time.Step() < 0.7*one {
			t.Errorf("%s: %v s, 1F1B takes %v", s, time.Step(), one)
		}
	}
}
