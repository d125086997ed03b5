package library

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// computed are the functions of products and ways.
func (p *products) computed() []*value.Func {
	product, way := param("product", kinType(p.product)), param("way", kinType(p.way))
	return []*value.Func{
		{Name: "product_ways", Params: []value.Param{product, param("law", text)}, Result: value.ListOf(way.Type),
			Work: planWork, Call: p.ways,
			Doc: "The ways to compute a product of two split arrays on chips, the fastest first: by the \"exact\" times of " +
				"collectives, or by the \"shortcut\" V/W."},
		{Name: "product_arrays", Params: []value.Param{product}, Result: listType(p.array), Call: p.arrays,
			Doc: "The three arrays of a product, as a list: what each chip holds, and how often."},
		{Name: "way_curve", Params: []value.Param{way, param("over", text)}, Result: kinType(p.bend), Work: 64 * planWork,
			Doc:  "A way to compute a product over the size of one of its dimensions, and the best way at each size.",
			Call: atOnce(p.beginCurve), Begin: p.beginCurve},
		{Name: "curve_regimes", Params: []value.Param{param("curve", kinType(p.bend))},
			Result: listType(p.reach), Call: p.regimes,
			Doc: "The stretches of sizes over which one way is the best for one reason, as a list."},
	}
}

func (p *products) ways(a []value.Value) (value.Value, error) {
	s := a[0].Record.Of.(*setup.Setup)
	if s.Fabric == nil {
		return value.Value{}, &sharding.Error{Where: "product", What: phrase.New("library.no-chips"),
			Remedy: phrase.New("library.make-on-chips")}
	}
	var all []*value.Record
	for _, w := range s.Ways(a[1].Text == "shortcut") {
		r := filling{strategyRecord(w.Plan, w.Strategy, p.way)}
		r.ID, r.Of, r.From = w.ID(), w, w.Key()
		r.say("verdict", w.Verdict().String())
		all = append(all, r.Record)
	}
	if len(all) == 0 {
		return value.Value{}, &sharding.Error{Where: "product",
			What:   phrase.New("library.no-moves", "array", s.Einsum.C.String(s.Mesh)),
			Remedy: phrase.New("library.no-moves-fix")}
	}
	return recordList(all), nil
}

func (p *products) arrays(a []value.Value) (value.Value, error) {
	s := a[0].Record.Of.(*setup.Setup)
	var all []*value.Record
	for _, x := range s.Arrays() {
		r := shardRecord(x, s.Mesh, p.array)
		r.ID = x.Name
		all = append(all, r)
	}
	return recordList(all), nil
}

// curveTask is a curve under way.
type curveTask struct {
	p     *products
	curve *setup.Curve
}

func (p *products) beginCurve(a []value.Value) value.Task {
	return &curveTask{p, a[0].Record.Of.(*setup.Way).NewCurve(a[1].Text)}
}

// Step plans as many places as take well less than a frame: fewer, the more axes the mesh has.
func (t *curveTask) Step() bool {
	atOnce := [...]int{32, 32, 5, 2, 1}
	axes := min(len(t.curve.Way.Setup.Mesh.Axes), len(atOnce)-1)
	more := true
	for i := 0; more && i < atOnce[axes]; i++ {
		more = t.curve.Step()
	}
	return more
}

// Progress is how much of the curve is planned.
func (t *curveTask) Progress() float64 { return t.curve.Done() }

// Value is the curve as far as it is planned.
func (t *curveTask) Value() (value.Value, error) {
	c := *t.curve
	r := newRecord(t.p.bend, phrase.New("library.over-dimension", "name", c.Over))
	r.Of = &c
	r.num("regimes", float64(len(c.Regimes())))
	return r.value(), nil
}

func (p *products) regimes(a []value.Value) (value.Value, error) {
	var all []*value.Record
	for _, x := range a[0].Record.Of.(*setup.Curve).Regimes() {
		var sizes any = sizeOf(x.From)
		if x.To > x.From {
			sizes = phrase.New("library.from-to", "from", sizeOf(x.From), "to", sizeOf(x.To))
		}
		r := newRecord(p.reach, sizes)
		r.ID = strings.ReplaceAll(strconv.FormatFloat(math.Round(x.From), 'f', -1, 64), ".", "-")
		r.say("sizes", sizes)
		r.say("best", x.Title)
		r.say("bound", x.Bound)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// sizeOf is the size of a dimension as a reader knows it.
func sizeOf(x float64) quantity.Quantity { return quantity.Quantity{Value: math.Round(x)} }
