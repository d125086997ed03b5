package library

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// networks are the record types of the networks that sheets may build.
type networks struct {
	slices *value.RecordType
	trees  *value.RecordType
	plans  *value.RecordType
	costs  *value.RecordType
}

// addNetworks offers slices, nodes and trees of switches as functions that give records.
func addNetworks(env *value.Env) {
	n := &networks{}
	n.plans, n.costs = withFields(value.RecordType{Name: "fat tree"}, nil), withFields(value.RecordType{Name: "cost"}, nil)
	n.slices, n.trees = sliceKin(env, n), treeKin(n)
	for _, f := range []*value.Func{n.slice(), n.nodeFunc(), n.clusterFunc(), n.treeFunc(), n.planFunc(), n.fitFunc()} {
		env.Funcs[f.Name] = f
	}
}

// chip is the accelerator behind a record.
func (n *networks) chip(v value.Value) (*hardware.Accelerator, error) {
	if a := chipOf(v.Record); a != nil {
		return a, nil
	}
	_, err := hardware.Catalog().Get(v.Record.ID)
	return nil, err
}

// whole reads a count that must be a whole number; key is the sentence of what it is, if it is none.
func whole(v value.Value, key string) (int, error) {
	const most = 1 << 30
	switch x := v.Num.Value; {
	case math.Abs(x) > most:
		return 0, phrase.Fault{What: phrase.New(key, "n", v.Num),
			Remedy: phrase.New("library.give-whole-from-to", "low", 1, "high", most)}
	case x != math.Trunc(x):
		return 0, phrase.Fault{What: phrase.New(key, "n", v.Num), Remedy: phrase.New("library.give-whole")}
	}
	return int(v.Num.Value), nil
}

// sides reads the sizes of the axes; those left out at the end, and a third of 1 for chips with two axes, do not count.
func sides(a []value.Value, chip *hardware.Accelerator) ([]int, error) {
	var shape []int
	for i, v := range a {
		size, err := whole(v, [...]string{"library.first-side", "library.second-side", "library.third-side"}[i])
		if err != nil {
			return nil, err
		}
		shape = append(shape, size)
	}
	rule, ok := network.RuleFor(chip)
	if last := len(shape) - 1; shape[last] == 0 || ok && rule.Dims == last && shape[last] == 1 {
		shape = shape[:last]
	}
	return shape, nil
}

// slice is the function slice(chip, X, Y, Z).
func (n *networks) slice() *value.Func {
	last := count("Z")
	last.Optional, last.Default = true, value.Value{Kind: value.Number}
	return &value.Func{
		Name:   "slice",
		Params: []value.Param{param("chip", value.Type{Kind: value.Rec}), count("X"), count("Y"), last},
		Doc: "A slice of a TPU pod with the given sides, in chips: how many hosts, which axes wrap around, its links and " +
			"totals. " +
			"Older chips, v5e and v6e have two axes, the others three.",
		Source: law.GooglePages + "; " + law.AustinTPUs,
		Result: kinType(n.slices),
		Call:   n.newSlice,
	}
}

func (n *networks) newSlice(a []value.Value) (value.Value, error) {
	chip, err := n.chip(a[0])
	if err != nil {
		return value.Value{}, err
	}
	shape, err := sides(a[1:], chip)
	if err != nil {
		return value.Value{}, err
	}
	s, err := network.NewSlice(chip, shape...)
	if err != nil {
		return value.Value{}, err
	}
	return n.sliceRecord(s, a[0]), nil
}

// sliceRecord is a slice as a sheet sees it. What the catalog does not say of the chip is missing.
func (n *networks) sliceRecord(s network.Slice, chip value.Value) value.Value {
	r := newRecord(n.slices, s.Chip.Name+" "+s.Shape())
	r.Of = s
	r.Fields["chip"] = chip
	r.say("shape", s.Shape())
	r.say("note", s.Note.String())
	r.num("chips", float64(s.Size()))
	r.num("axes", float64(len(s.Axes)))
	r.num("links_per_chip", float64(s.LinksPerChip()))
	r.num("diameter", float64(s.Diameter()))
	r.num("bisection_bandwidth", float64(s.Bisection()))
	r.num("link_bandwidth", float64(s.Axes[0].OneWay))
	r.num("link_twoway", float64(2*s.Axes[0].OneWay))
	if s.Hosts > 0 {
		r.num("hosts", float64(s.Hosts))
	}
	if s.Cores > 0 {
		r.num("cores", float64(s.Cores))
	}
	axisFields(r, s.Torus)
	for field, of := range map[string]string{"hbm": "hbm", "hbm_bandwidth": "hbm_bandwidth",
		"dcn_bandwidth": "network_bandwidth"} {
		if total, err := s.Total(of); err == nil {
			r.num(field, total)
		}
	}
	if c, err := s.Chip.Get("hbm"); err == nil { // 64 times 95 GiB are so many TiB
		v := r.Fields["hbm"]
		v.Num.Binary = c.Value.Binary
		r.Fields["hbm"] = v
	}
	return r.value()
}

// axisFields are the size of each axis, whether it wraps, and the bandwidth of a gather along it.
func axisFields(r filling, t network.Torus) {
	for i, name := range [...]string{"x", "y", "z"} {
		axis := network.Axis{Size: 1}
		if i < len(t.Axes) {
			axis = t.Axes[i]
			r.num("ring_"+name, float64(axis.Ring()))
		}
		r.num(name, float64(axis.Size))
		r.flag("wrap_"+name, axis.Wrap)
	}
}

// counted is a number of things.
func counted(n float64, label string) value.Value {
	return value.Value{Kind: value.Number, Num: quantity.Quantity{Value: n, Label: quantity.Label{Over: label}}}
}

// hopsMethod is the distance between two chips of a slice.
func hopsMethod(slice value.Param) *value.Func {
	params := []value.Param{slice, count("dx")}
	for _, name := range [...]string{"dy", "dz"} {
		params = append(params, value.Param{Name: name, Type: plain, Optional: true, Default: counted(0, "")})
	}
	return &value.Func{
		Name: "hops", Params: params, Result: plain, Source: law.Counted,
		Doc: "Hops on a shortest way between two chips of the slice whose places differ by so much along each axis, the " +
			"other way around where an axis wraps.",
		Call: func(a []value.Value) (value.Value, error) {
			t, err := torusOf(a[0].Record, "", 0)
			if err != nil {
				return value.Value{}, err
			}
			var to []int
			for i, v := range a[1:] {
				d, err := whole(v, "library.distance")
				if size := int(get(a[0].Record, "xyz"[i:i+1])); err == nil && (d < 0 || d >= size) {
					err = phrase.Fault{What: phrase.New("library.places-differ", "distance", v.Num, "size", size),
						Remedy: phrase.New("library.give-from-to", "low", 0, "high", size-1)}
				}
				if err != nil {
					return value.Value{}, err
				}
				to = append(to, d)
			}
			return counted(float64(t.Hops(nil, to)), "hop"), nil
		},
	}
}

// torusOf reads the torus of a slice back from its record, or some of its axes by name.
func torusOf(r *value.Record, axes string, hop quantity.Seconds) (network.Torus, error) {
	all := "xyz"[:int(get(r, "axes"))]
	if axes == "" {
		axes = all
	}
	var t network.Torus
	for i, c := range strings.ToLower(axes) {
		name := string(c)
		if !strings.Contains(all, name) || strings.Contains(strings.ToLower(axes[:i]), name) {
			return t, phrase.Fault{
				What:   phrase.New("library.axes-of-slice", "axes", strconv.Quote(axes), "n", r.Fields["axes"].Num),
				Remedy: phrase.New("library.name-axes"),
			}
		}
		t.Axes = append(t.Axes, network.Axis{
			Name: strings.ToUpper(name), Size: int(get(r, name)), Wrap: r.Fields["wrap_"+name].Bool,
			OneWay: quantity.Bandwidth(get(r, "link_bandwidth")), Latency: hop,
		})
	}
	return t, nil
}

// sliceKin declares what a slice knows.
func sliceKin(env *value.Env, n *networks) *value.RecordType {
	kin := withFields(value.RecordType{Name: "slice"}, map[string]value.Type{"chip": kinType(env.RecordTypes[0])})
	slice := param("slice", kinType(kin))
	kin.Methods["flops"] = &value.Func{
		Name:   "peak",
		Params: []value.Param{slice, param("dtype", dtype)},
		Source: law.Catalog,
		Result: flopRate,
		Doc:    "Dense peak rate of all chips for a dtype, multiply and add counted as two.",
		Call: func(a []value.Value) (value.Value, error) {
			chip, err := n.chip(a[0].Record.Fields["chip"])
			if err != nil {
				return value.Value{}, err
			}
			peak, err := chip.Peak(a[1].Text)
			q := peak.Value
			q.Value *= get(a[0].Record, "chips")
			return value.Value{Kind: value.Number, Num: q}, err
		},
	}
	kin.Methods["hops"] = hopsMethod(slice)
	axes, hop := param("axes", text), param("hop", seconds)
	axes.Optional, axes.Default = true, value.Value{Kind: value.Text}
	hop.Optional, hop.Default = true, value.Value{Kind: value.Number, Num: quantity.Seconds(0).Quantity()}
	n.addCollectives(kin, groups{
		Doc:     "along all axes of the slice or those named (\"xy\"), both ways on each; hop is the least time of a hop.",
		choices: []value.Param{axes, hop},
		pick: func(r *value.Record, c []value.Value) (network.Group, error) {
			return torusOf(r, c[0].Text, quantity.Seconds(c[1].Num.Value))
		},
	})
	return kin
}
