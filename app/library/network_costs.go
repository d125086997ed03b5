package library

import (
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// picking is how a record and the choices of a method give the group of a collective.
type picking func(r *value.Record, choices []value.Value) (network.Group, error)

// groups are the groups of a kind of network: what a collective goes over unless the parameters, all optional, pick
// others.
type groups struct {
	Doc     string
	choices []value.Param
	pick    picking
}

// addCollectives gives a record type its methods: the exact time of each collective, and collective(op, V) for all that
// is known of one.
func (n *networks) addCollectives(kin *value.RecordType, g groups) {
	self := param("network", kinType(kin))
	for op := network.AllGather; op <= network.AllToAll; op++ {
		name := strings.ReplaceAll(op.String(), "-", "_") + "_time"
		kin.Methods[name] = &value.Func{
			Name: name, Params: append([]value.Param{self, param("V", bytes)}, g.choices...),
			Result: seconds, Source: law.Played,
			Doc: "Exact time of an " + op.String() + " of an array of V bytes, the whole of one group, " + g.Doc,
			Call: func(a []value.Value) (value.Value, error) {
				c, err := over(op, a[1], a[0], a[2:], g.pick)
				return value.Value{Kind: value.Number, Num: c.Time.Quantity()}, err
			},
		}
	}
	kin.Methods["collective"] = &value.Func{
		Name: "collective", Params: append([]value.Param{self, param("op", text), param("V", bytes)}, g.choices...),
		Source: law.Played,
		Result: kinType(n.costs),
		Doc: "What a collective (\"all-gather\", \"all-to-all\", \"broadcast\", …) of an array of V bytes, the whole " +
			"of one group, takes, and what binds it, " + g.Doc,
		Call: func(a []value.Value) (value.Value, error) {
			op, err := network.ParseOp(a[1].Text)
			if err != nil {
				return value.Value{}, err
			}
			c, err := over(op, a[2], a[0], a[3:], g.pick)
			return n.cost(c), err
		},
	}
}

// over is the cost of a collective over the group that the choices pick.
func over(op network.Op, v, self value.Value, choices []value.Value, group picking) (network.Cost, error) {
	g, err := group(self.Record, choices)
	if err != nil {
		return network.Cost{}, err
	}
	return network.Collective{Op: op, Bytes: quantity.Bytes(v.Num.Value)}.Over(g)
}

// cost is a cost as a sheet sees it.
func (n *networks) cost(c network.Cost) value.Value {
	chips := quantity.Quantity{Value: float64(c.Size), Label: quantity.Label{Over: "chip"}}
	r := newRecord(n.costs, phrase.New("library.collective-over", "collective", c.Op, "group", chips))
	r.num("time", float64(c.Time))
	r.num("sum", float64(c.Sum))
	r.num("bytes_time", float64(c.Bandwidth))
	r.num("latency", float64(c.Latency))
	r.num("shortcut", float64(c.Shortcut))
	r.num("hops", float64(c.Hops))
	r.num("bytes_per_link", float64(c.PerLink))
	r.num("chips", float64(c.Size))
	r.say("binding", c.Binding.String())
	r.say("algorithm", c.Algorithm.String())
	return r.value()
}

// fitFunc is the function alpha_beta_fit(V, T, V, T, ...).
func (n *networks) fitFunc() *value.Func {
	kin := withFields(value.RecordType{Name: "fitted line"}, nil)
	more := value.Param{Name: "more", Type: plain, AnyDim: true, Optional: true, Default: value.Value{Kind: value.Number}}
	return &value.Func{
		Name: "alpha_beta_fit", Params: []value.Param{param("V", bytes), param("T", seconds), more}, Variadic: true,
		Doc: "The line T = alpha + V/bandwidth with the least squared relative errors through measured sizes and " +
			"times, written one pair after the other.",
		Source: "least squares",
		Result: kinType(kin),
		ResultOf: func(types []value.Type) (value.Type, error) {
			return kinType(kin), paired(types)
		},
		Call: func(a []value.Value) (value.Value, error) {
			var points []network.Point
			for i := 0; i+1 < len(a); i += 2 {
				points = append(
					points,
					network.Point{Bytes: quantity.Bytes(a[i].Num.Value), Time: quantity.Seconds(a[i+1].Num.Value)},
				)
			}
			f, err := network.FitAlphaBeta(points)
			if err != nil {
				return value.Value{}, err
			}
			r := newRecord(kin, phrase.New("library.fitted-line"))
			r.num("alpha", float64(f.Alpha))
			r.num("bandwidth", float64(f.Bandwidth))
			r.num("knee", float64(f.Knee()))
			r.num("worst", f.Worst)
			r.num("least", float64(f.Least))
			r.num("most", float64(f.Most))
			return r.value(), nil
		},
	}
}

// paired refuses anything but sizes and times in turn; a third argument that nobody wrote is a plain number.
func paired(types []value.Type) error {
	if len(types) == 3 && types[2] == plain {
		return nil
	}
	for i, t := range types {
		if want := [...]value.Type{bytes, seconds}[i%2]; t != want {
			return phrase.Fault{What: phrase.New("library.argument-number-is", "n", i+1, "type", t),
				Remedy: phrase.New("library.write-size-time")}
		}
	}
	if len(types)%2 != 0 {
		return phrase.Fault{What: phrase.New("library.no-last-time"), Remedy: phrase.New("library.write-size-time")}
	}
	return nil
}
