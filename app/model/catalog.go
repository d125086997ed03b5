package model

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// The catalog's data: a model a line, its sizes and then, in words, what is unusual about it.
var (
	//go:embed models.tsv
	modelTable string // id, name, group, L, D, N, K, H, F, V, words, total, active, source, printed, note

	//go:embed sources.tsv
	sourceTable string // id, title, address, date
)

// Known is a model of the catalog with what its publisher says of it.
type Known struct {
	Model
	PublishedTotal  string // parameters: "671B", rounded as printed; a tolerance after it, where counting disagrees
	PublishedActive string // those that a token uses; "without" after it if tables of which it reads a row are left out
	Source          Source // of the configuration
	Figure          Source // of the published figures
	Note            string
}

// Source is where configurations or figures come from.
type Source struct {
	ID, Title, URL, Date string
}

// Models is the catalog.
type Models struct {
	All []*Known // in menu order
}

var catalog = sync.OnceValue(func() *Models { return readCatalog(modelTable, sourceTable) })

// Catalog is every model the project knows. It is read once, and shared: treat it as immutable.
func Catalog() *Models { return catalog() }

// Get finds a model by its ID, "llama3.70b".
func (c *Models) Get(id string) (*Known, error) {
	if k := c.Find(id); k != nil {
		return k, nil
	}
	family, _, _ := strings.Cut(id, ".")
	var near []string
	for _, k := range c.All {
		if strings.HasPrefix(k.ID, family+".") {
			near = append(near, k.ID)
		}
	}
	unknown := &Error{What: phrase.New("model.unknown", "id", strconv.Quote(spell.Clip(id, 33))),
		Remedy: phrase.New("model.family-has", "ids", phrase.Commas(near))}
	if near == nil {
		unknown.Remedy = phrase.New("model.such-as", "id", c.All[0].ID)
	}
	return nil, unknown
}

// Find is the model with an ID, nil if there is none.
func (c *Models) Find(id string) *Known {
	for _, k := range c.All {
		if k.ID == id {
			return k
		}
	}
	return nil
}

// readCatalog reads the tables. A line that can't be read is left out; a test holds that there is none, and every model
// valid.
func readCatalog(models, sources string) *Models {
	all := map[string]Source{}
	for line := range strings.Lines(sources) {
		c := strings.Split(strings.TrimSuffix(line, "\n")+"\t\t\t", "\t")
		all[c[0]] = Source{c[0], c[1], c[2], c[3]}
	}
	c := &Models{}
	for line := range strings.Lines(models) {
		if k, err := readModel(line); err == nil {
			k.Source, k.Figure = all[k.Source.ID], all[k.Figure.ID]
			c.All = append(c.All, k)
		}
	}
	return c
}

// readModel reads one line.
func readModel(line string) (*Known, error) {
	const columns = 16
	c := strings.Split(strings.TrimSuffix(line, "\n")+strings.Repeat("\t", columns), "\t")
	k := &Known{Model: Model{ID: c[0], Name: c[1], Group: c[2]}, PublishedTotal: c[11], PublishedActive: c[12],
		Source: Source{ID: c[13]}, Figure: Source{ID: c[14]}, Note: c[15]}
	m := &k.Model
	for i, at := range []*int{&m.Layers, &m.Width, &m.Heads, &m.KVHeads, &m.HeadSize, &m.FFWidth, &m.Vocab} {
		if err := whole(c[3+i], at); err != nil {
			return nil, err
		}
	}
	for _, word := range strings.Fields(c[10]) {
		if err := m.set(word); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// PublishedIn is the format in which the publisher of m stores a checkpoint of that name, "fp8", "mxfp4" or "int4" (by
// groups of 32): an engine then needs no flag for it. It is empty for 16 bits. "base:fp8,mxfp4" is mxfp4, but fp8 of
// those that have the word in their name.
func (m *Model) PublishedIn(name string) string {
	name = strings.ToLower(name)
	if strings.Contains(name, "bf16") {
		return ""
	}
	for part := range strings.SplitSeq(m.Published, ",") {
		word, format, of := strings.Cut(part, ":")
		if !of {
			return part
		}
		if strings.Contains(name, word) {
			return format
		}
	}
	return ""
}

// whole reads whole numbers between slashes: "1536/512".
func whole(text string, at ...*int) error {
	for i, part := range strings.Split(text, "/") {
		n, err := strconv.Atoi(part)
		if err != nil || i >= len(at) {
			return &Error{
				What:   phrase.New("model.no-numbers", "text", strconv.Quote(text)),
				Remedy: phrase.New("model.numbers", "n", len(at)),
			}
		}
		*at[i] = n
	}
	return nil
}

// set applies one word of the table: "tied", "experts=8/2".
func (m *Model) set(word string) error {
	key, value, _ := strings.Cut(word, "=")
	a, w, e := &m.MLA, &m.Window, &m.MoE
	switch key {
	case "mla":
		return whole(value, &a.QRank, &a.KVRank, &a.NopeSize, &a.RopeSize, &a.ValueSize)
	case "window":
		return whole(value, &w.Size)
	case "windowed":
		w.Layers.Cycle = value
	case "chunked":
		w.Chunked = true
	case "experts":
		return whole(value, &e.Experts, &e.PerToken)
	case "groups":
		return whole(value, &e.Groups, &e.Chosen)
	case "expert_width":
		return whole(value, &e.Width)
	case "shared":
		return whole(value, &e.Shared)
	case "expert_layers":
		e.Layers.Cycle = value
	case "dense_first":
		return whole(value, &e.Layers.First)
	case "router_bias":
		e.RouterBias = true
	case "expert_latent":
		return whole(value, &e.Latent)
	case "shared_width":
		return whole(value, &e.SharedWidth)
	case "shared_gate":
		e.SharedGate = true
	case "router_scale":
		e.RouterScale = true
	case "window_heads":
		return whole(value, &w.Heads, &w.KVHeads, &w.HeadSize)
	case "compress":
		return whole(value, &m.Compress.Sparse, &m.Compress.Dense, &m.Compress.Groups, &m.Compress.OutRank)
	case "index":
		return whole(value, &m.Index.Heads, &m.Index.Size, &m.Index.Top)
	case "candidates":
		return whole(value, &m.Index.Candidates, &m.Index.Source)
	case "ngrams":
		return whole(value, &m.NGrams.Rows, &m.NGrams.Size, &m.NGrams.Reads)
	case "per_layer":
		return whole(value, &m.PerLayer.Width, &m.PerLayer.Vocab)
	case "kv_shared":
		return whole(value, &m.Sharing.Layers)
	default:
		return m.setBlock(key, value)
	}
	return nil
}

// setBlock applies the words that are about the whole block.
func (m *Model) setBlock(key, value string) error {
	switch key {
	case "tied":
		m.Tied = true
	case "plain":
		m.Plain = true
	case "parallel":
		m.Parallel = true
	case "window_sinks":
		m.WindowSinks = true
	case "sinks":
		m.Sinks = true
	case "gate":
		m.Gate = map[string]Gate{"width": WidthGate, "head": HeadGate}[value]
	case "keys_value":
		m.KeysValue = true
	case "delta", "kimi", "mamba2":
		return m.setLinear(key, value)
	case "state16":
		m.Linear.State16 = true
	case "full_gate":
		m.Linear.FullGate = true
	case "wide_shared":
		m.Sharing.Wide = true
	case "one_pass":
		m.Side.OnePass = true
	case "sight_bias":
		m.MoE.SightBias = true
	case "fp4_keys":
		m.Index.FP4 = true
	case "ngram_layers":
		m.NGrams.Layers.Cycle = value
	case "shared_entries":
		m.Compress.Shared = true
		m.Compress.Makes.Cycle, m.Compress.Reads.Cycle = signs(value, "SD"), signs(value, "SsDd")
		m.Compress.Layers.Cycle = signs(value, "Dd")
	case "linear_layers":
		m.Linear.Layers.Cycle = value
	case "blocks":
		m.setBlocks(value)
	case "index_layers":
		m.Index.Layers.Cycle = value
	case "entries":
		m.Index.Layers.Cycle, m.Compress.Layers.Cycle = signs(value, "s"), signs(value, "d")
	case "value_size":
		return whole(value, &m.ValueSize)
	case "hyper":
		return whole(value, &m.Side.Hyper)
	case "hashed":
		return whole(value, &m.MoE.Hashed)
	case "positions":
		return whole(value, &m.Positions)
	case "context":
		return whole(value, &m.Context)
	case "published":
		m.Published = value
	case "norms":
		return whole(value, &m.Norms)
	case "norm":
		m.Norm = map[string]Norm{"layer": LayerNorm, "scale": ScaleLayerNorm}[value]
	case "qk_norm":
		m.QKNorm = map[string]QKNorm{"head": HeadQKNorm, "width": WidthQKNorm}[value]
	case "bias":
		m.Bias = Bias{QKV: strings.Contains(value, "qkv"), Output: strings.Contains(value, "output"),
			MLP: strings.Contains(value, "mlp"), Experts: strings.Contains(value, "experts")}
	default:
		return &Error{What: phrase.New("model.no-word", "word", strconv.Quote(key)),
			Remedy: phrase.New("model.known-words")}
	}
	return nil
}

// setLinear applies the heads of linear layers: "16/128/48/128/4" for heads of keys and their size, heads of values and
// theirs, and taps of the convolution.
func (m *Model) setLinear(kind, sizes string) error {
	l := &m.Linear
	l.Kind = map[string]LinearKind{"delta": GatedDelta, "kimi": KimiDelta, "mamba2": Mamba2}[kind]
	l.ConvBias = l.Kind == Mamba2
	return whole(sizes, &l.KeyHeads, &l.KeySize, &l.Heads, &l.ValueSize, &l.Conv)
}

// setBlocks applies a letter for each layer that is one block: M for a linear layer, * for attention, E for experts, -
// for an MLP.
func (m *Model) setBlocks(letters string) {
	is := func(kinds string) Pattern { return Pattern{Cycle: signs(letters, kinds)} }
	m.Blocks = Blocks{Apart: true, Mixers: is("M*"), MLP: is("E-")}
	if m.Linear.Layers = is("M"); strings.Contains(letters, "E") {
		m.MoE.Layers = is("E")
	}
}

// signs is a cycle with a 1 where a letter is one of some kinds.
func signs(letters, kinds string) string {
	all := make([]byte, len(letters))
	for i := range all {
		if all[i] = '0'; strings.IndexByte(kinds, letters[i]) >= 0 {
			all[i] = '1'
		}
	}
	return string(all)
}
