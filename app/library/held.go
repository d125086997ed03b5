//go:build !lean

package library

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/training"
)

// addHeld offers how far predictions lie from what was measured.
func addHeld(env *sheet.Env) {
	families, others := withFields(sheet.Kin{Name: "held family"}, nil), withFields(sheet.Kin{Name: "rival"}, nil)
	serving := withFields(sheet.Kin{Name: "serving rival"}, nil)
	scopes := withFields(sheet.Kin{Name: "constant scope"}, nil)
	constants := withFields(sheet.Kin{Name: "planner constant"}, nil)
	scopes.Members = constantScopes(scopes)
	scope := kinType(scopes)
	for _, f := range []*sheet.Func{
		{Name: "held_families", Params: []sheet.Param{param("half", text)}, Result: listType(families), Work: 1 << 14,
			Doc: "The families of measured rows of \"training\" or \"serving\", and how far predictions lie off: errors, " +
				"and how many measured values lie in their interval.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return heldFamilies(families, a[0].Text) }},
		{Name: "held_number", Params: []sheet.Param{param("name", text)}, Result: plain, Work: 1 << 10,
			Doc:  "A number about predictions by its name, such as \"training.regret_median\".",
			Call: func(a []sheet.Value) (sheet.Value, error) { return heldNumber(a[0].Text) }},
		{Name: "rivals", Result: listType(others), Work: 1 << 12,
			Doc:  "What other tools reach on training plans of the same grid, run on 2026-11-22.",
			Call: func([]sheet.Value) (sheet.Value, error) { return rivals(others), nil }},
		{Name: "serving_rivals", Result: listType(serving), Work: 1 << 12,
			Doc:  "What other tools reach on rows of serving, in the median.",
			Call: func([]sheet.Value) (sheet.Value, error) { return servingRivals(serving), nil }},
		{Name: "constant_scopes", Result: sheet.ListOf(scope),
			Doc:  "What constants of training hold for: a software, every software, GPUs or TPUs.",
			Call: func([]sheet.Value) (sheet.Value, error) { return recordList(scopes.Members), nil }},
		{Name: "training_constants", Params: []sheet.Param{param("scope", scope)}, Result: listType(constants), Work: 1 << 14,
			Doc: "The constants by which training is priced that can't be derived, each with its source or the rows that " +
				"it was fitted on.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return trainingConstants(constants, a[0].Record.ID), nil }},
	} {
		f.Source = law.HeldByTests
		env.Funcs[f.Name] = f
	}
}

func heldFamilies(kin *sheet.Kin, half string) (sheet.Value, error) {
	var all []*sheet.Record
	for _, f := range summary.Families() {
		if f.Half != half {
			continue
		}
		r := fill(kin, f.Name)
		r.ID, r.Of = recordID(f.Name, f.Quantity, f.Part), &f
		r.say("family", f.Name)
		r.say("quantity", f.Quantity)
		r.say("part", f.Part)
		r.num("rows", float64(f.Rows))
		r.num("median", f.Median)
		r.num("p90", f.P90)
		r.num("inside", f.Coverage)
		r.num("width", f.Width)
		if f.Breaks != "" {
			r.say("breaks", f.Breaks)
		}
		r.Name = english(phrase.Commas([]string{f.Name, f.Quantity, f.Part}))
		all = append(all, r.Record)
	}
	if all == nil {
		return sheet.Value{}, phrase.Fault{What: phrase.New("library.nothing-measured", "half", strconv.Quote(half)),
			Remedy: phrase.New("library.write-training-or-serving")}
	}
	return recordList(all), nil
}

// recordID makes an ID of words, for addresses.
func recordID(words ...string) string {
	keep := func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return ' '
	}
	return strings.Join(strings.Fields(strings.Map(keep, strings.Join(words, " "))), "-")
}

func heldNumber(name string) (sheet.Value, error) {
	var names []string
	for _, f := range summary.Figures() {
		if f.Name == name {
			return counted(f.Value, ""), nil
		}
		names = append(names, f.Name)
	}
	return sheet.Value{}, phrase.Fault{What: phrase.New("library.no-number", "name", strconv.Quote(name)),
		Remedy: phrase.New("library.write-one-of", "names", phrase.Commas(names))}
}

// known sets a number unless nobody has measured it.
func (r filling) known(name string, x float64) {
	if !math.IsNaN(x) {
		r.num(name, x)
	}
}

func rivals(kin *sheet.Kin) sheet.Value {
	var all []*sheet.Record
	for _, v := range summary.Rivals() {
		r := fill(kin, v.Name)
		r.ID = recordID(v.Name)
		r.say("tool", v.Name)
		for _, f := range []struct {
			name  string
			value float64
		}{{"step", v.Step}, {"p90", v.StepP90}, {"used", v.Used}, {"regret", v.Regret}, {"regret_mean", v.RegretMean},
			{"memory", v.Memory}, {"memory_p90", v.MemoryP90}, {"refused", v.RefusedRuns}} {
			r.known(f.name, f.value)
		}
		all = append(all, r.Record)
	}
	return recordList(all)
}

func servingRivals(kin *sheet.Kin) sheet.Value {
	var all []*sheet.Record
	for _, v := range summary.ServingRivals() {
		r := fill(kin, v.Name)
		r.ID = recordID(v.Name)
		r.say("tool", v.Name)
		r.say("load", v.Load)
		r.say("where", v.Where)
		for i, x := range []float64{v.Rows, v.Whole, v.First, v.Token} {
			r.known([]string{"rows", "whole", "first", "token"}[i], x)
		}
		all = append(all, r.Record)
	}
	return recordList(all)
}

// constantScopes are what constants hold for.
func constantScopes(kin *sheet.Kin) []*sheet.Record {
	var all []*sheet.Record
	for _, s := range []struct{ ID, Name string }{{"megatron", "Megatron, NeMo"}, {"nanotron", "Nanotron"},
		{ID: "fsdp", Name: "PyTorch FSDP"}, {ID: "xla", Name: "MaxText and XLA"}, {ID: "every", Name: "every software"},
		{"gpu", "GPUs"}, {"tpu", "TPUs"}} {
		r := fill(kin, s.Name)
		r.ID = s.ID
		r.say("name", s.Name)
		all = append(all, r.Record)
	}
	return all
}

func trainingConstants(kin *sheet.Kin, scope string) sheet.Value {
	var all []*sheet.Record
	for _, c := range training.Sources() {
		if c.Scope != scope && !strings.HasPrefix(c.Scope, scope+".") {
			continue
		}
		r := fill(kin, c.Name)
		r.ID = recordID(c.Scope, c.Name)
		r.say("scope", c.Scope)
		r.say("constant", c.Name)
		r.say("is", c.Value)
		r.say("source", c.Source)
		all = append(all, r.Record)
	}
	return recordList(all)
}
