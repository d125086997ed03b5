package chart

import "math"

// roof is a machine, or a way to use it, in a roofline: it does min(Peak, Bandwidth·x) at the intensity x.
type roof struct {
	Label     string
	Peak      float64 // FLOP/s
	Bandwidth float64 // byte/s
}

// ridge is the intensity, in FLOP/byte, at which the roof levels off: memory-bound below, compute-bound above.
func (r roof) ridge() float64 { return r.Peak / r.Bandwidth }

// rooflineUnder is a plot of what each roof reaches over arithmetic intensity, both axes logarithmic, with the ridge
// points
// marked, and the two regions hatched: memory-bound where all roofs still rise, compute-bound where none does. The
// caller may set formats, the id, the current place, and replace labels. Roofs that aren't positive are left out.
func rooflineUnder(roofs ...roof) *Plot {
	p := &Plot{
		Title: "Roofline",
		X:     Axis{Label: "Arithmetic intensity (FLOP/byte)", Log: true},
		Y:     Axis{Label: "Attainable FLOP/s", Log: true},
	}
	var ridges span
	for _, r := range roofs {
		if at := r.ridge(); finite(at) && at > 0 && finite(r.Peak) && r.Peak > 0 {
			ridges.add(at)
		}
	}
	if !ridges.any {
		return p
	}
	lo, hi := math.Max(ridges.lo/30, 1e-300), math.Min(ridges.hi, 1e300)*30
	for _, r := range roofs {
		at := r.ridge()
		if !finite(at) || at <= 0 || !finite(r.Peak) || r.Peak <= 0 {
			continue
		}
		p.Series = append(p.Series, Series{
			Name: r.Label, X: []float64{lo, at, hi}, Y: []float64{float64(lo * r.Bandwidth), r.Peak, r.Peak}})
		label := "ridge"
		if len(roofs) == 1 {
			label = "ridge point"
		}
		p.Marks = append(p.Marks, Mark{Kind: Point, X: at, Y: r.Peak, Label: label})
	}
	p.Regions = []Region{
		{From: lo, To: ridges.lo, Label: "memory-bound"},
		{From: ridges.hi, To: hi, Label: "compute-bound"},
	}
	return p
}
