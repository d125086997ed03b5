package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/serving"
)

// serveWish is what the flags of serve-plan say.
type serveWish struct {
	model, chip, engine, weights, cache, experts string
	survival, part                               string
	in, out                                      int
	hit, rate, price                             float64
	ttft, tpot                                   time.Duration
	chunk, sequences, top                        int
	share                                        float64
	json, csv, all                               bool
	wish                                         serving.Wish
	first, parts                                 int
}

// flags declares them.
func (w *serveWish) flags() *flag.FlagSet {
	f := newFlags("serve-plan")
	f.StringVar(&w.model, "model", "", "a model of the catalog, or a config.json")
	f.StringVar(&w.chip, "chip", "gpu.h100", "an accelerator of the catalog")
	f.IntVar(&w.wish.Chips, "chips", 8, "chips at the most")
	f.IntVar(&w.in, "in", 1024, "tokens of a prompt")
	f.IntVar(&w.out, "out", 1024, "tokens of an answer")
	f.Float64Var(&w.hit, "hit", 0, "share of a prompt that is cached")
	f.StringVar(&w.survival, "survival", "", "how often each guessed token is accepted: 0.8,0.6,0.4")
	f.StringVar(&w.weights, "weights", "bf16", "how weights are stored")
	f.StringVar(&w.experts, "experts", "", "how routed experts are stored, as weights if left out")
	f.StringVar(&w.cache, "cache", "bf16", "how keys and values are stored")
	f.StringVar(&w.engine, "engine", "", "vllm, sglang, trtllm or maxtext; all together if left out")
	f.IntVar(&w.chunk, "chunk", 0, "tokens of prompts in a step at the most")
	f.IntVar(&w.sequences, "sequences", 0, "sequences that run at once at the most")
	f.Float64Var(&w.share, "share", 0, "share of a chip's memory that the engine takes")
	f.DurationVar(&w.ttft, "ttft", 0, "time to the first token at the most")
	f.DurationVar(&w.tpot, "tpot", 0, "time a token at the most")
	f.Float64Var(&w.rate, "rate", 0, "requests a second: how many replicas they need")
	f.Float64Var(&w.price, "price", 0, "dollars a chip and hour; the catalog's if left out")
	f.BoolVar(&w.wish.Apart, "apart", false, "also prefill and decode on chips of their own")
	f.BoolVar(&w.all, "all", false, "every option, not only those that nothing beats")
	f.IntVar(&w.top, "top", 20, "options shown at the most; 0 shows all")
	f.BoolVar(&w.json, "json", false, "print JSON")
	f.BoolVar(&w.csv, "csv", false, "print CSV")
	f.StringVar(&w.part, "part", "", "price part i/n of the plans")
	return f
}

// servePlan is the verb that prices every way to serve a model.
func servePlan(args []string, s streams) int {
	var w serveWish
	others, status, done := parse(w.flags(), args, s)
	if done {
		return status
	}
	if len(others) > 0 || w.model == "" {
		s.complain(
			"scalebook serve-plan: name the model with -model, such as -model llama3.70b; nothing stands beside the flags",
		)
		return misuse
	}
	if err := w.read(s); err != nil {
		s.complain("scalebook serve-plan: %v", err)
		return misuse
	}
	options, refused := w.wish.Search(w.first, w.parts)
	if !w.all {
		options = serving.Front(options)
	}
	if w.top > 0 && len(options) > w.top {
		options = thin(options, w.top)
	}
	return w.print(options, refused, s)
}

// thin keeps so many options, spread over all, the first and the last among them.
func thin(all []serving.Option, most int) []serving.Option {
	var kept []serving.Option
	for i := range most {
		kept = append(kept, all[i*(len(all)-1)/max(most-1, 1)])
	}
	return kept
}

// read turns the flags into a wish.
func (w *serveWish) read(s streams) error {
	im, err := findModel(w.model, s.in)
	if err != nil {
		return err
	}
	a, err := hardware.Catalog().Get(w.chip)
	if err != nil {
		return err
	}
	if w.wish.Chip, err = serving.NewChip(a); err != nil {
		return err
	}
	if w.price > 0 {
		w.wish.Chip.Price = w.price / 3600
	}
	p, err := w.precision()
	if err != nil {
		return err
	}
	if err := w.check(); err != nil {
		return err
	}
	w.wish.Shape = serving.NewShape(&im.Model, p)
	w.wish.Constants = serving.Fitted(w.engine)
	w.wish.Engine = serving.Engine{Chunk: float64(w.chunk), Sequences: float64(w.sequences), Share: w.share,
		OfFree: w.engine == "trtllm"}
	w.wish.Load.In, w.wish.Load.Out, w.wish.Load.Hit = float64(w.in), float64(w.out), w.hit
	w.wish.TTFT, w.wish.TPOT = w.ttft.Seconds(), w.tpot.Seconds()
	return w.readLists()
}

// check refuses what makes no sense.
func (w *serveWish) check() error {
	const most = 1 << 20
	switch {
	case w.in < 1 || w.out < 1 || w.in > 1e8 || w.out > 1e8:
		return fmt.Errorf("-in %d -out %d: write tokens from 1 to 100000000", w.in, w.out)
	case w.wish.Chips < 1 || w.wish.Chips > most:
		return fmt.Errorf("-chips %d: write a number from 1 to %d", w.wish.Chips, most)
	case !(w.hit >= 0 && w.hit <= 1):
		return fmt.Errorf("-hit %v: write a share from 0 to 1", w.hit)
	case w.engine != "" && !slices.Contains(serving.Engines(), w.engine):
		return fmt.Errorf("-engine %q: write %s, or leave it out", w.engine, strings.Join(serving.Engines(), ", "))
	}
	return nil
}

// precision reads how weights and cache are stored.
func (w *serveWish) precision() (serving.Precision, error) {
	sizes := map[string]float64{"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1, "int8": 1, "fp6": 0.75, "fp4": 4.5 / 8,
		"nvfp4": 4.5 / 8, "mxfp4": 4.25 / 8, "int4": 4.5 / 8}
	if w.experts == "" {
		w.experts = w.weights
	}
	var bytes [3]float64
	for i, name := range []string{w.weights, w.cache, w.experts} {
		size, known := sizes[name]
		if !known {
			return serving.Precision{}, fmt.Errorf("unknown dtype %q; write bf16, fp8, int8, nvfp4, mxfp4 or int4", name)
		}
		bytes[i] = size
	}
	p := serving.Uniform(bytes[0], bytes[1])
	p.Experts = bytes[2]
	return p, nil
}

// readLists reads -survival and -part.
func (w *serveWish) readLists() error {
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
	if len(survival) > 0 {
		w.wish.Load = w.wish.Load.Speculate(survival)
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
