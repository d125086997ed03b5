package serving

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// ideal are constants without floors, at the data sheets' rates.
func ideal() Constants {
	return Constants{Weights: 1, Weights4: 1, Sparse: 1, Cache: 1, Math16: 1, Math8: 1, Math4: 1, Grouped: 1, Score: 1,
		Alike: 1, Links: 1, Imbalance: 1}
}

// replica is a model on chips.
func replica(t testing.TB, name, device string, bytes float64, p Plan, k Constants) *Replica {
	t.Helper()
	known, err := model.Catalog().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := hardware.Catalog().Get(device)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChip(a)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReplica(NewShape(&known.Model, Uniform(bytes, 2)), c, p, k, Engine{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near fails unless got is within a share of want.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within*math.Abs(want) {
		t.Errorf("%s is %.6g; want %.6g within %g", what, got, want, within)
	}
}

// Without floors, one sequence takes as long as reading every weight that a token is multiplied with and its cache
// once.
func TestOneSequenceReadsTheWeights(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 2, Plan{TP: 8}, ideal())
	r.Link = math.Inf(1)
	m := r.Shape.Model
	want := (2*m.Params().Matmul() + 2000*float64(m.KVBytesPerToken(2))) / (8 * 3.35e12)
	near(t, "a step", r.Step(Work{Sequences: 1, Context: 2000}).Total(), want, 1e-9)
}

// Without floors, a long prompt takes its operations over the peak: two a weight and token, and causal attention.
func TestPromptTakesItsOperations(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, ideal())
	m, T := r.Shape.Model, 8192.0
	layers := T * float64(m.LayerFLOPs(model.Forward)+m.AttentionFLOPs(T, model.Windowed, model.Forward))
	logits := float64(m.Vocab*m.Width) * 2 / 3.35e12 // read for one row
	near(t, "a prompt", r.Step(Work{Prompt: T}).Total(), layers/989e12+logits, 1e-6)
}

// Chunks of a prompt look at as many tokens as the prompt in one piece.
func TestPairsAddUp(t *testing.T) {
	for _, window := range []float64{0, 100, 1000} {
		k, sum := cacheKind{window: window}, 0.0
		for before := 0.0; before < 4096; before += 512 {
			sum += k.pairs(512, before)
		}
		near(t, "pairs", sum, k.pairs(4096, 0), 1e-12)
	}
}

// A batch touches the experts that chance says, and never more than all of them are read.
func TestExpertsTouched(t *testing.T) {
	r := replica(t, "mixtral.8x7b", "gpu.h100", 2, Plan{TP: 2}, ideal())
	one, all := r.expertTime(1), r.expertTime(64)
	near(t, "all over two of eight experts", all/one, 4, 1e-3)
}

// More chips never make a step slower where links are free, and halve what they share.
func TestTensorParallelism(t *testing.T) {
	before := math.Inf(1)
	for _, tp := range []int{1, 2, 4, 8} {
		r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{TP: tp}, ideal())
		r.Link = math.Inf(1)
		s := r.Step(Work{Sequences: 32, Context: 1000}).Total()
		if tp > 1 {
			near(t, "half", s, before/2, 1e-9)
		}
		before = s
	}
}

// A cache is split over no more chips than it has heads; a latent one over none, unless along the sequence.
func TestCacheSplit(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Plan
		want float64
	}{{"llama3.70b", Plan{TP: 8}, 8}, {"qwen3.30b_a3b", Plan{TP: 8}, 4}, {"deepseek.v3", Plan{TP: 8},
		1}, {"deepseek.v3",
		Plan{TP: 8, CP: 8}, 8}, {"deepseek.v3", Plan{DP: 8, EP: 8}, 1}} {
		if got := replica(t, c.name, "gpu.h200", 1, c.p, ideal()).cacheSplit(); got != c.want {
			t.Errorf("%s %v splits its cache over %v chips; want %v", c.name, c.p, got, c.want)
		}
	}
}

// A closed loop obeys Little's law, whatever its constants; its throughput rises with requests until memory is full,
// and then falls by no more than what is computed again.
func TestClosedLoopObeysLittle(t *testing.T) {
	for _, engine := range []string{"vllm", "sglang", "trtllm"} {
		r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted(engine))
		l, before := Load{In: 2000, Out: 500}, 0.0
		for _, c := range []float64{1, 2, 8, 32, 128, 2048} {
			a := r.Closed(c, l)
			near(t, "requests under way", a.Requests*a.E2E, c, 0.01)
			near(t, "the whole", a.TTFT+a.TPOT*(l.Out-1), a.E2E, 1e-9)
			again := r.hold(c, l).again / l.In
			if a.Output < before*(0.999-again/2) {
				t.Errorf("%s: %v requests give %.0f tokens a second, fewer than less gave (%.0f)", engine, c, a.Output,
					before)
			}
			before = a.Output
		}
	}
}

// Apart, too, and the prefill replicas are never busier than they can be.
func TestSplitObeysLittle(t *testing.T) {
	k, l := Fitted("trtllm"), Load{In: 8192, Out: 1024}
	p := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{DP: 8, EP: 8}, k)
	s := Split{Prefill: p, Decode: p, Prefills: 2, Decodes: 3}
	for _, c := range []float64{1, 64, 192, 768, 3072} {
		a := s.Closed(c, l)
		near(t, "requests under way", a.Requests*a.E2E, c, 0.01)
		capacity := max(math.Floor(p.Chunk/l.In), 1) * 8
		if busy := a.Requests * s.prompt(capacity, l).each / s.Prefills; busy > 1.001 {
			t.Errorf("at %v requests the prefill replicas are %.2f busy", c, busy)
		}
	}
}

// Memory is what it holds, and no sequence is promised twice.
func TestMemory(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 2, Plan{TP: 4}, ideal())
	m := r.Memory(4096)
	near(t, "weights", m.Weights, 2*r.Shape.Model.Total()/4, 1e-4) // norms and biases are left out
	near(t, "a sequence", m.Sequence, 327680*4104/4, 1e-9)
	if used := m.Weights + m.Activations + m.Workspace + math.Floor(m.Sequences)*m.Sequence; used > 0.9*r.Chip.Memory {
		t.Errorf("a chip of %.3g bytes would hold %.3g", r.Chip.Memory, used)
	}
	if two := replica(t, "llama3.70b", "gpu.h100", 2, Plan{TP: 2}, ideal()).Memory(4096); two.Sequences < 1 {
		t.Errorf("70B in bf16 leaves two H100 room for %.1f sequences", two.Sequences)
	}
}

// A root is found wherever it is, as halving the range finds it.
func TestRoot(t *testing.T) {
	for name, f := range map[string]func(n float64) float64{
		"straight":      func(n float64) float64 { return 1.5*n - 100 },
		"nothing waits": func(n float64) float64 { return n - 100 },
		"all wait":      func(n float64) float64 { return n + 1e9*n - 100 },
		"a queue": func(n float64) float64 {
			if n >= 40 {
				return math.Inf(1)
			}
			return n + n/(40-n) - 100
		},
		"a step": func(n float64) float64 {
			if n >= 40 {
				return n
			}
			return n - 100
		},
		"bent": func(n float64) float64 { return n + math.Pow(n, 5) - 100 },
	} {
		low, high := 0.0, 100.0
		for range 60 {
			if n := (low + high) / 2; f(n) > 0 {
				high = n
			} else {
				low = n
			}
		}
		last, tries := 0.0, 0
		root(100, func(n float64) float64 { last, tries = n, tries+1; return f(n) })
		if math.Abs(last-low) > 1e-7 || tries > 61 {
			t.Errorf("%s: %v after %d tries, want %v", name, last, tries, low)
		}
	}
}

// The whole front of a dense model on 8 chips and of one with experts on 32, prefill and decode together or apart.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		model string
		chips int
		apart bool
	}{{"llama3.70b", 8, false}, {"llama3.70b", 8, true}, {"deepseek.r1", 32, false}, {"deepseek.r1", 32, true}} {
		name := c.model
		if c.apart {
			name += " apart"
		}
		b.Run(name, func(b *testing.B) {
			r := replica(b, c.model, "gpu.h200", 1, Plan{}, Fitted("sglang"))
			w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: c.chips, Constants: r.Constants,
				Load: Load{In: 8192, Out: 1024}, Apart: c.apart}
			n := 0
			for b.Loop() {
				all, _ := w.Search(0, 1)
				n = len(all)
			}
			b.ReportMetric(float64(n), "options")
		})
	}
}

// One plan, one load: what a reader's move of a slider costs.
func BenchmarkClosed(b *testing.B) {
	r := replica(b, "deepseek.r1", "gpu.h200", 1, Plan{DP: 8, EP: 8}, Fitted("sglang"))
	for b.Loop() {
		r.Closed(64, Load{In: 8192, Out: 1024})
	}
}

// An engine that looks for requests every 31 steps lets each wait for 15 of them; prompts that wait for more of them
// wait all the while if no more come, and half of it if many do.
func TestHeld(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	near(t, "each step looks", r.held(1), 0, 0)
	r.Poll = 31
	near(t, "every 31 steps", r.held(1), 15, 0)
	r.Poll, r.Wait = 0, 20
	near(t, "nobody else comes", r.held(0), 20, 0)
	near(t, "many come", r.held(1e6), 10, 1e-4)
}

// Requests whose answers are alike come together again and again; those whose lengths differ come apart, as far as the
// time over which they end is longer than that of their prompts.
func TestBurstComesApart(t *testing.T) {
	k := ideal()
	k.Together, k.Wave = 0.9, 0.1
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	near(t, "alike", r.burst(Load{}, 10, 5), 0.9, 1e-12)
	near(t, "far apart", r.burst(Load{Spread: 0.5}, 10, 5), 0.1, 1e-12)
	half := r.burst(Load{Spread: 0.2}, 5, 2*apart)
	near(t, "half apart", half, 0.5, 1e-12)
}

// The queue of prompts at random is that of a simulation: each begins when it has come and the one before is done.
func TestPromptsQueue(t *testing.T) {
	const each, rate, n = 0.02, 30.0, 400000
	dice := rand.New(rand.NewPCG(1, 2))
	now, free, waited := 0.0, 0.0, 0.0
	for range n {
		now += dice.ExpFloat64() / rate
		free = max(free, now)
		waited += free - now
		free += each
	}
	left := rate * each / 2 // of a prompt that is being computed: the rest of its step is counted apart
	p := prompting{pieces: 1, fewest: 1, steps: 1}
	near(t, "wait", (p.queued(rate*each, 1e9)+left)*each, waited/n, 0.03)
	near(t, "of one other", p.queued(1, 1), 1./2, 1e-12)
	p.fewest = 1. / 4 // as for four servers
	near(t, "where four fit", p.queued(0.5, 1e9), math.Pow(0.5, math.Sqrt(10))/4/0.5/2, 1e-12)
	p.fewest, p.pieces = 4, 4 // of one that is computed 3/2 are left besides; half of one waits, for four steps
	near(t, "for prompts of four steps", p.queued(0.5, 1e9), 0.5*3/2+4*0.25, 1e-12)
}
