package training

// Check says what is wrong with a job, or nil.
func (j *Job) Check() error {
	const most = 1 << 24
	switch {
	case j.Model == nil || j.Stack == nil:
		return fault("training.job-empty")
	case j.Devices < 1 || j.Devices > most:
		return fault("training.devices-range", "n", j.Devices, "most", most)
	case j.Batch < 1 || j.Batch > most:
		return fault("training.batch-range", "n", j.Batch, "most", most)
	case j.Sequence < 1 || j.Sequence > most:
		return fault("training.sequence-range", "n", j.Sequence, "most", most)
	}
	return j.Model.Validate()
}

// Legal says why a plan can't run at all, with the numbers that don't divide, or nil.
func (p *Pricer) Legal(plan Plan) error {
	q := plan.filled()
	rules := []func(*Plan) error{p.legalDevices, p.legalModel, p.legalStages, p.legalExperts, p.legalBatch}
	for _, rule := range rules {
		if err := rule(&q); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pricer) legalDevices(q *Plan) error {
	if q.Devices() != int(p.devices) {
		return fault("training.not-the-devices", "dp", q.DP, "tp", q.TP, "pp", q.PP, "cp", q.CP, "all", q.Devices(),
			"devices", int(p.devices))
	}
	if whole := q.DP * q.CP; whole%q.Shard != 0 {
		return fault("training.shards-odd", "shard", q.Shard, "all", whole)
	}
	return nil
}

func (p *Pricer) legalModel(q *Plan) error {
	heads, layers, chunks := int(p.shape.heads), int(p.shape.layers), q.Schedule.chunks(q.Virtual)
	switch {
	case heads%q.TP != 0:
		return fault("training.tp-odd", "tp", q.TP, "heads", heads)
	case q.PP*chunks > layers+2: // the tables count as a layer each
		return fault("training.too-many-chunks", "pp", q.PP, "chunks", chunks, "layers", layers)
	case q.PP == 1 && q.Schedule > Interleaved:
		return fault("training.needs-pipeline", "schedule", q.Schedule.String())
	case p.job.Sequence%q.CP != 0:
		return fault("training.cp-odd", "cp", q.CP, "sequence", p.job.Sequence)
	case q.Context == UlyssesContext && heads%(q.TP*q.CP) != 0:
		return fault("training.ulysses-odd", "tp", q.TP, "cp", q.CP, "heads", heads)
	}
	if absent := q.Recompute & p.absent(); absent != 0 && q.Recompute < RecomputeBlock {
		return fault("training.module-absent", "policy", q.Recompute.String(), "module", absent.String())
	}
	return nil
}

// legalStages is about the layers of the first and the last stage.
func (p *Pricer) legalStages(q *Plan) error {
	layers, least := int(p.shape.layers), max(0, q.PP-2) // one each for the others
	if q.First == 0 || q.Last == 0 {
		least = q.PP - 1
	}
	switch sum := q.First + q.Last; {
	case sum == 0:
		return nil
	case q.PP == 1:
		return fault("training.ends-need-pipeline", "first", q.First, "last", q.Last)
	case sum+least > layers:
		return fault("training.ends-too-many", "n", sum, "layers", layers, "others", least)
	case q.PP == 2 && least == 0 && sum != layers:
		return fault("training.ends-not-the-layers", "first", q.First, "last", q.Last, "layers", layers)
	}
	return nil
}

// divides tells whether a plan of a legal division of the devices is legal, without saying why not: a search asks it
// more often than it prices plans.
func (p *Pricer) divides(q *Plan) bool {
	each := q.DP * q.Micro
	if q.PP*q.Schedule.chunks(q.Virtual) > int(p.shape.layers)+2 || q.PP == 1 && q.Schedule > Interleaved ||
		p.job.Batch%each != 0 || q.Context == UlyssesContext && int(p.shape.heads)%(q.TP*q.CP) != 0 {
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
		return fault("training.no-experts", "ep", q.EP, "etp", q.ETP)
	case experts%q.EP != 0:
		return fault("training.ep-odd", "ep", q.EP, "experts", experts)
	case ranks%(q.EP*q.ETP) != 0:
		return fault("training.expert-ranks-odd", "ep", q.EP, "etp", q.ETP, "all", ranks)
	}
	return nil
}

func (p *Pricer) legalBatch(q *Plan) error {
	each := q.DP * q.Micro
	if p.job.Batch%each != 0 {
		return fault("training.batch-odd", "dp", q.DP, "micro", q.Micro, "each", each, "batch", p.job.Batch)
	}
	m := p.job.Batch / each
	switch {
	case q.Schedule == Interleaved && m%q.PP != 0:
		return fault("training.interleaving-odd", "n", m, "pp", q.PP)
	case q.Schedule == DualPipe && (m < 2*q.PP || q.PP%2 != 0):
		return fault("training.dualpipe-odd", "n", m, "pp", q.PP)
	}
	return nil
}
