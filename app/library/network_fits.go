package library

import (
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addFits offers the curve of a collective through measurements that somebody writes down or pastes.
func addFits(env *value.Env) {
	pairs, curve := withFields(value.RecordType{Name: "measured pair"}, nil), withFields(value.RecordType{Name: "fitted curve"}, nil)
	share := param("share", plain)
	share.Optional, share.Default = true, counted(1, "")
	params := []value.Param{param("pairs", text), share}
	env.Funcs["measured_pairs"] = &value.Func{
		Name: "measured_pairs", Params: params, Result: listType(pairs),
		Source: "the text", Work: 1 << 12,
		Doc: "Measurements of a collective from a text, a size with its time or bus bandwidth on each line, or the table " +
			"of NCCL's tests, beside the curve of piped_fit. share is the bytes on a wire for each byte of the array.",
		Call: func(a []value.Value) (value.Value, error) { return measuredPairs(pairs, a[0].Text, a[1].Num.Value) },
	}
	env.Funcs["piped_fit"] = &value.Func{
		Name: "piped_fit", Params: params, Result: kinType(curve),
		Source: "least squares of relative errors", Work: 1 << 12,
		Doc: "The curve of piped_time with the least squared relative errors through the measurements of a text.",
		Call: func(a []value.Value) (value.Value, error) {
			_, f, err := pipedThrough(a[0].Text, a[1].Num.Value)
			r := newRecord(curve, phrase.New("library.fitted-curve"))
			r.nums([]named{
				{"start", float64(f.Start)}, {"bandwidth", float64(f.Bandwidth)}, {"fill", float64(f.Fill)}, {"worst", f.Worst},
				{"least", float64(f.Least)}, {"most", float64(f.Most)},
			})
			return r.value(), err
		},
	}
}

// pipedThrough reads measurements and fits the curve to them.
func pipedThrough(text string, share float64) ([]network.Point, network.Piped, error) {
	points, err := network.ReadPoints(text, share)
	if err != nil {
		return nil, network.Piped{}, err
	}
	f, err := network.FitPiped(points)
	return points, f, err
}

// measuredPairs lists measurements, each with what the curve says of it; none if there is no text.
func measuredPairs(kin *value.RecordType, text string, share float64) (value.Value, error) {
	if text == "" {
		return recordList(nil), nil
	}
	points, f, err := pipedThrough(text, share)
	if err != nil {
		return value.Value{}, err
	}
	var all []*value.Record
	for _, p := range points {
		size := p.Bytes.Quantity()
		size.Binary = true
		r := newRecord(kin, size.String())
		r.ID = r.Name
		r.Fields["size"] = quantityValue(size)
		r.num("time", float64(p.Time))
		r.num("rate", share*float64(p.Bytes)/float64(p.Time))
		r.num("curve", float64(f.Time(p.Bytes)))
		r.num("off", float64(f.Time(p.Bytes)/p.Time)-1)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}
