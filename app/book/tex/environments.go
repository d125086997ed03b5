package tex

import "strings"

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
