// Package quant knows how files of quantised weights store each tensor of a model, and so how large they are: GGUF's
// mixes from Q8_0 to IQ1_S, AWQ, GPTQ, EXL2 and EXL3, MLX, and what serving engines load.
//
// A type (types.tsv) is a layout of blocks: so many weights share so many bytes of scales, minima and the like. Its
// bits a weight follow. A format (formats.tsv) says which tensor gets which type: most the format's own, and some
// another, such as the unembedding, or the matrices to values of a part of the layers. [Format.Of] counts a model so,
// tensor by tensor.
package quant

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/model"
)

// formatTable is the formats: id, name, family, the type of most tensors, and which tensors get another. A rule is
// "v@more=q6_K": the tensors of a role, in some layers or models, get a type; the first that applies counts. Those of
// GGUF are llama.cpp's mixes (llama-quant.cpp of 2026-08), quantised with a matrix of importance as is usual.
//
//go:embed formats.tsv
var formatTable string

// Format is a way to store all tensors of a model.
type Format struct {
	ID, Name string
	family   string
	base     string // the type of most tensors
	rules    []rule
}

// rule gives the tensors of a role a type, in some layers or models.
type rule struct{ role, when, name string }

// rulesOf reads rules.
func rulesOf(text string) []rule {
	var all []rule
	for _, one := range strings.Fields(text) {
		where, name, _ := strings.Cut(one, "=")
		role, when, _ := strings.Cut(where, "@")
		all = append(all, rule{role, when, name})
	}
	return all
}

// Formats are all of them, the usual ones of GGUF first. Treat them as immutable.
func Formats() []*Format { return formats() }

var formats = sync.OnceValue(func() []*Format {
	var all []*Format
	for line := range strings.Lines(formatTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, &Format{ID: c[0], Name: c[1], family: c[2], base: c[3], rules: rulesOf(c[4])})
	}
	return all
})

// Get is the format with an ID.
func Get(id string) (*Format, bool) {
	for _, f := range Formats() {
		if f.ID == id {
			return f, true
		}
	}
	return nil, false
}

// GGUF tells whether a format is one of llama.cpp's files.
func (f *Format) GGUF() bool { return strings.HasPrefix(f.family, "gguf") }

// MLX tells whether a format is one of MLX.
func (f *Format) MLX() bool { return f.family == "mlx" }

// ForExperts tells whether a format treats routed experts otherwise than the rest, and so says nothing without them.
func (f *Format) ForExperts() bool { return len(f.rules) > 0 && f.rules[0].role == "experts" }

// Engine is who usually runs a format on one machine.
func (f *Format) Engine() string {
	switch {
	case f.GGUF():
		return "llama.cpp"
	case f.MLX():
		return "mlx"
	case f.family == "exl":
		return "exllama"
	}
	return ""
}

// Runs is who runs a format, as menus head it.
func (f *Format) Runs() string {
	switch {
	case f.GGUF():
		return "GGUF"
	case f.family == "hf":
		return "safetensors"
	}
	return strings.ToUpper(f.family)
}

// tensor is what decides a tensor's type.
type tensor struct {
	// role is "q", "k", "v", "qkv" where they are one, "o", "gate", "up", "down", "embd", "out", "other", or "small"
	// for what is no matrix.
	role   string
	layer  int
	row    int // weights of a row, which blocks divide
	expert bool
	count  float64 // weights
	read   float64 // of these, what a token is multiplied with
}

// typeOf is the type of a tensor of m.
func (f *Format) typeOf(m *model.Model, t *tensor) string {
	switch {
	case t.role == "small" && f.GGUF():
		return "f32" // also routers
	case t.role == "small":
		return "bf16"
	}
	if f.GGUF() && t.expert && m.PublishedIn("") == "mxfp4" && t.row%256 != 0 { // kept so: no mix has blocks that fit
		return "mxfp4"
	}
	want := f.base
	if mixed := f.GGUF() && f.base != "f32" && f.base != "f16" && f.base != "bf16"; mixed || !f.GGUF() {
		want = f.ruled(m, t)
	}
	if f.GGUF() || f.MLX() {
		return fitting(want, t.row)
	}
	return want
}

// ruled is the type that the rules of f give a tensor.
func (f *Format) ruled(m *model.Model, t *tensor) string {
	if f.family == "gguf" && (t.role == "v" || t.role == "k") && m.MoE.Experts == 8 {
		return "q8_0" // small where there are eight experts, and so kept
	}
	for _, r := range f.rules {
		if (r.role == t.role || r.role == "experts" && t.expert) && applies(r.when, m, t.layer) {
			return f.widened(r.name, m, t)
		}
	}
	return f.widened(f.base, m, t)
}

// widened is the type for values of models of 80 layers with grouped heads, whose matrices are small: five bits at
// least.
func (f *Format) widened(name string, m *model.Model, t *tensor) string {
	if f.family == "gguf" && t.role == "v" && m.Layers == 80 && grouping(m) > 1 && (name == "q3_K" || name == "q4_K") {
		return "q5_K"
	}
	return name
}

// grouping is how many query heads share a head of keys.
func grouping(m *model.Model) int {
	l := m.Layer(0)
	return l.Heads / max(1, l.KVHeads)
}

// applies tells whether layer i of m is one that a rule means.
func applies(when string, m *model.Model, i int) bool {
	n := m.Layers
	switch when {
	case "more": // the first and the last eighth, and every third between
		return i < n/8 || i >= 7*n/8 || (i-n/8)%3 == 2
	case "eighth":
		return i < n/8
	case "sixteenth":
		return i < n/16
	case "middle":
		return i >= n/8 && i < 7*n/8
	case "first2":
		return i < 2
	case "first4":
		return i < 4
	case "grouped":
		return grouping(m) >= 4
	case "many":
		return grouping(m) >= 4 || m.MoE.Experts >= 4
	case "latent":
		return m.MLA.KVRank != 0
	case "eight":
		return m.MoE.Experts == 8
	}
	return true
}

// EXL is a format of ExLlama with so many bits a weight: of layers, where the unembedding has six and the embedding 16.
func EXL(bits float64) *Format {
	text := strconv.FormatFloat(bits, 'g', 6, 64)
	like, _ := Get("exl2_4")
	f := *like
	f.ID, f.Name, f.base = "exl2", "EXL2, "+text+" bits a weight", freeBits+text
	return &f
}

// typeTable is the types: name, weights of a block, its fields with their bytes, whose layout it is. Those of ggml are
// the structs of ggml-common.h of 2026-08.
//
//go:embed types.tsv
var typeTable string

// Type is how a tensor's weights are stored.
type Type struct {
	Name  string
	Block float64 // weights that share scales
	Bytes float64 // of a block, with all that its weights share
}

// Bits are the bits of a weight, its part of the scales included.
func (t *Type) Bits() float64 { return 8 * t.Bytes / t.Block }

// freeBits begins the name of a type that has so many bits a weight whatever its blocks are.
const freeBits = "bits"

// types are those of the table.
var types = sync.OnceValue(func() map[string]*Type {
	all := map[string]*Type{}
	for line := range strings.Lines(typeTable) {
		c := strings.Split(line, "\t")
		t := &Type{Name: c[0]}
		t.Block, _ = strconv.ParseFloat(c[1], 64)
		for field := range strings.FieldsSeq(c[2]) {
			_, text, _ := strings.Cut(field, ":")
			bytes, _ := strconv.ParseFloat(text, 64)
			t.Bytes += bytes
		}
		all[t.Name] = t
	}
	return all
})

// typeNamed finds a type.
func typeNamed(name string) (*Type, bool) {
	if text, free := strings.CutPrefix(name, freeBits); free {
		bits, err := strconv.ParseFloat(text, 64)
		return &Type{Name: name, Block: 1, Bytes: bits / 8}, err == nil
	}
	t, found := types()[name]
	return t, found
}

// fallbacks are the types of ggml that take the place of others where a row is no multiple of their blocks of 256.
const fallbacks = " iq1_s:iq4_nl iq1_m:iq4_nl iq2_xxs:iq4_nl iq2_xs:iq4_nl iq2_s:iq4_nl iq3_xxs:iq4_nl iq3_s:iq4_nl " +
	"iq4_xs:iq4_nl q2_K:q4_0 q3_K:q4_0 tq1_0:q4_0 tq2_0:q4_0 q4_K:q5_0 q5_K:q5_1 q6_K:q8_0 "

// fitting is the type of ggml for rows of so many weights: the wanted one, or another whose blocks fit.
func fitting(name string, row int) string {
	t, _ := typeNamed(name)
	if t.Block <= 1 || row%int(t.Block) == 0 {
		return name
	}
	if _, after, found := strings.Cut(fallbacks, " "+name+":"); found && row%32 == 0 {
		other, _, _ := strings.Cut(after, " ")
		return other
	}
	return "f16"
}

// Size is what a model takes in a format.
type Size struct {
	Weights float64
	Bytes   float64 // of the tensors; a file also has names and a vocabulary, some megabytes
	Read    float64 // bytes of the weights that a token is multiplied with
	Experts float64 // of Bytes, the routed experts
	Routed  float64 // of Read, the routed experts
	Parts   []Part
}

// Bits are the bits of a weight, over all of them.
func (s *Size) Bits() float64 { return 8 * s.Bytes / s.Weights }

// Super are the bytes in super-blocks of llama.cpp, whose blocks' scales are packed in turn.
func (s *Size) Super() (bytes float64) {
	for _, p := range s.Parts {
		if strings.HasSuffix(p.Type.Name, "_K") {
			bytes += p.Bytes
		}
	}
	return bytes
}

// Part is the tensors of a role with a type.
type Part struct {
	Role    string // a role of tensor, or "experts"
	Type    *Type
	Weights float64
	Bytes   float64
}

// Of counts m in a format, tensor by tensor.
func (f *Format) Of(m *model.Model) *Size { return Tensors(m).In(f, m) }

// List is the tensors of a model.
type List []tensor

// In counts the tensors of m in a format.
func (all List) In(f *Format, m *model.Model) *Size {
	s := &Size{}
	for i := range all {
		t := &all[i]
		kind, _ := typeNamed(f.typeOf(m, t))
		each := kind.Bits() / 8
		s.Weights += t.count
		s.Bytes += t.count * each
		s.Read += t.read * each
		role := t.role
		if t.expert {
			role = "experts"
			s.Experts += t.count * each
			s.Routed += t.read * each
		}
		s.add(role, kind, t.count)
	}
	return s
}

// add adds weights to the part of their role and type.
func (s *Size) add(role string, kind *Type, weights float64) {
	at := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Role == role && p.Type == kind })
	if at < 0 {
		at = len(s.Parts)
		s.Parts = append(s.Parts, Part{Role: role, Type: kind})
	}
	p := &s.Parts[at]
	p.Weights += weights
	p.Bytes = p.Weights * kind.Bits() / 8
}

// Tensors are those of a model, together where they have a role, a row and a layer in common.
func Tensors(m *model.Model) List {
	p := m.Params()
	b := &listing{m: m}
	b.add([]tensor{{role: "out", row: m.Width, count: p.Unembedding}}, 1)
	b.add([]tensor{{role: "embd", row: m.Width, count: p.Embedding},
		{role: "embd", row: max(m.PerLayer.Width, 1) * m.Layers, count: p.PerLayer},
		{role: "small", row: m.Width, count: p.Positions}}, 0) // of each of which a token reads a row
	for b.layer = range min(m.Layers, model.MaxLayers) {
		b.addLayer()
	}
	b.add([]tensor{{role: "small", row: m.Width, count: p.Total() - b.sum}}, 1)
	return b.all
}

// listing lists tensors.
type listing struct {
	m     *model.Model
	all   List
	layer int
	sum   float64 // of all weights so far
}

// add adds those tensors that there are. A token is multiplied with a share of their weights.
func (b *listing) add(some []tensor, share float64) {
	for _, t := range some {
		if t.count > 0 {
			t.layer, t.read = b.layer, t.count*share
			b.all = append(b.all, t)
			b.sum += t.count
		}
	}
}

// addLayer adds those of a layer.
func (b *listing) addLayer() {
	m := b.m
	p, l := m.LayerParams(b.layer), m.Layer(b.layer)
	D := m.Width
	qkv, conv := projected(m, l)
	all := []tensor{
		{role: "o", row: l.Heads * l.ValueSize, count: p.Output},
		{role: "qkv", row: D, count: qkv},
		{role: "small", row: D, count: conv},
		{role: "other", row: D, count: p.Linear - qkv - conv + p.Index + p.Merge + p.Injected + p.Narrow},
		{role: "small", row: D, count: p.Router + p.Small()},
		{role: "q", row: D, count: p.Query + p.Gate + p.Latent},
		{role: "k", row: D, count: p.Key},
		{role: "v", row: D, count: p.Value},
	}
	if m.MLA.KVRank == 0 && fused(m) {
		for i := range all[5:] {
			all[5+i].role = "qkv"
		}
	}
	if r := m.MLA.KVRank; r != 0 { // llama.cpp names them otherwise than queries, keys and values
		for i := range all[3:] {
			all[3+i].role = "other"
		}
		all[4].row, all[5].row = m.MLA.NopeSize, r
	}
	b.add(all, 1)
	b.add([]tensor{{role: "other", row: D, count: p.Unused}}, 0)
	b.feedForward(false, D, m.DenseWidth(l), p.MLP, 1)
	b.feedForward(false, D, m.SharedWidth(), p.Shared, 1)
	from := D
	if m.MoE.Latent != 0 {
		from = m.MoE.Latent
	}
	b.feedForward(true, from, m.ExpertWidth(), p.Routed, min(1, float64(m.MoE.PerToken)/float64(max(1, m.MoE.Experts))))
}

// fused tells whether files have queries, keys and values as one tensor, as those of Phi have.
func fused(m *model.Model) bool { return strings.HasPrefix(strings.ToLower(m.Name), "phi") }

// projected are the weights of a linear layer that have rules of their own: llama.cpp has queries, keys and values of
// Gated DeltaNet as one tensor, as those of attention where they are one, and keeps convolutions as they are.
func projected(m *model.Model, l model.Layer) (qkv, conv float64) {
	k := &m.Linear
	if !l.Linear {
		return 0, 0
	}
	if k.Kind == model.GatedDelta {
		qkv = float64(m.Width) * float64(2*k.KeyHeads*k.KeySize+k.Heads*k.ValueSize)
	}
	return qkv, float64(k.Conv) * float64(k.Channels(m.Width))
}

// feedForward adds the matrices of an MLP with so many weights together: in, out, and a gate unless the model is plain.
func (b *listing) feedForward(expert bool, from, width int, count, share float64) {
	all := []tensor{{role: "up", row: from}, {role: "down", row: width}, {role: "gate", row: from}}
	if b.m.Plain {
		all = all[:2]
	}
	for i := range all {
		all[i].expert, all[i].count = expert, count/float64(len(all))
	}
	b.add(all, share)
}
