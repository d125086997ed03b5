package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// Prints of PyTorch modules, as print(model) gives them: a tree of modules with their sizes. Each module that shows its
// sizes is counted exactly. What a print doesn't show is said: how many heads share a projection, whether embedding and
// unembedding are one matrix, how many experts a token uses, windows.

// module is a module of a print.
type module struct {
	name, class, args string
	at, times         int
	kids              []*module
	parts             []tensor // its own, if tensors are listed
	more              float64  // parameters that no size tells
}

// printed tells whether a text is a print of a module: a class, and on the next line a name in parentheses, a colon and
// a class. It says where the class begins; -1 if the text is none.
func printed(src string) int {
	for at := 0; ; {
		i := strings.Index(src[at:], "(\n")
		if i < 0 {
			return -1
		}
		at += i
		begin := at
		for begin > 0 && classByte(src[begin-1]) {
			begin--
		}
		if rest := strings.TrimLeft(src[at+2:], " \t\r"); begin < at && childName(rest) != "" {
			return begin
		}
		at++
	}
}

func classByte(c byte) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// childName is the name of a child that a text begins with: "(q_proj): Linear(" has q_proj; empty if it begins with
// none.
func childName(s string) string {
	if s == "" || s[0] != '(' {
		return ""
	}
	end := strings.IndexByte(s, ')')
	if end < 2 || end > 200 || !strings.HasPrefix(s[end:], "): ") || strings.ContainsAny(s[1:end], "\n,= ") {
		return ""
	}
	return s[1:end]
}

// printReader reads a print.
type printReader struct {
	src   string
	pos   int
	count int
	err   *Error
}

func (p *printReader) fail(what, remedy string) {
	if p.err == nil {
		at := min(p.pos, len(p.src))
		p.err = &Error{Pos: position(p.src, at), What: phrase.New(what), Remedy: phrase.New(remedy)}
	}
}

// module reads a module from its class on.
func (p *printReader) module(depth int) *module {
	m := &module{at: p.pos, times: 1}
	rest := p.src[p.pos:]
	if n := len(rest) - len(strings.TrimLeft(rest, "0123456789")); n > 0 && strings.HasPrefix(rest[n:], " x ") {
		m.times, _ = strconv.Atoi(rest[:n])
		p.pos += n + 3
	}
	begin := p.pos
	for p.pos < len(p.src) && classByte(p.src[p.pos]) {
		p.pos++
	}
	m.class = p.src[begin:p.pos]
	if p.count++; depth > maxDepth || p.count > maxValues {
		p.fail("config.print-deep", "config.print-again")
		return m
	}
	if m.class == "" || m.times < 1 || m.times > model.MaxLayers || p.pos == len(p.src) || p.src[p.pos] != '(' {
		p.fail("config.print-breaks", "config.print-again")
		return m
	}
	p.pos++
	begin = p.pos
	for open := 0; p.err == nil; {
		if p.pos >= len(p.src) {
			p.fail("config.print-breaks", "config.print-again")
			return m
		}
		c := p.src[p.pos]
		name := ""
		if c == '(' && open == 0 {
			name = childName(p.src[p.pos:])
		}
		switch {
		case name != "":
			m.args += p.src[begin:p.pos]
			p.pos += len(name) + 4
			kid := p.module(depth + 1)
			kid.name = name
			m.kids = append(m.kids, kid)
			begin = p.pos
			continue
		case c == '(':
			open++
		case c == ')' && open == 0:
			m.args = strings.TrimSpace(m.args + p.src[begin:p.pos])
			p.pos++
			return m
		case c == ')':
			open--
		}
		p.pos++
	}
	return m
}

// kid is a child by one of some names; nil if there is none.
func (m *module) kid(names ...string) *module {
	for _, n := range names {
		for _, k := range m.kids {
			if k.name == n {
				return k
			}
		}
	}
	return nil
}

// numbers are the whole numbers that a text has outside of names, in order.
func numbers(s string) []float64 {
	var all []float64
	for i := 0; i < len(s); {
		if c := s[i]; c >= '0' && c <= '9' && (i == 0 || !classByte(s[i-1])) {
			end := i
			for end < len(s) && s[end] >= '0' && s[end] <= '9' {
				end++
			}
			if end == len(s) || s[end] != '.' && s[end] != 'e' {
				x, _ := strconv.ParseFloat(s[i:end], 64)
				all = append(all, x)
			}
			i = end
			continue
		}
		i++
	}
	return all
}

// named is a number behind "name=", and whether there is one; of a tuple the product.
func (m *module) named(name string) (float64, bool) {
	_, rest, has := strings.Cut(" "+m.args, " "+name+"=")
	if !has {
		return 0, false
	}
	if strings.HasPrefix(rest, "(") {
		rest, _, _ = strings.Cut(rest, ")")
		x := 1.0
		for _, n := range numbers(rest) {
			x *= n
		}
		return x, true
	}
	rest, _, _ = strings.Cut(rest, ",")
	x, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
	return x, err == nil
}

// off tells whether an argument says no.
func (m *module) off(name string) bool { return strings.Contains(" "+m.args, " "+name+"=False") }

// linear is the shape of a matrix, through what wraps it: quantised, or with adapters beside it.
func (m *module) linear() (in, out float64, bias, is bool) {
	if m == nil {
		return 0, 0, false, false
	}
	if base := m.kid("base_layer", "original_module", "linear"); base != nil && strings.Contains(m.class, "Linear") {
		return base.linear()
	}
	in, has := m.named("in_features")
	out, also := m.named("out_features")
	if has && also {
		return in, out, !m.off("bias"), true
	}
	in, has = m.named("nx")
	out, also = m.named("nf")
	return in, out, true, has && also // of GPT-2
}

// own is how many parameters a module has itself, and whether its print tells.
func (m *module) own() (n float64, stated bool) {
	if in, out, bias, is := m.linear(); is && len(m.kids) == 0 {
		if n = in * out; bias {
			n += out
		}
		return n, true
	}
	all := numbers(m.args)
	switch class := m.class; {
	case len(m.kids) > 0:
		return 0, true
	case strings.Contains(class, "Rotary"), strings.Contains(class, "Dropout"):
		return 0, true
	case strings.Contains(class, "Embedding") && len(all) > 1, strings.Contains(class, "Embed") && len(all) > 1:
		return all[0] * all[1], true
	case strings.Contains(class, "Norm") && len(all) > 0 && !strings.HasPrefix(class, "BatchNorm"):
		n = all[0]
		if m.off("elementwise_affine") {
			return 0, true
		}
		if strings.Contains(class, "Layer") && !strings.Contains(class, "RMS") && !m.off("bias") {
			n *= 2
		}
		return n, true
	case strings.HasPrefix(class, "Conv") && len(all) > 1:
		kernel, _ := m.named("kernel_size")
		groups, has := m.named("groups")
		if !has || groups < 1 {
			groups = 1
		}
		if n = all[0] / groups * all[1] * max(kernel, 1); !m.off("bias") {
			n += all[1]
		}
		return n, true
	}
	return 0, bare(m.class)
}

// bare tells whether modules of a class have no parameters.
func bare(class string) bool {
	for _, part := range []string{"Rotary", "Dropout", "Activation", "SiLU", "SwiGLU", "GELU", "Gelu", "ReLU",
		"Identity", "Softmax", "Sigmoid", "Tanh", "Pool", "ModuleList", "ModuleDict", "ParameterDict", "ParameterList",
		"Sequential",
		"Act", "Cache", "Unshuffle", "Shuffle", "Flatten", "Stream", "Alibi", "Quant", "Loss"} {
		if strings.Contains(class, part) {
			return true
		}
	}
	return false
}

// total is how many parameters a module has with all below it, without adapters, which are counted apart. Classes that
// show no sizes are noted.
func (m *module) total(adapters *float64, unstated *[]string) float64 {
	n, stated := m.own()
	if n += m.more; !stated {
		*unstated = append(*unstated, m.class)
	}
	for _, k := range m.kids {
		if strings.HasPrefix(k.name, "lora_") {
			var none float64
			*adapters += float64(m.times) * k.total(&none, unstated)
			continue
		}
		var below float64
		n += k.total(&below, unstated)
		*adapters += float64(m.times) * below
	}
	return n * float64(m.times)
}
