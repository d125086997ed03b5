package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// readCounts reads the chips, and the tokens of a prompt and of an answer.
func (w *serveWish) readCounts() error {
	const mostChips, mostTokens = 1 << 20, 1e8
	var in, out int
	for _, n := range []struct {
		flag, text string
		most       int
		to         *int
	}{
		{"-chips", w.chips, mostChips, &w.wish.Chips}, {"-in", w.in, mostTokens, &in}, {"-out", w.out, mostTokens, &out},
	} {
		var err error
		if *n.to, err = wholeCount(n.flag, n.text, 1, n.most); err != nil {
			return err
		}
	}
	w.wish.Load.In, w.wish.Load.Out = float64(in), float64(out)
	return nil
}

// check refuses what makes no sense.
func (w *serveWish) check() error {
	switch {
	case w.engine != "" && !slices.Contains(serving.Engines(), w.engine):
		return fmt.Errorf("-engine %q: write %s, or leave it out", w.engine, strings.Join(serving.Engines(), ", "))
	case !(w.hit >= 0 && w.hit <= 1):
		return fmt.Errorf("-hit %v: write a share from 0 to 1", w.hit)
	case !(w.share >= 0 && w.share <= 1):
		return fmt.Errorf("-share %v: write a share from 0 to 1", w.share)
	case w.ttft < 0 || w.tpot < 0:
		return fmt.Errorf("-ttft %v -tpot %v: write times above 0, or leave them out", w.ttft, w.tpot)
	case w.offload > 0 && (w.engine == "trtllm" || w.engine == "maxtext"):
		return fmt.Errorf("-offload %v: %s keeps all weights on its chips; write -engine vllm or sglang, or leave it out",
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
		{"max-model-len", float64(w.length), 1e8}, {"chunk", float64(w.chunk), 1e8}, {"sequences", float64(w.sequences), 1e8},
		{"rate", w.rate, 1e9}, {"price", w.price, 1e6}, {"offload", w.offload, 1e6}, {"top", float64(w.top), 1e9},
	} {
		if !(n.value >= 0 && n.value <= n.most) {
			return fmt.Errorf("-%s %v: write a number from 0 to %.0f", n.flag, n.value, n.most)
		}
	}
	return nil
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
