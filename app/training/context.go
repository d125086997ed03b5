package training

// Context is how the ranks of context parallelism, which hold some tokens of each sequence, share attention.
type Context uint8

// The ways. A ring passes keys and values around while attention computes (Liu et al. 2023); a gather brings those of
// the whole sequence together before it (Llama 3); Ulysses exchanges tokens for heads before it and back after it, so
// that a rank has whole sequences of its heads (Jacobs et al. 2023).
const (
	RingContext Context = iota
	GatherContext
	UlyssesContext

	contexts
)

var contextNames = [contexts]string{"ring", "gather", "ulysses"}

// String is the name of x.
func (x Context) String() string { return nameOf(contextNames[:], x) }

// ParseContext finds a way by its name.
func ParseContext(name string) (Context, bool) { return named[Context](contextNames[:], name) }

// contextTime is a layer's traffic of context parallelism for a micro-batch, forward and backward, as far as it shows.
//
// Keys and values go around three times: forward, backward, and their gradients. On a ring a share of that shows; where
// they are gathered before attention begins, nothing hides it. By Ulysses queries, keys, values and outputs go through
// an all-to-all forward, and their gradients backward; what is computed again is exchanged again.
func (p *Pricer) contextTime(c *layout) float64 {
	if c.context == UlyssesContext {
		return (2 + c.again) * p.exchange(2*c.tokens*p.swapped(c)/c.tp, c.cp, c.tp)
	}
	around := 3 * p.wire(c.cp, c.tp).gather(p.gathered(c), c.cp)
	if c.context == GatherContext {
		return around
	}
	return p.job.Stack.ShowCP * around
}

// gathered is the bytes of a layer's keys and values of whole sequences.
func (p *Pricer) gathered(c *layout) float64 { return 2 * c.tokens * c.cp * p.shape.keys / c.tp }

// swapped is the widths of what Ulysses exchanges for a token: queries, keys and values, outputs. Each rank needs whole
// heads, so that the few heads of keys and values go to several.
func (p *Pricer) swapped(c *layout) float64 {
	z := &p.shape
	return z.queries + z.keys*max(1, c.cp/max(1, z.kvHeads/c.tp)) + z.values
}

// exchange is an all-to-all in which each of n ranks, stride apart, gives its bytes away in equal parts. What leaves a
// domain goes through the rank's own port. On a torus a part goes a quarter of the ring far in the mean.
func (p *Pricer) exchange(bytes, n, stride float64) float64 {
	s, d, w := p.job.Stack, &p.job.Device, p.wire(n, stride)
	inside := n
	if d.Axes > 0 {
		return bytes*max((n-1)/n, n/4)/w.bandwidth + w.latency
	}
	if domain := float64(d.Domain); n*stride > domain {
		inside = max(1, domain/stride)
	}
	fast, slow := bytes*(inside-1)/n/(d.Fast*s.FastWire), bytes*(n-inside)/n/(d.Slow*s.SlowWire)
	return max(fast, slow) + w.latency
}
