package training

// Check says what is wrong with a job, or nil.
func (j *Job) Check() error {
	const most = 1 << 24
	switch {
	case j.Model == nil || j.Stack == nil:
		return fault("a job needs a model and software")
	case j.Devices < 1 || j.Devices > most:
		return fault(j.Devices, " devices; give from 1 to ", most)
	case j.Batch < 1 || j.Batch > most:
		return fault("a batch of ", j.Batch, " sequences; give from 1 to ", most)
	case j.Sequence < 1 || j.Sequence > most:
		return fault("a sequence of ", j.Sequence, " tokens; give from 1 to ", most)
	}
	return j.Model.Validate()
}

// Legal says why a plan can't run at all, with the numbers that don't divide, or nil.
func (p *Pricer) Legal(plan Plan) error {
	q := plan.filled()
	for _, rule := range []func(*Plan) error{p.legalDevices, p.legalModel, p.legalExperts, p.legalBatch} {
		if err := rule(&q); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pricer) legalDevices(q *Plan) error {
	if q.Devices() != int(p.devices) {
		return fault("DP ", q.DP, " x TP ", q.TP, " x PP ", q.PP, " x CP ", q.CP, " = ", q.Devices(), ", not ",
			int(p.devices), " devices")
	}
	if whole := q.DP * q.CP; whole%q.Shard != 0 {
		return fault("shards of ", q.Shard, " don't divide DP x CP = ", whole)
	}
	return nil
}

func (p *Pricer) legalModel(q *Plan) error {
	heads, layers, chunks := int(p.shape.heads), int(p.shape.layers), q.Schedule.chunks(q.Virtual)
	switch {
	case heads%q.TP != 0:
		return fault("TP ", q.TP, " doesn't divide ", heads, " query heads")
	case q.PP*chunks > layers+2: // the tables count as a layer each
		return fault("PP ", q.PP, " x ", chunks, " chunks exceeds ", layers, " layers")
	case q.PP == 1 && q.Schedule > Interleaved:
		return fault("schedule ", q.Schedule.String(), " needs a pipeline, PP of 2 or more")
	case p.job.Sequence%q.CP != 0:
		return fault("CP ", q.CP, " doesn't divide a sequence of ", p.job.Sequence, " tokens")
	}
	return nil
}

// divides tells whether a plan of a legal division of the devices is legal, without saying why not: a search asks it
// more often than it prices plans.
func (p *Pricer) divides(q *Plan) bool {
	each := q.DP * q.Micro
	if q.PP*q.Schedule.chunks(q.Virtual) > int(p.shape.layers)+2 || q.PP == 1 && q.Schedule > Interleaved ||
		p.job.Batch%each != 0 {
		return false
	}
	switch m := p.job.Batch / each; q.Schedule {
	case Interleaved:
		return m%q.PP == 0
	case DualPipe:
		return m >= 2*q.PP && q.PP%2 == 0
	}
	return true
}

func (p *Pricer) legalExperts(q *Plan) error {
	experts, ranks := int(p.shape.experts), q.DP*q.CP*q.TP
	switch {
	case q.EP*q.ETP == 1:
		return nil
	case experts == 0:
		return fault("EP ", q.EP, " x ETP ", q.ETP, ", but the model has no experts")
	case experts%q.EP != 0:
		return fault("EP ", q.EP, " doesn't divide ", experts, " experts")
	case ranks%(q.EP*q.ETP) != 0:
		return fault("EP ", q.EP, " x ETP ", q.ETP, " doesn't divide DP x CP x TP = ", ranks)
	}
	return nil
}

func (p *Pricer) legalBatch(q *Plan) error {
	each := q.DP * q.Micro
	if p.job.Batch%each != 0 {
		return fault("DP ", q.DP, " x micro-batch ", q.Micro, " = ", each, " doesn't divide a batch of ",
			p.job.Batch, " sequences")
	}
	m := p.job.Batch / each
	switch {
	case q.Schedule == Interleaved && m%q.PP != 0:
		return fault(m, " micro-batches are no multiple of PP ", q.PP, ", as interleaving needs")
	case q.Schedule == DualPipe && (m < 2*q.PP || q.PP%2 != 0):
		return fault(m, " micro-batches are fewer than twice PP ", q.PP, ", or PP is odd: DualPipe can't")
	}
	return nil
}
