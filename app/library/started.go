package library

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/sheet"
)

// addStarted offers the start-up of matmuls, fitted to what somebody timed.
func addStarted(env *sheet.Env) {
	fit, row := networkKin("matmul start", nil), networkKin("timed matmul", nil)
	params := []sheet.Param{param("text", text), param("peak", flopRate), param("bandwidth", bandwidth)}
	for _, f := range []*sheet.Func{
		{Name: "matmul_start", Result: sheet.Type{Kind: sheet.Rec, Kin: fit},
			Doc: "The share of the roofline and the start-up for each unit of the side that fit every other of these timed " +
				"matmuls best, by the squares of relative errors. A line has a side, or B, D and F, and TFLOP/s.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				b, err := newBench(a)
				return b.record(fit), err
			}},
		{Name: "matmul_timings", Result: sheet.ListOf(sheet.Type{Kind: sheet.Rec, Kin: row}),
			Doc: "Each of these timed matmuls beside the roofline and the law matmul_time_started, as fitted to every other " +
				"of them.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				b, err := newBench(a)
				return recordList(b.rows(row)), err
			}},
	} {
		f.Params, f.Source, f.Work = params, "fitted here, to the pairs that are given", 1<<10
		env.Funcs[f.Name] = f
	}
}

// bench is timed matmuls on a chip, and the law fitted to every other of them.
type bench struct {
	timed     []roofline.Timed
	peak      quantity.FLOPRate
	bandwidth quantity.Bandwidth
	fitted    roofline.Started
}

func newBench(a []sheet.Value) (bench, error) {
	b := bench{peak: quantity.FLOPRate(a[1].Num.Value), bandwidth: quantity.Bandwidth(a[2].Num.Value)}
	var err error
	if b.timed, err = roofline.Timings(a[0].Text); err != nil {
		return bench{}, err
	}
	var half []roofline.Timed
	for i, t := range b.timed {
		if isFitted(i) {
			half = append(half, t)
		}
	}
	b.fitted, err = roofline.FitStarted(half, b.peak, b.bandwidth)
	return b, err
}

// isFitted says whether a row is one that constants are fitted to; the others are held out.
func isFitted(i int) bool { return i%2 == 0 }

func (b bench) record(kin *sheet.Kin) sheet.Value {
	r := fill(kin, "fit")
	r.num("share", b.fitted.Share)
	r.num("edge", float64(b.fitted.Edge))
	return r.value()
}

func (b bench) rows(kin *sheet.Kin) []*sheet.Record {
	var all []*sheet.Record
	for i, t := range b.timed {
		said := b.fitted.Time(t, b.peak, b.bandwidth)
		r := fill(kin, "matmul")
		r.num("side", t.Side())
		r.num("took", float64(t.Took))
		r.num("ideal", float64(t.Ideal(b.peak, b.bandwidth)))
		r.num("law", float64(said))
		r.num("off", float64(said/t.Took-1))
		r.say("use", map[bool]string{true: "fitted", false: "held out"}[isFitted(i)])
		all = append(all, r.Record)
	}
	return all
}
