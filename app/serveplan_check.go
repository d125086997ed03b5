package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// check refuses what makes no sense.
func (w *serveWish) check() error {
	const most = 1 << 20
	switch {
	case w.in < 1 || w.out < 1 || w.in > 1e8 || w.out > 1e8:
		return fmt.Errorf("-in %d -out %d: write tokens from 1 to 100000000", w.in, w.out)
	case w.wish.Chips < 1 || w.wish.Chips > most:
		return fmt.Errorf("-chips %d: write a number from 1 to %d", w.wish.Chips, most)
	case w.engine != "" && !slices.Contains(serving.Engines(), w.engine):
		return fmt.Errorf("-engine %q: write %s, or leave it out", w.engine, strings.Join(serving.Engines(), ", "))
	case !(w.hit >= 0 && w.hit <= 1):
		return fmt.Errorf("-hit %v: write a share from 0 to 1", w.hit)
	case !(w.share >= 0 && w.share <= 1):
		return fmt.Errorf("-share %v: write a share from 0 to 1", w.share)
	case w.ttft < 0 || w.tpot < 0:
		return fmt.Errorf("-ttft %v -tpot %v: write times above 0, or leave them out", w.ttft, w.tpot)
	}
	for _, n := range []struct {
		flag  string
		value float64
		most  float64
	}{
		{"chunk", float64(w.chunk), 1e8}, {"sequences", float64(w.sequences), 1e8},
		{"rate", w.rate, 1e9}, {"price", w.price, 1e6}, {"top", float64(w.top), 1e9},
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
