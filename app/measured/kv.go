package measured

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
)

// started is a set-up of an engine that starts, read.
type started struct {
	replica *serving.Replica
	length  float64
	shared  bool // memory that processor and GPU share
	stated  bool // all that decides the cache
	vague   bool // the model is a class of them, so that nobody knows the bytes of a token
	notes   []string
	widths  *machineWidths
}

// newStarted reads a set-up.
func newStarted(s Setup) (*started, error) {
	t := &started{stated: s.stated(), vague: strings.Contains(s.Text("model"), " class")}
	m, err := s.startedModel()
	if err != nil {
		return nil, err
	}
	engine := engineName(s.Text("engine", "framework"))
	if hasAny(strings.ToLower(s.Text("engine", "framework")), "exllama", "tabby") {
		engine = "exllama"
	}
	if engine == "" {
		return nil, fmt.Errorf("the engine is not said, or not known: %q; write vllm, sglang, trtllm or exllama",
			s.Text("engine"))
	}
	if strings.Contains(strings.ToLower(s.Text("engine")), "fork") {
		return nil, errors.New("a fork of an engine keeps its cache in its own way; nothing is known of it")
	}
	chip, err := s.startedChip()
	if err != nil {
		return nil, err
	}
	p, err := s.loadedAs(m, engine)
	if err != nil {
		return nil, err
	}
	t.shared = s.sharesMemory()
	plan, err := s.startedPlan(m)
	if err != nil {
		return nil, err
	}
	e := serving.Engine{Name: engine, Release: s.release(), OfFree: engine == "trtllm"}
	e.Hosted.First = engine == "exllama"
	if err := s.startedFlags(&e, &chip, m); err != nil {
		return nil, err
	}
	if t.length, err = s.Length(float64(m.Context), "max_model_len", "context_len", "max_seq_len"); err != nil {
		return nil, err
	}
	if t.length == 0 {
		t.length = 8192
		t.notes = append(t.notes, "max_model_len is not said; 8192 is taken")
	}
	shape := serving.NewShape(m, p)
	if strings.Contains(strings.ToLower(s.Text("model", "notes", "speculative")), "language model only") {
		shape.Beside, shape.Trial, shape.TrialSplit = 0, 0, 0
	}
	if hasAny(strings.ToLower(s.Text("model")), "diffusion") { // vLLM doesn’t try their encoders
		shape.Trial, shape.TrialSplit = 0, 0
	}
	if s.loadedGiB() > 0 { // which has all
		shape.Beside = 0
	}
	if hasAny(strings.ToLower(s.Text("speculative", "speculative_config")+" "+s.Text("model")), "mtp", "eagle") {
		shape = shape.Drafted()
	}
	if strings.Contains(strings.ToLower(s.Text("kv_cache_dtype")), "not compressed") {
		shape = shape.Uncompressed()
	}
	e = e.Defaults(chip, plan, t.length)
	t.replica, err = serving.NewReplica(shape, chip, plan, serving.Fitted(engine), e)
	return t, err
}

// startedModel is the model of a set-up, which logs name by their publisher's names.
func (s Setup) startedModel() (*model.Model, error) {
	if !s.Has("model") {
		return nil, errors.New("the model is not said; name it, or describe it by layers, d_model, n_heads, d_ff and " +
			"vocab")
	}
	if m, err := FindModel(s.Text("model")); err == nil {
		return m, nil
	}
	if m, err := s.tunedModel(); err == nil {
		return m, nil
	}
	m, err := shapeIn(plainName(s.Text("model")))
	if err != nil {
		m, err = modelNamed(s.Text("model"))
	}
	return m, err
}

// shapeIn is the shape of the table whose name stands in a name.
func shapeIn(name string) (*model.Model, error) {
	var all []namePart
	for line := range strings.Lines(shapeTable) {
		title, _, _ := strings.Cut(line, "\t")
		all = append(all, namePart{plainName(title), title})
	}
	title := longest(all, name)
	if title == "" {
		return nil, errors.New("no shape")
	}
	return Setup{"model": title}.tunedModel()
}

// sharesMemory tells whether processor and GPU share the memory of the device.
func (s Setup) sharesMemory() bool {
	return hasAny(strings.ToLower(s.Text("device")), "unified", "spark", "gb10", "thor")
}

var freeInName = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?) (?:GB|GiB) free`)

var gibInName = regexp.MustCompile(`(?i)\b(\d+(?:\.\d+)?) GiB`)

// startedChip is the device. What its name says of its memory, as CUDA tells it, is taken as it is; a device that the
// catalog lacks is known by its memory alone, for a start needs no more.
func (s Setup) startedChip() (serving.Chip, error) {
	name := s.Text("device")
	said := 0.0
	if found := freeInName.FindStringSubmatch(name); found != nil {
		said, _ = strconv.ParseFloat(found[1], 64)
		said = said*(1<<30) + hardware.Context
	} else if found := gibInName.FindStringSubmatch(name); found != nil {
		said, _ = strconv.ParseFloat(found[1], 64)
		said *= 1 << 30
	}
	named := 0.0
	if found := gigabytes.FindStringSubmatch(name); found != nil {
		named, _ = strconv.ParseFloat(found[1], 64)
		named *= 1 << 30
		switch lower := strings.ToLower(name); {
		case hasAny(lower, "wsl", "windows"): // there all of it is counted
		case hasAny(lower, "unified"):
			named *= unifiedShare
		default:
			named -= min(hardware.Driver, driverShare*named)
		}
	}
	c, err := s.chip()
	if card, found := cardNamed(plainName(ramWords.ReplaceAllString(strings.ToLower(name), ""))); err != nil && found &&
		named == 0 {
		named = card.UsableMemory - min(hardware.Driver, driverShare*card.UsableMemory)
	}
	switch {
	case err != nil && said == 0 && named == 0:
		return c, err
	case err != nil:
		c = serving.Chip{ID: ownChip(name), Name: name, Memory: max(said, named), Bandwidth: 1, Peak16: 1}
	case said == 0 && named > 0 && (named/c.Memory > 1.15 || named/c.Memory < 0.85):
		c.Memory = named
	}
	if lower := strings.ToLower(name); err == nil && c.Memory != named && hasAny(lower, "wsl", "windows") {
		c.Memory += hardware.Driver
	}
	if said > 0 {
		c.Memory = said
	}
	if c.Link == 0 {
		c.Link = c.Network
	}
	c.Link = max(c.Link, 1) // whoever starts an engine on several has a way between them

	if c.Host == 0 && !hasAny(strings.ToLower(name), "ascend") { // of a card that the catalog lacks: by way of its host
		c.Host = c.Link
	}
	return c, nil
}

// ownChip is how a chip that the catalog lacks is called: AMD’s as AMD’s are.
func ownChip(name string) string {
	if hasAny(strings.ToLower(name), "amd", "rocm", "radeon", "instinct") {
		return "gpu.mi_own"
	}
	return "gpu.own"
}

// unifiedShare is what programs can have of memory that processor and GPU share: 121.69 GiB of the 128 of a GB10.
const unifiedShare = 0.951

// driverShare is what a driver keeps of small cards: 11.64 of 12 GiB are left, 7.76 of 8.
const driverShare = 0.03

// startedPlan is how a set-up is laid on its devices.
func (s Setup) startedPlan(m *model.Model) (serving.Plan, error) {
	var p serving.Plan
	var err error
	for _, d := range []struct {
		to    *int
		names []string
	}{{&p.TP, []string{"tp"}}, {&p.PP, []string{"pp"}}, {&p.DP, []string{"dp"}}, {&p.CP, []string{"dcp"}}} {
		if *d.to, err = s.Whole(0, 0, mostChips, d.names...); err != nil {
			return p, err
		}
	}
	if p.TP == 0 {
		n, err := s.Whole(0, 0, mostChips, "n_devices")
		if err != nil {
			return p, err
		}
		if n == 0 {
			return p, errors.New("neither tp nor n_devices is said")
		}
		p.TP = max(n/max(p.PP, 1)/max(p.DP, 1), 1)
	}
	if s.Switch(false, "ep") && m.MoE.Experts > 0 {
		p.EP = max(p.TP, 1) * max(p.DP, 1)
	}
	return p, nil
}

// shareNames are the names by which set-ups tell the share of the memory that the engine may take.
var shareNames = []string{"gpu_memory_utilization", "mem_fraction_static", "kv_cache_free_gpu_mem_fraction",
	"kv_cache_free_gpu_memory_fraction", "free_gpu_memory_fraction"}

// startedFlags are the flags that an engine is started with.
func (s Setup) startedFlags(e *serving.Engine, c *serving.Chip, m *model.Model) (err error) {
	if e.Share, err = s.Share(0, shareNames...); err != nil {
		return err
	}
	if e.Sequences, err = s.Amount(0, "max_num_seqs", "max_running_requests", "max_batch_size"); err != nil {
		return err
	}
	if e.Chunk, err = s.Amount(0, "max_num_batched_tokens", "chunked_prefill_size", "max_num_tokens"); err != nil {
		return err
	}
	if e.KVBytes, err = s.Number(0, "kv_cache_memory_bytes"); err != nil || !(e.KVBytes >= 0) {
		return err
	}
	e.Unsorted = strings.Contains(strings.ToLower(s.Text("sampler")), "flashinfer")
	e.NoPeers = hasAny(strings.ToLower(s.Text("interconnect")), "no p2p", "no nvlink", "across nodes")
	if e.Graphless = s.Switch(false, "enforce_eager"); s.Switch(false, "disable_cuda_graph") {
		e.Graphless = true
	}
	e.Paged, err = s.Amount(0, "block_size")
	if e.Paged == 0 && strings.Contains(strings.ToLower(s.Text("engine")), "ascend") {
		e.Paged = 128
	}
	return err
}

var (
	releaseIn = regexp.MustCompile(`\b0\.(\d+)(?:\.(\d+))?`)
	monthIn   = regexp.MustCompile(`\b(202\d)-(\d\d)`)
)

// release is the version of the engine: as it is said, or the one of the month of its log or of whoever published it; 0
// if nothing tells.
func (s Setup) release() float64 {
	text := s.Text("version") + " " + s.Text("engine")
	if found := releaseIn.FindStringSubmatch(text); found != nil && !strings.HasPrefix(found[0], "0.1.dev") {
		minor, _ := strconv.ParseFloat(found[1], 64)
		patch, _ := strconv.ParseFloat(found[2], 64)
		if minor > 1 {
			return minor + patch/100
		}
	}
	dated := text + " " + s.Text("log_date")
	if engineName(s.Text("engine", "framework")) == "vllm" { // months are known of its releases
		dated += " " + s.Text("source")
	}
	if found := monthIn.FindStringSubmatch(dated); found != nil {
		year, _ := strconv.Atoi(found[1])
		month, _ := strconv.Atoi(found[2])
		return serving.ReleaseOf(year, month)
	}
	switch {
	case strings.Contains(text, "V0"):
		return 7.03
	case strings.Contains(text, "V1"):
		return 11
	}
	return 0
}

// Bytes of an element where integers of 4 bits have a scale of 16 bits and a zero of 4 for each group (AWQ, GPTQ).
const (
	int4By128 = serving.Int4
	int4By32  = (4 + 20.0/32) / 8
	nvfp4     = 4.5 / 8
	mxfp4     = 4.25 / 8

	int4Scaled = 4.5 / 8 // a scale for each 32, and no zero
)

// publishedAs is the bytes of an element in which a model is published, if that is less than two; else 0.
func publishedAs(m *model.Model) float64 { return publishedBytes[m.PublishedIn("")] }

// publishedBytes are the bytes of an element of the formats that models are published in, but for 16 bits.
var publishedBytes = map[string]float64{"fp8": 1, "mxfp4": mxfp4, "int4": int4Scaled}

// PublishedAs is the bytes of an element in which a model of the catalog is published, if that is less than two.
func PublishedAs(id string) (bytes float64, less bool) {
	if k, err := model.Catalog().Get(id); err == nil {
		bytes = publishedAs(&k.Model)
	}
	return bytes, bytes > 0
}

// loadedAs reads how weights and cache are stored.
func (s Setup) loadedAs(m *model.Model, engine string) (serving.Precision, error) {
	cache, err := s.cachedAs(m)
	if err != nil {
		return serving.Precision{}, err
	}
	text := strings.ToLower(s.Text("quant", "quantization", "precision", "weights"))
	name := strings.ToLower(s.Text("model"))
	if text == "" {
		text = name
	}
	size := formatIn(text)
	switch {
	case size > 0, engine == "exllama" && bitsOf(text+" "+name) > 0:
	case strings.TrimSpace(s.Text("quant", "quantization", "precision", "weights")) != "" && s.loadedGiB() == 0:
		return serving.Precision{}, fmt.Errorf("%q is no format whose bits are known; write bf16, fp8, nvfp4, mxfp4, "+
			"awq, gptq or int4, or the GiB that were loaded in the model’s name", s.Text("quant"))
	default:
		size = 2
		if as := publishedAs(m); as > 0 {
			size = as
		}
	}
	if as := publishedAs(m); as < 1 && as > 0 && size <= 1 { // whose files have several formats
		size = as
	}
	if !s.Has("kv_cache_dtype", "kv_cache") && size == nvfp4 && engine == "vllm" {
		cache = 1 // as these checkpoints ask for
	}
	p := serving.Stored(m.ID, size, cache)
	if bits := bitsOf(text + " " + name); engine == "exllama" && bits > 0 { // the unembedding has six, or as many
		p = serving.Uniform(bits/8, cache)
		p.Tables = max(bits, 6) / 8
	}
	if strings.Contains(text, "routed experts") {
		p = serving.Uniform(2, cache)
		p.Experts = size
		if size == int4By128 {
			p.Experts = int4By32
		}
	}
	if strings.Contains(text, "mixed") && size < 1 {
		p.Attention = 1
	}
	if gib := s.loadedGiB(); gib > 0 {
		p = loadedTo(m, p, gib*(1<<30))
	}
	return p, nil
}

// formatIn is the bytes of an element in the format that a text names; 0 if it names none whose bits are known.
func formatIn(text string) float64 {
	switch {
	case hasAny(text, "nvfp4", "fp8/fp4"):
		return nvfp4
	case strings.Contains(text, "mxfp4"):
		return mxfp4
	case hasAny(text, "awq", "gptq", "int4", "4-bit", "4bit", "w4a16", "autoround"):
		if strings.Contains(text, "g32") {
			return int4By32
		}
		return int4By128
	case hasAny(text, "fp8", "int8", "w8a8", "8-bit", "8bit"):
		return 1
	case hasAny(text, "bf16", "fp16", "16-bit", "float16", "half"):
		return 2
	}
	return 0
}

// hasAny tells whether a text has one of some words.
func hasAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

var builtGiB = regexp.MustCompile(`(?i)\((\d+(?:\.\d+)?) (GiB|GB)(?: quantised)?(?: build|;| weights)`)

// loadedGiB is the size of all weights where the model’s name tells it; 0 if it doesn’t.
func (s Setup) loadedGiB() float64 {
	found := builtGiB.FindStringSubmatch(s.Text("model"))
	if found == nil {
		return 0
	}
	x, _ := strconv.ParseFloat(found[1], 64)
	return x
}

// loadedTo is p with the bytes of layers such that all weights take so many.
func loadedTo(m *model.Model, p serving.Precision, bytes float64) serving.Precision {
	shape := serving.NewShape(m, p)
	tables := (shape.Logits + shape.Lookup) * p.Tables
	all := float64(shape.WeightBytes()) - shape.Beside
	if body := all - tables; body > 0 && bytes > tables {
		c := (bytes - tables) / body
		p.Attention, p.MLP, p.Experts = p.Attention*c, p.MLP*c, p.Experts*c
	}
	return p
}

// exllamaCache is a cache of ExLlama by its bits: Q6, or those of keys and of values, 8,4.
var exllamaCache = regexp.MustCompile(`^q?([2-8])(?:,([2-8]))?$`)

// bitsOf finds the bits of a weight in a format of ExLlama; 0 if a text names none.
func bitsOf(text string) float64 {
	m := freeWords.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	x, _ := strconv.ParseFloat(cmp.Or(m[2], m[3]), 64)
	if !(x >= 1 && x <= 16) {
		return 0
	}
	return x
}

// cachedAs reads how keys and values are stored, in bytes an element.
func (s Setup) cachedAs(m *model.Model) (float64, error) {
	text := strings.ToLower(s.Text("kv_cache_dtype", "kv_cache", "cache_mode"))
	if m := exllamaCache.FindStringSubmatch(text); m != nil { // of keys and of values; a scale of 16 for each 32
		keys, _ := strconv.ParseFloat(m[1], 64)
		values, _ := strconv.ParseFloat(cmp.Or(m[2], m[1]), 64)
		return ((keys+values)/2 + 0.5) / 8, nil
	}
	switch {
	case text == "", strings.Contains(text, "16"), strings.HasPrefix(text, "auto"):
		return 2, nil
	case strings.Contains(text, "ds_mla"), strings.Contains(text, "fp8") && m.Index.Top > 0:
		return 656.0 / 576, nil // 512 of latents in fp8 with 4 scales, 64 of the rotary key in bf16
	case strings.Contains(text, "fp8"), strings.Contains(text, "int8"), strings.Contains(text, "q8"):
		return 1, nil
	case strings.Contains(text, "fp4"), strings.Contains(text, "int4"):
		return nvfp4, nil
	default:
		return 0, fmt.Errorf("kv_cache_dtype is %q; write auto, bf16 or fp8", text)
	}
}
