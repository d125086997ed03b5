package training

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// settingTable is what each tool calls the parts of a run beside those that flags.tsv has: tool, if it isn't that of
// the line before, part, names. A part with a point in front changes neither memory nor time, for the reason behind the
// point; a star stands for any end of a name, or for all that is in a section; "!" changes one of them and isn't
// estimated; "=" has what the tool takes where nothing is said, "name" what readers call it, "command" the words by
// which it trains, and behind a ! those by which it does something else. "whole" are the parts that are whole numbers.
// Last stand tools that are not read, with names that tell of them.
//
//go:embed settings.tsv
var settingTable string

// settingLines are the lines of the table.
var settingLines = sync.OnceValue(func() (all [][3]string) {
	for line := range strings.Lines(settingTable) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if c[0] == "" {
			c[0] = all[len(all)-1][0]
		}
		all = append(all, [3]string{c[0], c[1], c[2]})
	}
	return all
})

// fields are all settings by their names, without dashes in front and with underscores.
var fields = sync.OnceValue(func() map[string][]flagOf {
	all := map[string][]flagOf{}
	add := func(f flagOf) {
		name := settingName(f.written)
		all[name] = append(all[name], f)
	}
	for _, f := range flagsOf("") {
		add(f)
		if short := f.name(); short != settingName(f.written) {
			all[short] = append(all[short], f)
		}
	}
	for _, c := range settingLines() {
		if c[1] == "=" || c[1] == "name" || c[1] == "whole" || c[1] == "command" {
			continue
		}
		for name := range strings.FieldsSeq(c[2]) {
			if c[0] != otherTools {
				add(flagOf{c[0], name, c[1]})
			}
		}
	}
	return all
})

// otherTools is what the table has for a tool where it names tools whose settings are not read, by names that they
// alone have.
const otherTools = "other"

// settingNames are all names, for whoever looks for the one that was meant.
var settingNames = sync.OnceValue(func() (names []string) {
	for name := range fields() {
		if !strings.HasSuffix(name, "*") && !strings.HasPrefix(name, "slurm_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
})

func settingName(written string) string {
	const most = 300 // bytes: no name that is known has as many
	written = strings.TrimLeft(written[:min(len(written), most)], "-")
	return strings.ToLower(strings.ReplaceAll(written, "-", "_"))
}

// Readable are the tools whose settings are read, by ID, with the names that readers know.
func Readable() (all [][2]string) {
	for _, line := range settingLines() {
		if line[1] == "name" {
			all = append(all, [2]string{line[0], line[2]})
		}
	}
	return all
}

func toolNames() (names []string) {
	for _, t := range Readable() {
		names = append(names, t[1])
	}
	return names
}

// ToolName is how readers know a tool whose settings are read.
func ToolName(id string) string {
	for _, t := range Readable() {
		if t[0] == id {
			return t[1]
		}
	}
	return id
}

// candidates are the settings that a name, with its sections, may be: those that say most of its sections.
func candidates(written string) (all []flagOf, between bool) {
	name := settingName(written)
	for path := name; path != ""; {
		if all := fields()[path]; all != nil {
			return all, false
		}
		section, rest, more := strings.Cut(path, ".")
		if !more || listed("rollout|ref|critic|reward|eval|vllm|sglang|teacher|inference", section) {
			break // of what these settings don't train
		}
		path = rest
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if axis, is := strings.CutPrefix(last, "dcn_"); is { // MaxText's axes between pods, beside those inside
		return fields()["ici_"+axis], true
	}
	parts := strings.Split(name, ".")
	for i := range parts { // a section that is of one kind as a whole
		for n := min(3, len(parts)-i); n > 0; n-- {
			if all := fields()[strings.Join(parts[i:i+n], ".")+".*"]; all != nil {
				return all, false
			}
		}
	}
	return begins(last), false
}

// begins are the settings whose names begin as this one does, where all that do are of a kind.
func begins(name string) []flagOf {
	for n := len(name); n > 2; n-- {
		if all := fields()[name[:n]+"*"]; all != nil {
			return all
		}
	}
	return nil
}

// commands are parts of those that the table has.
var commands = [...]string{"swift", "megatron", "factory", "colossalai", "serve", "sglang", "ollama", "run_recipe"}

// commanded is the tool that a line runs by a command of its own, "swift sft", and whether that trains.
func commanded(line string) (tool string, trains bool) {
	if !strings.ContainsAny(line, " ") || !slices.ContainsFunc(commands[:], func(name string) bool {
		return strings.Contains(line, name)
	}) {
		return "", false
	}
	words := strings.Fields(line)
	for _, c := range settingLines() {
		if c[1] != "command" {
			continue
		}
		for name := range strings.FieldsSeq(c[2]) {
			step, other := strings.CutPrefix(name, "!")
			command, verb, _ := strings.Cut(step, ":")
			for i, w := range words {
				runs := w[strings.LastIndexByte(w, '/')+1:] == command
				if runs && (verb == "" || i+1 < len(words) && words[i+1] == verb) {
					return c[0], !other
				}
			}
		}
	}
	return "", false
}

// bases are the tools whose names others take, too.
var bases = map[string]string{"swift": "trainer", "swiftmegatron": "megatron"}

// choose finds whose settings these are: the tool that alone has most of the names.
func (r *flagReader) choose(all []setting) {
	score := map[string]float64{}
	for _, s := range all {
		if constantName(s.name) { // launchers of any tool read it
			continue
		}
		found, _ := candidates(s.name)
		if len(found) > 0 && (strings.HasPrefix(found[0].part, "slurm.") ||
			listed("nodes|pernode|members", found[0].part)) {
			continue // of launchers
		}
		tools := map[string]bool{}
		weight, flagged := 1.0, strings.Contains(s.name, "-")
		for _, f := range found {
			tools[f.tool] = true
			if n := len(f.written) - 1; f.written[n] == '*' && f.written[n-1] != '.' {
				weight = 0.01 // how names of this kind begin in any tool
			}
		}
		for tool := range tools {
			score[tool] += weight / float64(len(tools))
			if len(tools) > 1 && flagged == (tool == "megatron") {
				score[tool] += 1e-3 // its names have dashes
			}
		}
		if !flagged && tools["megatron"] && !tools["nemo"] && strings.Contains(s.name, "_") {
			score["nemo"] += weight/float64(len(tools)) + 1e-3 // NeMo has fields of Megatron-LM's library
		}
	}
	for swift, base := range bases { // names of ms-swift alone, beside those of what it runs on
		if score["swift"] >= 1 && score[base] == max(score["trainer"], score["megatron"]) {
			score[swift] += score["swift"] + score[base]
		}
	}
	for _, t := range [][]string{{"axolotl", "trainer"}, {"llamafactory", "trainer"},
		{"neox", "deepspeed", "megatron"}} {
		if score[t[0]] >= float64(len(t)-1) { // it takes the others' names, too
			for _, other := range t[1:] {
				score[t[0]] += score[other]
			}
		}
	}
	best := 0.0
	for _, t := range Readable() {
		if score[t[0]] > best {
			r.tool, best = t[0], score[t[0]]
		}
	}
}

// find is the setting of a name: of the tool whose settings these are, if it has one.
func (r *flagReader) find(written string) (f flagOf, between, known bool) {
	all, between := candidates(written)
	if len(all) == 0 {
		return f, false, false
	}
	for i, near := range []func(string) bool{func(tool string) bool { return tool == r.tool },
		func(tool string) bool { return tool == bases[r.tool] }, r.sameFamily, func(string) bool { return true }} {
		for _, f := range all {
			if !near(f.tool) {
				continue
			}
			if i < 2 || f.tool == "launcher" || !strings.HasSuffix(f.written, ".*") {
				return f, between, true
			}
			// a section of another tool's says nothing of what this one has in it
			if all = begins(flagName(written)); len(all) > 0 {
				return all[0], false, true
			}
			return f, false, false
		}
	}
	return f, false, false
}

// sameFamily tells whether another tool's settings go with those of this one.
func (r *flagReader) sameFamily(tool string) bool {
	family := []string{"trainer", "accelerate", "deepspeed", "axolotl", "llamafactory", "torchtune", "neox", "swift"}
	return slices.Contains(family, tool) == slices.Contains(family, r.tool)
}

// usual fills in what the tool takes where nothing is said.
func (r *flagReader) usual() error {
	for _, c := range settingLines() {
		if c[0] != r.tool || c[1] != "=" {
			continue
		}
		for field := range strings.FieldsSeq(c[2]) {
			part, value, _ := strings.Cut(field, "=")
			if r.says(part) {
				continue
			}
			if err := r.takePart(flagOf{r.tool, part, part}, false, part, value); err != nil {
				return err
			}
			if listed("micro|local|each|sequence|accumulation", part) {
				r.said.assumed = append(r.said.assumed, part)
			}
		}
	}
	return nil
}

// says tells whether something says a part, or what goes with it.
func (r *flagReader) says(part string) bool {
	_, number := r.numbers[part]
	_, word := r.words[part]
	switch part {
	case "batch":
		return number || r.numbers["accumulation"] > 0
	case "granularity":
		return word || on(r.words["again"])
	case "micro", "accumulation":
		if n := r.numbers["batch"]; n > 0 {
			return true
		}
	case "each":
		return r.each > 0 || r.numbers["batch"] > 0
	case "local":
		return number || r.numbers["batch"]+r.numbers["micro"]+r.numbers["micro.tokens"] > 0
	case "shard":
		return number || r.numbers["replicate"] > 1
	case "checkpointing":
		return word || on(r.words["nocheckpointing"])
	}
	return number || word
}
