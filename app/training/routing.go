package training

import (
	"strconv"
	"strings"
)

// Routing is how tokens reach their experts. The zero Routing is as the software has it, and each expert takes all
// tokens that come.
type Routing struct {
	Dispatcher Dispatcher
	Overlapped bool    // while tokens travel, another micro-batch computes
	Capacity   float64 // tokens that an expert takes at most, over the mean; others are dropped; 0 means no limit
	Buffers    Buffers // what is computed and sent where fewer come than that
}

// Dispatcher is how ranks send tokens to experts on other ranks.
type Dispatcher uint8

// The dispatchers.
const (
	UsualDispatcher    Dispatcher = iota // as the software has it
	AllToAllDispatcher                   // a copy for each of a token's experts
	GatherDispatcher                     // all tokens to all ranks
	OnceDispatcher                       // a copy for each rank with an expert, to another domain one for all there

	dispatchers
)

var dispatcherNames = [dispatchers]string{"usual", "alltoall", "allgather", "deepep"}

// dispatcherMeant is the dispatcher that software calls so; false if none is known by the name.
func dispatcherMeant(name string) (Dispatcher, bool) {
	switch {
	case listed("flex|hybridep|hybrid_ep|minimal_async_ep", name):
		name = dispatcherNames[OnceDispatcher]
	case listed("all_to_all|all-to-all|a2a|standard|alltoall_seq", name):
		name = dispatcherNames[AllToAllDispatcher]
	}
	return named[Dispatcher](dispatcherNames[:], name)
}

// Buffers are what experts compute if they take a limited number of tokens.
type Buffers uint8

// The buffers.
const (
	PaddedBuffers Buffers = iota // as many rows as the limit, whatever is in them
	ExactBuffers                 // the tokens that are there
	MaskedBuffers                // padded, and filled by matmuls with masks of zeros and ones (GShard)

	bufferKinds
)

var bufferNames = [bufferKinds]string{"padded", "exact", "masked"}

// allTokens is a limit that no expert reaches.
const allTokens = 1 << 20

// capacitySaid reads a limit over the mean: 1.25, or all tokens.
func capacitySaid(word string) (capacity float64, known bool) {
	if word == "all" {
		return allTokens, true
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x > 0 && x <= allTokens) {
		return 0, false
	}
	return x, true
}

// words are those of t in which people type them: "dispatcher=alltoall experts=overlapped capacity=1.25+exact".
func (t *Routing) words(say func(wanted bool, name, value string)) {
	say(t.Dispatcher != UsualDispatcher, "dispatcher", nameOf(dispatcherNames[:], t.Dispatcher))
	say(t.Overlapped, "experts", "overlapped")
	capacity := pick(t.Capacity >= allTokens, "all", strconv.FormatFloat(t.Capacity, 'g', -1, 64))
	if t.Buffers != PaddedBuffers {
		capacity += "+" + nameOf(bufferNames[:], t.Buffers)
	}
	say(t.Capacity > 0, "capacity", capacity)
}

// set takes one word, and tells whether it is one about tokens' ways to experts, and what is wrong with its value.
func (t *Routing) set(name, value string) (known bool, err error) {
	switch name {
	case "dispatcher":
		t.Dispatcher, known = dispatcherMeant(pick(value == "", dispatcherNames[0], value))
		return true, wrongUnless(known, name, value, dispatcherNames[1:]...)
	case "experts":
		t.Overlapped = value == "overlapped"
		return true, among(name, value, "overlapped", "exposed")
	case "capacity":
		limit, buffers, _ := strings.Cut(value, "+")
		t.Capacity, known = capacitySaid(limit)
		kind, named := named[Buffers](bufferNames[:], pick(buffers == "", bufferNames[0], buffers))
		t.Buffers = kind
		return true, wrongUnless(value == "" || known && named, name, value, "1.25", "1.25+exact", "1.25+masked", "all")
	}
	return false, nil
}

// Masks are counted for a token of a layer and each place of the buffers of its group: a product that fills buffers
// and one that weighs what comes back, both again backward, and one more for the gradient of the weights. Both masks
// are written, these products read them, and the gradient is written, each in 2 bytes; a mask of 2 bytes and one of a
// byte wait for the backward pass.
const (
	maskBytes = 2 * (2 + 5 + 1)
	maskKept  = 2 + 1
)

// loads is what the busiest rank of ep ranks of experts computes, and what of that are tokens, each over the mean.
func (p *Estimator) loads(ep float64) (computed, real float64) {
	r, z := &p.job.Routing, &p.shape
	real = pick(ep > 1, p.job.Stack.Imbalance, 1)
	if r.Capacity <= 0 || z.perToken == 0 {
		return real, real
	}
	most := min(r.Capacity, z.experts/z.perToken) // an expert can't have a token twice
	real = min(real, most)
	return pick(r.Buffers == ExactBuffers, real, most), real
}

// dispatcher is the one that the plan runs.
func (p *Estimator) dispatcher() Dispatcher {
	switch d := p.job.Routing.Dispatcher; {
	case d != UsualDispatcher:
		return d
	case p.job.Stack.TokenOnce == 0:
		return AllToAllDispatcher
	}
	return OnceDispatcher
}

// masked is the time of a micro-batch's products with masks in a layer, all passes together. A group is a sequence
// with XLA, elsewhere all tokens of a micro-batch on a rank.
func (p *Estimator) masked(c *layout) float64 {
	z, d := &p.shape, &p.job.Device
	places := c.tokens / c.tp * p.places(c)
	products := 2*p.expertPasses(c) - pick(p.job.Frozen, 0.0, 1)
	return places * (products*2*z.expertInput/p.matmulRate(BF16) + maskBytes*p.expertPasses(c)/3/d.Stream)
}

// batched tells whether experts compute as one dense product over buffers that are all as long, as where masks fill
// them.
func (r *Routing) batched() bool { return r.Capacity > 0 && r.Buffers == MaskedBuffers }

// places is the places of the buffers that the masks of a token of a mean layer have; 0 if there are no masks.
func (p *Estimator) places(c *layout) float64 {
	r := &p.job.Routing
	if !r.batched() || r.Capacity >= allTokens { // who has all tokens needs no mask
		return 0
	}
	return c.group * p.shape.routes * p.shape.perToken * c.imbalance
}

// overlaps tells whether tokens go to experts while another micro-batch computes.
func (p *Estimator) overlaps(c *layout) bool {
	return c.ep > 1 && (c.schedule == DualPipe || p.job.Routing.Overlapped)
}

// shownTokens is what shows of tokens' ways to experts in a mean micro-batch: no more hides than what computes. If
// another micro-batch computes meanwhile, that is what the kernels that send take of the device, but for micro-batches
// that have no other beside them.
func (p *Estimator) shownTokens(c *layout, t *Time) float64 {
	s, all := p.job.Stack, p.allToAlls(c)
	least := all - t.Matmul - t.Attention - t.Elementwise
	shown := max(s.ShowEP*all, least)
	if !p.overlaps(c) {
		return shown
	}
	beside := max(min(s.ShowEP, s.Lent)*all, least)
	return beside + c.alone()/c.m*(shown-beside)
}

// alone is how many of the microbatches pass a mean rank forward, and as many backward, with no other beside them. On
// DualPipe's p stages these are p on the way in, and one for each rank between it and the middle; elsewhere those that
// fill the pipeline, and one more, so that none needs what is computed beside it (Megatron-LM).
func (c *layout) alone() float64 {
	n := (c.pp + 1) / 2
	switch c.schedule {
	case DualPipe:
		n = c.pp + (c.pp/2-1)/2
	case Interleaved: // p - 1 chunks in the mean, all but one of those of a rank, and one more
		n = c.pp
	}
	return min(c.m, n)
}
