package tex

import (
	"html"
	"strings"
)

// node is an element of MathML.
type node struct {
	tag   string
	attrs []string // name, value, name, value, ...
	text  string   // of a token element
	kids  []*node
	class class
	// limits is set where scripts go above and below: sums, \max, braces.
	limits bool
}

// class is TeX's class of an atom, as far as spacing needs it.
type class uint8

const (
	ordinary class = iota
	function       // log, max: a thin space towards what stands beside it
	opening
	closing
	relation // and binary operators and punctuation: whatever brings its own space
	space
)

func leaf(tag, text string, attrs ...string) *node { return &node{tag: tag, text: text, attrs: attrs} }

func op(text string, attrs ...string) *node {
	return &node{tag: "mo", text: text, attrs: attrs, class: relation}
}

func parent(tag string, kids ...*node) *node { return &node{tag: tag, kids: kids} }

// row is one node for several.
func row(kids []*node) *node {
	if len(kids) == 1 {
		return kids[0]
	}
	return &node{tag: "mrow", kids: kids}
}

func (n *node) with(attrs ...string) *node {
	n.attrs = append(n.attrs, attrs...)
	return n
}

// print writes the node and settles spaces on the way.
func (n *node) print(b *strings.Builder) {
	spaceFunctions(n)
	b.WriteString("<" + n.tag)
	for i := 0; i+1 < len(n.attrs); i += 2 {
		b.WriteString(" " + n.attrs[i] + `="` + html.EscapeString(n.attrs[i+1]) + `"`)
	}
	b.WriteString(">" + html.EscapeString(n.text))
	for _, k := range n.kids {
		k.print(b)
	}
	b.WriteString("</" + n.tag + ">")
}

const thin = "0.1667em"

// spaceFunctions gives each function name of a row a thin space towards neighbours that bring none themselves:
// "n log n", but "log(n)" and "= log n".
func spaceFunctions(n *node) {
	switch n.tag {
	case "mrow", "math", "mtd", "mstyle", "msqrt":
	default:
		return
	}
	for i, k := range n.kids {
		if k.class != function {
			continue
		}
		left, right := "0", "0"
		if i > 0 && (n.kids[i-1].class == ordinary || n.kids[i-1].class == closing || n.kids[i-1].class == function) {
			left = thin
		}
		if i+1 < len(n.kids) && n.kids[i+1].class == ordinary {
			right = thin
		}
		core := k
		for core.tag != "mo" && len(core.kids) > 0 {
			core = core.kids[0]
		}
		if core.tag == "mo" {
			core.with("lspace", left, "rspace", right)
		}
	}
}
