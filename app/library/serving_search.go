package library

import (
	"cmp"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// servingTask is a search under way. A plan that it has found stays the same record as it finds more.
type servingTask struct {
	n      *servings
	wish   serving.Wish
	search *serving.Search
	fault  error
	known  map[string]*value.Record
	shown  value.Value // the plans when they were last asked for
	at     float64     // the progress then
}

// begin begins a search.
func (n *servings) begin(a []value.Value) value.Task {
	t := &servingTask{n: n, known: map[string]*value.Record{}, at: -1}
	if t.wish, t.fault = n.wish(a); t.fault != nil {
		return t
	}
	t.wish.Apart, t.wish.TTFT, t.wish.TPOT = a[10].Bool, a[11].Num.Value, a[12].Num.Value
	if !(t.wish.TTFT >= 0 && t.wish.TPOT >= 0) {
		t.fault = phrase.Fault{What: phrase.New("library.limit-below-zero"), Remedy: phrase.New("library.give-limit")}
		return t
	}
	t.search = t.wish.Begin()
	return t
}

// manyOptions is how many options a search keeps before it drops those that are beaten.
const manyOptions = 4096

// Step prices a plan.
func (t *servingTask) Step() (more bool) {
	if t.fault != nil {
		return false
	}
	more = t.search.Step()
	if len(t.search.Options) > manyOptions {
		t.search.Options = serving.Front(t.search.Options)
	}
	return more
}

// Progress is how much is done.
func (t *servingTask) Progress() float64 {
	if t.fault != nil {
		return 1
	}
	return t.search.Progress()
}

// shownEvery is how much further the search must be until what it has found is looked at again: drawing it takes longer
// than pricing some plans.
const shownEvery = 0.3

// Value is the plans found so far.
func (t *servingTask) Value() (value.Value, error) {
	if t.fault != nil {
		return value.Value{}, t.fault
	}
	done := t.search.Progress()
	if done != t.at && (done == 1 || done > t.at+shownEvery || len(t.shown.List) == 0) {
		t.at, t.shown = done, t.list()
	}
	switch {
	case len(t.shown.List) > 0:
		return t.shown, nil
	case done < 1:
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-plan-yet"), Remedy: phrase.New("library.wait")}
	}
	return value.Value{}, t.nothing()
}

// usersApart is how far from each other, as a ratio, users of two plans of the front are that are shown.
const usersApart = 1.04

// list is the plans of the front, most tokens of a chip first. Of those that hardly differ for a user the first is
// taken.
func (t *servingTask) list() value.Value {
	var all []*value.Record
	last := serving.Option{}
	options := serving.Front(t.search.Options)
	for i := len(options) - 1; i >= 0; i-- {
		o := options[i]
		if o.PerUser < last.PerUser*usersApart {
			continue
		}
		last = o
		id := planID(o)
		r := t.known[id]
		if r == nil {
			r = newServed(t, o).record(t.n, id)
			t.known[id] = r
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b *value.Record) int { return cmp.Compare(get(b, "per_chip"), get(a, "per_chip")) })
	return recordList(all)
}

// nothing says why no plan was taken.
func (t *servingTask) nothing() error {
	var why any = phrase.New("library.no-way-to-spread")
	most := 0
	for _, r := range t.search.Refused {
		if r.Count > most {
			why, most = r.Why, r.Count
		}
	}
	return phrase.Fault{What: phrase.New("library.nothing-serves", "why", why), Remedy: phrase.New("library.ask-less")}
}

// refused are the reasons of the search that found plans.
func (n *servings) refused(a []value.Value) (value.Value, error) {
	var all []*value.Record
	if len(a[0].List) > 0 {
		for _, x := range plan(a[0].List[0]).task.search.Refused {
			why := x.Why.Error()
			r := n.fill("refusal", why, []named{{"plans", float64(x.Count)}})
			r.say("why", why)
			r.say("nearest", x.Plan.String())
			all = append(all, r.Record)
		}
	}
	return recordList(all), nil
}

// best is the first plan of a kind.
func (n *servings) best(a []value.Value) (value.Value, error) {
	for _, v := range a[0].List {
		if v.Record.Fields["kind"].Text == a[1].Text {
			return v, nil
		}
	}
	return value.Value{}, phrase.Fault{What: phrase.New("library.no-plan-of-kind", "kind", a[1].Text),
		Remedy: phrase.New("library.give-chips-or-limits")}
}

// smallest is the smallest slice that holds a model.
func (n *servings) smallest(a []value.Value) (value.Value, error) {
	w, err := n.wish(a)
	if err != nil {
		return value.Value{}, err
	}
	p, found := w.SmallestSlice()
	if !found {
		return value.Value{}, phrase.Fault{What: phrase.New("library.fits-no-slice", "chips", a[2].Num),
			Remedy: phrase.New("library.give-chips-or-smaller")}
	}
	r, err := serving.NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
	if err != nil {
		return value.Value{}, err
	}
	one := r.Closed(1, w.Load)
	o := serving.Option{Plan: p, Replicas: 1, Chips: float64(p.Chips()), Batch: 1, Latency: one,
		PerChip: one.Output / float64(p.Chips()), PerUser: 1 / one.TPOT}
	return value.Value{Kind: value.Rec, Record: newServed(&servingTask{wish: w}, o).record(n, planID(o))}, nil
}
