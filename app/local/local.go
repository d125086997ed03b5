// Package local knows what one machine makes of a file of quantised weights for one user: a card, several of them, or a
// computer whose processor and GPU share their memory; with llama.cpp, MLX, ExLlamaV2, MLC or vLLM.
//
// A generated token reads every weight that it is multiplied with, and the cache. So its time is
//
//	T = W/(s B) + C/(c B) + N u/P + L f
//
// with W and C bytes of weights and cache, B the bandwidth of the memory, s and c the shares of it that the software
// reaches, N weights of fewer than 16 bits, each of which takes u operations of the peak P to unpack, and f what a
// layer takes besides, more where it has experts or a state, or where two dies share it. A prompt is computed: its time
// is operations over a share of the peak. The shares are constants of a software on a kind of memory (constants.tsv),
// fitted to half of the published measurements that app/measured/rows has of it; /measured/ tells how far the other
// half lies off.
package local

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
)

// constantTable is the constants: a row each, a column a software on a kind of memory.
//
//go:embed constants.tsv
var constantTable string

// Constants are what a software reaches on a kind of memory.
type Constants struct {
	Weights float64 // share of the bandwidth at which weights are read
	Cache   float64 // the same of the cache
	Layer   float64 // seconds of a layer and a token besides
	Sparse  float64 // more of them of a layer with experts
	Math    float64 // share of the peak on products of a prompt
	Score   float64 // the same on its attention
	Batch   float64 // the same where some sequences generate together
	Hop     float64 // seconds of a token from a card to the next
	Sum     float64 // seconds of a layer's sums over cards that share it
	Unpack  float64 // operations of the peak that a weight of fewer than 16 bits takes before it is multiplied
	Linear  float64 // seconds more of a layer that keeps a state
	Dies    float64 // by which these are divided where two dies take part in each kernel
}

// constantNames are the constants by their names in the table.
const constantNames = "weights,cache,layer,sparse,math,score,batch,hop,sum,unpack,linear,dies"

// ConstantNames are the constants by their names in the table.
func ConstantNames() []string { return strings.Split(constantNames, ",") }

// Field is a constant by its name; nil if there is none.
func (c *Constants) Field(name string) *float64 {
	at := slices.Index(ConstantNames(), name)
	if at < 0 {
		return nil
	}
	return [...]*float64{&c.Weights, &c.Cache, &c.Layer, &c.Sparse, &c.Math, &c.Score, &c.Batch, &c.Hop, &c.Sum,
		&c.Unpack, &c.Linear, &c.Dies}[at]
}

// memoryNames are the kinds of memory as the table has them.
var memoryNames = [...]string{Graphics: "graphics", Stacked: "stacked", Unified: "unified", Shared: "shared"}

// Stacks are the columns: an engine and a kind of memory each.
func Stacks() []string {
	head, _, _ := strings.Cut(constantTable, "\n")
	return strings.Split(head, "\t")[1:]
}

// Launching is llama.cpp as it was until May 2024 on cards, when each kernel of a token was launched by itself: since
// then those of NVIDIA from Ampere on replay a graph of them (pull request 6766). On Apple's computers it is that of
// the time before September 2025, when kernels began to run beside each other (pull request 15929).
const Launching = "llama.cpp-2024"

// onAMD is llama.cpp on AMD's cards, where kernels are launched.
const onAMD = "llama.cpp-amd"

// Stack is the column of an engine on a kind of memory: of engines that nobody measured there, llama.cpp's.
func Stack(engine string, memory Memory) string {
	if name := engine + "." + memoryNames[memory]; slices.Contains(Stacks(), name) {
		return name
	}
	return "llama.cpp." + memoryNames[memory]
}

// ConstantsOf are the constants of a column of the table, one of Stacks, in the units of its rows; all 0 of another
// one.
func ConstantsOf(stack string) *Constants {
	c := &Constants{}
	column := 1 + slices.Index(Stacks(), stack)
	for line := range strings.Lines(constantTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if to := c.Field(cells[0]); to != nil {
			*to, _ = strconv.ParseFloat(cells[column], 64)
		}
	}
	return c
}

// Memory is a kind of memory, which decides what share of its bandwidth software reaches.
type Memory uint8

// The kinds of memory.
const (
	Graphics Memory = iota // GDDR of a card
	Stacked                // HBM
	Unified                // of Apple's computers
	Shared                 // LPDDR that a GPU of NVIDIA or AMD shares with its processor
)

// Machine is a card or a computer, in base units.
type Machine struct {
	ID, Name     string
	Memory       Memory
	Bandwidth    float64 // of its memory, byte/s
	Peak         float64 // of 16-bit matrix products, FLOP/s; of GeForce cards with 16-bit sums, as llama.cpp has them
	UsableMemory float64 // bytes that a program can have; 0 if that isn't known
	Launches     bool    // llama.cpp launches each kernel of a token there, since it captures no graph
	Joined       bool    // of two dies
}

// Cards are the cards that menus of accelerators leave out, with all of their memory.
func Cards() []*Machine {
	var all []*Machine
	for _, a := range hardware.Cards() {
		if m, err := Of(a); err == nil {
			whole, _ := a.Get("hbm")
			if m.UsableMemory = whole.Value.Value; m.Bandwidth < 2e12 && m.Memory == Stacked {
				m.Memory = Graphics
			}
			all = append(all, m)
		}
	}
	return all
}

// graphics are the accelerators with GDDR whose names do not tell it, and shared those with LPDDR.
const (
	graphics = " gpu.l4 gpu.l40s gpu.t4 gpu.b60 gpu.a6000 "
	shared   = " gpu.gb10 card.maxplus395 "
)

// beforeAmpere are the accelerators of NVIDIA for which llama.cpp captures no graphs.
const beforeAmpere = " gpu.v100 gpu.t4 card.rtx2080ti "

// ShareOfUnified is what the GPU may take of the memory of Apple's computers, unless their owners set
// iogpu.wired_limit_mb.
const ShareOfUnified = 0.75

// Of is an accelerator of the catalog as a machine. The error names the constant that is missing.
func Of(a *hardware.Accelerator) (*Machine, error) {
	m := &Machine{ID: a.ID, Name: a.Name, Memory: Stacked}
	m.Joined = a.Vendor == "Apple" && strings.HasSuffix(a.ID, "_ultra")
	m.Launches = a.Vendor != "NVIDIA" || strings.Contains(beforeAmpere, " "+a.ID+" ")
	k, err := a.Get("hbm_bandwidth")
	if err != nil {
		return m, err
	}
	m.Bandwidth = k.Value.Value
	if m.UsableMemory, err = a.UsableMemory(); err != nil {
		return m, err
	}
	peak, err := a.Peak("fp16")
	if err != nil {
		if peak, err = a.Peak("bf16"); err != nil {
			return m, err
		}
		if strings.HasPrefix(a.Name, "GeForce") {
			peak.Value.Value *= 2 // half of what they reach with 16-bit sums
		}
	}
	m.Peak = peak.Value.Value
	switch {
	case a.Vendor == "Apple":
		m.Memory, m.UsableMemory = Unified, m.UsableMemory*ShareOfUnified
	case strings.Contains(shared, " "+a.ID+" "):
		m.Memory = Shared
	case strings.Contains(graphics, " "+a.ID+" ") || strings.Contains(a.Name, "GeForce") || strings.Contains(a.Name,
		"RTX"):
		m.Memory = Graphics
	}
	return m, nil
}

// Run is a model in a format on a machine.
type Run struct {
	Model     *model.Model
	Size      *quant.Size
	Machine   *Machine
	Cards     float64 // at least 1
	Together  bool    // cards share each layer (tensor parallelism); otherwise each has layers of its own
	Stack     string  // whose constants and intervals decide
	Constants *Constants
	Slice     float64 // tokens of a prompt that are computed at once
	Logit     float64 // bytes of a logit, which are kept for each of them
	Host      Host
}

// Host is what the memory of the host holds of the weights, and how fast it is read.
type Host struct {
	Layers    float64 // share of the layers that the processor computes
	Experts   float64 // share of the layers whose experts it has
	Bandwidth float64 // of the host's memory, byte/s
	Link      float64 // to the card, byte/s: prompts bring the weights over it
}

// Of the host's memory and of its link to the card nobody tells more than what parts are on sale: two channels of DDR5,
// and sixteen lanes of PCIe 4.0. ShareOfHost is what processors reach of the former.
const (
	UsualHost   = 80e9
	UsualLink   = 25e9
	ShareOfHost = 0.7
)

// UsualSlice is llama.cpp's n_ubatch, usualBatch its n_batch: slices of one batch follow each other from card to card.
const (
	UsualSlice = 512
	usualBatch = 2048
	mlxSlice   = 2048 // of MLX, which has logits in 16 bits
)

// activations is how many bytes a token of a slice takes for each number of its width while a layer is computed.
const activations = 8

// NewRun is a model of such a size on one machine, as an engine runs it unless set otherwise.
func NewRun(m *model.Model, size *quant.Size, machine *Machine, engine string) *Run {
	switch {
	case engine != "llama.cpp" || !machine.Launches || machine.Memory == Unified:
	case strings.Contains(machine.Name, "Radeon"):
		engine = onAMD
	default:
		engine = Launching
	}
	stack := Stack(engine, machine.Memory)
	r := &Run{Model: m, Size: size, Machine: machine, Cards: 1, Slice: UsualSlice, Logit: 4, Stack: stack,
		Constants: ConstantsOf(stack), Host: Host{Bandwidth: UsualHost, Link: UsualLink}}
	if engine == "mlx" {
		r.Slice, r.Logit = mlxSlice, 2
	}
	return r
}

// cacheElement is how many bytes an element of the cache takes: fp16, unless someone says otherwise.
const cacheElement = 2

// touched is the bytes of weights that so many tokens together are multiplied with: of experts, those that at least one
// of them is sent to, if each chooses evenly.
func (r *Run) touched(tokens float64) (dense, experts float64) {
	dense, experts = r.Size.Read-r.Size.Routed, r.Size.Routed
	if e := r.Model.MoE; e.Experts > 0 {
		k := math.Min(1, float64(e.PerToken)/float64(e.Experts))
		experts = r.Size.Experts * (1 - math.Pow(1-k, tokens))
	}
	return dense, experts
}

// onHost splits bytes that are read: what the card has, and what the host has.
func (r *Run) onHost(dense, experts float64) (card, host float64) {
	h := r.Host
	host = h.Layers*dense + math.Min(1, h.Layers+h.Experts)*experts
	return dense + experts - host, host
}

// LowerBounds are the seconds that layers take besides, and cards that hand on.
func (r *Run) LowerBounds() float64 {
	c := r.Constants
	t := float64(r.Model.Layers)*c.Layer + float64(r.Model.CountLayers(model.Layer.WithExperts))*c.Sparse
	for i := 0; i < r.Model.Layers && r.Model.Linear.Kind != model.NoLinear; i++ {
		if r.Model.Linear.Layers.Covers(i) {
			t += c.Linear
		}
	}
	if r.Machine.Joined && c.Dies > 0 {
		t /= c.Dies
	}
	if r.Together && r.Cards > 1 {
		return t + float64(r.Model.Layers)*c.Sum
	}
	return t + (r.Cards-1)*c.Hop
}

// Reads are the bytes that a step of so many sequences reads: weights on the cards, weights on the host, and caches of
// so many tokens each.
func (r *Run) Reads(sequences, depth float64) (card, host, cache float64) {
	card, host = r.onHost(r.touched(sequences))
	return card, host, sequences * (float64(r.Model.KVBytes(depth, cacheElement)) + float64(r.Model.StateBytes()))
}

// Token is the seconds of a step in which so many sequences generate a token each, with so many tokens in the cache of
// each.
func (r *Run) Token(sequences, depth float64) float64 {
	c, bandwidth := r.Constants, r.Machine.Bandwidth
	card, host, cache := r.Reads(sequences, depth)
	t := card/(c.Weights*bandwidth) + cache/(c.Cache*bandwidth) + r.Unpacks(card)/r.Machine.Peak
	if sequences > 1 {
		t += (sequences - 1) * float64(r.Model.WeightFLOPs(model.Forward)) / (c.Batch * r.Machine.Peak)
	}
	if r.Together {
		t /= r.Cards
	}
	if host > 0 {
		t += host / (ShareOfHost * r.Host.Bandwidth)
	}
	return t + r.LowerBounds()
}

// Unpacks are the operations before so many bytes of weights can be multiplied: none of weights in 16 bits. Of Apple's
// GPUs only those of the first generation are held up, by super-blocks, whose scales are packed too.
func (r *Run) Unpacks(bytes float64) float64 {
	const plain = 15 // bits
	bits := r.Size.Bits()
	switch {
	case bits >= plain:
		return 0
	case r.Machine.Memory == Unified && !strings.HasPrefix(r.Machine.ID, "soc.m1"):
		return 0
	case r.Machine.Memory == Unified:
		bytes *= r.Size.Super() / r.Size.Bytes
	}
	return 8 * bytes / bits * r.Constants.Unpack
}

// Generate is the mean seconds of a token while so many are generated after a prompt.
func (r *Run) Generate(prompt, tokens float64) float64 { return r.Token(1, prompt+tokens/2) }

// Prompt is the seconds of a prompt of so many tokens with so many before it in the cache.
func (r *Run) Prompt(tokens, before float64) float64 {
	c, m := r.Constants, r.Model
	slice := math.Min(tokens, r.Slice)
	slices := math.Ceil(tokens / r.Slice)
	work := tokens * float64(m.LayerFLOPs(model.Forward)) / (c.Math * r.Machine.Peak)
	scores := tokens * float64(m.DecodeAttentionFLOPs(before+tokens/2)) / (c.Score * r.Machine.Peak)
	dense, experts := r.touched(slice)
	card, host := r.onHost(dense, experts)
	t := work + scores + slices*(card/(c.Weights*r.Machine.Bandwidth)+r.LowerBounds())
	if host > 0 {
		t += slices * host / r.Host.Link
	}
	return t * r.share(slices)
}

// share is what cards make of the time of one: those that share layers divide it, the others work on the slices of a
// batch one after another.
func (r *Run) share(slices float64) float64 {
	switch {
	case r.Cards <= 1:
		return 1
	case r.Together:
		return 1 / r.Cards
	}
	slices = math.Min(slices, math.Max(1, usualBatch/r.Slice))
	return (slices + r.Cards - 1) / (slices * r.Cards)
}

// Held is the bytes on the machine, all cards together: weights that aren't the host's, the caches of so many sequences
// of so many tokens, and what is kept for computing, most of it the logits of a slice.
func (r *Run) Held(sequences, context float64) float64 {
	s, h, m := r.Size, &r.Host, r.Model
	weights := (s.Bytes-s.Experts)*(1-h.Layers) + s.Experts*math.Max(0, 1-h.Layers-h.Experts)
	cache := sequences * (float64(m.KVBytes(context, cacheElement)) + float64(m.StateBytes())) * (1 - h.Layers)
	return weights + cache + r.Slice*(r.Logit*float64(m.Vocab)+activations*float64(m.Width))
}
