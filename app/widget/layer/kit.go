package layer

import (
	_ "embed" // the table of boxes
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
)

// table says what a layer consists of, a box a line.
//
//go:embed boxes.tsv
var table string

// kit is what the table's words, letters and boxes mean in a layer.
type kit struct {
	is     map[string]bool    // the words that hold
	sizes  map[string]Dim     // what each letter is; one that is missing is left out of shapes
	small  map[string]float64 // parameters of boxes that are no matrix
	seen   float64            // tokens looked at
	prefix string             // of the ids of an MLP's boxes
	copies Dim                // of an MLP
	met    float64            // of the copies
	note   string             // what {note} stands for
}

// kit reads the model.
func (y *Layer) kit() *kit {
	m, l, a := y.Model, y.Of, y.Model.MLA
	V := Dim{"H", l.ValueSize}
	if l.ValueSize != l.HeadSize {
		V.Letter = "v"
	}
	k := &kit{sizes: map[string]Dim{"B": {"B", 0}, "T": {"T", 0}, "S": {"S", 0}, "D": {"D", m.Width}, "N": {"N", l.Heads}, "K": {"K", l.KVHeads}, "H": {"H", l.HeadSize}, "V": V,
		"q": {"q", a.QRank}, "r": {"r", a.KVRank}, "n": {"n", a.NopeSize}, "(r+p)": {"(r+p)", a.KVRank + a.RopeSize}, "1": {"1", 1},
		"G": {"G", l.Heads / max(1, l.KVHeads)}}}
	mla, norms := a.KVRank != 0, m.NormsPerLayer()
	common := m.Parallel && norms == 1
	k.is = map[string]bool{"always": true, "heads": !mla, "mha": !mla && l.KVHeads >= l.Heads, "gqa": !mla && 1 < l.KVHeads && l.KVHeads < l.Heads, "mqa": !mla && l.KVHeads == 1 && l.Heads > 1, "latent": mla, "qlatent": mla && a.QRank != 0, "direct": mla && a.QRank == 0, "qknorm": !mla && m.QKNorm != model.NoQKNorm,
		"plain": m.Plain, "gated": !m.Plain, "common": common, "norm1": !common && norms > 0, "norm2": norms > 1, "norm3": norms > 3, "norm4": norms > 2}
	k.smalls(y, norms)
	return k
}

// smalls are the biases, scales and sinks.
func (k *kit) smalls(y *Layer, norms int) {
	m, of := y.Model, func(letters string) float64 { return product(k.dims(letters)) }
	k.small = map[string]float64{"norm1": y.Norm, "norm2": y.Norm, "norm3": y.Norm, "norm4": y.Norm * float64(norms-2), "qknorm": 2 * of("H"), "latentnorm": of("r") + of("q"),
		"wo": bias(m.Bias.Output, of("D"))}
	if norms > 3 {
		k.small["norm4"] -= y.Norm
	}
	if m.QKNorm == model.WidthQKNorm {
		k.small["qknorm"] = of("N H") + of("K H")
	}
	if m.Bias.QKV {
		k.small["wq"], k.small["wk"], k.small["wv"], k.small["wdq"], k.small["wdkv"] = of("N H"), of("K H"), of("K V"), of("q"), of("(r+p)")
	}
	if m.Sinks {
		k.small["scores"] = of("N")
	}
}

// bias is the size of a bias if there is one.
func bias(has bool, n float64) float64 {
	if has {
		return n
	}
	return 0
}

// dims are sizes by their letters.
func (k *kit) dims(letters string) []Dim {
	var all []Dim
	for letter := range strings.FieldsSeq(letters) {
		if d, ok := k.sizes[letter]; ok {
			all = append(all, d)
		}
	}
	return all
}

// fill puts numbers in the places of letters in braces.
func (k *kit) fill(text string) string {
	out := ""
	for {
		before, rest, ok := strings.Cut(text, "{")
		out += before
		if !ok {
			return out
		}
		letter, after, _ := strings.Cut(rest, "}")
		switch {
		case letter == "note":
			out += k.note
		case letter != "sinks":
			out += strconv.Itoa(k.sizes[letter].N)
		case k.small["scores"] > 0:
			out += " Each head also has a learned sink, which takes a share of the softmax."
		}
		text = after
	}
}

// mlp is the matrices of an MLP or of experts.
func (k *kit) mlp(prefix string, width int, copies Dim, met float64, has bool, note string) [][]*Box {
	k.prefix, k.copies, k.met, k.note = prefix, copies, met, note
	k.sizes["F"] = Dim{"F", width}
	n := max(1, float64(copies.N))
	inward, outward := bias(has, n*float64(width)), bias(has, n*float64(k.sizes["D"].N))
	k.small[prefix+"gate"], k.small[prefix+"up"], k.small[prefix+"down"] = inward, inward, outward
	return k.part("mlp")
}

// part is the boxes of a part of the table, row by row.
func (k *kit) part(part string) [][]*Box {
	var rows [][]*Box
	row := ""
	for line := range strings.Lines(table) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 11 || c[0] != part || !k.is[c[1]] {
			continue
		}
		if rows == nil || c[2] != row {
			rows, row = append(rows, nil), c[2]
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k.box(c, part == "mlp"))
	}
	return rows
}

// box is a line of the table.
func (k *kit) box(c []string, mlp bool) *Box {
	b := &Box{ID: c[3], Name: c[4], Sub: c[5], Rows: k.dims(c[6]), Cols: k.dims(c[7]), Scores: k.dims(c[8]), Out: k.dims(c[9]), About: k.fill(c[10])}
	if b.Scores != nil {
		b.Seen = k.seen
	}
	if mlp {
		b.ID = k.prefix + b.ID
		b.Name = map[string]string{"e": "expert ", "s": "shared "}[k.prefix] + b.Name
		if k.copies.N > 0 && b.Rows != nil {
			b.Copies, b.Met = k.copies, k.met
		}
	}
	b.Small = k.small[b.ID]
	return b
}
