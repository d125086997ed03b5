package training

// change says what of a plan is other than in the one before.
type change uint8

// The changes. Each includes those before it.
const (
	newSharding  change = iota // ZeRO
	newRecompute               // also what is computed again
	newLayout                  // anything
)

// draft is a plan while it is priced. A search goes through plans that mostly differ from the one before in their last
// choices: what depends on the others alone is worked out once.
type draft struct {
	Price
	layout layout
	slot   Time // of a micro-batch, as far as sharding has no part in it
	timed  bool // slot is worked out
}

// estimateMemory begins with a plan, which must have its defaults filled in: what it holds, without its time.
func (p *Pricer) estimateMemory(d *draft, plan Plan, news change) {
	d.Plan, d.Time = plan, Time{}
	if news == newLayout {
		p.divided(&d.layout, &d.Plan)
	}
	if news >= newRecompute {
		p.recomputed(&d.layout, &d.Plan)
		d.timed = false
	}
	p.sharded(&d.layout, &d.Plan)
	p.memory(&d.layout, &d.Price)
}

// time adds the time of a step.
func (p *Pricer) time(d *draft) {
	if !d.timed {
		d.slot, d.timed = Time{}, true
		p.slot(&d.layout, &d.slot)
	}
	d.Time = d.slot
	p.step(&d.layout, &d.Time)
	if d.Memory.Paged > 0 {
		d.Time.Optimizer += 2 * d.Memory.Paged / p.job.Device.Host
	}
	s := p.job.Stack
	all := d.Reported.Total() - d.Reported.Exchange // what every micro-batch needs
	if room := s.MemoryRoom * p.job.Device.Memory; s.MemoryRoom > 0 && all > room {
		full := min(1, (all-room)/(AfterContext(p.job.Device.Memory)-room))
		d.Time.Retry = (s.RetrySlow - 1) * full * d.Time.Step()
	}
}
