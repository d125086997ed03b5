package config

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Lists of tensors: the header of a safetensors file, or names and shapes that a script prints of a state_dict, one a
// line. They are made into the tree of modules that a print shows, and read as one. Of packed weights the shape of the
// matrix that they stand for is worked out.

// tensor is one of a list.
type tensor struct {
	name, dtype string
	at          int // where the text names it
	shape       []float64
	bytes       float64
}

func (t *tensor) numbers() float64 {
	n := 1.0
	for _, x := range t.shape {
		n *= x
	}
	return n
}

// mostNumbers is more than any tensor has.
const mostNumbers = 1e15

// grow adds a side to the shape, as it is written, and says whether a tensor can have it: a whole number with which the
// tensor has no more numbers than any. most is the largest that it can have.
func (t *tensor) grow(side string) (most float64, ok bool) {
	most = math.Floor(mostNumbers / max(1, t.numbers()))
	x, err := strconv.ParseFloat(side, 64)
	t.shape = append(t.shape, x)
	return most, err == nil && x == math.Trunc(x) && x >= 0 && x <= most
}

// noSide refuses a side that no tensor has.
func noSide(src string, at int, name string, side any, most float64) *Error {
	return faultAt(src, at, phrase.New("config.is", "field", clean(name), "value", side),
		phrase.New("config.whole", "least", "0", "most", plainNumber(most)))
}

func faultAt(src string, at int, what, remedy *phrase.Phrase) *Error {
	return &Error{Pos: position(src, at), What: what, Remedy: remedy}
}

// side is a side of the shape; 0 if it has none.
func (t *tensor) side(i int) float64 {
	if t == nil || i >= len(t.shape) {
		return 0
	}
	return t.shape[i]
}

// header is the tensors of a header of safetensors, or of shapes by their names; none if an object is neither.
func header(src string, root *value) (all []tensor, err *Error) {
	for i, n := range root.names {
		v := root.items[i]
		if n.text == "__metadata__" {
			continue
		}
		shape := v
		if v.kind == object {
			shape = v.field("shape")
		}
		named := len(root.names) > 2 && strings.Contains(n.text, ".")
		if shape == nil || shape.kind != list || v.field("dtype") == nil && !named {
			return nil, nil
		}
		t := tensor{name: n.text, at: n.at, dtype: wordOf(v.field("dtype"))}
		for _, x := range shape.items {
			if most, ok := t.grow(x.text); (x.kind != number || !ok) && err == nil {
				err = noSide(src, x.at, n.text+".shape", x.shown(), most)
			}
		}
		if at := v.field("data_offsets"); at != nil && err == nil {
			err = t.span(src, at, v.field("dtype"))
		}
		all = append(all, t)
	}
	return all, err
}

// kinds are the kinds of numbers that a header of safetensors names, with their bits.
const kinds = " BOOL=8 F4=4 F6_E2M3=6 F6_E3M2=6 U8=8 I8=8 F8_E5M2=8 F8_E4M3=8 F8_E5M2FNUZ=8 F8_E4M3FNUZ=8 F8_E8M0=8 " +
	"U16=16 I16=16 F16=16 BF16=16 U32=32 I32=32 F32=32 U64=64 I64=64 F64=64 C64=64 "

// span takes over where a header says that a tensor begins and ends: as many bytes apart as its numbers take. One may
// begin where another does, since people join the headers of several files.
func (t *tensor) span(src string, offsets, dtype *value) *Error {
	_, after, known := strings.Cut(kinds, " "+t.dtype+"=")
	if !known {
		if dtype == nil {
			dtype = offsets
		}
		return faultAt(src, dtype.at, phrase.New("config.is", "field", clean(t.name+".dtype"), "value", dtype.shown()),
			phrase.New("config.need-config"))
	}
	text, _, _ := strings.Cut(after, " ")
	bits, _ := strconv.ParseFloat(text, 64)
	t.bytes = math.Ceil(t.numbers() * bits / 8)
	if o := offsets.list(); len(o) != 2 || o[0].number() < 0 || o[1].number()-o[0].number() != t.bytes {
		text, _, _ := strings.Cut(src[offsets.at:], "]")
		fault := phrase.New("config.is", "field", clean(t.name+".data_offsets"), "value", clean(text)+"]")
		return faultAt(src, offsets.at, phrase.New("config.misfit", "fault", fault), phrase.New("config.need-config"))
	}
	return nil
}

// shapes is the tensors that the lines of a text name with their shapes; none if there are none of a Transformer.
func shapes(src string) (all []tensor, err *Error) {
	has := func(word string) bool { return strings.Contains(src, word) }
	if strings.Count(src, ".weight") < 3 || has("general.arch") || has("data_offsets") || has("blk.") {
		return nil, nil // of GGUF, or a header
	}
	matrices, at := 0, 0
	for line := range strings.Lines(src) {
		t, bad := shapeIn(src, line, at)
		if at += len(line); t == nil {
			continue
		}
		if err == nil {
			err = bad
		}
		all = append(all, *t)
		matrices += strings.Count(t.name, ".weight")
	}
	if matrices < 3 {
		return nil, nil
	}
	return all, err
}

// shapeIn is the tensor that a line names with its shape, which begins at a place; nil if it names none.
func shapeIn(src, line string, at int) (t *tensor, err *Error) {
	words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t:'\"(|=", c) })
	for i, name := range words {
		if !strings.Contains(name, ".") || !isName(name) || numbers(name) != nil || strings.HasPrefix(name, "torch.") {
			continue
		}
		rest := strings.Join(words[i+1:], " ")
		behind := line[strings.Index(line, name)+len(name):]
		_, within, has := strings.Cut(behind, "[")
		if has {
			rest = within
		} else {
			_, within, _ = strings.Cut(behind, "(")
		}
		rest, _, _ = strings.Cut(rest, "]")
		rest, _, _ = strings.Cut(rest, ")")
		sides := numbers(rest)
		if len(sides) == 0 {
			return nil, nil
		}
		t = &tensor{name: name, at: at}
		for _, side := range sides {
			if most, ok := t.grow(plainNumber(side)); !ok && err == nil {
				err = noSide(src, at, name, plainNumber(side), most)
			}
		}
		if within, _, _ = strings.Cut(within, ")"); len(numbers(within)) < len(sides) {
			return t, err // not what the brackets hold
		}
		for word := range strings.FieldsFuncSeq(rest, func(c rune) bool { return c <= ' ' || c == ',' }) {
			_, not := strconv.ParseFloat(word, 64)
			if not == nil && strings.Trim(word, "0123456789") != "" && err == nil { // -1, 0.5, 1e3, NaN
				err = noSide(src, at, name, clean(word), mostNumbers)
			}
		}
		return t, err
	}
	return nil, nil
}

// readTensors reads a model from its tensors.
func readTensors(src string, all []tensor) (Import, error) {
	t := &tree{at: map[string]*module{}}
	bytes := 0.0
	for _, x := range all {
		bytes += x.bytes
		if strings.Count(x.name, ".") > maxDepth {
			return Import{}, faultAt(src, x.at, phrase.New("config.deep", "most", maxDepth),
				phrase.New("config.handful"))
		} else if len(t.at) > maxValues {
			return Import{}, faultAt(src, x.at, phrase.New("config.many-values", "most", maxValues),
				phrase.New("config.few-hundred"))
		}
		path, leaf := "", x.name
		if i := strings.Index(x.name, ".weight."); i >= 0 { // weight.absmax is beside the weight
			path, leaf = x.name[:i], x.name[i+1:]
		} else if i := strings.LastIndexByte(x.name, '.'); i >= 0 {
			path, leaf = x.name[:i], x.name[i+1:]
		}
		t.width = max(t.width, t.widthBy(x, leaf))
		t.turned = t.turned || strings.HasSuffix(path, "c_attn") && leaf == "weight" && x.side(1) == 3*x.side(0)
		m := t.module(path)
		x.name = leaf
		m.parts = append(m.parts, x)
	}
	t.packing(all)
	root := t.module("")
	t.resolve(root)
	im, err := modelOf(src, root, true)
	if listed := phrase.New("config.tensors", "n", len(all), "bytes", plainNumber(bytes)); err == nil && bytes > 0 {
		note(&im.Understood, "", listed)
	} else if e, is := err.(*Error); is && bytes > 0 {
		e.What = and(e.What, listed)
	}
	return im, err
}

// tree is a tree of modules that is made of tensors.
type tree struct {
	at     map[string]*module // by the path of its name
	width  float64            // of the model: its norms, outside of heads, have so many numbers
	packed float64            // numbers in an element of a packed matrix
	turned bool               // matrices are stored as GPT-2 has them, what they read first
}

// widthBy is the width of the model as far as a tensor tells.
func (t *tree) widthBy(x tensor, leaf string) float64 {
	for _, part := range []string{"input_layernorm", "ln_1", "attention_norm", "attn_norm", "norm1", "operator_norm"} {
		if len(x.shape) == 1 && leaf == "weight" && strings.HasSuffix(x.name, part+".weight") {
			return x.shape[0]
		}
	}
	return 0
}

// module is the module of a path, made with those above it.
func (t *tree) module(path string) *module {
	if m := t.at[path]; m != nil {
		return m
	}
	m := &module{times: 1}
	t.at[path] = m
	if path == "" {
		return m
	}
	above, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		above, name = path[:i], path[i+1:]
	}
	m.name, m.class = name, name
	up := t.module(above)
	up.kids = append(up.kids, m)
	return m
}

// resolve says of a module and those below it what they are, by their tensors.
func (t *tree) resolve(m *module) {
	slices.SortStableFunc(m.kids, func(a, b *module) int {
		i, _ := strconv.Atoi(a.name)
		j, _ := strconv.Atoi(b.name)
		return i - j
	})
	m.unstack()
	for _, k := range m.kids {
		t.resolve(k)
	}
	if len(m.parts) == 0 {
		return
	}
	if len(m.kids) == 0 {
		m.class = "ParameterList"
	}
	if t.fused(m) {
		return
	}
	w, out, in := t.matrix(m)
	bias := m.part("bias")
	if bias != nil && (len(bias.shape) != 1 || w == nil) {
		bias = nil
	}
	switch {
	case w == nil:
	case in == 0:
		m.class, m.args = "RMSNorm", plainNumber(out)
		if bias != nil {
			m.class = "LayerNorm"
		}
	case strings.Contains(m.name, "emb") || m.name == "wte" || m.name == "wpe":
		m.class, m.args = "Embedding", plainNumber(out)+", "+plainNumber(in)
	default:
		m.class, m.args = "Linear", features(in, out, bias != nil)
	}
	for i := range m.parts {
		if p := &m.parts[i]; p != w && p != bias && !m.beside(p) && !(w.packed() && p.name != "bias") {
			m.more += p.numbers()
		}
	}
}

// unstack makes experts of modules whose matrices are those of all experts in one tensor each, as MLX has them.
func (m *module) unstack() {
	n := 0.0
	for _, k := range m.kids {
		first := k.part("weight").side(0)
		if len(k.kids) > 0 || first < 2 || n > 0 && first != n {
			return
		}
		for _, p := range k.parts {
			if n = first; p.side(0) != n || len(p.shape) < 2 || p.name == "weight" && len(p.shape) != 3 {
				return
			}
		}
	}
	if len(m.kids) < 2 {
		return
	}
	for _, k := range m.kids {
		for i := range k.parts {
			k.parts[i].shape = k.parts[i].shape[1:]
		}
	}
	m.kids = []*module{{class: "expert", times: int(min(n, 1e6)), kids: m.kids}}
}

// noParameters are tensors that are worked out anew, that no step learns, or that unpack weights.
const noParameters = " inv_freq masked_bias e_score_correction_bias q_scale k_scale v_scale input_scale SCB " +
	"weight_format "

// beside tells whether a tensor of a module is no parameter: one of those, or what unpacks another.
func (m *module) beside(p *tensor) bool {
	of, _, scale := strings.Cut(p.name, "_scale")
	return scale && m.part(of, of+"_blocks") != nil || strings.Contains(noParameters, " "+p.name+" ") ||
		strings.HasPrefix(p.name, "weight.") || p.name == "bias" && len(p.shape) == 4
}

// packed tells whether the numbers of a weight are in fewer bits than those that are learned: others beside it unpack
// them.
func (t *tensor) packed() bool {
	return t != nil && (t.name == "qweight" || t.name == "weight_packed" || strings.HasPrefix(t.dtype, "U") ||
		strings.Contains(t.dtype, "8"))
}

// part is the tensor of a module by one of some names; nil if there is none.
func (m *module) part(names ...string) *tensor {
	for _, n := range names {
		for i := range m.parts {
			if m.parts[i].name == n {
				return &m.parts[i]
			}
		}
	}
	return nil
}

// matrix is the weight of a module, and its sides; of a list of numbers the second is 0. There is no weight if it has
// other sides than two.
func (t *tree) matrix(m *module) (w *tensor, out, in float64) {
	if w = m.part("weight", "qweight", "weight_packed"); w == nil && len(m.parts) == 1 {
		w = m.part("scale") // of a norm of torchtune
	}
	if w == nil || len(w.shape) < 1 || len(w.shape) > 2 {
		return nil, 0, 0
	}
	out, in = w.side(0), w.side(1)
	scales, zeros := m.part("scales"), m.part("qzeros")
	switch {
	case w.name == "qweight" && zeros != nil && scales != nil:
		// Of GPTQ and of AWQ: 32 bits hold as many numbers as the zeros have fewer columns than the scales.
		packed := scales.side(1) / max(1, zeros.side(1))
		if in = out; w.side(1) == scales.side(1) {
			in = out * packed
		}
		return w, scales.side(1), in
	case len(w.shape) == 2 && (w.name == "weight_packed" || w.dtype == "U8" || w.dtype == "U32"):
		return w, out, in * t.packed
	case t.turned && strings.HasPrefix(m.name, "c_"):
		return w, in, out
	}
	return w, out, in
}

// packing is how many numbers an element of a packed matrix holds: two in a byte, as NVFP4 has them; in 32 bits as many
// as the width of the model says, for a matrix that reads a token.
func (t *tree) packing(all []tensor) {
	t.packed = 8
	for i := range all {
		x := &all[i]
		weight := strings.HasSuffix(x.name, ".weight") || strings.HasSuffix(x.name, ".weight_packed")
		reads := strings.Contains(x.name, "q_proj") || strings.Contains(x.name, "gate_proj")
		switch n := x.side(1); {
		case !weight || strings.Contains(x.dtype, "F"):
		case x.dtype == "U8":
			t.packed = 2
		case reads && len(x.shape) == 2 && n > 0 && n < t.width:
			t.packed = t.width / n
			return
		}
	}
}

// fused gives experts that are stored as one tensor the modules that a print has of them.
func (t *tree) fused(m *module) bool {
	var down, up *tensor
	for i := range m.parts {
		p := &m.parts[i]
		switch {
		case len(p.shape) < 3 || strings.Contains(p.name, "scale"):
		case strings.HasPrefix(p.name, "down_proj"):
			down = p
		case strings.HasPrefix(p.name, "gate_up_proj"):
			up = p
		}
	}
	if down == nil || up == nil || t.width < 1 || down.side(0) < 1 || down.side(0) != up.side(0) {
		return false
	}
	k := &module{class: "expert", times: int(min(down.side(0), 1e6))}
	for _, p := range []*tensor{up, down} {
		n := p.numbers() / p.side(0) / t.width
		if strings.HasSuffix(p.name, "_blocks") {
			n *= 2 // in each byte
		}
		in, out := t.width, n
		if p == down {
			in, out = n, t.width
		}
		bias := m.part(strings.TrimSuffix(p.name, "_blocks") + "_bias")
		k.kids = append(k.kids,
			&module{name: p.name, class: "Linear", times: 1, args: features(in, out, bias != nil)})
	}
	m.class, m.kids = "experts", append(m.kids, k)
	return true
}

// features is what a print shows of a matrix.
func features(in, out float64, bias bool) string {
	s := "in_features=" + plainNumber(in) + ", out_features=" + plainNumber(out)
	if !bias {
		s += ", bias=False"
	}
	return s
}
