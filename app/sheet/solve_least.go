package sheet

import (
	"errors"
	"math"

	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// This file finds where a row is least or greatest: `solve best: B where T is least`.

// solveExtreme is where d's left side is least or greatest.
func (s *Sheet) solveExtreme(d *solveDef, in *Input, sw *sweeper) ([]float64, error) {
	sign, failed := 1.0, error(nil)
	if d.Goal == syntax.GoalGreatest {
		sign = -1
	}
	value := func(x float64) float64 {
		row := &sw.num(x)[0]
		if row.Err != nil {
			failed = row.Err
			return math.Inf(1)
		}
		return sign * row.Value.Num.Value
	}
	at, flat := search.Least(value, in.span(), in.Min, in.Step)
	where := " for " + in.Name + " from " + in.rangeText()
	switch {
	case math.IsInf(at.Y, 1) && failed != nil:
		return nil, errors.New(s.words(d.Left) + " has no value" + where + ": " + failed.Error())
	case flat:
		return nil, errors.New(s.words(d.Left) + " is the same everywhere" + where)
	}
	return []float64{at.X}, nil
}
