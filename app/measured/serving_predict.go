package measured

import (
	"fmt"
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/training"
)

// inference predicts a row of serving.
func inference(r Row) (Prediction, error) {
	setup := r.Setup.watched()
	t, err := readServing(setup)
	if err != nil {
		return Prediction{}, err
	}
	a, err := t.answer(serving.Fitted(t.engine))
	if err != nil {
		return Prediction{}, err
	}
	p := Prediction{Fits: yesOrNo(a.fits), Metrics: Metrics{}, Notes: t.notes}
	least := t.floor()
	for name, x := range a.metrics(t) {
		if low, high := t.spreadOf(name); x > 0 && !math.IsInf(x, 0) {
			p.Metrics[name] = least.keeps(name, Interval{x * low, x, x * high}, a)
		}
	}
	if long := t.shape.TooLong(t.load); long != nil {
		p.Notes = append(p.Notes, long.Error())
	}
	if unread := setup.unread(); len(unread) > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s: nothing here depends on that; leave it out, or say it by another name",
			strings.Join(unread, ", ")))
	}
	return p, nil
}

// metrics are the predictions under every name that rows use for them.
func (a answer) metrics(t *setting) map[string]float64 {
	if a.queue != nil {
		return a.openMetrics()
	}
	m := map[string]float64{
		"tpot_ms": a.TPOT * 1e3, "itl_ms": a.TPOT * 1e3, "median_tpot_ms": a.TPOT * 1e3, "mean_tpot_ms": a.TPOT * 1e3,
		"tpot_p50_ms":              a.TPOT * 1e3,
		"interactivity_tok_s_user": 1 / a.TPOT, "output_tok_s": a.Output, "output_tok_s_per_device": a.Output / a.chips,
		"total_tok_s_per_device": a.Requests * (t.load.In + t.load.Out) / a.chips, "input_tok_s": a.Requests * t.load.In,
		"request_per_s": a.Requests,
	}
	if t.kind == closedLoop {
		first := a.TTFT * 1e3
		for _, name := range []string{"ttft_ms", "median_ttft_ms", "mean_ttft_ms", "ttft_p50_ms"} {
			m[name] = first
		}
		m["output_tok_s_derived"], m["mean_latency_ms"] = a.Output, a.E2E*1e3
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
	}{{"ttft_ms", 1e3, q.TTFT}, {"e2e_s", 1, q.E2E}, {"e2e_ms", 1e3, q.E2E}, {"tpot_derived_ms", 1e3, q.TPOT}, {"tpot_ms",
		1e3, q.TPOT}, {"itl_ms", 1e3, q.TPOT}} {
		m["mean_"+x.name], m["p50_"+x.name], m["median_"+x.name] = x.p.Mean*x.scale, x.p.P50*x.scale, x.p.P50*x.scale
		m["p90_"+x.name], m["p99_"+x.name] = x.p.P90*x.scale, x.p.P99*x.scale
	}
	return m
}

// regime is what kind of row it is, as far as the width of intervals depends on it.
func (t *setting) regime() string {
	switch {
	case t.apart && t.prefill.workers == 0:
		return "apart, workers not stated"
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
	case strings.Contains(metric, "tpot") || strings.Contains(metric, "itl") || strings.Contains(metric, "interactivity"):
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
