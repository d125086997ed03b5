package library

import (
	"strconv"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// machines offers the two machines that a chip is explained with.
type machines struct{ arrays, streams *value.RecordType }

// addMachines offers them.
func addMachines(env *value.Env) {
	n := &machines{newRecordType(env, "systolic array", nil), newRecordType(env, "stream", nil)}
	register(env, law.RunByCycle, []funcDecl{
		{Name: "systolic_array", Takes: "n, rows, load switch, cycle", Gives: "systolic array", Work: 1 << 14,
			Call: n.newArray,
			Doc: "A square array of n by n cells, at most " + strconv.Itoa(machine.MaxSide) +
				", through which rows of a batch go, after a cycle (0 is the first). " +
				"load: the weights are shown coming in."},
	})
	register(env, law.RunByBlock, []funcDecl{
		{Name: "stream", Takes: "chip accelerator, dtype dtype, B, D, F, blocks, buffers", Gives: "stream",
			Work: 1 << 12,
			Call: n.newStream,
			Doc: "A matmul [B, D] by [D, blocks of F] whose blocks of weights stream through a chip’s VMEM, with so " +
				"many buffers each way."},
	})
}

// newArray is a systolic array after a cycle.
func (n *machines) newArray(a []value.Value) (value.Value, error) {
	side, rows, cycle, err := arrayNumbers(a)
	if err != nil {
		return value.Value{}, err
	}
	return arrayRecord(n.arrays, machine.NewArray(side, rows, a[2].Bool).Run(cycle+1)), nil
}

// arrayNumbers are the numbers of a systolic array.
func arrayNumbers(a []value.Value) (n, rows, cycle int, err error) {
	for i, c := range []struct {
		to        *int
		key       string
		low, high int
	}{{&n, "library.side-of-array", 1, machine.MaxSide}, {&rows, "library.number-of-rows", 1, machine.MaxRows}, {},
		{&cycle, "library.cycle", 0, 100}} {
		if c.to != nil && err == nil {
			*c.to, err = between(a[i], c.key, c.low, c.high)
		}
	}
	return n, rows, cycle, err
}

// between reads a whole number of a range; key is the sentence of what it is, if it is another number.
func between(v value.Value, key string, low, high int) (int, error) {
	n, err := whole(v, key)
	if err == nil && (n < low || n > high) {
		err = phrase.Fault{What: phrase.New(key, "n", v.Num),
			Remedy: phrase.New("library.give-from-to", "low", low, "high", high)}
	}
	return n, err
}

func arrayRecord(rt *value.RecordType, m *machine.Array) value.Value {
	r := newRecord(rt, phrase.New("library.array-in-cycle", "cycle", m.Cycle))
	r.Of = m
	out, equal := m.Checked()
	r.num("worked", float64(m.Worked))
	r.num("busy", float64(m.Busy()))
	r.num("sums_out", float64(out))
	r.flag("right", equal)
	r.say("does", CycleText(m))
	return r.value()
}

// CycleText says what happens in the last cycle.
func CycleText(a *machine.Array) *phrase.Phrase {
	if a.Cycle <= a.Loading() {
		return phrase.New("figure.array-loading")
	}
	left, _ := a.Checked()
	return phrase.New("figure.array-works", "busy", a.Busy(), "cells", a.N*a.N, "left", left, "sums", a.Rows*a.N)
}

// mostBlocks bounds the streams that are drawn.
const mostBlocks, mostBuffers = 64, 16

func (n *machines) newStream(a []value.Value) (value.Value, error) {
	blocks, err := between(a[5], "library.number-of-blocks", 1, mostBlocks)
	if err != nil {
		return value.Value{}, err
	}
	buffers, err := between(a[6], "library.number-of-buffers", 1, mostBuffers)
	if err != nil {
		return value.Value{}, err
	}
	wire, peak, err := rates(a[0], a[1].Text)
	if err != nil {
		return value.Value{}, err
	}
	B, D, F, each := a[2].Num.Value, a[3].Num.Value, a[4].Num.Value, quantity.Bytes(a[1].Bits/8)
	shared, in, out := each*quantity.Bytes(B*D), each*quantity.Bytes(D*F), each*quantity.Bytes(B*F)
	run := machine.Stream(blocks, buffers, machine.Times{
		First: float64(shared.Over(wire)), Load: float64(in.Over(wire)), Store: float64(out.Over(wire)),
		Math: float64(roofline.MatmulFLOPs(B, D, F).Over(peak)),
	})
	if !(run.Total() > 0) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.nothing-to-stream"),
			Remedy: phrase.New("library.give-sizes")}
	}
	r := newRecord(n.streams, phrase.Count(blocks, "library.blocks-through-vmem"))
	r.Of = run
	r.num("time", run.Total())
	r.num("computing", run.Computing())
	r.num("copying", run.Copying())
	r.num("vmem", float64(shared+quantity.Bytes(buffers)*(in+out)))
	r.num("steps", float64(len(run.Moments())-1))
	r.say("bound", phrase.New("library.copying-longer"))
	if run.Computing() > run.Copying() {
		r.say("bound", phrase.New("library.computing-longer"))
	}
	return r.value(), nil
}

// rates are how fast a chip reads its HBM and computes in a format.
func rates(chip value.Value, dtype string) (quantity.Bandwidth, quantity.FLOPRate, error) {
	a, _ := chip.Record.Of.(*hardware.Accelerator)
	if a == nil {
		return 0, 0, phrase.Fault{What: phrase.New("library.no-chip-of-catalog", "value", chip),
			Remedy: phrase.New("library.give-one-chip", "chip", "tpu.v5e")}
	}
	wire, err := a.Get("hbm_bandwidth")
	if err != nil {
		return 0, 0, err
	}
	peak, err := a.Peak(dtype)
	return quantity.Bandwidth(wire.Value.Value), quantity.FLOPRate(peak.Value.Value), err
}
