package measured

import (
	"fmt"
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// readPlan reads the plan of one group of chips, and tells whether what is given counts the chips of a whole system.
// What is not taken as it is written is noted.
func (t *setting) readPlan(s Setup) (p serving.Plan, whole bool, err error) {
	shape := t.shape
	for _, d := range []struct {
		to    *int
		names []string
	}{{&p.TP, []string{"tp"}}, {&p.PP, []string{"pp"}}, {&p.DP, []string{"attention_dp", "dp"}}, {&p.EP, []string{"moe_ep",
		"ep"}}, {&p.ETP, []string{"moe_tp"}}} {
		if *d.to, err = s.Whole(0, 0, mostChips, d.names...); err != nil {
			return p, false, err
		}
	}
	if !s.Has("tp", "pp", "attention_dp", "dp", "moe_ep", "ep", "moe_tp") { // all chips share each layer
		if p.TP, err = s.Whole(1, 1, mostChips, "n_devices", "gpus", "chips"); err != nil {
			return p, false, err
		}
	}
	if p.DP == 0 && p.TP > 0 {
		p.DP = max(p.EP, 1) * max(p.ETP, 1) / p.TP
	}
	written := p
	p, whole = mend(p, shape)
	t.noteMended(written, p)
	t.noteIdle(s, p)
	if p.CP, err = s.split(p, shape); err == nil {
		p.Spare, err = s.Whole(0, 0, mostChips, "redundant_experts", "ep_num_redundant_experts", "num_redundant_experts")
	}
	return p, whole, err
}

// noteMended tells which plan is priced where another TP than the written one is.
func (t *setting) noteMended(written, p serving.Plan) {
	tp := max(written.TP, 1)
	if tp == p.TP {
		return
	}
	why := fmt.Sprintf("tp %d is taken for chips counted twice", tp)
	if heads := t.shape.Model.Heads; heads%tp != 0 {
		why = fmt.Sprintf("tp %d doesn't divide the %d heads", tp, heads)
	} else if counted(tp, t.shape) {
		why = fmt.Sprintf("tp %d is more than chips share a latent cache", tp)
	}
	t.notes = append(t.notes, fmt.Sprintf("%s, so %s is priced instead; write the tp of one attention group, and "+
		"attention_dp for how many groups there are", why, p))
}

// noteIdle tells where a row counts more chips than its replica takes: the others are left idle, not taken for more of
// it.
func (t *setting) noteIdle(s Setup, p serving.Plan) {
	all, err := s.Whole(0, 0, mostChips, "n_devices", "gpus", "chips")
	if takes := p.Chips(); err == nil && all > takes && !s.Has("prefill", "decode", "workers", "replicas") {
		t.notes = append(
			t.notes,
			fmt.Sprintf("tp, attention_dp and pp make %d of the %d chips a replica, and one replica is "+
				"priced; write attention_dp for more groups of it", takes, all),
		)
	}
}

// split is over how many chips of a group the cache of a sequence is split along it; "on" is over all that would keep
// copies otherwise.
func (s Setup) split(p serving.Plan, shape *serving.Shape) (int, error) {
	names := []string{"dcp", "decode_context_parallel_size"}
	switch strings.ToLower(s.Text(names...)) {
	case "on", "true", "yes":
		return max(p.TP/int(shape.KVHeads), 1), nil
	case "off", "false", "no":
		return 0, nil
	}
	return s.Whole(0, 0, mostChips, names...)
}

const (
	mostChips  = 4096
	mostTensor = 8  // chips that share a layer where nothing is out of the ordinary: a node
	mostLatent = 16 // the same for a latent cache, of which each chip holds a copy: two nodes
)

// counted tells whether a tensor parallelism is none, but the chips of a whole system that prefills and decodes apart,
// as one table counts them: its rows of GB200 stand there a second time as such systems, with the same times to a few
// percent.
func counted(tp int, shape *serving.Shape) bool {
	return tp > mostTensor && shape.Model.Heads%tp != 0 || tp > mostLatent && shape.Model.MLA.KVRank != 0
}

// mend undoes what tables of measurements do to plans: chips that take part in two ways are counted twice, and a number
// of chips stands where the tensor parallelism should: more than a node's is that of a whole system (whole).
func mend(p serving.Plan, shape *serving.Shape) (mended serving.Plan, whole bool) {
	p.TP, p.DP, p.PP, p.EP, p.ETP = max(p.TP, 1), max(p.DP, 1), max(p.PP, 1), max(p.EP, 1), max(p.ETP, 1)
	g := int(math.Round(math.Sqrt(float64(p.TP * p.DP))))
	if shape.Experts == 0 {
		p.EP, p.ETP = 1, p.TP*p.DP
		return p, false
	}
	if g > 1 && g*g == p.TP*p.DP {
		switch {
		case p.EP == g && p.ETP == g && p.DP == 1:
			p.TP, p.ETP = g, 1
		case p.EP == g && p.ETP == g && p.TP == 1:
			p.DP, p.ETP = g, 1
		case p.EP == g*g && p.TP == g:
			p.TP, p.EP = 1, g
		}
	}
	whole = counted(p.TP, shape)
	if whole || shape.Model.Heads%p.TP != 0 {
		p.DP, p.TP = p.TP*p.DP, 1
		p.EP, p.ETP = p.DP, 1
	}
	if p.EP*p.ETP != p.TP*p.DP {
		if p.EP > p.TP*p.DP {
			p.DP = p.EP / p.TP
		}
		p.EP = min(p.EP, p.TP*p.DP, int(shape.Experts))
		p.ETP = p.TP * p.DP / p.EP
	}
	p.ETP = max(p.TP*p.DP/p.EP, 1)
	if p.EP*p.ETP != p.TP*p.DP {
		p.EP, p.ETP = 1, p.TP*p.DP
	}
	return p, whole
}
