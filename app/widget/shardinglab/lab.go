// Package shardinglab is an instrument: a product of two sharded arrays, typed or built from menus, on any mesh. It shows who
// holds what, what has to be sent, and every way that app/sharding finds to compute it.
//
// The numbers are all app/sharding's and app/network's. subject.go reads what is set; text.go rewrites a product's text, so
// that menus and text stay in step (setup.go); and each of the other files is a part of the view.
package shardinglab

import (
	"sync"

	"github.com/scalebook/scalebook/app/widget/instrument"
)

// New is the laboratory.
func New() *instrument.Instrument {
	l := &lab{}
	return &instrument.Instrument{
		ID: "lab", Title: "Sharding lab", Style: "instrument-lab.css",
		About:    "A product of two sharded arrays on any mesh, typed or built: who holds what, which of the four cases it is, and every way to compute it, ranked, each with its collectives, their laws and times.",
		Controls: controls, Cell: cell, View: l.view, Values: l.values, Summary: l.summary, Act: l.act, Work: l.work,
	}
}

// lab remembers the last subjects: what is set is asked for by every part of the view.
type lab struct {
	mu   sync.Mutex
	last []*subject
}

// remembered is how many subjects are kept: an instrument may stand in a page more than once.
const remembered = 4

func (l *lab) subject(s *instrument.State) *subject {
	key := keyOf(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range l.last {
		if x.key == key {
			return x
		}
	}
	x := newSubject(s)
	x.key = key
	if len(l.last) == remembered {
		l.last = l.last[1:]
	}
	l.last = append(l.last, x)
	return x
}

func (l *lab) view(s *instrument.State) []instrument.Part {
	x := l.subject(s)
	part := func(key string, build func(*instrument.State) *instrument.Node) instrument.Part {
		return instrument.Part{Key: key, Build: func() *instrument.Node { return build(s) }}
	}
	parts := []instrument.Part{part("setup", x.setup), part("answer", x.answer)}
	if x.plan == nil {
		return parts
	}
	return append(parts, part("holders", x.holders), part("arrays", x.arrays), part("ways", x.ways),
		part("working", x.working), part("curves", x.curves), part("run", x.run))
}
