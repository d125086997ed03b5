package training

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Known is what readers know the software by: the name of the tool, and what tells a version of it.
func (s *Stack) Known() string {
	if name := ToolName(s.Name); name != s.Name {
		return name
	}
	if version, of := strings.CutPrefix(s.Name, s.Family+"-"); of && ToolName(s.Family) != s.Family {
		return ToolName(s.Family) + " " + version
	}
	return s.Name
}

// Stack is a software stack: what can't be derived of it, as named constants, the same for every model, plan and
// device.
type Stack struct {
	Name   string
	Family string // the stack whose version it is, or Name
	// when it was what people ran: the first month and the last, such as 2021-04; empty if that isn't known or still so
	Since, Until string

	// Kernels, as a version has them: 1 if so, 0 if not.
	Flash      float64 // attention is fused, so that scores never reach the memory
	NormsSplit float64 // tensor parallelism splits what lies between its blocks by tokens (sequence parallelism)

	// Rates.
	Reach   float64 // share of the peak that a large matmul reaches in benchmarks; 0: that of the device
	Matmul  float64 // share of a large matmul's benchmark rate that training reaches
	Grouped float64 // share of that again which the grouped matmuls of experts reach
	// passes over what experts take in and give out: sorting tokens, activation functions, weighting
	Shuffle     float64
	Adapter     float64 // what adapters add to the time of matmuls, as a share
	Attention   float64 // share of the dense bf16 rate that flash attention reaches
	OwnKernels  float64 // its kernels are made for chips on which those for Ampere reach less than this share
	Traffic     float64 // passes over a layer's activations that elementwise kernels make, forward and backward
	Stream      float64 // share of the memory's bandwidth that they reach
	ScoreBytes  float64 // bytes moved in a pass for each score of attention that isn't fused
	LogitPasses float64 // bytes that the loss moves for each logit
	Launch      float64 // s, the least a layer takes forward and backward, for the host issues its kernels one by one
	LaunchMoE   float64 // s, the same of routing and of moving tokens to the experts of a layer, besides
	// s, the least that a layer of experts takes besides that of a layer, where the host issues its kernels one by one
	LaunchRouted  float64
	LaunchExpert  float64 // s, the same of each expert of a layer on a rank that computes in 8 bits, besides
	LaunchLoop    float64 // s, the same of each expert of a layer on a rank on chips without a kernel for all of them
	Pad           float64 // rows by which tiles are more than those of an expert, in the mean
	LaunchBias    float64 // s, the same of the biases of each expert of a layer on a rank, besides
	LaunchGather  float64 // s, the same of ZeRO-3's gathers for a layer, besides
	LaunchAdapter float64 // s, the same of a layer's adapters, besides
	BiasBytes     float64 // bytes moved for each element to which experts add a bias, in all passes
	Optimizer     float64 // bytes moved for each weight of the optimizer's shard
	Step          float64 // s in each step that nothing else explains

	// Traffic.
	FastWire    float64 // share of the fast network's bandwidth that collectives reach
	SlowWire    float64 // the same of the network between domains
	FastLatency float64 // s a step of a collective inside a domain
	SlowLatency float64 // s a step of a collective between domains
	ShowTP      float64 // share of tensor parallelism's traffic that shows
	ShowDP      float64 // share of the gradients' and weights' traffic that shows
	ShowGather  float64 // share of the compute time that can't hide ZeRO-3's gathers
	ShowCP      float64
	ShowPP      float64
	ShowEP      float64
	SentToken   float64 // bytes of an element of a token that goes to experts or back, in the mean
	Lent        float64 // share of the multiprocessors that experts’ all-to-alls have while others compute
	TokenOnce   float64 // 1 if a token goes once to each rank with some of its experts, 0 if once for each of them
	Imbalance   float64 // load of the busiest expert rank over the mean
	RingStep    float64 // s a layer and member of the group, the least that ring-exchanged tensor parallelism takes
	PipeStep    float64 // the same if a pipeline crosses domains
	PipeFar     float64 // the same if that group is larger than a domain
	ShowReduce  float64 // share of the gradients' traffic that shows where nothing is sharded
	SentGrad    float64 // bytes of a gradient as it travels; 0 if as it is summed up
	Bucket      float64 // s a layer for each doubling of the ranks that sum up gradients
	Narrow      float64 // bytes/s of gradients as they are summed up by micro-batch

	// Memory.
	KeepWidth  float64 // bytes kept for a token and an element of the width
	KeepHeads  float64 // bytes kept for an element of queries, keys, values and attention's output
	KeepHidden float64 // bytes kept for an element of the hidden width of MLPs and experts
	KeepGather float64 // bytes kept for a token and an element of the width of inputs that tensor parallelism gathered
	KeepInput  float64 // bytes kept of a layer's input where it is recomputed
	KeepRouted float64 // bytes kept for an element of experts' outputs
	LiveRouted float64 // the same beside in the layer under way, where the router's weights have multiplied them
	Eager      float64 // 1 if what operations keep is counted one by one, at the fullest moment of a step
	KeptShards float64 // how often a layer's input is there in the backward pass where adapters learn on shards, then
	CastCopies float64 // copies of a weight in 8 or 4 bits, as matmuls read it by rows and by columns, kept beside it
	KeepCast   float64 // 1 if inputs of matmuls are kept as they were cast for them, 0 if in bf16
	// share of the matmuls' outputs that is kept where norms and activation functions are computed again
	KeepOutputs float64
	LogitBytes  float64 // bytes for a logit
	// share of the narrow gradients that is there at the peak, where wider ones are summed up besides
	HeldGrad   float64
	Buckets    float64 // bytes for a weight of the copies in which replicas that shard nothing exchange gradients
	FlatGrad   float64 // bytes for a weight of the copies of gradients from which a reduce-scatter sends
	BucketSize float64 // weights whose gradients software exchanges at a time that lays a shard's end to end
	FirstRank  float64 // 1 if what the software reports is the memory of the first rank, not of the fullest
	Transient  float64 // bytes for a weight of the largest gathered unit
	Fragments  float64 // share of the activations that the allocator loses
	Residual   float64 // bytes of the library, its buffers and the allocator
	MemoryRoom float64 // share of the device's memory above which the allocator starts to free and retry
	RetrySlow  float64 // by how much a step then takes longer
	LateSync   float64 // 1 if pipelines hold whole gradients until the last micro-batch, whatever is sharded
	CopiesEach float64 // 1 if replicas of a shard add up gradients after each micro-batch, 0 once a step
	CostSplit  float64 // 1 if stages are balanced by cost, 0 if by number of layers
	CrowdNodes float64 // domains from which on hand-overs between stages take as long as below; 0 means never
	CrowdWait  float64 // s a hand-over

	// Large runs.
	SlowShare float64 // share of machines that are slow
	SlowBy    float64 // by how much longer they compute
	SlowFrom  float64 // devices up to which runs don't show it
}

// constant is a field of Stack by its name in the table.
func (s *Stack) constant(name string) *float64 {
	for _, f := range s.constants() {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// Named is a constant of a stack, to be read or edited.
type Named struct {
	Name  string
	Value *float64
}

// constants are all of them.
func (s *Stack) constants() []Named {
	return []Named{
		{"reach", &s.Reach}, {"matmul", &s.Matmul}, {"grouped", &s.Grouped}, {"shuffle", &s.Shuffle},
		{"adapter", &s.Adapter}, {"launch_moe", &s.LaunchMoE},
		{"launch_routed", &s.LaunchRouted},
		{"launch_loop", &s.LaunchLoop},
		{"launch_expert", &s.LaunchExpert}, {"launch_bias", &s.LaunchBias}, {"bias_bytes", &s.BiasBytes},
		{"pad", &s.Pad}, {"attention", &s.Attention},
		{"own_kernels", &s.OwnKernels},
		{"traffic", &s.Traffic}, {"stream", &s.Stream}, {"flash", &s.Flash}, {"norms_split", &s.NormsSplit},
		{"score_bytes", &s.ScoreBytes},
		{"logit_passes", &s.LogitPasses}, {"launch", &s.Launch},
		{"launch_gather", &s.LaunchGather}, {"launch_adapter", &s.LaunchAdapter}, {"optimizer", &s.Optimizer},
		{"step", &s.Step},
		{"fast_wire", &s.FastWire}, {"slow_wire", &s.SlowWire}, {"fast_latency", &s.FastLatency}, {"slow_latency",
			&s.SlowLatency},
		{"show_tp", &s.ShowTP}, {"show_dp", &s.ShowDP}, {"show_gather", &s.ShowGather}, {"show_cp", &s.ShowCP},
		{"show_pp", &s.ShowPP}, {"show_ep", &s.ShowEP}, {"sent_token", &s.SentToken}, {"lent", &s.Lent},
		{"token_once", &s.TokenOnce},
		{"imbalance", &s.Imbalance},
		{"ring_step", &s.RingStep}, {"pipe_step", &s.PipeStep}, {"pipe_far", &s.PipeFar}, {"show_reduce",
			&s.ShowReduce}, {"sent_grad", &s.SentGrad}, {"bucket", &s.Bucket}, {"narrow", &s.Narrow},
		{"keep_width", &s.KeepWidth}, {"keep_heads", &s.KeepHeads}, {"keep_hidden", &s.KeepHidden}, {"keep_input",
			&s.KeepInput},
		{"keep_routed", &s.KeepRouted}, {"live_routed", &s.LiveRouted},
		{"eager", &s.Eager}, {"kept_shards", &s.KeptShards}, {"keep_cast", &s.KeepCast},
		{"cast_copies", &s.CastCopies},
		{"keep_outputs", &s.KeepOutputs}, {"late_sync", &s.LateSync},
		{"copies_each", &s.CopiesEach},
		{"keep_gather", &s.KeepGather}, {"held_grad", &s.HeldGrad}, {"buckets", &s.Buckets},
		{"flat_grad", &s.FlatGrad}, {"bucket_size", &s.BucketSize}, {"first_rank", &s.FirstRank},
		{"logit_bytes", &s.LogitBytes}, {"transient", &s.Transient}, {"fragments", &s.Fragments}, {"residual",
			&s.Residual},
		{"memory_room", &s.MemoryRoom}, {"retry_slow", &s.RetrySlow}, {"cost_split", &s.CostSplit},
		{"crowd_nodes", &s.CrowdNodes}, {"crowd_wait", &s.CrowdWait}, {"slow_share", &s.SlowShare},
		{"slow_by", &s.SlowBy}, {"slow_from", &s.SlowFrom},
	}
}

// Recipe is the usual recipe of s: that of its family, but what lays the gradients of a shard end to end makes them in
// 16 bits, and sums them up in 32 besides where it keeps them whole.
func (s *Stack) Recipe(compute DType, frozen bool) Recipe {
	r := RecipeOf(s.Family, compute, frozen)
	if s.BucketSize != 0 {
		r.Grad, r.Accum = 2, pick(s.Zeros(3), 0.0, 4)
	}
	if !frozen && compute != BF16 {
		r.Cast = s.CastCopies * compute.Bytes()
	}
	return r
}

// Constants are all constants of s. They point into s: a copy of s may be edited through them.
func (s *Stack) Constants() []Named { return s.constants() }

//go:embed constants.tsv
var constantTable string // scope, name, value, source

type table struct {
	stacks []Stack
	likes  []string // versions, each before the stack that it is like
	reach  []reachRow
	others []reachRow // factors of devices by their names
}

// reachRow is the share of the peak that large matmuls reach on devices whose ID begins with prefix.
type reachRow struct {
	prefix string
	dtype  DType
	share  float64
	name   string
}

var constants = sync.OnceValue(func() *table { return readConstants(constantTable) })

// readConstants reads the table. A stack's lines follow one another; those of the scope "every" come first and hold
// for all of them.
func readConstants(text string) *table {
	t := &table{}
	var every Stack
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) < 3 {
			continue
		}
		value, _ := strconv.ParseFloat(cells[2], 64)
		switch scope, name := cells[0], cells[1]; {
		case strings.HasPrefix(name, "reach."):
			dtype := dtypeNamed(strings.TrimPrefix(name, "reach."))
			t.reach = append(t.reach, reachRow{prefix: scope, dtype: dtype, share: value})
		case name == "doubt" || name == "older" || name == "loops":
			t.others = append(t.others, reachRow{prefix: scope, share: value, name: name})
		case scope == "every":
			if c := every.constant(name); c != nil {
				*c = value
			}
		case name == "like":
			t.version(scope, cells[2])
		case name == "years":
			t.years(scope, cells[2])
		default:
			t.set(every, scope, name, value)
		}
	}
	return t
}

// set sets a constant of a stack, which it begins with what holds for all.
func (t *table) set(every Stack, scope, name string, value float64) {
	if n := len(t.stacks); n == 0 || t.stacks[n-1].Name != scope {
		every.Name, every.Family = scope, scope
		t.stacks = append(t.stacks, every)
	}
	if c := t.stacks[len(t.stacks)-1].constant(name); c != nil {
		*c = value
	}
}

// version begins a stack that is as another, but for its further lines.
func (t *table) version(scope, like string) {
	t.likes = append(t.likes, scope, like)
	i := slices.IndexFunc(t.stacks, func(s Stack) bool { return s.Name == like })
	if i >= 0 {
		s := t.stacks[i]
		s.Name, s.Since, s.Until = scope, "", ""
		t.stacks = append(t.stacks, s)
	}
}

// years sets when people ran a stack: two months, or the first alone if they still do.
func (t *table) years(scope, months string) {
	if n := len(t.stacks); n > 0 && t.stacks[n-1].Name == scope {
		t.stacks[n-1].Since, t.stacks[n-1].Until, _ = strings.Cut(months, " ")
	}
}

// StackAt is the version of a family that people ran in a month, such as 2021-04: the newest if none is known of then.
func StackAt(family, month string) (*Stack, error) {
	for _, s := range constants().stacks {
		if strings.HasPrefix(s.Name, family+"-") && month != "" && s.Since <= month &&
			(s.Until == "" || month <= s.Until) {
			return &s, nil
		}
	}
	return StackNamed(family)
}

// scopes are those whose lines of the table of constants hold for s, the farthest first.
func (s *Stack) scopes() []string {
	all := []string{"every"}
	for name := s.Name; name != ""; {
		all = slices.Insert(all, 1, name)
		name = parent(name)
	}
	return all
}

// parent is the stack that a version is like, or nothing.
func parent(name string) string {
	likes := constants().likes
	for i := 0; i < len(likes); i += 2 {
		if likes[i] == name {
			return likes[i+1]
		}
	}
	return ""
}

func dtypeNamed(name string) DType {
	switch name {
	case "fp8":
		return FP8
	case "fp4":
		return FP4
	}
	return BF16
}

// Stacks are the names of the stacks that there are constants for.
func Stacks() []string {
	var names []string
	for _, s := range constants().stacks {
		names = append(names, s.Name)
	}
	return names
}

// UsualStack is what most people train with on a device, by its ID.
func UsualStack(device string) string {
	if strings.HasPrefix(device, "tpu.") || strings.HasPrefix(device, "npu.") {
		return "xla"
	}
	return "megatron"
}

// StackNamed is a copy of a stack's constants.
func StackNamed(name string) (*Stack, error) {
	for _, s := range constants().stacks {
		if s.Name == name {
			return &s, nil
		}
	}
	return nil, fault("training.software-unknown", "name", strconv.Quote(name), "names", phrase.Commas(Stacks()))
}

// reach is the shares for a device: of the longest prefix of its ID for each dtype.
func reach(id string) (share [3]float64) {
	var longest [3]int
	for _, r := range constants().reach {
		if strings.HasPrefix(id, r.prefix) && len(r.prefix) > longest[r.dtype] {
			longest[r.dtype], share[r.dtype] = len(r.prefix), r.share
		}
	}
	return share
}

// factorOf is a factor of a device: doubt is by how much more than elsewhere times on it may be off, since few have
// said what its matmuls reach; older is what kernels of attention for Ampere reach on it, over what they reach there;
// loops is 1 if PyTorch has no kernel for it that computes all experts.
func factorOf(id, name string) float64 {
	for _, r := range constants().others {
		if r.name == name && strings.HasPrefix(id, r.prefix) {
			return r.share
		}
	}
	return 1
}

// stackTable is what constants of stacks mean: name, unit, the least and the most that it may be in that unit, label.
//
//go:embed stack.tsv
var stackTable string

// Fact is a constant of a stack as a reader meets it.
type Fact struct {
	Name, Label string
	Value       quantity.Quantity
	Text        string            // Value in its unit: "70.31 %"
	Least, Most quantity.Quantity // what it may be
	Source      string            // where it comes from, or which rows it was fitted on
}

// Facts are the constants that a stack was given, in the order of the table: those of its own and those of every stack.
func (s *Stack) Facts() []Fact {
	sources := map[string]string{}
	for _, scope := range s.scopes() { // what is nearer replaces what is farther
		for _, c := range Sources() {
			if c.Scope == scope {
				sources[c.Name] = c.Source
			}
		}
	}
	var all []Fact
	for line := range strings.Lines(stackTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if sources[c[0]] == "" {
			continue
		}
		f := Fact{Name: c[0], Label: c[4], Least: inUnit(c[2], c[1]), Most: inUnit(c[3], c[1]), Source: sources[c[0]]}
		one := inUnit("1", c[1])
		f.Text = strings.TrimSpace(strconv.FormatFloat(*s.constant(f.Name)/one.Value, 'g', 6, 64) + " " + c[1])
		f.Value, _ = quantity.Parse(f.Text)
		all = append(all, f)
	}
	return all
}

// inUnit is a number of the table in its unit.
func inUnit(number, unit string) quantity.Quantity {
	q, _ := quantity.Parse(number + " " + unit)
	return q
}

// With is s with some constants as somebody else has them, by name and in base units.
func (s *Stack) With(own map[string]quantity.Quantity) *Stack {
	with := *s
	for name, q := range own {
		*with.constant(name) = q.Value
	}
	return &with
}

// Assumption is something that an estimate takes for granted.
type Assumption struct {
	Number int
	Parts  []string // of time and memory that it touches, by their names
	Text   string
}

//go:embed assumptions.tsv
var assumptionTable string // number, parts, text

var assumptions = sync.OnceValue(func() []Assumption {
	var all []Assumption
	for line := range strings.Lines(assumptionTable) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if n, err := strconv.Atoi(cells[0]); err == nil && len(cells) == 3 {
			all = append(all, Assumption{n, strings.Split(cells[1], ", "), cells[2]})
		}
	}
	return all
})

// Assumptions are all of them, by number.
func Assumptions() []Assumption { return assumptions() }

// AssumptionsOf are those that touch a part.
func AssumptionsOf(part string) []Assumption {
	var some []Assumption
	for _, a := range assumptions() {
		if slices.Contains(a.Parts, part) {
			some = append(some, a)
		}
	}
	return some
}

// Constant is a line of the table of constants: of a software stack, of every stack, or of the devices whose IDs begin
// with its scope.
type Constant struct{ Scope, Name, Value, Source string }

// Sources are all constants, each with where it comes from or which rows it was fitted on.
func Sources() []Constant {
	var all []Constant
	for line := range strings.Lines(constantTable) {
		if c := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(c) == 4 {
			all = append(all, Constant{c[0], c[1], c[2], c[3]})
		}
	}
	return all
}

//go:embed ranges.tsv
var rangeTable string // constant of a stack, the least and the most that physics allows it, why

// Range is what a constant of a stack can be if it is what its name says.
type Range struct {
	Low, High float64 // in the unit of the constant, as stack.tsv has it
	Why       string
}

// RangeOf is the range of a constant, by its name.
func RangeOf(name string) Range {
	for line := range strings.Lines(rangeTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) == 4 && c[0] == name {
			low, _ := strconv.ParseFloat(c[1], 64)
			high, _ := strconv.ParseFloat(c[2], 64)
			return Range{low, high, c[3]}
		}
	}
	return Range{}
}
