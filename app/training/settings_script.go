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
	case "--gpus-per-node", "--gpus-per-task":
		gres = true
	case "--gres":
	default:
		return
	}
	if gres {
		r.all = append(r.all, setting{name: "slurm_gpus", value: gpus})
		r.add("SLURM_GPUS_ON_NODE", gpus)
	}
}

// branches follows the conditions of a script: what stands below one may hold or not.
func (r *settingReader) branches(bare string) {
	condition, is := strings.CutPrefix(bare, "if [")
	switch {
	case is && !strings.HasSuffix(bare, "fi"):
		condition, _, _ = strings.Cut(condition, "]")
		r.branch = append(r.branch, "if "+strings.Trim(condition, "[] "))
	case strings.HasPrefix(bare, "if ") && strings.HasSuffix(bare, "then"):
		r.branch = append(r.branch, strings.TrimSuffix(strings.TrimSuffix(bare, "then"), "; "))
	case (bare == "fi" || strings.HasPrefix(bare, "fi ") || strings.HasPrefix(bare, "fi;")) && len(r.branch) > 0:
		r.branch = r.branch[:len(r.branch)-1]
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
	if value == name && r.known[name] != "" { // strategy=strategy
		return
	}
	value = r.calculated(r.expand(value))
	if strings.Contains(value, "$(") && constantName(name) {
		return // what a command prints
	}
	if flags := strings.TrimLeft(value, `"' `); strings.HasPrefix(flags, "--") {
		r.known[name] = "--"
		r.flags(flags)
		return
	}
	if was := r.known[name]; was != "" && was != value && r.again[name] == "" {
		r.again[name] = was
	}
	r.known[name] = value
	_, err := strconv.Atoi(value)
	switch {
	case !constantName(name) && len(r.branch) > 0 && r.twice == "":
		r.all = append(r.all, setting{name, value, value + " (" + r.branch[len(r.branch)-1] + ")"})
	case !constantName(name), err == nil && (name == "NNODES" || name == "NPROC_PER_NODE"):
		r.all = append(r.all, setting{name, value, r.twice})
	case name == "CONFIG_FILE":
		r.all = append(r.all, setting{name: "config_file", value: value})
	case slows(name):
		r.all = append(r.all, setting{name: name, value: value})
	case name == "CUDA_VISIBLE_DEVICES" && value != "" && strings.Trim(value, "0123456789,") == "":
		r.all = append(r.all, setting{name: name,
			value: strconv.Itoa(1 + strings.Count(strings.Trim(value, ","), ","))})
	}
}

// calculated is a value of Python in place of a name that has one, or of a product.
func (r *settingReader) calculated(value string) string {
	if was := r.known[value]; was != "" && constantName(value) {
		return was
	}
	if !strings.Contains(value, "*") && !(plainName(value) && r.known[value] != "") {
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

// constantName tells whether a name is one of a script's own variables.
func constantName(name string) bool {
	return name == strings.ToUpper(name) && name != strings.ToLower(name)
}
