package hardware

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// cardTable is cards of which little is known besides memory and rate: ID, name, GB/s, dense TFLOP/s in fp16 (of
// GeForce cards with 16-bit sums, twice those with 32-bit ones), GiB. Beside it, in card_sources.tsv, stands where the
// bandwidth (B), the rate (T) and the memory (M) were read, or the cores and the clock rate from which the rate follows
// (C): a tensor core for each 32 cores has 256 FLOP a clock. What has no such letter is as the makers' data sheets are
// remembered, and not verified. Rates of Radeons are twice those in fp32. NVIDIA’s data sheet of the RTX 4000 Ada has
// 327.6 TFLOP/s in fp8 and sparse, a quarter of which is 81.9: its clock under load, not its boost clock.
//
//go:embed cards.tsv
var cardTable string

var cards = sync.OnceValue(func() []*Accelerator {
	s := &Catalog().sources
	var all []*Accelerator
	for line := range strings.Lines(cardTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rate, field := c[3], "flops.bf16"
		switch {
		case strings.Contains(c[1], "RTX 20"): // before bf16
			field = "flops.fp16"
		case strings.HasPrefix(c[1], "GeForce"):
			x, _ := strconv.ParseFloat(rate, 64)
			rate = strconv.FormatFloat(x/2, 'f', -1, 64)
		}
		a := &Accelerator{ID: c[0], Name: c[1], Vendor: "NVIDIA", Interconnect: "PCIe"}
		if strings.Contains(c[1], "R") && !strings.Contains(c[1], "RTX") {
			a.Vendor = "AMD"
		}
		a.Group = a.Vendor + " GPU"
		for _, row := range [...]string{field + "\t" + rate + " T" + "FLOP/s", "hbm\t" + c[4] + " GiB",
			"hbm_bandwidth\t" + c[2] + " GB/s"} {
			a.rows += c[0] + "\t" + row + "\tcards\n"
		}
		a.facts = sync.OnceValue(func() []Fact { return s.facts(a.rows) })
		all = append(all, a)
	}
	return all
})

// Cards are those that people have one or a few of, and that menus of accelerators leave out. Treat them as immutable.
func Cards() []*Accelerator { return cards() }
