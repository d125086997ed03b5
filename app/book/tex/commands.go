package tex

import (
	"slices"
	"strings"
)

// spaces are the widths of the spacing commands; \! draws things together, which MathML Core can't.
var spaces = map[string]string{
	`\,`: thin, `\thinspace`: thin, `\:`: "0.2222em", `\>`: "0.2222em", `\;`: "0.2778em", `\ `: "0.25em",
	"\\\n": "0.25em", `\quad`: "1em", `\qquad`: "2em", `\!`: "", `\enspace`: "0.5em",
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

// environments are the tables there are: their fences, and how their columns stand.
var environments = map[string]struct {
	open, close string
	class       string
	columns     string // l, c, r, repeated; "" is read from the source
	display     bool
}{
	"matrix":   {"", "", "m-matrix", "c", false},
	"pmatrix":  {"(", ")", "m-matrix", "c", false},
	"bmatrix":  {"[", "]", "m-matrix", "c", false},
	"Bmatrix":  {"{", "}", "m-matrix", "c", false},
	"vmatrix":  {"|", "|", "m-matrix", "c", false},
	"cases":    {"{", "", "m-cases", "l", false},
	"aligned":  {"", "", "m-aligned", "rl", true},
	"align":    {"", "", "m-aligned", "rl", true},
	"align*":   {"", "", "m-aligned", "rl", true},
	"split":    {"", "", "m-aligned", "rl", true},
	"gathered": {"", "", "m-gathered", "c", true},
	"gather*":  {"", "", "m-gathered", "c", true},
	"array":    {"", "", "m-array", "", false},
}

// environment reads \begin{name} ... \end{name}.
func (p *parser) environment(t token) *node {
	name, at := p.raw(t)
	env, ok := environments[name]
	if !ok {
		fail(at, "use aligned, cases, array, gathered, or a matrix", "the environment `%s` is not known", name)
	}
	columns := env.columns
	var rules []bool
	if columns == "" {
		columns, rules = p.columns(t)
	}
	table := parent("mtable", p.tableRows(columns, rules)...).with("class", env.class)
	if env.display {
		table.with("displaystyle", "true")
	}
	end := p.next()
	if end.text != `\end` {
		fail(t.offset, "close it with `\\end{"+name+"}`", "an environment `%s` that is never closed", name)
	}
	if closed, at := p.raw(end); closed != name {
		fail(at, "write `\\end{"+name+"}`", "`%s` closed as `%s`", name, closed)
	}
	if env.open == "" && env.close == "" {
		return table
	}
	kids := []*node{leaf("mo", env.open, "form", "prefix", "fence", "true", "stretchy", "true"), table}
	if env.close != "" {
		kids = append(kids, leaf("mo", env.close, "form", "postfix", "fence", "true", "stretchy", "true"))
	}
	return parent("mrow", kids...)
}

// columns reads the `{l|cr}` of an array; rules[i] says that a line stands before column i.
func (p *parser) columns(t token) (string, []bool) {
	spec, at := p.raw(t)
	var columns strings.Builder
	rules := []bool{false}
	for i, c := range spec {
		switch c {
		case 'l', 'c', 'r':
			columns.WriteRune(c)
			rules = append(rules, false)
		case '|':
			rules[len(rules)-1] = true
		case ' ':
		default:
			fail(at+i, "use l, c, r and |", "the column `%c`", c)
		}
	}
	if columns.Len() == 0 {
		fail(at, "write `{cc}`", "an array without columns")
	}
	return columns.String(), rules
}

// tableRows reads cells between & and rows between \\, with \hline before a row.
func (p *parser) tableRows(columns string, rules []bool) []*node {
	var rows []*node
	for {
		line := p.accept(`\hline`)
		for p.accept(`\hline`) {
		}
		if t := p.peek().text; (t == `\end` || t == "" || t == "}") && (len(rows) > 0 || line) {
			if line && len(rows) > 0 {
				rows[len(rows)-1].with("class", "m-line-below")
			}
			return rows
		}
		tr := parent("mtr")
		if line {
			tr.with("class", "m-line-above")
		}
		for {
			td := parent("mtd", p.row()...)
			cellClass(td, len(tr.kids), columns, rules)
			infixFirst(td, len(tr.kids), columns)
			tr.kids = append(tr.kids, td)
			if !p.accept("&") {
				break
			}
		}
		rows = append(rows, tr)
		if p.lineSkip() {
			fail(p.peek().offset, "take it out, or put a space before the bracket", "a line break with a height")
		}
		if !p.accept(`\\`) {
			if p.peek().text != `\hline` {
				return rows
			}
			fail(p.peek().offset, "write `\\\\` before it", "`\\hline` in the middle of a row")
		}
	}
}

// lineSkip says whether the next token is a `\\[2pt]`.
func (p *parser) lineSkip() bool {
	t := p.peek()
	return t.text == `\\` && strings.HasPrefix(p.src[t.end:], "[")
}

// cellClass says how a cell stands in its column. Centred is how MathML sets it anyway.
func cellClass(td *node, i int, columns string, rules []bool) {
	var classes []string
	switch columns[i%len(columns)] {
	case 'l':
		classes = append(classes, "m-left")
	case 'r':
		classes = append(classes, "m-right")
	}
	if i < len(rules) && rules[i] {
		classes = append(classes, "m-rule")
	}
	if len(classes) > 0 {
		td.with("class", strings.Join(classes, " "))
	}
}

// infixFirst spaces a sign that begins the right half of an aligned line as what it is: one between two things.
func infixFirst(td *node, i int, columns string) {
	if columns == "rl" && i%2 == 1 && len(td.kids) > 1 && td.kids[0].tag == "mo" && td.kids[0].class >= relation {
		td.kids[0].with("form", "infix")
	}
}

// substack reads \substack{a \\ b}.
func (p *parser) substack(t token) *node {
	if !p.accept("{") {
		fail(t.offset, "write `\\substack{a \\\\ b}`", "`\\substack` without braces")
	}
	table := parent("mtable", p.tableRows("c", nil)...).with("class", "m-stack")
	p.expect("}", "at the end of \\substack")
	return table
}
