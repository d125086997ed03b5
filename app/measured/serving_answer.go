package measured

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/training"
)

// answer is what the estimation packages say of a set-up, whatever its load.
type answer struct {
	serving.Latency
	queue *serving.Queue // of an open loop
	line  *serving.Line  // the same, for other rates
	chips float64
	fits  bool // weights and at least one request into the memory that engines usually take
}

// answer asks the estimation packages, with the given constants.
func (t *setting) answer(k serving.Constants) (answer, error) {
	if t.mixed {
		as := serving.Fitted("vllm")
		k.Together, k.Wave = as.Together, as.Wave
	}
	if t.apart {
		return t.apartAnswer(k)
	}
	if reads := t.rereads(); reads > 0 {
		k.Cache = k.Weights / reads
	}
	r, err := serving.NewReplica(t.shape, t.chip, t.plan, k, t.options)
	if err != nil {
		return answer{}, err
	}
	copies := max(t.replicas, 1)
	a := answer{chips: copies * float64(r.Chips()), fits: r.Memory(t.load.In+t.load.Out).Sequences >= 1}
	load := t.cached(r)
	switch t.kind {
	case openLoop:
		a.line = r.Line(load)
		q := t.queue(a.line, 1)
		a.queue = &q
		a.TTFT, a.TPOT, a.E2E, a.Output = q.TTFT.Mean, q.TPOT.Mean, q.E2E.Mean, q.Output
		a.Requests, a.Running = q.Output/t.load.Out, q.Running
	case offline:
		a.Latency = r.Offline(load, t.listed/copies)
	default:
		a.Latency = r.Closed(max(t.concurrency/copies, 1), load)
	}
	return a.times(min(copies, t.most())), nil
}

// rereads is how often TensorRT-LLM before 0.8 reads the keys and values of a step: for each query head of a group
// anew, as one stream, such as weights are. A kernel that shares them (XQA) came in January 2024. 0 stands for any
// other engine.
func (t *setting) rereads() float64 {
	m := t.shape.Model
	if t.engine != "trtllm" || m.KVHeads <= 0 || !older("trtllm "+t.release, "trtllm", "0.8") {
		return 0
	}
	return float64(max(m.Heads, m.KVHeads)) / float64(m.KVHeads)
}

// most is the most replicas that are busy: no more than there are requests in a closed loop.
func (t *setting) most() float64 {
	if t.kind == closedLoop && t.concurrency > 0 {
		return t.concurrency
	}
	return math.Inf(1)
}

// times is a with what so many replicas deliver; what their requests see stays.
func (a answer) times(replicas float64) answer {
	for _, x := range []*float64{&a.Output, &a.Requests, &a.Running, &a.Admitted} {
		*x *= replicas
	}
	return a
}

// queue is what requests of all stages see if steps take so many times as long as is predicted: those of a stage with
// more requests count for more. With time in units that are as much longer, steps are as predicted, and requests
// come more often.
func (t *setting) queue(line *serving.Line, slower float64) serving.Queue {
	var all serving.Queue
	sum := 0.0
	for _, rate := range t.stages {
		sum += rate
	}
	in := t.arrivals
	in.Replicas, in.Duration = t.replicas, in.Duration/slower
	if in.Duration == 0 {
		in.Duration = 3600 / slower
	}
	for _, rate := range t.stages {
		in.Rate = rate / max(t.replicas, 1) * slower
		q := line.Queue(in)
		share, n := slower*rate/sum, float64(len(t.stages))
		all.TTFT.Add(q.TTFT, share)
		all.TPOT.Add(q.TPOT, share)
		all.E2E.Add(q.E2E, share)
		all.Running += q.Running / n
		all.Output += q.Output / slower / n
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
	copies := max(t.replicas, 1)
	c := t.concurrency / copies
	if c == 0 {
		c = t.decode.batch * max(s.Decodes, 1) * float64(t.decode.plan.DP)
	}
	if s.Decodes == 0 {
		fit := max(min(usualDecoding*float64(t.decode.plan.DP), d.Memory(t.load.In+t.load.Out).Sequences), 1)
		s.Decodes = max(math.Ceil(c/fit), usualDecoders)
	}
	if s.Prefills == 0 {
		s.Prefills = s.Match(c, t.mean())
	}
	fits := p.Memory(t.load.In).Sequences >= 1 && d.Memory(t.load.In+t.load.Out).Sequences >= 1
	a := answer{Latency: s.Closed(max(c, 1), t.mean()), chips: copies * s.Chips(), fits: fits}
	return a.times(min(copies, t.most())), nil
}

// inference predicts a row of serving.
func inference(r Row) (Prediction, error) {
	t, err := readServing(r.Setup)
	if err != nil {
		return Prediction{}, err
	}
	a, err := t.answer(serving.Fitted(t.engine))
	if err != nil {
		return Prediction{}, err
	}
	p := Prediction{Fits: yesOrNo(a.fits), Metrics: Metrics{}, Notes: t.notes}
	least, between := t.bound(), t.intervals(a)
	for name, x := range a.metrics(t) {
		if x > 0 && !math.IsInf(x, 0) {
			low, high := between(name)
			p.Metrics[name] = least.keeps(name, Interval{x * low, x, x * high}, a)
		}
	}
	if long := t.shape.TooLong(t.load); long != nil {
		p.Notes = append(p.Notes, long.Error())
	}
	return p, nil
}

// metrics are the predictions under every name that rows use for them.
func (a answer) metrics(t *setting) map[string]float64 {
	if a.queue != nil {
		return a.openMetrics()
	}
	mean := t.mean()
	m := map[string]float64{
		"tpot_ms": a.TPOT * 1e3, "itl_ms": a.TPOT * 1e3, "median_tpot_ms": a.TPOT * 1e3, "mean_tpot_ms": a.TPOT * 1e3,
		"tpot_p50_ms":              a.TPOT * 1e3,
		"interactivity_tok_s_user": 1 / a.TPOT, "output_tok_s": a.Output, "output_tok_s_per_device": a.Output / a.chips,
		"total_tok_s_per_device": a.Requests * (mean.In + mean.Out) / a.chips, "input_tok_s": a.Requests * mean.In,
		"request_per_s": a.Requests,
	}
	if t.kind == closedLoop {
		first := a.TTFT * 1e3
		for _, name := range []string{"ttft_ms", "median_ttft_ms", "mean_ttft_ms", "ttft_p50_ms"} {
			m[name] = first
		}
		m["mean_latency_ms"] = a.E2E * 1e3
		// worked out from the lengths that were asked for
		m["output_tok_s_derived"] = a.Output
		if whole := a.TTFT + a.TPOT*(t.load.Out-1); t.load.Spread > 0 && t.concurrency > 0 {
			m["output_tok_s_derived"] = t.concurrency * t.load.Out / whole
		}
		m["median_e2e_s"], m["mean_e2e_s"] = a.E2E, a.E2E
	}
	return m
}

// openMetrics are those of an open loop, with their percentiles.
func (a answer) openMetrics() map[string]float64 {
	q, m := a.queue, map[string]float64{"output_tok_s": a.Output, "request_per_s": a.Requests}
	for _, x := range []struct {
		name  string
		scale float64
		p     serving.Percentiles
	}{{"ttft_ms", 1e3, q.TTFT}, {"e2e_s", 1, q.E2E}, {"e2e_ms", 1e3, q.E2E}, {"tpot_derived_ms", 1e3, q.TPOT},
		{"tpot_ms",
			1e3, q.TPOT}, {"itl_ms", 1e3, q.TPOT}} {
		m["mean_"+x.name], m["p50_"+x.name], m["median_"+x.name] = x.p.Mean*x.scale, x.p.P50*x.scale, x.p.P50*x.scale
		m["p90_"+x.name], m["p99_"+x.name] = x.p.P90*x.scale, x.p.P99*x.scale
	}
	return m
}

// unstatedWorkers is the regime of rows that say neither how many workers prefill nor how many decode, and for which no
// set-up was published, or that say no worker's chips by which one could be told.
const unstatedWorkers = "apart, workers not stated"

// ofSeveral is that of those that don't say it, but for which several set-ups with workers of as many chips were
// published, of which the middle one is taken; or one, once with guessed tokens and once without. Where a single one
// was published it is as if the row said it.
const ofSeveral = "apart, one of several set-ups"

// regime is what kind of row it is, as far as the width of intervals depends on it.
func (t *setting) regime() string {
	switch {
	case t.apart && (t.prefill.workers == 0 || t.noPlan):
		return unstatedWorkers
	case t.likes > 1 || t.unsettled:
		return ofSeveral
	case t.apart:
		return "apart"
	case t.kind == openLoop:
		return "open"
	case t.kind == offline:
		return "offline"
	}
	return "together"
}

// quantity is what a metric measures: its percentiles and units share an interval.
func quantity(metric string) string {
	switch {
	case strings.Contains(metric, "ttft"):
		return "first"
	case strings.Contains(metric, "e2e") || strings.Contains(metric, "latency"):
		return "whole"
	case strings.Contains(metric, "tpot") || strings.Contains(metric, "itl") ||
		strings.Contains(metric, "interactivity"):
		return "token"
	}
	return "rate"
}

// yesOrNo is whether a replica fits: what engines keep free for themselves is known.
func yesOrNo(fits bool) string {
	if fits {
		return training.FitYes.String()
	}
	return training.FitNo.String()
}

// bound is the least times in seconds: those of one request alone, at the peaks of the chips' data sheets.
type bound struct {
	first, token, whole float64
	requests            float64 // a second, if all of a closed loop were as fast as one alone
}

// bound is zero where nothing is known: of first tokens in an open loop, for one, whose prompts may be short.
func (t *setting) bound() bound {
	alone := *t
	alone.kind, alone.concurrency, alone.replicas = closedLoop, 1, 0
	a, err := alone.answer(serving.Perfect())
	switch {
	case err != nil || t.kind == offline:
		return bound{}
	case t.kind == openLoop:
		return bound{token: a.TPOT}
	}
	return bound{a.TTFT, a.TPOT, a.E2E, a.Requests * t.concurrency}
}

// keeps returns the interval of a metric without what beats the floor.
func (f bound) keeps(name string, i Interval, a answer) Interval {
	least, most := 0.0, math.Inf(1)
	switch q := quantity(name); {
	case strings.Contains(name, "interactivity"):
		most = 1 / f.token
	case q == "token":
		least = f.token
	case q == "first":
		least = f.first
	case q == "whole":
		least = f.whole
	case f.requests > 0: // all rates go with that of requests
		most = i.Mid * f.requests / a.Requests
	}
	if strings.HasSuffix(name, "_ms") {
		least *= 1e3
	}
	return Interval{max(i.Low, min(i.Mid, least)), i.Mid, min(i.High, max(i.Mid, most))}
}
