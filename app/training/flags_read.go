package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// Settings are what flags of a tool, or a file of fields, say of a run.
type Settings struct {
	Tool     string // whose they are
	Plan     Plan
	Devices  int       // that the run says it has; 0 if nothing says it
	Batch    int       // sequences in a step; 0 if nothing says it
	Sequence int       // tokens; 0 if nothing says it
	State    State     // what learns, and in which bytes
	Aside    []string  // what isn't known; with what may be meant
	Open     []Open    // what names variables that nothing in the text sets
	Without  []string  // what changes memory or time and isn't estimated
	Ignored  []Ignored // what changes neither
	Model    string    // whom the run trains, as it says; "" if nothing says it
	Chunk    int       // layers of a chunk of a stage, which tell how many chunks there are; 0 if nothing says it
	Foreign  bool      // more of the settings that could matter are not known than known
}

// Open is a setting whose value the text leaves open: $TP, and nothing sets TP.
type Open struct{ Written, Value, part string }

// LeftOpen are the settings that leave their values open, each with what is taken in its place in the words of a plan:
// "--tensor-model-parallel-size $TP (tp=1)".
func (s *Settings) LeftOpen(j *Job) (all []string) {
	for _, o := range s.Open {
		word := o.Written + " " + o.Value
		if taken := o.taken(&s.Plan, j); taken != "" {
			word += " (" + taken + ")"
		}
		all = append(all, word)
	}
	return all
}

// taken is what is taken in place of what a setting leaves open, "" if it decides no number.
func (o *Open) taken(p *Plan, j *Job) string {
	word, n := "", 0
	switch o.part {
	case "tp":
		word, n = "tp", p.TP
	case "pp":
		word, n = "pp", p.PP
	case "cp":
		word, n = "cp", p.CP
	case "ep":
		word, n = "ep", p.EP
	case "etp":
		word, n = "etp", p.ETP
	case "chunks", "vpl", "layers":
		word, n = "vp", p.Virtual
	case "replicate", "shard":
		word, n = "dp", p.DP
	case "zero":
		word, n = "zero", p.Zero
	case "micro", "local", "pipemicro":
		word, n = "micro", p.Micro
	case "accumulation", "steps":
		word, n = "accumulation", p.MicroBatches(j.Batch)
	case "batch", "each":
		word, n = "batch", j.Batch
	case "sequence":
		word, n = "sequence", j.Sequence
	case "devices", "pernode", "nodes", "replicas", "slurm.nodes", "slurm.each", "visible":
		word, n = "chips", j.Devices
	default:
		return ""
	}
	return word + "=" + strconv.Itoa(n)
}

// Ignored are settings on which neither memory nor time depends, for one reason.
type Ignored struct {
	Reason string
	Names  []string
}

// ReadFlags reads a run from flags of any of the tools, or from lines of YAML, TOML or JSON with their fields, for so
// many devices. The error says what can't be read, or that nothing was known.
func ReadFlags(text string, devices int) (Settings, error) {
	r := flagReader{numbers: map[string]int{}, words: map[string]string{}}
	all, tool := settings(text)
	if broken(text) {
		return Settings{}, fault("training.flags-cut")
	}
	if len(all) == 0 && tool == servingTool {
		return Settings{}, fault("training.serves")
	}
	if other := strange(all); other != "" {
		return Settings{}, fault("training.other-tool", "other", other, "tools", phrase.Commas(toolNames()))
	}
	if r.tool = tool; tool == "" {
		r.choose(all)
	}
	for _, s := range all {
		if err := r.take(s.name, s.value); err != nil {
			return Settings{}, err
		}
		if f, _, known := r.find(s.name); known && s.twice != "" && f.part[0] != '.' { // in branches, which aren't read
			r.said.Aside = append(r.said.Aside, s.name+" "+s.twice)
		}
	}
	if r.known == 0 || r.tool == "" {
		return Settings{}, fault("training.no-flag", "tools", phrase.Commas(toolNames()))
	}
	for _, o := range r.autos {
		if r.of("deepspeed") && !r.says(o.part) || r.of("llmfoundry") {
			r.said.Open = append(r.said.Open, o)
		}
	}
	r.adapts()
	if err := r.usual(); err != nil {
		return Settings{}, err
	}
	return r.plan(devices)
}

// strange is a tool whose settings are not read, though names among them are those of tools that are; "" of others.
// The first of the table that has one of the names counts.
func strange(all []setting) string {
	found, names := map[string]string{}, others()
	for _, s := range all {
		for path := settingName(s.name); path != ""; {
			for _, f := range names[path] {
				found[f.part] = f.part
			}
			point := strings.IndexByte(path, '.')
			if point < 0 {
				break
			}
			for _, f := range names[path[:point+1]] {
				found[f.part] = f.part
			}
			path = path[point+1:]
		}
	}
	for _, line := range settingLines() {
		if line[0] == otherTools && found[line[1]] != "" {
			return line[1]
		}
	}
	return ""
}

// mostOpen is how much is told of a value that is left open.
const mostOpen = 60

// mostOfFlag is the largest number that a flag may have.
const mostOfFlag = 1 << 24

type flagReader struct {
	tool    string
	numbers map[string]int
	words   map[string]string
	each    float64
	known   int
	dotted  bool   // names have sections: a recipe's own defaults hold, too
	autos   []Open // what a file leaves to the program that reads it
	said    Settings
}

// take takes a setting.
func (r *flagReader) take(written, value string) error {
	if written == "<<" || strings.HasSuffix(written, ".<<") { // YAML's merge of what stands elsewhere in the text
		return nil
	}
	f, between, known := r.find(written)
	if name := settingName(written); known && !strings.Contains(value, "$") && slices.Contains(trained[:],
		name[strings.LastIndexByte(name, '.')+1:]) {
		r.said.Model = value
	}
	if !known {
		if value == "" { // a variable that is filled later
			return nil
		}
		if begins := written[:min(1, len(written))]; begins != strings.ToLower(begins) && !constantName(written) &&
			strings.Contains(value, " ") {
			return nil // of a sentence: "Note: it crashes at once"
		}
		const enough = 12 // names that are looked up
		if len(r.said.Aside) >= enough {
			r.said.Aside = append(r.said.Aside, written)
			return nil
		}
		if near := spell.Meant(flagName(written), settingNames()); near != "" && !strings.HasPrefix(written, "$") {
			written += " (" + fields()[near][0].written + "?)"
		}
		r.said.Aside = append(r.said.Aside, written)
		return nil
	}
	if strings.HasPrefix(f.part, ".") {
		r.ignore(f.part[1:], written)
		return nil
	}
	r.known++
	r.dotted = r.dotted || strings.Contains(written, ".")
	value = strings.TrimSpace(value)
	if low := strings.ToLower(value); low == "auto" && f.part != "bf16" || low == "null" || low == "~" || low == "none" &&
		wholePart(f.part) {
		if low == "auto" && wholePart(f.part) {
			r.autos = append(r.autos, Open{written, value, f.part})
		}
		return nil // as the tool has it
	}
	if strings.HasPrefix(f.part, "!") {
		if f.written == "config" && !strings.ContainsAny(value, "./") { // an object of Python, no file
			return nil
		}
		if on(value) || strings.HasSuffix(f.written, "_*") { // what a compiler does if nothing is said isn't known here
			r.without(written, value)
		}
		return nil
	}
	if i := strings.IndexByte(value, '$'); i >= 0 && i+1 < len(value) { // a shell's, not the end of a pattern
		r.said.Open = append(r.said.Open, Open{written, spell.Clip(value, mostOpen), f.part})
		return nil
	}
	return r.takePart(f, between, written, value)
}

// trained are settings that name the model.
var trained = [...]string{"model_name_or_path", "base_model", "model_name", "model_id", "model", "load",
	"pretrained_model_name_or_path"}

// on tells whether a switch is on. Settings ask for dozens: inlined, it would be a large part of reading them.
//
//go:noinline
func on(value string) bool {
	switch strings.ToLower(value) {
	case "", "false", "0", "0.0", "no", "none", "null", "off", "disabled", "auto", "[]", "{}":
		return false
	}
	return true
}

// without notes a setting that isn't estimated.
func (r *flagReader) without(written, value string) {
	if low := strings.ToLower(value); low != "true" && low != "yes" && low != "1" {
		written += " " + value
	}
	r.said.Without = append(r.said.Without, written)
}

func (r *flagReader) ignore(reason, written string) {
	for i := range r.said.Ignored {
		if x := &r.said.Ignored[i]; x.Reason == reason {
			x.Names = append(x.Names, written)
			return
		}
	}
	r.said.Ignored = append(r.said.Ignored, Ignored{reason, []string{written}})
}

// wholePart tells whether a part is a whole number.
func wholePart(part string) bool {
	for _, line := range settingLines() {
		if line[1] == "whole" {
			return slices.Contains(strings.Fields(line[2]), part)
		}
	}
	return false
}

// takePart takes a value of a part that is estimated.
func (r *flagReader) takePart(f flagOf, between bool, written, value string) error {
	if _, said := r.words["context"]; f.part == "cp" && !said && (f.tool == "torchtitan" || f.tool == "maxtext") {
		r.words["context"] = "all_gather" // unless something says otherwise
	}
	switch f.part {
	case "layout": // how far its stages are uneven isn't read
		r.without(written, value)
		return nil
	case "firstless", "lastless", "layers":
		if f.tool == "torchtitan" { // it takes the model's layers to know what these say
			if value != "0" {
				r.without(written, value)
			}
			return nil
		}
	case "each":
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x > 0 && x <= 1<<24) {
			return fault("training.flag-positive", "flag", written, "value", strconv.Quote(value))
		}
		r.each = x
		return nil
	}
	if !wholePart(f.part) {
		return r.state(f.part, written, value)
	}
	if owns := [...]string{"pernode", "devices", "nodes"}; slices.Contains(owns[:], f.part) {
		if _, listed, is := strings.Cut(value, "device="); is { // of docker
			value = strconv.Itoa(1 + strings.Count(listed, ","))
		} else if slices.Contains([]string{"gpu", "all", "auto", "-1", "cpu", "cuda"}, strings.ToLower(value)) {
			return nil // as many as there are
		}
	}
	if unmade(value) {
		r.said.Open = append(r.said.Open, Open{written, spell.Clip(value, mostOpen), f.part})
		return nil
	}
	first, thousands, _ := strings.Cut(strings.Replace(value, ",", " ", 1), " ")
	if len(first) < 4 && len(thousands) == 3 && strings.Trim(thousands, "0123456789") == "" { // 8,192
		first += thousands
	}
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSuffix(first, ".0"), "_", ""))
	part := strings.TrimPrefix(f.part, "parallel.")
	rest := n == -1 && (part == "shard" || part == "replicate" || r.of("maxtext") && (part == "tp" || part == "pp" ||
		part == "cp" || part == "ep"))
	least := 1
	if part == "zero" || part == "shard" || part == "bits" || part == "rank" || part == "steps" || part == "unit" ||
		part == "pp" { // GPT-NeoX has no pipeline at 0
		least = 0
	}
	if n == -1 && r.of("levanter") { // as much as there is
		return nil
	}
	if err != nil || (n < least && !rest) || n > mostOfFlag || part == "zero" && n > 3 {
		most := mostOfFlag
		if part == "zero" {
			most = 3
		}
		return fault("training.flag-whole", "flag", written, "value", strconv.Quote(value), "least", least, "most", most)
	}
	switch {
	case between:
		part = "dcn_" + part
	case part == "members": // of kinds
		part, n = "nodes", min(r.numbers["nodes"]+n, mostOfFlag)
	}
	r.numbers[part] = n
	return nil
}

// unmade tells whether a value is of a program that would have to run to know it, args.seq_length, int(x), sizes[0], or
// is left to whoever fills in a form: {{ tp }}, <tp>.
func unmade(value string) bool {
	return value != "" && (value[0]|0x20 >= 'a' && value[0]|0x20 <= 'z' || value[0] == '_') &&
		strings.ContainsAny(value, "._[(") || strings.HasPrefix(value, "{{") || strings.HasPrefix(value, "<")
}

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
	p := Plan{TP: n("tp"), PP: n("pp"), CP: n("cp"), EP: n("ep"), ETP: n("etp"), Virtual: n("chunks"), Micro: n("micro"),
		First: r.numbers["first"], Last: r.numbers["last"]}
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
	if r.each > 0 {
		f.Batch = int(r.each*float64(devices)*float64(n("accumulation")) + 0.5)
		p.Micro = max(1, f.Batch/p.DP/(n("steps")*n("accumulation")))
	}
	if local := r.numbers["local"]; local > 0 {
		p.Micro = local
		if f.Batch == 0 {
			f.Batch = local * p.DP
		}
	}
	if micro := r.numbers["pipemicro"]; micro > 0 {
		p.Micro = micro
	}
	if f.Batch == 0 && r.numbers["micro"] > 0 && (r.numbers["accumulation"] > 0 || r.of("deepspeed", "axolotl", "neox")) {
		f.Batch = p.Micro * p.DP * n("accumulation")
	}
	if r.numbers["micro"] == 0 && f.Batch > 0 && (r.numbers["accumulation"] > 0 && r.of("deepspeed", "neox") ||
		r.of("levanter")) {
		p.Micro = max(1, f.Batch/p.DP/n("accumulation"))
	}
	if f.Batch == 0 && r.of("swift") {
		const least = 16 // sequences of a step, where accumulation isn't said
		f.Batch = (least + p.Micro*p.DP - 1) / (p.Micro * p.DP) * p.Micro * p.DP
	}
	if n := r.numbers; r.of("deepspeed", "trainer", "accelerate", "neox") && n["batch"] > 0 && n["micro"] > 0 &&
		n["accumulation"] > 0 && p.CP == 1 && n["batch"]/p.DP != n["micro"]*n["accumulation"] {
		return Settings{}, fault("training.flags-batch", "batch", n["batch"], "micro", n["micro"], "times",
			n["accumulation"], "dp", p.DP, "all", n["micro"]*n["accumulation"]*p.DP)
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
	f.Open, f.Foreign = r.said.Open, len(f.Aside) > r.known
	return f, err
}

// converted gives the parts of a plan what tools count in other ways: tokens in place of sequences, prompts, to each of
// which there are several answers, and prompts and answers by themselves.
func (r *flagReader) converted() {
	n := r.numbers
	sequence, batch := n["sequence"], n["batch"]
	if sequence == 0 {
		sequence = n["prompt"] + n["answer"]
	}
	if batch == 0 {
		batch = n["prompts"]
	}
	n["sequence"], n["batch"] = sequence, min(batch, 1<<30)*max(1, n["answers"])
	for _, part := range [...]string{"batch", "micro"} {
		if tokens := n[part+".tokens"]; tokens > 0 && sequence > 0 {
			n[part] = max(1, tokens/sequence)
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
	for _, axis := range axes[:4] {
		if r.numbers[axis] < 0 {
			r.numbers[axis] = max(1, devices/others)
		}
	}
}

// adapts notes adapters that are described, where no setting of their own turns them on: as PEFT's LoraConfig and
// tools that wrap it are written.
func (r *flagReader) adapts() {
	_, rank := r.numbers["rank"]
	ranked := r.numbers["rank"] > 0 && r.of("llmfoundry", "verl", "openrlhf", "lightning", "colossal", "olmo", "maxtext")
	if said := r.words["adapter"] != ""; !said && (ranked || r.of("trainer", "accelerate", "deepspeed") && (rank ||
		r.words["targets"] != "")) {
		r.words["adapter"] = "lora"
	}
	if r.of("trainer") && r.words["cce"] != "" { // Unsloth's classes, by which it is known, compute layers again
		if _, said := r.words["checkpointing"]; !said {
			_ = r.state("checkpointing", "use_gradient_checkpointing", "unsloth")
		}
	}
}

// yes tells whether a part is said, and on.
//
//go:noinline
func (r *flagReader) yes(part string) bool {
	w, said := r.words[part]
	return said && on(w)
}

// of tells whether the settings are those of one of so many tools.
//
//go:noinline
func (r *flagReader) of(tools ...string) bool { return slices.Contains(tools, r.tool) }

// devices are how many the run says it has; 0 if it doesn't.
func (r *flagReader) devices() int {
	if n := r.numbers["devices"]; n > 0 {
		return n
	}
	if n := r.numbers["replicas"]; n > 0 {
		return min(n, 1<<20) * min(max(1, r.numbers["tp"])*max(1, r.numbers["pp"])*max(1, r.numbers["cp"]), 1<<20)
	}
	shard := r.numbers["shard"]
	if r.of("torchtitan") && shard > 0 || r.of("maxtext") && shard > 0 && r.numbers["dcn_replicate"] > 0 {
		all := 1 // each axis is said, none takes what is left
		for _, axis := range []string{"tp", "pp", "cp", "shard", "replicate"} {
			all = min(all*max(1, r.numbers[axis])*max(1, r.numbers["dcn_"+axis]), mostOfFlag)
		}
		if r.of("maxtext") {
			all = min(all*max(1, r.numbers["ep"])*max(1, r.numbers["dcn_ep"]), mostOfFlag)
		}
		return all
	}
	each, nodes := r.numbers["pernode"], r.numbers["nodes"]
	if each == 0 {
		if all := r.asked(); all > 0 {
			return all
		}
	}
	if each == 0 { // what the script asks the cluster for, or what programs may see
		if each = r.numbers["slurm.each"]; each == 0 {
			each = r.numbers["visible"]
		}
	}
	if nodes == 0 {
		nodes = r.numbers["slurm.nodes"]
	}
	return min(each, mostOfFlag) * min(max(1, nodes), mostOfFlag)
}

// asked is how many devices a script asks Slurm for by tasks, or all of them at once; 0 if it doesn't. Where nodes have
// so many tasks, that is how many devices they have, too.
func (r *flagReader) asked() int {
	n := r.numbers
	switch each := n["slurm.task"]; {
	case each > 0 && n["slurm.tasks"] > 0:
		return min(each, 1<<12) * min(n["slurm.tasks"], 1<<12)
	case each > 0:
		n["slurm.each"] = min(each, 1<<12) * min(max(1, n["slurm.pernode"]), 1<<12)
	}
	return n["slurm.all"]
}

// sharding is who holds shards of what.
func (r *flagReader) sharding(p *Plan) {
	shard, replicate := r.numbers["shard"], max(1, r.numbers["replicate"])*max(1, r.numbers["dcn_replicate"])
	distributed, said := r.words["distributed"]
	switch strategy := r.words["strategy"]; {
	case strategy == "optim_grads_params" || shard != 0 && shard != 1:
		p.Zero = 3
	case strategy == "optim_grads":
		p.Zero = 2
	case said && distributed != "false" || strategy == "optim":
		p.Zero = 1
	}
	replicate = max(replicate, r.numbers["instances"])
	if r.of("torchtune") && p.DP > 1 { // its recipes for several devices shard all, if nothing says otherwise
		p.Zero = 3
	}
	if r.of("maxtext") && shard > 0 && replicate == 1 { // what the axes leave of the devices are replicas on other slices
		replicate = max(1, p.DP/max(1, shard*max(1, r.numbers["dcn_shard"])*p.EP))
	}
	switch reshard := r.words["reshard"]; {
	case p.Zero < 3:
	case reshard == "never", r.of("torchtitan") && p.PP > 1 && reshard != "always": // its pipelines gather once a step
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
		switch word = word[strings.LastIndexByte(word, '.')+1:]; word {
		case "selective", "minimal", "minimal_with_context", "minimal_flash":
			p.Recompute = r.modules()
		case "save_out_proj", "save_qkv_proj", "save_dot_except_mlp", "save_dot_except_mlpwi",
			"save_dot_with_context_except_mlp": // between this and whole layers
			p.Recompute = r.modules()
			r.without("remat_policy", word)
		case "full":
			p.Recompute = RecomputeBlock
		case "custom":
			if r.words["inputs"] == "offload" {
				p.Recompute = RecomputeOffload
			}
		case "", "none":
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
