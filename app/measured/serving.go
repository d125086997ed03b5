package measured

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
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
	listed          float64          // requests of a list that is all there from the start; 0 is without an end
	engine          string           // "vllm", "sglang", "trtllm", "deepseek"; "" if unknown
	release         string           // of the engine, as the row has it, without spaces; "" if it isn't stated
	plan            serving.Plan
	replicas        float64      // that share the requests, each of plan or a system of its own where apart; 0 is one
	written         serving.Plan // as the row has it, where a script chooses another
	apart           bool         // prefill and decode on chips of their own
	prefill, decode part
	asRead          string // the plans of both as the row has them
	likes           int    // set-ups that were published for its size and load, where it doesn't tell its workers
	noPlan          bool   // nor the chips of a worker
	unsettled       bool   // it doesn't tell whether it guesses; its set-up was published with guesses and without
	options         serving.Engine
	mixed           bool                // prompts share steps with tokens of others, as they usually don’t
	notes           []string            // what was not taken as it is written
	widths          serving.SpreadTable // of intervals; those that are shipped, if empty
}

// part is one side of a disaggregated system.
type part struct {
	plan    serving.Plan
	workers float64 // 0 if the row doesn't say
	batch   float64 // sequences at a time of each attention group, 0 if the row doesn't say
	slots   float64 // the same at the most
	tokens  float64 // of prompts in one step at the most
	whole   bool    // the plan is as many chips as the whole system has
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
	_, release, _ := strings.Cut(strings.TrimSpace(strings.ToLower(s.Text("engine", "framework"))), " ")
	t.release = strings.Join(strings.Fields(release), "-")
	if err := t.readLoad(s); err != nil {
		return nil, err
	}
	t.shape = serving.NewShape(m, t.readPrecision(s, m))
	t.shape.State = max(t.shape.State, state)
	t.noteOdd(s)
	if err := t.readEngine(s); err != nil {
		return nil, err
	}
	if err := t.store(s, m); err != nil {
		return nil, err
	}
	if t.replicas, err = s.Count(mostChips, "replicas", "num_replicas", "instances"); err != nil {
		return nil, err
	}
	if t.apart {
		if t.prefill, err = t.readPart(s, "prefill"); err == nil {
			t.decode, err = t.readPart(s, "decode")
		}
		t.asRead = t.prefill.plan.String() + " to " + t.decode.plan.String()
		if err == nil {
			t.published(s)
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
	t.ownSequences(s)
	if err := t.noteIdle(s); err != nil {
		return nil, err
	}
	if err := t.shareOut(s); err != nil {
		return nil, err
	}
	if whole && t.kind == closedLoop {
		t.apart, t.prefill, t.decode = true, part{plan: t.plan, whole: true}, part{plan: t.plan, whole: true}
		t.asRead = t.plan.String() + " to " + t.plan.String()
		t.published(s)
	}
	return t, t.follow(s)
}

// readPrecision is in which formats the row has a model.
func (t *setting) readPrecision(s Setup, m *model.Model) serving.Precision {
	p := precision(s, m)
	if as := publishedBytes[s.publishedIn(m)]; as > 0 {
		p = cached(s, serving.Stored(m.ID, as, 2))
	}
	t.notePrecision(s)
	if t.wideCache(s) {
		if t.engine == "trtllm" && p.Cache < 2 {
			t.notes = append(t.notes, "keys and values are taken for 16 bits; TensorRT-LLM keeps them in 8, and twice "+
				"as many, where the checkpoint says so, as NVIDIA's own in fp8 and fp4 do: write kv_cache fp8 or bf16")
		}
		p.Cache = 2
	}
	return p
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
	for _, name := range []string{"vllm", "sglang", "trtllm", "deepseek"} {
		if strings.Contains(strings.NewReplacer("tensorrt-llm", "trtllm", "trt-llm", "trtllm", "tensorrt_llm",
			"trtllm").
			Replace(text), name) {
			return name
		}
	}
	return ""
}

// cacheNames are the names by which set-ups tell how the cache is stored.
var cacheNames = []string{"kv_cache", "kv_cache_dtype"}

// precision reads how weights and cache are stored.
func precision(s Setup, m *model.Model) serving.Precision {
	text := strings.ToLower(s.Text("precision", "gemm_quant", "weights") + " " + s.Text("quantization", "quant") + " " +
		s.Text("model"))
	weights := 2.0
	switch {
	case integers.MatchString(text): // weights only
		return cached(s, serving.Uniform(serving.Int4, 2))
	case strings.Contains(text, "fp4") || strings.Contains(text, "int4"):
		weights = 4.5 / 8
	case strings.Contains(text, "fp8") || strings.Contains(text, "int8") || strings.Contains(text, "w8a8"):
		weights = 1
	}
	p := serving.Uniform(weights, min(max(weights, 1), 2))
	if weights < 1 {
		p.Attention = 1
	}
	if expertsApart(m, text) {
		p = serving.Uniform(2, 2)
		p.Experts = 4.25 / 8
		if weights < 2 {
			p.Cache = 1
		}
	}
	return cached(s, p)
}

// expertsApart tells whether a model’s publisher stores its experts in 4 bits and the rest in 16, by its entry in the
// catalog or, of one that is described, by its name.
func expertsApart(m *model.Model, name string) bool {
	return strings.HasPrefix(m.ID, "gpt_oss") || hasAny(name, "gpt-oss", "gptoss")
}

// publishedIn is the format in which the checkpoint is published, where a set-up says nothing of its weights.
func (s Setup) publishedIn(m *model.Model) string {
	if s.saysWidth() {
		return ""
	}
	return m.PublishedIn(s.Text("model"))
}

// integers are formats of weights in integers of 4 bits, which are multiplied in 16.
var integers = regexp.MustCompile(`\b(awq|gptq|w4a16|4-?bit)\b`)

// cached is a precision with the cache as a set-up tells it.
func cached(s Setup, p serving.Precision) serving.Precision {
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

// saysWidth tells whether a set-up or the name of its model says how weights are stored.
func (s Setup) saysWidth() bool {
	return s.Has("precision", "gemm_quant", "weights", "quantization", "quant") ||
		hasAny(strings.ToLower(s.Text("model")), "fp8", "fp4", "bf16", "int8", "int4", "awq", "gptq", "w4a", "w8a")
}

// store holds the format of the weights against what the engine runs on the chip: where it widens them before it
// multiplies, the chip's narrow units lie idle; what it can't run at all is refused.
func (t *setting) store(s Setup, m *model.Model) error {
	format := storedFormat(s, m)
	if format == "" {
		return nil
	}
	w := serving.Spec{Chip: t.chip, Engine: serving.Engine{Name: t.engine}}
	if err := w.StoreAs(format); err != nil {
		return err
	}
	if t.chip = w.Chip; w.Widened != "" {
		t.notes = append(t.notes, fmt.Sprintf("weights in %s are widened to 16 bits before they are multiplied: %s "+
			"has no others on this chip", w.Widened, t.engine))
	}
	return nil
}

// storedFormat is the format in which a set-up says that weights are stored, by the name that engines' formats have
// (serving.RunsOn); empty if it says none, or several.
func storedFormat(s Setup, m *model.Model) string {
	text := strings.ToLower(s.Text("precision", "gemm_quant", "weights") + " " + s.Text("quantization", "quant") + " " +
		s.Text("model"))
	switch {
	case expertsApart(m, text):
		return ""
	case integers.MatchString(text), strings.Contains(text, "int4"):
		return "int4"
	case strings.Contains(text, "mxfp4"):
		return "mxfp4"
	case strings.Contains(text, "fp4"):
		return "nvfp4"
	case strings.Contains(text, "fp8"):
		return "fp8"
	case strings.Contains(text, "int8"), strings.Contains(text, "w8a8"):
		return "int8"
	}
	return s.publishedIn(m)
}

// notePrecision tells of a precision that nobody knows.
func (t *setting) notePrecision(s Setup) {
	text := s.Text("precision", "gemm_quant", "weights")
	if text != "" && !slices.ContainsFunc(widths, func(w string) bool { return strings.Contains(text, w) }) {
		t.notes = append(t.notes, fmt.Sprintf("%q is no precision that is known, and weights are taken for 16 bits; "+
			"write bf16, fp8, int8, fp4 or int4", text))
	}
	switch half := hasAny(strings.ToLower(text), "fp16", "float16", "half"); {
	case serving.WithoutBF16(t.chip.ID) && !half:
		t.notes = append(t.notes, t.chip.Name+" has no bf16: engines compute in fp16 there, which is estimated")
	case half:
		t.notes = append(t.notes, "fp16 is estimated at the rate of bf16: engines add products up in 32 bits, and "+
			"with those both take as long")
	}
}

// wideCache tells whether the cache stays in 16 bits beside narrower weights: engines keep it so unless they are set
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
	p, whole, err := t.readPlan(sub)
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
	return part{plan: p, workers: workers, batch: batch, slots: slots, whole: whole}, err
}

// loadKind is how requests come.
type loadKind uint8

const (
	closedLoop loadKind = iota // so many under way
	openLoop                   // so many a second
	offline                    // all at once: as many as fit run
)

// workloadTable is the loads that rows name without lengths: name, tokens of prompt and answer, requests a second stage
// by stage, and how many prompts there are, which come again and again; 0 if that isn't known. They are the profiles of
// inference-sim/training (2026-03-18) as their own rows print them; roleplay's lengths are inferred.
//
//go:embed workloads.tsv
var workloadTable string

// mostOfLoad is more than anyone runs.
const mostOfLoad = 1e9

// readLoad reads lengths, how requests come, and what they find in the cache.
func (t *setting) readLoad(s Setup) error {
	stages, err := t.readLengths(s)
	if err != nil {
		return err
	}
	if err = t.readReuse(s); err != nil {
		return err
	}
	rate, err := s.Amount(0, "request_per_s", "rate")
	if err != nil {
		return err
	}
	if rate > 0 {
		stages = []float64{rate}
	}
	if t.concurrency, err = s.Amount(0, "concurrency", "batch", "batch_size"); err != nil {
		return err
	}
	load := s.Text("load")
	switch {
	case strings.Contains(load, "offline") || s.Text("scenario") == "Offline":
		t.kind = offline
		t.listed, err = s.Amount(0, "num_requests", "num_prompts", "requests")
	case t.concurrency > 0:
		var all float64
		if all, err = s.Amount(0, "num_requests", "num_prompts", "requests"); all > 0 {
			t.load.Waves = max(all/t.concurrency, 1)
		}
	case len(stages) > 0:
		t.kind, t.stages = openLoop, stages
		t.arrivals.Even = strings.Contains(load, "constant")
		t.arrivals.Duration, err = s.Amount(0, "stage_s")
	case t.apart:
		t.kind = offline
	default:
		err = errors.New("the load is not given; write concurrency, or request_per_s, or load offline")
		if s.Has("concurrency", "batch", "batch_size", "request_per_s", "rate") {
			err = errors.New("the load is 0; write a concurrency from 1 on, or request_per_s above 0")
		}
	}
	return err
}

// readLengths reads the lengths of prompts and answers, or takes them and the rates from the workload that is named.
func (t *setting) readLengths(s Setup) (stages []float64, err error) {
	if c := workload(s.Text("workload")); c != nil {
		t.load.In, _ = strconv.ParseFloat(c[1], 64)
		t.load.Out, _ = strconv.ParseFloat(c[2], 64)
		for text := range strings.SplitSeq(c[3], ",") {
			rate, _ := strconv.ParseFloat(text, 64)
			stages = append(stages, rate)
		}
	}
	if in, out, both := strings.Cut(s.Text("isl_osl"), "/"); both {
		t.load.In, _ = number(in)
		t.load.Out, _ = number(out)
		t.load.In, t.load.Out = binary(in, t.load.In), binary(out, t.load.Out)
	}
	if t.load.In, err = s.Length(t.load.In, "isl", "isl_mean", "isl_approx", "input_len", "input_tokens"); err != nil {
		return nil, err
	}
	if t.load.Out, err = s.Length(t.load.Out, "osl", "osl_mean", "output_len", "output_tokens",
		"new_tokens"); err != nil {
		return nil, err
	}
	if t.load.In < 1 || t.load.Out < 1 {
		return nil, errors.New("the lengths of prompts and answers are not given; write isl and osl in tokens")
	}
	return stages, nil
}

// workload is the line of the table that has this name; nil if none has.
func workload(name string) []string {
	for line := range strings.Lines(workloadTable) {
		if c := strings.Split(strings.TrimSpace(line), "\t"); c[0] == name {
			return c
		}
	}
	return nil
}

// readEngine reads how the engine is set.
func (t *setting) readEngine(s Setup) error {
	blocks := 0.0
	for _, v := range []struct {
		to    *float64
		names []string
	}{
		{&t.options.Chunk, []string{"max_num_batched_tokens", "chunked_prefill_size", "max_num_tokens"}},
		{&t.options.Sequences, []string{"max_num_seqs", "max_batch_size"}},
		{&blocks, []string{"total_kv_blocks", "num_gpu_blocks"}},
	} {
		x, err := s.Amount(0, v.names...)
		if err != nil {
			return err
		}
		*v.to = x
	}
	t.options.Tokens = blocks * block
	t.options.Name = t.engine
	t.options.OfFree, t.options.Reserve = t.engine == "trtllm", serving.Reserves(t.engine)
	if t.engine == "" && t.kind == offline { // tables of throughput that name no engine are TensorRT-LLM's
		t.options.Reserve = serving.Reserves("trtllm")
	}
	t.options.Halves = s.Switch(false, "two_batch_overlap", "enable_two_batch_overlap", "enable_dbo")
	t.options.Graphless = s.Switch(false, "enforce_eager", "disable_cuda_graph")
	t.mixed = s.Switch(false, "enable_mixed_chunk")
	var err error
	t.options.Share, err = s.Share(0, "gpu_memory_utilization", "mem_fraction_static",
		"kv_cache_free_gpu_memory_fraction")
	return err
}

// block is the tokens of a block of the cache; prefixes are kept in whole blocks.
const block = 16

// readReuse reads what requests find in the cache, and what is guessed for them. Loads of inference-perf have a set of
// prompts, a prompt a user, which they send round and round (SharedPrefixDataGenerator); engines keep prefixes unless
// set otherwise. So everything is found but the last block.
func (t *setting) readReuse(s Setup) (err error) {
	if t.load.Hit, err = s.Share(0, "prefix_hit", "hit_rate", "cache_hit_rate", "prefix_cache_hit_rate",
		"cached_share"); err != nil {
		return err
	}
	if err := t.readGuesses(s); err != nil {
		return err
	}
	sessions, err := t.sessions(s)
	whole := math.Floor((t.load.In-1)/block) * block
	t.reuse = serving.Reuse{Sessions: sessions, Prefix: whole, Prompt: t.load.In}
	return err
}

// guessed is how rows name the number of tokens that are guessed a step.
var guessed = [...]string{"speculative_tokens", "num_speculative_tokens", "num_nextn_predict_layers", "mtp"}

// mostGuesses is more than any engine guesses a step.
const mostGuesses = 64

// readGuesses reads what is guessed, and the tokens that a verified step yields. Without a word nothing is guessed.
func (t *setting) readGuesses(s Setup) error {
	n, err := s.Whole(0, 0, mostGuesses, guessed[:]...)
	if err != nil {
		return err
	}
	guesses := float64(n)
	t.guess(guesses)
	tokens, err := s.Amount(0, "accepted_length", "acceptance_length", "accept_length", "mean_acceptance_length")
	if tokens > mostGuesses+1 {
		return fmt.Errorf("%v tokens are accepted a step; write at most %d", tokens, mostGuesses+1)
	}
	if err == nil && tokens > 1 {
		guesses = max(guesses, math.Ceil(tokens-1))
		t.load.Tokens, t.load.Verify, t.load.Passes = tokens, guesses+1, guesses
	}
	return err
}

// accepted is the tokens that a step yields with one guess, two, three and four, by a model's own further layers:
// DeepSeek-V4-Pro, as SemiAnalysisAI/InferenceX publishes it. More guesses yield hardly more.
var accepted = [...]float64{1.79, 2.27, 2.49, 2.54}

// guess takes so many guesses a step, which are accepted as is usual; none if there are none.
func (t *setting) guess(guesses float64) {
	if guesses >= 1 {
		t.load.Tokens, t.load.Verify = accepted[int(min(guesses, float64(len(accepted))))-1], guesses+1
		t.load.Passes = guesses
	}
}

// sessions is how many prompts a load sends again and again; 0 if they are all different.
func (t *setting) sessions(s Setup) (float64, error) {
	if shared := s.object("shared_prefix"); shared != nil {
		prompts, err := shared.Amount(0, "num_unique_system_prompts", "num_groups")
		if err != nil {
			return 0, err
		}
		users, err := shared.Amount(1, "num_users_per_system_prompt", "num_prompts_per_group")
		return prompts * users, err
	}
	if c := workload(s.Text("workload")); c != nil {
		return strconv.ParseFloat(c[4], 64)
	}
	return 0, nil
}

// cached is the load of t on a replica: with what requests find in its cache.
func (t *setting) cached(r *serving.Replica) serving.Load {
	l := t.mean()
	if t.reuse.Sessions > 0 {
		l.Hit = t.reuse.Hit(r.PrefixCapacity(0, l))
	}
	return l
}
