package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// State is what somebody says of what learns, of the bytes in which state is kept, of attention and of the loss. What
// is 0 is as the software has it.
type State struct {
	Tool string // whose settings said it

	// Kind is how state is kept as a whole: "pure" in one format, with moments in it; "loaded" the same in the format
	// that weights are loaded in; "amp" weights in fp32 and copies of them for matmuls; "mixed" weights in 16 bits and
	// a master copy; "fsdp" shards in fp32; "fp32" all in fp32; "ms-amp-o1" to "ms-amp-o3" as MS-AMP does.
	Kind                        string
	Weight, Grad, Accum, Master float64 // bytes; below 0 if there are none
	Moment, Second              float64 // bytes of a number of the optimizer's, and of the second if it is other
	Table                       float64 // bytes of a frozen weight outside layers
	Compute                     string
	Whole                       bool // matmuls are in whole numbers of 8 bits
	Optimizer                   string
	InBackward                  bool

	Routing       Routing
	NormsWhole    bool   // each rank of tensor parallelism has the norms of all tokens
	Narrow        bool   // weights of layers are kept only as matmuls take them
	Learn         string // "full" or "lora"
	Rank          float64
	Targets       Target
	Saved         Target
	Bits          int  // of frozen weights
	Double        bool // their scales are in few bits too
	Dropout       bool
	Layers        int // that learn, the last ones
	Unfused       bool
	Attention     DType   // of fused attention's products
	Loss          string  // "fused", "chunked", "liger", "cut", "compiled", "bf16", "fp32"
	LossShare     float64 // of the logits that are there at once
	WholeLogits   bool    // each rank of tensor parallelism has all logits
	Further       float64 // tokens that modules predict (MTP), beside the next
	Host          Host
	Hybrid        bool // shards lie within a node
	Script        bool // a program of its own trains, not transformers’ Trainer
	Kernels       bool // kernels, or those of a compiler, fuse norms and activation functions
	Prepared      bool // PEFT made norms wide (prepare_model_for_kbit_training)
	Inputs        bool // matmuls with weights in 4 bits save their inputs (bitsandbytes before 0.43.2)
	Assumed       bool // weights are taken to be loaded in bf16
	rankAssumed   bool
	targetAssumed bool
	stageOf       string // the file of DeepSpeed by whose name its stage is recognized
}

// widthOf is the bytes of a number of a format; below 0 if there is none.
func widthOf(format string) (bytes float64, known bool) {
	format = strings.TrimPrefix(strings.TrimPrefix(format, "torch."), "jnp.")
	switch {
	case format == "", format == "usual":
		return 0, true
	case listed("fp32|float32|32|float|32bit|32-bit|tf32", format):
		return 4, true
	case listed("bf16|bfloat16|fp16|float16|16|half|16bit|16-bit", format):
		return 2, true
	case listed("fp8|int8|8bit|8-bit|float8|e4m3|e5m2|uint8|8", format):
		return 1, true
	case listed("int4|4bit|4-bit|fp4|nf4|4", format):
		return 0.5, true
	case listed("none|no|off", format):
		return -1, true
	}
	return 0, false
}

// Set takes one word about the state, as a person types it: optimizer=lion, weights=bf16, learn=lora, rank=16. It tells
// whether the word is one about the state, and what is wrong with its value.
func (s *State) Set(name, value string) (known bool, err error) {
	var width *float64
	for _, x := range []Named{{"weights", &s.Weight}, {"grads", &s.Grad}, {"accum", &s.Accum}, {"master", &s.Master},
		{"moments", &s.Moment}, {"tables", &s.Table}} {
		if x.Name == name {
			width = x.Value
		}
	}
	switch {
	case width != nil:
		x, good := widthOf(value)
		*width = x
		return true, wrongUnless(good, name, value, "fp32", "bf16", "fp8", "4bit", "none")
	case value == "usual" && name != "learn":
		value = ""
	}
	switch name {
	case "state":
		s.Kind = value
		err = among(name, value, "pure", "amp", "mixed", "fsdp", "fp32", "ms-amp-o1", "ms-amp-o2", "ms-amp-o3")
	case "optimizer":
		s.Optimizer = value
		_, is := OptimizerNamed(value)
		err = wrongUnless(is || value == "", name, value, optimizerIDs()...)
	case "learn":
		err = s.setLearn(value)
	case "rank", "bits", "layers", "mtp":
		err = s.setCount(name, value)
	case "targets":
		err = setTargets(&s.Targets, name, value)
	case "saved":
		err = setTargets(&s.Saved, name, value)
	case "attention":
		s.Unfused, s.Attention = value == "unfused" || value == "eager", pick(value == "fp8", FP8, BF16)
		err = among(name, value, "fused", "flash", "unfused", "eager", "fp8")
	case "loss":
		s.Loss = value
		err = among(name, value, "fused", "chunked", "liger", "cut", "compiled", "bf16", "fp32")
	case "loss_share":
		share, ok := quantity.ParseShare(value)
		s.LossShare = share
		err = wrongUnless(ok && share > 0, name, value, "25%")
	case "logits":
		s.WholeLogits = value == "whole"
		err = among(name, value, "whole", "split")
	case "offload":
		err = s.setOffload(value)
	case "update":
		s.InBackward = value == "backward"
		err = among(name, value, "step", "backward")
	default:
		return s.Routing.set(name, value)
	}
	return true, err
}

func (s *State) setLearn(value string) error {
	switch value {
	case "full", "usual", "":
		s.Learn = ""
	case "lora":
		s.Learn = value
	case "qlora":
		s.Learn, s.Bits, s.Double = "lora", 4, true
	default:
		return wrongUnless(false, "learn", value, "full", "lora", "qlora")
	}
	return nil
}

func (s *State) setCount(name, value string) error {
	n, err := strconv.Atoi(value)
	good := err == nil && n >= 0 && n <= 1<<16
	switch name {
	case "rank":
		s.Rank = float64(n)
	case "bits":
		s.Bits, good = n, good && (n == 4 || n == 8 || n == 16)
	case "mtp":
		s.Further = float64(n)
		return wrongUnless(good && n <= MostFurther, name, value, "1", "2")
	default:
		s.Layers = n
	}
	return wrongUnless(good, name, value, "1", "16", "64")
}

// setTargets reads matrices with plus signs between them.
func setTargets(to *Target, name, value string) error {
	good := true
	*to = 0
	for word := range strings.SplitSeq(value, "+") {
		t, is := targetNamed(word)
		*to, good = *to|t, good && (is || word == "")
	}
	return wrongUnless(good, name, value, "q+v", "attn", "mlp", "all")
}

// setOffload reads what the host keeps, with plus signs between.
func (s *State) setOffload(value string) error {
	good := true
	for word := range strings.SplitSeq(value, "+") {
		switch word {
		case "optimizer", "state":
			s.Host.State = true
		case "weights":
			s.Host.Weights = true
		case "activations":
			s.Host.Kept = true
		case "", "none":
		default:
			good = false
		}
	}
	return wrongUnless(good, "offload", value, "optimizer", "weights", "activations")
}

// wrongUnless says what may stand in place of a value that isn't good.
func wrongUnless(good bool, name, value string, names ...string) error {
	if good {
		return nil
	}
	return fault("training.state-word", "name", name, "value", strconv.Quote(value), "names", phrase.Commas(names))
}

// among tells whether a value is one of so many, or left out.
func among(name, value string, names ...string) error {
	return wrongUnless(value == "" || slices.Contains(names, value), name, value, names...)
}

// optimizerIDs are the names by which optimizers are typed.
func optimizerIDs() (ids []string) {
	for _, o := range Optimizers() {
		ids = append(ids, o.ID)
	}
	return ids
}

// Said tells whether anything is said.
func (s *State) Said() bool {
	other := *s
	other.Tool, other.Table, other.Assumed, other.Rank, other.Targets, other.Double = "", 0, false, 0, 0, false
	other.Narrow, other.Whole, other.NormsWhole, other.WholeLogits = false, false, false, false
	other.Attention, other.Routing, other.Further = BF16, Routing{}, 0 // no byte of state depends on it
	return other != State{}
}

// Apply gives a job what is said.
func (s *State) Apply(j *Job) {
	if compute := s.Compute; compute != "" && compute != "fp32" {
		j.Recipe = j.Stack.Recipe(dtypeNamed(compute), false)
	}
	if s.Narrow {
		j.Recipe.Narrow()
	}
	j.NormsWhole, j.Routing, j.Loss.Whole = s.NormsWhole, s.Routing, s.WholeLogits
	if s.Attention != BF16 {
		j.Recipe.Attention = s.Attention
	}
	if s.Further > 0 {
		j.Loss.Further = s.Further
	}
	if !s.Said() {
		return
	}
	j.Stated = true
	s.recipe(&j.Recipe, max(1, j.Stack.CastCopies))
	o, known := OptimizerNamed(s.Optimizer)
	if !known {
		o = Optimizers()[0]
	}
	j.Optimizer = o
	each := j.Recipe.Moments / 2
	if s.Moment > 0 {
		if each = s.Moment; s.Second > 0 && o.Numbers == 2 {
			each = (s.Moment + s.Second) / 2
		}
	}
	z := newShape(j.Model, 1)
	weights, sides := z.dense+z.routed, newLearned(j).sides
	layer, table := o.momentBytes(each, weights, sides)
	j.Recipe.Moments, j.Recipe.Table = layer, o.tableBytes(table, &z)-layer
	j.InBackward = s.InBackward || o.InBackward
	j.Host, j.Scores = s.Host, s.Unfused
	s.loss(j)
	if j.Learn.Layers = s.Layers; s.Layers > 0 {
		j.Learn.Table = s.Table
	}
	if s.Learn == "lora" {
		s.lora(j, &o)
	}
}

// recipe gives a recipe what is said of the bytes, where matmuls in 8 bits keep so many copies of a weight.
func (s *State) recipe(r *Recipe, copies float64) {
	wide, attention := pickBytes(s.Weight, 2), r.Attention
	switch s.Kind {
	case "loaded", "pure":
		*r = Recipe{Compute: r.Compute, Weight: wide, Grad: wide, Moments: 2 * wide}
	case "amp": // a copy in 16 bits is kept from the forward pass to the backward
		*r = Recipe{Compute: r.Compute, Weight: 4 + 2, Grad: 4, Moments: 8}
	case "mixed":
		*r = Recipe{Compute: r.Compute, Weight: 2, Grad: 2, Master: 4, Moments: 8}
	case "fsdp":
		*r = Recipe{Compute: r.Compute, Weight: 4, Grad: 4, Moments: 8, Gather: 2}
	case "fp32":
		*r = Recipe{Compute: r.Compute, Weight: 4, Grad: 4, Moments: 8, Gather: 4}
	// a matmul keeps its cast weight from the forward pass to the backward; one of Transformer Engine, whose modules
	// MS-AMP takes over with their layers (msamp/te/extension.py), also its transpose
	case "ms-amp-o1", "ms-amp-o2", "ms-amp-o3":
		*r = Recipe{Compute: FP8, Weight: 2, Cast: copies, Grad: 1, Moments: 1 + 2}
		switch s.Kind {
		case "ms-amp-o1":
			r.Moments = 4 + 4
		case "ms-amp-o3": // layers keep theirs in 8 bits alone
			r.Cast, r.Master, r.Gather = copies-2, 2, 1
		}
	default:
		r.Weight = pickBytes(s.Weight, r.Weight)
		if s.Weight > 0 && s.Weight < 2 { // one of the copies
			r.Cast = max(0, r.Cast-s.Weight)
		}
	}
	r.Attention = attention
	if r.Gather == 0 {
		r.Gather = min(2, r.Weight)
	}
	for _, x := range []struct {
		said float64
		to   *float64
	}{{s.Grad, &r.Grad}, {s.Accum, &r.Accum}, {s.Master, &r.Master}} {
		*x.to = pickBytes(x.said, *x.to)
	}
	if s.Accum > 0 && s.Accum == r.Grad {
		r.Accum = 0 // they are summed up in place
	}
	if s.Kind == "" && s.Grad > 0 && s.Accum == 0 && r.Accum > 0 {
		r.Accum = 0
	}
}

// pickBytes is what is said, nothing if that is none, or else what is usual.
func pickBytes(said, usual float64) float64 {
	switch {
	case said < 0:
		return 0
	case said > 0:
		return said
	}
	return usual
}

// loss is how many logits there are at once, and how they pass through the memory.
func (s *State) loss(j *Job) {
	l := &j.Loss
	switch s.Loss {
	case "fused": // logits in 16 bits, and in 32, whose place the gradient takes, and in PyTorch that in 16
		l.Bytes, l.Moved, l.Kernels = 2+4+2*j.Stack.Eager, 0.5, true
	case "chunked": // logits in 16 bits, whose place their gradient takes by chunks; in 32 bits an eighth at a time
		l.Bytes = 2 + (4.0+4+2)/8
	case "liger": // so many tokens at a time that their logits are as large as the inputs of all
		l.Kernels = true
		l.Share = 1 / ceil(float64(j.Model.Vocab)/float64(j.Model.Width))
	case "cut": // blocks on the chip
		l.Share, l.Moved = 1e-3, 0.1
	case "compiled":
		l.Compile()
	case "bf16": // logits, a copy of all but the last, their softmax and its gradient, never in 32 bits
		l.Bytes = 4 * 2
	case "fp32": // logits in 16 and 32 bits, their softmax, its gradient in both
		l.Bytes = 2 + 4 + 4 + 4
	}
	if s.LossShare > 0 {
		l.Share = s.LossShare
	}
	l.Kernels = l.Kernels || s.Kernels
}

// lora freezes a job's weights and gives it adapters.
func (s *State) lora(j *Job, o *Optimizer) {
	r, l := &j.Recipe, &j.Learn
	j.Frozen = true
	if l.Rank, s.rankAssumed = s.Rank, s.Rank == 0; s.rankAssumed {
		l.Rank = 8
	}
	if l.Targets, s.targetAssumed = s.Targets, s.Targets == 0; s.targetAssumed {
		l.Targets = TargetQ | TargetV
	}
	l.Shards = s.Kind != "mixed" && !s.Script
	l.Saved, l.Dropout = s.Saved|s.Targets&(TargetEmbed|TargetHead), s.Dropout
	// Adapters: weights and gradients in fp32, or a master copy beside bf16, which comes to as much.
	l.Weight, l.Grad = 4, 4
	each := 4.0
	switch {
	case s.Kind == "pure":
		l.Weight, l.Grad, each = 2, 2, 2
	case s.Kind == "" && j.Stack.Family == "megatron":
		l.Weight = 6
	}
	if s.Moment > 0 {
		each = s.Moment
	}
	l.Moments, _ = o.momentBytes(each, 1, 0)
	base := 2.0
	if s.Weight > 0 && s.Weight <= 4 {
		base = s.Weight
	}
	if l.Table = base; s.Table > 0 {
		l.Table = s.Table
	}
	switch s.Bits {
	case 4:
		base = 0.5 + 4.0/64 // a scale in fp32 for each 64 weights
		if s.Double {
			base = 0.5 + 1.0/64 + 4.0/(64*256) // in a byte, with scales of their own
		}
	case 8:
		base = 1
	}
	l.Quant = base < 2
	l.Inputs = s.Inputs && s.Bits == 4
	l.Wide = s.Prepared && l.Quant
	if !l.Quant {
		l.Table = 0
	}
	*r = Recipe{Compute: r.Compute, Attention: r.Attention, Weight: base, Grad: l.Grad, Moments: l.Moments,
		Gather: pick(s.Kind == "fsdp", min(2, base), base)}
}

// Notes are what was taken for granted.
func (s *State) Notes() (all []any) {
	if s.Assumed {
		all = append(all, phrase.New("training.loaded-bf16"))
	}
	if s.NormsWhole {
		all = append(all, phrase.New("training.norms-whole"))
	}
	if s.Whole {
		all = append(all, phrase.New("training.int8"))
	}
	if s.stageOf != "" {
		all = append(all, phrase.New("training.stage-of-name", "file", s.stageOf))
	}
	if s.rankAssumed {
		all = append(all, phrase.New("training.rank-assumed"))
	}
	if s.targetAssumed {
		all = append(all, phrase.New("training.targets-assumed"))
	}
	if o, _ := OptimizerNamed(s.Optimizer); o.Paged {
		all = append(all, phrase.New("training.paged"))
	}
	return all
}

// ReadTyped reads a plan and words about the state as a person types them: "dp=8 zero=3 optimizer=lion weights=bf16".
func (s *State) ReadTyped(text string, devices int) (Plan, error) {
	separator := func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }
	rest := ""
	for _, field := range strings.FieldsFunc(text, separator) {
		name, value, _ := strings.Cut(strings.ToLower(field), "=")
		known, err := s.Set(name, value)
		if err != nil {
			return Plan{}, err
		}
		if !known {
			rest += " " + field
		}
	}
	plan, err := ParsePlan(rest, devices)
	plan.Offload = plan.Offload || s.Host.State
	return plan, err
}

// With is a job as settings have it: with their devices, batch, lengths and state, where they say them.
func (j Job) With(s *Settings) Job {
	for _, x := range []struct {
		said int
		to   *int
	}{{s.Devices, &j.Devices}, {s.Batch, &j.Batch}, {s.Sequence, &j.Sequence}} {
		if x.said > 0 {
			*x.to = x.said
		}
	}
	s.chunks(j.Model.Layers)
	s.State.Apply(&j)
	return j
}

// chunks is how many chunks a stage of so many layers has, where settings say the layers of a chunk.
func (s *Settings) chunks(layers int) {
	if s.Chunk == 0 {
		return
	}
	n := layers / (max(1, s.Plan.PP) * s.Chunk)
	if n*s.Plan.PP*s.Chunk != layers {
		s.Without = append(s.Without, "--num-layers-per-virtual-pipeline-stage "+strconv.Itoa(s.Chunk))
		return
	}
	s.Plan.Virtual = n
	s.Plan.Recomputed *= n // so many of each chunk
	s.Plan = s.Plan.filled()
}

// SoftwareOf is the stack whose constants suit settings of a tool on a device, by their IDs.
func SoftwareOf(tool, device string) string {
	for _, x := range [][2]string{{"trainer", "transformers"}, {"accelerate", "transformers"},
		{"deepspeed", "transformers"}, {"axolotl", "transformers"}, {"llamafactory", "transformers"},
		{"torchtitan", "fsdp"}, {"torchtune", "fsdp"}, {"maxtext", "xla"}, {"nanotron", "nanotron"},
		{"hai-llm", "hai-llm"}, {"verl", "transformers"}, {"openrlhf", "transformers"},
		{"llmfoundry", "transformers"}, {"olmo", "fsdp"}, {"levanter", "xla"},
		{"neox", "deepspeed"}, {"swift", "transformers"}, {"lightning", "transformers"}} {
		if tool == x[0] {
			return x[1]
		}
	}
	return UsualStack(device)
}
