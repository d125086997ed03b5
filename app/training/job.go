// Package training estimates plans of training a Transformer on many chips: the memory of the fullest rank and the time
// of a step, each by part, and finds the best plan.
//
// An estimate comes about in steps:
//
//  1. A Job says what is trained on what: a model, devices, a batch, a sequence, a recipe of element sizes, and the
//     software.
//  2. NewEstimator takes from them, once, the numbers that every plan needs: widths, weights, operations, rates
//     (shape.go, job.go).
//  3. A Plan is checked for legality (job.go): what doesn't divide is said with its numbers.
//  4. Stages lay the layers on the pipeline (shape.go). The slowest stage sets the pace, the fullest the memory.
//  5. Memory is summed up by part (memory.go), Time by part (time.go): matmuls at the rate that their shape reaches,
//     attention, elementwise kernels, each traffic with what of it shows, the bubble, the optimizer.
//  6. Parts become intervals (interval.go) by how far measured runs lay from predicted ones.
//
// Everything that can't be derived is a named constant of a software stack or a family of devices, in constants.tsv,
// with its source or the rows that it was fitted on. What an estimate takes for granted is numbered in assumptions.tsv.
//
// The package imports nothing of the page and runs in the browser as it is.
package training

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// Job is what is trained, on what, and by which software.
type Job struct {
	Model    *model.Model
	Device   Device
	Stack    *Stack
	Devices  int    // chips or GPUs
	Pods     int    // slices that only the data-centre network joins; 0 means 1
	Batch    int    // sequences in a step
	Sequence int    // tokens in a sequence
	Recipe   Recipe // sizes of elements
	Frozen   bool   // only small adapters learn (LoRA): no gradients of the weights
	Learn    Learn  // which, or which layers

	Optimizer  Optimizer // the zero one is AdamW as the recipe has it
	Stated     bool      // the recipe is somebody's own, not the usual one of the software
	InBackward bool      // each weight is updated as soon as its gradient is there, which is then gone
	Scores     bool      // attention isn't fused: its scores are kept
	Wide       float64   // share of the layers whose matmuls stay in bf16, whatever the others compute in
	NormsWhole bool      // ranks of tensor parallelism don't split norms by tokens, whatever the software does
	Regather   bool      // inputs that tensor parallelism gathered are not kept, whatever the software does
	Loss       Loss      // how the loss is made
	Host       Host      // what waits in the host's memory
	Routing    Routing   // how tokens reach their experts
	Late       bool      // gradients stay whole until the last micro-batch (no_sync), whatever is sharded
	Flat       bool      // frozen weights have gradients too, where shards of FSDP join them to adapters that learn
	First      bool      // whoever reports its memory has looked at the first rank
}

// Loss is how logits become a loss. The zero Loss is as the software has it.
type Loss struct {
	Share float64 // of the logits that are there at once; 0 means all
	Bytes float64 // for each of them; 0 means as the software has it
	Moved float64 // passes of logits through the memory over the software's; 0 means as many
	Whole bool    // each rank of tensor parallelism has all logits, gathered for the loss
	// how many further tokens modules predict (MTP), each by a layer or, where attention and experts lie in layers of
	// their own, two of them; MostFurther at most
	Further float64

	Kernels bool // it comes with kernels that fuse norms and activation functions
}

// MostFurther is how many further tokens modules predict at most.
const MostFurther = 16

// Compile makes it one that a compiler fuses: it reads logits in 16 bits, and writes their gradient in 16.
func (l *Loss) Compile() { l.Bytes = 2 + 2 }

// Host is what waits in the host's memory until it is needed.
type Host struct {
	State   bool // master weights and moments, in every plan
	Weights bool // shards of weights, and of gradients
	Kept    bool // what layers keep for the backward pass
}

// Recipe is how many bytes each number of the training state takes, and what matmuls compute in.
type Recipe struct {
	Compute   DType   // of the matmuls with weights
	Attention DType   // of the products of attention, whose softmax is in 32 bits anyway
	Weight    float64 // bytes of a weight as layers use it
	// what a weight of a layer takes beyond that: copies for matmuls; below 0 where only they are kept
	Cast    float64
	Grad    float64 // of its gradient as the backward pass makes it
	Accum   float64 // of a second, wider gradient that is summed up; 0 if there is none
	Master  float64 // of a master copy; 0 if there is none
	Moments float64 // of both moments together, or of what an optimizer has in their place
	Gather  float64 // of a weight as it travels
	Table   float64 // bytes of moments that a weight outside layers has beyond those of others; may be below 0
}

// Narrow has the weights of layers kept only as matmuls take them (Megatron-LM's fp8-param-gather).
func (r *Recipe) Narrow() {
	if r.Cast > 0 {
		r.Cast -= r.Weight
	}
}

// DType is what matmuls compute in.
type DType uint8

// The dtypes by their size.
const (
	BF16 DType = iota
	FP8        // int8 alike
	FP4
)

// Bytes is the size of an element of a matmul's operands.
func (d DType) Bytes() float64 {
	switch d {
	case FP8:
		return 1
	case FP4:
		return 0.5625 // with a scale of a byte for each 16
	}
	return 2
}

// String is the name of d.
func (d DType) String() string { return nameOf([]string{"bf16", "fp8", "fp4"}, d) }

// Plan is how a job is laid on its devices. DP x TP x CP x PP are all of them. Zero values mean 1, or none.
type Plan struct {
	DP, TP, PP, CP int     // data, tensor with sequence, pipeline and context parallelism
	EP, ETP        int     // experts over EP ranks, each of them over ETP
	Zero           int     // 0 replicates; 1 shards the optimizer's state; 2 gradients too; 3 weights too (FSDP)
	Shard          int     // ranks that ZeRO shards over, if fewer than DP x CP (HSDP)
	Micro          int     // sequences in a micro-batch
	Virtual        int     // chunks of layers that a rank of the pipeline holds
	First, Last    int     // layers of the first and the last stage; 0 means as even as can be
	Context        Context // how CP ranks share attention
	Schedule       Schedule
	Recompute      Recompute
	Recomputed     int  // layers of the model that RecomputeBlock applies to; 0 means all
	Offload        bool // master copy and moments live in the host's memory
}

// WholeSequences is the whole number nearest to n.
func WholeSequences(n float64) float64 { return math.Floor(n + 0.5) }

// UnevenBatch says that few degrees divide the batch, and which batch near it more of them do; nil if its sequences are
// as even as any near them, or as the devices can use.
func (j *Job) UnevenBatch() *phrase.Phrase {
	const worth = 4 // one degree more is not worth a word
	even, power, higher := evenBatch(j.Batch)
	if power >= j.Devices || higher < worth*power {
		return nil
	}
	return phrase.New("training.uneven-batch", "sequences", j.Batch, "power", power, "even", even, "tokens",
		even*j.Sequence, "higher", higher)
}

// evenBatch is the number of sequences near n, within a twentieth of it, that the highest power of two divides, and the
// powers that divide n and it: degrees of parallelism are mostly powers of two, and replicas times microbatches must
// divide the batch. It is n itself if none is divided by a higher one.
func evenBatch(n int) (even, power, higher int) {
	power = n & -n
	for higher = power; ; higher *= 2 {
		next := 2 * higher
		near := (n + higher) / next * next
		if near == 0 || 20*max(near-n, n-near) > n {
			return (n + higher/2) / higher * higher, power, higher
		}
	}
}

// filled is p with every default filled in.
func (p Plan) filled() Plan {
	for _, n := range []*int{&p.DP, &p.TP, &p.PP, &p.CP, &p.EP, &p.ETP, &p.Micro, &p.Virtual} {
		*n = max(*n, 1)
	}
	if whole := p.DP * p.CP; p.Shard <= 0 || p.Shard > whole {
		p.Shard = whole
	}
	if p.CP == 1 {
		p.Context = RingContext
	}
	if p.Schedule == Interleaved && p.Virtual == 1 {
		p.Schedule = OneFOneB
	} else if p.Schedule == OneFOneB && p.Virtual > 1 {
		p.Schedule = Interleaved
	}
	return p
}

// ends are the layers of the stages at both ends.
func (p *Plan) ends() ends { return ends{p.First, p.Last} }

// Devices is how many devices p takes.
func (p Plan) Devices() int { return p.DP * p.TP * p.PP * p.CP }

// MicroBatches is how many micro-batches each replica runs in a step of so many sequences, at least one.
func (p Plan) MicroBatches(batch int) int { return max(1, batch/(p.DP*p.Micro)) }

// Check says what is wrong with a job, or nil.
func (j *Job) Check() error {
	const most = 1 << 24
	switch {
	case j.Model == nil || j.Stack == nil:
		return fault("training.job-empty")
	case j.Devices < 1 || j.Devices > most:
		return fault("training.devices-range", "n", j.Devices, "most", most)
	case j.Batch < 1 || j.Batch > most:
		return fault("training.batch-range", "n", j.Batch, "most", most)
	case j.Sequence < 1 || j.Sequence > most:
		return fault("training.sequence-range", "n", j.Sequence, "most", most)
	}
	return j.Model.Validate()
}

// Legal says why a plan can't run at all, with the numbers that don't divide, or nil.
func (p *Estimator) Legal(plan Plan) error {
	q := plan.filled()
	rules := []func(*Plan) error{p.legalDevices, p.legalModel, p.legalStages, p.legalExperts, p.legalBatch}
	for _, rule := range rules {
		if err := rule(&q); err != nil {
			return err
		}
	}
	return nil
}

func (p *Estimator) legalDevices(q *Plan) error {
	if q.Devices() != int(p.devices) {
		return fault("training.not-the-devices", "dp", q.DP, "tp", q.TP, "pp", q.PP, "cp", q.CP, "all", q.Devices(),
			"devices", int(p.devices))
	}
	if whole := q.DP * q.CP; whole%q.Shard != 0 {
		return fault("training.shards-odd", "shard", q.Shard, "all", whole)
	}
	return nil
}

func (p *Estimator) legalModel(q *Plan) error {
	heads, layers, chunks := int(p.shape.heads), int(p.shape.layers), q.Schedule.chunks(q.Virtual)
	switch {
	case heads%q.TP != 0:
		return fault("training.tp-odd", "tp", q.TP, "heads", heads)
	case q.PP*chunks > layers+2: // the tables count as a layer each
		return fault("training.too-many-chunks", "pp", q.PP, "chunks", chunks, "layers", layers)
	case q.PP == 1 && q.Schedule > Interleaved:
		return fault("training.needs-pipeline", "schedule", q.Schedule.String())
	case p.job.Sequence%q.CP != 0:
		return fault("training.cp-odd", "cp", q.CP, "sequence", p.job.Sequence)
	case q.Context == UlyssesContext && heads%(q.TP*q.CP) != 0:
		return fault("training.ulysses-odd", "tp", q.TP, "cp", q.CP, "heads", heads)
	}
	if absent := q.Recompute & p.absent(); absent != 0 && q.Recompute < RecomputeBlock {
		return fault("training.module-absent", "policy", q.Recompute.String(), "module", absent.String())
	}
	return nil
}

// legalStages is about the layers of the first and the last stage.
func (p *Estimator) legalStages(q *Plan) error {
	layers, least := int(p.shape.layers), max(0, q.PP-2) // one each for the others
	if q.First == 0 || q.Last == 0 {
		least = q.PP - 1
	}
	switch sum := q.First + q.Last; {
	case sum == 0:
		return nil
	case q.PP == 1:
		return fault("training.ends-need-pipeline", "first", q.First, "last", q.Last)
	case sum+least > layers:
		return fault("training.ends-too-many", "n", sum, "layers", layers, "others", least)
	case q.PP == 2 && least == 0 && sum != layers:
		return fault("training.ends-not-the-layers", "first", q.First, "last", q.Last, "layers", layers)
	}
	return nil
}

// divides tells whether a plan of a legal division of the devices is legal, without saying why not: a search asks it
// more often than it estimates plans.
func (p *Estimator) divides(q *Plan) bool {
	each := q.DP * q.Micro
	if q.PP*q.Schedule.chunks(q.Virtual) > int(p.shape.layers)+2 || q.PP == 1 && q.Schedule > Interleaved ||
		p.job.Batch%each != 0 || q.Context == UlyssesContext && int(p.shape.heads)%(q.TP*q.CP) != 0 {
		return false
	}
	switch m := p.job.Batch / each; q.Schedule {
	case Interleaved:
		return m%q.PP == 0
	case DualPipe:
		return m >= 2*q.PP && q.PP%2 == 0
	}
	return true
}

func (p *Estimator) legalExperts(q *Plan) error {
	experts, ranks := int(p.shape.experts), q.DP*q.CP*q.TP
	switch {
	case q.EP*q.ETP == 1:
		return nil
	case experts == 0:
		return fault("training.no-experts", "ep", q.EP, "etp", q.ETP)
	case experts%q.EP != 0:
		return fault("training.ep-odd", "ep", q.EP, "experts", experts)
	case ranks%(q.EP*q.ETP) != 0:
		return fault("training.expert-ranks-odd", "ep", q.EP, "etp", q.ETP, "all", ranks)
	}
	return nil
}

func (p *Estimator) legalBatch(q *Plan) error {
	each := q.DP * q.Micro
	if p.job.Batch%each != 0 {
		return fault("training.batch-odd", "dp", q.DP, "micro", q.Micro, "each", each, "batch", p.job.Batch)
	}
	m := p.job.Batch / each
	switch {
	case q.Schedule == Interleaved && m%q.PP != 0:
		return fault("training.interleaving-odd", "n", m, "pp", q.PP)
	case q.Schedule == DualPipe && (m < 2*q.PP || q.PP%2 != 0):
		return fault("training.dualpipe-odd", "n", m, "pp", q.PP)
	}
	return nil
}

// RecipeOf is the usual recipe of a software stack.
//
//	nanotron  bf16 weights and gradients, summed up in fp32, fp32 master and moments
//	megatron  bf16 weights, fp32 gradients, fp32 master and moments
//	fsdp, xla fp32 weights, which travel as bf16, fp32 gradients and moments
func RecipeOf(stack string, compute DType, frozen bool) Recipe {
	r := Recipe{Compute: compute, Weight: 2, Grad: 4, Master: 4, Moments: 8, Gather: 2}
	switch stack {
	case "nanotron":
		r.Grad, r.Accum = 2, 4
	case "fsdp", "xla":
		r.Weight, r.Master = 4, 0
	}
	if frozen && compute != BF16 {
		r.Weight, r.Gather = 1, 1 // weights that don't learn are kept as the matmuls take them
	}
	return r
}

// Device is what estimating needs of a chip or GPU.
type Device struct {
	Name   string
	Peak   [3]float64 // FLOP/s by DType; a dtype that the device lacks has the rate of the next wider one
	Reach  [3]float64 // share of that which a large matmul reaches in benchmarks
	Older  float64    // what kernels of attention for Ampere reach here, over what they reach there
	Loops  float64    // 1 if PyTorch computes experts one by one here, 0 if by a kernel for all of them
	Doubt  float64    // factor by which intervals of time are wider, both ways, for few have published what it reaches
	Memory float64    // bytes that programs can have
	Stream float64    // bytes/s of its memory
	Domain int        // devices that the fast network joins, as a node or a rack
	Fast   float64    // bytes/s of a device into it, one way
	Slow   float64    // bytes/s of a device into the network between domains, one way
	Axes   int        // of a torus, whose Fast is one axis, both ways; 0 for switches
	Mesh   hardware.Mesh
	Host   float64 // bytes/s to the host, one way
}

// OwnDevice is one that the catalog lacks, by its numbers in FLOP/s, bytes and bytes/s. What its matmuls reach is
// assumed, as of others of which nobody has published it.
func OwnDevice(name string, peak, memory, stream, fast, slow float64, domain int) Device {
	const family, host = "npu.", 32e9
	d := Device{Name: name, Peak: [3]float64{peak, peak, peak}, Reach: reach(family), Older: 1,
		Doubt: factorOf(family, "doubt"), Memory: memory, Stream: stream, Domain: domain, Fast: fast,
		Slow: slow, Host: host}
	d.transfer()
	return d
}

// transfer leaves the network alone to a device of which no other links are known.
func (d *Device) transfer() {
	if d.Fast == 0 {
		d.Fast, d.Domain = d.Slow, 1
	}
}

// fast is what a device has of the fast network to n-1 others of its domain; all of it if there are none, which what it
// sends elsewhere may go through.
func (d *Device) fast(n float64) float64 { return d.Fast * pick(n > 1, d.Mesh.Share(max(n, 2)), 1) }

// catalogued is a constant of a device, or otherwise where the catalog has none.
//
//go:noinline
func catalogued(a *hardware.Accelerator, field string, otherwise float64) float64 {
	if c, err := a.Get(field); err == nil {
		return c.Value.Value
	}
	return otherwise
}

// NewDevice takes a device from the catalog. The error says what the catalog lacks.
func NewDevice(a *hardware.Accelerator) (Device, error) {
	d := Device{Name: a.Name, Reach: reach(a.ID), Older: factorOf(a.ID, "older"), Doubt: factorOf(a.ID, "doubt"),
		Loops: factorOf(a.ID, "loops"), Domain: 1}
	get := func(field string, otherwise float64) float64 { return catalogued(a, field, otherwise) }
	d.Peak[BF16] = get("flops.bf16", get("flops.fp16", 0))
	d.Peak[FP8] = get("flops.fp8", max(get("flops.int8", 0), d.Peak[BF16]))
	d.Peak[FP4] = get("flops.fp4", d.Peak[FP8])
	if get("flops.fp8", 0) == 0 && get("flops.int8", 0) == 0 {
		d.Reach[FP8], d.Reach[FP4] = d.Reach[BF16], d.Reach[BF16]
	}
	d.Memory, _ = a.UsableMemory()
	d.Stream = get("hbm_bandwidth", 0)
	d.Slow, d.Host = get("network_bandwidth", 0), get("host_bandwidth", get("pcie_bandwidth", 32e9))
	d.Axes, d.Mesh = a.Axes(), a.Mesh()
	if d.Axes > 0 {
		d.Fast, d.Domain = 2*get("ici_link_bandwidth", 0), int(get("pod_chips", get("node_size", 1)))
	} else {
		d.Fast, d.Domain = get("scaleup_bandwidth", 0), int(get("node_size", 1))
	}
	if d.Peak[BF16] == 0 || d.Memory == 0 || d.Stream == 0 {
		return Device{}, fault("training.device-unknown", "device", a.Name)
	}
	if d.Slow == 0 {
		d.Slow = get("pcie_bandwidth", 12.5e9)
	}
	d.transfer()
	return d, nil
}

// String is p as people type it: what is 1 or usual is left out, except for DP.
func (p Plan) String() string {
	p = p.filled()
	text := "dp=" + strconv.Itoa(p.DP)
	for _, f := range p.fields() {
		if *f.to > f.usual && f.name != "dp" && f.name != "zero" {
			text += " " + f.name + "=" + strconv.Itoa(*f.to)
		}
	}
	text += " zero=" + strconv.Itoa(p.Zero)
	if p.Zero > 0 && p.Shard < p.DP*p.CP {
		text += " shard=" + strconv.Itoa(p.Shard)
	}
	if p.Context != RingContext {
		text += " context=" + p.Context.String()
	}
	if p.Schedule > Interleaved || p.Schedule == GPipe {
		text += " schedule=" + p.Schedule.String()
	}
	if p.Recompute != KeepAll {
		text += " recompute=" + p.Recompute.String()
	}
	return text
}

// planField is a number of a plan by its name.
type planField struct {
	name  string
	to    *int
	usual int // what it is if nothing says it
}

// fields are the numbers of p, the sharding's aside.
func (p *Plan) fields() []planField {
	return []planField{{"dp", &p.DP, 1}, {"tp", &p.TP, 1}, {"pp", &p.PP, 1}, {"cp", &p.CP, 1}, {"ep", &p.EP, 1},
		{"etp", &p.ETP, 1}, {"mbs", &p.Micro, 1}, {"vp", &p.Virtual, 1}, {"zero", &p.Zero, 0}, {"first", &p.First, 0},
		{"last", &p.Last, 0}, {"recomputed", &p.Recomputed, 0}}
}

// ParsePlan reads dp=64, tp=8: what is left out is 1, and DP what is left of the devices.
func ParsePlan(text string, devices int) (Plan, error) {
	p := Plan{Zero: 1}
	separator := func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }
	said := map[string]bool{}
	for _, field := range strings.FieldsFunc(text, separator) {
		if err := p.set(field); err != nil {
			return p, err
		}
		name, _, _ := strings.Cut(strings.ToLower(field), "=")
		if said[name] {
			return p, fault("training.plan-twice", "name", name)
		}
		said[name] = true
	}
	inner := 1
	for _, n := range []int{p.TP, p.PP, p.CP} {
		if inner *= max(1, n); inner > 1<<24 {
			return p, fault("training.plan-too-large", "tp", p.TP, "pp", p.PP, "cp", p.CP)
		}
	}
	if p.DP == 0 {
		p.DP = max(1, devices/inner)
	}
	return p, nil
}

// set sets one field: tp=8, schedule=zb-h1, recompute=some.
func (p *Plan) set(field string) error {
	name, value, _ := strings.Cut(strings.ToLower(field), "=")
	n, err := strconv.Atoi(value)
	if name == "shard" && err == nil && n >= 1 {
		p.Shard = n
		return nil
	}
	for _, f := range p.fields() {
		switch {
		case f.name != name:
		case err != nil || n > 1<<24 || n < 1 && (name != "zero" || n < 0) || name == "zero" && n > 3:
			return fault("training.plan-number", "name", name, "value", strconv.Quote(value))
		default:
			*f.to = n
			return nil
		}
	}
	var known bool
	switch name {
	case "schedule":
		if p.Schedule, known = ParseSchedule(value); !known {
			return fault("training.schedule-unknown", "name", strconv.Quote(value), "names",
				phrase.Commas(scheduleNames[:]))
		}
	case "context":
		if p.Context, known = ParseContext(value); !known {
			return fault("training.context-unknown", "name", strconv.Quote(value), "names",
				phrase.Commas(contextNames[:]))
		}
	case "recompute":
		if p.Recompute, known = ParseRecompute(value); !known {
			return fault("training.policy-unknown", "name", strconv.Quote(value))
		}
	default:
		return fault("training.plan-unread", "text", strconv.Quote(field))
	}
	return nil
}

// nameOf is the name of a kind of something, or "unknown" for none of them. Texts ask for it, which need not be quick:
// inlined, it would take bytes in the browser.
//
//go:noinline
func nameOf[Kind ~uint8](names []string, kind Kind) string {
	if int(kind) < len(names) {
		return names[kind]
	}
	return "unknown"
}

// named finds a kind by its name.
func named[Kind ~uint8](names []string, name string) (kind Kind, known bool) {
	i := slices.Index(names, name)
	return Kind(max(i, 0)), i >= 0
}

// fault is what can't be, as a sentence with its gaps. Dozens ask for it: inlined, it would be a large part of them.
//
//go:noinline
func fault(key string, gaps ...any) error { return phrase.New(key, gaps...) }

// gigabytes is a number of bytes as sentences say it.
//
//go:noinline
func gigabytes(bytes float64) string { return three(bytes/1e9) + " GB" }

// seconds is a time as sentences say it.
func seconds(s float64) string { return three(s) + " s" }

// three is a number with three digits, or all of those before the point.
func three(x float64) string {
	if x >= 1000 || x <= -1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
