package setup

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// Way is a way to compute a product, among all others.
type Way struct {
	*sharding.Strategy
	Setup *Setup
	Plan  *sharding.Plan
}

// Listed is how many ways are kept, the fastest first.
const Listed = 32

// Ways are the ways to compute the product, ranked by the exact times, or by the textbook's approximations.
func (s *Setup) Ways(shortcut bool) []*Way {
	p := sharding.NewPlan(s.Einsum, s.Limits, s.Fabric, sharding.Options{Shortcut: shortcut, Most: Listed})
	all := make([]*Way, len(p.Strategies))
	for i, t := range p.Strategies {
		all[i] = &Way{Strategy: t, Setup: s, Plan: p}
	}
	return all
}

// Name is the way in a line.
func (w *Way) Name() string { return w.Title(w.Setup.Mesh) }

// ID is the name without spaces.
func (w *Way) ID() string { return strings.ReplaceAll(w.Name(), " ", "") }

// WayKey is all that a way depends on.
type WayKey struct {
	setup    Key
	shortcut bool
	name     string
}

// Key is the key of w: ways with equal keys are alike.
func (w *Way) Key() WayKey { return WayKey{w.Setup.Key(), w.Plan.Options.Shortcut, w.Name()} }

// Best tells whether no other way is faster.
func (w *Way) Best() bool { return w.Strategy == w.Plan.Strategies[0] }

// Rank says where the way stands among all: "The best of 12 ways."
func (w *Way) Rank() *phrase.Phrase {
	n := w.Plan.Found
	rank := phrase.New("setup.best-of", "n", n)
	if i := slices.Index(w.Plan.Strategies, w.Strategy); i > 0 {
		rank = phrase.New("setup.place-of", "place", i+1, "n", n)
	} else if n == 1 {
		rank = phrase.New("setup.only-way")
	}
	if listed := len(w.Plan.Strategies); listed < n {
		rank = phrase.New("setup.listed", "rank", rank, "listed", listed)
	}
	if !w.Plan.Complete {
		rank = phrase.New("setup.cut-short", "rank", rank)
	}
	return phrase.New("setup.of-one-chip", "rank", rank)
}

// Verdict says what a way waits for, and what speaks against it.
func (w *Way) Verdict() phrase.List {
	said := []*phrase.Phrase{w.waits()}
	if best := float64(w.Plan.Strategies[0].Lower()); !w.Best() && best > 0 {
		if r := float64(w.Lower()) / best; r > 1.005 {
			said = append(said, phrase.New("setup.times-best", "times", strconv.FormatFloat(r, 'f', ratioDigits(r), 64)))
		} else {
			said = append(said, phrase.New("setup.as-fast"))
		}
	}
	if w.Work > 1.001 {
		said = append(said, phrase.New("setup.extra-work", "times", strconv.FormatFloat(w.Work, 'g', 3, 64)))
	}
	if !w.Fits {
		said = append(said, phrase.New("setup.too-large"))
	}
	return phrase.Commas(said)
}

// waits says what most of the way's time goes into.
func (w *Way) waits() *phrase.Phrase {
	switch w.Bound() {
	case "communication":
		return phrase.New("setup.communication-bound")
	case "memory":
		return phrase.New("setup.memory-bound")
	}
	return phrase.New("setup.compute-bound")
}

func ratioDigits(r float64) int {
	if r >= 10 {
		return 0
	}
	return 2
}
