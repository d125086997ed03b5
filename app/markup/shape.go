package markup

// Shape is nodes as a browser has them once it has read their HTML: what is nil or an empty text is not there, and
// neighbouring texts are one. So the nth node stands where the browser's nth does.
func Shape(nodes ...*Node) []*Node {
	out := make([]*Node, 0, len(nodes))
	for _, n := range nodes {
		switch last := len(out) - 1; {
		case n == nil, n.isText() && n.Text == "":
		case n.isText() && last >= 0 && out[last].isText():
			out[last] = Text(out[last].Text + n.Text)
		case n.Tag != "":
			c := *n
			c.Kids = Shape(n.Kids...)
			out = append(out, &c)
		default:
			out = append(out, n)
		}
	}
	return out
}

// isText says whether the node is a text.
func (n *Node) isText() bool { return n.Tag == "" && n.Raw == "" && n.Part == "" }
