package modelcard

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// view is the file, the figures, and a part for each of parameters, operations, cache and chips.
func (c *card) view(s *instrument.State) []instrument.Part {
	all := c.subjects(s)
	parts := []instrument.Part{{Key: "examples", Uses: "sort", Build: func() *instrument.Node { return examples(s) }},
		{Key: "document", Uses: "model other config", Build: func() *instrument.Node { return document(s, all) }}}
	if len(all) == 0 {
		return parts
	}
	for _, p := range []struct {
		key, uses string
		build     func(*instrument.State, []*subject) *instrument.Node
	}{
		{"glance", "", glance},
		{"shape", "model other config", shape},
		{"parameters", "model other config", parameters},
		{"operations", "model other config context mask pass", operations},
		{"caches", "model other config context cache", caches},
		{"chips", "model other config context batch weights cache sort", chips},
	} {
		parts = append(parts, instrument.Part{Key: p.key, Uses: p.uses, Build: func() *instrument.Node { return p.build(s, all) }})
	}
	return parts
}

// examples are settings worth a look: what is not named in them goes back to the default.
func examples(s *instrument.State) *instrument.Node {
	row := instrument.El("div", instrument.Class("examples placed"), instrument.At("role", "group"), instrument.At("aria-label", "Examples"))
	for _, x := range []struct{ label, model, other, context string }{
		{"Latents against grouped heads, at 128k", "llama3.405b", "deepseek.v3", "131072"},
		{"Windows, at a million tokens", "gpt_oss.120b", "", "1048576"},
		{"Active, by two counts", "mixtral.8x7b", "gpt_oss.20b", ""},
	} {
		row.Kids = append(row.Kids, s.Button(x.label, instrument.Change{Name: "model", Text: x.model}, instrument.Change{Name: "other", Text: x.other},
			instrument.Change{Name: "context", Text: x.context}, instrument.Change{Name: "mask"}))
	}
	return row
}

// section is a part with a heading.
func section(s *instrument.State, heading string, inside ...any) *instrument.Node {
	return instrument.El("div", append([]any{instrument.Class("part"), s.Heading(heading)}, inside...)...)
}

// heads are the heads of a table that has some columns for each model. Of a single model its name goes without saying.
func heads(first string, all []*subject, columns ...string) []instrument.Head {
	out := []instrument.Head{{Text: first}}
	for _, x := range all {
		for _, column := range columns {
			switch {
			case column == "":
				column = x.Name
			case len(all) > 1:
				column = x.Name + ": " + column
			}
			out = append(out, instrument.Head{Text: column})
		}
	}
	return out
}

// glance is every named result.
func glance(s *instrument.State, all []*subject) *instrument.Node {
	t := instrument.Table{Key: "glance", Caption: "At a glance", Heads: heads("", all, "")}
	t.Heads[0].Text = "Counted"
	for _, f := range figures(s, all...) {
		row := []instrument.Cell{instrument.Say(f.label)}
		for _, x := range all {
			q, why := f.of(x)
			cell := instrument.Say(why)
			if why == "" {
				cell = instrument.Q(q)
			}
			cell.Node = s.Output(x.prefix + f.name)
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return instrument.El("div", instrument.Class("part figures"), s.Table(t))
}

// shape is what the configuration says.
func shape(s *instrument.State, all []*subject) *instrument.Node {
	t := instrument.Table{Key: "shape", Caption: "Its sizes", Heads: heads("Size", all, "")}
	if len(all) > 1 {
		t.Caption = "Their sizes"
	}
	for _, line := range []struct {
		label string
		of    func(m *model.Model) string
	}{
		{"Layers, L", func(m *model.Model) string { return strconv.Itoa(m.Layers) }},
		{"Width, D", func(m *model.Model) string { return strconv.Itoa(m.Width) }},
		{"Heads: queries N, keys and values K, size H", headsOf},
		{"Latent of keys and values", latent},
		{"Window", window},
		{"Dense MLP’s width, F", denseWidth},
		{"Experts", experts},
		{"Vocabulary, V", vocabulary},
	} {
		row, any := []instrument.Cell{instrument.Say(line.label)}, false
		for _, x := range all {
			text := line.of(x.Model)
			if any = any || text != ""; text == "" {
				text = "–"
			}
			row = append(row, instrument.Say(text))
		}
		if any {
			t.Rows = append(t.Rows, row)
		}
	}
	box := instrument.El("div", instrument.Class("part sizes"), s.Table(t))
	for _, x := range all {
		if x.known != nil {
			box.Kids = append(box.Kids, instrument.Note(provenance(x.known, len(all) > 1)))
		}
	}
	return box
}

// provenance is where a model of the catalog is from.
func provenance(k *model.Known, named bool) string {
	said := "Sizes: " + k.Source.Title
	if k.Source.Date != "" {
		said += ", " + k.Source.Date
	}
	said += ". Published counts: " + k.Figure.Title + "."
	if k.Note != "" {
		said += " " + instrument.Capital(k.Note) + "."
	}
	if named {
		said = k.Name + ". " + said
	}
	return said
}

// denseWidth is "" where no layer has a dense MLP.
func denseWidth(m *model.Model) string {
	if m.Params().MLP == 0 {
		return ""
	}
	return strconv.Itoa(m.FFWidth)
}

func headsOf(m *model.Model) string {
	l := m.Layer(m.Layers - 1)
	if m.MLA.KVRank != 0 {
		return strconv.Itoa(l.Heads) + ", keys of " + strconv.Itoa(m.MLA.NopeSize) + " + " + strconv.Itoa(m.MLA.RopeSize) + ", values of " + strconv.Itoa(m.MLA.ValueSize)
	}
	seen := headsIn(l)
	for i := range min(m.Layers, model.MaxLayers) { // windowed layers may have heads of their own
		if other := m.Layer(i); other.Window != l.Window && headsIn(other) != seen {
			return seen + " in the last layer; " + headsIn(other) + " in layer " + strconv.Itoa(i+1) + " and its like"
		}
	}
	return seen
}

func headsIn(l model.Layer) string {
	said := strconv.Itoa(l.Heads) + ", " + strconv.Itoa(l.KVHeads) + ", " + strconv.Itoa(l.HeadSize)
	if l.ValueSize != l.HeadSize {
		said += " (values of " + strconv.Itoa(l.ValueSize) + ")"
	}
	return said
}

func latent(m *model.Model) string {
	if m.MLA.KVRank == 0 {
		return ""
	}
	return strconv.Itoa(m.MLA.KVRank) + " + " + strconv.Itoa(m.MLA.RopeSize) + " for position"
}

func window(m *model.Model) string {
	if m.Window.Size == 0 {
		return ""
	}
	n := 0
	for i := range min(m.Layers, model.MaxLayers) {
		if m.Layer(i).Window != 0 {
			n++
		}
	}
	kind := " tokens in "
	if m.Window.Chunked {
		kind = " tokens, in chunks, in "
	}
	return strconv.Itoa(m.Window.Size) + kind + of(n, m.Layers)
}

// of is "18 of 36 layers".
func of(n, layers int) string {
	if n == layers {
		return "every layer"
	}
	return strconv.Itoa(n) + " of " + strconv.Itoa(layers) + " layers"
}

func experts(m *model.Model) string {
	e := m.MoE
	if e.Experts == 0 {
		return ""
	}
	n := 0
	for i := range min(m.Layers, model.MaxLayers) {
		if m.Layer(i).Experts {
			n++
		}
	}
	said := []string{strconv.Itoa(e.PerToken) + " of " + strconv.Itoa(e.Experts) + " for a token, width " + strconv.Itoa(m.ExpertWidth())}
	if e.Shared > 0 {
		said = append(said, strconv.Itoa(e.Shared)+" shared")
	}
	return strings.Join(append(said, "in "+of(n, m.Layers)), "; ")
}

func vocabulary(m *model.Model) string {
	if m.Tied {
		return strconv.Itoa(m.Vocab) + ", embeddings tied"
	}
	return strconv.Itoa(m.Vocab)
}

func percent(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	p := part / whole * 100
	if p > 0 && p < 0.05 {
		return "<0.1%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}
