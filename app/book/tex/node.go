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
	signed   // a relation, or a sign if nothing stands before it that it could relate
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
	spaceOperators(n)
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

// spaceOperators spaces what depends on its neighbours in a row: function names get a thin space towards neighbours
// that bring none themselves ("n log n", but "log(n)" and "= log n"), and a minus with nothing before it stands close.
func spaceOperators(n *node) {
	switch n.tag {
	case "mrow", "math", "mtd", "mstyle", "msqrt":
	default:
		return
	}
	for i, k := range n.kids {
		before, behind := relation, relation
		if i > 0 {
			before = n.kids[i-1].class
		}
		if i+1 < len(n.kids) {
			behind = n.kids[i+1].class
		}
		switch k.class {
		case function:
			spaceFunction(k, before, behind)
		case signed:
			if i > 0 && (before == relation || before == signed || before == opening || before == function) {
				k.with("form", "prefix")
			}
		}
	}
}

func spaceFunction(k *node, before, behind class) {
	left, right := "0", "0"
	if before == ordinary || before == closing || before == function {
		left = thin
	}
	if behind == ordinary {
		right = thin
	}
	for k.tag != "mo" && len(k.kids) > 0 {
		k = k.kids[0]
	}
	if k.tag == "mo" {
		k.with("lspace", left, "rspace", right)
	}
}
