package serving

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
)

// textbookLaws are the laws of serving without the constants that measurements add: of a decode step, of its split over
// chips, and of requests that queue for it.
func textbookLaws() []law.Law { return slices.Concat(stepLaws(), splitLaws(), queueLaws()) }

// stepLaws are those of one step.
func stepLaws() []law.Law {
	return []law.Law{
		{Name: "decode_step_time",
			Takes:   "weights byte, caches byte, work FLOP, bandwidth byte/s > 0, peak FLOP/s > 0",
			Gives:   "s",
			Formula: "caches / bandwidth + max(weights / bandwidth, work / peak)", Source: law.AustinInference,
			Doc: "A decode step: all caches are read while attention waits, then all weights, while the products " +
				"with them are computed. Bandwidth and peak are those of all chips together."},
	}
}

// splitLaws are those of an MLP that tensor parallelism splits over chips.
func splitLaws() []law.Law {
	return []law.Law{
		{Name: "decode_tp_limit",
			Takes:   "B > 0, F, bandwidth byte/s > 0, gather byte/s, w dtype = bf16, x dtype = bf16",
			Formula: "w.bytes / x.bytes * F / B * gather / bandwidth", Source: law.AustinInference,
			Doc: "Ways of tensor parallelism up to which an MLP of inner width F hides its gathers of activations of " +
				"dtype x, if B tokens decode and it waits for its weights of dtype w from memory. gather is the rate " +
				"at which a chip takes activations in, over all mesh axes."},
		{Name: "weight_stationary_2d_time", Takes: "B, D, F, X >= 1, YZ >= 1, W byte/s > 0, d dtype = bf16",
			Gives:   "s",
			Formula: "d.bytes * B * D / (X * W) + 2 * d.bytes * B * F / (YZ * W)", Source: law.Pope,
			Doc: "Traffic of an MLP whose weights are split over both widths: D over X chips, F over YZ chips that " +
				"form two axes. W is what a chip takes in along one axis."},
	}
}

// queueLaws are those of a replica that serves up to so many requests at a time.
func queueLaws() []law.Law {
	takes := "rate 1/s, slots >= 1, prompt s, step s > 0, each s, out >= 1"
	where := "rate * (out * (step + floor(slots) * each) + floor(slots) * prompt) < floor(slots)"
	return []law.Law{
		{Name: "queue_wait", Takes: takes, Gives: "s", Go: queueWait, Source: law.BirthDeath,
			Where: where, Else: phrase.New("serving.queue-grows"),
			Doc: "Mean wait for a slot of requests that arrive at random: the number under way is a chain whose rate " +
				"of service is that of a replica with so many. A decode step takes step, and each for every request under way; " +
				"each request reads its prompt, while the others stand still, and then decodes out tokens."},
		{Name: "queue_running", Takes: takes, Go: queueRunning, Source: law.BirthDeath,
			Where: where, Else: phrase.New("serving.queue-grows"),
			Doc: "Requests that hold a slot, on average, in the same chain."},
	}
}

func queueWait(a law.Args) (float64, error) {
	_, waiting := newDesk(a).mean(a.Num(0))
	return waiting / math.Max(a.Num(0), math.SmallestNonzeroFloat64), nil
}

func queueRunning(a law.Args) (float64, error) {
	running, _ := newDesk(a).mean(a.Num(0))
	return running, nil
}

// desk is a replica as a queue sees it.
type desk struct{ slots, prompt, step, each, out float64 }

// mostSlots are told apart; a replica with more is never full in practice.
const mostSlots = 1 << 14

func newDesk(a law.Args) desk {
	return desk{math.Min(math.Floor(a.Num(1)), mostSlots), a.Num(2), a.Num(3), a.Num(4), a.Num(5)}
}

// service is the requests a second that leave with n under way.
func (l desk) service(n float64) float64 { return n / (l.out*(l.step+n*l.each) + n*l.prompt) }

// mean is how many requests hold a slot and how many wait: p(n) = p(n-1) rate/service(n), geometric beyond the slots.
func (l desk) mean(rate float64) (running, waiting float64) {
	p, sum := 1.0, 1.0
	for n := 1.0; n <= l.slots; n++ {
		p *= rate / l.service(n)
		sum, running = sum+p, running+n*p
		if p > 1e200 {
			p, sum, running = p/1e200, sum/1e200, running/1e200
		}
	}
	busy := rate / l.service(l.slots)
	tail := p * busy / (1 - busy)
	sum, running = sum+tail, running+l.slots*tail
	return running / sum, tail / (1 - busy) / sum
}
