package library

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// exampleHLO is a program written by hand: a layer of a Transformer, split over eight chips.
//
//go:embed example.hlo
var exampleHLO string

// recordedHLO is the body of a loop as XLA compiled it for TPUs; its first lines say where it was published.
//
//go:embed recorded.hlo
var recordedHLO string

// mlpHLO is what XLA makes of mlp.py, which stands beside it, for a TPU.
//
//go:embed mlp.hlo
var mlpHLO string

// The texts are read by functions of their own, so that they come to the browser with these.
func exampleProgram([]value.Value) (value.Value, error) { return words(exampleHLO), nil }

func recordedProgram([]value.Value) (value.Value, error) { return words(recordedHLO), nil }

func mlpProgram([]value.Value) (value.Value, error) { return words(mlpHLO), nil }

// programs offers programs of HLO, estimated on a chip.
type programs struct{ chips, shapes, lines, operations, programs, profiles *value.RecordType }

// addPrograms offers shapes and programs in the text of HLO.
func addPrograms(env *value.Env) {
	n := &programs{chips: env.RecordTypes[0], shapes: newRecordType(env, "HLO shape", nil),
		lines: newRecordType(env, "HLO line", nil), operations: newRecordType(env, "HLO operation", nil),
		programs: newRecordType(env, "HLO program", nil)}
	n.profiles = newRecordType(env, "HLO profile", map[string]value.Type{
		"operations": listType(n.operations), "lines": listType(n.lines)})
	register(env, law.CountedOps, []funcDecl{
		{Name: "hlo_shape", Takes: "shape text", Gives: "HLO shape", Work: 1 << 10, Call: n.shape,
			Doc: "An array as HLO writes it, such as \"bf16[32,1024]{1,0:T(8,128)(2,1)}\": its size, with and " +
				"without padding."},
		{Name: "hlo_program", Takes: "program text", Gives: "HLO program", Work: 1 << 20, Call: n.program,
			Doc: "What a text of HLO holds; a text without any operation is refused."},
		{Name: "hlo_profile", Takes: "program text, chip record", Gives: "HLO profile", Work: 1 << 20,
			Begin: n.beginProfile,
			Doc: "A text of HLO, operation by operation: what it computes, moves and sends, and how long it takes on " +
				"a chip at least."},
		{Name: "hlo_check", Takes: "program text", Gives: "switch", Work: 1 << 16, Call: checkProgram,
			Doc: "Whether a text holds operations of HLO; one without any is refused."},
		{Name: "hlo_chip", Takes: "program text", Gives: "accelerator", Work: 1 << 16, Call: n.chip,
			Doc: "A chip of the kind that a text of HLO was compiled for: an H100 where it calls libraries of GPUs, " +
				"else a TPU v5e."},
		{Name: "hlo_example", Gives: "text", Call: exampleProgram,
			Doc: "A small program of HLO, written by hand: a layer of a Transformer."},
		{Name: "hlo_recorded", Gives: "text", Call: recordedProgram,
			Doc: "A loop of a program that XLA compiled for TPUs, as its developers published it: a collective " +
				"matmul."},
		{Name: "hlo_mlp", Gives: "text", Call: mlpProgram,
			Doc: "An MLP on eight chips, written in JAX, as XLA compiles it for a TPU v5e."},
	})
}

// checkProgram refuses a text without operations.
func checkProgram(a []value.Value) (value.Value, error) {
	return value.Value{Kind: value.Bool, Bool: true}, hlo.Check(a[0].Text)
}

// chip is what a text is priced on if nobody says: one of its kind.
func (n *programs) chip(a []value.Value) (value.Value, error) {
	if hlo.ForGPU(a[0].Text) {
		return recordOf(n.chips, startlog.UsualChip), nil
	}
	return recordOf(n.chips, "tpu.v5e"), nil
}

// shape is an array in memory.
func (n *programs) shape(a []value.Value) (value.Value, error) {
	s, err := hlo.ParseShape(strings.TrimSpace(a[0].Text))
	if err != nil {
		return value.Value{}, err
	}
	r := newRecord(n.shapes, s.String())
	r.Of = &s
	r.say("type", s.Type)
	r.num("elements", s.Elements())
	r.num("padded", s.Padded())
	r.num("padding", s.Padded()-s.Elements())
	r.num("bytes", s.Bytes())
	r.num("held", s.Held())
	if s.Bytes() > 0 {
		r.num("ratio", s.Held()/s.Bytes())
	}
	n.tiles(r, &s)
	r.say("space", memorySpace(s.Layout.Space))
	return r.value(), nil
}

// tiles says how a shape is cut up.
func (n *programs) tiles(r recordBuilder, s *hlo.Shape) {
	each := s.Layout.TileSizes()
	if len(each) > 0 && each[0] > 0 {
		r.num("tiles", s.Padded()/each[0])
		r.num("each", each[0])
	}
	if len(each) > 1 && each[1] > 0 {
		r.num("inner", each[0]/each[1])
	}
	var order, sizes []string
	for i := range s.Layout.Order {
		order = append(order, strconv.Itoa(s.Layout.Order[len(s.Layout.Order)-1-i]))
	}
	for _, size := range s.Rounded() {
		sizes = append(sizes, strconv.FormatFloat(size, 'f', -1, 64))
	}
	if len(order) > 0 {
		r.say("order", strings.Join(order, ", "))
	}
	r.say("sizes", strings.Join(sizes, " × "))
}

// memorySpace is the memory of a number as TPUs have them.
func memorySpace(space int) string {
	switch space {
	case 0:
		return "HBM"
	case 1:
		return "VMEM"
	}
	return "S(" + strconv.Itoa(space) + ")"
}

// program is what a text holds.
func (n *programs) program(a []value.Value) (value.Value, error) {
	src := a[0].Text
	m, err := hlo.Read(src)
	if err != nil {
		return value.Value{}, err
	}
	r := newRecord(n.programs, "program")
	r.say("name", phrase.Printable(m.Name, 60))
	r.num("operations", float64(m.Ops()))
	r.num("computations", float64(len(m.Computations)))
	r.num("devices", float64(max(1, m.Devices)))
	r.num("unread", float64(m.Unread))
	return r.value(), nil
}

// noAccelerator is the error of a record that is no chip.
func noAccelerator(v value.Value) error { return phrase.New("library.no-accelerator", "value", v) }

// profileTask is a program that is read, and estimated on a chip.
type profileTask struct {
	*programs
	chip    hlo.Chip
	reader  *hlo.Reader
	pricing *hlo.Pricing // once it is read
	fault   error
	left    bool
	record  value.Value
}

func (n *programs) beginProfile(a []value.Value) value.Task {
	p := &profileTask{programs: n}
	chip := chipOf(a[1].Record)
	if chip == nil {
		p.fault = noAccelerator(a[1])
		return p
	}
	p.chip = hlo.NewChip(chip)
	p.reader, p.fault = hlo.NewReader(a[0].Text)
	p.left = p.fault == nil
	return p
}

// Step reads a slice, or estimates some operations.
func (p *profileTask) Step() (more bool) {
	switch {
	case !p.left:
	case p.pricing != nil:
		p.left = p.pricing.Step()
	case !p.reader.Step():
		var m *hlo.Module
		if m, p.fault = p.reader.Whole(); p.fault == nil {
			p.pricing = m.Pricing(p.chip)
		}
		p.left = p.fault == nil
	}
	return p.left
}

// Progress is the share of the text that is read; then it is soon estimated.
func (p *profileTask) Progress() float64 {
	if !p.left {
		return 1
	}
	return 0.9 * p.reader.Done()
}

// Value is the profile, once it is made.
func (p *profileTask) Value() (value.Value, error) {
	switch {
	case p.fault != nil:
		return value.Value{}, p.fault
	case p.left:
		return value.Value{}, phrase.New("hlo.reading")
	case p.record.Record == nil:
		p.record = p.priced(p.pricing.Profile)
	}
	return p.record, nil
}

// priced is a profile as a sheet sees it.
func (n *programs) priced(p *hlo.Profile) value.Value {
	r := newRecord(n.profiles, "profile")
	r.Of = p
	r.nums([]named{{"flops", p.FLOPs}, {"hbm", p.HBM}, {"sent", p.Sent}, {"math", p.Math},
		{"memory", p.Memory}, {"comms", p.Comms}, {"hidden", p.Hidden}, {"time", p.Time},
		{"padding", p.Held - p.True}, {"host", p.HostFLOPs}})
	r.flag("optimised", !p.Raw())
	r.say("note", programNote(p))
	uncounted := 0
	for i := range p.Ops {
		if p.Ops[i].Unknown {
			uncounted++
		}
	}
	r.num("uncounted", float64(uncounted))
	r.Fields["operations"] = n.operationList(p)
	r.Fields["lines"] = n.lineList(p)
	r.num("unread", float64(p.Unread))
	return r.value()
}

// programNote says what a reader must know of a program as a whole, first what the text lacks of it.
func programNote(p *hlo.Profile) phrase.List {
	said := []*phrase.Phrase{programKind(p)}
	if p.Lacks != nil {
		said = []*phrase.Phrase{p.Lacks, said[0]}
	}
	if p.Raw() && p.Devices > 1 && p.Sent == 0 {
		said = append(said, phrase.New("hlo.unsplit", "n", p.Devices))
	}
	if p.ForCPU {
		said = append(said, phrase.New("hlo.for-cpu"))
	}
	return phrase.Clauses(said)
}

// programKind says how far a program was compiled.
func programKind(p *hlo.Profile) *phrase.Phrase {
	if p.Raw() {
		return phrase.New("hlo.raw")
	}
	if p.Scheduled {
		return phrase.New("hlo.scheduled")
	}
	return phrase.New("hlo.unscheduled")
}

// mostOperations is how many operations of a program a sheet lists, those that take longest.
const mostOperations = 1000

// operationList is the operations of a profile, the longest first.
func (n *programs) operationList(p *hlo.Profile) value.Value {
	ops := make([]*hlo.Expected, len(p.Ops))
	for i := range p.Ops {
		ops[i] = &p.Ops[i]
	}
	slices.SortStableFunc(ops, func(a, b *hlo.Expected) int { return cmp.Compare(b.Time()*b.Times, a.Time()*a.Times) })
	all := make([]*value.Record, 0, min(len(ops), mostOperations))
	for _, e := range ops[:min(len(ops), mostOperations)] {
		all = append(all, n.operation(e, p.Time))
	}
	return recordList(all)
}

// operation is an operation as a sheet sees it. What it has nothing of is left out.
func (n *programs) operation(e *hlo.Expected, all float64) *value.Record {
	name := phrase.Printable(e.Name, 60)
	r := newRecord(n.operations, name)
	r.ID, r.Of = recordID(name, strconv.Itoa(e.Line)), e
	r.Lacks = func(string) any { return "–" }
	r.say("name", name)
	r.say("code", phrase.Printable(e.Code, 40))
	r.say("result", phrase.Printable(e.Shape.String(), 60))
	r.num("times", e.Times)
	r.num("time", e.Time())
	r.num("total", e.Time()*e.Times)
	if all > 0 {
		r.num("share", e.Time()*e.Times/all)
	}
	for _, x := range []named{{"flops", e.FLOPs()}, {"hbm", e.HBM}, {"math", e.Math}, {"memory", e.Memory},
		{"comms", e.Comms}} {
		if x.Value > 0 {
			r.num(x.Name, x.Value)
		}
	}
	if len(e.Sent) > 0 {
		r.num("sent", e.Sent[0].Bytes)
		r.num("group", float64(e.Sent[0].Group))
	}
	if bound := e.Bound(); bound != "" {
		r.say("bound", bound)
	} else if e.Host {
		r.say("bound", phrase.New("library.on-host"))
	} else if e.Unknown {
		r.say("bound", phrase.New("library.uncountable"))
	}
	return r.Record
}

// lineList is what can't be read or counted, line by line.
func (n *programs) lineList(p *hlo.Profile) value.Value {
	var all []*value.Record
	add := func(line int, what *phrase.Phrase) {
		r := newRecord(n.lines, strconv.Itoa(line))
		r.Lacks = func(string) any { return "–" }
		if line > 0 {
			r.num("line", float64(line))
		}
		r.say("what", what)
		all = append(all, r.Record)
	}
	if p.Raw() {
		add(0, phrase.New("hlo.raw"))
	}
	for _, f := range p.Faults {
		add(f.Line, f.What)
	}
	for i := range p.Ops {
		if e := &p.Ops[i]; p.Bounded(e.Op) {
			add(e.Line, phrase.New("hlo.bounds", "name", phrase.Printable(e.Name, 40)))
			break
		}
	}
	for i := range p.Ops {
		if what := uncounted(p, &p.Ops[i]); what != nil && len(all) < mostOperations {
			add(p.Ops[i].Line, what)
		}
	}
	for _, o := range p.Looped {
		what := phrase.New("hlo.loop", "name", phrase.Printable(o.Name, 40))
		switch {
		case o.Code == "conditional":
			what = phrase.New("hlo.branches", "name", phrase.Printable(o.Name, 40))
		case o.Most > 1:
			what = phrase.New("hlo.loop-most", "name", phrase.Printable(o.Name, 40), "n",
				quantity.Grouped(strconv.FormatFloat(o.Most, 'f', 0, 64)))
		}
		if len(all) < mostOperations {
			add(o.Line, what)
		}
	}
	return recordList(all)
}

// uncounted says what an operation has that takes no time of the chip, or not a known one; nil if it has nothing such.
func uncounted(p *hlo.Profile, e *hlo.Expected) *phrase.Phrase {
	var key, what string
	var of any
	switch {
	case e.Unknown:
		key, what, of = "hlo.unknown-call", "target", phrase.Printable(p.Calls(e.Op), 40)
	case e.Host:
		key, what, of = "hlo.host", "flops", quantity.FLOPs(e.FLOPs()*e.Times).Quantity()
	case e.Unrated != "":
		key, what, of = "hlo.no-rate", "type", phrase.Printable(e.Unrated, 20)
	case e.Far > 0:
		key, what, of = "hlo.far", "bytes", quantity.Bytes(e.Far*e.Times).Quantity()
	default:
		return nil
	}
	return phrase.New(key, "name", phrase.Printable(e.Name, 40), what, of)
}
