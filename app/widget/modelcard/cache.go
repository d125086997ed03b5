package modelcard

import (
	"slices"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// caches is the KV cache of one sequence, by context and format.
func caches(s *instrument.State, all []*subject) *instrument.Node {
	format := s.Text("cache")
	e := quantity.Bytes(element(cacheTypes(), format))
	plot := overContext(s, "KV cache of one sequence, "+format, quantity.Bytes(1).Quantity())
	for _, x := range all {
		name, own := x.Name+" ", x.Name
		if len(all) == 1 {
			name, own = "", "as it is"
		}
		plot.Series = append(plot.Series, curve(plot, own, func(T float64) float64 { return float64(x.KVBytes(T, e)) }))
		if x.Window.Size > 0 {
			each := float64(x.KVBytesPerToken(e))
			plot.Series = append(plot.Series, curve(plot, name+"without windows", func(T float64) float64 { return each * T }))
		}
		if x.MLA.KVRank > 0 {
			each := expanded(x) * float64(e)
			plot.Series = append(plot.Series, curve(plot, name+"without latents", func(T float64) float64 { return each * T }))
		}
	}
	plot.Title = "The KV cache of one sequence against its context, as " + format
	nodes := []*instrument.Node{s.Plot("kv", plot), cacheTable(s, all)}
	for _, x := range all {
		if said := cacheNote(x); said != "" {
			nodes = append(nodes, instrument.Note(said))
		}
	}
	return section(s, "KV cache", nodes)
}

// expanded is how many elements a token would take if latent attention kept the keys and values of all heads.
func expanded(x *subject) float64 {
	l := x.Layer(0)
	return float64(x.Layers) * float64(l.Heads) * float64(l.HeadSize+l.ValueSize)
}

func cacheNote(x *subject) string {
	switch {
	case x.MLA.KVRank > 0:
		times := expanded(x) / float64(x.KVBytesPerToken(1))
		return x.Name + " keeps one latent vector and one rotary key a layer for all heads; their keys and values themselves would take " + quantity.Quantity{Value: times}.String() + " times as much."
	case x.Window.Size > 0:
		return x.Name + " has a window of " + window(x.Model) + ": there the cache stops growing once the window is full."
	}
	return ""
}

// cacheTable has a line for each context, and a column for each format.
func cacheTable(s *instrument.State, all []*subject) *instrument.Node {
	var formats []string
	for _, d := range cacheTypes() {
		if d.name != "fp32" || s.Text("cache") == d.name {
			formats = append(formats, d.name)
		}
	}
	now := s.Number("context")
	contexts := []float64{4096, 32768, 131072, 1 << 20}
	if !slices.Contains(contexts, now) {
		contexts = append(contexts, now)
	}
	slices.Sort(contexts)
	t := instrument.Table{Key: "kv-table", Caption: "KV cache of one sequence", Heads: heads("Tokens", all, formats...), Now: slices.Index(contexts, now) + 1}
	for _, T := range contexts {
		row := []instrument.Cell{{Text: digits(T), Num: T}}
		for _, x := range all {
			for _, f := range formats {
				row = append(row, instrument.Q(x.KVBytes(T, quantity.Bytes(element(cacheTypes(), f))).Quantity()))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}
