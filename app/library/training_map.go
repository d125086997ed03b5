package library

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// mapping is a map that is being priced place by place.
type mapping struct {
	kin    *value.RecordType
	job    *job
	made   *training.Map
	record value.Value
	shown  int
}

func (n *planner) beginMap(a []value.Value) value.Task {
	j := a[0].Record.Of.(*job)
	return &mapping{kin: n.maps, job: j, made: training.NewMap(&j.Job)}
}

// Step prices a place.
func (m *mapping) Step() bool { return m.made.Step(m.job.Job) }

// Progress is the share of the places that are priced.
func (m *mapping) Progress() float64 {
	return float64(m.made.Next) / float64(max(1, m.made.Size()))
}

// Value is the map as far as it is priced.
func (m *mapping) Value() (value.Value, error) {
	if m.made.Next == 0 {
		return value.Value{}, phrase.New("library.nothing-priced-yet")
	}
	if m.record.Record == nil || m.shown != m.made.Next {
		copied := *m.made // figures compare what they draw by its record
		r := newRecord(m.kin, "map")
		r.Of = &copied
		r.num("cells", float64(m.made.Next))
		m.record, m.shown = r.value(), m.made.Next
	}
	return m.record, nil
}
