package measured

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// floor is the times in seconds that nothing beats: those of one request alone, at the peaks of the chips' data sheets.
type floor struct {
	first, token, whole float64
	requests            float64 // a second, if all of a closed loop were as fast as one alone
}

// floor is zero where nothing is known: of first tokens in an open loop, for one, whose prompts may be short.
func (t *setting) floor() floor {
	alone := *t
	alone.kind, alone.concurrency = closedLoop, 1
	a, err := alone.answer(serving.Perfect())
	switch {
	case err != nil || t.kind == offline:
		return floor{}
	case t.kind == openLoop:
		return floor{token: a.TPOT}
	}
	return floor{a.TTFT, a.TPOT, a.E2E, a.Requests * t.concurrency}
}

// keeps returns the interval of a metric without what beats the floor.
func (f floor) keeps(name string, i Interval, a answer) Interval {
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
