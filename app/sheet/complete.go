package sheet

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names is every word that a sheet may use without defining it: the language's own, then functions and values.
func Names(env *Env) []string {
	names := append(strings.Fields(reservedWords+"hidden figure"), keys(builtins)...)
	if env != nil {
		names = append(append(names, keys(env.Funcs)...), keys(env.Values)...)
	}
	return names
}

// Complete is the words that may stand at a byte offset of a sheet that is being written, those that go on with what
// stands before the offset: the sheet's own names first, in the order of the text.
func Complete(env *Env, src string, offset int) []string {
	offset = min(max(offset, 0), len(src))
	if len(src) > maxSource {
		return nil
	}
	start := offset
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(src[:start])
		if !isLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= size
	}
	prefix := src[start:offset]
	lx := lex(src[:start], &errorList{})
	if prefix != "" && nameLength(prefix) == 0 && !lx.afterPoint() {
		return nil // a number
	}
	words := statementBefore(lx, start)
	if words == nil {
		return nil
	}
	c := completer{analyse(src, env), words}
	var found []string
	for _, name := range c.candidates() {
		if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// afterPoint tells whether the text ends with a name and a point, behind which a field's name may begin with a digit.
func (lx *lexer) afterPoint() bool {
	n := len(lx.toks) - 2 // without the end that lex adds
	return n >= 2 && lx.toks[n-1].is(".") && lx.toks[n-1].end == len(lx.src) && lx.toks[n-2].kind == tokName && lx.toks[n-2].end == lx.toks[n-1].off
}

// statementBefore is the tokens of the statement that is being written at offset at; nil in a text or a comment.
func statementBefore(lx *lexer, at int) []token {
	toks := lx.toks[:len(lx.toks)-2] // without the end that lex adds
	from := 0
	for i := range toks {
		if toks[i].kind == tokEnd {
			from = i + 1
		}
	}
	end := 0
	if len(toks) > 0 {
		end = toks[len(toks)-1].end
		if last := toks[len(toks)-1]; last.kind == tokBad || last.kind == tokText {
			return nil
		}
	}
	if strings.Contains(lx.src[end:at], "#") && !strings.Contains(lx.src[strings.LastIndex(lx.src[:at], "#"):at], "\n") {
		return nil
	}
	return append([]token{}, toks[from:]...)
}

// completer knows the sheet as far as it can be read, and the statement up to the place in question.
type completer struct {
	*compiler
	words []token
}

// last is the i-th token from the end, or one without text.
func (c *completer) last(i int) token {
	if i > len(c.words) {
		return token{}
	}
	return c.words[len(c.words)-i]
}

func (c *completer) candidates() []string {
	if len(c.words) == 0 {
		return strings.Fields(statementWords)
	}
	last := c.last(1)
	if last.text == "." {
		return c.fields()
	}
	operand := last.kind == tokNumber || last.kind == tokString || last.text == ")" || last.kind == tokName && !isReserved(last.text)
	switch first := c.words[0].text; first {
	case "title":
		return nil
	case "hidden":
		if len(c.words) < 3 {
			return nil
		}
	case "figure":
		if len(c.words) == 1 {
			return keys(c.env.Figures)
		}
	case "let":
		return c.let(operand)
	case "ask":
		return c.only(len(c.words) == 1, c.computed())
	case "solve":
		return c.solve(operand)
	case "plot", "table", "expect":
		return c.over(first, operand && !contains(" mark show by top ", last.text))
	}
	if operand {
		return []string{"and", "or"}
	}
	return c.values()
}

func (c *completer) only(when bool, names []string) []string {
	if when {
		return names
	}
	return nil
}

func (c *completer) let(operand bool) []string {
	switch {
	case len(c.words) < 3:
		return nil
	case operand:
		return []string{"in", "log", "step", "of", "most", "play", "strip", "when"}
	}
	return append(c.values(), "first", "document")
}

func (c *completer) solve(operand bool) []string {
	switch {
	case c.last(1).text == ":":
		return c.numberInputs()
	case c.last(2).text == ":":
		return []string{"where"}
	case len(c.words) < 4:
		return nil
	case operand:
		return c.solveGoals()
	}
	return c.values()
}

// solveGoals are what may follow the left side of a solve.
func (c *completer) solveGoals() []string {
	for i := range c.words {
		if t := &c.words[i]; t.is("=") || t.is("is") {
			return c.only(c.last(1).text == "is", []string{"least", "greatest"})
		}
	}
	return []string{"is"}
}

// over completes plot, table and expect, which have rows first, then inputs with values.
func (c *completer) over(first string, operand bool) []string {
	clause := first // the word that the place belongs to
	name := ""      // of the input before the last =
	for i, t := range c.words {
		switch t.text {
		case "over", "for", "at", "mark", "within", "as", "in", "show", "by", "top":
			clause, name = t.text, ""
		case "=":
			name = c.words[i-1].text
		}
	}
	switch {
	case operand && first == "plot":
		return []string{"over", "in", "for", "log", "linear", "mark"}
	case operand && first == "table" && clause == first:
		return []string{"over", "show", "by", "top"}
	case operand && first == "table":
		return nil
	case clause == "show", clause == "by":
		return c.entryFields()
	case operand:
		return []string{"within", "at", "as"}
	case clause == "at" && c.last(1).text == ",":
		return c.inputNames()
	case name != "" && clause != first:
		return c.menu(name)
	case clause == "over", clause == "for", clause == "at":
		return c.inputNames()
	case clause == first, clause == "mark":
		return c.only(c.last(1).text != "=", c.rowNames())
	}
	return nil
}

// entryFields are the fields of the entries of the list that a table shows.
func (c *completer) entryFields() []string {
	i, ok := c.prog.byName[c.words[1].text]
	if !ok || c.prog.slots[i].def.Type.Of == nil {
		return nil
	}
	kin := c.prog.slots[i].def.Type.Of.Kin
	if kin == nil {
		return nil
	}
	var names []string
	for i := range kin.Fields {
		names = append(names, kin.Fields[i].Name)
	}
	return names
}

// menu is what an input can be.
func (c *completer) menu(name string) []string {
	for _, in := range c.sheet.Inputs {
		if in.Name == name {
			return in.ids()
		}
	}
	return nil
}

// computed are the names of steps and solves.
func (c *completer) computed() []string {
	var names []string
	for _, r := range c.sheet.Rows {
		if r.Kind != "input" {
			names = append(names, r.Name)
		}
	}
	return names
}

func (c *completer) numberInputs() []string {
	var names []string
	for _, in := range c.sheet.Inputs {
		if in.IsNumber() {
			names = append(names, in.Name)
		}
	}
	return names
}

// values are the names that an expression may begin with.
func (c *completer) values() []string {
	names := append(c.rowNames(), keys(builtins)...)
	names = append(append(names, keys(c.env.Funcs)...), keys(c.env.Values)...)
	return append(names, "pi", "on", "off", "not")
}

// fields are what may follow the point after a path such as chip or tpu.v5e.
func (c *completer) fields() []string {
	from := len(c.words) - 1
	for from > 0 && (c.words[from-1].kind == tokName || c.words[from-1].text == ".") {
		from--
	}
	var path strings.Builder
	for _, t := range c.words[from : len(c.words)-1] {
		path.WriteString(t.text)
	}
	e, errs := parseExpr(path.String())
	if len(errs) > 0 {
		return nil
	}
	k := &checker{env: c.env, errs: &errorList{}, resolve: c.read, known: c.rowNames}
	n := k.expr(e)
	switch {
	case n.bad:
		return nil
	case n.typ.Kind == DType:
		return []string{"bytes", "bits"}
	case n.typ.Kind == Rec:
		return fieldNames(&n)
	}
	return nil
}
