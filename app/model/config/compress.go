package config

import (
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// sparse is the tokens of an entry in layers with an index: the publisher's code has one where the ratio is this.
const sparse = 4

// compress reads what stands for several tokens in the cache of DeepSeek-V4, layer by layer. Entries of the list behind
// the last layer are of layers that predict further tokens.
func (r *reading) compress() {
	m := &r.Model
	c := model.Compress{Groups: r.count("out_groups"), OutRank: r.count("out_rank")}
	if c.OutRank == 0 || r.failed() {
		return
	}
	if v := r.list("compress", m.Layers); v != nil {
		r.ratios(&c, v)
	} else if v := r.list("compress_types", m.Layers); v != nil {
		r.compressed(&c, v)
	} else if !r.failed() {
		r.lack(r.inner, phrase.New("config.no-ratios"), phrase.New("config.add-ratios"))
	}
	m.Compress, m.KeysValue = c, true
}

// compressed reads the kinds of the layers' attention, as transformers writes them.
func (r *reading) compressed(c *model.Compress, v *value) {
	n := r.Model.Layers
	c.Sparse, c.Dense = r.count("compress_sparse"), r.count("compress_dense")
	for _, item := range v.items[:n] {
		switch item.text {
		case "sliding_attention", sparseKind, denseKind:
		default:
			r.fail(item, phrase.New("config.layer-kind", "value", item.shown()),
				phrase.New("config.write-kind", "kind", sparseKind))
		}
	}
	r.entries(c, func(i int) bool { return v.items[i].text == sparseKind },
		func(i int) bool { return v.items[i].text == denseKind })
}

// The kinds of layers that compress, in layer_types.
const (
	sparseKind = "compressed_sparse_attention"
	denseKind  = "heavily_compressed_attention"
)

// entries says which layers have entries of which kind, and forgets the kinds that none has.
func (r *reading) entries(c *model.Compress, isSparse, isDense func(i int) bool) {
	n := r.Model.Layers
	if has := layers(n, isDense); strings.Contains(has, "1") {
		c.Layers = pattern(has)
	} else {
		c.Dense = 0
	}
	if has := layers(n, isSparse); strings.Contains(has, "1") {
		r.index()
		r.Model.Index.Layers = pattern(has)
	} else {
		c.Sparse = 0
	}
}

// hashed is the kind of a layer in which a table of tokens chooses experts.
const hashed = "hash_moe"

// hashed reads in how many of the first layers a table of tokens chooses experts.
func (r *reading) hashed() int {
	v := r.list("mlp_types", r.Model.Layers)
	if v == nil {
		return r.count("hashed")
	}
	n := 0
	for i, item := range v.items[:r.Model.Layers] {
		if item.text != hashed {
			continue
		}
		if i > n {
			r.fail(item, phrase.New("config.layer-kind", "value", item.shown()), phrase.New("config.hash-first"))
		}
		n = i + 1
	}
	return n
}

// ratios reads how many tokens share an entry in each layer: none, four, or one larger number.
func (r *reading) ratios(c *model.Compress, v *value) {
	m := &r.Model
	of := make([]int, m.Layers)
	for i := range of {
		of[i], _ = r.whole(v.items[i], phrase.New("config.ratio"), 0, model.MaxSize)
		switch x := of[i]; {
		case x == sparse:
			c.Sparse = sparse
		case x > 1 && (c.Dense == 0 || c.Dense == x):
			c.Dense = x
		case x > 1:
			r.fail(v.items[i], phrase.New("config.third-ratio", "n", x, "other", c.Dense), phrase.New("config.two-ratios"))
		}
	}
	r.entries(c, func(i int) bool { return of[i] == sparse }, func(i int) bool { return of[i] > 1 && of[i] != sparse })
}
