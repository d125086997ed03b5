package training

import (
	"errors"
	"fmt"
)

// Legal says why a plan can't run at all, with the numbers that don't divide, or nil.
func (p *Pricer) Legal(plan Plan) error {
	q, z := plan.filled(), &p.shape
	switch whole := func(a, b float64) bool { return a/b == floor(a/b) }; {
	case q.Devices() != int(p.devices):
		return fmt.Errorf("DP %d x TP %d x PP %d x CP %d = %d, not %d devices", q.DP, q.TP, q.PP, q.CP, q.Devices(), int(p.devices))
	case q.PP*max(1, q.Schedule.chunks(q.Virtual)) > int(z.layers)+2:
		return fmt.Errorf("PP %d x %d chunks exceeds %d layers", q.PP, q.Schedule.chunks(q.Virtual), int(z.layers))
	case float64(q.TP) > z.heads && z.heads > 0:
		return fmt.Errorf("TP %d exceeds %d query heads", q.TP, int(z.heads))
	case q.EP > 1 && z.experts == 0:
		return fmt.Errorf("EP %d, but the model has no experts", q.EP)
	case q.EP > 1 && !whole(z.experts, float64(q.EP)):
		return fmt.Errorf("EP %d doesn't divide %d experts", q.EP, int(z.experts))
	case q.EP*q.ETP > q.DP*q.CP*q.TP:
		return fmt.Errorf("EP %d x ETP %d exceeds DP x CP x TP = %d", q.EP, q.ETP, q.DP*q.CP*q.TP)
	case p.job.Batch < q.DP:
		return fmt.Errorf("%d sequences are fewer than DP %d", p.job.Batch, q.DP)
	case p.job.Batch < 1 || p.job.Sequence < 1:
		return errors.New("the batch and the sequence must be at least 1")
	}
	return nil
}
