package setup

import (
	"slices"
	"strconv"
	"strings"

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
func (w *Way) Rank() string {
	n := strconv.Itoa(w.Plan.Found)
	said := "The best of " + n + " ways"
	if i := slices.Index(w.Plan.Strategies, w.Strategy); i > 0 {
		said = "Number " + strconv.Itoa(i+1) + " of " + n + " ways"
	} else if w.Plan.Found == 1 {
		said = "The only way"
	}
	if listed := len(w.Plan.Strategies); listed < w.Plan.Found {
		said += ", of which the best " + strconv.Itoa(listed) + " are listed"
	}
	if !w.Plan.Complete {
		said += "; the search was cut short, axes stay where the arrays have them"
	}
	return said + ". Times are of one chip, as all do the same."
}

// Verdict says what a way waits for, and what speaks against it.
func (w *Way) Verdict() string {
	said := w.Bound() + "-bound"
	if best := float64(w.Plan.Strategies[0].Lower()); !w.Best() && best > 0 {
		if r := float64(w.Lower()) / best; r > 1.005 {
			said += ", " + strconv.FormatFloat(r, 'f', ratioDigits(r), 64) + "× the best"
		} else {
			said += ", as fast"
		}
	}
	if w.Work > 1.001 {
		said += ", computes " + strconv.FormatFloat(w.Work, 'g', 3, 64) + " times as much as needed"
	}
	if !w.Fits {
		said += ", does not fit the memory"
	}
	return said
}

func ratioDigits(r float64) int {
	if r >= 10 {
		return 0
	}
	return 2
}
