package serving

import (
	"math"
	"strings"
)

// releases are the minor versions of vLLM by month, from January 2024 on.
var releases = [...]float64{
	2.07,
	3,
	3.03,
	4.01,
	4.02,
	5,
	5.03,
	5.05,
	6.01,
	6.03,
	6.04,
	6.06,
	7,
	7.03,
	8.01,
	8.05,
	9,
	9.01,
	10,
	10.01,
	10.02,
	11,
	11.01,
	12,
	14,
	15,
	17,
	19,
	20,
	22,
	24,
	26,
	28,
	29,
}

// ReleaseOf is the version of vLLM that was new in a month; 0, the newest, for later ones.
func ReleaseOf(year, month int) float64 {
	i := (year-2024)*12 + month - 1
	if i < 0 {
		return 2
	}
	if i >= len(releases) {
		return 0
	}
	return releases[i]
}

// narrowChips are those with much memory for which vLLM’s defaults stay as for small ones, and chips that nobody knows.
const narrowChips = "gpu.a100 gpu.a100_pcie gpu.gb10 gpu.own gpu.mi_own "

// Defaults is e with what it leaves out as the engine itself sets it, on a chip, with a plan, for sequences of T
// tokens.
//
// vLLM looks at the chip: with 70 GiB and more, A100s aside, it lets 1024 sequences run, else 256; a server has steps
// of 8192 or 2048 tokens. SGLang leaves free what it reckons that steps and graphs will need, by a rule of its own.
func (e Engine) Defaults(c Chip, p Plan, T float64) Engine {
	p = p.full()
	gib := c.Memory / (1 << 30)
	switch e.Name {
	case "sglang":
		return e.sglang(p, gib)
	case "trtllm":
		e.Sequences, e.Chunk, e.Share = or(e.Sequences, 2048), or(e.Chunk, 8192), or(e.Share, 0.9)
		return e
	}
	newer := e.Release == 0 || e.Release >= 21
	wide := gib >= 69 && !strings.Contains(narrowChips, c.ID+" ") && (e.Release == 0 || e.Release >= 8)
	share, sequences, chunk := 0.9, 256.0, 2048.0
	if newer {
		share = 0.92
	}
	if wide {
		sequences, chunk = 1024, 8192
	}
	if e.Release > 0 && e.Release < 8 && T <= 1<<15 { // prompts are computed whole
		chunk = max(T, 2048)
	}
	e.Share, e.Sequences, e.Chunk = or(e.Share, share), or(e.Sequences, sequences), or(e.Chunk, chunk)
	return e
}

// sglang is the same of SGLang (server_args.py, since 0.5.4): megabytes that are left free, by the size of the chip.
func (e Engine) sglang(p Plan, gib float64) Engine {
	chunk, graphs := 16384.0, 512.0
	for _, c := range []struct{ below, chunk, few, many float64 }{{20, 2048, 8, 8}, {35, 2048, 24, 80}, {60, 4096, 32, 160},
		{90, 8192, 256, 512}, {160, 8192, 256, 512}} {
		if gib < c.below {
			chunk, graphs = c.chunk, c.few
			if p.TP >= 4 {
				graphs = c.many
			}
			break
		}
	}
	e.Chunk = or(e.Chunk, chunk)
	left := 512 + max(e.Chunk, 2048)*1.5 + graphs*2 + float64(p.TP*p.PP)/8*1024
	if p.DP > 1 {
		left += graphs * float64(p.DP) * 3
	}
	if gib > 60 {
		left = max(left, 10*1024)
	}
	total := gib * 1024
	e.Share = or(e.Share, math.Round(1000*max(total-left, 0)/total)/1000)
	e.Sequences = or(e.Sequences, 2048)
	return e
}

// or is x, or another where it is 0.
func or(x, other float64) float64 {
	if x == 0 {
		return other
	}
	return x
}
