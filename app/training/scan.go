package training

import "github.com/scalebook/scalebook/app/model"

// scan is what a layer with a state, linear attention or a state-space model, computes for a token beside its matmuls
// with weights, forward: its convolution, and its recurrence cut into chunks.
type scan struct {
	flops float64 // in small matmuls
	bytes float64 // through the memory
	kept  float64 // elements that the backward pass needs
}

// chunk is how many tokens a kernel takes at once: 64 by the delta rule (flash-linear-attention), 128 of state-space
// models (Nemotron's configurations). Fewer would write states more often, more would multiply more inside a chunk.
func chunk(kind model.LinearKind) float64 {
	if kind == model.GatedDelta || kind == model.KimiDelta {
		return 64
	}
	return 128
}

// newScan is the scan of a model's linear layers, of heads with states of P x N, chunks of Q tokens, channels of the
// convolution and V elements of values:
//
//	flops  2 Q (N + P) a head for each product inside a chunk, of which the delta rule has one more, and 2 P N for each
//	       with the state
//	bytes  the convolution reads and writes its channels; one kernel makes states of chunks from them and one outputs;
//	       between them states in fp32 are written, passed on and read; the output is written, gated and normed
func newScan(m *model.Model) scan {
	l := &m.Linear
	channels, values := float64(l.Channels(m.Width)), float64(l.Heads*l.ValueSize)
	products := l.Products()
	if products == 0 { // a convolution alone
		return scan{bytes: 2 * 2 * channels, kept: channels}
	}
	Q, state := chunk(l.Kind), values*float64(l.KeySize)
	keys := float64(l.KeyHeads * l.KeySize)
	const passes, fp32 = 4, 4 // of states
	return scan{
		flops: (products-1)*2*Q*(keys+values) + 2*products*state,
		bytes: 2*(2*channels+2*channels+4*values) + passes*fp32*state/Q,
		kept:  2*channels + 2*values, // before and after the convolution, the gate, the output
	}
}

func (s *scan) add(other scan) {
	s.flops, s.bytes, s.kept = s.flops+other.flops, s.bytes+other.bytes, s.kept+other.kept
}

// scanTime is a micro-batch through a layer's scan. Like attention's, its backward pass takes two and a half times as
// much as the forward pass, whose states it makes again.
func (p *Pricer) scanTime(c *layout) float64 {
	s, z, d := p.job.Stack, &p.shape.scan, &p.job.Device
	each := z.flops/(d.Peak[BF16]*s.Attention) + z.bytes/(d.Stream*s.Stream)
	return (p.passes(c) + 0.5) * c.tokens / c.tp * each
}
