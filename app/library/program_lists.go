package library

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// mostOperations is how many operations of a program a sheet lists, those that take longest.
const mostOperations = 1000

// operationList is the operations of a profile, the longest first.
func (n *programs) operationList(p *hlo.Profile) value.Value {
	ops := make([]*hlo.Expected, len(p.Ops))
	for i := range p.Ops {
		ops[i] = &p.Ops[i]
	}
	slices.SortStableFunc(ops, func(a, b *hlo.Expected) int { return cmp.Compare(b.Time()*b.Times, a.Time()*a.Times) })
	all := make([]*value.Record, 0, min(len(ops), mostOperations))
	for _, e := range ops[:min(len(ops), mostOperations)] {
		all = append(all, n.operation(e, p.Time))
	}
	return recordList(all)
}

// operation is an operation as a sheet sees it. What it has nothing of is left out.
func (n *programs) operation(e *hlo.Expected, all float64) *value.Record {
	name := phrase.Printable(e.Name, 60)
	r := newRecord(n.operations, name)
	r.ID, r.Of = recordID(name, strconv.Itoa(e.Line)), e
	r.Lacks = func(string) string { return "–" }
	r.say("name", name)
	r.say("code", phrase.Printable(e.Code, 40))
	r.say("result", phrase.Printable(e.Shape.String(), 60))
	r.num("times", e.Times)
	r.num("time", e.Time())
	r.num("total", e.Time()*e.Times)
	if all > 0 {
		r.num("share", e.Time()*e.Times/all)
	}
	for _, x := range []named{{"flops", e.FLOPs()}, {"hbm", e.HBM}, {"math", e.Math}, {"memory", e.Memory},
		{"comms", e.Comms}} {
		if x.Value > 0 {
			r.num(x.Name, x.Value)
		}
	}
	if len(e.Sent) > 0 {
		r.num("sent", e.Sent[0].Bytes)
		r.num("group", float64(e.Sent[0].Group))
	}
	if bound := e.Bound(); bound != "" {
		r.say("bound", bound)
	} else if e.Host {
		r.say("bound", phrase.New("library.on-host"))
	} else if e.Unknown {
		r.say("bound", phrase.New("library.uncountable"))
	}
	return r.Record
}

// lineList is what can't be read or counted, line by line.
func (n *programs) lineList(p *hlo.Profile) value.Value {
	var all []*value.Record
	add := func(line int, what *phrase.Phrase) {
		r := newRecord(n.lines, strconv.Itoa(line))
		if line > 0 {
			r.num("line", float64(line))
		}
		r.say("what", what)
		all = append(all, r.Record)
	}
	if p.Raw() {
		add(0, phrase.New("hlo.raw"))
	}
	for _, f := range p.Faults {
		add(f.Line, f.What)
	}
	for i := range p.Ops {
		if e := &p.Ops[i]; e.Unknown && len(all) < mostOperations {
			add(e.Line, phrase.New("hlo.unknown-call", "name", phrase.Printable(e.Name, 40), "target",
				phrase.Printable(p.Calls(e.Op), 40)))
		} else if e.Host && len(all) < mostOperations {
			add(e.Line, phrase.New("hlo.host", "name", phrase.Printable(e.Name, 40), "flops",
				quantity.FLOPs(e.FLOPs()*e.Times).Quantity()))
		}
	}
	for _, o := range p.Looped {
		if len(all) < mostOperations {
			add(o.Line, phrase.New("hlo.loop", "name", phrase.Printable(o.Name, 40)))
		}
	}
	return recordList(all)
}
