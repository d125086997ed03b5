package library

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// networks are the record types of the networks that sheets may build.
type networks struct {
	slices *value.RecordType
	trees  *value.RecordType
	plans  *value.RecordType
	costs  *value.RecordType
	laid   atomic.Pointer[laidMesh] // the last, while nobody uses it
}

// laidMesh is a mesh laid on hardware. A solve or a plot asks for the same one again and again: the prices that it
// remembers don't depend on the sizes of arrays.
type laidMesh struct {
	on     *value.Record // chips, or a slice
	fabric *sharding.Fabric
}

// of tells whether l is a mesh like m on the same hardware.
func (l *laidMesh) of(m *sharding.Mesh, on *value.Record) bool {
	return l != nil && l.on == on && l.fabric.Mesh.Same(m)
}

// addNetworks offers slices, nodes and trees of switches as functions that give records.
func addNetworks(env *value.Env) {
	n := &networks{}
	n.plans, n.costs = withFields(value.RecordType{Name: "fat tree"}, nil),
		withFields(value.RecordType{Name: "cost"}, nil)
	n.slices, n.trees = sliceType(env, n), treeType(n)
	for _, f := range []*value.Func{n.slice(), n.nodeFunc(), n.clusterFunc(), n.treeFunc(), n.planFunc(), n.fitFunc(),
		flowsFunc()} {
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
		Doc: "A slice of a TPU pod with the given sides, in chips: how many hosts, which axes wrap around, its links " +
			"and totals. Older chips, v5e and v6e have two axes, the others three.",
		Source: law.GooglePages + "; " + law.AustinTPUs,
		Result: typeOfRecord(n.slices),
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
	r.say("note", s.Note)
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
func axisFields(r recordBuilder, t network.Torus) {
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
		Doc: "Hops on a shortest way between two chips of the slice whose places differ by so much along each axis, " +
			"the other way around where an axis wraps.",
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

// sliceType declares what a slice knows.
func sliceType(env *value.Env, n *networks) *value.RecordType {
	rt := withFields(value.RecordType{Name: "slice"}, map[string]value.Type{"chip": typeOfRecord(env.RecordTypes[0])})
	slice := param("slice", typeOfRecord(rt))
	rt.Methods["flops"] = &value.Func{
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
	rt.Methods["hops"] = hopsMethod(slice)
	axes, hop := param("axes", text), param("hop", seconds)
	axes.Optional, axes.Default = true, value.Value{Kind: value.Text}
	hop.Optional, hop.Default = true, value.Value{Kind: value.Number, Num: quantity.Seconds(0).Quantity()}
	n.addCollectives(rt, groups{
		Doc: "along all axes of the slice or those named (\"xy\"), both ways on each; hop is the least time of a " +
			"hop.",
		choices: []value.Param{axes, hop},
		pick: func(r *value.Record, c []value.Value) (network.Group, error) {
			return torusOf(r, c[0].Text, quantity.Seconds(c[1].Num.Value))
		},
	})
	return rt
}

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
func (n *networks) addCollectives(rt *value.RecordType, g groups) {
	self := param("network", typeOfRecord(rt))
	for op := network.AllGather; op <= network.AllToAll; op++ {
		name := strings.ReplaceAll(op.String(), "-", "_") + "_time"
		rt.Methods[name] = &value.Func{
			Name: name, Params: append([]value.Param{self, param("V", bytes)}, g.choices...),
			Result: seconds, Source: law.Played,
			Doc: "Exact time of an " + op.String() + " of an array of V bytes, the whole of one group, " + g.Doc,
			Call: func(a []value.Value) (value.Value, error) {
				c, err := over(op, a[1], a[0], a[2:], g.pick)
				return value.Value{Kind: value.Number, Num: c.Time.Quantity()}, err
			},
		}
	}
	rt.Methods["collective"] = &value.Func{
		Name: "collective", Params: append([]value.Param{self, param("op", text), param("V", bytes)}, g.choices...),
		Source: law.Played,
		Result: typeOfRecord(n.costs),
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
	r.say("binding", c.Binding)
	r.say("algorithm", c.Algorithm)
	return r.value()
}

// fitFunc is the function alpha_beta_fit(V, T, V, T, ...).
func (n *networks) fitFunc() *value.Func {
	rt := withFields(value.RecordType{Name: "fitted line"}, nil)
	more := value.Param{Name: "more", Type: plain, AnyDim: true, Optional: true,
		Default: value.Value{Kind: value.Number}}
	return &value.Func{
		Name: "alpha_beta_fit", Params: []value.Param{param("V", bytes), param("T", seconds), more}, Variadic: true,
		Doc: "The line T = alpha + V/bandwidth with the least squared relative errors through measured sizes and " +
			"times, written one pair after the other.",
		Source: "least squares",
		Result: typeOfRecord(rt),
		ResultOf: func(types []value.Type) (value.Type, error) {
			return typeOfRecord(rt), paired(types)
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
			r := newRecord(rt, phrase.New("library.fitted-line"))
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

// addFits offers the curve of a collective through measurements that somebody writes down or pastes.
func addFits(env *value.Env) {
	pairs, curve := withFields(value.RecordType{Name: "measured pair"}, nil),
		withFields(value.RecordType{Name: "fitted curve"}, nil)
	share := param("share", plain)
	share.Optional, share.Default = true, counted(1, "")
	params := []value.Param{param("pairs", text), share}
	env.Funcs["measured_pairs"] = &value.Func{
		Name: "measured_pairs", Params: params, Result: listType(pairs),
		Source: "the text", Work: 1 << 12,
		Doc: "Measurements of a collective from a text, a size with its time or bus bandwidth on each line, or the " +
			"table of NCCL's tests, beside the curve of piped_fit. share is the bytes on a link for each byte of " +
			"the array.",
		Call: func(a []value.Value) (value.Value, error) { return measuredPairs(pairs, a[0].Text, a[1].Num.Value) },
	}
	env.Funcs["piped_fit"] = &value.Func{
		Name: "piped_fit", Params: params, Result: typeOfRecord(curve),
		Source: "least squares of relative errors", Work: 1 << 12,
		Doc: "The curve of piped_time with the least squared relative errors through the measurements of a text.",
		Call: func(a []value.Value) (value.Value, error) {
			_, f, err := pipedThrough(a[0].Text, a[1].Num.Value)
			r := newRecord(curve, phrase.New("library.fitted-curve"))
			r.nums([]named{
				{"start", float64(f.Start)}, {"bandwidth", float64(f.Bandwidth)}, {"fill", float64(f.Fill)},
				{"worst", f.Worst},
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
func measuredPairs(rt *value.RecordType, text string, share float64) (value.Value, error) {
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
		r := newRecord(rt, size.String())
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

// planFunc is the function fat_tree(devices, per_node, ports, over, port): the switches that it needs.
func (n *networks) planFunc() *value.Func {
	perNode, ports, over, port := count("per_node"), count("ports"), count("over"), param("port", bandwidth)
	for p, usual := range map[*value.Param]value.Value{
		&perNode: counted(8, "device"), &ports: counted(64, ""), &over: counted(1, ""),
		&port: {Kind: value.Number, Num: quantity.Bandwidth(50e9).Quantity()},
	} {
		p.Optional, p.Default = true, usual
	}
	return &value.Func{
		Name: "fat_tree", Params: []value.Param{count("devices"), perNode, ports, over, port},
		Doc: "The switches of a fat tree for devices in nodes of per_node (8) and switches of so many ports (64), " +
			"each port one way (50 GB/s): every device has a port, and those of the same place in their nodes meet " +
			"at the same leaf. Of a leaf’s ports over times (1) as many go down as up.",
		Source: law.AustinGPUs, Result: typeOfRecord(n.plans),
		Call: func(a []value.Value) (value.Value, error) {
			var sizes [3]int
			for i, key := range [...]string{"library.number-of-devices", "library.size-of-node",
				"library.number-of-ports"} {
				size, err := whole(a[i], key)
				if err != nil {
					return value.Value{}, err
				}
				sizes[i] = size
			}
			f, err := network.NewFatTree(sizes[0], sizes[1], sizes[2], a[3].Num.Value)
			if err != nil {
				return value.Value{}, err
			}
			return n.fatTree(f, a[0].Num, a[4].Num.Value), nil
		},
	}
}

// fatTree is a fat tree as a sheet sees it.
func (n *networks) fatTree(f network.FatTree, devices quantity.Quantity, port float64) value.Value {
	r := newRecord(n.plans, phrase.New("library.fat-tree-of", "devices", devices))
	r.Of = f
	for name, x := range map[string]int{
		"devices": f.Devices, "nodes": f.Nodes, "units": f.Units, "leafs": f.Leafs, "spines": f.Spines,
		"cores":          f.Cores,
		"links_per_pair": f.LinksPerPair, "levels": f.Levels, "down": f.Down, "up": f.Up, "spine_ports": f.SpinePorts(),
	} {
		r.num(name, float64(x))
	}
	r.num("rise", float64(f.Rise())*port)
	r.num("bisection", float64(f.Bisection())*port)
	return r.value()
}

// flowsFunc is the function tree_flows(pattern, nodes, spines, spread, hash).
func flowsFunc() *value.Func {
	rt := withFields(value.RecordType{Name: "flows on a tree"}, nil)
	return &value.Func{
		Name: "tree_flows", Result: typeOfRecord(rt), Source: "its parameters",
		Params: []value.Param{param("pattern", text), count("nodes"), count("spines"), param("spread", flag),
			count("hash")},
		Doc: "What up to 32 nodes, four on a leaf, offer to the links between leaves and up to eight spines, each of " +
			"which carries what a node can send. All send at full rate: \"next\", each to the next; \"half\", each " +
			"to the one half of them away; \"all\", to all alike. A hash gives each flow one spine, or its packets " +
			"are spread over all.",
		Call: func(a []value.Value) (value.Value, error) {
			if patterns := network.Patterns(); !slices.Contains(patterns, a[0].Text) {
				return value.Value{}, phrase.Fault{
					What:   phrase.New("library.no-pattern", "name", strconv.Quote(a[0].Text)),
					Remedy: phrase.New("library.write-one-of", "names", phrase.Commas(patterns)),
				}
			}
			nodes, spines := int(a[1].Num.Value), int(a[2].Num.Value)
			f := network.PlaceFlows(a[0].Text, nodes, spines, a[3].Bool, int(a[4].Num.Value))
			if float64(f.Nodes) != a[1].Num.Value || float64(f.Spines) != a[2].Num.Value {
				return value.Value{}, phrase.New("library.flows-range")
			}
			r := newRecord(rt, phrase.New("library.flows-on", "spines", f.Spines))
			r.Of = f
			load, _, _, _ := f.Busiest()
			r.num("load", load)
			return r.value(), nil
		},
	}
}
