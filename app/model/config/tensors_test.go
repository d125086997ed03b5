package config

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// listed is a list of tensors: names with shapes, each element of so many bytes.
type listed struct {
	names  []string
	shapes map[string][]int
	kinds  map[string]string
}

func (l *listed) add(kind, name string, shape ...int) {
	if l.shapes == nil {
		l.shapes, l.kinds = map[string][]int{}, map[string]string{}
	}
	l.names = append(l.names, name)
	l.shapes[name], l.kinds[name] = shape, kind
}

// header is the list as a header of safetensors, and how many bytes it is of.
func (l *listed) header() (string, int) {
	var b strings.Builder
	b.WriteString(`{"__metadata__": {"format": "pt"}`)
	at := 0
	for _, n := range l.names {
		size := map[string]int{"BF16": 2, "F32": 4, "I32": 4, "I8": 1, "U8": 1, "F8_E4M3": 1, "U32": 4}[l.kinds[n]]
		for _, x := range l.shapes[n] {
			size *= x
		}
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(l.shapes[n]), "[]"), " ", ",")
		fmt.Fprintf(&b, `,%q: {"dtype": %q, "shape": [%s], "data_offsets": [%d, %d]}`,
			n, l.kinds[n], shape, at, at+size)
		at += size
	}
	return b.String() + "}", at
}

// state is the list as a script prints a state_dict.
func (l *listed) state() string {
	var b strings.Builder
	for _, n := range l.names {
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(l.shapes[n]), "[]"), " ", ", ")
		fmt.Fprintf(&b, "%s torch.Size([%s])\n", n, shape)
	}
	return b.String()
}

// small is two layers of width 64 with two heads of keys and values of 16, an MLP of 160 and 1000 tokens; with experts,
// 4 of 96 in its place. Its matrices are written by add, which may pack them.
func small(experts int, matrix func(l *listed, name string, out, in int)) *listed {
	l := &listed{}
	l.add("BF16", "model.embed_tokens.weight", 1000, 64)
	for i := range 2 {
		p := fmt.Sprintf("model.layers.%d.", i)
		l.add("BF16", p+"input_layernorm.weight", 64)
		l.add("BF16", p+"post_attention_layernorm.weight", 64)
		for _, m := range []struct {
			name    string
			out, in int
		}{{"q_proj", 64, 64}, {"k_proj", 32, 64}, {"v_proj", 32, 64}, {"o_proj", 64, 64}} {
			matrix(l, p+"self_attn."+m.name, m.out, m.in)
		}
		if experts == 0 {
			matrix(l, p+"mlp.gate_proj", 160, 64)
			matrix(l, p+"mlp.up_proj", 160, 64)
			matrix(l, p+"mlp.down_proj", 64, 160)
		}
		for e := range experts {
			p := fmt.Sprintf("%smlp.experts.%d.", p, e)
			matrix(l, p+"gate_proj", 96, 64)
			matrix(l, p+"up_proj", 96, 64)
			matrix(l, p+"down_proj", 64, 96)
		}
		if experts > 0 {
			l.add("BF16", p+"mlp.gate.weight", experts, 64)
		}
	}
	l.add("BF16", "model.norm.weight", 64)
	return l
}

func plainMatrix(l *listed, name string, out, in int) { l.add("BF16", name+".weight", out, in) }

// A model is counted from the shapes of its tensors alone, however they are packed: by hand, 1000 rows of 64, of each
// of two layers 2 x 64 x 64 + 2 x 64 x 32 of attention, 3 x 64 x 160 of the MLP and two norms, and the last norm. Keys
// and values are 2 x 32 numbers a layer.
func TestTensors(t *testing.T) {
	const layer = 2*64*64 + 2*64*32 + 2*64
	const dense, moe = 1000*64 + 2*(layer+3*64*160) + 64, 1000*64 + 2*(layer+4*3*64*96+4*64) + 64
	for what, c := range map[string]struct {
		l    *listed
		want float64
	}{
		"plain":   {small(0, plainMatrix), dense},
		"experts": {small(4, plainMatrix), moe},
		"GPTQ, four bits": {small(0, func(l *listed, name string, out, in int) {
			l.add("I32", name+".g_idx", in)
			l.add("I32", name+".qweight", in/8, out)
			l.add("I32", name+".qzeros", in/32, out/8)
			l.add("BF16", name+".scales", in/32, out)
		}), dense},
		"AWQ, four bits": {small(0, func(l *listed, name string, out, in int) {
			l.add("I32", name+".qweight", in, out/8)
			l.add("I32", name+".qzeros", in/32, out/8)
			l.add("BF16", name+".scales", in/32, out)
		}), dense},
		"compressed-tensors, eight bits in 32": {small(0, func(l *listed, name string, out, in int) {
			l.add("I32", name+".weight_packed", out, in/4)
			l.add("BF16", name+".weight_scale", out, 1)
			l.add("I32", name+".weight_shape", 2)
		}), dense},
		"NVFP4": {small(4, func(l *listed, name string, out, in int) {
			l.add("U8", name+".weight", out, in/2)
			l.add("U8", name+".weight_scale", out, in/16)
			l.add("F32", name+".weight_scale_2")
			l.add("F32", name+".input_scale")
		}), moe},
		"eight bits of bitsandbytes": {small(0, func(l *listed, name string, out, in int) {
			l.add("I8", name+".weight", out, in)
			l.add("F32", name+".SCB", out)
		}), dense},
		"FP8 in blocks, and scales of the cache": {small(0, func(l *listed, name string, out, in int) {
			l.add("F8_E4M3", name+".weight", out, in)
			l.add("F32", name+".weight_scale_inv", 1, 2)
			if at := strings.TrimSuffix(name, "k_proj"); at != name {
				l.add("F32", at+"k_scale", 1)
			}
		}), dense},
	} {
		text, bytes := c.l.header()
		for form, text := range map[string]string{"header": text, "state_dict": c.l.state()} {
			if form == "state_dict" && what == "NVFP4" {
				continue // which doesn't say that a byte holds two numbers
			}
			im, err := Read([]byte(text))
			if err != nil {
				t.Errorf("%s, %s: %v", what, form, err)
				continue
			}
			if got := im.Model.Total(); got != c.want || len(im.Doubts) > 0 {
				t.Errorf("%s, %s: %v parameters, by hand %v; %v", what, form, got, c.want, im.Doubts)
			}
			if got := float64(im.Model.KVBytesPerToken(2)); got != 2*2*32*2 {
				t.Errorf("%s, %s: %v bytes of cache a token", what, form, got)
			}
			if said := fmt.Sprint(im.Understood); form == "header" && !strings.Contains(said, fmt.Sprint(bytes)) {
				t.Errorf("%s: %d bytes are not told: %s", what, bytes, said)
			}
		}
	}
}

// Experts in one tensor, with biases and sinks, as gpt-oss has them, where they are as wide as the model: 4 experts, 4
// heads of 16.
func TestFusedTensors(t *testing.T) {
	for _, width := range []int{96, 64} {
		fusedTensors(t, width)
	}
}

func fusedTensors(t *testing.T, width int) {
	l := small(0, func(l *listed, name string, out, in int) {
		if !strings.Contains(name, "mlp") {
			l.add("BF16", name+".weight", out, in)
			l.add("BF16", name+".bias", out)
		}
	})
	for i := range 2 {
		p := fmt.Sprintf("model.layers.%d.", i)
		l.add("BF16", p+"self_attn.sinks", 4)
		l.add("BF16", p+"mlp.router.weight", 4, 64)
		l.add("BF16", p+"mlp.router.bias", 4)
		l.add("U8", p+"mlp.experts.gate_up_proj_blocks", 4, 2*width, 64/32, 16)
		l.add("U8", p+"mlp.experts.gate_up_proj_scales", 4, 2*width, 64/32)
		l.add("BF16", p+"mlp.experts.gate_up_proj_bias", 4, 2*width)
		l.add("U8", p+"mlp.experts.down_proj_blocks", 4, 64, width/32, 16)
		l.add("U8", p+"mlp.experts.down_proj_scales", 4, 64, width/32)
		l.add("BF16", p+"mlp.experts.down_proj_bias", 4, 64)
	}
	const attention = 2*64*64 + 2*64*32 + 64 + 2*32 + 64 + 4
	experts := 4*(3*64*width+2*width+64) + 4*64 + 4
	text, _ := l.header()
	im := mustRead(t, []byte(text))
	want := float64(1000*64 + 2*(attention+experts+2*64) + 64)
	if got := im.Model.Total(); got != want || len(im.Doubts) > 0 || im.Model.Heads != 4 {
		t.Errorf("%v parameters, %d heads; %v", got, im.Model.Heads, im.Doubts)
	}
}

// What is no whole model is told by what it is, with its parameters and its bytes.
func TestTensorsOfNoModel(t *testing.T) {
	adapter := &listed{}
	for _, m := range []string{"q_proj", "v_proj"} {
		adapter.add("F32", "base_model.model.model.layers.0.self_attn."+m+".lora_A.weight", 8, 64)
		adapter.add("F32", "base_model.model.model.layers.0.self_attn."+m+".lora_B.weight", 64, 8)
	}
	whole := small(0, plainMatrix)
	last, first := *whole, *whole
	last.names, first.names = whole.names[10:], whole.names[:len(whole.names)-1]
	packed := small(0, func(l *listed, name string, out, in int) { // of bitsandbytes, which keeps no shape
		l.add("U8", name+".weight", out*in/2, 1)
		l.add("U8", name+".weight.absmax", out*in/64)
		l.add("F32", name+".weight.quant_map", 16)
		l.add("U8", name+".weight.quant_state.bitsandbytes__nf4", 85)
	})
	for _, c := range []struct {
		list *listed
		want string
	}{
		// as many as of the plain
		{packed, "these are 150336 parameters, but the projections of self_attn are not known"},
		{adapter, "these are 2048 parameters, but they are an adapter’s matrices alone; a list of 4 tensors in 8192 " +
			"bytes"},
		{&last, "this is one file of several; a list of 10 tensors"},
		{&first, "this is one file of several; a list of 19 tensors"},
	} {
		text, _ := c.list.header()
		if im, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %+v; want %q", err, im.Model, c.want)
		}
	}
}

// No list, however mangled, panics, or gives a model that isn't one.
func TestMangledTensors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	header, _ := small(2, plainMatrix).header()
	fused := strings.ReplaceAll(header, "mlp.experts.0.gate_proj.weight", "mlp.experts.gate_up_proj")
	for _, text := range []string{header, fused, small(0, plainMatrix).state()} {
		for range 1500 {
			b := []byte(text)
			for range 1 + r.IntN(5) {
				at := r.IntN(len(b))
				switch r.IntN(4) {
				case 0:
					b[at] = `0123456789.[]{},": -e`[r.IntN(21)]
				case 1:
					b = append(b[:at], b[min(len(b), at+r.IntN(40)):]...)
				case 2:
					b = append(b[:at:at], append([]byte("99999"), b[at:]...)...)
				case 3:
					to := min(len(b), at+r.IntN(200))
					b = append(b[:to:to], append(append([]byte(nil), b[at:to]...), b[to:]...)...)
				}
				if len(b) == 0 {
					break
				}
			}
			if im, err := Read(b); err == nil && im.Model.Validate() != nil {
				t.Fatalf("%s gives %+v", b, im.Model)
			}
		}
	}
}

// Names of Meta's files and of torchtune's, whose norms have scales, with an unembedding; and experts of MLX, each
// matrix of all of them in one tensor, in four bits. By hand as TestTensors has it, and 1000 x 64 of the unembedding.
func TestTensorsByOtherNames(t *testing.T) {
	renamed := func(names ...string) *listed {
		l := &listed{}
		for of, i := small(0, plainMatrix), 0; i < len(of.names); i++ {
			l.add("BF16", strings.NewReplacer(names...).Replace(of.names[i]), of.shapes[of.names[i]]...)
		}
		l.add("BF16", "output.weight", 1000, 64)
		return l
	}
	packed := func(l *listed, name string, out, in int) {
		l.add("U32", name+".weight", out, in/8)
		l.add("BF16", name+".scales", out, in/32)
		l.add("BF16", name+".biases", out, in/32)
	}
	mlx := small(0, func(l *listed, name string, out, in int) {
		if at, matrix, is := strings.Cut(name, "mlp."); is { // 4 experts of that width
			name = at + "mlp.switch_mlp." + matrix
			l.add("U32", name+".weight", 4, out, in/8)
			l.add("BF16", name+".scales", 4, out, in/32)
			l.add("BF16", name+".biases", 4, out, in/32)
			if matrix == "gate_proj" {
				packed(l, at+"mlp.gate", 4, 64)
			}
			return
		}
		packed(l, name, out, in)
	})
	const plain, expert = 150336, 3 * 64 * 160
	for what, c := range map[string]struct {
		l    *listed
		want float64
	}{
		"Meta": {renamed("model.embed_tokens", "tok_embeddings", "model.", "", "self_attn", "attention", "q_proj", "wq",
			"k_proj", "wk", "v_proj", "wv", "o_proj", "wo", "mlp", "feed_forward", "gate_proj", "w1", "down_proj", "w2",
			"up_proj", "w3", "input_layernorm", "attention_norm", "post_attention_layernorm", "ffn_norm"),
			plain + 1000*64},
		"torchtune": {renamed("model.embed_tokens", "tok_embeddings", "model.norm.weight", "norm.scale", "model.", "",
			"self_attn", "attn", "o_proj", "output_proj", "gate_proj", "w1", "down_proj", "w2", "up_proj", "w3",
			"input_layernorm.weight", "sa_norm.scale", "post_attention_layernorm.weight", "mlp_norm.scale"),
			plain + 1000*64},
		"MLX": {mlx, plain + 2*(3*expert+4*64)},
	} {
		text, _ := c.l.header()
		im := mustRead(t, []byte(text))
		if got := im.Model.Total(); got != c.want || len(im.Doubts) > 0 || len(im.Apart) > 0 {
			t.Errorf("%s: %v parameters, by hand %v; %v %v", what, got, c.want, im.Doubts, im.Apart)
		}
	}
}

// Shapes by their names are a list too.
func TestShapesByName(t *testing.T) {
	var named, objects []string
	for l, i := small(0, plainMatrix), 0; i < len(l.names); i++ {
		shape := strings.ReplaceAll(fmt.Sprint(l.shapes[l.names[i]]), " ", ", ")
		named = append(named, fmt.Sprintf("%q: %s", l.names[i], shape))
		objects = append(objects, fmt.Sprintf("%q: {\"shape\": %s}", l.names[i], shape))
	}
	for _, list := range [][]string{named, objects} {
		text := strings.Join(list, ", ")
		for _, text := range []string{text, strings.ReplaceAll(text, "], ", "],\n")} {
			im := mustRead(t, []byte("{"+text+"}"))
			if got := im.Model.Total(); got != 150336 || len(im.Doubts) > 0 { // as TestTensors has it by hand
				t.Errorf("%s: %v parameters; %v", text, got, im.Doubts)
			}
		}
	}
}

// An object whose fields are lists is no header, and neither is a dump or a log of GGUF that is cut off.
func TestNoTensors(t *testing.T) {
	for _, text := range []string{`{"eos_token_id": [1], "a": [2], "b": [3]}`,
		"      4: STRING     |        1 | general.architecture = 'llama'\n" +
			"      1:       4096 |  4096,     1,     1,     1 | F32     | blk.0.attn_norm.weight\n" +
			"      2:       4096 |  4096,     1,     1,     1 | F32     | blk.0.ffn_norm.weight\n" +
			"      3:       4096 |  4096,     1,     1,     1 | F32     | blk.1.ffn_norm.weight\n",
		"llama_model_loader: - tensor    0:   token_embd.weight q4_0     [  4096, 32000,     1,     1 ]\n" +
			"llama_model_loader: - tensor    1: blk.0.attn_q.weight q4_0     [  4096,  4096,     1,     1 ]\n" +
			"llama_model_loader: - tensor    2: blk.0.attn_k.weight q4_0     [  4096,  4096,     1,     1 ]\n"} {
		if _, err := Read([]byte(text)); err == nil || strings.Contains(err.Error(), "these are") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What no tensor can be is refused where it stands: sides below zero, parts of a number, more numbers than 1e15 over
// those of the sides before (1e15/8), bytes that differ from the numbers times their bits (160 × 64 of 16
// bits are 20480), kinds of numbers that safetensors has not, and names within more than 64 others.
func TestTensorsThatCannotBe(t *testing.T) {
	l := small(0, func(l *listed, name string, out, in int) { l.add("BF16", name+".weight", out, in) })
	head, _ := l.header()
	state := l.state()
	const up = `"model.layers.0.mlp.up_proj.weight": {"dtype": "BF16", "shape": [160,64], "data_offsets": [`
	at := strings.Index(head, up)
	if at < 0 {
		t.Fatal("the list has other tensors")
	}
	turned := func(old, with string) string { return head[:at] + strings.Replace(head[at:], old, with, 1) }
	first := func(old, with string) string { return strings.Replace(state, old, with, 1) }
	const deep = "deeper than 64 levels"
	nested := strings.Replace(head, "model.embed", strings.Repeat("a.", 65), 1)
	for name, c := range map[string]struct{ text, place, says string }{
		"below zero":  {turned("[160,", "[-160,"), "-160", "up_proj.weight.shape is -160; write a whole number from"},
		"a part":      {turned("[160,", "[1.5,"), "1.5", "up_proj.weight.shape is 1.5; write a whole number"},
		"a word":      {turned("[160,", `["x",`), `"x"`, `up_proj.weight.shape is the text "x"; write`},
		"huge":        {turned("[160,64]", "[8,1e300]"), "1e300", "from 0 to 125000000000000;"},
		"other bytes": {turned("[160,", "[161,"), "[", "up_proj.weight.data_offsets is ["},
		"backwards":   {turned(`offsets": [`, `offsets": [9`), "[9", "up_proj.weight.data_offsets is [9"},
		"another":     {turned("BF16", "Q9"), `"Q9"`, `up_proj.weight.dtype is the text "Q9"`},
		"a line":      {first("[1000, ", "[-1000, "), "model.embed", "embed_tokens.weight is -1000; write a whole"},
		"of NaN":      {first("[1000, ", "[NaN, "), "model.embed", "embed_tokens.weight is NaN; write a whole number"},
		"of powers":   {first("[1000, ", "[1e3, "), "model.embed", "embed_tokens.weight is 1e3; write a whole number"},
		"a deep name": {nested, `"a.a.`, deep},
	} {
		_, err := Read([]byte(c.text))
		e, is := err.(*Error)
		if !is || !strings.Contains(err.Error()+";", c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
			continue
		}
		lines := strings.Split(c.text, "\n")
		if place := lines[e.Pos.Line-1][e.Pos.Col-1:]; !strings.HasPrefix(place, c.place) {
			t.Errorf("%s: at %.20q, want %q", name, place, c.place)
		}
	}
	if _, err := Read([]byte(first("torch.Size([1000, 64])", "1000 x 64 (0.5 MB)"))); err != nil {
		t.Errorf("a remark in brackets: %v", err)
	}
}
