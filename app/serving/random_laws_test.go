package serving

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

// best is the most that a search finds: requests a second, tokens a second of a user, and first tokens a second of
// waiting, each of a plan of its own.
type best struct{ rate, user, first float64 }

func (w Spec) best() (b best) {
	all, _ := w.Search(0, 1)
	for i := range all {
		o := &all[i]
		b = best{max(b.rate, o.Requests), max(b.user, o.PerUser), max(b.first, 1/o.TTFT)}
	}
	return b
}

// Of set-ups drawn at random the best plan is no worse with more: with twice the chips or one more, with a faster chip,
// with looser limits, or where prefill and decode may be apart; nor with less to do. The same are drawn each time; to
// try others:
//
//	SEED=$RANDOM go test ./app/serving -run BestPlans
//
// Bursts of a few requests come in other steps where lengths change, so that these laws hold to a few percent there.
func TestBestPlansAreNoWorseWithMore(t *testing.T) {
	seed, wishes := uint64(5), 12
	if n, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		seed, wishes = n, 200
	}
	if testing.Short() {
		wishes = 3
	}
	r := rand.New(rand.NewPCG(seed, 31))
	for range wishes {
		w := randomWish(t, r)
		w.Chips = 1 + r.IntN(24)
		is := w.best()
		for what, law := range map[string]struct {
			within float64
			change func(w *Spec)
		}{
			"twice the chips": {1e-4, func(w *Spec) { w.Chips *= 2 }},
			"one more chip":   {oneMore(w.Chips), func(w *Spec) { w.Chips++ }},
			"a faster chip": {0.001, func(w *Spec) {
				c := &w.Chip
				for _, x := range []*float64{&c.Bandwidth, &c.Memory, &c.Link, &c.Network, &c.Peak16, &c.Peak8,
					&c.Peak4} {
					*x *= 1.3
				}
			}},
			"looser limits":   {0, func(w *Spec) { w.TTFT, w.TPOT = 1.5*w.TTFT, 1.5*w.TPOT }},
			"also apart":      {0, func(w *Spec) { w.Apart = true }},
			"shorter prompts": {0.001, func(w *Spec) { w.Load.In = math.Ceil(0.7 * w.Load.In) }},
			"shorter answers": {0.03, func(w *Spec) { w.Load.Out = max(math.Ceil(0.7*w.Load.Out), 2) }},
			"more hits":       {0.02, func(w *Spec) { w.Load.Hit += (1 - w.Load.Hit) / 2 }},
		} {
			more := w
			law.change(&more)
			b := more.best()
			if least := 1 - law.within; b.rate < least*is.rate || b.user < least*is.user || b.first < least*is.first {
				t.Errorf("%s: %+v after %+v; %s on %d %s, %q, %+v", what, b, is, w.Shape.Model.ID, w.Chips, w.Chip.ID,
					w.Engine.Name, w.Load)
			}
		}
	}
}

// oneMore is how exactly one more chip is no worse: of an even number the next has all its plans; of an odd one experts
// may be spread unevenly where they weren't.
func oneMore(chips int) float64 {
	if chips%2 == 0 {
		return 0
	}
	return 0.05
}

// One chip more than an even number takes no plan away.
func TestOneChipMoreTakesNoPlanAway(t *testing.T) {
	for _, name := range []string{"gpt_oss.120b", "qwen3.14b", "deepseek.v3"} {
		shape := replica(t, name, "gpu.gb200", 1, Plan{}, Fitted("")).Shape
		for chips := 2; chips <= 72; chips += 2 {
			w := Spec{Shape: shape, Chip: chipOf(t, "gpu.gb200"), Chips: chips}
			before := w.Plans()
			w.Chips++
			after := w.Plans()
			for _, p := range before {
				if !slices.Contains(after, p) {
					t.Errorf("%s: %v is a plan of %d chips and none of %d", name, p, chips, w.Chips)
				}
			}
		}
	}
}

// Weights in fewer bits take no more of a chip, and leave no less of it, on any plan, as an engine runs them there; but
// for experts split so far that kernels pad what a chip has of one.
func TestFewerBitsTakeNoMore(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 31))
	tried := 0
	for range 60 {
		w := randomWish(t, r)
		for _, p := range w.Plans() {
			if w.Shape.Blocks > 0 && w.Shape.Model.ExpertWidth() < 128*p.ETP {
				continue
			}
			before := Memory{}
			for i, f := range []struct {
				name string
				size float64
			}{{"", 2}, {"fp8", 1}, {"int4", Int4}} {
				spec := w
				if f.name != "" && spec.StoreAs(f.name) != nil {
					continue
				}
				s := NewShape(w.Shape.Model, Stored(w.Shape.Model.ID, f.size, 2))
				a, err := NewReplica(s, spec.Chip, p, w.Constants, w.Engine)
				if err != nil {
					break
				}
				m := a.Memory(w.Load.In)
				if tried++; i > 0 && (m.Weights > before.Weights || m.Sequences < before.Sequences) {
					t.Errorf("%s on %s, %v, %s: %v bytes and %v sequences after %v and %v", w.Shape.Model.ID,
						w.Chip.ID, p, f.name, m.Weights, m.Sequences, before.Weights, before.Sequences)
				}
				before = m
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d were tried", tried)
	}
}
