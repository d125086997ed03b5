package training

import (
	"errors"
	"fmt"
)

// Check says what is wrong with a job, or nil.
func (j *Job) Check() error {
	const most = 1 << 24
	switch {
	case j.Model == nil || j.Stack == nil:
		return errors.New("a job needs a model and software")
	case j.Devices < 1 || j.Devices > most:
		return fmt.Errorf("%d devices; give from 1 to %d", j.Devices, most)
	case j.Batch < 1 || j.Batch > most:
		return fmt.Errorf("a batch of %d sequences; give from 1 to %d", j.Batch, most)
	case j.Sequence < 1 || j.Sequence > most:
		return fmt.Errorf("a sequence of %d tokens; give from 1 to %d", j.Sequence, most)
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
		return fmt.Errorf("DP %d x TP %d x PP %d x CP %d = %d, not %d devices", q.DP, q.TP, q.PP, q.CP, q.Devices(), int(p.devices))
	}
	if whole := q.DP * q.CP; whole%q.Shard != 0 {
		return fmt.Errorf("shards of %d don't divide DP x CP = %d", q.Shard, whole)
	}
	return nil
}

func (p *Pricer) legalModel(q *Plan) error {
	heads, layers, chunks := int(p.shape.heads), int(p.shape.layers), q.Schedule.chunks(q.Virtual)
	switch {
	case heads%q.TP != 0:
		return fmt.Errorf("TP %d doesn't divide %d query heads", q.TP, heads)
	case q.PP*chunks > layers+2: // the tables count as a layer each
		return fmt.Errorf("PP %d x %d chunks exceeds %d layers", q.PP, chunks, layers)
	case q.PP == 1 && q.Schedule > Interleaved:
		return fmt.Errorf("schedule %s needs a pipeline, PP of 2 or more", q.Schedule)
	case p.job.Sequence%q.CP != 0:
		return fmt.Errorf("CP %d doesn't divide a sequence of %d tokens", q.CP, p.job.Sequence)
	}
	return nil
}

func (p *Pricer) legalExperts(q *Plan) error {
	experts, ranks := int(p.shape.experts), q.DP*q.CP*q.TP
	switch {
	case q.EP*q.ETP == 1:
		return nil
	case experts == 0:
		return fmt.Errorf("EP %d x ETP %d, but the model has no experts", q.EP, q.ETP)
	case experts%q.EP != 0:
		return fmt.Errorf("EP %d doesn't divide %d experts", q.EP, experts)
	case ranks%(q.EP*q.ETP) != 0:
		return fmt.Errorf("EP %d x ETP %d doesn't divide DP x CP x TP = %d", q.EP, q.ETP, ranks)
	}
	return nil
}

func (p *Pricer) legalBatch(q *Plan) error {
	each := q.DP * q.Micro
	if p.job.Batch%each != 0 {
		return fmt.Errorf("DP %d x micro-batch %d = %d doesn't divide a batch of %d sequences", q.DP, q.Micro, each, p.job.Batch)
	}
	m := p.job.Batch / each
	switch {
	case q.Schedule == Interleaved && m%q.PP != 0:
		return fmt.Errorf("%d micro-batches are no multiple of PP %d, as interleaving needs", m, q.PP)
	case q.Schedule == DualPipe && (m < 2*q.PP || q.PP%2 != 0):
		return fmt.Errorf("%d micro-batches are fewer than twice PP %d, or PP is odd: DualPipe can't", m, q.PP)
	}
	return nil
}
