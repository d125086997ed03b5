package local

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
)

// Memory is a kind of memory, which decides what share of its bandwidth software reaches.
type Memory uint8

// The kinds of memory.
const (
	Graphics Memory = iota // GDDR of a card, or LPDDR beside an NVIDIA or AMD GPU
	Stacked                // HBM
	Unified                // of Apple's computers
)

// Machine is a card or a computer, in base units.
type Machine struct {
	ID, Name  string
	Memory    Memory
	Bandwidth float64 // of its memory, byte/s
	Peak      float64 // of 16-bit matrix products, FLOP/s; of GeForce cards with 16-bit sums, as llama.cpp has them
	Usable    float64 // bytes that a program can have; 0 if that isn't known
}

// cardTable is cards that the catalog lacks: ID, name, GB/s, dense TFLOP/s in fp16, GB. Beside it, in card_sources.tsv,
// stands where the bandwidth (B) and the rate (T) were read, or the cores and the clock from which the rate follows (C):
// a tensor core for each 32 cores has 256 FLOP a clock. What has no such letter is as the makers' data sheets are
// remembered, and not verified. Rates of Radeons are twice those in fp32, that of the RTX 4080 half of the sparse one.
// NVIDIA’s data sheet of the RTX 4000 Ada has 327.6 TFLOP/s in fp8 and sparse, a quarter of which is 81.9: its clock
// under load, not its boost clock.
//
//go:embed cards.tsv
var cardTable string

// Cards are the cards that the catalog of accelerators lacks.
func Cards() []*Machine {
	var all []*Machine
	for line := range strings.Lines(cardTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		number := func(i int) float64 { x, _ := strconv.ParseFloat(c[i], 64); return x }
		all = append(all, &Machine{ID: c[0], Name: c[1], Bandwidth: number(2) * 1e9, Peak: number(3) * 1e12,
			Usable: number(4) * (1 << 30)})
	}
	return all
}

// graphics are the accelerators with GDDR or LPDDR whose names do not tell it.
const graphics = " gpu.l4 gpu.l40s gpu.t4 gpu.b60 gpu.gb10 gpu.a6000 "

// ShareOfUnified is what the GPU may take of the memory of Apple's computers, unless their owners set
// iogpu.wired_limit_mb.
const ShareOfUnified = 0.75

// Of is an accelerator of the catalog as a machine. The error names the constant that is missing.
func Of(a *hardware.Accelerator) (*Machine, error) {
	m := &Machine{ID: a.ID, Name: a.Name, Memory: Stacked}
	k, err := a.Get("hbm_bandwidth")
	if err != nil {
		return m, err
	}
	m.Bandwidth = k.Value.Value
	if m.Usable, err = a.Usable(); err != nil {
		return m, err
	}
	peak, err := a.Peak("fp16")
	if err != nil {
		if peak, err = a.Peak("bf16"); err != nil {
			return m, err
		}
		if strings.HasPrefix(a.Name, "GeForce") {
			peak.Value.Value *= 2 // half of what they reach with 16-bit sums
		}
	}
	m.Peak = peak.Value.Value
	switch {
	case a.Vendor == "Apple":
		m.Memory, m.Usable = Unified, m.Usable*ShareOfUnified
	case strings.Contains(graphics, " "+a.ID+" ") || strings.Contains(a.Name, "GeForce") || strings.Contains(a.Name,
		"RTX"):
		m.Memory = Graphics
	}
	return m, nil
}
