package measured

import (
	"math"

	"github.com/scalebook/scalebook/app/serving"
)

// answer is what the estimation packages say of a set-up, whatever its load.
type answer struct {
	serving.Latency
	queue *serving.Queue // of an open loop
	chips float64
	fits  bool // weights and at least one request into the memory that engines usually take
}

// answer asks the estimation packages, with the given constants.
func (t *setting) answer(k serving.Constants) (answer, error) {
	if t.apart {
		return t.apartAnswer(k)
	}
	r, err := serving.NewReplica(t.shape, t.chip, t.plan, k, t.options)
	if err != nil {
		return answer{}, err
	}
	a, load := answer{chips: float64(r.Chips()), fits: r.Memory(t.load.In+t.load.Out).Sequences >= 1}, t.cached(r)
	switch t.kind {
	case openLoop:
		q := t.queue(r.Line(load))
		a.queue = &q
		a.TTFT, a.TPOT, a.E2E, a.Output = q.TTFT.Mean, q.TPOT.Mean, q.E2E.Mean, q.Output
		a.Requests, a.Running = q.Output/t.load.Out, q.Running
	case offline:
		a.Latency = r.Offline(load)
	default:
		a.Latency = r.Closed(t.concurrency, load)
	}
	return a, nil
}

// queue is what requests of all stages see: those of a stage with more requests count for more.
func (t *setting) queue(line *serving.Line) serving.Queue {
	var all serving.Queue
	sum := 0.0
	for _, rate := range t.stages {
		sum += rate
	}
	in := t.arrivals
	for _, in.Rate = range t.stages {
		q := line.Queue(in)
		all.TTFT.Add(q.TTFT, in.Rate/sum)
		all.TPOT.Add(q.TPOT, in.Rate/sum)
		all.E2E.Add(q.E2E, in.Rate/sum)
		all.Running += q.Running / float64(len(t.stages))
		all.Output += q.Output / float64(len(t.stages))
	}
	return all
}

// What is assumed of prefill and decode apart where a row doesn't say how many workers there are: what most published
// configurations have (SemiAnalysisAI/InferenceX, nvidia-master.yaml @0004cf5).
const (
	usualDecoders = 5   // at least
	usualDecoding = 512 // sequences of each of their attention groups at the most
)

// apartAnswer is the same for prefill and decode apart. Where the row doesn't say how many workers there are, the usual
// number decodes, and as many prefill as keep them busy.
func (t *setting) apartAnswer(k serving.Constants) (answer, error) {
	p, err := serving.NewReplica(t.shape, t.chip, t.prefill.plan, k, t.options)
	if err != nil {
		return answer{}, err
	}
	if t.prefill.tokens > 0 && t.options.Chunk == 0 {
		p.Engine.Chunk = t.prefill.tokens
	}
	d, err := serving.NewReplica(t.shape, t.chip, t.decode.plan, k, t.options)
	if err != nil {
		return answer{}, err
	}
	if t.decode.slots > 0 {
		d.Engine.Sequences = t.decode.slots
	}
	s := serving.Split{Prefill: p, Decode: d, Prefills: t.prefill.workers, Decodes: t.decode.workers}
	c := t.concurrency
	if c == 0 {
		c = t.decode.batch * max(s.Decodes, 1) * float64(t.decode.plan.DP)
	}
	if s.Decodes == 0 {
		fit := max(min(usualDecoding*float64(t.decode.plan.DP), d.Memory(t.load.In+t.load.Out).Sequences), 1)
		s.Decodes = max(math.Ceil(c/fit), usualDecoders)
	}
	if s.Prefills == 0 {
		s.Prefills = s.Match(c, t.load)
	}
	fits := p.Memory(t.load.In).Sequences >= 1 && d.Memory(t.load.In+t.load.Out).Sequences >= 1
	return answer{Latency: s.Closed(max(c, 1), t.load), chips: s.Chips(), fits: fits}, nil
}
