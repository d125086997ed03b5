package training

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// Terms of time and memory, counted by hand. The device and the software have round numbers that differ from one
// another, so that each can be found again in the arithmetic; nothing here is taken from what the package computes.

// roundDevice joins four devices by a fast network, and those by a slow one.
func roundDevice() Device {
	return Device{Name: "round", Peak: [3]float64{1e15, 2e15, 4e15}, Reach: [3]float64{0.8, 0.7, 0.6}, Older: 1,
		Doubt: 1, Memory: 80e9, Stream: 4e12, Domain: 4, Fast: 4e11, Slow: 5e10, Host: 2e10}
}

func roundStack() *Stack {
	return &Stack{
		Name:        "round",
		Flash:       1,
		NormsSplit:  1,
		ScoreBytes:  12,
		Matmul:      0.9,
		Grouped:     0.5,
		Shuffle:     3,
		Adapter:     0.2,
		Attention:   0.4,
		Traffic:     12,
		Stream:      0.8,
		LogitPasses: 15,
		LaunchMoE:   1e-5,
		Optimizer:   30,
		Step:        0.01,
		FastWire:    0.75,
		SlowWire:    0.8,
		FastLatency: 1e-6,
		SlowLatency: 1e-5,
		ShowTP:      0.6,
		ShowDP:      0.4,
		ShowGather:  0.6,
		ShowCP:      0.25,
		ShowPP:      0.5,
		ShowEP:      0.7,
		Imbalance:   1.25,
		SentToken:   2,
		TokenOnce:   1,
		ShowReduce:  0.9,
		Bucket:      1e-4,
		Narrow:      10,
		KeepWidth:   8,
		KeepHeads:   2,
		KeepHidden:  6,
		KeepGather:  0.5,
		KeepInput:   2,
		KeepRouted:  4,
		LiveRouted:  2,
		KeepCast:    1,
		KeepOutputs: 1,
		LogitBytes:  12,
		HeldGrad:    0.2,
		Buckets:     2,
		FlatGrad:    8,
		FirstRank:   1,
		Transient:   2,
		Fragments:   0.05,
		Residual:    1e9,
	}
}

// What the device and the software reach together, in FLOP/s and bytes/s, and the latencies of their wires in seconds.
const (
	handRate   = 1e15 * 0.8 * 0.9 // of matmuls: the peak, what benchmarks reach, what training reaches of that
	handFlash  = 1e15 * 0.4       // of attention
	handStream = 4e12             // of the memory
	handKernel = 4e12 * 0.8       // of the memory in elementwise kernels
	handFast   = 4e11 * 0.75      // inside a domain
	handPort   = 5e10 * 0.8       // of one device out of it
	handNear   = 1e-6
	handFar    = 1e-5
)

// roundJob is a model of four layers of width 1000, of 8 heads of 125 and 2 of keys and values, and 10,000 words.
func roundJob(m model.Model, devices, batch int) Job {
	m.Layers, m.Width, m.Heads, m.KVHeads, m.Vocab = 4, 1000, 8, 2, 10000
	return Job{Model: &m, Device: roundDevice(), Stack: roundStack(), Devices: devices, Batch: batch, Sequence: 2000,
		Recipe: Recipe{Weight: 2, Grad: 4, Master: 4, Moments: 8, Gather: 2}}
}

func roundDense(devices, batch int) Job { return roundJob(model.Model{FFWidth: 3000}, devices, batch) }

// roundExperts has a dense MLP in the first layer, and in the others two of eight experts and a shared one.
func roundExperts(devices, batch int) Job {
	return roundJob(model.Model{FFWidth: 4000, MoE: model.MoE{Experts: 8, PerToken: 2, Width: 500, Shared: 1,
		SharedWidth: 800, Layers: model.Pattern{First: 1}}}, devices, batch)
}

// Sizes of a layer of them.
const (
	// queries and output, keys and values, two norms and a fourth of the last
	handAttention = 2.0*1000*1000 + 2*1000*250 + 2*1000 + 250
	handDense     = handAttention + 3*1000*3000
	handTable     = 10000.0 * 1000
	// 2 FLOP for each of 8 heads' 125 + 125 numbers and each of the 1000 tokens that one of 2000 sees on average
	handScores = 2.0 * 8 * 250 * 1000
	// outside routed experts: one of four layers has the dense MLP, three the shared expert and the router
	handShared = handAttention + (3*1000*4000+3*(3*1000*800+8*1000))/4
	// three of four layers have eight experts
	handRouted = 3.0 * 8 * 3 * 1000 * 500 / 4
)

// handCount is a term, what it should be, and in words how that is counted.
type handCount struct {
	term      string
	got, want float64
	how       string
}

func (c handCount) check(t *testing.T) {
	t.Helper()
	if !(math.Abs(c.got-c.want) <= 1e-9*math.Abs(c.want)) {
		t.Errorf("%s is %.9g, by hand %.9g: %s", c.term, c.got, c.want, c.how)
	}
}

func checkCounted(t *testing.T, terms []handCount) {
	t.Helper()
	for _, c := range terms {
		c.check(t)
	}
}

// priced is the estimate of a plan that is legal.
func priced(t *testing.T, j Job, plan Plan) (*Estimator, Estimate) {
	t.Helper()
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	p := NewEstimator(j)
	if err := p.Legal(plan); err != nil {
		t.Fatal(err)
	}
	return p, p.Estimate(plan)
}

// TestDenseCounted: 16 devices as DP 2 x TP 2 x CP 2 x PP 2 with ZeRO-1, eight sequences in four micro-batches of one.
// A rank has 1000 tokens and two layers of half the width; the last stage's logits, as much as 10e6 weights, make it
// the slowest.
func TestDenseCounted(t *testing.T) {
	_, estimate := priced(t, roundDense(16, 8), Plan{DP: 2, TP: 2, CP: 2, PP: 2, Zero: 1})
	const (
		layers, tokens = 2.0, 1000.0
		own            = (layers*handDense + handTable) / 2 // weights of the last rank, before sharding
		shared         = 2 * handPort                       // the ports of both members of a group in a domain
	)
	x := &estimate.Time
	const (
		// 2 FLOP for each weight; 2 bytes a weight, and 2 + 1 for each side of a matmul: of 4 x 1000 that stay whole
		// and of 1000 + 500 + 1000 + 3 x 3000 that are split
		matmul = 3 * layers * (2*tokens*handDense/2/handRate + (2*handDense/2+3*tokens*(4000+11500/2))/handStream)
		flash  = 3.5 * layers * tokens * handScores / 2 / handFlash
		// 12 passes over width, queries and hidden width in 2 bytes; 10 bytes a weight for narrow gradients
		elementwise = layers*12*2*tokens*(1000+1000+3000)/2/handKernel + layers*handDense/2*10/handStream
		loss        = 3*2*tokens*handTable/2/handRate + 15*tokens*10000/2/handKernel
		tp          = 0.6 * layers * 10 * (2*tokens*1000/2/handFast + handNear)
		cp          = 0.25 * layers * 3 * (2*2000*500/2/2/handFast + handNear)
		pp          = 0.5 * 2 * (2*tokens*1000/2/handPort + handFar)
		first       = matmul + flash + elementwise + tp + cp + pp // stage, which has no logits
		slot        = first + loss
		mean        = (first + slot) / 2
		exchange    = (4+2)*own*3/4/shared + 2*handFar
	)
	checkCounted(t, []handCount{
		{"matmul", x.Matmul, matmul, "3 passes x 2 layers x (2 FLOP x tokens x weights / rate + bytes / stream)"},
		{"attention", x.Attention, flash, "1 pass forward and 2.5 backward, whose 5 matmuls stand for 2"},
		{"elementwise", x.Elementwise, elementwise, "2 layers x 12 passes x 2 bytes x 1000 tokens x 5000 / 2 ways"},
		{"logits", x.Logits, loss, "3 passes x 2 FLOP x 1000 x 10,000 x 1000 / 2 ways, and 15 bytes a logit"},
		{"host", x.Host, 0, "layers have more to do than the host to launch"},
		{"TP", x.TP, tp, "2 blocks x (gather, scatter, their mirror images, inputs again) of 2 bytes x 1000 x 1000"},
		{"CP", x.CP, cp, "keys, values and their gradients go around 3 times: 2 bytes x 2000 tokens x 500 / 2 ways"},
		{"EP", x.EP, 0, "no experts"},
		{"gather", x.Gather, 0, "ZeRO-1 keeps weights whole"},
		{"PP", x.PP, pp, "one send forward and one backward of 2 bytes x 1000 tokens x 1000 / 2 ways"},
		{"micro-batches", x.MicroBatches, 4, "8 sequences over 2 replicas, one each"},
		{"slot", x.Slot(), slot, "the sum"},
		{"bubble", x.Bubble, first, "the first stage, which has two layers and no logits, once"},
		{"forward pass", x.Passes[Forward], mean / 3, "a third of the mean stage"},
		{"gradients of weights", x.Passes[Weights], mean * matmul / first / 3, "a third of the matmuls"},
		{"gradients of activations", x.Passes[Backward], mean * (2 - matmul/first) / 3, "two thirds, less those"},
		{"DP", x.DP, 0.4*exchange + 1e-4*layers*2, "4 bytes scattered and 2 gathered among 4; 2 doublings of buckets"},
		{"DP hidden", x.DPHidden, 0.6 * exchange, "the rest"},
		{"optimizer", x.Optimizer, own / 4 * 30 / handStream, "30 bytes for each weight of a fourth"},
		{"rest", x.Rest, 0.01, "as given"},
		{"step", x.Step(), 4*slot + first + 0.4*exchange + 2e-4*layers + own/4*30/handStream + 0.01,
			"the sum"},
	})
	const (
		// 8 bytes a width, 2 for queries 1000, keys and values 500, output 1000; 6 for the hidden width
		kept  = tokens * (8*1000 + 2*2500 + 6*3000) / 2
		two   = layers * kept * 2 // two micro-batches in flight on the first rank
		lost  = 0.05 * two
		flat  = 8*own*3/4 - two - lost - 0.2*4*own
		words = 12 * tokens * 10000 / 2
	)
	begins, last := &estimate.Reported, &estimate.Memory
	checkCounted(t, []handCount{
		{"weights", begins.Weights, 2 * own, "2 bytes each of 2 layers and a table, over 2 ways"},
		{"gradients", begins.Grads, 4*own + flat, "4 bytes each, and the copies from which 3/4 are sent"},
		{"copies of gradients", begins.Exchange, flat, "8 bytes x 3/4, where activations were and narrow gradients"},
		{"master weights", begins.Master, own, "4 bytes each of a fourth"},
		{"moments", begins.Moments, 2 * own, "8 bytes each of a fourth"},
		{"activations", begins.Activations, two, "2 layers x 2 micro-batches"},
		{"fragments", begins.Fragments, lost, "5 %"},
		{"logits", begins.Logits, 0, "the last rank makes them"},
		{"gathered", begins.Gathered, 0, "weights are whole"},
		{"residual", begins.Residual, 1e9, "as given"},
		{"weights of the last rank", last.Weights, 2 * own, "as the first: its table is the other one"},
		{"gradients of the last rank", last.Grads, 4 * own, "logits leave more room than copies take"},
		{"activations of the last rank", last.Activations, layers * kept, "one micro-batch in flight"},
		{"logits of the last rank", last.Logits, words, "12 bytes x 1000 tokens x 10,000 words / 2 ways"},
		{"fragments of the last rank", last.Fragments, 0.05 * (layers*kept + words), "5 % of both"},
	})
}

// TestExpertsCounted: eight devices as DP 8 with four ranks of experts, ZeRO-3, all layers computed again, 16 sequences
// in two micro-batches of one. A rank has 2000 tokens and two of eight experts, of which its replica is a domain away.
func TestExpertsCounted(t *testing.T) {
	_, estimate := priced(t, roundExperts(8, 16), Plan{DP: 8, EP: 4, Zero: 3, Recompute: RecomputeBlock})
	const (
		layers, tokens = 4.0, 2000.0
		passes         = 4.0                              // forward, forward again, and two
		rows           = tokens * 2 * 1.25 * 3 / 4        // of a mean layer on the busiest rank
		local          = handRouted / 4                   // weights of experts on a rank
		dense          = layers*handShared + 2*handTable  // weights outside experts
		routed         = layers * local                   // of experts on a rank
		four           = 4 * handPort                     // the ports of a domain
		hidden         = 4000.0/4 + 800*3.0/4             // of the dense MLP and the shared expert
		split          = 1000 + 500 + 1000 + 3*hidden     // sides of matmuls
		busy           = 2 * 500 * 1.25 * 3 / 4           // hidden width of experts for a token
		sends          = 2 * tokens * 1000 * 1.25 * 3 / 4 // bytes, if a token went to one expert
		meets          = 4 * (1 - 0.75*0.75)              // of four ranks that two choices meet
		matmul         = 2*tokens*handShared/handRate + (2*handShared+3*tokens*(4000+split))/handStream
		grouped        = 2*rows*3*1000*500/(handRate*0.5) +
			(2*local+(2+2)*rows*(2*1000+3*500)+4.0/3*2*rows*2*1000)/handStream
		flash       = 4.5 * layers * tokens * handScores / handFlash
		elementwise = layers*passes*12/3*2*tokens*(1000+1000+hidden+busy)/handKernel +
			layers*handShared*10/handStream
		host    = passes * layers * 0.75 * 1e-5 / 3
		gathers = 2*layers*((2*handShared*7/8/four+handFar)+(2*local/2/handPort+handFar)) +
			2*(2*2*handTable*7/8/four+handFar)
		scatters = layers*((4*handShared*7/8/four+handFar)+(4*local/2/handPort+handFar)) +
			(4*2*handTable*7/8/four + handFar)
		sync = (4*dense*7/8/four + handFar) + (4*routed/2/handPort + handFar)
	)
	computing := passes*layers*(matmul+grouped) + flash + elementwise + host
	x := &estimate.Time
	checkCounted(t, []handCount{
		{"matmul", x.Matmul, passes * layers * (matmul + grouped), "4 passes x 4 layers x (outside experts + experts)"},
		{"attention", x.Attention, flash, "2 passes forward and 2.5 backward"},
		{"elementwise", x.Elementwise, elementwise, "12 passes in 3, of 4 x (width, queries, hidden width)"},
		{"logits", x.Logits, 3*2*tokens*handTable/handRate + 15*tokens*10000/handKernel, "3 passes: never again"},
		{"host", x.Host, host, "a third of the launches for each of 4 passes, in 3 of 4 layers"},
		{"EP", x.EP, 0.7 * layers * 6 * (sends*meets*0.75/handFast + handNear),
			"there and back: forward, again and backward; 3/4 of copies leave the rank"},
		{"gather", x.Gather, gathers - 0.4*computing + 0.4*scatters/2,
			"weights of each layer and of both tables twice, what shows; 0.4 of gradients after one of two micro-batches"},
		{"bubble", x.Bubble, 0, "one stage"},
		{"DP", x.DP, 0.4*sync + 1e-4*layers*3, "4 bytes of gradients over shards; 3 doublings of buckets"},
		{"DP hidden", x.DPHidden, 0.6 * sync, "the rest"},
		{"optimizer", x.Optimizer, (dense/8 + routed/2) * 30 / handStream, "30 bytes for each weight of a shard"},
	})
	const (
		live = tokens * (8*1000 + 2*2500 + 6*hidden + 6*busy + (2+4+2)*2*1000*1.25*3/4)
		kept = layers*2*tokens*1000 + live
		lost = 0.05 * (kept + 12*tokens*10000)
		flat = 8*(dense+routed)*7/8 - kept - 12*tokens*10000 - lost - 0.2*4*(dense+routed)
		mine = dense/8 + routed/2
	)
	m := &estimate.Memory
	checkCounted(t, []handCount{
		{"weights", m.Weights, 2 * mine, "2 bytes each of an eighth, of experts a half"},
		{"gradients", m.Grads, 4*mine + flat, "4 bytes each of those, and the copies from which 7/8 are sent"},
		{"master weights", m.Master, 4 * mine, "4 bytes each"},
		{"moments", m.Moments, 8 * mine, "8 bytes each"},
		{"gathered", m.Gathered, 2*2*(handShared+local) + 2*2*handTable, "two layers at 2 bytes, and both tables"},
		{"activations", m.Activations, kept, "inputs of 4 layers at 2 bytes, and one layer whole"},
		{"logits", m.Logits, 12 * tokens * 10000, "12 bytes each"},
		{"fragments", m.Fragments, lost, "5 %"},
	})
}

// TestLlamaCounted: Llama 3 8B as Meta publishes it (32 layers of width 4096, 32 heads of 128 and 8 of keys and values,
// hidden width 14336, 128,256 words) on 64 H100 as DP 8 x TP 4 x PP 2 with ZeRO-1, with Megatron-LM's constants.
func TestLlamaCounted(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 64, 128, 8192)
	_, estimate := priced(t, j, Plan{DP: 8, TP: 4, PP: 2, Zero: 1})
	const (
		D, keys, F, V, tokens = 4096.0, 2 * 8 * 128.0, 14336.0, 128256.0, 8192.0
		weights               = 2*D*D + D*keys + 3*D*F + 2*D + D/32
		layers                = 16.0
	)
	eighth := j
	eighth.Recipe.Attention = FP8
	_, narrow := priced(t, eighth, Plan{DP: 8, TP: 4, PP: 2, Zero: 1})
	s, d := j.Stack, j.Device
	rate, fast := d.Peak[BF16]*d.Reach[BF16]*s.Matmul, d.Fast*s.FastWire
	own := (layers*weights + V*D) / 4
	two := 2 * d.Slow * s.SlowWire                    // ranks 4 apart: two ports of a node's eight
	exchange := (2+2)*own*7/8/two + 2*3*s.SlowLatency // 32 ranks lie in four nodes: three steps round
	x, m := &estimate.Time, &estimate.Memory
	checkCounted(t, []handCount{
		{"matmul", x.Matmul, 3 * layers * (2*tokens*weights/4/rate +
			(2*weights/4+3*tokens*(4*D+(2*D+keys+3*F)/4))/d.Stream), "3 passes x 16 layers, over 4 ways"},
		{"attention", x.Attention, 3.5 * layers * tokens * 4 * D * 4096 / 4 / (d.Peak[BF16] * s.Attention),
			"4 FLOP for each of 4096 numbers and of half of 8192 tokens"},
		{"attention in fp8", narrow.Time.Attention,
			3.5 * layers * tokens * 4 * D * 4096 / 4 / (d.Peak[FP8] * s.Attention),
			"the same at the same share of the peak in fp8"},
		{"TP", x.TP, s.ShowTP * layers * 10 * (2*tokens*D*3/4/fast + s.FastLatency), "10 a layer"},
		{"PP", x.PP, s.ShowPP * 2 * (2*tokens*D/4/(d.Slow*s.SlowWire) + s.SlowLatency), "two sends"},
		{"micro-batches", x.MicroBatches, 16, "128 sequences over 8 replicas"},
		{"DP", x.DP, s.ShowDP*exchange + s.Bucket*layers*3, "2 bytes scattered and 2 gathered among 8"},
		{"optimizer", x.Optimizer, own / 8 * s.Optimizer / d.Stream, "40 bytes a weight"},
		{"weights", m.Weights, 2 * own, "2 bytes each"},
		{"master weights and moments", m.Master + m.Moments, 12 * own / 8, "12 bytes each of an eighth"},
	})
}
