//go:build !lean

package training

// Exchange is what ranks of a plan send one another in a step: who, how often, over which wire.
type Exchange struct {
	What, Group   string // the key of its name; who exchanges
	Part          int    // of Time.Parts, in which what shows of it stands
	Ranks, Stride int
	Inside        bool    // the group lies inside a domain of the fast network
	Times         float64 // in a step
	Bytes         float64 // that each rank sends each time
	Bandwidth     float64 // bytes/s of a rank, one way
	Time, Shown   float64 // s of the step: all of it, and what doesn't hide
}

// Numbers are those of e in their order, but for what is no number.
func (e *Exchange) Numbers() [7]float64 {
	return [...]float64{float64(e.Ranks), float64(e.Stride), e.Times, e.Bytes, e.Bandwidth, e.Time, e.Shown}
}

// The parts of a step in which traffic stands, by their places in Time.Parts.
const (
	tensorPart = 5 + iota
	contextPart
	expertPart
	gatherPart
	stagePart
	replicaPart = 12
)

// Exchanges are all that the ranks of the slowest stage take part in, but for none that takes no time.
func (p *Pricer) Exchanges(price *Price) []Exchange {
	plan := price.Plan
	c, t, s := p.layout(&plan), &price.Time, p.job.Stack
	l := exchanges{p: p}
	l.add("training.sends-activations", "TP", tensorPart, p.activations(&c), c.m, s.ShowTP)
	slots := c.m * c.stage.pace
	bytes, times, shown := p.contextBytes(&c)
	l.layers("training.sends-keys", "CP", contextPart, c.contextGroup(), bytes, slots*times, c.m*t.CP, shown)
	l.layers("training.sends-tokens", "EP", expertPart, c.expertGroup(), p.dispatched(&c),
		slots*p.dispatches(&c), c.m*t.EP, s.ShowEP)
	l.add("training.sends-on", "PP", stagePart, p.handed(&c), c.m, s.ShowPP)
	l.sharded(&c, t)
	l.once(&c)
	return l.all
}

// exchanges is the list under way.
type exchanges struct {
	p   *Pricer
	all []Exchange
}

// add adds an exchange that comes in so many microbatches, or once, of which a share shows.
func (l *exchanges) add(what, group string, part int, e exchange, micros, shown float64) {
	if time := micros * l.p.takes(e); time > 0 {
		bytes := e.bytes * (e.size - 1) / e.size
		l.all = append(l.all, l.exchange(what, group, part, e.group, micros*e.times, bytes, time, shown*time))
	}
}

// layers adds one whose share that shows takes so long.
func (l *exchanges) layers(what, group string, part int, g group, bytes, times, shows, shown float64) {
	if g.size > 1 && shown > 0 {
		l.all = append(l.all, l.exchange(what, group, part, g, times, bytes, shows/shown, shows))
	}
}

func (l *exchanges) exchange(what, name string, part int, g group, times, bytes, time, shown float64) Exchange {
	return Exchange{What: what, Group: name, Part: part, Ranks: int(g.size), Stride: int(g.stride),
		Inside: g.size*g.stride <= float64(l.p.job.Device.Domain), Times: times, Bytes: bytes,
		Bandwidth: l.p.wire(g.size, g.stride).bandwidth, Time: time, Shown: shown}
}

// sharded adds what sharded states exchange in each micro-batch. What of all of that shows is known together.
func (l *exchanges) sharded(c *layout, t *Time) {
	if c.zero < 2 || c.shard <= 1 {
		return
	}
	from := len(l.all)
	dense, routed := l.p.gathers(c)
	l.add("training.sends-weights", "DP", gatherPart, dense, c.m, 0)
	l.add("training.sends-weights", "expert DP", gatherPart, routed, c.m, 0)
	if l.p.reducesEach(c) {
		dense, routed = l.p.reductions(c)
		l.add("training.sends-each", "DP", gatherPart, dense, c.m-1, 0)
		l.add("training.sends-each", "expert DP", gatherPart, routed, c.m-1, 0)
	}
	all := 0.0
	for _, e := range l.all[from:] {
		all += e.Time
	}
	for i := range l.all[from:] {
		l.all[from+i].Shown = l.all[from+i].Time / all * c.m * t.Gather
	}
}

// once adds what comes once in a step.
func (l *exchanges) once(c *layout) {
	if l.p.job.Frozen {
		return
	}
	shown := pick(c.zero > 0, l.p.job.Stack.ShowDP, l.p.job.Stack.ShowReduce)
	what := [3]string{"training.sends-gradients", "training.sends-updated", "training.sends-replicas"}
	for i, e := range l.p.syncs(c) {
		l.add(what[i%3], [2]string{"DP", "expert DP"}[i/3], replicaPart, e, 1, shown)
	}
}

// contextBytes is what a rank of context parallelism sends of a layer each time, how often, and the share that shows.
func (p *Pricer) contextBytes(c *layout) (bytes, times, shown float64) {
	others := (c.cp - 1) / c.cp
	switch c.context {
	case UlyssesContext:
		return others * 2 * c.tokens * p.swapped(c) / c.tp, 2 + c.again, 1
	case GatherContext:
		return others * p.gathered(c), 3, 1
	}
	return others * p.gathered(c), 3, p.job.Stack.ShowCP
}

// dispatched is the bytes of a layer that a rank sends to other ranks of experts each time: a copy to each of them, or
// to another domain one for all that are there.
func (p *Pricer) dispatched(c *layout) float64 {
	z, n, domain := &p.shape, c.ep, float64(p.job.Device.Domain)
	if group := c.ep * c.etp; p.job.Device.Axes == 0 && group > domain {
		n = group / domain
	}
	return 2 * c.tokens * z.expertInput * z.routes * c.imbalance / c.tp * distinct(n, z.perToken) * (n - 1) / n
}
