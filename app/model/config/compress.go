package config

import (
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
	} else if !r.failed() {
		r.lack(r.inner, phrase.New("config.no-ratios"), phrase.New("config.add-ratios"))
	}
	m.Compress, m.KeysValue = c, true
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
	if c.Dense != 0 {
		c.Layers = pattern(layers(m.Layers, func(i int) bool { return of[i] == c.Dense }))
	}
	if c.Sparse != 0 {
		r.index()
		m.Index.Layers = pattern(layers(m.Layers, func(i int) bool { return of[i] == sparse }))
	}
}
