package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// Flagged is a plan as flags, or a file of fields, say it.
type Flagged struct {
	Plan     Plan
	Batch    int      // sequences in a step; 0 if nothing says it
	Sequence int      // tokens; 0 if nothing says it
	Aside    []string // what isn't about the plan, or isn't known; with what may be meant
}

// ReadFlags reads a plan from flags of any of the tools, or from lines of YAML or TOML with their fields, for so many
// devices. The error says what can't be read, or that nothing was known.
func ReadFlags(text string, devices int) (Flagged, error) {
	r := flagReader{numbers: map[string]int{}, words: map[string]string{}, parts: map[string]flagOf{}}
	for _, f := range flagsOf("") {
		if _, known := r.parts[f.name()]; !known { // NeMo's fields are called as Megatron's flags
			r.parts[f.name()] = f
			r.names = append(r.names, f.name())
		}
	}
	for _, pair := range flagPairs(text) {
		if err := r.take(pair[0], pair[1]); err != nil {
			return Flagged{}, err
		}
	}
	if r.known == 0 {
		return Flagged{}, fault("training.no-flag")
	}
	return r.plan(devices)
}

// flagPairs are the names and values of a text: --name value, --name=value, name=value, name: value, name = value. A
// flag without a value has an empty one.
func flagPairs(text string) [][2]string {
	var all [][2]string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.NewReplacer(`"`, " ", `'`, " ", ",", " ", `\`, " ", "[", " ", "]", " ").Replace(line)
		line = strings.ReplaceAll(strings.ReplaceAll(line, " = ", "="), ": ", "=")
		for word := range strings.FieldsSeq(line) {
			name, value, pair := strings.Cut(word, "=")
			last := len(all) - 1
			switch {
			case pair || strings.HasPrefix(word, "--"):
				all = append(all, [2]string{name, value})
			case last < 0:
			case flagName(all[last][0]) == "recompute_modules": // a list
				all[last][1] = strings.TrimPrefix(all[last][1]+"+"+word, "+")
			case all[last][1] == "" && strings.HasPrefix(all[last][0], "--"):
				all[last][1] = word
			}
		}
	}
	return all
}

// mostOfFlag is the largest number that a flag may have.
const mostOfFlag = 1 << 24

type flagReader struct {
	parts   map[string]flagOf
	names   []string
	numbers map[string]int
	words   map[string]string
	each    float64
	maxtext bool
	known   int
	aside   []string
}

// take takes a flag.
func (r *flagReader) take(written, value string) error {
	name := flagName(written)
	f, known := r.parts[name]
	axis, between := strings.CutPrefix(name, "dcn_") // MaxText's axes between pods, beside those inside
	if between {
		f, known = r.parts["ici_"+axis]
	}
	if !known {
		if near := spell.Meant(name, r.names); near != "" {
			written += " (" + r.parts[near].written + "?)"
		}
		r.aside = append(r.aside, written)
		return nil
	}
	r.known++
	if _, said := r.words["context"]; f.part == "cp" && !said && (f.tool == "torchtitan" || f.tool == "maxtext") {
		r.words["context"] = "all_gather" // unless something says otherwise
	}
	r.maxtext = r.maxtext || f.tool == "maxtext"
	switch f.part {
	case "sp", "distributed", "strategy", "reshard", "granularity", "mode", "remat", "schedule", "offload", "fsdp",
		"unfused", "checkpoint", "method", "modules", "aware", "inputs", "context":
		r.words[f.part] = strings.ToLower(value)
		return nil
	case "layout": // how far its stages are uneven isn't read
		r.aside = append(r.aside, written)
		return nil
	case "firstless", "lastless", "layers":
		if f.tool == "torchtitan" { // it takes the model's layers to know what these say
			if value != "0" {
				r.aside = append(r.aside, written)
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
	n, err := strconv.Atoi(value)
	rest := n == -1 && (f.part == "shard" || f.part == "replicate")
	if err != nil || (n < 1 && !rest) || n > mostOfFlag {
		return fault("training.flag-whole", "flag", written, "value", strconv.Quote(value), "most", mostOfFlag)
	}
	part := f.part
	if between {
		part = "dcn_" + part
	}
	r.numbers[part] = n
	return nil
}

// plan puts together what was said.
func (r *flagReader) plan(devices int) (Flagged, error) {
	n := func(part string) int {
		return min(max(1, r.numbers[part])*max(1, r.numbers["dcn_"+part]), 1<<20) // three of them don't overflow
	}
	p := Plan{TP: n("tp"), PP: n("pp"), CP: n("cp"), EP: n("ep"), ETP: n("etp"), Virtual: n("chunks"), Micro: n("micro"),
		First: r.numbers["first"], Last: r.numbers["last"]}
	inner := p.TP * p.PP * p.CP
	if inner > devices {
		return Flagged{}, fault("training.flags-too-many", "tp", p.TP, "pp", p.PP, "cp", p.CP, "all", inner,
			"devices", devices)
	}
	p.DP = devices / inner
	f := Flagged{Batch: r.numbers["batch"], Sequence: r.numbers["sequence"], Aside: slices.Compact(r.aside)}
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
	return f, r.policies(&p, &f)
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
	if p.Zero == 3 && r.words["reshard"] == "never" {
		p.Zero = 2
	}
	overData := r.maxtext && p.Zero == 1 // replicas of weights, over which the optimizer is sharded
	if p.Zero > 0 && replicate > 1 && p.DP%replicate == 0 && !overData {
		p.Shard = p.DP / replicate * p.CP
	}
}

// modules are those that are computed again. The lists that are usual for a model with latents, and for others, are
// called so.
func (r *flagReader) modules() Recompute {
	set, known := ParseRecompute(r.words["modules"])
	switch set | RecomputeActivations { // a flag says them of experts only
	case usual(false), usual(true):
		return RecomputeSome
	}
	if !known && r.words["modules"] != "" {
		r.aside = append(r.aside, "modules "+r.words["modules"])
	}
	return pick(known, set, RecomputeSome)
}

// policies are recomputation, schedule and offloading.
func (r *flagReader) policies(p *Plan, f *Flagged) error {
	for _, part := range []string{"granularity", "mode", "remat"} {
		switch word := r.words[part]; word {
		case "selective", "minimal", "minimal_with_context", "minimal_flash", "save_out_proj", "save_qkv_proj":
			p.Recompute = r.modules()
		case "full":
			p.Recompute = RecomputeBlock
		case "custom":
			if r.words["inputs"] == "offload" {
				p.Recompute = RecomputeOffload
			}
		case "", "none":
		default:
			r.aside = append(r.aside, part+" "+word)
		}
	}
	if word := r.words["context"]; word != "" {
		x, known := contextMeant(word)
		if p.Context = x; !known {
			r.aside = append(r.aside, "context "+word)
		}
	}
	if word, said := r.words["offload"]; said && word != "false" {
		p.Offload = true
	}
	if word := r.words["schedule"]; word != "" {
		found := false
		for s := OneFOneB; s < schedules; s++ {
			if name, known := titanSchedule(s); known && strings.ToLower(name) == word || s.String() == word {
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
	f.Aside, f.Plan = slices.Compact(r.aside), p.filled()
	return nil
}
