package serving

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// spec is Llama 70B in 8 bits on eight H100.
func spec(t *testing.T) Spec {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, Fitted("vllm"))
	return Spec{Shape: r.Shape, Chip: r.Chip, Chips: 8, Constants: r.Constants, Load: Load{In: 2000, Out: 500}}
}

// TestRefusalsSayWhatToChange: whatever a search does not take, it says what would change that.
func TestRefusalsSayWhatToChange(t *testing.T) {
	seen := map[string]bool{}
	for _, change := range []func(*Spec){
		func(w *Spec) { w.Chips = 1 },
		func(w *Spec) { w.TPOT = 1e-4 },
		func(w *Spec) { w.TTFT = 1e-4 },
		func(w *Spec) { w.Engine.Length = 1000 },
		func(w *Spec) { w.Load.Out = 4e6 },
	} {
		w := spec(t)
		change(&w)
		_, refused := w.Search(0, 1)
		for _, r := range refused {
			e, ok := r.Why.(*Error)
			if !ok || e.What == nil || e.Remedy == nil {
				t.Errorf("%v is refused without a remedy: %v", r.Plan, r.Why)
				continue
			}
			seen[e.What.Key] = true
		}
	}
	for _, key := range []string{"no-memory", "token-late", "first-late", "over-length"} {
		if !seen["serving."+key] {
			t.Errorf("no plan was refused for %s", key)
		}
	}
}

// Parts together are the whole, in any number.
func TestPartsAreTheWhole(t *testing.T) {
	w := spec(t)
	whole, refused := w.Search(0, 1)
	for _, parts := range []int{2, 3, 7} {
		n, no := 0, 0
		for i := range parts {
			some, without := w.Search(i, parts)
			n += len(some)
			for _, r := range without {
				no += r.Count
			}
		}
		count := 0
		for _, r := range refused {
			count += r.Count
		}
		if n != len(whole) || no != count {
			t.Errorf("%d parts have %d options and %d refusals; the whole has %d and %d", parts, n, no, len(whole),
				count)
		}
	}
}

// Nothing beats what is on the front, and everything else is beaten or equalled.
func TestFront(t *testing.T) {
	w := spec(t)
	w.Apart = true
	all, _ := w.Search(0, 1)
	front := Front(all)
	if len(front) < 5 {
		t.Fatalf("the front has %d options of %d", len(front), len(all))
	}
	on := func(o Option) bool {
		for _, f := range front {
			if f.PerUser == o.PerUser && reflect.DeepEqual(f, o) {
				return true
			}
		}
		return false
	}
	for _, o := range all {
		beaten := false
		for _, f := range front {
			beaten = beaten || f.PerUser >= o.PerUser && f.PerChip >= o.PerChip
		}
		if !beaten {
			t.Fatalf("%v with %v beats the front", o.Plan, o.Batch)
		}
		if !on(o) {
			continue
		}
		for _, f := range front {
			if o.PerUser > f.PerUser && o.PerChip >= f.PerChip {
				t.Fatalf("%v with %v is on the front and beaten", f.Plan, f.Batch)
			}
		}
	}
}

// Every option keeps the limits, fits, and uses no more chips than there are.
func TestOptionsKeepLimits(t *testing.T) {
	w := spec(t)
	w.TTFT, w.TPOT, w.Apart = 0.5, 0.02, true
	all, refused := w.Search(0, 1)
	if len(all) == 0 || len(refused) == 0 {
		t.Fatalf("%d options and %d refusals", len(all), len(refused))
	}
	for _, o := range all {
		r, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, w.Engine)
		if err != nil || o.TTFT > w.TTFT || o.TPOT > w.TPOT || o.Chips > 8 || r.Memory(2500).Sequences < o.Batch {
			t.Fatalf("%v with %v: %v, first token %.3g s, token %.3g s, %v chips", o.Plan, o.Batch, err, o.TTFT, o.TPOT,
				o.Chips)
		}
	}
}

// The smallest slice for 70B in 16 bits is two H100, whatever else there is; in 8 and in 4 bits one.
func TestSmallestSlice(t *testing.T) {
	for bytes, want := range map[float64]int{2: 2, 1: 1, 4.5 / 8: 1} {
		w := spec(t)
		w.Shape = NewShape(w.Shape.Model, Uniform(bytes, 2))
		if p, found := w.SmallestSlice(); !found || p.Chips() != want {
			t.Errorf("at %v bytes a weight: %v, %v; want %d chips", bytes, p, found, want)
		}
	}
}

// The largest context fits, and one more token doesn't.
func TestLargestContext(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 2}, ideal())
	T := r.LargestContext(16)
	if r.Memory(T).Sequences < 16 || r.Memory(T+1).Sequences >= 16 {
		t.Errorf("16 sequences of %v tokens: %v fit; of one more %v", T, r.Memory(T).Sequences, r.Memory(T+1).Sequences)
	}
}

// A bill adds up to what the chips cost.
func TestBillAddsUp(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, Fitted("vllm"))
	l := Load{In: 67000, Out: 400, Hit: 0.95}
	a := r.Closed(16, l)
	b := r.Bill(3.0/3600, a, l)
	near(t, "a request", b.Total(l), 8*3.0/3600/a.Requests, 0.02)
	if !(b.Cached < b.Input && b.Input < b.Output) {
		t.Errorf("cached %.3g, input %.3g, output %.3g", b.Cached, b.Input, b.Output)
	}
}

// A fleet follows its trace.
func TestFleet(t *testing.T) {
	f := NewFleet([]float64{1, 4, 2.5, 0}, 1800, 2)
	if want := (Fleet{Peak: 2, Mean: 1.25, Hours: 2.5}); f != want {
		t.Errorf("got %+v, want %+v", f, want)
	}
}

// What fits is found; what doesn't is found in part by chance, and not at all in turn.
func TestReuse(t *testing.T) {
	u := Reuse{Sessions: 100, Prefix: 60000, Prompt: 67000}
	near(t, "all fit", u.Hit(6e6), 60.0/67, 1e-12)
	near(t, "half fits", u.Hit(3e6), 30.0/67, 1e-12)
	u.Orderly = true
	if u.Hit(6e6-1) != 0 {
		t.Error("those who take turns find what was dropped")
	}
}

// A search that is left half way has found what the plans so far give, and says how far it is.
func TestSearchInSteps(t *testing.T) {
	w := spec(t)
	whole, _ := w.Search(0, 1)
	s, before := w.Begin(), -1.0
	for more := true; more; {
		more = s.Step()
		if s.Progress() <= before || len(s.Options) > len(whole) {
			t.Fatalf("%d options at %v", len(s.Options), s.Progress())
		}
		before = s.Progress()
	}
	if before != 1 || !reflect.DeepEqual(s.Options, whole) || s.Step() {
		t.Errorf("ends at %v with %d of %d options", before, len(s.Options), len(whole))
	}
}

// What the first token waits for adds up to it.
func TestFirstTokenAddsUp(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted("vllm"))
	for _, c := range []float64{1, 16, 512, 4096} {
		a := r.Closed(c, Load{In: 2000, Out: 200})
		near(t, "the first token", a.First.Total(), a.TTFT, 1e-9)
	}
}

// A latent cache, of which each chip of a group would keep a copy, may be split along the sequence: as many chips hold
// as many times more, and an engine that can't is not asked to.
func TestSearchSplitsTheContext(t *testing.T) {
	r := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{}, Fitted("vllm"))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 8, Constants: r.Constants,
		Load: Load{In: 67000, Out: 400, Hit: 0.95}}
	whole, split := Plan{TP: 8, DP: 1, PP: 1, EP: 8, ETP: 1}, Plan{TP: 8, DP: 1, PP: 1, EP: 8, ETP: 1, CP: 8}
	if plans := w.Plans(); !slices.Contains(plans, whole) || !slices.Contains(plans, split) {
		t.Fatalf("%v", plans)
	}
	capacity := func(p Plan) float64 {
		r, err := NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
		if err != nil {
			t.Fatal(err)
		}
		return r.Memory(67400).Sequences
	}
	near(t, "sequences that fit", capacity(split), 8*capacity(whole), 1e-9)
	if w.Engine.Name = "trtllm"; slices.Contains(w.Plans(), split) {
		t.Error("TensorRT-LLM is asked to split the context")
	}
}

// Weights that a chip leaves to its host make room: no more than the batch lacks, and each step reads them over the
// host's link.
func TestOffload(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 2, Plan{}, Fitted("vllm"))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 1, Constants: r.Constants, Load: Load{In: 2000, Out: 500}}
	if all, _ := w.Search(0, 1); len(all) != 0 {
		t.Fatalf("%d options without a host", len(all))
	}
	w.Offload = 100e9
	all, _ := w.Search(0, 1)
	if len(all) == 0 {
		t.Fatal("no options with a host")
	}
	before := 0.0
	for _, o := range all {
		e := w.Engine
		e.Offload = o.Offload
		r, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, e)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "what fits", r.Memory(r.Grown(o.Batch, w.Load)).Sequences, o.Batch, 1e-6)
		if o.Offload < before || o.Offload > w.Offload || o.TPOT < o.Offload/w.Chip.Host {
			t.Errorf("batch %v: %v bytes on the host after %v, %v s a token", o.Batch, o.Offload, before, o.TPOT)
		}
		before = o.Offload
	}
}

// Ways over which the heads don't divide are refused with the reason, all together.
func TestUnevenHeadsAreRefused(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.gb200", 1, Plan{}, Fitted("vllm"))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 12, Constants: r.Constants, Load: Load{In: 1024, Out: 1024}}
	_, refused := w.Search(0, 1)
	if len(refused) == 0 || refused[0].Count != 3 || refused[0].Plan.TP != 12 ||
		!strings.Contains(refused[0].Why.Error(), "64 heads") {
		t.Errorf("TP of 3, 6 and 12: %+v", refused)
	}
}

// A million tokens of answers cost a chip's price a second, times the chips and the seconds that they take; what a chip
// holds grows by a request's keys and values in 16 bits: 80 layers, 8 heads of 128 on 8 chips.
func TestAnswerCounted(t *testing.T) {
	w := spec(t)
	w.Load = Load{In: 100_000, Out: 1}
	options, _ := w.Search(0, 1)
	o := options[0]
	o.Chips, o.Output = 8, 4000
	const hour = 2.0 / 3600                                                        // $ a second
	if text := w.Answer(o, nil, hour).String(); !strings.Contains(text, "$1.11") { // 8 x 250 s x 2 $ / 3600
		t.Error(text)
	}
	o.Plan = Plan{TP: 8}.full()
	o.Batch = 2
	more := o
	more.Batch = 3
	const each = 100_000 * 2 * 80 * 8 * 128 * 2 / 8.0
	if got := w.held(more) - w.held(o); got < 0.99*each || got > 1.01*each {
		t.Errorf("a request more takes %v, by hand %v", got, each)
	}
}

// replicas are of every kind: dense and sparse, with caches of all sorts, on one chip and on many.
func replicas(t *testing.T) []*Replica {
	var all []*Replica
	for _, engine := range []string{"", "vllm", "sglang", "trtllm"} {
		k := Fitted(engine)
		all = append(all,
			replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, k),
			replica(t, "llama3.70b", "tpu.v5e", 1, Plan{TP: 16}, k),
			replica(t, "gpt_oss.120b", "gpu.b200", 4.25/8, Plan{TP: 2}, k),
			replica(t, "deepseek.v3", "gpu.h200", 1, Plan{DP: 16, EP: 16}, k),
			replica(t, "qwen3_5.397b_a17b", "gpu.mi300x", 1, Plan{TP: 4, PP: 2}, k))
	}
	return all
}

// rounding is what sums of the same parts may differ by.
const rounding = 1e-12

// Nothing gets faster by more work, or slower by a better chip.
func TestStepsGrowWithTheirWork(t *testing.T) {
	for _, r := range replicas(t) {
		calm := Work{Sequences: 8, Context: 2000, Prompt: 700}
		is := r.Step(calm).Total()
		for what, w := range map[string]Work{
			"a longer context": {Sequences: 8, Context: 4000, Prompt: 700},
			"a larger batch":   {Sequences: 16, Context: 2000, Prompt: 700},
			"a longer prompt":  {Sequences: 8, Context: 2000, Prompt: 1400},
			"a prompt behind":  {Sequences: 8, Context: 2000, Prompt: 700, Before: 5000},
			"guesses to check": {Sequences: 8, Context: 2000, Prompt: 700, Verify: 4},
		} {
			if got := r.Step(w).Total(); !(got >= is*(1-rounding)) {
				t.Errorf("%s of %s on %s: with %s a step takes %v, without %v", r.Plan, r.Model.ID, r.Chip.Name, what,
					got, is)
			}
		}
		for what, better := range map[string]func(c *Chip){
			"bandwidth":  func(c *Chip) { c.Bandwidth *= 2 },
			"arithmetic": func(c *Chip) { c.Peak4, c.Peak8, c.Peak16 = 2*c.Peak4, 2*c.Peak8, 2*c.Peak16 },
			"links":      func(c *Chip) { c.Link, c.Network = 2*c.Link, 2*c.Network },
		} {
			fast := *r
			better(&fast.Chip)
			if got := fast.Step(calm).Total(); !(got <= is*(1+rounding)) {
				t.Errorf("%s of %s on %s: with twice the %s a step takes %v, without %v", r.Plan, r.Model.ID,
					r.Chip.Name, what, got, is)
			}
		}
	}
}

// Whatever is asked of a replica, its answer is made of finite times, and no fewer requests leave than come.
func TestClosedLoopsStayFinite(t *testing.T) {
	for _, r := range replicas(t) {
		for _, l := range []Load{{In: 1, Out: 1}, {In: 1e8, Out: 1}, {In: 1, Out: 1e8}, {In: 1e5, Out: 10, Hit: 1},
			{In: 100, Out: 100, Tokens: 2.5, Verify: 4}} {
			for _, c := range []float64{1, 7, 1e3, 1e9} {
				a := r.Closed(c, l)
				for _, x := range []float64{a.TTFT, a.TPOT, a.E2E, a.Output, a.Requests} {
					if math.IsNaN(x) || math.IsInf(x, 0) || x <= 0 {
						t.Fatalf("%s of %s: %v requests of %v: %+v", r.Plan, r.Model.ID, c, l, a)
					}
				}
				near(t, "requests under way by Little's law", a.Requests*a.E2E, c, 0.02)
			}
		}
	}
}

// A sequence longer than the model is published for is named; of a model of which nobody says it, nothing is said.
func TestTooLong(t *testing.T) {
	s := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, ideal()).Shape
	if err := s.TooLong(Load{In: 131000, Out: 72}); err != nil {
		t.Error(err)
	}
	if s.TooLong(Load{In: 131000, Out: 73}) == nil {
		t.Error("131,073 tokens pass")
	}
	if err := replica(t, "megatron.1t", "gpu.b200", 2, Plan{TP: 32}, ideal()).Shape.TooLong(Load{In: 1e8}); err != nil {
		t.Error(err)
	}
}

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
