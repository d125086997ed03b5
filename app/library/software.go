//go:build !lean

package library

import (
	"slices"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/training"
)

// software is what is behind a record of one: its constants, and how a reader meets them.
type software struct {
	stack *training.Stack
	facts func() []sheet.Constant
}

// softwareKin is the kin of the software that training is priced for. A reader may change its constants.
func softwareKin(env *sheet.Env) *sheet.Kin {
	kin := newKin(env, "training software", nil)
	kin.Constants = func(r *sheet.Record) []sheet.Constant { return r.Of.(*software).facts() }
	kin.Amend = func(r *sheet.Record, own map[string]quantity.Quantity) *sheet.Record {
		return softwareRecord(kin, scope{r.ID, r.Name}, r.Of.(*software).stack.With(own))
	}
	for _, s := range scopes {
		if stack, err := training.StackNamed(s.ID); err == nil {
			kin.Members = append(kin.Members, softwareRecord(kin, s, stack))
		}
	}
	return kin
}

func softwareRecord(kin *sheet.Kin, of scope, stack *training.Stack) *sheet.Record {
	r := fill(kin, of.Name)
	r.ID = of.ID
	r.Of = &software{stack, sync.OnceValue(func() []sheet.Constant { return stackConstants(stack) })}
	r.say("name", of.Name)
	return r.Record
}

// stackConstants are the constants of a stack, each with its range and with its source or the rows that it was fitted
// on.
func stackConstants(stack *training.Stack) []sheet.Constant {
	var all []sheet.Constant
	for _, f := range stack.Facts() {
		note := english(phrase.New("library.constant-range", "range", input.FromTo(f.Least, f.Most)))
		all = append(all, sheet.Constant{Name: f.Name, Label: f.Label, Least: f.Least, Most: f.Most,
			Reading: sheet.Reading{Text: f.Text, Value: f.Value, Source: f.Source, Note: note}})
	}
	return all
}

// softwares are the stacks that there are constants for.
func (n *planner) softwares([]sheet.Value) (sheet.Value, error) {
	return recordList(n.softs.Members), nil
}

// usualSoftware is what most people train with on a chip.
func (n *planner) usualSoftware(a []sheet.Value) (sheet.Value, error) {
	usual := training.UsualStack(a[0].Record.ID)
	i := slices.IndexFunc(n.softs.Members, func(r *sheet.Record) bool { return r.ID == usual })
	return sheet.Value{Kind: sheet.Rec, Record: n.softs.Members[i]}, nil
}
