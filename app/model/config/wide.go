package config

import (
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// What layers have beside or beyond the usual: heads of another size where they look at everything, gates, an index,
// embeddings of their own, caches that they share.

// wide reads the heads of layers without a window, where they differ from those with one, as in Gemma 4.
func (r *reading) wide() {
	m := &r.Model
	size, heads, same := r.count("global_head_size"), r.count("global_kv_heads"), r.flag("keys_are_values")
	if m.MLA.KVRank != 0 || size == 0 && !same || r.failed() {
		return
	}
	if w := &m.Window; w.Size != 0 {
		w.KVHeads, w.HeadSize = m.Layer(0).KVHeads, m.Layer(0).HeadSize
	}
	if size != 0 {
		m.HeadSize = size
	}
	if m.KeysValue = same; same && heads != 0 {
		m.KVHeads = heads
	}
}

// gate reads whether attention's output is scaled.
func (r *reading) gate() {
	switch {
	case r.flag("width_gate"):
		r.Model.Gate = model.WidthGate
	case r.flag("head_gate"):
		r.Model.Gate = model.HeadGate
	}
}

// index reads the small attention that picks tokens for the large one.
func (r *reading) index() {
	top := r.count("index_top")
	if top == 0 {
		return
	}
	x := model.Index{Heads: r.count("index_heads"), Size: r.count("index_size"), Top: top}
	if x.Heads == 0 || x.Size == 0 {
		note(&r.Doubts, r.prefix+"index_topk", phrase.New("config.no-index"))
		return
	}
	if v := r.list("index_types", r.Model.Layers); v != nil {
		x.Layers = pattern(r.ask(v, r.Model.Layers, func(item *value) bool { return item.text != "shared" }))
	}
	r.Model.Index = x
}

// perLayer reads embeddings of each layer, and layers that share keys and values.
func (r *reading) perLayer() {
	m := &r.Model
	if w := r.count("layer_embedding"); w > 0 {
		m.PerLayer = model.PerLayer{Width: w, Vocab: r.count("layer_vocab")}
		if m.PerLayer.Vocab == 0 {
			m.PerLayer.Vocab = m.Vocab
		}
	} else {
		r.leave("layer_vocab", phrase.New("config.no-embeddings"))
	}
	if n := r.count("sharing"); n > 0 && n <= m.Layers {
		m.Sharing = model.Sharing{Layers: n, Wide: r.flag("sharing_wide"),
			Stored: r.flag("sharing_stored")}
	} else {
		r.leave("sharing_wide", phrase.New("config.no-sharing"))
	}
	if r.flag("use_sharing") {
		m.Sharing.Every = r.count("sharing_every")
	} else {
		r.leave("sharing_every", phrase.New("config.no-sharing"))
	}
	m.Side = model.Side{Streams: r.count("streams"), Rank: r.count("side_rank"), Hyper: r.count("hyper")}
}
