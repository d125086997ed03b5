package layer

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
)

// Box is one step of a layer. What it stores and what it takes follow from its shape; the tests hold the sums over all
// boxes to the laws of app/model.
type Box struct {
	ID, Name, Sub string // "wq", "W", "Q"
	About         string
	Copies        Dim     // how many there are of it, if it is an expert
	Met           float64 // how many of them a token meets; 1 if there are no copies
	Rows, Cols    []Dim   // of its weights; none if it has no matrix
	Small         float64 // parameters that are no matrix: biases, scales, sinks
	Scores        []Dim   // of a product without weights: what a token multiplies for each token it looks at
	Seen          float64 // how many those are
	Out           []Dim   // what it gives
}

// Dim is a size with its letter. One without a number depends on the run: B, T, S.
type Dim struct {
	Letter string
	N      int
}

func product(dims []Dim) float64 {
	p := 1.0
	for _, d := range dims {
		p *= float64(d.N)
	}
	return p
}

// Matrix is the weights of one copy.
func (b *Box) Matrix() float64 {
	if b.Rows == nil {
		return 0
	}
	return product(b.Rows) * product(b.Cols)
}

// Params is what the box stores.
func (b *Box) Params() float64 {
	return max(1, float64(b.Copies.N))*b.Matrix() + b.Small
}

// FLOPs is what it takes for a token.
func (b *Box) FLOPs(pass model.Pass) float64 {
	if b.Scores != nil {
		return float64(pass) * 2 * product(b.Scores) * b.Seen
	}
	met := 1.0
	if b.Copies.N > 0 {
		met = b.Met
	}
	return float64(pass) * 2 * met * b.Matrix()
}

// join writes sizes as letters, or as the numbers that they are.
func join(dims []Dim, between string, letters bool) string {
	var all []string
	for _, d := range dims {
		if letters || d.N == 0 {
			all = append(all, d.Letter)
		} else {
			all = append(all, strconv.Itoa(d.N))
		}
	}
	return strings.Join(all, between)
}

// Shape is that of the weights: "D × N·H", "8192 × 64·128".
func (b *Box) Shape(letters bool) string {
	if b.Rows == nil {
		return ""
	}
	shape := join(b.Rows, "·", letters) + " × " + join(b.Cols, "·", letters)
	if b.Copies.N > 0 {
		shape = join([]Dim{b.Copies}, "", letters) + " of " + shape
	}
	return shape
}

// Gives is the shape of what comes out: "[B, T, N, H]".
func (b *Box) Gives(letters bool) string { return "[" + join(b.Out, ", ", letters) + "]" }

// Block is attention or the MLP of a layer: its boxes, row by row; then what stands side by side, and what comes after.
type Block struct {
	Name  string
	Rows  [][]*Box
	Sides []Block
	After []*Box
}

func (b *Block) row(boxes ...*Box) {
	var there []*Box
	for _, x := range boxes {
		if x != nil {
			there = append(there, x)
		}
	}
	if there != nil {
		b.Rows = append(b.Rows, there)
	}
}

// Layer is what is drawn of a model: one of its kinds of layer.
type Layer struct {
	Model  *model.Model
	Of     model.Layer
	One    *model.Model // a model of this one layer, to ask the laws about it
	Norm   float64      // parameters of a norm
	Common []*Box       // before both blocks, if they run side by side on one norm
	Blocks [2]Block
}

// Alone is a model of one layer like that, without the vocabulary.
func Alone(m *model.Model, l model.Layer) *model.Model {
	one := *m
	one.Layers, one.Vocab, one.Positions, one.Bias.Unembed = 1, 0, 0, false
	if one.Window.Layers = (model.Pattern{}); l.Window == 0 {
		one.Window = model.Window{}
	}
	if one.MoE.Layers = (model.Pattern{}); !l.Experts {
		one.MoE = model.MoE{}
	}
	return &one
}

// Draw draws a layer that looks at T tokens.
func Draw(m *model.Model, l model.Layer, T float64, mask model.Mask) *Layer {
	y := &Layer{Model: m, Of: l, One: Alone(m, l)}
	none := *y.One
	none.Layers = 0
	y.Norm = none.Params().Norms // the final one is like the others
	y.attention(y.One.Seen(T, mask))
	y.mlp()
	return y
}

// Boxes are all of them, in order.
func (y *Layer) Boxes() []*Box {
	all := append([]*Box(nil), y.Common...)
	for i := range y.Blocks {
		all = append(all, y.Blocks[i].boxes()...)
	}
	return all
}

func (b *Block) boxes() []*Box {
	var all []*Box
	for _, row := range b.Rows {
		all = append(all, row...)
	}
	for i := range b.Sides {
		all = append(all, b.Sides[i].boxes()...)
	}
	return append(all, b.After...)
}

func (y *Layer) width() Dim { return Dim{"D", y.Model.Width} }

var batch, tokens, looked = Dim{"B", 0}, Dim{"T", 0}, Dim{"S", 0}

// bias is the size of a bias if there is one.
func bias(has bool, n float64) float64 {
	if has {
		return n
	}
	return 0
}

// norm is a norm of the residual, nil if there is none at that place: attention's first, the MLP's first, one behind
// attention, all others behind the MLP.
func (y *Layer) norm(place int) *Box {
	n := y.Model.NormsPerLayer()
	here := 0
	switch place {
	case 0, 1:
		here = min(1, max(0, n-place))
	case 2:
		here = min(1, max(0, n-3))
	case 3:
		here = max(0, n-2-min(1, max(0, n-3)))
	}
	if here == 0 {
		return nil
	}
	return &Box{ID: "norm" + strconv.Itoa(place+1), Name: "norm", Small: float64(here) * y.Norm, Out: []Dim{batch, tokens, y.width()},
		About: "Scales each token to a common size, element by element. Nobody counts its few operations. The model's file says how many norms there are, not where: some have them behind a block."}
}

// attention draws the first block.
func (y *Layer) attention(seen float64) {
	b, l, m := &y.Blocks[0], y.Of, y.Model
	b.Name = "Attention"
	N, K, H, V := Dim{"N", l.Heads}, Dim{"K", l.KVHeads}, Dim{"H", l.HeadSize}, Dim{"H", l.ValueSize}
	if l.ValueSize != l.HeadSize {
		V.Letter = "v"
	}
	if m.Parallel && m.NormsPerLayer() == 1 {
		y.Common = []*Box{y.norm(0)}
	} else {
		b.row(y.norm(0))
	}
	if m.MLA.KVRank != 0 {
		y.latent(b, N, H, V)
	} else {
		y.heads(b, N, K, H, V)
	}
	scores := &Box{ID: "scores", Name: "scores, softmax", Scores: []Dim{N, H}, Seen: seen, Out: []Dim{batch, N, tokens, looked},
		About: "Each query times the keys of the tokens that it may look at. No weights are in it: the more tokens, the more work."}
	if m.Sinks {
		scores.Small = float64(l.Heads)
		scores.About += " Each head also has a learned sink, which takes a share of the softmax."
	}
	b.row(scores)
	b.row(&Box{ID: "sums", Name: "weighted sums", Scores: []Dim{N, V}, Seen: seen, Out: []Dim{batch, tokens, N, V},
		About: "The values of the tokens looked at, each as much as its score says."})
	b.row(&Box{ID: "wo", Name: "W", Sub: "O", Rows: []Dim{N, V}, Cols: []Dim{y.width()}, Small: bias(m.Bias.Output, float64(m.Width)), Out: []Dim{batch, tokens, y.width()},
		About: "Brings what the heads found back to the width of the residual."})
	b.row(y.norm(2))
}

// heads draws the projections of ordinary attention.
func (y *Layer) heads(b *Block, N, K, H, V Dim) {
	m, D := y.Model, y.width()
	of := func(id, sub string, heads, size, along Dim, about string) *Box {
		return &Box{ID: id, Name: "W", Sub: sub, Rows: []Dim{D}, Cols: []Dim{heads, size}, Small: bias(m.Bias.QKV, product([]Dim{heads, size})),
			Out: []Dim{batch, along, heads, size}, About: about}
	}
	shared := "One for each of the " + strconv.Itoa(K.N) + " heads of keys"
	if K.N < N.N {
		shared += "; " + strconv.Itoa(N.N/max(1, K.N)) + " query heads share each"
	}
	b.row(of("wq", "Q", N, H, tokens, "What each token looks for: a query for each head."),
		of("wk", "K", K, H, looked, "What each token can be found by. "+shared+"."),
		of("wv", "V", K, V, looked, "What each token has to tell. As many heads as there are of keys."))
	size := 0.0
	switch m.QKNorm {
	case model.HeadQKNorm:
		size = 2 * float64(H.N)
	case model.WidthQKNorm:
		size = product([]Dim{N, H}) + product([]Dim{K, H})
	}
	if size > 0 {
		b.row(&Box{ID: "qknorm", Name: "norm of Q and K", Small: size, Out: []Dim{batch, tokens, N, H}, About: "Keeps scores from growing, whatever the weights do."})
	}
}

// latent draws the projections of latent attention.
func (y *Layer) latent(b *Block, N, H, V Dim) {
	a, D, has := y.Model.MLA, y.width(), y.Model.Bias.QKV
	q, r, nope, down := Dim{"q", a.QRank}, Dim{"r", a.KVRank}, Dim{"n", a.NopeSize}, Dim{"(r+p)", a.KVRank + a.RopeSize}
	dkv := &Box{ID: "wdkv", Name: "W", Sub: "DKV", Rows: []Dim{D}, Cols: []Dim{down}, Small: bias(has, float64(down.N)), Out: []Dim{batch, looked, down},
		About: "Down to a latent of r numbers, and a rotary key of p that all heads share. Nothing else is kept for later tokens."}
	uk := &Box{ID: "wuk", Name: "W", Sub: "UK", Rows: []Dim{r}, Cols: []Dim{N, nope}, Out: []Dim{batch, looked, N, nope}, About: "The keys of all heads from the latent, n numbers each; the rotary key comes to them."}
	uv := &Box{ID: "wuv", Name: "W", Sub: "UV", Rows: []Dim{r}, Cols: []Dim{N, V}, Out: []Dim{batch, looked, N, V}, About: "The values of all heads from the latent."}
	norm := &Box{ID: "latentnorm", Name: "norm of latents", Small: float64(a.KVRank + a.QRank), Out: []Dim{batch, tokens, r}, About: "A scale for each number of a latent."}
	if a.QRank == 0 {
		b.row(&Box{ID: "wq", Name: "W", Sub: "Q", Rows: []Dim{D}, Cols: []Dim{N, H}, Small: bias(has, product([]Dim{N, H})), Out: []Dim{batch, tokens, N, H}, About: "What each token looks for: a query for each head."}, dkv)
		b.row(norm)
		b.row(uk, uv)
		return
	}
	b.row(&Box{ID: "wdq", Name: "W", Sub: "DQ", Rows: []Dim{D}, Cols: []Dim{q}, Small: bias(has, float64(q.N)), Out: []Dim{batch, tokens, q}, About: "Queries, too, pass through a latent: it saves weights."}, dkv)
	b.row(norm)
	b.row(&Box{ID: "wuq", Name: "W", Sub: "UQ", Rows: []Dim{q}, Cols: []Dim{N, H}, Out: []Dim{batch, tokens, N, H}, About: "The queries of all heads from their latent."}, uk, uv)
}

// mlp draws the second block.
func (y *Layer) mlp() {
	b, m := &y.Blocks[1], y.Model
	b.Name = "MLP"
	if y.Common == nil {
		b.row(y.norm(1))
	}
	if !y.Of.Experts {
		y.three(b, "", m.FFWidth, Dim{}, 1, m.Bias.MLP)
		b.row(y.norm(3))
		return
	}
	y.experts(b)
	if last := y.norm(3); last != nil {
		b.After = []*Box{last}
	}
}

// experts draws the router with the experts that it chooses from, and beside them those that are shared by all tokens.
func (y *Layer) experts(b *Block) {
	m, e := y.Model, y.Model.MoE
	E := Dim{"E", e.Experts}
	b.Name = "Experts"
	routed, shared := Block{Name: "chosen"}, Block{Name: "shared"}
	routed.row(&Box{ID: "router", Name: "router", Rows: []Dim{y.width()}, Cols: []Dim{E}, Small: bias(e.RouterBias, float64(E.N)), Out: []Dim{batch, tokens, E},
		About: "A score for each expert. The " + strconv.Itoa(e.PerToken) + " best of " + strconv.Itoa(E.N) + " work on the token."})
	y.three(&routed, "e", m.ExpertWidth(), E, float64(e.PerToken), m.Bias.Experts)
	b.Sides = []Block{routed}
	if e.Shared == 0 {
		return
	}
	copies := Dim{"s", e.Shared}
	if e.Shared == 1 {
		copies = Dim{}
	}
	if e.SharedGate {
		shared.row(&Box{ID: "sharedgate", Name: "gate of the shared", Rows: []Dim{y.width()}, Cols: []Dim{{"1", 1}}, Out: []Dim{batch, tokens, {"1", 1}}, About: "Says how much of the shared experts is taken."})
	}
	y.three(&shared, "s", m.SharedWidth(), copies, float64(e.Shared), m.Bias.MLP)
	b.Sides = append(b.Sides, shared)
}

// three draws the matrices of an MLP or of experts, which are two if there is no gate.
func (y *Layer) three(b *Block, id string, width int, copies Dim, met float64, has bool) {
	D, F, n := y.width(), Dim{"F", width}, max(1, float64(copies.N))
	in, out := []Dim{batch, tokens, F}, []Dim{batch, tokens, D}
	of, note := "", ""
	switch id {
	case "e":
		in = []Dim{batch, tokens, {"k", int(met)}, F}
		of, note = "expert ", " A token meets "+strconv.Itoa(int(met))+" of the "+strconv.Itoa(copies.N)+", and all are stored. What they give is added up, each as much as its score says."
	case "s":
		of, note = "shared ", " Every token meets the shared experts; what they give is added to that of the others."
	}
	matrix := func(name, sub string, rows, cols Dim, gives []Dim, about string) *Box {
		return &Box{ID: id + name, Name: of + "W", Sub: sub, Copies: copies, Met: met, Rows: []Dim{rows}, Cols: []Dim{cols}, Small: n * bias(has, float64(cols.N)), Out: gives, About: about + note}
	}
	if y.Model.Plain {
		b.row(matrix("up", "in", D, F, in, "Widens each token to F numbers."))
		b.row(&Box{ID: id + "act", Name: of + "act(in)", Out: in, About: "Bends each number; nobody counts it as work."})
		b.row(matrix("down", "out", F, D, out, "Narrows them to D again."))
		return
	}
	b.row(matrix("gate", "gate", D, F, in, "Says how much of each of F numbers to let through."), matrix("up", "up", D, F, in, "Makes the F numbers."))
	b.row(&Box{ID: id + "act", Name: of + "act(gate) · up", Out: in, About: "Element by element: one multiplication for each of F numbers, next to D for each of a matrix. Nobody counts it."})
	b.row(matrix("down", "down", F, D, out, "Narrows them to D again."))
}
