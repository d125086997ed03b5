package training

// Why says why a plan isn't chosen, with the number that binds: what doesn't divide, which part of the memory by how
// much, or how much slower it is than the best and where its time goes.
func (p *Pricer) Why(plan Plan, best *Price) error {
	if err := p.Legal(plan); err != nil {
		return err
	}
	price := p.Price(plan)
	if excess := price.Memory.Total() - AfterContext(p.job.Device.Memory); excess > 0 {
		return p.tooLarge(&price, excess)
	}
	if lacks := p.Lacks(&price.Plan); lacks != "" {
		return fault("training.lacks-option", "software", p.job.Stack.Name, "option", lacks)
	}
	if best == nil || price.Time.Step() <= best.Time.Step() {
		return fault("training.fine")
	}
	part, more := price.Time.Lost(&best.Time)
	key := "training.slower"
	if p.Equal(&price, best) {
		key = "training.equal"
	}
	return fault(key, "time", seconds(price.Time.Step()), "more",
		seconds(price.Time.Step()-best.Time.Step()), "part", part, "lost", seconds(more))
}

// tooLarge says that a plan takes so many bytes too many, and which policy would make it fit: reports seldom say what
// they compute again.
func (p *Pricer) tooLarge(price *Price, excess float64) error {
	part := price.Memory.Largest()
	numbers := []any{"memory", gigabytes(price.Memory.Total()), "excess", gigabytes(excess), "part", part,
		"most", gigabytes(price.Memory.Part(part))}
	for _, policy := range []Recompute{RecomputeSome, RecomputeBlock} {
		if policy.level() <= price.Plan.Recompute.level() {
			continue
		}
		plan := price.Plan
		plan.Recompute = policy
		if less := p.Price(plan).Memory.Total(); less <= AfterContext(p.job.Device.Memory) {
			numbers = append(numbers, "policy", policy.String(), "less", gigabytes(less))
			return fault("training.too-large-but", numbers...)
		}
	}
	return fault("training.too-large", numbers...)
}
