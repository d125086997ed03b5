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
	assumed  []string  // parts that nothing says
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

// Assumed are numbers that nothing in the text says, which are taken from the job or as the tool has them, in the words
// of a plan: "sequence=8192".
func (s *Settings) Assumed(j *Job) (all []string) {
	open := strings.Join(s.LeftOpen(j), " ")
	for _, part := range s.assumed {
		o := Open{part: part}
		if word := o.taken(&s.Plan, j); !strings.Contains(open, "("+word+")") && !slices.Contains(all, word) {
			all = append(all, word)
		}
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
	unsure, err := r.takeAll(all)
	if err != nil {
		return Settings{}, err
	}
	if r.known == 0 || r.tool == "" || len(r.said.Aside) > r.known && r.nothing() {
		return Settings{}, fault("training.no-flag", "tools", phrase.Commas(toolNames()))
	}
	for _, o := range r.autos {
		if r.of("deepspeed|accelerate") && !r.says(o.part) || r.of("llmfoundry") {
			r.said.Open = append(r.said.Open, o)
		}
	}
	if r.yes("bf16") && r.yes("fp16") && unsure { // one of the two
		delete(r.words, "fp16")
	}
	if r.yes("bf16") && r.yes("fp16") {
		return Settings{}, fault("training.flags-both")
	}
	r.adapts()
	r.disagree()
	if err := r.usual(); err != nil {
		return Settings{}, err
	}
	return r.plan(devices)
}

// takeAll takes settings in their order; what is set twice is set aside. It is unsure whether bf16 or fp16 is on where
// a program finds that out when it runs, or says so in branches.
func (r *flagReader) takeAll(all []setting) (unsure bool, err error) {
	was := map[string]string{}
	var length setting // that says how long sequences are
	for _, s := range all {
		name := settingName(s.name) // of a flag, as a file has it
		if before, is := was[name]; is && s.twice == "" && before != s.value && !constantName(s.name) &&
			partOf(s.name) != "attention" { // which may be a list of lists
			s.twice = "(" + spell.Clip(before, mostOpen) + ", " + spell.Clip(s.value, mostOpen) + ")"
		}
		was[name] = s.value
		if err := r.take(s.name, s.value); err != nil {
			return unsure, err
		}
		f, _, known := r.find(s.name)
		if !known {
			continue
		}
		if f.part == "sequence" {
			if l := length; l.name != "" && l.name != name && l.value != s.value &&
				strings.Trim(l.value+s.value, "0123456789") == "" {
				r.said.Aside = append(r.said.Aside, s.name+" "+s.value+" ("+l.name+" "+l.value+"?)")
			}
			length = setting{name: name, value: s.value}
		}
		// A program may ask its device which of the two it has.
		half := f.part == "bf16" || f.part == "fp16"
		unsure = unsure || half && strings.ContainsAny(s.value, "(_. ")
		if s.twice != "" && f.part[0] != '.' { // in branches, which aren't read
			r.said.Aside = append(r.said.Aside, s.name+" "+s.twice)
			unsure = unsure || half
		}
	}
	return unsure, nil
}

// nothing tells whether only devices are said, or a format of weights, and nothing of how they train.
func (r *flagReader) nothing() bool {
	n := len(r.words)
	if r.words["weights"] != "" {
		n--
	}
	for part := range r.numbers {
		if !listed("devices|pernode|nodes|visible|slurm.nodes|slurm.each|slurm.all", part) {
			n++
		}
	}
	return n == 0 && r.each == 0
}

// strange is a tool whose settings are not read, though names among them are those of tools that are; "" of others.
// The first of the table that has one of the names counts.
func strange(all []setting) string {
	paths := make([]string, len(all))
	for i := range all {
		paths[i] = "." + settingName(all[i].name)
	}
	for _, line := range settingLines() {
		if line[0] != otherTools {
			continue
		}
		for _, name := range strings.Fields(line[2]) {
			section, whole := strings.CutSuffix("."+name, "*")
			for _, path := range paths {
				if whole && strings.Contains(path, section) || strings.HasSuffix(path, section) {
					return line[1]
				}
			}
		}
	}
	return ""
}

// mostOpen is how much is shown of a value that is left open.
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
	r.model(settingName(written), value)
	if !known {
		r.aside(written, value)
		return nil
	}
	if strings.HasPrefix(f.part, ".") {
		r.ignore(f.part[1:], written)
		return nil
	}
	if strings.Contains(written, "actor.megatron.") { // of verl
		r.words["type"] = "megatron"
	}
	r.known++
	r.dotted = r.dotted || strings.Contains(written, ".")
	value = strings.TrimSpace(value)
	if low := strings.ToLower(value); low == "auto" && f.part != "bf16" || low == "null" || low == "~" ||
		low == "none" &&
			wholePart(f.part) {
		if low == "auto" && wholePart(f.part) {
			r.autos = append(r.autos, Open{written, value, f.part})
		}
		return nil // as the tool has it
	}
	if listed("int|str|float|bool", value) { // the type of a field, without what it is
		return nil
	}
	if strings.HasPrefix(f.part, "!") {
		object := !strings.ContainsAny(value, "./") || strings.HasPrefix(value, "run.")
		if object && listed("config|deepspeed_plugin", f.written) { // of Python, no file
			return nil
		}
		if on(value) || strings.HasSuffix(f.written, "_*") { // what a compiler does if nothing is said isn't known here
			r.without(written, value)
		}
		return nil
	}
	if i := strings.IndexByte(value, '$'); i >= 0 && i+1 < len(value) { // a shell's, not the end of a pattern
		r.leave(written, value, f.part)
		return nil
	}
	return r.takePart(f, between, written, value)
}

// aside notes a setting that isn't known, with what may be meant.
func (r *flagReader) aside(written, value string) {
	const enough = 12 // names that are looked up
	switch begins := written[:min(1, len(written))]; {
	case written == "source":
		written += " " + value
	case value == "", value == "null", written == "_": // a variable that is filled later, or never read
		return
	case begins != strings.ToLower(begins) && !constantName(written) && strings.Contains(value, " "):
		return // of a sentence: "Note: it crashes at once"
	case len(r.said.Aside) >= enough || begins == "$":
	default:
		if near := spell.Meant(flagName(written), settingNames()); near != "" {
			written += " (" + fields()[near][0].written + "?)"
		}
	}
	r.said.Aside = append(r.said.Aside, written)
}

// trained are settings that name the model.
const trained = "model_name_or_path|base_model|model_name|model_id|model|load|pretrained_model_name_or_path|pretrain|" +
	"partial_pretrain|factory|model.path|model.name|model._component_|initialize_from_hf"

// model notes the model that a setting names, if it does: no variable of Python, model = model.
func (r *flagReader) model(name, value string) {
	at := strings.LastIndexByte(name, '.')
	within := name[strings.LastIndexByte(name[:max(0, at)], '.')+1:] // with the section that it stands in
	switch last := name[at+1:]; {
	case within == "model.flavor": // of TorchTitan, behind the family
		r.said.Model += " " + value
	case strings.Contains(value, "$"), !strings.ContainsAny(value, "0123456789/"), strings.HasPrefix(name, "reward"):
	case listed(trained, last), listed(trained, within):
		r.said.Model = value
	case last == "recipe" && strings.HasSuffix(value, "_config"): // of Megatron Bridge, which names the model
		r.said.Model = value
	case name == "config_file" && r.said.Model == "": // of TorchTitan, ./llama3_70b.toml
		r.said.Model, _, _ = strings.Cut(value[strings.LastIndexByte(value, '/')+1:], ".")
	}
}

// on tells whether a switch is on. Settings ask for dozens: inlined, it would be a large part of reading them.
//
//go:noinline
func on(value string) bool {
	return value != "" && !listed("false|0|0.0|no|none|null|off|disabled|auto|[]|{}", strings.ToLower(value))
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
	case "compiled": // of the loss it is counted, of layers not
		if on(value) {
			r.without(written, value)
		}
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
	if listed("pernode|devices|nodes", f.part) {
		if value = devicesIn(value); value == "" {
			return nil
		}
	}
	if unmade(value) {
		r.leave(written, value, f.part)
		return nil
	}
	part := strings.TrimPrefix(f.part, "parallel.")
	n, taken, err := r.whole(f.part, part, written, value)
	if err != nil || !taken {
		return err
	}
	switch {
	case between:
		part = "dcn_" + part
	case part == "zero": // no file's name need tell it
		delete(r.words, "stageof")
	case part == "members" && strings.Contains(written, "Launcher"): // of MPI, without devices
		return nil
	case part == "members": // of kinds
		n = min(r.numbers[part]+n, mostOfFlag)
	}
	r.numbers[part] = n
	return nil
}

// whole reads a number that a part takes; it isn't taken where the value is -1 and leaves the number to the tool.
func (r *flagReader) whole(named, part, written, value string) (n int, taken bool, err error) {
	first, thousands, _ := strings.Cut(strings.Replace(value, ",", " ", 1), " ")
	if len(first) < 4 && len(thousands) == 3 && strings.Trim(thousands, "0123456789") == "" { // 8,192
		first += thousands
	}
	n, err = strconv.Atoi(strings.ReplaceAll(strings.TrimSuffix(first, ".0"), "_", ""))
	rest := n == -1 && (part == "shard" || part == "replicate" || r.of("maxtext") && (part == "tp" || part == "pp" ||
		part == "cp" || part == "ep"))
	least := 1
	if part == "zero" || part == "shard" || part == "bits" || part == "rank" || part == "steps" || part == "unit" ||
		part == "mtp" || part == "pp" { // GPT-NeoX has no pipeline at 0
		least = 0
	}
	if n == -1 && (r.of("levanter") || part == "batch.tokens") { // as much as there is
		return n, false, nil
	}
	if n == -1 && r.of("olmo|nemo") {
		r.leave(written, value, named)
		return n, false, nil
	}
	if err != nil || (n < least && !rest) || n > mostOfFlag || part == "zero" && n > 3 {
		most := mostOfFlag
		if part == "zero" {
			most = 3
		}
		asked := strings.TrimPrefix(written, "slurm_") // as a script asks a scheduler for it
		return n, false, fault("training.flag-whole", "flag", asked, "value", strconv.Quote(value), "least", least,
			"most", most)
	}
	return n, true, nil
}

// devicesIn is how many devices a value says, where it is a list of docker's or DeepSpeed's, or behind a kind; "" if it
// is as many as there are.
func devicesIn(value string) string {
	colon := strings.IndexAny(value, ":=")
	list := value[colon+1:]
	switch {
	case colon > 0 && value[0] <= '9' && value[:colon] != list: // as many nodes as come, 1:4
		return value
	case listed("gpu|all|auto|-1|cpu|cuda", strings.ToLower(value)):
		return ""
	case strings.ContainsAny(value, " ,") && strings.Trim(value, "0123456789 ,") == "": // 0 1 2 3, of Lightning
	case list == value, value[0] < 'a': // H100:8
		return list
	}
	if value[0] == 'd' { // device=0,1 and what else a container is given
		list, _, _ = strings.Cut(list, " ")
	}
	return strconv.Itoa(1 + strings.Count(list, " ") + strings.Count(list, ",") + strings.Count(list, "@"))
}

// unmade tells whether a value is of a program that would have to run to know it, args.seq_length, int(x), sizes[0], or
// is left to whoever fills in a form, {{ tp }}, <tp>, or to those who join, 1:4.
func unmade(value string) bool {
	return value != "" && (value[0]|0x20 >= 'a' && value[0]|0x20 <= 'z' || value[0] == '_') &&
		strings.ContainsAny(value, "._[(") || strings.HasPrefix(value, "{{") || strings.HasPrefix(value, "<") ||
		strings.Contains(value, ":")
}

// yes tells whether a part is said, and on.
//
//go:noinline
func (r *flagReader) yes(part string) bool {
	w, said := r.words[part]
	return said && on(w)
}

// of tells whether the settings are those of one of so many tools: "verl|openrlhf".
//
//go:noinline
func (r *flagReader) of(tools string) bool { return listed(tools, r.tool) }

// listed tells whether a word is one of those in a text, which has bars between them. Dozens ask it: inlined, it would
// stand in each.
//
//go:noinline
func listed(words, word string) bool { return strings.Contains("|"+words+"|", "|"+word+"|") }

// leave notes a setting whose value the text leaves open.
func (r *flagReader) leave(written, value, part string) {
	r.said.Open = append(r.said.Open, Open{written, spell.Clip(value, mostOpen), part})
}
