// Package stream is an instrument: a matmul that streams through VMEM block by block.
package stream

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// New is the instrument.
func New() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "stream", Title: "A matmul streamed through VMEM", Style: "instrument-machines.css",
		About:    "Blocks of weights are copied into VMEM, multiplied and copied out, with one buffer or more, against the clock of a chip.",
		Controls: controls, View: view, Values: values, Summary: summary,
	}
}

func controls() []instrument.Control {
	return []instrument.Control{
		{Name: "chip", Label: "Chip", Kind: instrument.Menu, Default: "tpu.v5e", Options: chips()},
		{Name: "dtype", Label: "Number format", Kind: instrument.Menu, Default: "bf16", Options: []instrument.Option{{ID: "bf16", Name: "bf16"}}, Fit: fitFormat},
		{Name: "b", Label: "Tokens, B", Default: "256", Min: "8", Max: "8192", Log: true, Whole: true},
		{Name: "d", Label: "Width of the input, D", Default: "8192", Min: "128", Max: "32768", Log: true, Whole: true},
		{Name: "f", Label: "Columns of weights in a block", Default: "1024", Min: "128", Max: "8192", Log: true, Whole: true},
		{Name: "k", Label: "Blocks", Default: "8", Min: "1", Max: "16", Whole: true},
		{Name: "buffers", Label: "Buffers each way", Default: "2", Min: "1", Max: "4", Whole: true, Help: "1: nothing overlaps. 2: double buffering."},
		{Name: "moment", Label: "Moment", Kind: instrument.Step, Default: "8",
			Fit:      func(s *instrument.State, c *instrument.Control) { c.Steps = len(of(s).Moments()) - 1 },
			StepName: func(s *instrument.State, step int) string { return figure.StreamText(of(s).Run, step) }},
	}
}

// chips are those with a VMEM.
func chips() []instrument.Option {
	var all []instrument.Option
	for _, a := range hardware.Catalog().All {
		if a.Has("vmem") && a.Has("hbm_bandwidth") && a.Has("flops.bf16") {
			all = append(all, instrument.Option{ID: a.ID, Name: a.Name, Group: a.Group})
		}
	}
	return all
}

func fitFormat(s *instrument.State, c *instrument.Control) {
	if a, err := hardware.Catalog().Get(s.Text("chip")); err == nil {
		c.Options = nil
		for _, d := range a.DTypes() {
			c.Options = append(c.Options, instrument.Option{ID: d, Name: d})
		}
	}
}

// job is what streams: its run, and what it takes of VMEM.
type job struct {
	*machine.Run
	shared, in, out quantity.Bytes // the activations, a block of weights, a block of results
	vmem            quantity.Bytes
}

// of is the job that is set.
func of(s *instrument.State) *job {
	chip, err := hardware.Catalog().Get(s.Text("chip"))
	if err != nil {
		return &job{Run: machine.Stream(1, 1, machine.Times{})}
	}
	constant := func(c hardware.Constant, err error) float64 { return c.Value.Value }
	wire := quantity.Bandwidth(constant(chip.Get("hbm_bandwidth")))
	peak := quantity.FLOPRate(constant(chip.Peak(s.Text("dtype"))))
	B, D, F, each := s.Number("b"), s.Number("d"), s.Number("f"), width(s.Text("dtype"))
	j := &job{shared: each * quantity.Bytes(B*D), in: each * quantity.Bytes(D*F), out: each * quantity.Bytes(B*F), vmem: quantity.Bytes(constant(chip.Get("vmem")))}
	if !(wire > 0) || !(peak > 0) {
		j.Run = machine.Stream(1, 1, machine.Times{})
		return j
	}
	j.Run = machine.Stream(s.Int("k"), s.Int("buffers"), machine.Times{
		First: float64(j.shared.Over(wire)), Load: float64(j.in.Over(wire)), Store: float64(j.out.Over(wire)),
		Math: float64(roofline.MatmulFLOPs(B, D, F).Over(peak)),
	})
	return j
}

// width is the bytes of a number: a format's name ends with its bits.
func width(dtype string) quantity.Bytes {
	bits, _ := strconv.Atoi(strings.TrimLeft(dtype, "abcdefghijklmnopqrstuvwxyz"))
	return quantity.Bytes(bits) / 8
}

// needs is the VMEM that the activations and all buffers take.
func (j *job) needs() quantity.Bytes {
	return j.shared + quantity.Bytes(j.Buffers)*(j.in+j.out)
}

func values(s *instrument.State) []instrument.Value {
	j := of(s)
	b := roofline.Bounds{Math: quantity.Seconds(j.Computing()), Comms: quantity.Seconds(j.Copying())}
	busy := 0.0
	if j.Total() > 0 {
		busy = j.Computing() / j.Total()
	}
	return []instrument.Value{
		instrument.Of("t", "In all", quantity.Seconds(j.Total()).Quantity()),
		instrument.Of("lower", "At best", b.Lower().Quantity()),
		instrument.Of("upper", "At worst", b.Upper().Quantity()),
		instrument.Of("busy", "The MXU works", quantity.Quantity{Value: busy, Label: quantity.Label{Over: "%"}}),
		instrument.Of("vmem", "VMEM needed", j.needs().Quantity()),
	}
}

// bound says what holds up the whole.
func (j *job) bound() string {
	if j.Computing() > j.Copying() {
		return "computing takes longer than copying"
	}
	return "copying takes longer than computing"
}

func summary(s *instrument.State) string {
	v := values(s)
	return "In all " + v[0].Text + ", at best " + v[1].Text + ", at worst " + v[2].Text
}

func view(s *instrument.State) []instrument.Part {
	return []instrument.Part{
		{Key: "drawing", Build: func() *instrument.Node {
			d := figure.Stream(of(s).Run, s.Int("moment"))
			return instrument.El("figure", instrument.Class("part machine"), d.Root, instrument.El("figcaption", d.Note))
		}},
		{Key: "times", Uses: "chip dtype b d f k buffers", Build: func() *instrument.Node { return times(s) }},
		{Key: "plan", Uses: "chip dtype b d f k buffers", Build: func() *instrument.Node {
			return s.Words("plan", "When each block is where", true, func() *instrument.Node { return s.Twin("plan", figure.Stream(of(s).Run, 0).Twin[0]) })
		}},
	}
}

// times are the results.
func times(s *instrument.State) *instrument.Node {
	j := of(s)
	fits := "they fit into " + j.vmem.Quantity().String()
	if j.needs() > j.vmem {
		fits = "more than the " + j.vmem.Quantity().String() + " there are"
	}
	return instrument.El("div", instrument.Class("part"),
		s.Row("t", j.bound()), s.Row("lower", "the longer of the two alone"), s.Row("upper", "one after the other"),
		s.Row("busy", "of the time in all"), s.Row("vmem", "activations and buffers: "+fits))
}
