package solve

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// least is where d's left side is least or greatest: `solve best: B where T is least`.
func (s *Search) least(d *Def) ([]float64, error) {
	in, sign, failed := s.In, 1.0, error(nil)
	if d.Goal == syntax.GoalGreatest {
		sign = -1
	}
	value := func(x float64) float64 {
		row := &s.Rows(x)[0]
		if row.Err != nil {
			failed = row.Err
			return math.Inf(1)
		}
		return sign * row.Value.Num.Value
	}
	at, flat := search.Least(value, in.Span(), in.Min, in.Step)
	switch {
	case math.IsInf(at.Y, 1) && failed != nil:
		return nil, phrase.New("sheet.no-value-for-why", "what", s.Words(d.Left), "input", in.Name,
			"range", in.RangeText(), "why", failed)
	case flat:
		return nil, phrase.New("sheet.same-everywhere", "what", s.Words(d.Left), "input", in.Name,
			"range", in.RangeText())
	}
	return []float64{at.X}, nil
}
