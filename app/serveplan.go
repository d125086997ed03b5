package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/serving/startlog"
)

// serveFlags is what the flags of serve-plan say.
type serveFlags struct {
	model, chip, engine, weights, cache, experts string
	survival, part, layout, log, version         string
	chips, in, out                               string
	hit, rate, price, offload, growth            float64
	ttft, tpot, added                            time.Duration
	chunk, sequences, top                        int
	length                                       tokenCount
	share                                        float64
	json, csv, all                               bool
	spec                                         serving.Spec
	width, checked                               int
	best                                         serving.Option // with most tokens a chip
	lines                                        *serving.Lines // of options at the rate
	first, parts                                 int
	read                                         *startlog.Log // that -log names
	given                                        []string      // flags of the command
}

// flags declares them.
func (w *serveFlags) flags() *flag.FlagSet {
	f := newFlags("serve-plan")
	f.StringVar(&w.model, "model", "", "a model of the catalog, or a config.json")
	f.StringVar(&w.chip, "chip", "gpu.h100", "an accelerator of the catalog, h100 or gpu.h100")
	f.StringVar(&w.chips, "chips", "8", "chips at the most")
	f.StringVar(&w.in, "in", "1024", "tokens of a prompt")
	f.StringVar(&w.out, "out", "1024", "tokens of an answer")
	f.Float64Var(&w.hit, "hit", 0, "share of a prompt that is cached")
	f.StringVar(&w.survival, "survival", "", "how often each guessed token is accepted: 0.8,0.6,0.4")
	f.IntVar(&w.width, "width", 1,
		"guesses kept at a position, and followed (SGLang’s speculative-eagle-topk); 1 is a chain")
	f.IntVar(&w.checked, "checked", 0, "tokens checked in a step (speculative-num-draft-tokens); all if left out")
	f.StringVar(&w.weights, "weights", "bf16", "how weights are stored; what the published checkpoint has wider stays "+
		"so; models that are only published in fewer bits are taken so if left out")
	f.StringVar(&w.experts, "experts", "", "how routed experts are stored, as weights if left out")
	f.StringVar(&w.cache, "cache", "bf16", "how keys and values are stored")
	f.StringVar(&w.cache, "kv-cache-dtype", "bf16", "the same, by the engines’ name")
	f.StringVar(&w.engine, "engine", "", "vllm, sglang, trtllm or maxtext; all together if left out")
	f.IntVar(&w.chunk, "chunk", 0, "tokens of prompts in a step at the most")
	f.IntVar(&w.chunk, "max-num-batched-tokens", 0, "the same, by vLLM’s name")
	f.IntVar(&w.sequences, "sequences", 0, "sequences that run at once at the most")
	f.IntVar(&w.sequences, "max-num-seqs", 0, "the same, by vLLM’s name")
	f.Float64Var(&w.share, "share", 0, "share of a chip’s memory that the engine takes")
	f.Float64Var(&w.share, "gpu-memory-utilization", 0, "the same, by vLLM’s name")
	f.Var(
		&w.length,
		"max-model-len",
		"tokens of the longest sequence that the engine takes; as long as the requests "+
			"if left out",
	)
	f.StringVar(&w.layout, "plan", "", "price only this layout, and show what it leaves to KV tokens: tp=16, "+
		"tp=1,dp=8,ep=8, or as plans are printed, such as: 1x TP4 to 2x TP8")
	f.StringVar(
		&w.log,
		"log",
		"",
		"set an engine’s start-up log beside its ledger instead: a file, or - for stdin; what it "+
			"says of model, chip and flags need not be given",
	)
	f.StringVar(&w.version, "version", "", "the engine’s version, such as 0.10.2, or 2024 for July of "+
		"a year; the newest if left out")
	f.Float64Var(&w.offload, "offload", 0, "GB of its weights that a chip may leave in the memory of its host")
	f.Float64Var(&w.growth, "growth", 1, "what grows with the batch takes so many times as long as fitted, as two "+
		"runs of your own tell (calculator serving-runs)")
	f.DurationVar(&w.added, "added", 0, "time that each step takes besides, as they tell; may be negative")
	f.DurationVar(&w.ttft, "ttft", 0, "time to the first token at the most")
	f.DurationVar(&w.tpot, "tpot", 0, "time per output token at the most")
	f.Float64Var(&w.rate, "rate", 0, "requests a second: the replicas that they need, and their waits")
	f.Float64Var(&w.price, "price", 0, "dollars a chip and hour; the catalog’s if left out")
	f.BoolVar(&w.spec.Apart, "apart", false, "also prefill and decode on chips of their own")
	f.BoolVar(&w.spec.Engine.Halves, "overlap", false,
		"experts: one half of a batch computes while the other exchanges tokens (two-batch overlap), if that is faster")
	f.BoolVar(&w.all, "all", false, "every option, not only those that nothing beats")
	f.IntVar(&w.top, "top", 20, "options shown at the most; 0 shows all")
	f.BoolVar(&w.json, "json", false, "print JSON")
	f.BoolVar(&w.csv, "csv", false, "print CSV")
	f.StringVar(&w.part, "part", "", "price part i/n of the plans")
	return f
}

// servePlan is the verb that estimates every way to serve a model.
func servePlan(args []string, s streams) int {
	var w serveFlags
	set := w.flags()
	others, status, done := parse(set, args, s)
	if done {
		return status
	}
	set.Visit(func(f *flag.Flag) { w.given = append(w.given, f.Name) })
	if len(others) > 0 || w.model == "" && w.log == "" {
		s.complain(
			"scalebook serve-plan: name the model with -model, such as -model llama3.70b; nothing stands beside the flags",
		)
		return misuse
	}
	if err := w.readAll(s); err != nil {
		s.complain("scalebook serve-plan: %v", err)
		return statusOf(err)
	}
	if w.log != "" {
		if err := w.printLog(s); err != nil {
			s.complain("scalebook serve-plan: %v", err)
			return failed
		}
		return ok
	}
	if _, less := measured.PublishedAs(w.spec.Shape.Model.ID); less && w.experts == "" {
		s.complain("scalebook serve-plan: note: weights are taken as this model is published, in fewer bits than 16; " +
			"-weights says otherwise")
	}
	if long := w.spec.Shape.TooLong(w.spec.Load); long != nil {
		s.complain("scalebook serve-plan: note: %v", long)
	}
	for _, flag := range []string{"overlap", "experts"} {
		if slices.Contains(w.given, flag) && w.spec.Shape.Blocks == 0 {
			s.complain("scalebook serve-plan: note: -%s changes nothing: %s has no experts", flag,
				w.spec.Shape.Model.Name)
		}
	}
	search := w.spec.BeginPart(w.first, w.parts)
	for search.Step() {
		if err := s.ended(); err != nil {
			s.complain("scalebook serve-plan: %v", err)
			return failed
		}
	}
	if why := search.NothingApart(); why != nil && w.parts == 1 {
		s.complain("scalebook serve-plan: note: %v", phrase.Phrases{}.Text(why))
	}
	if len(search.Options) > 0 && w.spec.Widened != "" && (w.json || w.csv) { // a table has it above
		s.complain("scalebook serve-plan: note: %s is taken as weight-only here: it is widened to 16 bits before "+
			"products", w.spec.Widened)
	}
	options, refused := search.Options, search.Refused
	if w.all {
		slices.SortStableFunc(options, func(a, b serving.Option) int { return cmp.Compare(b.PerUser, a.PerUser) })
	} else {
		options = serving.Front(options)
	}
	if w.top > 0 && len(options) > w.top {
		options = spreadOptions(options, w.top)
	}
	return w.print(options, refused, s)
}

// spreadOptions keeps so many options, spread over all: the first, which is the fastest, the one with most tokens a
// chip, and, as far as there is space, the last.
func spreadOptions(all []serving.Option, most int) []serving.Option {
	best := 0
	for i := range all {
		if all[i].PerChip > all[best].PerChip {
			best = i
		}
	}
	picks, near := make([]int, most), min(1, most-1) // near is the pick that is nearest to the best, but for the first
	for i := range picks {
		picks[i] = i * (len(all) - 1) / max(most-1, 1)
		if i > 0 && abs(picks[i]-best) < abs(picks[near]-best) {
			near = i
		}
	}
	if best > 0 && near > 0 {
		picks[near] = best
	}
	var kept []serving.Option
	for _, i := range picks {
		kept = append(kept, all[i])
	}
	return kept
}

func abs(x int) int { return max(x, -x) }

// readAll turns the flags into what is to be served.
func (w *serveFlags) readAll(s streams) error {
	if w.log != "" {
		if err := w.readLog(s); err != nil {
			return err
		}
	}
	im, err := findModel(w.model, s)
	if err != nil {
		return err
	}
	a, err := findChip(w.chip)
	if err != nil {
		return err
	}
	if w.spec.Chip, err = serving.NewChip(a); err != nil {
		return err
	}
	if w.price > 0 {
		w.spec.Chip.Price = w.price / 3600
	}
	p, err := w.precision(im.Model.ID)
	if err != nil {
		return err
	}
	if err := w.readCounts(); err != nil {
		return err
	}
	if err := w.check(); err != nil {
		return err
	}
	w.spec.Shape = serving.NewShape(&im.Model, p)
	if err := w.readEngine(); err != nil {
		return err
	}
	given, err := readLayout(w.layout)
	if err != nil {
		return fmt.Errorf("-plan %q: %v", w.layout, err)
	}
	w.spec.Given = given
	if n := given.Least(); w.layout != "" && n > float64(w.spec.Chips) && !slices.Contains(w.given, "chips") {
		w.spec.Chips = int(n) // a layout says how many it takes
	}
	if given.Host > 0 && w.offload == 0 { // printed with three digits
		w.offload = given.Host * 1.005
	}
	w.spec.Load.Hit, w.spec.Load.Spread = w.hit, serving.UsualSpread
	w.spec.Offload = w.offload * 1e9
	w.spec.TTFT, w.spec.TPOT = w.ttft.Seconds(), w.tpot.Seconds()
	if err := w.readLists(); err != nil || w.log != "" { // what a log tells of did run
		return err
	}
	// A layout that is given shows its ledger, whatever is asked of it.
	if err := w.spec.StoreAs(w.formats()...); err != nil || w.layout != "" {
		return err
	}
	return w.spec.TooShort()
}

// readEngine sets what is known of the engine, and how it is set.
func (w *serveFlags) readEngine() error {
	w.spec.Constants = serving.Fitted(w.engine).Calibrated(w.growth, w.added.Seconds(), w.spec.Shape.Layers)
	if w.spec.Constants.Layer < 0 {
		return errors.New("-added: a step would take less than nothing besides its reads; add less time below zero")
	}
	release, err := w.release()
	if err != nil {
		return err
	}
	w.spec.Engine = serving.Engine{
		Name:      w.engine,
		Halves:    w.spec.Engine.Halves,
		Chunk:     float64(w.chunk),
		Sequences: float64(w.sequences),
		Share:     w.share,
		Length:    float64(w.length),
		Release:   release,
		OfFree:    w.engine == "trtllm",
	}
	return nil
}

// formats are those in which weights are stored, as far as somebody said so.
func (w *serveFlags) formats() []string {
	if _, less := measured.PublishedAs(w.spec.Shape.Model.ID); less && w.experts == "" {
		return nil // as published
	}
	all := []string{storedAs(w.weights)}
	if w.spec.Shape.Blocks > 0 {
		all = append(all, storedAs(w.experts))
	}
	return all
}

// precision reads how weights and cache are stored.
func (w *serveFlags) precision(model string) (serving.Precision, error) {
	sizes := map[string]float64{"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1, "int8": 1, "fp6": 0.75, "fp4": 4.5 / 8,
		"nvfp4": 4.5 / 8, "mxfp4": 4.25 / 8, "int4": serving.Int4} // by what storedAs says
	if size, less := measured.PublishedAs(model); less && w.experts == "" && !slices.Contains(w.given, "weights") &&
		(w.read == nil || w.read.Weights == "") {
		cache, known := sizes[storedAs(w.cache)]
		if known {
			return serving.Stored(model, size, cache), nil
		}
	}
	if w.experts == "" {
		w.experts = w.weights
	}
	var bytes [3]float64
	for i, name := range []string{w.weights, w.cache, w.experts} {
		size, known := sizes[storedAs(name)]
		if !known {
			return serving.Precision{}, fmt.Errorf(
				"unknown dtype %q; write bf16, fp8, int8, nvfp4, mxfp4, int4, awq or gptq", name)
		}
		bytes[i] = size
	}
	p := serving.Stored(model, bytes[0], bytes[1])
	if w.experts != w.weights {
		p.Experts = bytes[2]
	}
	return p, nil
}

// tokenCount is a number of tokens, also as vLLM takes it: 32k is 32,000, 32K is 32,768.
type tokenCount int

func (n *tokenCount) String() string { return strconv.Itoa(int(*n)) }

func (n *tokenCount) Get() any { return int(*n) }

func (n *tokenCount) Set(text string) error {
	number, unit := strings.TrimSuffix(text, "K"), 1.0
	if number != text {
		unit = 1024
	}
	x, err := strconv.ParseFloat(strings.Replace(number, "k", "e3", 1), 64)
	if x *= unit; err != nil || x != math.Trunc(x) || !(x >= 0 && x <= 1e8) {
		return fmt.Errorf("parse error")
	}
	*n = tokenCount(x)
	return nil
}

// mostGuesses is how deep and how wide a tree of guesses may be.
const mostGuesses = 16

// release is the engine's version, or what was new in July of a year; 0 is the newest. What a log says of a build of
// somebody's own is no number, and is taken for the newest.
func (w *serveFlags) release() (float64, error) {
	version := strings.TrimPrefix(strings.TrimSpace(w.version), "v")
	switch year, err := strconv.Atoi(version); {
	case version == "", !slices.Contains(w.given, "version"):
	case w.engine == "":
		return 0, fmt.Errorf("-version %q is of an engine; write -engine vllm beside it", w.version)
	case err == nil && (year < 2023 || year > 2100), err != nil && startlog.ReleaseOf(version) == 0:
		return 0, fmt.Errorf("-version %q is no version; write one such as 0.10.2, or a year such as 2024", w.version)
	case err == nil:
		return serving.ReleaseIn(w.engine, year), nil
	}
	return startlog.ReleaseOf(version), nil
}

// storedAs is the format that an engine's word means.
func storedAs(name string) string {
	switch name = strings.ToLower(name); name {
	case "auto", "bfloat16", "float16", "half":
		return "bf16"
	case "fp8_e4m3", "fp8_e5m2", "fp8_inc", "fp8-dynamic", "w8a8-fp8":
		return "fp8"
	case "awq", "awq_marlin", "gptq", "gptq_marlin", "w4a16":
		return "int4"
	case "w8a8", "w8a16":
		return "int8"
	case "float32":
		return "fp32"
	}
	return name
}

// readCounts reads the chips, and the tokens of a prompt and of an answer.
func (w *serveFlags) readCounts() error {
	const mostChips, mostTokens = 1 << 20, 1e8
	var in, out int
	for _, n := range []struct {
		flag, text string
		most       int
		to         *int
	}{
		{"-chips", w.chips, mostChips, &w.spec.Chips}, {"-in", w.in, mostTokens, &in},
		{"-out", w.out, mostTokens, &out},
	} {
		var err error
		if *n.to, err = answer.WholeCount(n.flag, n.text, 1, n.most); err != nil {
			return err
		}
	}
	w.spec.Load.In, w.spec.Load.Out = float64(in), float64(out)
	return nil
}

// check refuses what makes no sense.
func (w *serveFlags) check() error {
	switch {
	case w.engine != "" && !slices.Contains(serving.Engines(), w.engine) &&
		(w.read == nil || w.engine != w.read.Engine):
		if slices.Contains(startlog.Engines(), w.engine) {
			return fmt.Errorf("-engine %q: write %s, or leave it out; of %s a ledger is printed, by -log with its "+
				"start-up "+
				"log or the command that starts it", w.engine, strings.Join(serving.Engines(), ", "), w.engine)
		}
		return fmt.Errorf("-engine %q: write %s, or leave it out", w.engine, strings.Join(serving.Engines(), ", "))
	case !(w.growth > 0 && w.growth <= 100):
		return fmt.Errorf("-growth %v: write a factor above 0, up to 100", w.growth)
	case !(w.hit >= 0 && w.hit <= 1):
		return fmt.Errorf("-hit %v: write a share from 0 to 1", w.hit)
	case !(w.share >= 0 && w.share <= 1):
		return fmt.Errorf("-%s %v: write a share from 0 to 1", w.typed("share"), w.share)
	case w.ttft < 0 || w.tpot < 0:
		return fmt.Errorf("-ttft %v -tpot %v: write times above 0, or leave them out", w.ttft, w.tpot)
	case w.offload > 0 && (w.engine == "trtllm" || w.engine == "maxtext"):
		return fmt.Errorf("-offload %v: %s keeps all weights on its chips; write -engine vllm or sglang, or "+
			"leave it out",
			w.offload, w.engine)
	case w.log != "" && (w.csv || w.part != "" || w.rate > 0):
		return errors.New("-log prints a ledger; leave -csv, -part and -rate out")
	case w.log != "" && w.engine == "maxtext":
		return errors.New("-log: the logs of maxtext tell of no cache; write -engine vllm, sglang or trtllm")
	case w.json && w.csv:
		return errors.New(bothForms)
	}
	for _, n := range []struct {
		flag  string
		value float64
		most  float64
	}{
		{"max-model-len", float64(w.length), 1e8}, {"chunk", float64(w.chunk), 1e8},
		{"sequences", float64(w.sequences), 1e8}, {"rate", w.rate, 1e9}, {"price", w.price, 1e6},
		{"offload", w.offload, 1e6}, {"top", float64(w.top), 1e9},
	} {
		if !(n.value >= 0 && n.value <= n.most) {
			return fmt.Errorf("-%s %v: write a number from 0 to %.0f", w.typed(n.flag), n.value, n.most)
		}
	}
	return nil
}

// typed is the name by which a flag was given, of those that have two.
func (w *serveFlags) typed(name string) string {
	other := map[string]string{"share": "gpu-memory-utilization", "sequences": "max-num-seqs",
		"chunk": "max-num-batched-tokens"}[name]
	if other != "" && slices.Contains(w.given, other) {
		return other
	}
	return name
}

// engineFlag says how a flag that engines have is given here, or "" if they have none of that name.
func engineFlag(name string) string {
	means := startlog.FlagNamed(name)
	how := map[string]string{"tp": "-plan tp=8", "pp": "-plan pp=2", "dp": "-plan dp=8", "ep": "-plan ep=8",
		"cp": "-plan cp=2", "share": "-gpu-memory-utilization", "length": "-max-model-len",
		"sequences": "-max-num-seqs", "chunk": "-max-num-batched-tokens", "cache": "-kv-cache-dtype",
		"quant": "-weights", "dtype": "-weights", "model": "-model", "offload": "-offload", "draft": "-survival"}[means]
	switch {
	case means == "":
		return ""
	case how == "":
		return "; engines have it: -log reads the whole command that starts one, or its start-up log"
	}
	return "; engines have it: here it is " + how + ", and -log reads the whole command that starts one"
}

// readLists reads -survival and -part.
func (w *serveFlags) readLists() error {
	var survival serving.Survival
	for text := range strings.SplitSeq(w.survival, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return fmt.Errorf("-survival %q: write shares from 0 to 1, such as 0.8,0.6", w.survival)
		}
		survival = append(survival, x)
	}
	switch {
	case len(survival) > mostGuesses || w.width < 1 || w.width > mostGuesses || w.checked < 0 || w.checked == 1 ||
		w.checked > 1<<12:
		return fmt.Errorf("-survival %q -width %d -checked %d: write at most %d shares, a width from 1 to %d, and "+
			"no or at "+
			"least 2 tokens", w.survival, w.width, w.checked, mostGuesses, mostGuesses)
	case w.width > 1 && w.engine != "sglang" && w.engine != "":
		return fmt.Errorf("-width %d: %s guesses one token behind the other; write -width 1 or -engine sglang", w.width,
			w.engine)
	case len(survival) == 0 && (w.width > 1 || w.checked > 0):
		return errors.New("-width and -checked: write also how often guesses survive, such as -survival 0.8,0.6")
	case len(survival) > 0:
		w.spec.Shape = w.spec.Shape.Drafted()
		w.spec.Load = w.spec.Load.Guess(serving.Draft{Survival: survival, Width: w.width, Checked: w.checked})
	}
	w.parts = 1
	if w.part == "" {
		return nil
	}
	i, n, found := strings.Cut(w.part, "/")
	first, err1 := strconv.Atoi(i)
	parts, err2 := strconv.Atoi(n)
	if !found || err1 != nil || err2 != nil || parts < 1 || first < 1 || first > parts {
		return fmt.Errorf("-part %q: write i/n, such as 1/4", w.part)
	}
	w.first, w.parts = first-1, parts
	return nil
}
