package library

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// mostPlans is how many plans a search in a sheet keeps.
const mostPlans = 50

// searched is what is behind a record of a search, as far as it has come.
type searched struct {
	job   *job
	found training.Found
	plans value.Value
	lacks value.Value // plans that the software can't run
	share float64     // of the divisions, tried
}

// searching is a search under way, which others can share.
type searching struct {
	*planner
	hunt   *training.SearchState
	job    *job
	fault  error
	record value.Value // of what was found when so many plans were priced and such a share of the divisions was tried
}

func (n *planner) beginSearch(a []value.Value) value.Task {
	j := a[0].Record.Of.(*job)
	s := &searching{planner: n, job: j}
	margin, limit := a[2].Num.Value, a[3].Num.Value
	if !(margin >= 0 && margin < 1) || !(limit >= 0 && limit <= 1<<20) {
		s.fault = phrase.Fault{What: phrase.New("library.margin-of", "margin", a[2].Num, "tp", a[3].Num),
			Remedy: phrase.New("library.give-margin")}
		return s
	}
	wish := training.Search{Space: j.pricer.Usual(), Top: mostPlans, Margin: margin, MaxTP: int(limit)}
	if a[1].Bool {
		wish.Space = j.pricer.Whole()
	}
	s.hunt = j.pricer.BeginSearch(wish)
	return s
}

// Step prices the plans of one more division of the chips.
func (s *searching) Step() bool {
	if s.fault != nil {
		return false
	}
	return s.hunt.Step()
}

// Give, Do, Take and Back are for those who share the search.
func (s *searching) Give() string                  { return s.hunt.LendChunk() }
func (s *searching) Do(piece string) string        { return s.hunt.Do(piece) }
func (s *searching) Take(piece, found string) bool { return s.hunt.Take(piece, found) }
func (s *searching) Back(piece string)             { s.hunt.Back(piece) }

// Progress is the share of the divisions that are tried.
func (s *searching) Progress() float64 {
	if s.fault != nil {
		return 1
	}
	return s.hunt.Done()
}

// Value is the search so far: the same record until it goes on.
func (s *searching) Value() (value.Value, error) {
	if s.fault != nil {
		return value.Value{}, s.fault
	}
	found, share := s.hunt.Found(), s.hunt.Done()
	if found.Priced == 0 && share < 1 {
		return value.Value{}, phrase.New("library.search-begun")
	}
	if of, _ := s.recordOf(); of == nil || of.found.Priced != found.Priced || of.share != share {
		s.record = s.newRecord(&searched{job: s.job, found: found, share: share})
	}
	return s.record, nil
}

func (s *searching) recordOf() (*searched, bool) {
	if s.record.Record == nil {
		return nil, false
	}
	of, ok := s.record.Record.Of.(*searched)
	return of, ok
}

func (s *searching) newRecord(found *searched) value.Value {
	list := func(prices []training.Price) (all []*value.Record) {
		for i := range prices {
			p := &training.Planned{Pricer: s.job.pricer, Price: prices[i]}
			all = append(all, s.planRecord(p, verdict(p, found)).Record)
		}
		return all
	}
	all := list(found.found.Best)
	found.plans, found.lacks = recordList(all), recordList(list(found.found.Lacking))
	r := newRecord(s.searches, "search")
	r.Of = found
	r.bestOf(s.job, found.found.Best)
	r.num("divisions", float64(found.found.Trunks))
	r.num("priced", float64(found.found.Priced))
	r.num("refused", float64(found.found.Refused))
	r.num("cut", float64(found.found.Cut))
	if found.share >= 1 && len(all) == 0 {
		why := s.job.pricer.ExplainNoPlan(&s.hunt.Search, &found.found)
		r.say("nothing", why)
		r.say("answer", phrase.Count(s.job.Devices, "library.search-nothing", "chip", s.job.Device.Name, "model",
			s.job.Model.Name, "why", why))
	}
	return r.value()
}

// bestOf fills in the fastest plan, and how many of the others are as fast as far as predictions tell.
func (r filling) bestOf(j *job, best []training.Price) {
	if len(best) == 0 {
		return
	}
	p, equal := j.pricer, 0
	for i := range best[1:] {
		if p.Equal(&best[0], &best[1+i]) {
			equal++
		}
	}
	step := p.StepInterval(&best[0])
	r.say("best", best[0].Plan.String())
	r.nums([]named{{"step", step.Mid}, {"low", step.Low}, {"high", step.High}, {"mfu", p.Use(&best[0])},
		{"equal", float64(equal)}})
	time := func(s float64) string { return quantity.Seconds(s).Quantity().String() }
	others := phrase.New("library.search-alone")
	if equal > 0 {
		others = phrase.Count(equal, "library.search-equal")
	}
	r.say("answer", phrase.Sentences(phrase.Count(j.Devices, "library.search-answer", "chip", j.Device.Name, "model",
		j.Model.Name, "plan", best[0].Plan.String(), "step", time(step.Mid), "low", time(step.Low), "high", time(step.High),
		"mfu", quantity.Percent(p.Use(&best[0]), 1)), others))
}

// lackingPlans are the plans of a search that the software can't run.
func lackingPlans(a []value.Value) (value.Value, error) { return a[0].Record.Of.(*searched).lacks, nil }

// refused are the reasons why plans don't fit.
func (n *planner) refused(a []value.Value) (value.Value, error) {
	s := a[0].Record.Of.(*searched)
	var all []*value.Record
	for _, reason := range s.found.Reasons {
		r := newRecord(n.reasons, reason.Binding)
		r.ID = recordID(reason.Binding)
		r.num("plans", float64(reason.Plans))
		r.say("part", reason.Binding)
		r.say("nearest", reason.Nearest.Plan.String())
		r.num("excess", reason.Excess)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// verdict is why a plan is not recommended.
func verdict(p *training.Planned, s *searched) any {
	var best *training.Price
	if len(s.found.Best) > 0 {
		best = &s.found.Best[0]
		if best.Plan == p.Price.Plan {
			return phrase.New("library.fastest-that-fits")
		}
	}
	return p.Pricer.Why(p.Price.Plan, best)
}
