package serving

import (
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// activation is the bytes of an element that collectives carry.
const activation = 2

// collectiveTime is that of all collectives of a step, on the busiest chip: after attention and after each MLP a sum
// over TP; experts on several attention groups get their tokens by an all-to-all and give them back by another; stages
// hand on.
func (r *Replica) collectiveTime(l load) float64 {
	vector := r.Width * activation
	attention, mlp := r.Layers, r.Layers-r.Blocks
	sum := 0.0
	if r.DP == 1 {
		mlp = r.Layers
	} else if r.Blocks > 0 {
		sum += r.Blocks * r.exchange(l)
	}
	if r.WS > 1 {
		mlp -= r.Layers - r.Blocks
		sum += (r.Layers - r.Blocks) * r.twoWidths(l)
	}
	if r.TP > 1 {
		sum += (attention + mlp) * r.allReduce(l.rows*vector, r.TP)
	}
	if r.CP > 1 {
		sum += r.Layers * 2 * r.allReduce(l.decode*vector, r.CP)
	}
	if r.PP > 1 {
		sum += float64(r.PP-1) * r.send(l.rows*vector)
	}
	return sum
}

// twoWidths is the collectives of a dense MLP whose weights are split by both widths.
func (r *Replica) twoWidths(l load) float64 {
	return twoWidthsTime(l.rows*r.Width*activation, l.rows*r.Inner()*activation, float64(r.WS), float64(r.TP/r.WS),
		r.Axes, r.Link*r.Links, r.Collective)
}

// Inner is the elements of a token between the matrices of a dense MLP that are summed: with a gate both of its inputs
// are scattered, and only their product is gathered.
func (s *Shape) Inner() float64 {
	if s.Model.Plain {
		return float64(s.Model.FFWidth)
	}
	return 1.5 * float64(s.Model.FFWidth)
}

// allReduce is a sum of so many bytes over n neighbouring chips: behind a switch the faster of two ways, otherwise
// around a ring; and between scale-up domains, of which each chip sends its share.
func (r *Replica) allReduce(bytes float64, n int) float64 {
	inside := min(n, max(r.Domain, 1))
	t := allReduceTime(bytes, float64(inside), r.Torus, r.Link*r.Links, r.Collective, r.Begin)
	if outside := float64(n) / float64(inside); outside > 1 {
		t += r.Far*rounds(outside) + float64(network.AllReduceTime(q.Bytes(bytes/float64(inside)), outside,
			q.Bandwidth(r.Network*r.Links)))
	}
	return t
}

// exchange is the two all-to-alls of an expert layer: tokens out in 8 bits and back in 16, to those of the ranks that
// have one of their experts.
func (r *Replica) exchange(l load) float64 {
	ranks := float64(r.EP)
	if ranks <= 1 { // experts are split, every chip needs every token
		return r.allReduce(l.rows*r.Width*activation, r.TP*r.DP)
	}
	inside := min(float64(r.EP*r.ETP), float64(max(r.Domain, 1)))
	away := 1 - inside/float64(r.EP*r.ETP)
	bytes := r.exchanged(l)
	t := exchangeTime(bytes*(1-away), inside, r.Link*r.Links, r.Collective)
	if away > 0 {
		t += 2*r.Far + bytes*away/(r.Network*r.Links)
	}
	return t
}

// exchanged is the bytes that a chip sends to the ranks of experts and gets back from them in a layer.
func (r *Replica) exchanged(l load) float64 {
	ranks := float64(r.EP)
	return l.rows / float64(r.TP) * ranks * network.RaggedShare(r.PerToken, ranks) * (1 - 1/ranks) * r.Width * (1 +
		activation)
}

// send is handing so many bytes to the next stage.
func (r *Replica) send(bytes float64) float64 {
	if r.Chips() > max(r.Domain, 1) {
		return r.Far + bytes/(r.Network*r.Links)
	}
	return r.Collective + bytes/(r.Link*r.Links)
}
