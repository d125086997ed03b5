package library

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addStarted offers the start-up of matmuls, fitted to what somebody timed.
func addStarted(env *value.Env) {
	kin := withFields(value.RecordType{Name: "timed matmul"}, nil)
	env.Funcs["matmul_timings"] = &value.Func{
		Name: "matmul_timings", Result: listType(kin), Work: 1 << 10,
		Params: []value.Param{param("text", text), param("peak", flopRate), param("bandwidth", bandwidth)},
		Source: "fitted here, to the pairs that are given",
		Doc:    "Timed matmuls beside the law matmul_time_started, as fitted to every other of them.",
		Call: func(a []value.Value) (value.Value, error) {
			peak, bandwidth := quantity.FLOPRate(a[1].Num.Value), quantity.Bandwidth(a[2].Num.Value)
			timed, err := roofline.Timings(a[0].Text)
			if err != nil {
				return value.Value{}, err
			}
			fit, err := roofline.FitStarted(everyOther(timed), peak, bandwidth)
			var all []*value.Record
			for i, t := range timed {
				all = append(all, timedMatmul(kin, t, fit, t.Ideal(peak, bandwidth), i%2 == 0))
			}
			return recordList(all), err
		}}
}

// everyOther are the matmuls that constants are fitted to, from the first on; those between are held out.
func everyOther(timed []roofline.Timed) []roofline.Timed {
	var half []roofline.Timed
	for i := 0; i < len(timed); i += 2 {
		half = append(half, timed[i])
	}
	return half
}

// timedMatmul is a matmul beside what the roofline and the fitted law say of it.
func timedMatmul(kin *value.RecordType, t roofline.Timed, fit roofline.Started, ideal quantity.Seconds,
	fitted bool) *value.Record {
	law := fit.Time(t, ideal)
	r := newRecord(kin, "matmul")
	r.num("share", fit.Share)
	r.num("edge", float64(fit.Edge))
	r.num("side", t.Side())
	r.num("took", float64(t.Took))
	r.num("ideal", float64(ideal))
	r.num("law", float64(law))
	r.num("off", float64(law/t.Took-1))
	r.say("use", phrase.New("library.held-out"))
	if fitted {
		r.say("use", phrase.New("library.fitted"))
	}
	return r.Record
}
