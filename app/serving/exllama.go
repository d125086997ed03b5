package serving

// exllamaPage is the tokens of a page of ExLlama's cache (PAGE_SIZE in exllamav3/constants.py).
const exllamaPage = 256

// scratch is what ExLlama works in beside its weights: for a chunk of a prompt the inputs of a layer and both products
// of its MLP, and the largest matrix, which it unpacks to 16 bits before it multiplies so many rows
// (scratch_space_fixed in exllamav2/mlp.py).
func (r *Replica) scratch() float64 {
	m := r.Shape.Model
	wide := float64(max(m.FFWidth, m.ExpertWidth()))
	return activation * (r.Chunk*(r.Width+2*wide) + r.Width*wide) / float64(r.TP)
}

// widened is the bytes a token that ExLlama keeps for a layer's keys and values in 16 bits, where its cache has fewer:
// it unpacks one layer after the other (temp_tensors in exllamav2/cache.py; ExLlamaV3's get_kv). Kernels of ExLlamaV3
// that read packed pages have no need of it, and fit a few hundredths more.
func (r *Replica) widened(kinds []layout) float64 {
	if r.Engine.Name != "exllama" || r.Precision.Cache >= activation {
		return 0
	}
	most := 0.0
	for _, k := range kinds {
		if !k.state {
			most = max(most, k.entry*activation/r.Precision.Cache)
		}
	}
	return most
}
