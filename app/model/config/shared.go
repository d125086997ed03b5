package config

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// What DeepSeek-V4.1 adds: entries of the cache that layers share, and tables of n-grams.

// shared reads how many tokens share an entry in each layer, which layers make entries and which have an index. What
// the file leaves out is derived as transformers' DeepseekV41TextConfig does.
func (r *reading) shared(c *model.Compress) {
	n := r.Model.Layers
	ratios := r.entrySizes(n)
	if r.failed() || n == 0 {
		return
	}
	c.Shared = true
	for _, x := range ratios { // the larger stands first in the publisher's files; layers have either
		switch {
		case x == 0 || x == c.Sparse || x == c.Dense:
		case c.Sparse == 0:
			c.Sparse = x
		case c.Dense == 0:
			c.Dense = x
		default:
			r.failAt("compress", phrase.New("config.third-ratio", "n", x, "other", c.Dense),
				phrase.New("config.two-ratios"))
			return
		}
	}
	makes, own := r.makers("sources", n, ratios), []bool(nil)
	if usual := slices.Equal(ratios, usualRatios()); makes == nil {
		makes = make([]bool, n)
		for i, x := range ratios {
			makes[i] = x > 0 && (i == 0 || ratios[i-1] != x || usual && (i == 8 || i == 14))
		}
		if own = r.makers("index_list", n, ratios); own == nil && usual {
			own = slices.Clone(makes)
			for i := 24; i < n; i += 4 {
				own[i] = true
			}
		}
	} else {
		own = r.makers("index_list", n, ratios)
	}
	if own == nil {
		own = makes
	}
	is := func(all []bool) string { return layers(n, func(i int) bool { return all[i] }) }
	c.Makes = pattern(is(makes))
	c.Reads = pattern(layers(n, func(i int) bool { return ratios[i] > 0 }))
	if c.Layers = pattern(layers(n, func(i int) bool { return c.Dense > 0 && ratios[i] == c.Dense })); c.Dense == 0 {
		c.Layers = model.Pattern{}
	}
	r.index()
	x := &r.Model.Index
	x.Layers, x.FP4 = pattern(is(own)), r.flag("fp4_keys")
	last := strings.LastIndexByte(is(makes), '1')
	if f := r.find("candidate_source"); f.field != nil {
		last = r.count("candidate_source")
	}
	if blocks := r.count("candidates") * r.count("candidate_block"); last >= 0 && blocks > 0 {
		x.Candidates, x.Source = blocks, last
	}
}

// usualRatios are the tokens of an entry in the layers of DeepSeek-V4.1-Flash.
func usualRatios() []int {
	return slices.Concat([]int{0, 0}, slices.Repeat([]int{2}, 18), slices.Repeat([]int{1}, 20))
}

// entrySizes are the tokens of an entry in each layer; 0 where there are none.
func (r *reading) entrySizes(n int) []int {
	v := r.list("compress", n)
	if v == nil {
		if r.failed() {
			return nil
		}
		note(&r.Missing, r.prefix+"compress_ratios", phrase.New("config.assumed-as", "what",
			asIs(r.tables.role("compress").label), "class", "DeepseekV41TextConfig"))
		if n == len(usualRatios()) {
			return usualRatios()
		}
		slides := min(2, n)
		twos := (n - slides + 1) / 2
		return slices.Concat(make([]int, slides), slices.Repeat([]int{2}, twos), slices.Repeat([]int{1}, n-slides-twos))
	}
	of := make([]int, n)
	for i := range of {
		of[i], _ = r.whole(v.items[i], phrase.New("config.ratio"), 0, model.MaxSize)
	}
	return of
}

// makers reads a list of layers, all of which have entries; nil if the file has none.
func (r *reading) makers(role string, n int, ratios []int) []bool {
	f := r.find(role)
	if f.field == nil {
		return nil
	}
	v := r.list(role, -1)
	if v == nil {
		return make([]bool, n)
	}
	in := r.indices(v)
	for i, has := range in {
		if has && ratios[i] == 0 {
			r.fail(v, phrase.New("config.no-entries", "field", clean(f.path), "layer", i),
				phrase.New("config.give-ratio"))
		}
	}
	return in
}

// ngrams reads tables of n-grams.
func (r *reading) ngrams() {
	v := r.list("ngram_layers", -1)
	if v == nil || r.failed() {
		for _, role := range []string{"ngram_rows", "ngram_size", "ngram_hashes", "ngram_length"} {
			r.leave(role, phrase.New("config.no-ngrams"))
		}
		return
	}
	in := r.indices(v)
	rows := r.list("ngram_rows", len(v.items))
	if rows == nil {
		r.failAt("ngram_layers", phrase.New("config.no-ngram-rows"), phrase.New("config.add-field", "name",
			`"engram_num_embeddings"`, "example", "[384006168, 384016682]"))
		return
	}
	g := model.NGrams{Size: r.count("ngram_size"), Layers: pattern(layers(len(in), func(i int) bool { return in[i] }))}
	g.Reads = r.count("ngram_hashes") * (r.count("ngram_length") - 1)
	for _, item := range rows.items {
		x, _ := r.whole(item, clean(r.find("ngram_rows").path), 1, 1<<40)
		g.Rows += x
	}
	if !r.failed() {
		r.Model.NGrams = g
	}
}
