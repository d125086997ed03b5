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
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// exampleTest is what nccl-tests printed on eight H100s (NVIDIA/nccl-tests, issue 290), two iterations a size.
//
//go:embed example.nccl.txt
var exampleTest string

// ncclTests offers collectives as NCCL runs them, and what its tests printed.
type ncclTests struct{ ops, chips, tests, laws, points *value.Kin }

// addNCCL offers them.
func addNCCL(env *value.Env) {
	n := &ncclTests{ops: newKin(env, "NCCL collective", nil), chips: env.Kins[0], tests: newKin(env, "NCCL test", nil),
		laws: newKin(env, "NCCL law", nil), points: newKin(env, "NCCL point", nil)}
	offer(env, law.NCCLLaws, []offered{
		{Name: "nccl_example", Gives: "text", Call: document(exampleTest),
			Doc: "What nccl-tests printed of all-reduces on eight H100s."},
		{Name: "nccl_test", Takes: "text text", Gives: "NCCL test", Work: 1 << 14, Call: n.test,
			Doc: "The output of nccl-tests, header and all: which collective, how many devices, and what the largest arrays " +
				"reach."},
		{Name: "nccl_ops", Takes: "test NCCL test", Gives: "list NCCL collective", Call: n.opList,
			Doc: "The collectives, that of a test first."},
		{Name: "nccl_chips", Takes: "test NCCL test", Gives: "list accelerator", Work: 1 << 10, Call: n.chipList,
			Doc: "The accelerators with a network of their own behind a switch, those of a test first."},
		{Name: "nccl_law", Takes: "op text, algorithm text, chip accelerator, n, nodes, W byte/s, share byte/s",
			Gives: "NCCL law", Work: 1 << 8, Call: n.law,
			Doc: "A collective as NCCL runs it, over n devices in each of so many nodes: by \"ring\", \"tree\", \"nvls\", " +
				"\"sharp\", or by the fastest (\"auto\"). W is a device’s egress in its node, share its part of the network, " +
				"one way."},
		{Name: "nccl_laws", Takes: "op text, chip accelerator, n, nodes, W byte/s, share byte/s", Gives: "list NCCL law",
			Work: 1 << 10, Call: n.lawList, Doc: "The same by each algorithm that there is."},
		{Name: "nccl_points", Takes: "test NCCL test, law NCCL law", Gives: "list NCCL point", Work: 1 << 12,
			Call: n.pointList, Doc: "Each size of a test beside a law: time, bus bandwidth, and how far off the law is."},
	})
}

// test reads a text.
func (n *ncclTests) test(a []value.Value) (value.Value, error) {
	t, err := nccl.ReadTest(a[0].Text)
	if err != nil {
		return value.Value{}, err
	}
	best := t.Best()
	r := fill(n.tests, phrase.New("library.nccl-test", "op", t.Op, "n", t.Devices))
	r.Of = t
	r.say("op", t.Op.String())
	r.say("device", t.Device)
	size := best.Bytes.Quantity()
	size.Binary = true
	r.Fields["at"] = quantityValue(size)
	r.nums([]named{{"devices", float64(t.Devices)}, {"nodes", float64(t.Nodes)},
		{"local", math.Max(1, math.Round(float64(t.Devices)/float64(t.Nodes)))}, {"lines", float64(len(t.Points))},
		{"best", best.Bus}, {"factor", t.Factor}, {"average", t.Average},
		{"wrong", float64(t.Wrong)}})
	if t.Factor > 0 {
		r.num("algorithm", best.Bus/t.Factor)
	}
	return r.value(), nil
}

// testOf reads a test back.
func testOf(v value.Value) (*nccl.Test, error) {
	t, is := v.Record.Of.(*nccl.Test)
	if !is {
		return nil, phrase.New("library.no-nccl-test", "value", v)
	}
	return t, nil
}

func (n *ncclTests) opList(a []value.Value) (value.Value, error) {
	t, err := testOf(a[0])
	if err != nil {
		return value.Value{}, err
	}
	var first, others []*value.Record
	for op := network.AllGather; op < network.Permute; op++ {
		name := op.String()
		r := fill(n.ops, strings.ToUpper(name[:1])+name[1:])
		r.ID = name
		r.say("name", name)
		if op == t.Op {
			first = append(first, r.Record)
		} else {
			others = append(others, r.Record)
		}
	}
	return recordList(append(first, others...)), nil
}

// chipList are the accelerators of which there are nodes; the test's first, or else the H100.
func (n *ncclTests) chipList(a []value.Value) (value.Value, error) {
	t, err := testOf(a[0])
	if err != nil {
		return value.Value{}, err
	}
	device, length := strings.ReplaceAll(t.Device, "-", " "), 0
	var first *value.Record
	var all []*value.Record
	for _, r := range n.chips.Members {
		chip := r.Of.(*hardware.Accelerator)
		size, err := chip.Get("node_size")
		if _, torus := network.RuleFor(chip); torus || err != nil || size.Value.Value < 2 || !chip.Has("scaleup_bandwidth") {
			continue
		}
		all = append(all, r)
		_, word, _ := strings.Cut(strings.ToUpper(chip.ID), ".")
		if within := strings.Contains(strings.ToUpper(device), word); within && len(word) > length ||
			first == nil && chip.ID == "gpu.h100" {
			if first = r; within {
				length = len(word)
			}
		}
	}
	if first != nil {
		all = append([]*value.Record{first}, without(all, first)...)
	}
	return recordList(all), nil
}

// without is a list without one of its records.
func without(all []*value.Record, one *value.Record) []*value.Record {
	var rest []*value.Record
	for _, r := range all {
		if r != one {
			rest = append(rest, r)
		}
	}
	return rest
}

// setting is what the parameters of a law tell, beginning with the chip.
func (n *ncclTests) setting(op string, a []value.Value) (nccl.Setting, error) {
	chip, _ := a[0].Record.Of.(*hardware.Accelerator)
	if chip == nil {
		return nccl.Setting{}, noAccelerator(a[0])
	}
	s, err := nccl.Node(chip)
	if err != nil {
		return s, err
	}
	if s.Op, err = network.ParseOp(op); err != nil {
		return s, err
	}
	each, err := between(a[1], "library.number-of-chips", 1, 1<<16)
	if err != nil {
		return s, err
	}
	if s.Nodes, err = between(a[2], "library.number-of-nodes", 1, 1<<16); err != nil {
		return s, err
	}
	s.Devices, s.Egress, s.Wire = each*s.Nodes, a[3].Num.Value, a[4].Num.Value*float64(each)
	if !(s.Egress >= 1 && s.Egress <= 1e18 && s.Wire >= 1 && s.Wire <= 1e24) || s.Devices < 2 {
		return s, phrase.Fault{What: phrase.New("library.no-link-bandwidth", "bandwidth", a[3].Num),
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
			What:   phrase.New("library.nccl-cannot", "op", s.Op, "algorithm", algorithmNamed(s.Algorithm), "chip", a[2]),
			Remedy: phrase.New("library.nccl-choose"),
		}
	}
	return n.lawRecord(nccl.Of(s)), nil
}

func (n *ncclTests) lawRecord(l nccl.Law) value.Value {
	r := fill(n.laws, algorithmNamed(l.Algorithm))
	r.ID, r.Of = string(l.Algorithm), l
	r.say("algorithm", r.Name)
	key := "library.nccl-inside"
	if l.Wired {
		key = "library.nccl-between"
	}
	r.say("binding", phrase.New(key))
	r.nums([]named{{"bound", l.Bound}, {"share", l.Share}, {"reached", l.Reached()}, {"factor", l.Factor},
		{"array", l.Reached() / l.Factor}, {"start", float64(l.Start)}, {"fill", float64(l.Fill)}})
	return r.value()
}

// algorithms are what they are called.
var algorithms = map[nccl.Algorithm]string{nccl.Ring: "library.nccl-ring", nccl.Tree: "library.nccl-tree",
	nccl.NVLS: "library.nccl-nvls", nccl.Sharp: "library.nccl-sharp"}

func algorithmNamed(a nccl.Algorithm) *phrase.Phrase {
	if key := algorithms[a]; key != "" {
		return phrase.New(key)
	}
	return phrase.New("library.nccl-other", "name", string(a))
}

// lawList is a law for each algorithm.
func (n *ncclTests) lawList(a []value.Value) (value.Value, error) {
	s, err := n.setting(a[0].Text, a[1:])
	if err != nil {
		return value.Value{}, err
	}
	var all []*value.Record
	for _, algorithm := range []nccl.Algorithm{nccl.Ring, nccl.Tree, nccl.NVLS, nccl.Sharp} {
		if !s.Can(algorithm) || algorithm == nccl.Sharp && s.Nodes == 1 {
			continue
		}
		s.Algorithm = algorithm
		all = append(all, n.lawRecord(nccl.Of(s)).Record)
	}
	return recordList(all), nil
}

// pointList is a line for each size.
func (n *ncclTests) pointList(a []value.Value) (value.Value, error) {
	t, err := testOf(a[0])
	if err != nil {
		return value.Value{}, err
	}
	l, is := a[1].Record.Of.(nccl.Law)
	if !is {
		return value.Value{}, phrase.New("library.no-nccl-law", "value", a[1])
	}
	var all []*value.Record
	for i, p := range t.Points {
		size := p.Bytes.Quantity()
		size.Binary = true
		r := fill(n.points, size.String())
		r.ID = recordID("line", strconv.Itoa(i))
		r.Fields["size"] = quantityValue(size)
		law := float64(l.Time(p.Bytes))
		r.nums([]named{{"time", float64(p.Time)}, {"bus", p.Bus}, {"law", law}, {"law_bus", l.Bus(float64(p.Bytes))},
			{"off", law/float64(p.Time) - 1}, {"share", p.Bus / l.Bound}})
		all = append(all, r.Record)
	}
	return recordList(all), nil
}
