package library

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
)

// randomGroup is a torus, a switch, some ranks of a tree, or slices.
func randomGroup(r *rand.Rand) network.Group {
	size := func(most int) int { return 1 + r.IntN(most) }
	speed := func() quantity.Bandwidth { return quantity.Bandwidth(1e9 * float64(size(400))) }
	var t network.Torus
	for range size(3) {
		t.Axes = append(t.Axes, network.Axis{Size: size(6), Wrap: r.IntN(2) == 0, OneWay: speed()})
	}
	switch r.IntN(4) {
	case 0:
		return network.Switch{Devices: size(20), Egress: speed(), Reduces: r.IntN(2) == 0, Direct: r.IntN(2) == 0}
	case 1:
		tree := network.Tree{Levels: []network.Level{
			{Name: "node", Degree: size(8), Egress: speed(), Reduces: r.IntN(2) == 0},
			{Name: "leaf", Degree: size(5), Egress: speed(), Reduces: r.IntN(2) == 0},
		}}
		return network.Ranks{Tree: tree, Members: size(tree.Size()), Stride: size(3)}
	case 2:
		return network.Slices{Slice: t, Slices: size(4), DCN: speed(), Serial: r.IntN(2) == 0}
	}
	return t
}

// TestTermsAreTheirFormulas: the time of each term of a cost is what its formula makes of its values.
func TestTermsAreTheirFormulas(t *testing.T) {
	r, compared := rand.New(rand.NewPCG(11, 12)), map[network.Op]int{}
	tries := 6000
	if testing.Short() {
		tries /= 4
	}
	for range tries {
		c := network.Collective{Op: network.Op(r.IntN(7)), Bytes: quantity.Bytes(r.IntN(1 << 30)), Shift: r.IntN(9) - 4}
		c.OneWay = r.IntN(3) == 0
		if r.IntN(2) == 0 {
			c.Active = float64(1 + r.IntN(8))
		}
		g := randomGroup(r)
		cost, err := c.Over(g)
		if err != nil {
			continue
		}
		for _, s := range cost.Stages {
			for _, term := range s.Terms {
				compared[c.Op]++
				workedOut(t, c, g, term)
			}
		}
	}
	for op := network.AllGather; op <= network.Permute; op++ {
		if compared[op] < tries/30 {
			t.Errorf("%v: %d terms", op, compared[op])
		}
	}
}

func workedOut(t *testing.T, c network.Collective, g network.Group, term network.Term) {
	t.Helper()
	var values []explain.Named
	for _, v := range law.Used(term.Formula, term.Values) {
		values = append(values, explain.Named{Name: v.Name, Value: quantityValue(v.Num)})
	}
	w, err := explain.Work(term.Formula, values, nil, explain.Plain)
	got, want := w.Value.Num, term.Time.Quantity()
	if err != nil || got.Dim != want.Dim || math.Abs(got.Value-want.Value) > 1e-12*math.Abs(want.Value) {
		t.Fatalf(
			"%+v over %v, %s: %s of %v is %v, %v; it takes %v",
			c,
			g,
			term.Resource,
			term.Formula,
			term.Values,
			got,
			err,
			want,
		)
	}
}
