package library

import (
	_ "embed"
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/nccl"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// plays offers collectives on networks, step by step.
type plays struct{ chips, fabrics, collectives, operations, measurements *value.RecordType }

// addPlays offers them.
func addPlays(env *value.Env) {
	n := &plays{chips: env.RecordTypes[0], fabrics: newRecordType(env, "fabric", nil),
		collectives: newRecordType(env, "collective",
			nil),
		operations:   newRecordType(env, "collective operation", nil),
		measurements: newRecordType(env, "measurement", nil)}
	register(env, law.Played, []funcDecl{
		{Name: "collective_ops", Gives: "list collective operation", Call: n.playedOps,
			Doc: "The collectives that are played: all-gather, reduce-scatter, all-reduce, all-to-all, broadcast."},
		{Name: "fabric_chips", Takes: "kind text", Gives: "list accelerator", Call: n.fabricChips,
			Doc: "The chips of which there are networks of a kind: \"ring\", \"line\" and \"slice\", or \"node\" and " +
				"\"tree\"."},
		{Name: "fabric", Gives: "fabric", Call: n.newFabric,
			Takes: "kind text, chip accelerator, n, nodes, shape text, link byte/s, share byte/s, hop s, adds switch",
			Doc: "A network of one kind of chip: a \"ring\" or \"line\" of n, a \"slice\" of that shape, a \"node\" " +
				"of n behind a switch, a \"tree\" of nodes. link and share are one way; adds: the switches add up."},
		{Name: "collective_on", Takes: "fabric fabric, op text, V byte, both switch", Gives: "collective", Work: 1 << 9,
			Call: n.playedCollective,
			Doc: "A collective of an array of V bytes on a network, by the exact law, and step by step; both: around " +
				"a ring both ways."},
		{Name: "steps_shown", Takes: "collective collective", Work: 1 << 12, Call: stepsShown,
			Doc: "How many steps of a collective are shown, at least 1; of large networks those of a smaller one."},
		{Name: "time_played", Takes: "collective collective", Gives: "s", Work: 1 << 12, Call: timePlayed,
			Doc: "Time of the steps of a collective that are shown, one after the other: each waits for its latency " +
				"or for its longest link."},
		{Name: "measured_collectives", Takes: "collective collective", Gives: "list measurement", Work: 1 << 10,
			Call: n.measuredCollectives,
			Doc: "What was measured of exactly this collective on this network, and how far off the law, the " +
				"textbook’s shortcut and a line through the measurements are."},
		{Name: "measured_time", Takes: "collective collective", Gives: "s", Work: 1 << 10, Call: measuredTime,
			Doc: "What was measured of exactly this collective, for exactly so many bytes."},
	})
}

// stepsShown is how many steps of a collective are shown.
func stepsShown(a []value.Value) (value.Value, error) {
	steps := 1
	if p := a[0].Record.Of.(*play.Setting).Play(); p != nil {
		steps = max(1, len(p.Schedule.Steps))
	}
	return counted(float64(steps), ""), nil
}

// playedOps are the operations, each with its ID and name.
func (k *plays) playedOps([]value.Value) (value.Value, error) {
	var all []*value.Record
	for op := network.AllGather; op < network.Reduce; op++ {
		all = append(all, opRecord(k.operations, op))
	}
	return recordList(all), nil
}

// opRecord is an operation as a menu offers it.
func opRecord(of *value.RecordType, op network.Op) *value.Record {
	name := op.String()
	r := newRecord(of, strings.ToUpper(name[:1])+name[1:])
	r.ID = name
	r.say("name", name)
	return r.Record
}

// fabricChips are the records of the chips that a kind of network is made of.
func (k *plays) fabricChips(a []value.Value) (value.Value, error) {
	kind := play.Kind(a[0].Text)
	var all []*value.Record
	for _, r := range k.chips.Members {
		chip := r.Of.(*hardware.Accelerator)
		_, torus := network.RuleFor(chip)
		size, err := chip.Get("node_size")
		behind := err == nil && size.Value.Value > 1 && chip.Has("scaleup_bandwidth") &&
			(kind != play.Tree || chip.Has("network_bandwidth"))
		if kind.Switched() && !torus && behind || !kind.Switched() && torus {
			all = append(all, r)
		}
	}
	return recordList(all), nil
}

func (k *plays) newFabric(a []value.Value) (value.Value, error) {
	f := &play.Fabric{Kind: play.Kind(a[0].Text), Link: quantity.Bandwidth(a[5].Num.Value),
		Share: quantity.Bandwidth(a[6].Num.Value), Hop: quantity.Seconds(a[7].Num.Value), Adds: a[8].Bool}
	f.Chip, _ = a[1].Record.Of.(*hardware.Accelerator)
	var err error
	if f.N, err = between(a[2], "library.number-of-chips", 1, 1<<16); err != nil {
		return value.Value{}, err
	}
	if f.Nodes, err = between(a[3], "library.number-of-nodes", 1, 1<<16); err != nil {
		return value.Value{}, err
	}
	n := f.N
	switch f.Kind {
	case play.Ring, play.Line, play.Node:
	case play.Tree:
		n *= f.Nodes
	case play.Slice:
		s, err := network.CutSlice(f.Chip, a[4].Text)
		if err != nil {
			return value.Value{}, err
		}
		f.Axes, n = s.WithLink(f.Link).WithLatency(f.Hop).Axes, s.Size()
	default:
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-kind-of-network", "kind", string(f.Kind)),
			Remedy: phrase.New("library.write-kind-of-network")}
	}
	if !(f.Link >= 1 && f.Link <= 1e18) || f.Kind == play.Tree && !(f.Share >= 1 && f.Share <= 1e18) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-link-bandwidth", "bandwidth", a[5].Num),
			Remedy: phrase.New("library.write-link-bandwidth")}
	}
	r := newRecord(k.fabrics, phrase.New("library.fabric-of", "kind", string(f.Kind), "chip", f.Chip.Name))
	r.Of = f
	r.num("chips", float64(n))
	r.say("who", f.Who())
	return r.value(), nil
}

func (k *plays) playedCollective(a []value.Value) (value.Value, error) {
	op, err := network.ParseOp(a[1].Text)
	if err != nil {
		return value.Value{}, err
	}
	x, err := play.Set(*a[0].Record.Of.(*play.Fabric), op, a[2].Num, !a[3].Bool)
	if err != nil {
		return value.Value{}, err
	}
	c := &x.Cost
	r := newRecord(k.collectives, phrase.New("library.collective-over", "collective", c.Op, "group", x.Group))
	r.Of = x
	r.num("time", float64(c.Time))
	r.num("bytes_time", float64(c.Bandwidth))
	r.num("latency", float64(c.Latency))
	r.num("shortcut", float64(max(c.Shortcut, c.Latency)))
	r.size(x, "per_link", float64(c.PerLink))
	r.num("steps", float64(c.Hops))
	r.say("algorithm", c.Algorithm)
	r.say("binding", phrase.Phrases{}.Text(x.Binding()))
	if t := float64(c.Time); t > 0 {
		r.num("rate", float64(x.Collective.Bytes)/t)
		r.num("bus", x.BusFactor()*float64(x.Collective.Bytes)/t)
	}
	if bus, ok := publishedBus(x); ok {
		r.num("reached", bus)
	}
	if knee := x.Knee(); knee > 0 {
		r.size(x, "knee", knee)
	}
	return r.value(), nil
}

// publishedBus is the bus bandwidth that NCCL's tests reach of the largest arrays, by a ring or with sums in the
// switches.
func publishedBus(x *play.Setting) (float64, bool) {
	if !x.Kind.Switched() {
		return 0, false
	}
	s, err := nccl.Node(x.Chip)
	if err != nil {
		return 0, false
	}
	s.Op, s.Devices, s.Nodes, s.Algorithm = x.Collective.Op, x.N, 1, nccl.Ring
	s.Egress, s.Wire = float64(x.Link), float64(x.Share)*float64(x.N)
	if x.Kind == play.Tree {
		s.Devices, s.Nodes = x.N*x.Nodes, x.Nodes
	}
	if x.Adds {
		s.Algorithm, s.Switched, s.Sharp = nccl.Sharp, true, true
	}
	return nccl.Of(s).Reached(), s.Devices > 1
}

func timePlayed(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*play.Setting).Play()
	if p == nil || p.StandFor != 0 {
		return value.Value{}, phrase.Fault{What: phrase.New("library.steps-not-shown"),
			Remedy: phrase.New("library.ask-smaller-network")}
	}
	return quantityValue(p.Elapsed(len(p.Schedule.Steps)).Quantity()), nil
}

// size sets a number of bytes, in MiB or in MB as the reader wrote the array's.
func (r recordBuilder) size(x *play.Setting, name string, n float64) {
	r.num(name, n)
	v := r.Fields[name]
	v.Num.Binary = x.Size.Binary
	r.Fields[name] = v
}

func measuredTime(a []value.Value) (value.Value, error) {
	x := a[0].Record.Of.(*play.Setting)
	for _, p := range x.Measured().Points {
		if float64(p.Bytes) == x.Size.Value {
			return quantityValue(p.Time.Quantity()), nil
		}
	}
	return value.Value{}, phrase.Fault{What: phrase.New("library.not-measured"),
		Remedy: phrase.New("library.ask-measured-collectives")}
}

func (k *plays) measuredCollectives(a []value.Value) (value.Value, error) {
	x := a[0].Record.Of.(*play.Setting)
	m := x.Measured()
	fit, fitted := m.Fit()
	var all []*value.Record
	for _, p := range m.Points {
		size, t := float64(p.Bytes), float64(p.Time)
		law, shortcut := x.Times(size)
		r := newRecord(k.measurements, x.SizeText(size))
		r.ID = strings.ReplaceAll(r.Name, " ", "")
		r.size(x, "size", size)
		r.num("time", t)
		r.num("law", law/t-1)
		r.num("shortcut", shortcut/t-1)
		if fitted {
			r.num("fitted", float64(fit.Time(p.Bytes))/t-1)
		}
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// exampleTest is what nccl-tests printed on eight H100s (aws-samples/awsome-distributed-training).
//
//go:embed example.nccl.txt
var exampleTest string

func exampleTestOutput([]value.Value) (value.Value, error) { return words(exampleTest), nil }

// ncclTests offers collectives as NCCL runs them, and what its tests printed.
type ncclTests struct {
	all                        *value.Func // the collectives
	chips, tests, laws, points *value.RecordType
}

// addNCCL offers them.
func addNCCL(env *value.Env) {
	n := &ncclTests{all: env.Funcs["collective_ops"], chips: env.RecordTypes[0],
		tests: newRecordType(env, "NCCL test", nil),
		laws:  newRecordType(env, "NCCL law", nil), points: newRecordType(env, "NCCL point", nil)}
	register(env, law.NCCLLaws, []funcDecl{
		{Name: "nccl_example", Gives: "text", Call: exampleTestOutput,
			Doc: "What nccl-tests printed of all-reduces on eight H100s."},
		{Name: "nccl_test", Takes: "text text", Gives: "NCCL test", Work: 1 << 14, Call: n.test,
			Doc: "The output of nccl-tests, header and all: which collective, how many devices, and what the largest " +
				"arrays reach."},
		{Name: "nccl_ops", Takes: "test NCCL test", Gives: "list", Work: 1 << 8, Call: n.opList,
			Doc: "The collectives, that of a test first."},
		{Name: "nccl_chips", Takes: "test NCCL test", Gives: "list accelerator", Work: 1 << 10, Call: n.chipList,
			Doc: "The accelerators with a network of their own behind a switch, those of a test first."},
		{Name: "nccl_law", Takes: "op text, algorithm text, chip accelerator, n, nodes, W byte/s, share byte/s",
			Gives: "NCCL law", Work: 1 << 8, Call: n.law,
			Doc: "A collective as NCCL runs it, over n devices in each of so many nodes: by \"ring\", \"tree\", " +
				"\"nvls\", \"sharp\", or by the fastest (\"auto\"). W is a device’s egress in its node, share its " +
				"part of the network, one way."},
		{Name: "nccl_laws", Takes: "op text, chip accelerator, n, nodes, W byte/s, share byte/s",
			Gives: "list NCCL law", Work: 1 << 10, Call: n.lawList, Doc: "The same by each algorithm that there is."},
		{Name: "nccl_points", Takes: "test NCCL test, law NCCL law", Gives: "list NCCL point", Work: 1 << 12,
			Call: n.pointList,
			Doc:  "Each size of a test beside a law: time, bus bandwidth, and how far off the law is."},
	})
	env.Funcs["nccl_ops"].Result = n.all.Result
}

// opList is the collectives, the test's first.
func (n *ncclTests) opList(a []value.Value) (value.Value, error) {
	v, err := n.all.Call(nil)
	for op := network.Reduce; op <= network.Permute; op++ { // which are tested, and not played
		r := opRecord(v.List[0].Record.Type, op)
		if op == network.Permute {
			r.Name = "Sendrecv" // as its test calls it
		}
		v.List = append(v.List, value.Value{Kind: value.Rec, Record: r})
	}
	for i := range v.List {
		if v.List[i].Record.ID == testOf(a[0]).Op.String() {
			v.List[0], v.List[i] = v.List[i], v.List[0]
		}
	}
	return v, err
}

// test reads a text.
func (n *ncclTests) test(a []value.Value) (value.Value, error) {
	t, err := nccl.ReadTest(a[0].Text)
	if err != nil {
		return value.Value{}, err
	}
	best := t.Best()
	name := phrase.New("library.nccl-test", "op", t.Op, "n", t.Devices)
	if t.More {
		name = phrase.New("library.nccl-first", "test", name)
	}
	r := newRecord(n.tests, name)
	r.Of = t
	r.say("op", t.Op.String())
	r.say("device", t.Device)
	r.Fields["at"] = binary(best.Bytes)
	nodes := t.Nodes
	chips, named := n.chipsFor(t.Named())
	var ran []any
	if named {
		ran = append(ran, t.Device)
	} else if len(chips) > 0 {
		key := "library.nccl-no-device"
		if t.Device != "" {
			key = "library.nccl-unknown-device"
		}
		ran = append(ran, phrase.New(key, "device", phrase.Printable(t.Device, 40), "chip", chips[0].Name))
	}
	if t.Assumed {
		ran = append(ran, phrase.New("library.nccl-devices", "n", t.Devices))
	}
	if t.More {
		ran = append(ran, phrase.New("library.nccl-more"))
	}
	if t.Cut {
		ran = append(ran, phrase.New("library.nccl-cut"))
	}
	r.say("ran", phrase.Clauses(ran))
	if !named && t.Device == "" && len(chips) > 0 { // no host is listed either
		if s, err := nccl.Node(chips[0].Of.(*hardware.Accelerator)); err == nil && s.Devices > 0 {
			nodes = max(nodes, (t.Devices+s.Devices-1)/s.Devices)
		}
	}
	if named {
		if s, err := nccl.Node(chips[0].Of.(*hardware.Accelerator)); err == nil {
			if t.Open { // of nodes as they are usual
				nodes = max(nodes, (t.Devices+s.Devices-1)/max(1, s.Devices))
			}
			nodes = nccl.Domains(t.Devices, nodes, s.Devices)
		}
	}
	r.set("devices,nodes,local,best,factor,wrong,algorithm", float64(t.Devices), float64(nodes),
		math.Max(1, math.Round(float64(t.Devices)/float64(nodes))), best.Bus, t.Factor, float64(t.Wrong),
		float64(best.Bytes)/float64(best.Time))
	return r.value(), nil
}

// binary is a size in KiB and the like.
func binary(b quantity.Bytes) value.Value {
	q := b.Quantity()
	q.Binary = true
	return quantityValue(q)
}

// testOf reads a test back; nobody else makes records of its record type.
func testOf(v value.Value) *nccl.Test {
	t, is := v.Record.Of.(*nccl.Test)
	if !is {
		return &nccl.Test{}
	}
	return t
}

// chipList are the accelerators of which there are nodes; the test's first, or else the H100.
func (n *ncclTests) chipList(a []value.Value) (value.Value, error) {
	chips, _ := n.chipsFor(testOf(a[0]).Named())
	return recordList(chips), nil
}

// chipsFor are the accelerators of which there are nodes, that of a name first, or else the H100; named tells which.
func (n *ncclTests) chipsFor(device string) (all []*value.Record, named bool) {
	length := 0
	device = strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(device))
	for _, r := range n.chips.Members {
		chip := r.Of.(*hardware.Accelerator)
		s, err := nccl.Node(chip)
		if _, torus := network.RuleFor(chip); torus || err != nil || s.Devices < 2 {
			continue
		}
		all = append(all, r)
		_, word, _ := strings.Cut(strings.ToUpper(chip.ID), ".")
		within := strings.Contains(device, word) && len(word) > length
		if last := len(all) - 1; within || length == 0 && word == "H100" {
			all[0], all[last] = all[last], all[0]
		}
		if within {
			length = len(word)
		}
	}
	return all, length > 0
}

// setting is what the parameters of a law tell, from the chip on.
func (n *ncclTests) setting(op string, a []value.Value) (*nccl.Setting, error) {
	chip := chipOf(a[0].Record)
	if chip == nil {
		return nil, noAccelerator(a[0])
	}
	s, err := nccl.Node(chip)
	if err == nil {
		s.Op, err = network.ParseOp(op)
	}
	if err == nil {
		s.Devices, err = between(a[1], "library.number-of-chips", 1, 1<<16)
	}
	if err == nil {
		s.Nodes, err = between(a[2], "library.number-of-nodes", 1, 1<<16)
	}
	if err != nil {
		return nil, err
	}
	each := s.Devices
	s.Devices *= s.Nodes
	s.Egress, s.Wire = a[3].Num.Value, a[4].Num.Value*float64(each)
	if !(s.Egress >= 1 && s.Egress <= 1e18 && s.Wire >= 1 && s.Wire <= 1e24) || s.Devices < 2 {
		return nil, phrase.Fault{What: phrase.New("library.no-link-bandwidth", "bandwidth", a[3].Num),
			Remedy: phrase.New("library.write-link-bandwidth")}
	}
	return s, nil
}

// law is a law as a sheet sees it.
func (n *ncclTests) law(a []value.Value) (value.Value, error) {
	s, err := n.setting(a[0].Text, a[2:])
	if err != nil {
		return value.Value{}, err
	}
	s.Algorithm = nccl.Algorithm(a[1].Text)
	s.Sharp = s.Algorithm == nccl.Sharp
	if !s.Can(s.Algorithm) {
		return value.Value{}, phrase.Fault{
			What:   phrase.New("library.nccl-cannot", "op", s.Op, "algorithm", a[1].Text, "chip", a[2]),
			Remedy: phrase.New("library.nccl-choose"),
		}
	}
	return n.lawRecord(nccl.Of(s)).value(), nil
}

// algorithmKeys are what algorithms are called, and the sentence of each.
var algorithmKeys = [...][2]string{{string(nccl.Ring), "library.nccl-ring"}, {string(nccl.Tree), "library.nccl-tree"},
	{string(nccl.NVLS), "library.nccl-nvls"}, {string(nccl.Sharp), "library.nccl-sharp"}}

func (n *ncclTests) lawRecord(l *nccl.Law) recordBuilder {
	r := newRecord(n.laws, phrase.New(keyOf(string(l.Algorithm), algorithmKeys[:])))
	r.ID, r.Of = string(l.Algorithm), l
	r.say("algorithm", r.called())
	key := "library.nccl-inside"
	if l.Wired {
		key = "library.nccl-between"
	}
	r.say("binding", phrase.New(key))
	note := any("")
	borrowed := [...]string{"", "library.nccl-of-nvlink", "library.nccl-of-mi300x", "library.nccl-of-eight",
		"library.nccl-of-frames"}
	if key := borrowed[l.Borrowed]; key != "" {
		note = phrase.New(key)
	}
	r.say("note", note)
	r.set("bound,share,reached,factor,array,start,fill", l.Bound, l.Share, l.Reached(), l.Factor, l.Reached()/l.Factor,
		float64(l.Start), float64(l.Fill))
	return r
}

// lawList is a law for each algorithm.
func (n *ncclTests) lawList(a []value.Value) (value.Value, error) {
	s, err := n.setting(a[0].Text, a[1:])
	if err != nil {
		return value.Value{}, err
	}
	var all []*value.Record
	for _, s.Algorithm = range []nccl.Algorithm{nccl.Ring, nccl.Tree, nccl.NVLS, nccl.Sharp} {
		if s.Can(s.Algorithm) && (s.Algorithm != nccl.Sharp || s.Nodes > 1) {
			all = append(all, n.lawRecord(nccl.Of(s)).Record)
		}
	}
	return recordList(all), nil
}

// pointList is a line for each size.
func (n *ncclTests) pointList(a []value.Value) (value.Value, error) {
	l, is := a[1].Record.Of.(*nccl.Law)
	if !is {
		return value.Value{}, phrase.New("library.nothing-to-count", "record", a[1])
	}
	var all []*value.Record
	for i, p := range testOf(a[0]).Points {
		size := binary(p.Bytes)
		r := newRecord(n.points, size.String())
		r.ID = "line-" + strconv.Itoa(i)
		r.Fields["size"] = size
		law := float64(l.Time(p.Bytes))
		r.set("time,bus,law,law_bus,off,share", float64(p.Time), p.Bus, law, l.Bus(float64(p.Bytes)),
			law/float64(p.Time)-1, p.Bus/l.Bound)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}
