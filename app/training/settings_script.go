package training

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/shell"
)

// put adds what something else than a line says.
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
		r.request(strings.TrimSpace(uncommented(text)))
	}
}

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

// branch is a part of a script below a condition: what that says, and whether it holds, as far as the script tells.
type branch struct {
	said                string
	subject             string // of a shell's case, what patterns are held to
	judged, holds, done bool   // done: one before it held, which was judged
}

// over tells whether branches behind this one don't count.
func (x *branch) over() bool { return x.done || x.judged && x.holds }

// branches follows the conditions of a script: what stands below one may hold or not. It gives what a line has beside
// them, and tells whether it stands below one that doesn't.
func (r *settingReader) branches(bare string) (rest string, skipped bool) {
	last := len(r.branch) - 1
	word, condition, _ := strings.Cut(bare, " ")
	switch {
	case word == "fi" || word == "fi;" || word == "esac":
		r.branch = r.branch[:max(0, last)]
	case last >= mostDepth:
	case word == "if" || word == "elif" && last >= 0:
		if !strings.HasSuffix(bare, "then") && (!strings.HasPrefix(condition, "[") || strings.HasSuffix(bare, "fi")) {
			break
		}
		condition = strings.Trim(strings.TrimSuffix(condition, "then"), "; ")
		next := branch{said: "if " + strings.Trim(condition, "[] ")}
		if next.holds, next.judged = r.judge(condition); word == "elif" {
			next.done = r.branch[last].over()
			r.branch = r.branch[:last]
		}
		r.branch = append(r.branch, next)
	case last < 0 && word != "case":
	case bare == "else":
		now := &r.branch[last]
		now.done, now.holds = now.over(), !now.holds
		now.said = strings.Replace(now.said, "if ", "if ! ", 1)
	case word == "case" && strings.HasSuffix(condition, " in"):
		subject := unquoted(r.expand(strings.TrimSuffix(condition, " in")))
		r.branch = append(r.branch, branch{subject: subject, judged: !strings.Contains(subject, "$")})
	case last >= 0 && r.branch[last].subject != "":
		bare = r.branch[last].pattern(bare)
	}
	for i := range r.branch {
		x := &r.branch[i]
		skipped = skipped || x.done || x.judged && !x.holds
	}
	return bare, skipped
}

// pattern takes one of a shell's case, if a line begins with it, and gives the rest of the line.
func (x *branch) pattern(line string) string {
	line = strings.TrimSpace(strings.TrimSuffix(line, ";;"))
	before, rest, is := strings.Cut(strings.TrimPrefix(line, "("), ")")
	if !is || before == "" || strings.ContainsAny(before, " $=(") {
		return line
	}
	x.done = x.over()
	x.said, x.holds = "case "+x.subject+" in "+before, false
	for _, one := range strings.Split(before, "|") {
		x.judged = x.judged && (x.done || !strings.ContainsAny(one, "?["))
		x.holds = x.holds || shell.Like(one, x.subject)
	}
	return strings.TrimSpace(rest)
}

// judged is what a line says if it isn't one of a branch that isn't taken, and the condition before it that may hold or
// not: if [ ... ]; then ...; fi, or [ ... ] && ...
func (r *settingReader) judged(bare string) (rest, unsure string, taken bool) {
	rest, skipped := r.branches(bare)
	for plain := strings.TrimPrefix(rest, "if "); !skipped && strings.HasPrefix(plain, "["); plain = rest {
		condition, inner, _ := strings.Cut(plain, "]")
		begins := pick(plain == rest, "&& ", "then ")
		inner, is := strings.CutPrefix(strings.TrimLeft(inner, "]; "), begins)
		if !is {
			break
		}
		if begins == "then " {
			inner = strings.TrimRight(strings.TrimSuffix(inner, "fi"), "; ")
		}
		holds, known := r.judge(condition + "]")
		if rest, skipped = inner, known && !holds; !known {
			unsure = "if " + strings.Trim(condition, "[ ")
		}
	}
	if name, _, is := strings.Cut(rest, "="); skipped && is && r.known[name] == "" {
		r.known[name] = "" // a shell puts nothing in its place
	}
	return rest, unsure, !skipped
}

// unsure is the condition above that isn't judged, "" if there is none.
func (r *settingReader) unsure() (said string) {
	for i := range r.branch {
		if x := &r.branch[i]; !x.judged {
			said = x.said
		}
	}
	return said
}

// judge tells whether a condition of a shell holds, if the script tells both sides.
func (r *settingReader) judge(condition string) (holds, judged bool) {
	r.twice = ""
	condition = r.expand(condition)
	if r.twice != "" {
		return false, false
	}
	return shell.Holds(condition, func(name string) string { return pick(r.blank(name), "", "?") })
}

// commands reads those that stand in lists, as clusters are told what containers run.
func (r *settingReader) commands() {
	for _, s := range r.all[:len(r.all):len(r.all)] {
		last := s.name[strings.LastIndexByte(s.name, '.')+1:]
		if strings.Contains(s.value, "--") && listed("command|args|arguments|cmd|entrypoint", last) {
			r.flags(s.value)
		}
	}
}

// loop notes the values that a script gives a variable in turn; of those the last is taken.
func (r *settingReader) loop(bare string) {
	name, values, is := strings.Cut(strings.TrimPrefix(bare, "for "), " in ")
	values, _, _ = strings.Cut(values, ";")
	last := strings.LastIndexByte(values, ' ')
	if is && last > 0 && bare[:4] == "for " && !strings.HasSuffix(bare, ":") && plainName(name) {
		r.known[name], r.again[name] = values[last+1:], values[:last]
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

// add adds a setting. Its value may name others before it, as a shell does. One that a script fills with flags is
// those. Of a script's own variables those count that launchers read.
func (r *settingReader) add(name, value string) {
	r.twice = ""
	if r.ray && name == "num_workers" {
		name, r.ray = "scalingconfig.num_workers", false
	}
	if value == name && r.known[name] != "" { // strategy=strategy
		return
	}
	value = r.calculated(r.expand(value))
	if strings.Contains(value, "$(") && constantName(name) {
		return // what a command prints
	}
	if flags := strings.TrimLeft(value, `"' (`); strings.HasPrefix(flags, "--") {
		r.known[name] = "--"
		r.flags(flags)
		return
	}
	if was := r.known[name]; was != "" && was != value && r.again[name] == "" {
		r.again[name] = was
	}
	r.known[name] = value
	if r.environs(name, value) {
		return
	}
	_, err := strconv.Atoi(value)
	switch {
	case !constantName(name) && r.unsure() != "" && r.twice == "":
		r.all = append(r.all, setting{name, value, value + " (" + r.unsure() + ")"})
	case !constantName(name), err == nil && (name == "NNODES" || name == "NPROC_PER_NODE"):
		r.all = append(r.all, setting{name, value, r.twice})
	case name == "CONFIG_FILE":
		r.put("config_file", value)
	case slows(name):
		r.put(name, value)
	}
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

// calculated is a value of Python in place of a name that has one, or of a product or sum.
func (r *settingReader) calculated(value string) string {
	if was := r.known[value]; was != "" && (constantName(value) || strings.Contains(value, ".")) {
		return was // TP, and args.batch_size
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

// expand is a word of a shell with what it names in its place.
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
func constantName(name string) bool {
	return name == strings.ToUpper(name) && name != strings.ToLower(name)
}
