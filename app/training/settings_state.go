package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// targets takes the matrices that have adapters, or the tables that learn.
func (r *flagReader) targets(part, written, value string) {
	set := Target(0)
	split := func(c rune) bool { return strings.ContainsRune(" ,|[]()$'\"", c) }
	pattern := false
	for { // the ends of a pattern: (q|v)_proj
		before, rest, more := strings.Cut(value, ")_proj")
		i := strings.LastIndexByte(before, '(')
		if !more || i < 0 {
			break
		}
		pattern = true
		value = before[:i] + " " + strings.ReplaceAll(before[i+1:], "|", "_proj ") + "_proj " + rest
	}
	for _, name := range strings.FieldsFunc(value, split) {
		if pattern && !strings.HasSuffix(name, "_proj") {
			continue // where the matrices are
		}
		t, known := targetNamed(name)
		if !known && !strings.ContainsAny(name, "*\\?^$") && name != "none" && name != "null" {
			r.said.Aside = append(r.said.Aside, written+" "+name)
		}
		set |= t
	}
	if set == 0 { // a pattern
		for i, n := range targetNames[:7] {
			if strings.Contains(value, n+"_proj") {
				set |= 1 << i
			}
		}
	}
	r.words[part] = strconv.Itoa(int(set))
}

// fsdp takes how PyTorch's FSDP shards: words, or their numbers.
func (r *flagReader) fsdp(word string) {
	has := func(names string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(word, func(c rune) bool { return c == ' ' || c == ',' }),
			func(w string) bool { return listed(names, w[strings.LastIndexByte(w, '.')+1:]) })
	}
	switch {
	case r.words["sharder"] == "deepspeed" && on(word): // two at once
		r.without("fsdp", word)
		return
	case has("full_shard|hybrid_shard|fsdp|hsdp|1|4|true"):
		r.numbers["zero"] = 3
	case has("shard_grad_op|hybrid_shard_zero2|_hybrid_shard_zero2|2|5"):
		r.numbers["zero"] = 2
	case has("no_shard|ddp|3"):
		r.numbers["zero"] = 0
	default:
		if on(word) && !has("auto_wrap") {
			r.without("fsdp", word)
		}
		return
	}
	if has("hybrid_shard|hybrid_shard_zero2|_hybrid_shard_zero2|4|5") {
		r.words["hybrid"] = "true"
	}
	if has("offload") {
		r.words["offload.all"] = "true"
	}
	r.words["sharder"] = "fsdp"
}

// lightning takes a strategy of PyTorch Lightning: its name, or its class.
func (r *flagReader) lightning(written, value string) {
	word := strings.ToLower(value)
	word = strings.TrimSuffix(word[strings.LastIndexByte(word, '.')+1:], "strategy")
	offloaded := strings.HasSuffix(word, "_offload")
	name, stage, staged := strings.Cut(strings.TrimSuffix(word, "_offload"), "_stage_")
	switch {
	case name == "auto", name == "megatron", name == "ddp", strings.HasPrefix(name, "ddp_"), name == "singledevice":
	case name == "fsdp":
		r.fsdp("full_shard")
	case name == "modelparallel":
		r.words["sharder"] = "fsdp"
	case name == "deepspeed":
		r.words["sharder"] = "deepspeed"
		if _, said := r.numbers["zero"]; !said {
			r.numbers["zero"] = 2 // what Lightning takes
		}
		if n, err := strconv.Atoi(stage); staged && err == nil {
			r.numbers["zero"] = min(max(n, 0), 3)
		}
		if offloaded {
			r.words["offload.optimizer"] = "cpu"
		}
		if offloaded && r.numbers["zero"] == 3 {
			r.words["offload.weights"] = "cpu"
		}
	default:
		r.without(written, value)
	}
}

// unread notes a file that settings name and that isn't here: what it says of shards counts if it stands in the text.
func (r *flagReader) unread(written, file string) {
	r.words["unread"] = written + " " + spell.Clip(file, mostOpen)
}

// deepspeedFile takes the name of a file of DeepSpeed that isn't here: most say their stage in it.
func (r *flagReader) deepspeedFile(written, file string) {
	word := strings.ToLower(file)
	if !on(word) {
		return
	}
	if r.words["sharder"] == "fsdp" { // two at once
		r.without(written, file)
		return
	}
	r.words["sharder"] = "deepspeed"
	plain := strings.NewReplacer("_", "", "-", "", "stage", "zero").Replace(word)
	for _, without := range [...]string{"nooffload", "withoutoffload", "wooffload", "nocpuoffload"} {
		plain = strings.ReplaceAll(plain, without, "")
	}
	for n := range 4 {
		digit := strconv.Itoa(n)
		if strings.Contains(plain, "zero"+digit) || strings.Contains(plain, "dsz"+digit) ||
			strings.Contains(plain, "/z"+digit) {
			if _, said := r.numbers["zero"]; !said {
				r.numbers["zero"], r.words["stageof"] = n, spell.Clip(file, mostOpen)
			}
			weights := strings.Contains(plain, "offloadparam") // alone, as axolotl's file of this name
			if strings.Contains(plain, "offload") && !weights {
				r.words["offload.optimizer"] = "cpu"
			}
			if weights || strings.Contains(plain, "offloadall") || r.of("llamafactory") && n == 3 && // its own has both
				strings.Contains(plain, "offload") || strings.Contains(plain, "offload") &&
				strings.Contains(plain, "all") &&
				!strings.Contains(plain, "allgather") {
				r.words["offload.weights"] = "cpu"
			}
			return
		}
	}
	if word != "true" {
		r.unread(written, file)
	}
}

// plugins takes axolotl's list of them.
func (r *flagReader) plugins(word string) {
	for name := range strings.FieldsSeq(word) {
		switch {
		case strings.Contains(name, "cut_cross_entropy"):
			r.words["cce"] = "true"
		case strings.HasSuffix(name, "mixedprecision"): // of NeMo
		case strings.Contains(name, "liger"): // its own settings say what it does
		default:
			r.without("plugins", name)
		}
	}
}

// stated is what learns and in which bytes, as far as it is said; it completes the plan by what goes with that.
func (r *flagReader) stated(p *Plan) (s State) {
	s.Tool, s.Kind, s.stageOf = r.tool, r.words["kind"], r.words["stageof"]
	r.sharders(p, &s)
	r.widths(&s)
	r.learns(&s)
	if o := r.words["optimizer"]; o != "" {
		s.Optimizer = o
	}
	if r.yes("optimizer.muon") {
		s.Optimizer = "muon"
	} else if r.yes("optimizer.mini") {
		s.Optimizer = "adammini"
	}
	s.InBackward = r.yes("optimizer.inbackward")
	split, said := r.words["sp"]
	s.Routing = r.routing(p)
	s.WholeLogits = p.TP > 1 && r.yes("wholelogits")
	s.NormsWhole = p.TP > 1 && !on(split) && (said || r.of("megatron|swiftmegatron") && !r.dotted)
	r.attends(&s)
	if n := r.numbers["mtp"]; n >= 0 && n <= MostFurther {
		s.Further = float64(n)
	} else {
		r.without("mtp_num_layers", strconv.Itoa(n))
	}
	switch {
	case r.yes("cce"):
		s.Loss = "cut"
	case r.yes("liger"):
		s.Loss = "liger"
	case r.yes("chunked"):
		s.Loss = "chunked"
	case r.yes("celoss"):
		s.Loss = "fused"
	case r.yes("compiled") && (r.words["compiledparts"] == "" || strings.Contains(r.words["compiledparts"], "loss")):
		s.Loss = "compiled"
	}
	if n := r.numbers["chunks.vocab"]; n > 1 {
		s.LossShare = 1 / float64(n)
	}
	all := r.yes("offload.all")
	titan := r.of("torchtitan") && r.yes("offload") // it offloads weights, too
	s.Host = Host{State: all || r.yes("offload.optimizer") || r.yes("offload"), Weights: all || titan ||
		r.yes("offload.weights"), Kept: r.yes("offload.activations")}
	p.Offload = p.Offload || s.Host.State
	return s
}

// sharders are who shards what by the words of PyTorch's FSDP, accelerate and DeepSpeed.
func (r *flagReader) sharders(p *Plan, s *State) {
	_, zeroSaid := r.numbers["zero"]
	sharder := r.words["sharder"]
	switch kind := strings.TrimPrefix(r.words["type"], "distributedtype."); {
	case kind == "megatron": // of verl
		p.Zero, s.Kind, s.Grad = 1, "mixed", 4
	case kind == "megatron_lm": // of accelerate
		s.Kind, s.Grad = "mixed", 4
	case strings.HasPrefix(kind, "fsdp"), kind == "" && sharder == "" && r.words["fsdpversion"] != "":
		sharder = "fsdp"
		if !zeroSaid {
			p.Zero = 3
		}
	case kind == "deepspeed" || r.of("deepspeed|neox"):
		if sharder = "deepspeed"; kind == "deepspeed" && !zeroSaid {
			p.Zero = 2 // what accelerate takes
		}
	case !r.of("torchtitan|maxtext|megatron|swiftmegatron|nemo|nanotron") && sharder == "" && zeroSaid:
		sharder = "deepspeed"
	}
	if reshard := r.words["fsdp.reshard"]; sharder == "fsdp" {
		switch {
		case reshard == "shard_grad_op" || reshard == "false":
			p.Zero = 2
		case reshard == "no_shard":
			p.Zero = 0
		case strings.HasPrefix(reshard, "hybrid"):
			r.words["hybrid"] = "true"
		}
	}
	if n := r.numbers["zero"]; sharder == "deepspeed" && zeroSaid {
		p.Zero = n
	}
	if r.words["hybrid"] != "" && p.Shard == 0 { // copies of what a node shards
		n := r.numbers["pernode"] // of a launcher, which may be fewer than a machine has
		if all, nodes := r.numbers["devices"], r.numbers["nodes"]; n == 0 && nodes > 1 && all%nodes == 0 {
			n = all / nodes
		}
		if s.Hybrid = n < 2 || p.DP <= n || p.DP%n != 0; !s.Hybrid {
			p.Shard = n
		}
	}
	if s.Kind == "loaded" || s.Kind == "amp" {
		switch {
		case sharder == "deepspeed":
			s.Kind = "mixed"
		case sharder == "fsdp":
			s.Kind = "fsdp"
		}
	}
}

// width takes the bytes of one of them, if it is said.
//
//go:noinline
func (r *flagReader) width(part string, to *float64) {
	if w := r.words[part]; w != "" {
		*to, _ = widthOf(w)
	}
}

// widths are the bytes of the numbers that are kept.
func (r *flagReader) widths(s *State) {
	r.width("weights", &s.Weight)
	r.width("grads", &s.Grad)
	r.width("accum", &s.Accum)
	r.width("master", &s.Master)
	r.width("moment1", &s.Moment)
	r.width("moment2", &s.Second)
	if s.Moment > 0 && s.Second == 0 {
		s.Second = 4
	} else if s.Second > 0 && s.Moment == 0 {
		s.Moment = 4
	}
	if wide, said := r.words["gradwide"]; r.yes("gradbf16") || said && !on(wide) {
		s.Grad = 2
	}
	if level := r.words["msamp"]; level != "" && (r.words["msampon"] == "" || r.yes("msampon")) {
		s.Kind = "ms-amp-" + level
	}
	s.Narrow = r.yes("narrow")
	if r.yes("attention8") {
		s.Attention = FP8
	}
	r.computes(s)
	r.mixes(s)
	s.Assumed = s.Kind == "loaded" && s.Weight == 0 && r.words["adapter"] == ""
	if w := r.words["table"]; w != "" {
		s.Table, _ = strconv.ParseFloat(w, 64)
	}
	if r.yes("bf16state") {
		s.Moment = 2
	}
	if r.yes("bf16master") {
		s.Master, s.Grad = -1, 2
	}
	if r.tool == "torchtitan" && s.Weight == 2 || r.tool == "maxtext" && s.Weight == 2 {
		s.Kind = "pure"
	}
}

// computes is the format of matmuls, which any of several settings may say.
func (r *flagReader) computes(s *State) {
	for _, part := range []string{"precision", "fp8", "fp4", "float8", "quantization", "compute", "mixedparam"} {
		switch w := r.words[part]; {
		case !on(w):
		case strings.Contains(w, "fp4") || part == "fp4":
			s.Compute = "fp4"
		case strings.Contains(w, "int8"):
			s.Compute, s.Whole = "fp8", true
		case strings.Contains(w, "fp8") || strings.Contains(w, "float8") || part == "fp8":
			s.Compute = "fp8"
		case listed("32|fp32|float32|32-true", w):
			s.Compute = "fp32"
			if r.tool == "lightning" {
				s.Kind = "fp32"
			}
		case listed("bf16-true|16-true|bf16_true", w):
			s.Kind = "pure"
		}
	}
}

// mixes is how copies of weights in full width go with those in half: what the kind of a state says.
func (r *flagReader) mixes(s *State) {
	pure := r.yes("pure") || r.yes("bf16full") || strings.HasPrefix(r.words["bf16"], "full")
	half := r.yes("bf16") || r.yes("fp16") || pure || r.words["bf16"] == "auto" ||
		strings.Contains(r.words["precision"], "16") || s.Compute == "fp8" || s.Compute == "fp4"
	_, said := r.words["bf16"]
	switch {
	case pure && s.Kind != "mixed" && s.Kind != "fsdp":
		s.Kind = "pure"
	case s.Kind == "loaded" && r.yes("fp16"):
		s.Kind = "amp" // a scaler of gradients takes fp32
	case r.tool == "deepspeed" && !half && said, r.words["precision"] == "no" && !half:
		s.Kind = "fp32"
	}
	if wide, said := r.words["accumwide"]; said && !on(wide) { // of nanotron: no copies in full width
		s.Kind = "pure"
	}
	if s.Kind == "fp32" || s.Compute == "fp32" {
		r.said.Without = append(r.said.Without, "fp32") // its matmuls and activations are estimated as those of bf16
	}
	if s.Kind == "loaded" && s.Weight == 4 && half {
		s.Kind = "amp"
	}
}

// learns is what learns.
func (r *flagReader) learns(s *State) {
	s.Bits = r.numbers["bits"]
	if r.yes("load4") {
		s.Bits = 4
		if r.yes("load8") { // two at once
			r.without("load_in_8bit", "true")
		}
	} else if r.yes("load8") {
		s.Bits = 8
	}
	// as TRL does where it reads load_in_4bit, if no shards wait on the host
	if s.Prepared = r.tool == "trainer" && r.yes("load4"); s.Prepared && s.Kind == "fsdp" {
		s.Prepared, s.Table = false, 0
	}
	s.Double, s.Rank = r.yes("double"), float64(r.numbers["rank"])
	if d, err := strconv.ParseFloat(r.words["dropout"], 64); err == nil && d > 0 {
		s.Dropout = true
	}
	targets, _ := strconv.Atoi(r.words["targets"])
	saved, _ := strconv.Atoi(r.words["saved"])
	s.Targets, s.Saved = Target(targets), Target(saved)
	if mlp, known := targetNamed("mlp"); known && r.yes("targets.mlp") {
		s.Targets |= mlp
	}
	if r.yes("alllinear") {
		s.Targets, _ = targetNamed("all")
	}
	switch a := r.words["adapter"]; {
	case a == "", listed("full|none|false|null|no|0", a):
		if s.Bits > 0 && r.tool != "axolotl" {
			s.Learn = "lora" // nothing else learns on weights in few bits
		}
	case listed("lora|qlora|dora|true|1|yes|loha|lokr|canonical_lora", a):
		if s.Learn = "lora"; a == "qlora" && s.Bits == 0 {
			s.Bits = 4
		}
		if listed("dora|loha|lokr", a) {
			r.without("adapter", a)
		}
	case a == "freeze":
		if s.Layers = r.numbers["layers"]; s.Layers == 0 {
			s.Layers = 2
		}
	default:
		r.without("adapter", a)
	}
}

// attends is whether attention is fused.
func (r *flagReader) attends(s *State) {
	word := r.words["attention"]
	if r.of("neox") {
		s.Unfused = !strings.Contains(word, "flash")
		for _, kind := range []string{"mamba", "rwkv", "gmlp", "sparse"} {
			if strings.Contains(word, kind) {
				r.without("attention", kind)
			}
		}
		return
	}
	switch {
	case word == "":
	case listed("eager|unfused|local|dot_product|disabled|math", word):
		s.Unfused = true
	case !strings.Contains(word, "flash") && on(word) &&
		!listed("fused|sdpa|fa2|fa3|autoselected|flex_attention|xformers|"+
			"paged|ring|true", word):
		r.said.Without = append(r.said.Without, "attention "+word)
	}
	if on(r.words["eager"]) || r.tool == "megatron" && r.words["impl"] == "local" && !on(r.words["flash"]) {
		s.Unfused = true
	}
}

// routing is how tokens reach their experts. Megatron-LM gathers them, unless flags say otherwise. DeepSpeed and
// MaxText fill limited buffers by masks; without a limit MaxText's dense matmuls compute all tokens in each expert.
func (r *flagReader) routing(p *Plan) (t Routing) {
	dispatcher, flex := r.words["dispatcher"], r.yes("flexbackend")
	switch {
	case dispatcher == "" && flex:
		dispatcher = "flex"
	case dispatcher == "" && r.of("megatron") && !r.dotted && p.EP > 1:
		dispatcher = "allgather"
	}
	t.Dispatcher, _ = dispatcherMeant(dispatcher)
	t.Overlapped = r.yes("expertoverlap")
	if t.Capacity, _ = capacitySaid(r.words["capacity"]); !r.yes("padcapacity") {
		t.Buffers = ExactBuffers
	}
	if x, known := capacitySaid(r.words["maskcapacity"]); known && !r.yes("nodrop") {
		t.Capacity, t.Buffers = x, MaskedBuffers
	}
	if sparse, said := r.words["sparse"]; r.of("maxtext") {
		switch t.Buffers = MaskedBuffers; {
		case !said || on(sparse):
			t.Capacity = 0
		case t.Capacity == 0:
			t.Capacity, t.Dispatcher = allTokens, GatherDispatcher
		}
	}
	if t.Capacity == 0 {
		t.Buffers = PaddedBuffers
	}
	return t
}
