package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/shell"
)

// put adds what something else than a line says.
//
//go:noinline
func (r *settingReader) put(name, value string) {
	r.all = append(r.all, setting{name: name, value: value})
}

// asked takes what a script asks a scheduler for, Slurm or PBS: nodes, tasks, and devices of each.
func (r *settingReader) asked(line string) {
	if text, is := strings.CutPrefix(line, "#PBS -l "); is { // select=4:ngpus=8
		for _, part := range strings.Split(text, ":") {
			if count, is := strings.CutPrefix(part, "gpus="); is { // of TORQUE: of each node
				part = "ngpus=" + count
			}
			r.request(part)
		}
	} else if text, is = strings.CutPrefix(line, "#SBATCH "); is {
		r.requests(uncommented(text))
	}
}

// requests takes several: -N 2 --gres=gpu:8.
//
//go:noinline
func (r *settingReader) requests(text string) {
	asked := ""
	for word := range strings.FieldsSeq(text + " -") {
		if word[0] != '-' {
			asked += " " + word
			continue
		}
		r.request(asked)
		asked = word
	}
}

// echoed takes the settings of a file that echo writes: echo '{"zero_optimization": ...}' > ds.json.
func (r *settingReader) echoed(bare string) {
	if _, file, is := strings.Cut(bare, "echo '{"); is {
		object, _, _ := strings.Cut(file, "}'")
		f := flow{text: "{" + object + "}", out: r}
		f.value("", 0)
	}
}

// launched takes what Slurm's srun is asked for on the line that starts a program, and gives what it starts.
func (r *settingReader) launched(bare string) (rest string) {
	asked := strings.HasPrefix(bare, "srun ")
	for at := 0; asked && at < len(bare); {
		word, _, _ := strings.Cut(bare[at:], " ")
		if at > 0 && listed(programs+"|"+wrappers, word[strings.LastIndexByte(word, '/')+1:]) {
			r.requests(bare[:at])
			return bare[at:]
		}
		at += len(word) + 1
	}
	return bare
}

// programs start a run.
const programs = "accelerate|python|python3|torchrun|deepspeed|srun|uv|trl|mpirun|axolotl|llamafactory-cli|swift|" +
	"megatron"

// wrappers run the program that stands behind them.
const wrappers = "bash|sh|singularity|apptainer|env|numactl|nsys"

// request takes one of them: --nodes=4, -N4, ngpus=8.
func (r *settingReader) request(asked string) {
	name, value, is := strings.Cut(asked, "=")
	if !is {
		name, value, _ = strings.Cut(asked, " ")
	}
	if len(name) > 1 && name[0] == '-' && name[1] != '-' {
		if i := strings.IndexByte("NnG", name[1]); i >= 0 {
			name, value = [...]string{"nodes", "ntasks", "gpus"}[i], pick(len(name) > 2, name[2:], value)
		}
	}
	name = "slurm_" + settingName(name)
	gpus := strings.TrimSpace(value[strings.LastIndexByte(value, ':')+1:]) // behind a kind: gpu:h100:8
	if fields()[name] == nil || name == "slurm_gres" && !strings.Contains(value, "gpu") {
		return
	}
	r.put(name, gpus)
	switch name {
	case "slurm_nodes":
		r.known["SLURM_NNODES"], r.known["SLURM_JOB_NUM_NODES"] = gpus, gpus
	case "slurm_gres", "slurm_gpus_per_node":
		r.known["SLURM_GPUS_ON_NODE"] = gpus
	}
}

// conditions takes a line of a script: what it has beside conditions, and whether it counts. Where the script alone
// doesn't decide that, r.unsure is the condition that does.
func (r *settingReader) conditions(bare string) (rest string, taken bool) {
	rest, taken, r.unsure = r.branches.Line(bare, func(name string) (string, bool) {
		value, set := r.known[name]
		return value, set && !strings.Contains(value, "$") && (r.again[name] == "" || !constantName(name))
	})
	if name, _, is := strings.Cut(rest, "="); !taken && is && r.known[name] == "" {
		r.known[name] = "" // a shell puts nothing in its place
	}
	return rest, taken
}

// instructs tells whether a line gives a program settings, as flags or as name=value.
func instructs(line string) bool {
	return strings.Contains(" "+line, " --") || strings.Contains(line, "python") && strings.Contains(line, "=")
}

// commands reads those that stand in lists, as clusters are given what containers run.
func (r *settingReader) commands() {
	for _, s := range r.all[:len(r.all):len(r.all)] {
		last := s.name[strings.LastIndexByte(s.name, '.')+1:]
		if instructs(s.value) && listed("command|args|arguments|cmd|entrypoint", last) {
			r.flags(s.value)
		}
	}
}

// loop notes the values that a script gives a variable in turn, by themselves or as a list that it sets; of those the
// last is taken.
func (r *settingReader) loop(bare string) {
	name, values, is := strings.Cut(strings.TrimPrefix(bare, "for "), " in ")
	values, _, _ = strings.Cut(values, ";")
	if !is || bare[:4] != "for " || strings.HasSuffix(bare, ":") || !plainName(name) {
		return
	}
	if list, all := strings.CutSuffix(strings.Trim(values, "\" "), "[@]}"); all { // "${CONFIGS[@]}"
		list = r.known[strings.TrimPrefix(list, "${")]
		values = strings.NewReplacer("(", "", ")", "", "\"", "").Replace(list)
		r.known[name] = values
	}
	values = strings.TrimSpace(values)
	if last := strings.LastIndexByte(values, ' '); last > 0 {
		r.known[name], r.again[name] = values[last+1:], strings.TrimSpace(values[:last])
	}
}

// granted takes what a task asks SkyPilot for, which it sets in the environment of the run: devices of each node, the
// first of several kinds any of which will do, and nodes. The name is empty of what doesn't count.
func (r *settingReader) granted(name, value string) (as, count string) {
	const each = "SKYPILOT_NUM_GPUS_PER_NODE"
	before, kind, one := strings.Cut("."+name, ".accelerators.")
	switch {
	case one:
		name = strings.TrimPrefix(before+".accelerators", ".")
		value = pick(value == "" || value == "null", kind, kind+":"+value)
	case name == "num_nodes":
		r.known["SKYPILOT_NUM_NODES"] = value
		return name, value
	case !strings.HasSuffix("."+name, ".accelerators"):
		return name, value
	}
	if r.known[each] != "" {
		return "", ""
	}
	value, _, _ = strings.Cut(value, " ")
	_, value, one = strings.Cut(value, ":")
	r.known[each] = pick(one, value, "1")
	if r.known["SKYPILOT_NUM_NODES"] == "" {
		r.known["SKYPILOT_NUM_NODES"] = "1"
	}
	return name, r.known[each]
}

// rented takes the kind of a machine that a cloud is asked for, and how many: instance_type: ml.p5.48xlarge,
// --tpu-type=v5p-1024 --num-slices=2.
func (r *settingReader) rented(name, value string) bool {
	name = settingName(name[strings.LastIndexByte(name, '.')+1:])
	switch {
	case name == "num_slices" && value > "0":
		r.put("slurm_nodes", value)
		return true
	case !strings.HasSuffix(name, "_type") && name != "instances" && name != "accelerator":
		return false
	}
	_, n := hardware.Machine(unquoted(value))
	if n > 0 {
		r.known[name] = value
		r.put("slurm_gpus_per_node", strconv.Itoa(n))
	}
	return n > 0
}

// splits takes the variables among which a shell divides a text: IFS=',' read -r TP PP <<< "$DEGREES". Where that text
// is each of several in turn, they are the others' parts, too.
func (r *settingReader) splits(bare string) {
	before, text, is := strings.Cut(bare, " <<< ")
	set, names, reads := strings.Cut(" "+before, " read ")
	if !is || !reads {
		return
	}
	between := r.known["IFS"]
	if _, value, own := strings.Cut(set, "IFS="); own {
		between = unquoted(strings.TrimSpace(value))
	}
	text = unquoted(strings.TrimSpace(text))
	parts := func(text string) []string { return strings.Fields(strings.NewReplacer(between, " ").Replace(text)) }
	values := parts(r.expand(text))
	for name := range strings.FieldsSeq(names) {
		if name[0] == '-' || len(values) == 0 || !plainName(name) {
			continue
		}
		r.add(name, values[0])
		values = values[1:]
		others := ""
		for other := range strings.FieldsSeq(r.again[strings.Trim(text, "${}")]) {
			if own := parts(other); len(own) > len(values) && own[len(own)-1-len(values)] != r.known[name] {
				others = strings.TrimPrefix(others+", "+own[len(own)-1-len(values)], ", ")
			}
		}
		if delete(r.again, name); others != "" {
			r.again[name] = others
		}
	}
}

// assigned reads several variables that a script sets on one line: TP=8; PP=4.
func (r *settingReader) assigned(bare string) bool {
	pieces := strings.Split(strings.TrimSuffix(bare, ";"), ";")
	for _, piece := range pieces {
		name, value, is := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(piece), "export ")), "=")
		if !is || len(pieces) < 2 || !constantName(name) || !plainName(name) || strings.ContainsAny(value, " \"'") {
			return false
		}
	}
	for _, piece := range pieces {
		name, value, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(piece), "export ")), "=")
		r.add(name, value)
	}
	return true
}

// printed is a line in which a command prints a variable again, its lines as one, with the variable alone: $(echo
// "$OVERRIDES" | tr '\n' ' ').
func printed(line string) string {
	before, inner, is := strings.Cut(line, "$(echo ")
	end := strings.LastIndexByte(inner, ')')
	if !is || end < 0 {
		return line
	}
	variable, pipe, _ := strings.Cut(inner[:end], " | ")
	variable = unquoted(strings.TrimSpace(variable))
	for step := range strings.SplitSeq(pipe, " | ") {
		if first, _, _ := strings.Cut(step, " "); !listed("|tr|sed|xargs", first) {
			return line
		}
	}
	if !strings.HasPrefix(variable, "$") || !plainName(strings.Trim(variable, "${}")) {
		return line
	}
	return before + variable + inner[end+1:]
}

// started is what a command starts behind those that prepare it: cd /opt && python train.py.
func started(command string) string {
	for {
		first, rest, is := strings.Cut(command, " ")
		_, rest, more := strings.Cut(rest, "&& ")
		if !is || !more || !listed("cd|mkdir|export|source|ulimit|set|.|bash|sh|pip", first) {
			return command
		}
		command = strings.TrimSpace(rest)
	}
}

// add adds a setting. Its value may name others before it, as a shell does. One that a script fills with flags is
// those. Of a script's own variables those count that launchers read.
func (r *settingReader) add(name, value string) {
	r.twice = ""
	if name == "degree" {
		name, r.axis = r.axis+name, ""
	}
	if r.ray && name == "num_workers" {
		name, r.ray = "scalingconfig.num_workers", false
	}
	if name, value = r.granted(name, value); name == "" || r.rented(name, value) {
		return
	}
	if strings.HasSuffix(name, "recipe") && strings.Contains(r.expand(value), "_peft_") { // of Megatron Bridge
		r.put("peft", "lora")
	}
	if value == name && r.known[name] != "" { // strategy=strategy
		return
	}
	if r.known[name] == "" { // ARGS="$ARGS more": nothing yet
		value = strings.NewReplacer("$"+name+" ", "", "${"+name+"} ", "").Replace(value)
	}
	value = r.calculated(r.expand(value))
	before, _, prints := strings.Cut(value, "$(")
	several := strings.Contains(before, "=") && strings.Contains(before, " ") // settings, of which it prints one
	if (prints && !several || strings.HasPrefix(value, "`")) && constantName(name) {
		return // what a command prints
	}
	flags := started(strings.TrimLeft(value, `"' (`))
	if strings.HasPrefix(flags, "--") || launches(flags) {
		r.known[name] = "--"
		r.flags(flags)
		return
	}
	if r.twice != "" && strings.Contains(value, " ") && strings.Contains(value, "=") { // settings that others hold, too
		r.put(r.twice, r.twice)
	}
	if r.unsure != "" && strings.HasPrefix(value, "$") && r.known[name] != "" { // an argument in place of a default
		return
	}
	if was := r.known[name]; was != "" && was != value && r.again[name] == "" {
		r.again[name] = was
	}
	if r.known[name] = value; nesting(value) != 0 || strings.HasPrefix(value, `"`) { // it goes on, on other lines
		delete(r.known, name)
	}
	if r.environs(name, value) {
		return
	}
	_, err := strconv.Atoi(value)
	switch {
	case !constantName(name) && r.unsure != "" && r.twice == "":
		r.all = append(r.all, setting{name, value, value + " (" + r.unsure + ")"})
	case !constantName(name), (err == nil || value != "" && !strings.ContainsAny(value, "$(`\"")) &&
		listed("NNODES|NPROC_PER_NODE|NGPU", name):
		r.all = append(r.all, setting{name, value, r.twice})
	case name == "CONFIG_FILE":
		r.put("config_file", value)
	case slows(name):
		r.put(name, value)
	}
}

// source notes another script that a line reads, unless it is of a shell's own.
func (r *settingReader) source(bare string) {
	_, file, _ := strings.Cut(bare, " ")
	file = unquoted(file)
	file = file[strings.LastIndexByte(file, '/')+1:]
	if !listed("activate|.bashrc|.profile|bashrc|profile|conda.sh|setvars.sh|set_env.sh|.env|env.sh", file) {
		r.sources = true
		r.put("source", file)
	}
}

// ownVariables leaves out those of a script that its command names: they are no settings, whatever they are called. If
// it reads another script, those that are called as settings are, TP=8, count where nothing else says them.
func (r *settingReader) ownVariables(text string) {
	said, kept := "|", 0
	text = strings.ReplaceAll(text, "${", "$")
	for _, s := range r.all {
		if !slices.Contains(r.variables, s.name) || constantName(s.name) || !strings.Contains(text, "$"+s.name) {
			r.all[kept] = s
			kept++
			said += partOf(s.name) + "|"
		}
	}
	r.all = r.all[:kept]
	for _, name := range r.variables {
		if part := partOf(name); r.sources && !listed(said, part) && constantName(name) && wholePart(part) {
			r.put(name, r.known[name])
		}
	}
}

// partOf is the part that a setting of this name gives, "" if it isn't known.
//
//go:noinline
func partOf(name string) string {
	found, _ := candidates(name)
	if len(found) == 0 {
		return ""
	}
	return found[0].part
}

// launches tells whether a value is a command that trains: CMD="accelerate launch ... train.py --max_seq_length 1024".
func launches(value string) bool {
	first, _, _ := strings.Cut(value, " ")
	return instructs(value) && listed(programs, first[strings.LastIndexByte(first, '/')+1:]) &&
		!untrained(value)
}

// untrained tells whether a line runs a program that doesn't train, as its name says: tools/convert.py, -m x.decode.
// The name that says most is its last word.
func untrained(line string) bool {
	words := strings.Fields(line)
	for i, w := range words {
		w = strings.Trim(w, `"';`)
		script, is := strings.CutSuffix(w, ".py")
		launcher := strings.HasPrefix(w, "torch.") || strings.HasPrefix(w, "accelerate")
		if !is && (i == 0 || words[i-1] != "-m" || launcher) {
			continue
		}
		name := strings.ToLower(script[strings.LastIndexAny(script, "/.")+1:])
		not := false
		for _, part := range parts(name) {
			if strings.Contains(part, "train") || strings.Contains(part, "tune") ||
				listed("sft|dpo|grpo|ppo|rlhf|lora|qlora", part) {
				return false
			}
			not = not || listed("decode|inference|infer|generate|generation|eval|evaluate|evaluation|convert|"+
				"converter|convertor|checker|export|merge|preprocess|prepare|download|serve|server|upload|chat|"+
				"tokenize|quantize|install|consolidate", part)
		}
		return not
	}
	return false
}

// environs takes a variable that tells of devices, wherever it is set, and one of an environment that a file describes.
func (r *settingReader) environs(name, value string) (taken bool) {
	dot := strings.LastIndexByte(name, '.')
	last := name[dot+1:]
	if strings.HasSuffix(last, "_VISIBLE_DEVICES") {
		if value != "" && strings.Trim(value, "0123456789,") == "" {
			r.put("CUDA_VISIBLE_DEVICES", strconv.Itoa(1+strings.Count(strings.Trim(value, ","), ",")))
		}
		return true
	}
	if dot > 0 && constantName(last) && strings.HasSuffix(strings.TrimSuffix(name[:dot], "s"), "env") {
		r.known[last] = value
		return !slows(last)
	}
	return false
}

// uncast is a line of Python without functions that change the kind of a value alone, int("4"), and with what is taken
// where an environment has nothing, in place of os.environ.get("NODES", 4).
func (r *settingReader) uncast(line string) string {
	for _, call := range [...]string{"int(", "str(", "float(", "os.environ.get(", "os.getenv("} {
		for from := 0; ; {
			i := strings.Index(line[from:], call)
			if i < 0 {
				break
			}
			i += from
			begin, end := i+len(call), i+len(call)
			for deep := 1; end < len(line); end++ {
				if deep += strings.Count(line[end:end+1], "(") - strings.Count(line[end:end+1], ")"); deep == 0 {
					break
				}
			}
			from = begin
			if i > 0 && (plainName(line[i-1:i]) || line[i-1] == '_') || end == len(line) {
				continue
			}
			inner := line[begin:end]
			if name, otherwise, _ := strings.Cut(inner, ","); call[0] == 'o' {
				if inner = r.known[unquoted(name)]; inner == "" {
					inner = unquoted(otherwise)
				}
			}
			if inner != "" {
				line, from = line[:i]+inner+line[end+1:], i
			}
		}
	}
	return line
}

// calculated is a value of Python in place of a name that has one, or of a product or sum.
func (r *settingReader) calculated(value string) string {
	if was := r.known[value]; was != "" && (constantName(value) || strings.Contains(value, ".")) {
		return was // TP, and args.batch_size
	}
	inner := strings.TrimPrefix(value, "f") // f"{tp}"
	if len(inner) > 2 && inner[0] == '{' && inner[len(inner)-1] == '}' {
		if n := r.calculated(inner[1 : len(inner)-1]); n != "" && strings.Trim(n, "0123456789") == "" {
			return n
		}
	}
	sum := strings.Contains(value, "*") || strings.Contains(value, " - ") || strings.Contains(value, " + ")
	if !sum && !(plainName(value) && r.known[value] != "") {
		return value
	}
	n := shell.Expand("$(("+value+"))", func(name string) string { return r.known[name] })
	if _, err := strconv.Atoi(n); err != nil {
		return value
	}
	return n
}

// slows tells whether one of a script's own variables changes what a run takes, as NCCL_P2P_DISABLE does.
func slows(name string) bool {
	known := fields()[settingName(name)]
	of, _, _ := strings.Cut(name, "_")
	return len(known) > 0 && known[0].part == "!" && (of == "NCCL" || of == "CUDA")
}

// expand is a word of a shell with what it names in its place. Inlined, its closure would stand in each caller.
//
//go:noinline
func (r *settingReader) expand(word string) string {
	return shell.Expand(word, func(name string) string {
		if was := r.again[name]; was != "" && constantName(name) {
			r.twice = "$" + name + " (" + was + ", " + r.known[name] + ")"
		}
		return r.known[name]
	})
}

// blank tells whether a word names a variable that the script sets to nothing.
func (r *settingReader) blank(word string) bool {
	value, set := r.known[strings.Trim(word, "${}")]
	return set && value == ""
}

// constantName tells whether a name is one of a script's own variables.
//
//go:noinline
func constantName(name string) bool {
	return name == strings.ToUpper(name) && name != strings.ToLower(name)
}
