package measured

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/training"
)

// setting is a row of serving, read: what the estimation packages need.
type setting struct {
	shape           *serving.Shape
	chip            serving.Chip
	load            serving.Load
	reuse           serving.Reuse // of prompts that come again
	kind            loadKind
	concurrency     float64          // of a closed loop
	stages          []float64        // of an open one: requests a second in each stage, all of which last as long
	arrivals        serving.Arrivals // how they come
	engine          string           // "vllm", "sglang", "trtllm"; "" if unknown
	plan            serving.Plan
	written         serving.Plan // as the row has it, where a script chooses another
	apart           bool         // prefill and decode on chips of their own
	prefill, decode part
	options         serving.Engine
	notes           []string // what was not taken as it is written
}

// part is one side of a disaggregated system.
type part struct {
	plan    serving.Plan
	workers float64 // 0 if the row doesn't say
	batch   float64 // sequences at a time of each attention group, 0 if the row doesn't say
	slots   float64 // the same at the most
	tokens  float64 // of prompts in one step at the most
}

// readServing reads a set-up.
func readServing(s Setup) (*setting, error) {
	m, state, err := servedModel(s)
	if err != nil {
		return nil, err
	}
	t := &setting{engine: engineName(s.Text("engine", "framework")), apart: s.Text("mode") == "disagg"}
	if t.chip, err = s.chip(); err != nil {
		return nil, err
	}
	if err := t.readLoad(s); err != nil {
		return nil, err
	}
	p := precision(s)
	t.notePrecision(s)
	if t.wideCache(s) {
		p.Cache = 2
	}
	t.shape = serving.NewShape(m, p)
	t.shape.State = max(t.shape.State, state)
	if err := t.readEngine(s); err != nil {
		return nil, err
	}
	if t.apart {
		if t.prefill, err = t.readPart(s, "prefill"); err == nil {
			t.decode, err = t.readPart(s, "decode")
		}
		if err == nil {
			err = t.follow(s)
		}
		return t, err
	}
	whole := false
	if t.plan, whole, err = t.readPlan(s); err != nil {
		return nil, err
	}
	t.written = t.plan
	t.plan = t.scripted(s)
	if whole && t.kind == closedLoop {
		t.apart, t.prefill.plan, t.decode.plan = true, t.plan, t.plan
	}
	return t, t.follow(s)
}

// chip is the device of a set-up by its name, or as the set-up describes it.
func (s Setup) chip() (serving.Chip, error) {
	device, err := FindDevice(s.Text("device"))
	if err != nil {
		device, err = deviceNamed(s.Text("device"))
	}
	if err == nil {
		return serving.NewChip(device)
	}
	if !s.Has(peakNames...) {
		return serving.Chip{}, err
	}
	d, err := s.ownDevice()
	peak := d.Peak[training.BF16]
	return serving.Chip{ID: d.Name, Name: d.Name, Bandwidth: d.Stream, Memory: d.Memory, Peak16: peak, Peak8: peak,
		Link: d.Fast, Domain: d.Domain, Network: d.Slow}, err
}

// servedModel is the model of a set-up, by its config, its own shape or its name; and the bytes of its state where its
// shape doesn't tell them.
func servedModel(s Setup) (*model.Model, float64, error) {
	if s.described() {
		m, err := s.model()
		return m, 0, err
	}
	name := s.Text("model")
	if m, state, found := hybrid(modelName(name)); found {
		return m, state, nil
	}
	m, err := FindModel(name)
	if err != nil {
		if m, err = modelNamed(name); err != nil {
			m, err = s.model()
		}
	}
	return m, 0, err
}

// engineName is the engine without its version.
func engineName(text string) string {
	text = strings.ToLower(text)
	for _, name := range []string{"vllm", "sglang", "trtllm"} {
		if strings.Contains(strings.ReplaceAll(text, "tensorrt-llm", "trtllm"), name) {
			return name
		}
	}
	return ""
}

// cacheNames are the names by which set-ups tell how the cache is stored.
var cacheNames = []string{"kv_cache", "kv_cache_dtype"}

// precision reads how weights and cache are stored.
func precision(s Setup) serving.Precision {
	text := strings.ToLower(s.Text("precision", "gemm_quant", "weights") + " " + s.Text("model"))
	weights := 2.0
	switch {
	case strings.Contains(text, "fp4") || strings.Contains(text, "int4"):
		weights = 4.5 / 8
	case strings.Contains(text, "fp8") || strings.Contains(text, "int8") || strings.Contains(text, "w8a8"):
		weights = 1
	}
	p := serving.Uniform(weights, min(max(weights, 1), 2))
	if weights < 1 {
		p.Attention = 1
	}
	if strings.Contains(text, "gpt-oss") {
		p = serving.Uniform(2, 2)
		p.Experts = 4.25 / 8
		if weights < 2 {
			p.Cache = 1
		}
	}
	switch cache := strings.ToLower(s.Text(cacheNames...)); {
	case strings.Contains(cache, "8"):
		p.Cache = 1
	case strings.Contains(cache, "16"):
		p.Cache = 2
	}
	return p
}

// widths are what some text that tells a precision holds.
var widths = []string{"4", "8", "16", "32", "half"}

// notePrecision tells of a precision that nobody knows.
func (t *setting) notePrecision(s Setup) {
	text := s.Text("precision", "gemm_quant", "weights")
	if text != "" && !slices.ContainsFunc(widths, func(w string) bool { return strings.Contains(text, w) }) {
		t.notes = append(t.notes, fmt.Sprintf("%q is no precision that is known, and weights are taken for 16 bits; write "+
			"bf16, fp8, int8, fp4 or int4", text))
	}
}

// wideCache tells whether the cache stays in 16 bits beside narrower weights: engines keep it so unless they are told
// otherwise, as the published scripts and systems tell them (lengths, apart, offline). vLLM asks the checkpoint.
func (t *setting) wideCache(s Setup) bool {
	return t.engine != "vllm" && !t.apart && t.kind != offline && !slices.Contains(publishedLengths, t.lengths()) &&
		!s.Has(cacheNames...)
}

// readPart reads one side of a disaggregated system.
func (t *setting) readPart(s Setup, name string) (part, error) {
	sub := s.object(name)
	if sub == nil {
		return part{}, fmt.Errorf("the plan of %s is not given; write its tp, attention_dp, moe_ep and workers", name)
	}
	p, _, err := t.readPlan(sub)
	if err != nil {
		return part{}, err
	}
	workers, err := sub.Amount(0, "workers")
	if err != nil {
		return part{}, err
	}
	batch, err := sub.Amount(0, "batch")
	if err != nil {
		return part{}, err
	}
	slots, err := sub.Amount(0, "max_batch_size", "max_num_seqs")
	return part{plan: p, workers: workers, batch: batch, slots: slots}, err
}
