package training

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/shell"
)

// slurm takes what a script asks a cluster for: nodes, and devices of each.
func (r *settingReader) slurm(asked string) {
	name, value, is := strings.Cut(strings.TrimSpace(uncommented(asked)), "=")
	if !is {
		name, value, _ = strings.Cut(name, " ")
	}
	if n := strings.TrimPrefix(name, "-N"); n != name && n != "" { // -N4
		name, value = "-N", n
	}
	gpus, gres := strings.CutPrefix(strings.TrimSpace(value), "gpu:")
	gpus = gpus[strings.LastIndexByte(gpus, ':')+1:] // behind a kind: h100:8
	switch name {
	case "--nodes", "-N":
		r.all = append(r.all, setting{name: "slurm_nodes", value: gpus})
		r.add("SLURM_NNODES", gpus)
		r.add("SLURM_JOB_NUM_NODES", gpus)
	case "--gpus-per-node":
		gres = true
	case "--gpus-per-task":
		r.all = append(r.all, setting{name: "slurm_task_gpus", value: gpus})
	case "--ntasks-per-node":
		r.all = append(r.all, setting{name: "slurm_node_tasks", value: gpus})
	case "--ntasks", "-n":
		r.all = append(r.all, setting{name: "slurm_tasks", value: gpus})
	case "--gpus", "-G":
		r.all = append(r.all, setting{name: "slurm_all", value: gpus})
	case "--gres":
	default:
		return
	}
	if gres {
		r.all = append(r.all, setting{name: "slurm_gpus", value: gpus})
		r.add("SLURM_GPUS_ON_NODE", gpus)
	}
}

// pbs takes the same of another scheduler: select=4:ncpus=64:ngpus=8.
func (r *settingReader) pbs(asked string) {
	_, selected, is := strings.Cut(asked, "select=")
	nodes, parts, _ := strings.Cut(selected, ":")
	for part := range strings.SplitSeq(parts, ":") {
		if each, gpus := strings.CutPrefix(part, "ngpus="); is && gpus {
			r.all = append(r.all, setting{name: "slurm_nodes", value: nodes}, setting{name: "slurm_gpus", value: each})
		}
	}
}

// usually takes what a script gives a variable that nothing else has set, : ${TP:=4}.
func (r *settingReader) usually(bare string) {
	for _, word := range words(bare) {
		if name, value, is := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(word, "${"), "}"), "="); is {
			if name = strings.TrimSuffix(name, ":"); constantName(name) && r.known[name] == "" {
				r.add(name, value)
			}
		}
	}
}

// branch is a part of a script below a condition: what that says, and whether it holds, as far as the script tells.
type branch struct {
	said                string
	subject             string // of a shell's case, what patterns are held to
	judged, holds, done bool   // done: one before it held, which was judged
}

// branches follows the conditions of a script: what stands below one may hold or not. It gives what a line has beside
// them, and tells whether it stands below one that doesn't.
func (r *settingReader) branches(bare string) (rest string, skipped bool) {
	otherwise, again := strings.CutPrefix(bare, "el")
	condition, is := strings.CutPrefix(pick(again, otherwise, bare), "if ")
	bracketed := is && strings.HasPrefix(condition, "[")
	last := len(r.branch) - 1
	switch {
	case last >= mostDepth && bare != "fi" && bare != "esac":
	case is && (bracketed && !strings.HasSuffix(bare, "fi") || strings.HasSuffix(bare, "then")):
		next := branch{said: "if " + strings.TrimSuffix(strings.TrimSuffix(condition, "then"), "; ")}
		if bracketed {
			condition, _, _ = strings.Cut(strings.TrimLeft(condition, "["), "]")
			next.said = "if " + strings.TrimSpace(condition)
			next.holds, next.judged = r.judge(condition)
		}
		if again && last >= 0 {
			next.done = r.branch[last].over()
			r.branch = r.branch[:last]
		}
		r.branch = append(r.branch, next)
	case bare == "else" && last >= 0:
		now := &r.branch[last]
		now.done = now.over()
		now.holds = !now.holds
	case (bare == "fi" || strings.HasPrefix(bare, "fi ") || strings.HasPrefix(bare, "fi;") || bare == "esac") && last >= 0:
		r.branch = r.branch[:last]
	case strings.HasPrefix(bare, "case ") && strings.HasSuffix(bare[len("case"):], " in"):
		subject, _ := strings.CutSuffix(bare[len("case"):], " in")
		subject = unquoted(r.expand(subject))
		r.branch = append(r.branch, branch{subject: subject, judged: !strings.Contains(subject, "$")})
	case last >= 0 && r.branch[last].subject != "":
		bare = r.branch[last].pattern(bare)
	}
	for _, x := range r.branch {
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
	for one := range strings.SplitSeq(before, "|") {
		one = unquoted(one)
		begin, any := strings.CutSuffix(one, "*")
		x.holds = x.holds || one == x.subject || any && strings.HasPrefix(x.subject, begin)
	}
	return strings.TrimSpace(rest)
}

// single is a line that a condition stands before, and the condition: if [ ... ]; then ...; fi, or [ ... ] && ...
func single(bare string) (condition, rest string, is bool) {
	plain := strings.TrimPrefix(bare, "if ")
	inner, rest, is := strings.Cut(strings.TrimLeft(plain, "["), "]")
	if !is || plain == strings.TrimLeft(plain, "[") {
		return "", "", false
	}
	rest = strings.TrimLeft(rest, "]; ")
	if next, then := strings.CutPrefix(rest, pick(plain == bare, "&& ", "then ")); then {
		rest, closed := strings.CutSuffix(next, "fi")
		return inner, strings.TrimRight(rest, "; "), closed == (plain != bare)
	}
	return "", "", false
}

// judged is what a line says if it isn't one of a branch that isn't taken, and the condition before it that may hold or
// not.
func (r *settingReader) judged(bare string) (rest, unsure string, taken bool) {
	rest, skipped := r.branches(bare)
	if condition, inner, is := single(rest); is && !skipped {
		holds, known := r.judge(condition)
		if rest, skipped = inner, known && !holds; !known {
			unsure = "if " + strings.TrimSpace(condition)
		}
	}
	if name, _, is := strings.Cut(rest, "="); skipped && is && r.known[name] == "" {
		r.known[name] = "" // a shell puts nothing in its place
	}
	return rest, unsure, !skipped
}

// over tells whether branches behind this one don't count.
func (x *branch) over() bool { return x.done || x.judged && x.holds }

// unsure is the condition above that isn't judged, "" if there is none.
func (r *settingReader) unsure() (said string) {
	for _, x := range r.branch {
		if !x.judged {
			said = x.said
		}
	}
	return said
}

// judge tells whether a comparison of a shell holds, if the script tells both sides.
func (r *settingReader) judge(condition string) (holds, judged bool) {
	r.twice = ""
	sides := strings.Fields(r.expand(condition))
	if len(sides) == 2 && r.twice == "" && (sides[0] == "-n" || sides[0] == "-z") { // whether there is something
		return (unquoted(sides[1]) != "") == (sides[0] == "-n"), !strings.Contains(sides[1], "$")
	}
	if len(sides) != 3 || r.twice != "" || strings.ContainsAny(condition[min(1, len(condition)):], "*()|&") {
		return false, false
	}
	left, right := unquoted(sides[0]), unquoted(sides[2])
	x, wrong := strconv.Atoi(left)
	y, err := strconv.Atoi(right)
	numbers := wrong == nil && err == nil
	switch known := !strings.Contains(left+right, "$"); sides[1] {
	case "=", "==":
		return left == right, known
	case "!=":
		return left != right, known
	case "-eq":
		return x == y, numbers
	case "-ne":
		return x != y, numbers
	case "-gt":
		return x > y, numbers
	case "-ge":
		return x >= y, numbers
	case "-lt":
		return x < y, numbers
	case "-le":
		return x <= y, numbers
	}
	return false, false
}

// commands reads those that stand in lists, as clusters are told what containers run.
func (r *settingReader) commands() {
	var all []setting
	for _, s := range r.all {
		switch s.name[strings.LastIndexByte(s.name, '.')+1:] {
		case "command", "args", "arguments", "cmd", "entrypoint":
			if strings.Contains(s.value, "--") {
				r.all = nil
				r.flags(s.value)
				all = append(all, r.all...)
				continue
			}
		}
		all = append(all, s)
	}
	r.all = all
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
		r.all = append(r.all, setting{name: "config_file", value: value})
	case slows(name):
		r.all = append(r.all, setting{name: name, value: value})
	}
}

// environs takes a variable that tells of devices, wherever it is set, and one of an environment that a file describes.
func (r *settingReader) environs(name, value string) (taken bool) {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case last == "CUDA_VISIBLE_DEVICES" || last == "HIP_VISIBLE_DEVICES" || last == "ROCR_VISIBLE_DEVICES":
		if value != "" && strings.Trim(value, "0123456789,") == "" {
			r.all = append(r.all, setting{name: "CUDA_VISIBLE_DEVICES",
				value: strconv.Itoa(1 + strings.Count(strings.Trim(value, ","), ","))})
		}
		return true
	case last == "accelerators": // of SkyPilot: H100:8
		if _, each, some := strings.Cut(value, ":"); some {
			r.all = append(r.all, setting{name: "slurm_gpus", value: each})
			r.known["SKYPILOT_NUM_GPUS_PER_NODE"] = each
		}
		return true
	case name == "num_nodes":
		r.known["SKYPILOT_NUM_NODES"] = value
	case last != name && constantName(last):
		section := strings.TrimSuffix(name[:len(name)-len(last)], ".")
		switch section[strings.LastIndexByte(section, '.')+1:] {
		case "env", "envs", "environment":
			r.known[last] = value
			return !slows(last)
		}
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
