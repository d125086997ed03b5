package layer

import (
	_ "embed" // the table of boxes
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// table says what a layer consists of, a box a line.
//
//go:embed boxes.tsv
var table string

// kit is what the table's words, letters and boxes mean in a layer. It has lists where maps would do: they are short,
// and make the browser's program smaller.
type kit struct {
	words  string         // those that hold, each between spaces
	sizes  []Dim          // what each letter is; one that is missing is left out of shapes
	small  []small        // parameters that are no matrix
	seen   float64        // tokens looked at
	scored float64        // tokens that the index scores
	prefix string         // of the ids of an MLP's boxes
	copies Dim            // of an MLP
	met    float64        // of the copies
	note   *phrase.Phrase // what {note} stands for
}

// small are parameters of a box that are no matrix. A box may have several.
type small struct {
	id string
	n  float64
}

func (k *kit) holds(word string, is bool) {
	if is {
		k.words += word + " "
	}
}

func (k *kit) size(letter string, n int) { k.sizes = append(k.sizes, Dim{letter, n}) }

func (k *kit) add(id string, has bool, n float64) {
	if has {
		k.small = append(k.small, small{k.prefix + id, n})
	}
}

// smalls is how many parameters a box has that are no matrix.
func (k *kit) smalls(id string) float64 {
	n := 0.0
	for _, s := range k.small {
		if s.id == id {
			n += s.n
		}
	}
	return n
}

// kit reads the model.
func (y *Layer) kit() *kit {
	m, l, a := y.Model, y.Of, y.Model.MLA
	k := &kit{words: " always "}
	for i, letter := range []string{"B", "T", "S", "D", "Q", "K", "H", "V", "q", "r", "n", "(r+p)", "1", "G"} {
		k.size(letter, [...]int{0, 0, 0, m.Width, l.Heads, l.KVHeads, l.HeadSize, l.ValueSize, a.QRank, a.KVRank,
			a.NopeSize, a.KVRank + a.RopeSize, 1, l.Heads / max(1, l.KVHeads)}[i])
	}
	mla, norms := a.KVRank != 0, m.NormsPerLayer()
	common := m.Parallel && norms == 1
	k.holds("common", common)
	k.holds("norm1", !common && norms > 0)
	k.holds("norm2", norms > 1)
	k.holds("norm3", norms > 3)
	k.holds("norm4", norms > 2)
	k.holds("heads", !mla && a.QRank == 0)
	own := !mla && !l.Shares
	k.holds("mha", own && l.KVHeads >= l.Heads)
	k.holds("gqa", own && 1 < l.KVHeads && l.KVHeads < l.Heads)
	k.holds("values", own && !l.OneTensor)
	k.holds("widthgate", m.Gate == model.WidthGate)
	k.holds("headgate", m.Gate == model.HeadGate)
	k.holds("index", l.Indexes)
	k.holds("narrow", m.MoE.Latent != 0)
	k.size("i", m.Index.Heads)
	k.size("d", m.Index.Size)
	k.size("L", m.MoE.Latent)
	k.holds("mqa", own && l.KVHeads == 1 && l.Heads > 1)
	k.holds("qknorm", !mla && m.QKNorm != model.NoQKNorm)
	k.holds("latent", mla)
	k.holds("qlatent", a.QRank != 0)
	k.holds("latentnorm", mla || a.QRank != 0)
	k.holds("direct", mla && a.QRank == 0)
	k.holds("plain", m.Plain)
	k.holds("gated", !m.Plain)
	y.compressed(k)
	y.smalls(k, norms)
	return k
}

// compressed reads what layers have that make entries of several tokens, and several residual streams.
func (y *Layer) compressed(k *kit) {
	m, l := y.Model, y.Of
	c, s := m.Compress, m.Side.Hyper
	entries := 2
	if l.Overlaps {
		entries = 4
	} else if c.Shared && l.Compress == 1 {
		entries = 1
	}
	k.size("c", entries*l.HeadSize)
	k.size("e", m.NGrams.Reads*m.NGrams.Size)
	k.size("(x+1)D", (max(1, s)+1)*m.Width)
	k.size("g", c.Groups)
	k.size("o", c.OutRank)
	k.size("x", s)
	k.size("m", s*(s+2))
	k.size("(4d)", 4*m.Index.Size)
	makes := l.Compress != 0 && !l.Borrows
	k.holds("merge", makes && !c.Shared)
	k.holds("sharedentry", makes && c.Shared)
	k.holds("ngrams", l.NGrams)
	k.size("w", m.PerLayer.Width)
	k.holds("perlayer", m.PerLayer.Width != 0)
	k.holds("whole", c.OutRank == 0)
	k.holds("grouped", c.OutRank != 0)
	k.holds("hyper", s != 0)
	k.holds("indexkey", l.Indexes && l.Compress == 0)
	k.holds("indexentry", l.Indexes && l.Compress != 0 && !c.Shared)
	k.holds("entrykey", l.Indexes && makes && c.Shared)
}

// smalls are the biases, scales and sinks. All norms beyond those drawn elsewhere stand behind the MLP.
func (y *Layer) smalls(k *kit, norms int) {
	m, of := y.Model, func(letters string) float64 { return product(k.dims(letters)) }
	for _, id := range []string{"norm1", "norm2", "norm3"} {
		k.add(id, true, y.Norm)
	}
	k.add("norm4", true, y.Norm*float64(norms-2))
	k.add("norm4", norms > 3, -y.Norm)
	k.add("pleout", true, y.Norm)
	keys := 1.0
	if y.Of.Shares {
		keys = 0
	}
	k.add("qknorm", m.QKNorm == model.HeadQKNorm, (1+keys)*of("H"))
	k.add("qknorm", m.QKNorm == model.WidthQKNorm, of("Q H")+keys*of("K H"))
	k.add("wik", y.Of.Indexes && y.Of.Compress == 0, 2*of("d"))
	own, shared := y.Of.Compress != 0 && !y.Of.Borrows, m.Compress.Shared
	k.add("wik", y.Of.Indexes && own && !shared, (1+2*float64(y.Of.Compress))*of("d"))
	k.add("wik", y.Of.Indexes && own && shared, of("d"))
	k.add("wng", true, 2*of("x D"))
	k.add("wk", m.Compress.OutRank != 0, of("H"))
	k.add("wc", true, of("H"))
	k.add("wc", !shared, float64(y.Of.Compress)/2*of("c"))
	for _, id := range []string{"mix1", "mix2"} {
		k.add(id, true, of("m")+3)
	}
	k.add("latentnorm", true, of("r")+of("q"))
	k.add("wo", m.Bias.Output, of("D"))
	k.add("wg", m.Bias.Gate && m.Gate == model.WidthGate, of("Q V"))
	k.add("scores", m.SinksIn(y.Of), of("Q"))
	for _, c := range [][2]string{{"wq", "Q H"}, {"wk", "K H"}, {"wv", "K V"}, {"wdq", "q"}, {"wdkv", "(r+p)"}} {
		k.add(c[0], m.Bias.QKV && (c[0] != "wq" || m.MLA.KVRank == 0), of(c[1]))
	}
}

// find is the size of a letter, if there is one: the last that it was given.
func (k *kit) find(letter string) (d Dim, ok bool) {
	for _, s := range k.sizes {
		if s.Letter == letter {
			d, ok = s, true
		}
	}
	return d, ok
}

// dims are sizes by their letters. Values have a letter of their own only where they have a size of their own.
func (k *kit) dims(letters string) []Dim {
	var all []Dim
	for letters != "" {
		letter, rest, _ := strings.Cut(letters, " ")
		letters = rest
		d, ok := k.find(letter)
		if !ok || letter == "k" && k.prefix != "e" {
			continue
		}
		if h, _ := k.find("H"); letter == "V" {
			if d.Letter = "v"; d.N == h.N {
				d.Letter = "H"
			}
		}
		all = append(all, d)
	}
	return all
}

// about is what a box is for: a text of the table, with numbers in its gaps.
func (k *kit) about(text string) *phrase.Phrase {
	size := func(letter string) string {
		d, _ := k.find(letter)
		return grouped(d.N)
	}
	var sinks *phrase.Phrase
	if k.smalls("scores") > 0 {
		sinks = phrase.New("layer.about-sinks")
	}
	return phrase.New(phrase.WordKey+text, "heads", size("K"), "group", size("G"), "experts", size("E"), "met",
		size("k"), "note", following{k.note}, "sinks", following{sinks})
}

// following is a sentence as it stands behind another one, nothing if there is none.
type following struct{ sentence *phrase.Phrase }

func (b following) In(l phrase.Phrases) string {
	if b.sentence == nil {
		return ""
	}
	return " " + b.sentence.In(l)
}

// mlp is the matrices of an MLP or of experts.
func (k *kit) mlp(prefix string, width int, copies Dim, met float64, has bool, note *phrase.Phrase) [][]*Box {
	k.prefix, k.copies, k.met, k.note = prefix, copies, met, note
	k.size("F", width)
	n := max(1, float64(copies.N))
	k.add("gate", has, n*float64(width))
	k.add("up", has, n*float64(width))
	k.add("down", has, n*product(k.dims("D")))
	rows := k.part("mlp")
	k.prefix = ""
	return rows
}

// part is the boxes of a part of the table, row by row.
func (k *kit) part(part string) [][]*Box {
	var rows [][]*Box
	row := ""
	for line := range strings.Lines(table) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 11 || c[0] != part || !strings.Contains(k.words, " "+c[1]+" ") {
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
	b := &Box{ID: c[3], Name: phrase.Name(c[4]), Sub: c[5], Rows: k.dims(c[6]), Cols: k.dims(c[7]),
		Scores: k.dims(c[8]), Out: k.dims(c[9]), About: k.about(c[10])}
	switch {
	case b.ID == "pick":
		b.Seen = k.scored
	case b.Scores != nil:
		b.Seen = k.seen
	}
	if mlp {
		b.ID = k.prefix + b.ID
		switch k.prefix {
		case "e":
			b.Name = phrase.New("layer.expert-box", "name", b.Name)
		case "s":
			b.Name = phrase.New("layer.shared-box", "name", b.Name)
		}
		if k.copies.N > 0 && b.Rows != nil {
			b.Copies, b.Met = k.copies, k.met
		}
	}
	b.Small = k.smalls(b.ID)
	return b
}
