package measured

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// What rows that don't say it are taken to have run.
const (
	usualSequence = 4096
	usualTokens   = 8192 // of a step on each device
	usualMicros   = 8    // for each stage of a pipeline: nobody reports one that stands still for long
)

// mostSequences is the batch from which on a number counts tokens, not sequences: "16M".
const mostSequences = 1 << 18

const (
	mostDevices = 1 << 24
	mostTokens  = 1 << 40 // of a step
)

var (
	sequenceNames     = []string{"seq_len", "seqlen", "sequence_length"}
	batchNames        = []string{"gbs", "global_batch_seqs", "global_batch"}
	stepTokenNames    = []string{"tokens_per_batch", "tokens_per_step"}
	accumulationNames = []string{"grad_acc", "ga", "grad_accum"}
)

// job reads what is trained on what.
func (s Setup) job() (training.Job, error) {
	var j training.Job
	m, err := s.model()
	if err != nil {
		return j, err
	}
	var id string
	if j.Device, id, err = s.device(); err != nil {
		return j, err
	}
	j.Model = m
	if j.Stack, err = s.stack(id); err != nil {
		return j, err
	}
	j.Stack = s.withKernels(j.Stack)
	if s.balanced() { // a benchmark's router sends as many tokens to each expert
		even := *j.Stack
		even.Imbalance, j.Stack = 1, &even
	}
	j.Stack = s.graphed(j.Stack)
	j.Scores = s.Has("flash_attention") && !s.Switch(true, "flash_attention")
	text := strings.ToLower(s.Text("model", "recipe") + " " + s.Text("task"))
	j.Frozen = strings.Contains(text, "lora")
	compute, _ := s.dtype()
	j.Recipe = j.Stack.Recipe(compute, j.Frozen)
	j.Recipe.Attention = s.attentionType()
	if j.Stack.Flash == 0 && s.narrow() {
		j.Recipe.Grad, j.Recipe.Accum = 2, 0
	}
	j.First = s.mentions("software", "bigscience") // their last ranks' logits alone would be more than they report
	if j.Stack.Family == "megatron" && !j.Frozen {
		if err := s.stateWidths(&j.Recipe); err != nil {
			return j, err
		}
	}
	if err := s.sizes(&j); err != nil {
		return j, err
	}
	said := s.stateSaid()
	if said.Routing, err = s.routing(); err != nil {
		return j, err
	}
	said.Apply(&j)
	j.Late = s.Switch(false, "no_sync")
	j.NormsWhole = !s.Switch(true, "sequence_parallel")
	j.Loss.Further, err = s.Number(0, "mtp", "mtp_num_layers", "num_nextn_predict_layers")
	if err == nil && (j.Loss.Further < 0 || j.Loss.Further > training.MostFurther) {
		err = fmt.Errorf("mtp is %g; write how many further tokens are predicted, at most %d", j.Loss.Further,
			training.MostFurther)
	}
	if wide, badly := s.Whole(0, 0, m.Layers, "bf16_layers"); badly == nil {
		j.Wide = float64(wide) / float64(m.Layers)
	} else if err == nil {
		err = badly
	}
	return j, err
}

// narrow tells whether gradients are summed up in 16 bits, as old software does with fp16.
func (s Setup) narrow() bool {
	said := strings.ToLower(s.Text("precision", "datatype", "dtype"))
	return strings.HasPrefix(said, "fp16") || strings.Contains(said, "gradients accumulated in 16 bits")
}

// above tells whether a number of ranks is more than one.
func (s Setup) above(name string) bool {
	n, err := s.Whole(0, 0, mostDevices, name)
	return err == nil && n > 1
}

// dtype is what the matmuls compute in, and whether the row tells it. Of one that doesn't, bf16 is assumed, and fp8 of
// a submission to MLPerf: they compute in it since 2023.
func (s Setup) dtype() (compute training.DType, stated bool) {
	text := strings.ToLower(s.Text("precision", "datatype", "dtype"))
	option := strings.ToLower(s.Text("options"))
	switch {
	case hasAny(option, "float8", "fp8"):
		return training.FP8, true
	case strings.HasPrefix(text, "nvfp4"), strings.HasPrefix(text, "fp4"), strings.HasPrefix(text, "mxfp4"):
		return training.FP4, true
	case hasAny(text, "fp8", "float8"), strings.HasPrefix(text, "int8"):
		return training.FP8, true
	case text == "" && s.mentions("source", "mlcommons/training_results"):
		return training.FP8, false
	}
	return training.BF16, text != ""
}

// oddType is a precision that a row tells and that is none in which matmuls are estimated.
func (s Setup) oddType() string {
	text := s.Text("precision", "datatype", "dtype")
	if compute, _ := s.dtype(); compute != training.BF16 ||
		hasAny(strings.ToLower(text), "bf16", "fp16", "float16", "f16", "half", "16-bit", "16 bit") {
		return ""
	}
	return text
}

// attentionType is what the products of attention are computed in: bf16, unless a row says otherwise.
func (s Setup) attentionType() training.DType {
	said := strings.ToLower(s.Text("attention_precision", "attention_dtype"))
	if hasAny(said, "fp8", "float8") || s.Switch(false, "fp8_attention", "fp8_dot_product_attention", "fp8_dpa") {
		return training.FP8
	}
	return training.BF16
}

// sizes reads the numbers of a job.
func (s Setup) sizes(j *training.Job) (err error) {
	slices, err := s.Whole(1, 1, mostDevices, "slices")
	if err != nil {
		return err
	}
	each, err := s.Whole(0, 0, mostDevices, "chips_per_slice")
	if err != nil {
		return err
	}
	j.Pods = slices
	names, least := []string{"n_devices", "gpus", "chips", "implied_chips"}, 0
	if s.Has(names...) {
		least = 1
	}
	if j.Devices, err = s.Whole(slices*each, least, mostDevices, names...); err != nil {
		return err
	}
	if j.Devices < 1 {
		return errors.New("no devices; write n_devices, a whole number of at least 1")
	}
	usual := usualSequence
	if c := j.Model.Context; c > 0 && c < usual {
		usual = c
	}
	j.Sequence, err = s.Whole(usual, 1, 1<<24, sequenceNames...)
	j.Sequence = int(binary(s.Text(sequenceNames...), float64(j.Sequence)))
	return err
}

// batch reads the sequences of a step: replicas x micro-batch x accumulation if all are there, or what the row says.
func (s Setup) batch(j *training.Job, p *training.Plan) error {
	ga, err := s.Whole(0, 0, 1<<24, accumulationNames...)
	if err != nil {
		return err
	}
	said, err := s.Count(mostTokens, batchNames...)
	if err != nil {
		return err
	}
	tokens, err := s.Count(mostTokens, stepTokenNames...)
	if err != nil {
		return err
	}
	switch {
	case s.Has("dp") && p.Micro > 0 && ga > 0 && s.Has("grad_acc"):
		j.Batch = p.DP * p.Micro * ga
	case said >= mostSequences:
		j.Batch = sequences(said, j, p)
	case said >= 1:
		j.Batch = int(said)
	case tokens > 0:
		j.Batch = sequences(tokens, j, p)
	case p.Micro > 0:
		if ga == 0 && p.PP > 1 {
			ga = usualMicros * p.PP
		}
		j.Batch = p.DP * p.Micro * max(1, ga)
	default:
		j.Batch = max(p.DP, j.Devices*usualTokens/j.Sequence) // its rate hardly depends on it
	}
	if j.Batch < p.DP && !s.Has("cp") && p.DP%j.Batch == 0 {
		p.CP, p.DP = p.DP/j.Batch, j.Batch // more ranks than sequences: they must share them
	}
	if p.PP > 1 && p.Micro > 1 && j.Stack.FirstRank == 0 && j.Batch == p.DP*p.Micro {
		p.Micro = 1 // what the row calls a micro-batch is all that a replica runs in a step; a pipeline splits it
	}
	if p.Micro == 0 {
		p.Micro = max(1, j.Batch/(p.DP*max(1, ga)))
		switch {
		case ga > 0:
		case j.Stack.Family == "megatron" && (p.Zero < 3 || p.PP > 1): // each micro-batch of ZeRO-3 gathers all weights
			p.Micro = 1
		case j.Stack.Name == "fsdp": // TorchTitan cuts a batch into as many micro-batches as there are stages
			p.Micro = max(1, p.Micro/p.PP)
		}
	}
	return nil
}

// sequences is a batch of so many tokens, which people round, as replicas can share it.
func sequences(tokens float64, j *training.Job, p *training.Plan) int {
	const rounding = 0.06
	exact := tokens / float64(j.Sequence)
	each := float64(p.DP * max(1, p.Micro))
	if whole := math.Round(exact/each) * each; whole > 0 && math.Abs(whole/exact-1) < rounding {
		return int(whole)
	}
	return max(1, int(exact))
}

// plan reads how a job is laid on its devices.
func (s Setup) plan(j *training.Job) (training.Plan, error) {
	p, err := s.degrees()
	if err != nil {
		return p, err
	}
	fsdp := 0
	if !s.isFlag("fsdp") {
		if fsdp, err = s.Whole(0, 0, mostDevices, "fsdp"); err != nil {
			return p, err
		}
	}
	inner := p.TP * p.PP * p.CP
	if p.DP = j.Devices / inner; p.DP*inner != j.Devices {
		return p, fmt.Errorf("TP %d x PP %d x CP %d = %d doesn't divide %d devices; give plans whose product does",
			p.TP, p.PP, p.CP, inner, j.Devices)
	}
	switch dp, err := s.Whole(1, 1, mostDevices, "dp"); {
	case err != nil:
		return p, err
	case dp > p.DP: // fewer may be an outer part of all
		return p, fmt.Errorf("dp is %d, but DP %d x TP %d x PP %d x CP %d = %d is more than %d devices; give plans "+
			"whose product is theirs", dp, dp, p.TP, p.PP, p.CP, dp*inner, j.Devices)
	}
	if _, err := s.zero(); err != nil {
		return p, err
	}
	micros, least := []string{"mbs", "local_batch", "local_bs", "per_device_batch"}, 0
	if s.Has(micros...) {
		least = 1
	}
	if p.Micro, err = s.Whole(0, least, 1<<20, micros...); err != nil {
		return p, err
	}
	s.sharding(j, &p, fsdp)
	if err := s.knownWords(); err != nil {
		return p, err
	}
	if p.Recompute, _ = s.modulesSaid(); p.Recompute == training.KeepAll {
		p.Recompute = s.recompute(j.Stack)
	} else if j.Model.MLA.KVRank == 0 {
		p.Recompute &^= training.RecomputeLatents
	}
	if p.Schedule, err = s.schedule(&p); err != nil {
		return p, err
	}
	if p.Recomputed, err = s.recomputed(&p); err != nil {
		return p, err
	}
	return p, s.batch(j, &p)
}

// degrees are the degrees of parallelism of a row, at least 1, and the layers of its first and last stages.
func (s Setup) degrees() (p training.Plan, err error) {
	for _, field := range []struct {
		to    *int
		most  int
		names []string
	}{
		{&p.TP, mostDevices, []string{"tp"}}, {&p.PP, mostDevices, []string{"pp"}}, {&p.CP, mostDevices,
			[]string{"cp"}},
		{&p.EP, mostDevices, []string{"ep"}}, {&p.ETP, mostDevices, []string{"etp"}}, {&p.Virtual, 1024,
			[]string{"vp"}},
		{&p.First, 1024, []string{"first_stage_layers", "num_layers_in_first_pipeline_stage",
			"decoder_first_pipeline_num_layers"}},
		{&p.Last, 1024, []string{"last_stage_layers", "num_layers_in_last_pipeline_stage",
			"decoder_last_pipeline_num_layers"}},
	} {
		n, err := s.Count(float64(field.most), field.names...)
		if err != nil {
			return p, err
		}
		*field.to = int(n)
	}
	for _, n := range []*int{&p.TP, &p.PP, &p.CP, &p.EP, &p.ETP, &p.Virtual} {
		*n = max(1, *n)
	}
	return p, nil
}

// isFlag tells whether a value is yes or no instead of a number.
func (s Setup) isFlag(name string) bool {
	switch v := s[name].(type) {
	case bool:
		return true
	case string:
		return strings.EqualFold(v, "true") || strings.EqualFold(v, "false")
	}
	return false
}

// zero is the stage of ZeRO, a number or its name: "ZeRO-1 (distributed optimizer)". What is unsaid is 0.
func (s Setup) zero() (int, error) {
	said := strings.ToLower(s.Text("zero"))
	for stage := range 4 {
		for _, name := range []string{"zero-", "zero ", "zero", "stage "} {
			rest, found := strings.CutPrefix(said, name+strconv.Itoa(stage))
			if found && (rest == "" || strings.ContainsAny(rest[:1], " (,;")) {
				return stage, nil
			}
		}
	}
	return s.Whole(0, 0, 3, "zero")
}

// sharding reads what ZeRO shards, and over how many ranks.
func (s Setup) sharding(j *training.Job, p *training.Plan, fsdp int) {
	switch {
	case s.Has("zero"):
		p.Zero, _ = s.zero()
	case fsdp > 0:
		p.Zero, p.Shard = 3, fsdp
		if fsdp*p.TP*p.PP*p.CP == j.Devices {
			p.Shard *= p.CP // weights are sharded over both
		}
	case s.Switch(false, "fsdp"):
		p.Zero = 3
	case s.Text("strategy") == "HSDP", hasAny(s.words("sharding"), "hybrid", "hsdp"):
		p.Zero, p.Shard = 3, max(1, j.Device.Domain/p.TP)
	case s.shards():
		p.Zero = s.zeroStage(j.Devices)
	// that shards like Megatron
	case j.Stack.Name == "fsdp", j.Stack.Name == "xla" && !s.mentions("software", "neuron"):
		p.Zero = 3
	case j.Stack.Zeros(1):
		p.Zero = 1
	}
	if group, err := s.Whole(0, 0, mostDevices, "zero_group"); err == nil && group > 0 && p.Zero > 0 && p.Shard == 0 {
		p.Shard = group
	}
	if p.Zero == 3 && j.Stack.Name == "fsdp" && p.PP > 1 {
		p.Zero = 2 // TorchTitan gathers weights once in a step of a pipeline, unless set otherwise
	}
	if p.Zero == 3 && j.Pods > 1 && p.Shard == 0 {
		p.Shard = j.Devices / j.Pods / p.TP
	}
}

// shards tells whether a row’s words of what is sharded name a stage of ZeRO, or FSDP’s name of it.
func (s Setup) shards() bool {
	return hasAny(s.words("sharding"), "zero-", "zero2", "zero3", "_shard", "grad_op")
}

// recomputeNames are the keys under which rows tell what is computed again.
var recomputeNames = []string{"recompute", "act_ckpt", "activation_checkpoint", "ac", "remat"}

// saysRecompute tells whether a row tells it, be it nothing.
func (s Setup) saysRecompute() bool {
	for _, name := range recomputeNames {
		if text, is := s[name].(string); is && strings.EqualFold(strings.TrimSpace(text), "none") {
			return true
		}
	}
	return s.Has(recomputeNames...)
}

// recomputed is how many layers of the model are computed again as a whole, 0 for all. Megatron's names say it of each
// chunk of a stage.
func (s Setup) recomputed(p *training.Plan) (int, error) {
	if p.Recompute != training.RecomputeBlock {
		return 0, nil
	}
	each := []string{"recompute_num_layers", "activations_checkpoint_num_layers"}
	if s.Has(each...) && s.words("recompute_method", "activations_checkpoint_method") != "uniform" {
		n, err := s.Whole(0, 0, 1<<16, each...)
		return n * p.PP * p.Virtual, err
	}
	return s.Whole(0, 0, 1<<16, "recompute_layers", "recomputed_layers")
}

// scheduleNames are how rows call the order of a pipeline.
var scheduleNames = []string{"schedule", "pp_schedule", "pipeline_schedule"}

// recomputeWords are parts of what people call policies.
const recomputeWords = "none false no off 0 sel minimal attn attention full true yes on 1 block all layer uniform " +
	"save checkpoint ckpt recompute custom offload mlp moe norm act core optimizer every remat dots proj qkv"

// knownWords refuses a policy or a schedule that nobody knows.
func (s Setup) knownWords() error {
	if said := strings.ToLower(s.Text(recomputeNames...)); said != "" &&
		!slices.ContainsFunc(strings.Fields(recomputeWords),
			func(word string) bool { return strings.Contains(said, word) }) {
		return fmt.Errorf("recompute is %q; write none, selective or full", said)
	}
	said := strings.ToLower(s.Text(scheduleNames...))
	if _, known := training.ParseSchedule(said); said != "" && !known && !strings.Contains(said, "1f1b") &&
		!strings.Contains(said, "interleav") && !strings.Contains(said, "gpipe") {
		return fmt.Errorf("schedule is %q; write such as 1f1b, interleaved or zb-h1", said)
	}
	return nil
}

// recompute reads the policy, or takes the usual one of a stack.
func (s Setup) recompute(stack *training.Stack) training.Recompute {
	said := strings.ToLower(s.Text(recomputeNames...))
	for _, name := range recomputeNames {
		if text, is := s[name].(string); is && strings.EqualFold(strings.TrimSpace(text), "none") {
			return training.KeepAll // elsewhere "none" says nothing
		}
	}
	if strings.Contains(strings.ToLower(s.Text("config")), "remat full") {
		said = "full"
	}
	switch {
	case strings.HasPrefix(said, "none"), said == "false":
		return training.KeepAll
	case strings.Contains(said, "sel"), strings.Contains(said, "minimal"), strings.Contains(said, "attn"):
		return training.RecomputeSome
	case said != "":
		return training.RecomputeBlock
	case stack.Name == "xla", stack.Name == "fsdp":
		return training.RecomputeSome
	}
	return training.KeepAll
}

// modulesSaid are the modules that a row names as those computed again, as Megatron does: "mla_up_proj, mlp". Most of
// the words must be known; of others, as of hyper-connections (mhc), nothing is counted.
func (s Setup) modulesSaid() (set training.Recompute, others []string) {
	words := strings.FieldsFunc(strings.ToLower(s.Text(recomputeNames...)), func(c rune) bool {
		return strings.ContainsRune(" ,+", c)
	})
	for _, word := range words {
		if one, is := training.ParseRecompute(word); is && one > training.RecomputeSome &&
			one < training.RecomputeBlock {
			set |= one
		} else {
			others = append(others, word)
		}
	}
	if 2*len(others) >= len(words) {
		return training.KeepAll, nil
	}
	return set, others
}

// schedule reads the order of a pipeline.
func (s Setup) schedule(p *training.Plan) (training.Schedule, error) {
	said := strings.ToLower(s.Text(scheduleNames...))
	if known, ok := training.ParseSchedule(said); ok {
		return known, nil
	}
	if strings.Contains(said, "interleaved") && p.Virtual == 1 {
		p.Virtual = 2
	}
	if p.Virtual > 1 {
		return training.Interleaved, nil
	}
	return training.OneFOneB, nil
}
