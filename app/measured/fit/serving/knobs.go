package main

import (
	"math"
)

// engines have some constants of their own: what their code costs, which the chips have no part in.
var engines = []string{"vllm", "sglang", "trtllm"}

// own are those constants.
var own = map[string]bool{
	"layer":        true,
	"block":        true,
	"latent":       true,
	"eager":        true,
	"eager_latent": true,
	"sequence":     true,
	"together":     true,
	"captured":     true,
	"ahead":        true,
	"gather":       true,
	"join":         true,
	"wave":         true,
	"crowd":        true,
}

// highest is the most that a share may be: no memory and no wire is ever all used.
const highest = 0.95

// shares are constants that stay below it.
var shares = map[string]bool{
	"weights":  true,
	"weights4": true,
	"sparse":   true,
	"alike":    true,
	"cache":    true,
	"math16":   true,
	"math8":    true,
	"math4":    true,
	"score":    true,
	"links":    true,
	"together": true,
	"wave":     true,
	"crowd":    true,
}

// knob is a constant that is fitted, of one engine or of all. What is searched is its logarithm, or for a share what
// keeps it between 0 and the highest.
type knob struct {
	name string
	at   []*float64
}

func (k *knob) get() float64 {
	v := max(*k.at[0], 1e-9)
	if shares[k.name] {
		v = min(v, 0.999*highest)
		return math.Log(v / (highest - v))
	}
	return math.Log(v)
}

func (k *knob) set(x float64) {
	v := math.Exp(x)
	if shares[k.name] {
		v = highest / (1 + math.Exp(-x))
	}
	for _, at := range k.at {
		*at = v
	}
}
