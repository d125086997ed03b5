package tex

import (
	"slices"
	"strings"
)

// spaces are the widths of the spacing commands; \! draws things together, which MathML Core can't.
var spaces = map[string]string{
	`\,`: thin, `\thinspace`: thin, `\:`: "0.2222em", `\>`: "0.2222em", `\;`: "0.2778em", `\ `: "0.25em", "\\\n": "0.25em",
	`\quad`: "1em", `\qquad`: "2em", `\!`: "", `\enspace`: "0.5em",
}

// accentsAbove and accentsBelow are the marks that go over and under their argument; the second field says which
// stretch.
var (
	accentsAbove = map[string][2]string{
		`\hat`: {"^", "false"}, `\widehat`: {"^", "true"}, `\bar`: {"¯", "false"}, `\overline`: {"‾", "true"},
		`\tilde`: {"~", "false"}, `\widetilde`: {"~", "true"}, `\vec`: {"→", "false"}, `\dot`: {"˙", "false"},
		`\ddot`: {"¨", "false"}, `\check`: {"ˇ", "false"}, `\overrightarrow`: {"→", "true"},
	}
	accentsBelow = map[string][2]string{`\underline`: {"_", "true"}}
)

// command translates what a backslash introduces; nil if it leaves no mark.
func (p *parser) command(t token) *node {
	if width, ok := spaces[t.text]; ok {
		if width == "" {
			return nil
		}
		return &node{tag: "mspace", attrs: []string{"width", width}, class: space}
	}
	if a, ok := accentsAbove[t.text]; ok {
		return parent(
			"mover",
			p.argument("the argument of "+t.text),
			leaf("mo", a[0], "stretchy", a[1]),
		).with("accent", "true")
	}
	if a, ok := accentsBelow[t.text]; ok {
		return parent(
			"munder",
			p.argument("the argument of "+t.text),
			leaf("mo", a[0], "stretchy", a[1]),
		).with("accentunder", "true")
	}
	if n := p.structure(t); n != nil {
		return n
	}
	if n := p.lettering(t); n != nil {
		return n
	}
	name := t.text[1:]
	if n := functionNode(name); n != nil {
		return n
	}
	if kind, char := symbol(name); kind != "" {
		return symbolNode(kind, char)
	}
	fail(t.offset, "known are those of app/book/tex/symbols.txt", "the command `%s` is not known", t.text)
	return nil
}

// structure translates the commands that arrange their arguments; nil if t is none of them.
func (p *parser) structure(t token) *node {
	arg := func() *node { return p.argument("the argument of " + t.text) }
	switch t.text {
	case `\frac`:
		return parent("mfrac", arg(), arg())
	case `\dfrac`, `\tfrac`:
		return parent("mstyle", parent("mfrac", arg(), arg())).with("displaystyle", truth(t.text == `\dfrac`))
	case `\binom`:
		return parent("mrow", op("("), parent("mfrac", arg(), arg()).with("linethickness", "0"), op(")"))
	case `\sqrt`:
		return p.root(t)
	case `\underbrace`:
		return withLimits(parent("munder", arg(), leaf("mo", "⏟", "stretchy", "true")))
	case `\overbrace`:
		return withLimits(parent("mover", arg(), leaf("mo", "⏞", "stretchy", "true")))
	case `\overset`, `\stackrel`:
		over := arg()
		base := arg()
		return &node{tag: "mover", kids: []*node{base, over}, class: base.class}
	case `\underset`:
		under := arg()
		base := arg()
		return &node{tag: "munder", kids: []*node{base, under}, class: base.class}
	case `\xrightarrow`, `\xleftarrow`:
		return p.arrow(t)
	case `\mathbin`, `\mathrel`:
		return p.infix(t)
	case `\mathop`:
		n := parent("mrow", arg())
		n.limits = true
		return n
	case `\boxed`:
		return parent("mrow", arg()).with("class", "m-boxed")
	case `\substack`:
		return p.substack(t)
	case `\left`:
		return p.leftRight(t)
	case `\begin`:
		return p.environment(t)
	case `\big`,
		`\bigl`,
		`\bigr`,
		`\bigm`,
		`\Big`,
		`\Bigl`,
		`\Bigr`,
		`\Bigm`,
		`\bigg`,
		`\biggl`,
		`\biggr`,
		`\Bigg`,
		`\Biggl`,
		`\Biggr`:
		return p.bigDelimiter(t)
	case `\pmod`:
		return parent(
			"mrow",
			leaf("mspace", "", "width", "1em"),
			op("("),
			leaf("mi", "mod"),
			leaf("mspace", "", "width", "0.33em"),
			arg(),
			op(")"),
		)
	case `\bmod`:
		return op("mod", "lspace", "0.2222em", "rspace", "0.2222em")
	}
	return nil
}

func withLimits(n *node) *node {
	n.limits = true
	return n
}

// root reads \sqrt{x} and \sqrt[3]{x}.
func (p *parser) root(t token) *node {
	if !p.accept("[") {
		return parent("msqrt", p.argument("the argument of "+t.text))
	}
	var index []*node
	for p.peek().text != "]" {
		if slices.Contains(ends, p.peek().text) {
			fail(t.offset, "write `\\sqrt[3]{x}`", "a root whose `[` is never closed")
		}
		if n := p.scripted(); n != nil {
			index = append(index, n)
		}
	}
	p.next()
	return parent("mroot", p.argument("the argument of "+t.text), row(index))
}

// arrow reads \xrightarrow{above}.
func (p *parser) arrow(t token) *node {
	char := "→"
	if t.text == `\xleftarrow` {
		char = "←"
	}
	gap := func() *node { return leaf("mspace", "", "width", "0.4em") }
	label := parent("mrow", gap(), p.argument("the argument of "+t.text), gap())
	return &node{tag: "mover", kids: []*node{leaf("mo", char, "stretchy", "true"), label}, class: relation}
}

// infix spaces its argument as an operator between two things.
func (p *parser) infix(t token) *node {
	width := "0.2222em"
	if t.text == `\mathrel` {
		width = "0.2778em"
	}
	gap := func() *node { return leaf("mspace", "", "width", width) }
	return &node{tag: "mrow", kids: []*node{gap(), p.argument("the argument of " + t.text), gap()}, class: relation}
}

// delimiter reads what stands behind \left, \right, \middle and \big: "" for a dot.
func (p *parser) delimiter(after token) string {
	t := p.next()
	switch t.text {
	case ".":
		return ""
	case "(", ")", "[", "]", "|", "/":
		return t.text
	case "<":
		return "⟨"
	case ">":
		return "⟩"
	}
	if t.command() {
		switch kind, char := symbol(t.text[1:]); kind {
		case "open", "close", "fence":
			return char
		}
		switch t.text {
		case `\uparrow`, `\downarrow`:
			_, char := symbol(t.text[1:])
			return char
		}
	}
	fail(
		after.offset,
		"write a delimiter, `(`, `\\{`, `\\lfloor`, or `.` for none",
		"`%s` without a delimiter",
		after.text,
	)
	return ""
}

// leftRight reads \left( ... \middle| ... \right).
func (p *parser) leftRight(t token) *node {
	fence := func(char, form string) *node {
		return leaf("mo", char, "form", form, "fence", "true", "stretchy", "true")
	}
	var kids []*node
	if d := p.delimiter(t); d != "" {
		kids = append(kids, fence(d, "prefix"))
	}
	for {
		kids = append(kids, row(p.row()))
		end := p.next()
		switch end.text {
		case `\middle`:
			kids = append(kids, leaf("mo", p.delimiter(end), "stretchy", "true", "fence", "true"))
		case `\right`:
			if d := p.delimiter(end); d != "" {
				kids = append(kids, fence(d, "postfix"))
			}
			return parent("mrow", kids...)
		default:
			fail(t.offset, "close it with `\\right`, or `\\right.`", "a `\\left` without `\\right`")
		}
	}
}

// bigDelimiter reads \Big( and its like.
func (p *parser) bigDelimiter(t token) *node {
	size := map[string]string{"big": "1.2em", "Big": "1.8em", "bigg": "2.4em",
		"Bigg": "3em"}[strings.TrimRight(t.text[1:], "lrm")]
	n := op(p.delimiter(t), "stretchy", "true", "minsize", size, "maxsize", size, "lspace", "0", "rspace", "0")
	n.class = closing
	if strings.HasSuffix(t.text, "l") {
		n.class = opening
	}
	return n
}
