package measured

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
)

// kvCapacity predicts what an engine says of its memory when it starts.
func kvCapacity(row Row, widths *machineWidths) (Prediction, error) {
	t, err := newStarted(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	t.widths = widths
	l := t.replica.Ledger(t.length)
	return Prediction{Fits: yesOrNo(l.Concurrency >= 1), Notes: t.notes, Metrics: t.figures(&l)}, nil
}

// How far the parts of a ledger may be off: what is in doubt, of which intervals have as much as other rows were off.
const (
	unsureWeights     = 0.03      // of the weights
	unsureNarrow      = 0.1       // of weights below 8 bits: which layers stay wider is the checkpoint's choice
	unsureActivations = 0.5       // of what is tried
	unsureNonTorch    = 0.5       // of what is allocated outside PyTorch
	unsureBesides     = 500 << 20 // bytes besides
	unsureEncoder     = 1 << 30   // where an encoder of images is tried too
	unsureShared      = 0.08      // of a memory that processor and GPU share
	unsureGiven       = 0.01      // of a cache whose bytes are given: how it is cut into blocks
	unsureEntries     = 2.5       // times that engines may keep more where entries stand for several tokens
)

// unsure is by how many bytes weights and cache may be off.
func (t *started) unsure(l *serving.Ledger) (weights, cache float64) {
	r := t.replica
	weights = unsureWeights * l.Weights
	if min(r.Precision.MLP, r.Precision.Experts) < 0.9 {
		weights = unsureNarrow * l.Weights
	}
	if r.Engine.KVBytes > 0 {
		return weights, unsureGiven * l.Cache
	}
	cache = weights + unsureActivations*l.Activations + unsureNonTorch*l.NonTorch + unsureBesides
	if r.Beside > 0 {
		cache += unsureEncoder
	}
	if t.shared {
		cache += unsureShared * l.Total
	}
	return weights, cache
}

// set gives an interval, in so large a unit, its names.
func (f Metrics) set(x Interval, unit float64, names ...string) {
	for _, name := range names {
		f[name] = x.Times(1 / unit)
	}
}

// exact is set of what isn't in doubt.
func (f Metrics) exact(x, unit float64, names ...string) { f.set(Interval{x, x, x}, unit, names...) }

// about is x and so much around it, down to nothing.
func about(x, off float64) Interval { return Interval{max(x-off, 0), x, x + off} }

// figures are those of a ledger by the names that rows use.
func (t *started) figures(l *serving.Ledger) Metrics {
	r, f := t.replica, Metrics{}
	offWeights, off := t.unsure(l)
	weights := t.within(weightKind, l.Weights, offWeights)
	weights.Low = max(weights.Low, 0)
	other := about(l.NonTorch, unsureNonTorch*l.NonTorch+64*mebi)
	cache := t.within(cacheKind(t.stated), l.Cache, off)
	entries := cache
	cache.High = min(cache.High, max(l.Cache, 1.01*l.Total-weights.Low)) // no card holds more
	if !t.vague {
		entries = cache
	}
	f.device(l)
	// Engines that print GB count GiB.
	f.set(weights, gibi, "model_weights_GiB", "model_weights_GiB_per_device", "model_weights_GB",
		"model_weights_GB_per_device")
	f.set(other, gibi, "non_torch_GiB")
	f.set(about(l.Weights+l.NonTorch, weights.High-l.Weights+other.High-l.NonTorch), gibi, "weights_plus_non_torch_GiB")
	f.set(about(l.Activations, unsureActivations*l.Activations), gibi, "activation_peak_GiB")
	f.set(Interval{l.Graphs / 4, l.Graphs, 4 * l.Graphs}, gibi, "graph_memory_GiB", "graph_memory_GiB_approx")
	if l.Counted > 0 {
		f.set(Interval{l.Counted / 2, l.Counted, 3 * l.Counted}, gibi, "graph_memory_estimated_GiB")
	}
	f.set(cache, gibi, "kv_cache_GiB", "kv_cache_GiB_per_device")
	f.set(cache, 1, "kv_cache_bytes", "kv_cache_bytes_per_device")
	available := cache
	if r.Engine.OfFree {
		available = cache.Times(1 / max(l.Share, 0.01))
	}
	f.set(available, gibi, "available_for_kv_GiB")
	if r.Engine.Name == "sglang" {
		before := l.Free - l.NonTorch
		f.set(about(before, other.High-l.NonTorch), gibi, "avail_before_weights_GB")
		f.set(about(before-l.Weights, weights.High-l.Weights), gibi, "avail_after_weights_GB")
		f.set(cache, 2*gibi, "kv_cache_K_GB", "kv_cache_V_GB")
	}
	t.tokens(f, l, entries)
	chips := float64(r.Chips())
	f.set(weights.Times(chips), gibi, "hbm_used_weights_GiB_total")
	f.set(cache.Times(chips), gibi, "hbm_avail_for_kv_GiB_total")
	taken := hardware.Context + l.Weights + l.NonTorch + l.Activations + max(l.Cache, 0) + l.Graphs
	f.set(about(taken, off), mebi, "process_memory_MiB", "process_memory_MiB_per_device")
	f.set(about(taken, off), gibi, "process_memory_GiB", "vram_used_GiB_per_device")
	return f
}

// device are the figures of a device's memory before anything is loaded.
func (f Metrics) device(l *serving.Ledger) {
	total := about(l.Total, 0.01*l.Total)
	f.set(total, gibi, "total_gpu_memory_GiB", "total_memory_GiB", "hbm_total_GiB")
	f.set(total, giga, "memory_total_GB", "hbm_GB")
	f.set(about(l.Free, 0.01*l.Total), gibi, "free_at_start_GiB")
	f.set(about(l.Budget, 0.01*l.Budget), gibi, "budget_GiB", "hbm_cap_GiB")
}

// tokens sets the figures of what a cache holds, which grow with it.
func (t *started) tokens(f Metrics, l *serving.Ledger, cache Interval) {
	scale := func(x float64) Interval {
		if l.Cache <= 0 {
			return Interval{0, x, max(x, 0)}
		}
		return Interval{x * max(cache.Low, 0) / l.Cache, x, x * cache.High / l.Cache}
	}
	tokens, concurrency := scale(l.Tokens), scale(l.Concurrency)
	if t.replica.Engine.Release == 0 { // older releases may count otherwise
		tokens.Low = min(tokens.Low, l.Grouped)
	}
	if t.replica.Shape.Model.Compress != (model.Compress{}) {
		tokens.Low, concurrency.Low = tokens.Low/unsureEntries, concurrency.Low/unsureEntries
	}
	f.set(tokens, 1, "kv_cache_tokens", "kv_cache_tokens_approx")
	f.set(concurrency, 1, "max_concurrency")
	f.set(scale(l.Blocks), 1, "gpu_blocks", "kv_blocks", "kv_blocks_per_layer")
	f.exact(l.Block, 1, "block_tokens")
	f.exact(l.BlockBytes, 1, "bytes_per_block")
	if l.Tokens > 0 {
		f.exact(l.Blocks*l.BlockBytes/l.Tokens, 1, "kv_bytes_per_token")
		f.exact(l.Blocks*l.BlockBytes/l.Tokens, 1024, "kv_KiB_per_token")
	}
}

// The kinds of figures of a start, each with intervals of its own: the cache where all that decides it is stated, or
// not, and the weights.
const (
	statedKind   = "cache"
	unstatedKind = "cache, not all stated"
	weightKind   = "weights"
)

// cacheKind is the kind of a start's cache.
func cacheKind(stated bool) string {
	if stated {
		return statedKind
	}
	return unstatedKind
}

// within is a figure with as much of what is in doubt as other rows of the kind were off. What isn't stated of a cache
// decides how large all of it is: there it is a factor.
func (t *started) within(kind string, x, off float64) Interval {
	low, high := t.widths.of(kind)
	if kind == unstatedKind {
		low, high, off = low-1, high-1, max(x, 0)
	}
	return Interval{x + low*off, x, x + high*off}
}

//go:embed startlogs.jsonl
var startRows string // what engines said at their start, as rows

// Starts are what engines said at their start.
func Starts() []RunCase { return runCases(startRows) }

// stated tells whether a set-up says what decides its cache: the model by its name, weights in a format whose bits are
// known, the length of a sequence, and the bytes of the cache or the share of the memory. A share doesn't decide where
// processor and GPU have one memory, of which other programs and the pages of files take some, nor where a draft with
// weights of its own is loaded, whose size isn't said.
func (s Setup) stated() bool {
	if s.Has("kv_cache_memory_bytes") {
		return true
	}
	drafted := hasAny(strings.ToLower(s.Text("model")+s.Text("quant")+s.Text("speculative")), "draft", "dflash",
		"eagle")
	return !strings.Contains(s.Text("model"), " class") && !drafted && !s.sharesMemory() && s.Has(shareNames...) &&
		s.Has("max_model_len", "context_len", "max_seq_len") &&
		formatIn(strings.ToLower(s.Text("quant", "quantization", "precision"))) > 0
}

// memoryNames are the figures by which a row says its cache, the plainest first.
var memoryNames = []string{"kv_cache_tokens", "gpu_blocks", "kv_cache_GiB", "kv_cache_GiB_per_device", "kv_cache_bytes",
	"kv_cache_bytes_per_device", "kv_blocks"}

var weightNames = []string{"model_weights_GiB", "model_weights_GiB_per_device", "model_weights_GB",
	"model_weights_GB_per_device"}

// startReadings are the figures of rows by which a start is judged: its cache, and its weights. Each has the interval
// of a table.
func startReadings(widths func(group string) *machineWidths) []Reading {
	var all []Reading
	for _, c := range Starts() {
		for _, names := range [][]string{memoryNames, weightNames} {
			for _, name := range names {
				if !(c.Measured[name] > 0) || strings.HasPrefix(name, "kv_blocks") &&
					c.Measured["kv_cache_tokens"] > 0 {
					continue
				}
				if r, found := reading(c, name, widths); found {
					r.unit = figureUnit(name)
					all = append(all, r)
				}
				break
			}
		}
	}
	return all
}

// StartFamilies are how far predictions of starts lie off: the cache, where flags are stated and where they are not,
// and the weights.
func StartFamilies(all []Reading) []summary.Family {
	stated := func(r *Reading) bool { return r.Kind == statedKind }
	weights := func(r *Reading) bool { return r.Kind == weightKind }
	var families []summary.Family
	for _, f := range []struct {
		name, quantity string
		wanted         func(*Reading) bool
	}{
		{"flags stated", "KV tokens", stated},
		{"flags not all stated", "KV tokens", func(r *Reading) bool { return r.Kind == unstatedKind }},
		{"all starts", "weights", weights},
	} {
		for _, part := range []string{aside, fitted} {
			if h := checked(f.name, f.quantity, part, all, f.wanted); h.Rows > 0 {
				h.Half = "start"
				families = append(families, h)
			}
		}
	}
	return families
}

// figureUnit is what a figure counts in, where it can be drawn: tokens, or GiB of weights.
func figureUnit(name string) float64 {
	switch {
	case name == "kv_cache_tokens":
		return 1
	case strings.HasPrefix(name, "model_weights"):
		return gibi
	}
	return 0
}
