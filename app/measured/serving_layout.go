package measured

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
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
	}{{&p.TP, []string{"tp"}}, {&p.PP, []string{"pp"}}, {&p.DP, []string{"attention_dp", "dp"}},
		{&p.EP, []string{"moe_ep",
			"ep"}}, {&p.ETP, []string{"moe_tp"}}} {
		if *d.to, err = s.Whole(0, 0, mostChips, d.names...); err != nil {
			return p, false, err
		}
	}
	if !s.Has("tp", "pp", "attention_dp", "dp", "moe_ep", "ep", "moe_tp") { // all chips share each layer
		if p.TP, err = s.Whole(1, 1, mostChips, "n_devices", "gpus", "chips"); err != nil {
			return p, false, err
		}
		if n := int(max(t.replicas, 1)); p.TP%n == 0 { // of one replica
			p.TP /= n
		}
	}
	if p.DP == 0 && p.TP > 0 {
		p.DP = max(p.EP, 1) * max(p.ETP, 1) / p.TP
	}
	written := p
	p, whole = mend(p, shape)
	t.noteMended(written, p)
	if p.CP, err = s.split(p, shape); err == nil {
		p.Spare, err = s.Whole(0, 0, mostChips, "redundant_experts", "ep_num_redundant_experts",
			"num_redundant_experts")
	}
	return p, whole, err
}

// noteMended tells which plan is estimated where another TP than the written one is.
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

// ownSequences reads the switch of TensorRT-LLM by which each of the chips that share a layer has sequences of its own,
// and whole experts unless the row says how they are split.
func (t *setting) ownSequences(s Setup) {
	if !s.Switch(false, "enable_attention_dp") || t.plan.DP > 1 || t.plan.TP < 2 {
		return
	}
	t.plan.DP, t.plan.TP = t.plan.TP, 1
	if t.shape.Blocks > 0 && !s.Has("moe_ep", "ep", "moe_tp") {
		t.plan.EP, t.plan.ETP = t.plan.DP, 1
	}
}

// shareOut reads requests under way that are stated twice: those of the whole system as concurrency, and those of one
// group that shares attention as batch_size, as the database of AIConfigurator has them. More than the groups of a
// replica have are of as many replicas: so three plans and two models of one of its jobs all make 64 chips.
func (t *setting) shareOut(s Setup) error {
	each, err := s.Amount(0, "batch_size", "batch")
	if err != nil || each == 0 || t.replicas > 0 || t.kind != closedLoop || !s.Has("concurrency") {
		return err
	}
	replicas := t.concurrency / each / float64(max(t.plan.DP, 1))
	switch {
	case replicas == 1:
	case replicas < 1 || replicas != math.Round(replicas):
		t.notes = append(t.notes,
			fmt.Sprintf("batch_size %v with %d attention groups divides no concurrency of %v, and is left "+
				"out; write replicas", each, t.plan.DP, t.concurrency))
	default:
		t.replicas = replicas
		t.notes = append(t.notes,
			fmt.Sprintf("%v requests with a batch_size of %v are of %v replicas, which are priced",
				t.concurrency, each, replicas))
	}
	return nil
}

// noteIdle tells where a row counts more chips than its replicas take: the others are left idle, not taken for more of
// them. Fewer than they take are refused.
func (t *setting) noteIdle(s Setup) error {
	all, err := s.Whole(0, 0, mostChips, "n_devices", "gpus", "chips")
	each := t.plan.Chips()
	takes := each * int(max(t.replicas, 1))
	switch {
	case err != nil || all == 0 || all == takes:
		return err
	case t.replicas > 0 && all < takes:
		return fmt.Errorf("%v replicas of %s take %d chips, and there are %d; write as many replicas as there are "+
			"chips for, or the plan of one of them", t.replicas, t.plan, takes, all)
	case t.replicas > 0:
		t.notes = append(t.notes, fmt.Sprintf("%v replicas of %s take %d of the %d chips, and the others are idle",
			t.replicas,
			t.plan, takes, all))
	case all > takes:
		t.notes = append(t.notes, fmt.Sprintf("tp, attention_dp and pp make %d of the %d chips a replica, and one "+
			"replica is priced; write replicas for more of it, or attention_dp for more groups of it", takes, all))
	}
	return nil
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

// scriptTable is how the scripts of InferenceMAX spread DeepSeek-R1 over chips by the number of requests, while they
// still chose it themselves and stated no release (benchmarks/dsr1_*_trt_slurm.sh, as faradawn/InferenceMAX @9596d23
// has them): chip, bits of a weight, tp, lengths; the requests under way from which experts stay whole on their ranks,
// and those from which attention runs in groups too. The database that rows come from records neither.
//
//go:embed scripts.tsv
var scriptTable string

// scripted is the plan that the scripts choose for rows that name TensorRT-LLM without a release.
func (t *setting) scripted(s Setup) serving.Plan {
	p := t.plan
	if strings.ToLower(s.Text("engine", "framework")) != "trtllm" || t.kind != closedLoop || p.DP > 1 || p.EP > 1 ||
		!strings.HasPrefix(t.shape.Model.ID, "deepseek") {
		return p
	}
	want := []string{t.chip.ID, t.bits(), strconv.Itoa(p.TP), t.lengths()}
	for line := range strings.Lines(scriptTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		whole, _ := strconv.ParseFloat(c[4], 64)
		groups, _ := strconv.ParseFloat(c[5], 64)
		if slices.Equal(c[:len(want)], want) && t.concurrency >= whole {
			p.EP, p.ETP = p.TP, 1
			if t.concurrency >= groups {
				p.DP, p.TP = p.TP, 1
			}
		}
	}
	if p != t.plan {
		t.notes = append(t.notes, fmt.Sprintf("the scripts that measure such rows choose %s at %v requests, which is "+
			"priced; write moe_ep and attention_dp, and the engine's release, for another plan", p, t.concurrency))
	}
	return p
}

// recipeTable is how the published benchmarks start their engines where a row doesn't tell: SemiAnalysisAI/InferenceX,
// benchmarks/*.sh and benchmarks/single_node/*.sh, read at @1fc5d73, @73ef922, @0a919c5, @5632483, @34bc7c4, @8aab103,
// @843c625. A line has conditions, all of which hold or are empty: engine and release, model, chips, bits of a weight,
// lengths, chips of a group below, requests from and below; then what it sets, if anything: the steps between two looks
// for new requests (SGLang's --scheduler-recv-interval), those for which prompts wait for more (TensorRT-LLM's
// batch_wait_timeout_iters), how far lengths differ (random_range_ratio 0.8), tokens that are guessed a step
// (num_nextn_predict_layers, speculative-num-steps: releases that served DeepSeek-R1 with guesses, by their
// nvidia-master.yaml), tokens of prompts in a step at the most (chunked-prefill-size, max-num-batched-tokens,
// max_num_tokens), requests that run at the most, the engine's share of the memory, and whether no step is captured
// (eager) or prompts share steps with tokens (mixed). Later lines count for more. The last four are of other scripts:
// ai-dynamo/aiconfigurator's, whose sglang.rule @71bb3d0 sets enable_mixed_chunk; and of three systems what no source
// states and their fitted rows show.
//
//go:embed recipes.tsv
var recipeTable string

// follow sets what a row leaves out as the scripts do that measure such rows.
func (t *setting) follow(s Setup) error {
	var poll, wait, guesses, chunk, running, share float64
	how := ""
	for line := range strings.Lines(recipeTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !t.cooked(c, s) {
			continue
		}
		for i, to := range []*float64{&poll, &wait, &t.load.Spread, &guesses, &chunk, &running, &share} {
			if text := c[8+i]; text != "" {
				*to = t.amount(text)
			}
		}
		if c[15] != "" {
			how = c[15]
		}
	}
	if t.load.Tokens == 0 && !s.Has(guessed[:]...) {
		t.guess(guesses)
	}
	t.options.Graphless = t.options.Graphless || how == "eager" && !s.Has("enforce_eager", "disable_cuda_graph")
	t.mixed = t.mixed || how == "mixed" && !s.Has("enable_mixed_chunk")
	if !t.apart {
		for _, v := range []struct {
			to   *float64
			cook float64
		}{{&t.options.Chunk, chunk}, {&t.options.Sequences, running}, {&t.options.Share, share}} {
			if *v.to == 0 {
				*v.to = v.cook
			}
		}
	}
	var err error
	if t.options.Poll, err = s.Amount(poll, "scheduler_recv_interval"); err != nil {
		return err
	}
	t.options.Wait, err = s.Amount(wait, "batch_wait_timeout_iters")
	return err
}

// amount is a number of a table: a sum of terms, each of which may be a multiple of the tokens of a prompt (in) or of
// the requests under way (c); of sums with bars between them the largest.
func (t *setting) amount(text string) float64 {
	most := 0.0
	for sum := range strings.SplitSeq(text, "|") {
		all := 0.0
		for term := range strings.SplitSeq(sum, "+") {
			number, of := strings.TrimRight(term, "inc"), 1.0
			switch strings.TrimPrefix(term, number) {
			case "in":
				of = t.load.In
			case "c":
				of = t.concurrency
			}
			if number != "" {
				x, _ := strconv.ParseFloat(number, 64)
				of *= x
			}
			all += of
		}
		most = max(most, all)
	}
	return most
}

// mean is the load as it is on average: scripts ask for the longest lengths, and choose evenly between these and the
// shortest.
func (t *setting) mean() serving.Load {
	l := t.load
	l.In, l.Out = l.In*(1-l.Spread/2), max(l.Out*(1-l.Spread/2), 1)
	return l
}

// cooked tells whether the conditions of a line hold.
func (t *setting) cooked(c []string, s Setup) bool {
	engine := strings.ToLower(s.Text("engine", "framework"))
	among := func(list, x string) bool { return list == "" || slices.Contains(strings.Split(list, ","), x) }
	below := func(x float64, limit string) bool {
		most, err := strconv.ParseFloat(limit, 64)
		return err != nil || x < most
	}
	least, _ := strconv.ParseFloat(c[6], 64)
	if strings.HasPrefix(c[5], "TP") {
		return t.plan.String() == c[5] && t.cooked(slices.Concat(c[:5], []string{""}, c[6:]), s)
	}
	return strings.HasPrefix(engine, c[0]) && strings.HasPrefix(t.shape.Model.ID, c[1]) && among(c[2], t.chip.ID) &&
		among(c[3], t.bits()) && among(c[4], t.lengths()) && below(float64(t.plan.TP), c[5]) &&
		t.concurrency >= least && below(t.concurrency, c[7]) && t.kind == closedLoop
}

// publishedLengths are the lengths of prompts and answers that the scripts of InferenceX ask for.
var publishedLengths = []string{"1024/1024", "1024/8192", "8192/1024"}

// bits is how wide the weights of experts are, as tables of conditions have it.
func (t *setting) bits() string { return strconv.FormatFloat(8*t.shape.Precision.Experts, 'g', 2, 64) }

// lengths are those of prompts and answers, as tables of conditions have them.
func (t *setting) lengths() string {
	return strconv.FormatFloat(t.load.In, 'f', -1, 64) + "/" + strconv.FormatFloat(t.load.Out, 'f', -1, 64)
}
