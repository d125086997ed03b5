package training

import (
	"strconv"
	"strings"
)

// degree is how many ranks a part of a plan has, at least one, over slices too; three of them don't overflow.
func (r *flagReader) degree(part string) int {
	return min(max(1, r.numbers[part])*max(1, r.numbers["dcn_"+part]), 1<<20)
}

// plan puts together what was said.
func (r *flagReader) plan(devices int) (Settings, error) {
	f := r.said
	if f.Devices = r.devices(); f.Devices > 0 {
		devices = f.Devices
	}
	n := r.degree
	r.converted()
	r.axes()
	r.left(devices)
	p := Plan{TP: n("tp"), PP: n("pp"), CP: n("cp"), EP: n("ep"), ETP: n("etp"), Virtual: n("chunks"),
		Micro: n("micro"), First: r.numbers["first"], Last: r.numbers["last"]}
	inner := p.TP * p.PP * p.CP
	if inner > devices {
		return Settings{}, fault("training.flags-too-many", "tp", p.TP, "pp", p.PP, "cp", p.CP, "all", inner,
			"devices", devices)
	}
	p.DP = devices / inner
	f.Tool, f.Batch, f.Sequence = r.tool, r.numbers["batch"], r.numbers["sequence"]
	if n := r.numbers["vpl"]; n > 0 && p.PP > 1 {
		f.Chunk = n
	}
	r.sharding(&p)
	if err := r.batches(&f, &p, devices); err != nil {
		return Settings{}, err
	}
	f.State = r.stated(&p)
	err := r.policies(&p)
	r.recomputed(&p)
	if file := r.words["unread"]; file != "" {
		if _, said := r.numbers["zero"]; !said && r.words["type"] == "" {
			r.said.Without = append(r.said.Without, file)
		}
	}
	f.Plan, f.Aside, f.Without, f.Ignored = p.filled(), r.said.Aside, r.said.Without, r.said.Ignored
	f.Open, f.Foreign, f.assumed = r.said.Open, len(f.Aside) > r.known, r.said.assumed
	for _, x := range [...]struct {
		part string
		n    int
	}{{"devices", f.Devices}, {"batch", f.Batch}, {"sequence", r.numbers["sequence"]}} {
		if x.n == 0 {
			f.assumed = append(f.assumed, x.part)
		}
	}
	return f, err
}

// batches are sequences of a step and of a microbatch on so many devices.
func (r *flagReader) batches(f *Settings, p *Plan, devices int) error {
	times := r.degree("accumulation")
	micro, accumulation := r.numbers["micro"], r.numbers["accumulation"]
	if all := r.numbers["microall"]; all > 0 {
		p.Micro = max(1, all/p.DP)
	}
	if r.each > 0 {
		f.Batch = int(r.each*float64(devices)*float64(times) + 0.5)
		p.Micro = max(1, f.Batch/p.DP/(r.degree("steps")*times))
	}
	if local := r.numbers["local"]; local > 0 {
		p.Micro = local
		if f.Batch == 0 {
			f.Batch = local * p.DP * times
		}
	}
	switch n := r.numbers["pipemicro"]; {
	case n > 0:
		p.Micro = n
	case r.of("torchtitan") && r.numbers["micro.tokens"] > 0: // since 2026 it says what one forward pass takes
		if f.Batch == 0 {
			f.Batch = p.Micro * p.DP * pick(p.PP > 1, r.degree("steps"), 1)
		}
	case r.of("torchtitan") && p.PP > 1: // it cuts a rank's batch into single sequences
		p.Micro = 1
	}
	if f.Batch == 0 && micro > 0 && (accumulation > 0 || r.of("deepspeed|axolotl|neox")) {
		f.Batch = p.Micro * p.DP * times
	}
	if micro == 0 && f.Batch > 0 && (accumulation > 0 && r.of("deepspeed|neox") || r.of("levanter")) {
		p.Micro = max(1, f.Batch/p.DP/times)
		micro = p.Micro
	}
	if f.Batch == 0 && r.of("swift") {
		const least = 16 // sequences of a step, where accumulation isn't said
		f.Batch = (least + p.Micro*p.DP - 1) / (p.Micro * p.DP) * p.Micro * p.DP
	}
	if micro*accumulation > 0 && p.CP == 1 && f.Batch != micro*accumulation*p.DP &&
		r.of("deepspeed|trainer|accelerate|neox") {
		return fault("training.flags-batch", "batch", f.Batch, "micro", micro, "times", accumulation, "dp", p.DP)
	}
	return nil
}

// converted gives the parts of a plan what tools count in other ways: tokens in place of sequences, prompts, to each of
// which there are several answers, and prompts and answers by themselves.
func (r *flagReader) converted() {
	n := r.numbers
	sequence, batch := n["sequence"], n["batch"]
	switch {
	case sequence > 0 && n["prompt"] == 0 && r.of("swift|swiftmegatron"): // of prompts alone, where there are answers
		sequence += n["answer"]
	case sequence == 0 && n["answer"] > 0:
		sequence = n["prompt"] + n["answer"]
	}
	if batch == 0 {
		batch = n["prompts"]
	}
	if prompts := n["rollout.prompts"]; batch == 0 && prompts > 0 { // of slime: what is generated is cut into steps
		batch = max(1, prompts*max(1, n["rollout.answers"])/max(1, n["rollout.steps"]))
	}
	n["sequence"], n["batch"] = sequence, min(batch, 1<<30)*max(1, n["answers"])
	for _, part := range [...]string{"batch", "micro"} {
		switch tokens := n[part+".tokens"]; {
		case tokens > 0 && sequence > 0 && tokens%sequence > 0: // as other tools count it, or with another sequence
			r.said.Aside = append(r.said.Aside, part+" "+strconv.Itoa(tokens)+" (sequence "+strconv.Itoa(sequence)+"?)")
		case tokens > 0 && sequence > 0:
			n[part] = tokens / sequence
		}
	}
}

// axes takes those of MaxText that are ways of others: of the sequence, with heads of attention in its place meanwhile,
// of tensors with shards of the sequence between them, and of weights cut the other way.
func (r *flagReader) axes() {
	for _, x := range [...][2]string{{"ulysses", "cp"}, {"tpsp", "tp"}, {"shardt", "shard"}} {
		for _, where := range [...]string{"", "dcn_"} {
			n, to := r.numbers[where+x[0]], where+x[1]
			if n < 2 {
				continue
			}
			if x[1] == "cp" && r.degree("cp") > 1 && r.words["context"] != "ulysses" {
				r.without("sequence_parallelism", strconv.Itoa(n)) // two ways at once
				continue
			}
			if x[1] == "cp" {
				r.words["context"] = "ulysses"
			}
			r.numbers[to] = min(max(1, r.numbers[to])*n, mostOfFlag)
		}
	}
}

// left fills in the axis of MaxText's mesh that takes what the others leave of the devices, if it is one whose size
// must be known.
func (r *flagReader) left(devices int) {
	axes, others := []string{"tp", "pp", "cp", "ep", "shard", "replicate"}, 1
	for _, axis := range axes {
		others *= min(max(1, r.numbers[axis]), mostOfFlag) * min(max(1, r.numbers["dcn_"+axis]), mostOfFlag)
		others = min(others, mostOfFlag)
	}
	taken := r.numbers["shard"] < 0 || r.numbers["replicate"] < 0
	for i, axis := range axes[:4] {
		switch {
		case r.numbers[axis] >= 0:
		case taken: // of two that are left to it MaxText takes neither
			r.numbers[axis] = 1
			r.leave("ici_"+[...]string{"tensor", "pipeline", "context", "expert"}[i]+"_parallelism", "-1", axis)
		default:
			r.numbers[axis], taken = max(1, devices/others), true
		}
	}
}

// adapts notes adapters that are described, where no setting of their own turns them on: as PEFT's LoraConfig and
// tools that wrap it are written, or by a rank alone.
func (r *flagReader) adapts() {
	if r.words["adapter"] == "" && !r.of("axolotl|nemo") && (r.numbers["rank"] > 0 || r.words["targets"] != "") {
		r.words["adapter"] = "lora"
	}
	if r.words["slime"] != "" && listed("|allgather", r.words["dispatcher"]) { // it takes sequences of any length
		r.words["dispatcher"] = "alltoall"
	}
	model := strings.ToLower(r.said.Model)
	for _, kind := range [...]string{"gptq", "awq", "4bit", "int4"} {
		if r.numbers["bits"] == 0 && r.words["adapter"] != "" && strings.Contains(model, kind) {
			r.numbers["bits"] = 4 // as its weights are stored
		}
	}
	if r.of("verl") && r.numbers["answer"] > 0 && r.words["estimator"] == "" { // what it takes
		r.without("adv_estimator", "gae")
	}
	if r.of("trainer") && r.words["cce"] != "" { // Unsloth's classes, by which it is known, compute layers again
		if _, said := r.words["checkpointing"]; !said {
			_ = r.state("checkpointing", "use_gradient_checkpointing", "unsloth")
		}
	}
}

// devices are how many the run says it has, by its launcher or by the axes of its mesh; 0 if it doesn't.
func (r *flagReader) devices() int {
	said, all, mesh, each := r.numbers["devices"], r.launched(), r.mesh(), r.numbers["pernode"]
	if said > 0 {
		all, each = said, 0
	}
	if mesh > 0 && all > 0 && mesh != all && (all != each || mesh%each > 0) { // nodes may be left out
		r.said.Aside = append(r.said.Aside, "devices "+strconv.Itoa(all)+" (mesh "+strconv.Itoa(mesh)+"?)")
	}
	if said > 0 || mesh == 0 {
		return all
	}
	return mesh
}

// mesh is how many devices the axes of a mesh have, if each is said and none takes what is left; else 0.
func (r *flagReader) mesh() int {
	axes, shard := []string{"tp", "pp", "cp", "replicate", "shard"}, r.numbers["shard"] > 0
	switch {
	case r.numbers["replicas"] > 0:
		axes[4] = "replicas"
	case shard && r.of("maxtext") && r.numbers["dcn_replicate"] > 0: // elsewhere ranks of others share experts
		axes = append(axes, "ep")
	case !shard || !r.of("torchtitan|accelerate|trainer|axolotl"):
		return 0
	}
	all := 1
	for _, axis := range axes {
		all = min(all*r.degree(axis), mostOfFlag)
	}
	return all
}

// launched is on how many devices a run is started, by its launcher or what it asks a cluster for; 0 if nothing says.
func (r *flagReader) launched() int {
	each, nodes := r.numbers["pernode"], r.numbers["nodes"]
	if each == 0 {
		if all := r.tasked(); all > 0 {
			return all
		}
	}
	if each == 0 { // what the script asks the cluster for, or what programs may see
		if each = r.numbers["slurm.each"]; each == 0 {
			each = r.numbers["visible"]
		}
	}
	if nodes == 0 {
		nodes = max(r.numbers["slurm.nodes"], min(max(1, r.numbers["members"])*r.degree("pods"), mostOfFlag))
	}
	return min(each, mostOfFlag) * min(max(1, nodes), mostOfFlag)
}

// disagree notes what two places of a text say differently: what a script asks a cluster for, and what it starts.
func (r *flagReader) disagree() {
	differ := func(part, other string, more bool) {
		n, asked := r.numbers[part], r.numbers[other]
		if n > asked && asked > 0 || !more && n > 0 && n < asked {
			r.said.Aside = append(r.said.Aside, part+" "+strconv.Itoa(n)+" ("+other+" "+strconv.Itoa(asked)+"?)")
		}
	}
	differ("nodes", "slurm.nodes", false)
	differ("pernode", "slurm.each", false)
	differ("pernode", "visible", true)
}

// tasked is how many devices a script asks Slurm for by tasks, or all of them at once; 0 if it doesn't. Where nodes
// have so many tasks, that is how many devices they have, too.
func (r *flagReader) tasked() int {
	each := r.numbers["slurm.task"]
	if tasks := r.numbers["slurm.tasks"]; each > 0 && tasks > 0 {
		return min(each*tasks, mostOfFlag)
	}
	if each > 0 {
		r.numbers["slurm.each"] = min(each*max(1, r.numbers["slurm.pernode"]), mostOfFlag)
	}
	return r.numbers["slurm.all"]
}

// sharding is who holds shards of what.
func (r *flagReader) sharding(p *Plan) {
	shard, replicate := r.numbers["shard"], max(1, r.numbers["replicate"])*max(1, r.numbers["dcn_replicate"])
	distributed, said := r.words["distributed"]
	switch strategy := r.words["strategy"]; {
	case strategy == "optim_grads_params" || r.yes("torchfsdp") || shard != 0 && shard != 1:
		p.Zero = 3
	case strategy == "optim_grads":
		p.Zero = 2
	case said && distributed != "false" || strategy == "optim" || r.words["slime"] != "" || // slime always does
		!said && (r.yes("aware") || r.yes("gathers")): // both are of the distributed optimizer alone
		p.Zero = 1
	}
	replicate = max(replicate, r.numbers["instances"])
	if r.of("torchtune") && p.DP > 1 { // its recipes for several devices shard all, if nothing says otherwise
		p.Zero = 3
	}
	if r.of("maxtext|olmo") && shard > 0 && replicate == 1 { // what axes leave of the devices are replicas
		replicate = max(1, p.DP/max(1, shard*max(1, r.numbers["dcn_shard"])*p.EP))
	}
	switch reshard := r.words["reshard"]; {
	case p.Zero < 3:
	case reshard == "never", r.yes("keptwhole"),
		r.of("torchtitan") && p.PP > 1 && reshard != "always": // its pipelines gather once a step
		p.Zero = 2
	}
	if n, said := r.numbers["zero"]; said {
		p.Zero = n
	}
	if group := r.numbers["shardgroup"]; group > 1 && p.Zero == 3 && p.DP%group == 0 {
		p.Shard = group
	}
	overData := r.of("maxtext") && p.Zero == 1 // replicas of weights, over which the optimizer is sharded
	if p.Zero > 0 && replicate > 1 && p.DP%replicate == 0 && !overData {
		p.Shard = p.DP / replicate * p.CP
	}
}

// modules are those that are computed again. The lists that are usual for a model with latents, and for others, are
// called so.
func (r *flagReader) modules() Recompute {
	set, known := ParseRecompute(strings.Join(strings.FieldsFunc(r.words["modules"], func(c rune) bool {
		return c == ' ' || c == ','
	}), "+"))
	switch set | RecomputeActivations { // a flag says them of experts only
	case usual(false), usual(true):
		return RecomputeSome
	}
	if !known && r.words["modules"] != "" {
		r.said.Aside = append(r.said.Aside, "modules "+r.words["modules"])
	}
	return pick(known, set, RecomputeSome)
}

// recomputed are the layers that are computed again, where not all of them are: by Megatron-LM's method block so many
// of each chunk of a stage.
func (r *flagReader) recomputed(p *Plan) {
	n, said := r.numbers["unit"]
	switch method := r.words["method"]; {
	case !said || p.Recompute != RecomputeBlock:
	case method == "block" && n == 0:
		p.Recompute = KeepAll
	case method == "block":
		p.Recomputed = min(n, 1<<16) * max(1, p.PP) * max(1, p.Virtual)
	case n > 1: // it keeps the inputs of one layer in so many
		r.without("recompute-num-layers", strconv.Itoa(n))
	}
}

// policies are recomputation, schedule and offloading.
func (r *flagReader) policies(p *Plan) error {
	for _, part := range []string{"granularity", "mode", "remat"} {
		word := r.words[part]
		switch word = word[strings.LastIndexByte(word, '.')+1:]; {
		case listed("selective|minimal|minimal_with_context|minimal_flash", word):
			p.Recompute = r.modules()
		case strings.HasPrefix(word, "save_"): // between this and whole layers
			p.Recompute = r.modules()
			r.without("remat_policy", word)
		case word == "full":
			p.Recompute = RecomputeBlock
		case word == "custom":
			if r.words["inputs"] == "offload" {
				p.Recompute = RecomputeOffload
			}
		case word == "", word == "none":
		default:
			r.said.Aside = append(r.said.Aside, part+" "+word)
		}
	}
	if word := r.words["context"]; word != "" {
		x, known := contextMeant(word)
		if p.Context = x; !known {
			r.said.Aside = append(r.said.Aside, "context "+word)
		}
	}
	if word, said := r.words["offload"]; said && word != "false" {
		p.Offload = true
	}
	if word := r.words["checkpointing"]; word != "" {
		p.Recompute = RecomputeBlock
	}
	if on(r.words["again"]) && r.words["granularity"] == "" { // Megatron-LM's short name of what it calls selective
		p.Recompute = r.modules()
	}
	if word := r.words["schedule"]; word != "" {
		found := false
		for s := OneFOneB; s < schedules; s++ {
			name, known := titanSchedule(s)
			if known && strings.ToLower(name) == word || s.String() == word || s == GPipe && word == "afab" {
				p.Schedule, found = s, true
			}
		}
		if p.Schedule == Interleaved && p.Virtual == 1 {
			p.Virtual = 2 // what TorchTitan takes if nothing says the layers of a stage
		}
		if !found {
			return fault("training.flag-schedule", "name", strconv.Quote(word))
		}
	}
	return nil
}
