package network

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// way is how a group does a collective, from which its Cost is added up.
type way struct {
	algorithm *phrase.Phrase
	stages    []Stage
	hops      int
	latency   q.Seconds
}

// twice is w followed by its mirror image, as an all-gather follows the reduce-scatter of an all-reduce.
func (w way) twice(second Op) way {
	mirror := make([]Stage, len(w.stages))
	for i, s := range w.stages {
		s.Op, s.Why = second, phrase.New("network.mirrored")
		mirror[len(w.stages)-1-i] = s
	}
	w.stages = append(w.stages[:len(w.stages):len(w.stages)], mirror...)
	w.hops, w.latency = 2*w.hops, 2*w.latency
	return w
}

// cost adds w up.
func (w way) cost(c Collective, size int) (Cost, error) {
	total := Cost{
		Op:        c.Op,
		Size:      size,
		Algorithm: w.algorithm,
		Latency:   w.latency,
		Hops:      w.hops,
		Stages:    w.stages,
	}
	var longest Term
	for _, s := range w.stages {
		t := s.Longest()
		total.Bandwidth += t.Time
		shortcut := q.Seconds(0)
		for _, t := range s.Terms {
			shortcut = max(shortcut, t.Shortcut)
		}
		total.Shortcut += shortcut
		if t.Time > longest.Time {
			longest = t
		}
	}
	total.PerLink = busiest(w.stages)
	total.Time, total.Sum = max(total.Bandwidth, total.Latency), total.Bandwidth+total.Latency
	switch {
	case total.Latency > total.Bandwidth:
		total.Binding = Resource{Kind: Latency}
	case longest.Time > 0:
		total.Binding = longest.Resource
	}
	if s := float64(total.Sum) + float64(total.Shortcut) + float64(total.PerLink); math.IsInf(s, 0) || math.IsNaN(s) {
		return Cost{}, phrase.Fault{What: phrase.New("network.beyond"), Remedy: phrase.New("network.give-less")}
	}
	return total, nil
}

// busiest is the most bytes that any one resource carries over all stages. A stage that mirrors another loads its links
// the other way.
func busiest(stages []Stage) q.Bytes {
	most := q.Bytes(0)
	for _, s := range stages {
		for _, t := range s.Terms {
			sum, before := q.Bytes(0), false
			for _, other := range stages {
				for _, u := range other.Terms {
					if u.Resource != t.Resource {
						continue
					}
					if sum += u.Bytes; before {
						sum -= u.idle
					}
					before = true
				}
			}
			most = max(most, sum)
		}
	}
	return most
}

// shift is how far a Permute sends around n chips: 0 to n-1.
func (c Collective) shift(n int) int {
	d := c.Shift
	if d == 0 {
		d = 1
	}
	return (d%n + n) % n
}

// checkLink refuses bandwidths and latencies that no wire has.
func checkLink(link Resource, w q.Bandwidth, latency q.Seconds) error {
	if b := float64(w); !(b > 0) || math.IsInf(b, 1) {
		return phrase.Fault{
			What:   phrase.New("network.bad-bandwidth", "link", link, "rate", number(b)),
			Remedy: phrase.New("network.give-bandwidth"),
		}
	}
	if l := float64(latency); !(l >= 0) || math.IsInf(l, 1) {
		return phrase.Fault{
			What:   phrase.New("network.bad-latency", "link", link, "time", number(l)),
			Remedy: phrase.New("network.give-latency"),
		}
	}
	return nil
}
