package plot

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// verticals are the rows that the plot's author wants marked on the x axis: once if they are the same in all bands.
func (s *sampler) verticals() {
	for _, row := range s.p.Marks {
		for _, b := range s.bands {
			v, ok := s.present(b, row.Name)
			if !ok || v.Kind != value.Number {
				continue
			}
			label := row.Label + " " + v.String()
			if b.Word != "" && s.varies(row.Name) {
				label += ", " + b.Word
			}
			m := Mark{Kind: "mark", X: v.Num.Value, Y: math.NaN(), Label: label, Series: -1}
			if !s.hasVertical(m) {
				s.out.Marks = append(s.out.Marks, m)
			}
		}
	}
}

// present is a row's value where the input stands now, if it has one.
func (s *sampler) present(b *band, name string) (value.Value, bool) {
	rows := b.Sweep([]string{name}).Num(s.out.Current)
	if len(rows) == 0 || rows[0].Err != nil {
		return value.Value{}, false
	}
	return rows[0].Value, true
}

func (s *sampler) hasVertical(m Mark) bool {
	for _, old := range s.out.Marks {
		if old.Kind == "mark" && old.Label == m.Label && sameNumber(old.X, m.X) {
			return true
		}
	}
	return false
}

// varies tells whether a row has different values in the bands.
func (s *sampler) varies(name string) bool {
	first, known := 0.0, false
	for _, b := range s.bands {
		now, ok := s.present(b, name)
		if !ok {
			return true
		}
		v := now.Num.Value
		if known && !sameNumber(v, first) {
			return true
		}
		first, known = v, true
	}
	return false
}
