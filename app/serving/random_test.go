package serving

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// randomWish is to serve any of a few models on any number of chips, any load, with any engine that serves there.
func randomWish(t *testing.T, r *rand.Rand) Spec {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	name := pick("llama3.8b", "llama3.70b", "qwen3.32b", "qwen3.235b_a22b", "gpt_oss.120b", "deepseek.v3", "gemma3.12b",
		"mixtral.8x7b")
	chip := pick("gpu.h100", "gpu.h200", "gpu.b200", "gpu.mi300x", "gpu.gb200")
	engine := pick("", "vllm", "sglang", "trtllm")
	if r.IntN(6) == 0 {
		chip, engine = pick("tpu.v5p", "tpu.v6e"), pick("", "maxtext")
	}
	size := []float64{2, 1, 4.5 / 8}[r.IntN(3)]
	shape := replica(t, name, chip, size, Plan{}, Fitted(engine)).Shape
	w := Spec{Shape: shape, Chip: chipOf(t, chip), Chips: []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 72}[r.IntN(10)],
		Constants: Fitted(engine), Engine: Engine{Name: engine}, Apart: r.IntN(4) == 0}
	w.Load = Load{In: math.Floor(math.Exp(r.Float64() * 11)), Out: 1 + math.Floor(math.Exp(r.Float64()*8)),
		Hit: []float64{0, 0, 0.5, 0.95}[r.IntN(4)], Spread: UsualSpread * r.Float64()}
	if r.IntN(4) == 0 {
		w.Load = w.Load.Speculate(Survival{0.8, 0.6}[:1+r.IntN(2)])
	}
	w.Engine.Halves, w.Engine.Graphless = r.IntN(4) == 0, r.IntN(8) == 0
	if r.IntN(3) == 0 {
		w.Engine.Chunk, w.Engine.Sequences = float64(int(256)<<r.IntN(7)), float64(1+r.IntN(256))
	}
	if r.IntN(5) == 0 {
		w.Offload = 40e9
	}
	if r.IntN(5) == 0 {
		w.TTFT, w.TPOT = 2*r.Float64(), 0.1*r.Float64()
	}
	return w
}

// Of 200 set-ups drawn at random no option breaks a bound or a law of conservation, keeps less than the limits asked
// for, is read back as another or with other numbers, or stands on the front though another beats it. The same are
// drawn each time; to try others:
//
//	SEED=$RANDOM go test ./app/serving -run RandomWishes
func TestRandomWishes(t *testing.T) {
	seed, wishes, found := uint64(3), 200, 0
	if text := os.Getenv("SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	if testing.Short() {
		wishes = 6
	}
	r := rand.New(rand.NewPCG(seed, 29))
	for range wishes {
		w := randomWish(t, r)
		all, refused := w.Search(0, 1)
		if len(all) == 0 && len(refused) == 0 {
			t.Errorf("%s on %d %s: no plan, and no reason", w.Shape.Model.ID, w.Chips, w.Chip.ID)
		}
		front := Front(all)
		for i := range front {
			for j := range all {
				if a, b := &all[j], &front[i]; a.PerUser >= b.PerUser && a.PerChip >= b.PerChip &&
					(a.PerUser > b.PerUser ||
						a.PerChip > b.PerChip) {
					t.Fatalf("%v of %v is on the front, and %v of %v beats it", b.Plan, b.Batch, a.Plan, a.Batch)
				}
			}
		}
		for range min(len(all), 12) {
			checkOption(t, w, all[r.IntN(len(all))])
			found++
		}
	}
	if found < 5*wishes {
		t.Errorf("only %d options", found)
	}
}

// checkOption holds an option against what must be true of all.
func checkOption(t *testing.T, w Spec, o Option) {
	t.Helper()
	m, l := w.Shape.Model, w.Load
	bad := func(what string, got, limit float64) {
		t.Errorf("%s on %d %s, %v with %v, %+v: %s is %v, and can be %v", m.ID, w.Chips, w.Chip.ID, o.Plan, o.Batch, l,
			what, got, limit)
	}
	if o.Chips > float64(w.Chips) || o.Chips < 1 {
		bad("chips", o.Chips, float64(w.Chips))
	}
	if w.TTFT > 0 && o.TTFT > w.TTFT || w.TPOT > 0 && o.TPOT > w.TPOT {
		bad("seconds to a token", o.TPOT, w.TPOT)
	}
	// Bytes: a step reads all of attention's weights, and gives each sequence no more tokens than guesses yield.
	p, yield := o.Plan.full(), max(l.Tokens, 1)
	least := w.Shape.Attn * w.Shape.Precision.Attention / float64(p.TP) / w.Chip.Bandwidth / yield
	if o.Offload > 0 {
		least = 0
	}
	if o.TPOT < least*(1-1e-9) && l.Out > 1 {
		bad("seconds a token", o.TPOT, least)
	}
	// Operations: two a weight and token, at the chips' best rate.
	peak := max(w.Chip.Peak16, w.Chip.Peak8, w.Chip.Peak4) * o.Chips
	if rate := o.Requests * (l.fresh() + l.Out - 1) * 2 * m.Params().Matmul(); m.MoE.Experts == 0 && rate > peak {
		bad("FLOP/s", rate, peak)
	}
	// Arrivals are completions: requests under way are their rate times how long each stays, and tokens go with them.
	if under, way := o.Requests*o.E2E, o.Batch*o.Replicas; math.Abs(under-way) > 0.02*way {
		bad("requests under way", under, way)
	}
	if math.Abs(o.Output-o.Requests*l.Out) > 1e-9*o.Output || math.Abs(o.E2E-o.TTFT-o.TPOT*(l.Out-1)) > 1e-9*o.E2E {
		bad("tokens a second", o.Output, o.Requests*l.Out)
	}
	for name, x := range map[string]float64{"TTFT": o.TTFT, "TPOT": o.TPOT, "rate": o.Output, "a chip": o.PerChip} {
		if !(x > 0) || math.IsInf(x, 0) {
			bad(name, x, 1)
		}
	}
	if s := w.Spreads().Intervals(&o); !(s.First.holds(o.TTFT) && s.Token.holds(o.TPOT) && s.Rate.holds(o.PerChip)) {
		t.Errorf("%v lies outside of its intervals: %+v", o.Plan, s)
	}
	checkReadBack(t, w, o)
}

// checkReadBack holds that an option is among those of its own layout, as it is printed, and with other numbers of
// chips no other one is.
func checkReadBack(t *testing.T, w Spec, o Option) {
	t.Helper()
	g := o.Given()
	for _, p := range []*Plan{&g.Layout, &g.Prompts} {
		if *p == (Plan{}) {
			continue
		}
		read, err := ReadPlan(p.String())
		if err != nil || read.full() != p.full() {
			t.Errorf("%v is read as %+v: %v", *p, read, err)
			return
		}
		*p = read
	}
	again := w
	again.Apart = false
	again.Given = g
	same := false
	options, _ := again.Search(0, 1)
	for i := range options {
		same = same || options[i] == o
		if options[i].Given().Layout != o.Given().Layout || options[i].Chips != o.Chips {
			t.Errorf("%+v gives %+v", o.Given(), options[i].Given())
		}
	}
	if !same {
		t.Errorf("%+v with %v is not among the %d options of its own layout", o.Given(), o.Batch, len(options))
	}
	if again.Chips = int(o.Chips) - 1; again.Chips > 0 {
		if options, refused := again.Search(0, 1); len(options) > 0 || len(refused) == 0 {
			t.Errorf("%+v has %d options on %d chips", o.Given(), len(options), again.Chips)
		}
	}
}
