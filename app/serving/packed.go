package serving

import (
	"math"

	"github.com/scalebook/scalebook/app/model"
)

// How engines keep keys of DeepSeek-V4, which are values too: most of a key in 8 bits with 8 bytes of scales, and what
// turns with the position in 16 bits. SGLang does so whatever its flags say; vLLM where they say fp8 (fp8_ds_mla).
const (
	turned    = 64
	scales    = 8
	statePage = 128 // tokens of a window’s page, each of which has states of open entries of its own
)

// packs tells whether entries of the cache are kept so.
func (r *Replica) packs() bool {
	return r.Shape.Model.Compress != (model.Compress{}) &&
		(r.Engine.Name == "sglang" || r.Engine.Name == "vllm" && r.Precision.Cache == 1)
}

// packed is a kind of layers as they are kept: H - 64 numbers in 8 bits, 64 in 16, and scales, 584 bytes of 512
// numbers.
func (r *Replica) packed(entry float64) float64 {
	if !r.packs() {
		return entry
	}
	H := float64(r.Shape.Model.Layer(0).HeadSize)
	return entry / r.Precision.Cache * (H + turned + scales) / H
}

// openStates is what SGLang keeps of entries of DeepSeek-V4 that are still open, in fp32: for a token of its pool, as
// each page of a window has a ring of them, and for a sequence that runs. Up to 0.5.12 entries of 128 tokens had a ring
// for each page too (its DSV4PoolConfigurator).
func (r *Replica) openStates() (token, sequence float64) {
	m := r.Shape.Model
	if m.Compress.Shared || m.Compress == (model.Compress{}) || r.Engine.Name != "sglang" {
		return 0, 0
	}
	for i := range m.Layers {
		if l := m.Layer(i); l.Compress > 0 && !l.Overlaps {
			sequence += 2 * 4 * float64(l.Compress*l.HeadSize) // keys and weights of the tokens of an entry
		}
	}
	share := math.Ceil(r.Layers/float64(r.PP)) / r.Layers
	sequence *= share
	token = (float64(m.StateBytes())*share - sequence) / statePage
	if r.Engine.Release > 0 && r.Engine.Release < 5.13 {
		token, sequence = token+sequence/statePage, 0
	}
	return token * or(r.Engine.Windows, windowCompressed), sequence
}
