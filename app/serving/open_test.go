package serving

import (
	"math"
	"slices"
	"testing"
)

// With a rate of service that doesn't depend on the state the chain is the queue M/M/1, rate/(service - rate) requests,
// where lengths are exponential, and M/D/1, half of whose wait is left, where all are alike.
func TestChainIsTheSimpleQueue(t *testing.T) {
	c := chain{at: []float64{1}, closed: []Latency{{Requests: 2, E2E: 0.5}}, most: 1}
	for _, rate := range []float64{0.2, 1, 1.9} {
		q := c.solve(Arrivals{Rate: rate, Spread: 1})
		near(t, "under way", q.Running+q.Wait*rate, rate/(2-rate), 1e-6)
		near(t, "half of the wait", c.solve(Arrivals{Rate: rate}).Wait, q.Wait/2, 1e-9)
	}
}

// Above capacity the wait is the fluid law's, whatever the replica.
func TestFlood(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted("vllm"))
	l := Load{In: 600, Out: 200}
	top := r.Open(Arrivals{Rate: 1e-3}, l).Capacity
	q := r.Open(Arrivals{Rate: 1.5 * top, Duration: 1000}, l)
	near(t, "the wait", q.Wait, 250, 1e-6)
	near(t, "output", q.Output, top*l.Out, 1e-6)
	if !(q.TTFT.P99 > q.TTFT.P90 && q.TTFT.P90 > q.TTFT.P50) {
		t.Error("percentiles are out of order")
	}
}

// The largest rate that keeps a limit keeps it, and a little more doesn't.
func TestLargestRate(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted("vllm"))
	l := Load{In: 600, Out: 200}
	rate := r.Line(l).Largest(Arrivals{}, 0, 0.015)
	if at := r.Open(Arrivals{Rate: rate * 0.999}, l); at.TPOT.Mean > 0.015 || rate == 0 {
		t.Errorf("at %.1f a second a token takes %.4g s", rate, at.TPOT.Mean)
	}
	if over := r.Open(Arrivals{Rate: rate * 1.01}, l); over.TPOT.Mean <= 0.015 {
		t.Errorf("a rate of %.1f keeps the limit too", rate*1.01)
	}
	if none := r.Line(l).Largest(Arrivals{}, 1e-6, 0); none > 1e-6 {
		t.Errorf("no rate gives the first token within a microsecond; got %v", math.Round(none))
	}
}

// Apart, too, Little's law holds below capacity, percentiles are in order, and waiting grows with the rate.
func TestOpenApart(t *testing.T) {
	p := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted("sglang"))
	l := Load{In: 2000, Out: 300}
	line := Split{Prefill: p, Decode: p, Prefills: 1, Decodes: 1}.Line(l)
	before := 0.0
	for _, busy := range []float64{0.1, 0.5, 0.8, 0.95} {
		rate := busy * line.Capacity()
		q := line.Queue(Arrivals{Rate: rate})
		if f := q.TTFT; f.Mean <= before || f.P50 > f.P90 || f.P90 > f.P99 {
			t.Errorf("%.0f %% busy: %+v after a mean of %v", 100*busy, f, before)
		}
		near(t, "requests inside", q.Running+q.Wait*rate, rate*q.E2E.Mean, 0.25)
		before = q.TTFT.Mean
	}
	if q := line.Queue(Arrivals{Rate: 2 * line.Capacity(), Duration: 100}); q.Wait < 49 || q.Busy < 1.99 {
		t.Errorf("above capacity: %+v", q)
	}
}

// Replicas that share arrivals are a queue of several servers where each has room for one request, and none is on its
// way (Erlang's formula), wait less the more they are, and are one replica if there is only one.
func TestArrivalsGoToTheLeastLoaded(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted("vllm"))
	r.Engine.Sequences, r.Ingest = 1, 0
	l := Load{In: 1000, Out: 200}
	line := r.Line(l)
	for _, servers := range []float64{1, 2, 5, 20, 80} {
		offered := 0.85 * servers
		blocked := 1.0
		for n := 1.0; n <= servers; n++ {
			blocked = offered * blocked / (n + offered*blocked)
		}
		wait := blocked / (1 - 0.85*(1-blocked)) / (servers * 0.15 * line.Capacity())
		q := line.Queue(Arrivals{Rate: 0.85 * line.Capacity(), Replicas: servers, Spread: 1})
		near(t, "the wait for one of several", q.Wait, wait, 1e-6)
	}
	r.Engine.Sequences = 0
	line = r.Line(l)
	before := math.Inf(1)
	for _, copies := range []float64{0, 1, 2, 8, 64, 1e6} {
		q := line.Queue(Arrivals{Rate: 0.97 * line.Capacity(), Replicas: copies})
		if q.Wait > before*(1+1e-9) || copies == 1 && q.Wait < before*(1-1e-9) {
			t.Errorf("%v replicas: a wait of %v after %v", copies, q.Wait, before)
		}
		before = q.Wait
	}
}

// A rate needs hardly more replicas than its load is, where arrivals go to the least loaded; no fewer would do.
func TestReplicasOfARate(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted("vllm"))
	r.Engine.Sequences = 1
	line := r.Line(Load{In: 1000, Out: 200})
	rate := 73 * line.Capacity()
	random := line.Largest(Arrivals{}, 0.2, 0)
	if random > line.Capacity()/10 {
		t.Fatalf("alone a replica takes %v of %v requests", random, line.Capacity())
	}
	n := line.Replicas(Arrivals{Rate: rate}, 0.9, 0.2, 0)
	if n < 73/0.9 || n > 95 {
		t.Errorf("%v replicas for 73 times what one serves", n)
	}
	if q := line.Queue(Arrivals{Rate: rate / (n - 1), Replicas: n - 1}); q.TTFT.Mean <= 0.2 && q.Busy <= 0.9 {
		t.Errorf("%v replicas would do, too", n-1)
	}
	if n := line.Replicas(Arrivals{Rate: rate}, 0.9, 1e-6, 0); n != 0 {
		t.Errorf("%v replicas see to what none can", n)
	}
}

// Halves of a batch hide what they exchange: a step is never faster than its computation, never slower than whole, and
// for small batches the whole is what is taken.
func TestHalvesHideTheirExchange(t *testing.T) {
	for _, chip := range []string{"gpu.h800", "gpu.h200", "gpu.gb200"} {
		for _, ep := range []int{8, 64, 128} {
			r := replica(t, "deepseek.v3", chip, 1, Plan{DP: ep, EP: ep}, Fitted("sglang"))
			for _, each := range []float64{1, 2, 16, 128, 512} {
				w := Work{Sequences: each * float64(ep), Context: 4096}
				r.Halves = false
				whole := r.Step(w)
				r.Halves = true
				s := r.Step(w)
				if s.Total() > whole.Total() || s.Total() < whole.Total()-whole.Collectives {
					t.Errorf("%s EP%d, %v a chip: %v s in halves, %v whole, of which %v are exchanged", chip, ep, each,
						s.Total(), whole.Total(), whole.Collectives)
				}
				if each < 2 && s != whole {
					t.Errorf("%s EP%d: a sequence a chip is halved", chip, ep)
				}
			}
		}
	}
}

// DeepSeek's own profile of decoding: 128 requests a GPU at 4,096 tokens on EP128 of H800 give 2,324 tokens a second
// and GPU. With the constants of engines whole batches give two fifths less, and halves a sixth less: their kernels for
// experts reach a quarter of what dense ones do. With the rates that DeepSeek publishes of its own kernels halves give
// a tenth more: what sending and receiving takes of the computation beside it, nobody publishes.
func TestDeepSeekProfile(t *testing.T) {
	const measured = 2324.0
	rate := func(engine string, halves bool) float64 {
		r := replica(t, "deepseek.v3", "gpu.h800", 1, Plan{DP: 128, EP: 128}, Fitted(engine))
		r.Halves = halves
		return 128 / r.Step(Work{Sequences: 128 * 128, Context: 4096}).Total()
	}
	if whole, halves := rate("", false), rate("", true); whole > 0.7*measured || halves < 0.8*measured ||
		halves > measured {
		t.Errorf("%.0f tokens a second whole, %.0f in halves; %v were measured", whole, halves, measured)
	}
	near(t, "with DeepSeek’s own kernels", rate("deepseek", true), measured, 0.12)
	if whole := rate("deepseek", false); whole > 0.85*measured {
		t.Errorf("%.0f tokens a second whole; %v were measured in halves", whole, measured)
	}
}

// DeepSeek's service, a day of February 2025: 14,800 tokens a second of eight H800 that decode on EP144 with 32 copies
// of experts, at 4,989 tokens on average, while a user saw 20 to 22 a second. Its load was not as even as a profile's.
func TestDeepSeekService(t *testing.T) {
	r := replica(t, "deepseek.v3", "gpu.h800", 1, Plan{DP: 144, EP: 144, Spare: 32}, Fitted("deepseek"))
	r.Halves = true
	each := 1.0
	for ; 1/r.Step(Work{Sequences: 144 * each, Context: 4989}).Total() > 21; each++ {
	}
	if rate := each / r.Step(Work{Sequences: 144 * each, Context: 4989}).Total(); rate < 14800./8 ||
		rate > 1.25*14800/8 {
		t.Errorf("%.0f tokens a second and GPU at 21 a user; %v were counted", rate, 14800./8)
	}
}

// Without graphs a step takes as long as launching its layers, however little it does; work that takes longer hides it.
func TestGraphless(t *testing.T) {
	r := replica(t, "qwen3.235b_a22b", "gpu.h200", 1, Plan{TP: 2}, Fitted("vllm"))
	one, many := Work{Sequences: 1, Context: 1000}, Work{Sequences: 2000, Context: 20000}
	few, much := r.Step(one).Total(), r.Step(many).Total()
	r.Graphless = true
	near(t, "a step of one sequence", r.Step(one).Total(), r.Layers*r.Eager, 1e-9)
	if few > r.Step(one).Total()/2 || r.Terms(one).Launches != r.Layers*r.Eager {
		t.Errorf("with graphs it takes %v s; launching takes %v", few, r.Terms(one).Launches)
	}
	near(t, "a step of many", r.Step(many).Total(), much, 1e-9)
}

// A step that checks guesses takes the host as long as there are guesses; those that make them don't.
func TestGuessesCostTheHost(t *testing.T) {
	r := replica(t, "deepseek.v3", "gpu.h200", 1, Plan{TP: 8}, Fitted("sglang"))
	w := Work{Sequences: 64, Context: 1000, Verify: 4}
	l := Load{In: 1000, Out: 100}.Speculate(Survival{0.8, 0.7, 0.6})
	with, guessing := r.Step(w).Total(), r.Guessing(w, l)
	r.Checked = 0
	near(t, "three guesses of 64 sequences", with-r.Step(w).Total(), 3*64*Fitted("sglang").Checked, 1e-9)
	near(t, "guessing", guessing, r.Guessing(w, l), 1e-12)
}

// Copies of experts take memory, and even out ranks over which experts don't divide; what doesn't fill the ranks is
// refused.
func TestSpareExperts(t *testing.T) {
	r := replica(t, "deepseek.r1", "gpu.gb200", 1, Plan{DP: 72, EP: 72}, Fitted("trtllm"))
	even := replica(t, "deepseek.r1", "gpu.gb200", 1, Plan{DP: 72, EP: 72, Spare: 32}, Fitted("trtllm"))
	w := Work{Sequences: 72 * 256, Context: 4096}
	if a, b := r.Step(w).Experts, even.Step(w).Experts; b > a*0.91 || b < a*256/288 {
		t.Errorf("32 copies on 72 ranks: %v s after %v", b, a)
	}
	near(t, "weights where four experts are on a rank anyway", even.Memory(1).Weights, r.Memory(1).Weights, 1e-9)
	twice := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{DP: 64, EP: 64, Spare: 256}, Fitted("sglang"))
	once := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{DP: 64, EP: 64}, Fitted("sglang"))
	near(t, "weights of the copies", twice.Memory(1).Weights-once.Memory(1).Weights, once.routed()/64, 1e-9)
	if _, err := NewReplica(r.Shape, r.Chip, Plan{DP: 72, EP: 72, Spare: 31}, r.Constants, Engine{}); err == nil {
		t.Error("287 experts on 72 ranks pass")
	}
}

// Where an engine brings kernels that are tuned to a model's experts on a chip, few rows take small blocks: a decode
// step of DeepSeek-R1 on eight H200 waits for its experts' weights, as the rows of SGLang say, and not for arithmetic.
// Elsewhere, and for as many rows as fill a block, nothing changes.
func TestTunedKernels(t *testing.T) {
	r := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{TP: 8}, Fitted("sglang"))
	other := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{TP: 4}, Fitted("sglang"))
	if !r.tuned() || other.tuned() {
		t.Fatalf("tuned on eight chips: %v, on four: %v", r.tuned(), other.tuned())
	}
	for _, n := range []float64{1, 4, 16, 64} {
		read, _ := r.experts(n)
		near(t, "experts of a step that decodes", r.expertTime(n), read*r.Expert/8*r.Blocks/(r.Bandwidth*r.Sparse),
			1e-9)
	}
	engine := *r
	engine.Engine.Name = "trtllm"
	if engine.tuned() || engine.expertTime(64) < 1.5*r.expertTime(64) {
		t.Errorf("TensorRT-LLM has other kernels: %v s, after %v", engine.expertTime(64), r.expertTime(64))
	}
	near(t, "a long prompt", engine.expertTime(8192), r.expertTime(8192), 1e-9)
}

// On a torus MLPs may be split by both widths. The search finds a split where it sends less, only for engines that can
// be told so and only on a torus; a step's parts are still its whole.
func TestTwoWidths(t *testing.T) {
	r := replica(t, "llama3.405b", "tpu.v5p", 2, Plan{TP: 128, WS: 4}, Fitted(""))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 128, Constants: r.Constants, Load: Load{In: 2000, Out: 500}}
	split := func() (all []Plan) {
		for _, p := range w.Plans() {
			if p.WS > 1 {
				all = append(all, p)
			}
		}
		return all
	}
	if plans := split(); !slices.Contains(plans, Plan{TP: 128, DP: 1, PP: 1, WS: 4}) {
		t.Errorf("of 128 chips the search splits %v", plans)
	}
	one, two := *r, *r
	one.WS = 1
	busy := Work{Sequences: 64, Context: 2000, Prompt: 8192}
	if a, b := one.Step(busy), two.Step(busy); b.Collectives >= a.Collectives {
		t.Errorf("sending takes %v where both widths are split, and %v where one is", b.Collectives, a.Collectives)
	}
	if x := two.Terms(busy); x.Beyond > 1e-9*x.Collectives || x.Widths != r.Layers || x.Sums != r.Layers {
		t.Errorf("%v of %v is sent beyond what is told: %v sums, %v MLPs", x.Beyond, x.Collectives, x.Sums, x.Widths)
	}
	for x := 2; x < 128; x *= 2 { // no other split is faster, whatever is sent
		other := *r
		other.WS = x
		for _, work := range []Work{busy, {Sequences: 1, Context: 10}} {
			if got, best := other.Step(work).Collectives, two.Step(work).Collectives; got < best*(1-rounding) {
				t.Errorf("%v sends in %v, %v in %v", other.Plan, got, two.Plan, best)
			}
		}
	}
	for _, engine := range []string{"vllm", "sglang", "trtllm"} {
		if w.Engine.Name = engine; len(split()) > 0 {
			t.Errorf("%s can't be told to split both widths", engine)
		}
	}
	flags := two.Flags("maxtext", w.Load, 1)
	if number(t, flags, "ici_tensor_parallelism=") != 32 || number(t, flags, "ici_tensor_transpose_parallelism=") != 4 {
		t.Errorf("MaxText is told %s", flags)
	}
	w.Engine.Name = "maxtext"
	if len(split()) == 0 {
		t.Error("MaxText can be told, and isn't")
	}
	w.Chip = replica(t, "llama3.8b", "gpu.gb200", 2, Plan{}, Fitted("")).Chip
	if w.Engine.Name = ""; len(split()) > 0 {
		t.Error("behind a switch there are no axes to split over")
	}
}

// The least traffic of an MLP without a gate is that of the two-dimensional law in closed form (Pope et al.).
func TestTwoWidthsInClosedForm(t *testing.T) {
	const rows, width, inner, wire = 64.0, 8192.0, 32768.0, 540e9
	got := twoWidthsTime(2*rows*width, 2*rows*inner, 4, 64, 3, wire, 0)
	want := 2*63.0/64*2*rows*width/4/(wire*2/3) + 2*3.0/4*2*rows*inner/64/(wire/3)
	near(t, "both widths", got, want, 1e-12)
}
