package training

import "github.com/scalebook/scalebook/app/phrase"

// SplitWires are the bytes a second that FSDP and tensor parallelism have for themselves on a torus: tensor parallelism
// has an axis, FSDP the others.
func (j *Job) SplitWires() (fsdp, tp float64) {
	return float64(j.Device.Axes-1) * j.Device.Fast, j.Device.Fast
}

// Unsplit is why the law of layers that are split by FSDP and tensor parallelism alone doesn't hold for a plan; nil if
// it does.
func (j *Job) Unsplit(plan *Plan) *phrase.Phrase {
	switch {
	case j.Devices == 1:
		return phrase.New("training.unsplit-one")
	case j.Model.MoE.Experts > 0:
		return phrase.New("training.unsplit-experts")
	case j.Pods > 1:
		return phrase.New("training.unsplit-pods", "pods", j.Pods)
	case j.Device.Axes < 2:
		return phrase.New("training.unsplit-switches")
	case plan.PP > 1:
		return phrase.New("training.unsplit-stages")
	case plan.Zero < 3:
		return phrase.New("training.unsplit-whole")
	}
	return nil
}
