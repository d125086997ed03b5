package library

import (
	"slices"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// software is what is behind a record of one: its constants, and how a reader meets them.
type software struct {
	stack *training.Stack
	facts func() []value.Constant
}

// softwareKin is the record type of the software that training is priced for. A reader may change its constants.
func softwareKin(env *value.Env) *value.RecordType {
	kin := newKin(env, "training software", nil)
	kin.Constants = func(r *value.Record) []value.Constant { return r.Of.(*software).facts() }
	kin.Amend = func(r *value.Record, own map[string]quantity.Quantity) *value.Record {
		return softwareRecord(kin, scope{r.ID, r.Name}, r.Of.(*software).stack.With(own))
	}
	for _, s := range scopes {
		if stack, err := training.StackNamed(s.ID); err == nil {
			kin.Members = append(kin.Members, softwareRecord(kin, scope{s.ID, s.dated()}, stack))
		}
	}
	return kin
}

func softwareRecord(kin *value.RecordType, of scope, stack *training.Stack) *value.Record {
	r := newRecord(kin, of.Name)
	r.ID = recordID(of.ID)
	r.Of = &software{stack, sync.OnceValue(func() []value.Constant { return stackConstants(stack) })}
	r.say("name", of.Name)
	return r.Record
}

// stackConstants are the constants of a stack, each with its range and with its source or the rows that it was fitted
// on.
func stackConstants(stack *training.Stack) []value.Constant {
	var all []value.Constant
	for _, f := range stack.Facts() {
		note := english(phrase.New("library.constant-range", "range", input.FromTo(f.Least, f.Most)))
		all = append(all, value.Constant{Name: f.Name, Label: f.Label, Least: f.Least, Most: f.Most,
			Reading: value.Reading{Text: f.Text, Value: f.Value, Source: f.Source, Note: note}})
	}
	return all
}

// softwares are the stacks that there are constants for.
func (n *planner) softwares([]value.Value) (value.Value, error) {
	return recordList(n.softs.Members), nil
}

// usualSoftware is what most people train with on a chip.
func (n *planner) usualSoftware(a []value.Value) (value.Value, error) {
	return n.softwareNamed(training.UsualStack(a[0].Record.ID)), nil
}

// softwareNamed is the software of an ID.
func (n *planner) softwareNamed(id string) value.Value {
	i := slices.IndexFunc(n.softs.Members, func(r *value.Record) bool { return r.ID == recordID(id) })
	return value.Value{Kind: value.Rec, Record: n.softs.Members[i]}
}
