package serving

// Hosted is what of a model lies in the memory of the host, as shares of each part: the zero value is nothing. Bytes
// that an engine leaves there, whichever part they are of, are [Engine.Offload].
type Hosted struct {
	Attention float64 // of the layers, their attention
	MLP       float64 // of the layers, their dense MLPs and shared experts
	Experts   float64 // of all routed experts
	Cache     float64 // of the layers, their keys and values
	First     bool    // the table before the first layer
	Last      bool    // the table behind the last one
}

// twice is the one table of a model whose unembedding is its embedding, where llama.cpp has it on the host, for the
// first layer, and a copy of it on the card, behind the last one.
func (r *Replica) twice() float64 {
	if h := &r.Engine.Hosted; !r.Shape.Model.Tied || !h.First || h.Last {
		return 0
	}
	_, last := r.tableBytes()
	return last
}

// hostedBytes is the weights that the host of the fullest chip holds of it.
func (r *Replica) hostedBytes() float64 {
	h, layers := &r.Engine.Hosted, r.layerBytes()
	first, last := r.tableBytes()
	share, begins, ends := r.fullest(layers[0]+layers[1]+layers[2], first, last)
	bytes := share * (h.Attention*layers[0] + h.MLP*layers[1] + h.Experts*layers[2])
	if h.First && begins {
		bytes += first + r.twice()
	}
	if h.Last && ends {
		bytes += last
	}
	return bytes
}
