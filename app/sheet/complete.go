package sheet

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Names is every word that a sheet may use without defining it: the language's own, then functions and values.
func Names(env *value.Env) []string {
	names := append(strings.Fields(syntax.ReservedWords+"hidden figure"), expr.Builtins()...)
	if env != nil {
		env.Whole()
		names = append(append(names, value.Offered(env.Funcs)...), value.Names(env.Values)...)
	}
	return names
}

// Complete is the words that may stand at a byte offset of a sheet that is being written, those that go on with what
// stands before the offset: the sheet's own names first, in the order of the text.
func Complete(env *value.Env, src string, offset int) []string {
	offset = min(max(offset, 0), len(src))
	if len(src) > syntax.MaxSource {
		return nil
	}
	start := offset
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(src[:start])
		if !syntax.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= size
	}
	prefix := src[start:offset]
	lx := syntax.Lex(src[:start], &syntax.Errors{})
	if prefix != "" && syntax.NameLength(prefix) == 0 && !afterPoint(lx) {
		return nil // a number
	}
	words := statementBefore(lx, start)
	if words == nil {
		return nil
	}
	c := completer{analyse(src, env), words}
	c.env.Whole()
	var found []string
	for _, name := range c.candidates() {
		if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// afterPoint tells whether the text ends with a name and a point, behind which a field's name may begin with a digit.
func afterPoint(lx *syntax.Lexer) bool {
	n := len(lx.Toks) - 2 // without the end that lex adds
	return n >= 2 && lx.Toks[n-1].Is(".") && lx.Toks[n-1].End == len(lx.Src) && lx.Toks[n-2].Kind == syntax.TokName &&
		lx.Toks[n-2].End == lx.Toks[n-1].Off
}

// statementBefore is the tokens of the statement that is being written at offset at; nil in a text or a comment.
func statementBefore(lx *syntax.Lexer, at int) []syntax.Token {
	toks := lx.Toks[:len(lx.Toks)-2] // without the end that lex adds
	from := 0
	for i := range toks {
		if toks[i].Kind == syntax.TokEnd {
			from = i + 1
		}
	}
	end := 0
	if len(toks) > 0 {
		end = toks[len(toks)-1].End
		if last := toks[len(toks)-1]; last.Kind == syntax.TokBad || last.Kind == syntax.TokText {
			return nil
		}
	}
	if strings.Contains(lx.Src[end:at], "#") && !strings.Contains(lx.Src[strings.LastIndex(lx.Src[:at], "#"):at],
		"\n") {
		return nil
	}
	return append([]syntax.Token{}, toks[from:]...)
}

// completer knows the sheet as far as it can be read, and the statement up to the place in question.
type completer struct {
	*compiler
	words []syntax.Token
}

// last is the i-th token from the end, or one without text.
func (c *completer) last(i int) syntax.Token {
	if i > len(c.words) {
		return syntax.Token{}
	}
	return c.words[len(c.words)-i]
}

func (c *completer) candidates() []string {
	if len(c.words) == 0 {
		return strings.Fields(syntax.StatementWords)
	}
	last := c.last(1)
	if last.Text == "." {
		return c.fields()
	}
	operand := last.Kind == syntax.TokNumber || last.Kind == syntax.TokString || last.Text == ")" ||
		last.Kind == syntax.TokName && !syntax.HasWord(syntax.ReservedWords, last.Text)
	switch first := c.words[0].Text; first {
	case "title":
		return nil
	case "hidden":
		if len(c.words) < 3 {
			return nil
		}
	case "figure":
		if len(c.words) == 1 {
			return value.Names(c.env.Figures)
		}
	case "let":
		return c.let(operand)
	case "ask":
		switch {
		case len(c.words) == 1:
			return c.computed()
		case len(c.words) == 2:
			return []string{"in", "of"}
		}
		return c.only(len(c.words) > 2 && c.words[2].Text == "in" && !operand, c.rowNames())
	case "solve":
		return c.solve(operand)
	case "plot", "table", "expect":
		return c.over(first, operand && !syntax.HasWord(" mark show by top ", last.Text))
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
		return []string{"in", "log", "step", "of", "most", "play", "strip", "check", "published", "was", "when"}
	}
	return append(c.values(), "first", "document")
}

func (c *completer) solve(operand bool) []string {
	switch {
	case c.last(1).Text == ":":
		return c.numberInputs()
	case c.last(2).Text == ":":
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
		if t := &c.words[i]; t.Is("=") || t.Is("is") {
			return c.only(c.last(1).Text == "is", []string{"least", "greatest"})
		}
	}
	return []string{"is"}
}

// over completes plot, table and expect, which have rows first, then inputs with values.
func (c *completer) over(first string, operand bool) []string {
	clause := first // the word that the place belongs to
	name := ""      // of the input before the last =
	for i, t := range c.words {
		switch t.Text {
		case "over", "for", "at", "mark", "within", "as", "in", "show", "by", "top":
			clause, name = t.Text, ""
		case "=":
			name = c.words[i-1].Text
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
	case clause == "at" && c.last(1).Text == ",":
		return c.inputNames()
	case name != "" && clause != first:
		return c.menu(name)
	case clause == "over", clause == "for", clause == "at":
		return c.inputNames()
	case clause == first, clause == "mark":
		return c.only(c.last(1).Text != "=", c.rowNames())
	}
	return nil
}

// entryFields are the fields of the entries of the list that a table shows.
func (c *completer) entryFields() []string {
	i, ok := c.prog.byName[c.words[1].Text]
	if !ok || c.prog.slots[i].def.Type.Of == nil {
		return nil
	}
	rt := c.prog.slots[i].def.Type.Of.Record
	if rt == nil {
		return nil
	}
	var names []string
	for i := range rt.Fields {
		names = append(names, rt.Fields[i].Name)
	}
	return names
}

// menu is what an input can be.
func (c *completer) menu(name string) []string {
	for _, in := range c.sheet.Inputs {
		if in.Name == name {
			return in.IDs()
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
	names := append(c.rowNames(), expr.Builtins()...)
	names = append(append(names, value.Offered(c.env.Funcs)...), value.Names(c.env.Values)...)
	return append(names, "pi", "on", "off", "not")
}

// fields are what may follow the point after a path such as chip or tpu.v5e.
func (c *completer) fields() []string {
	from := len(c.words) - 1
	for from > 0 && (c.words[from-1].Kind == syntax.TokName || c.words[from-1].Text == ".") {
		from--
	}
	var path strings.Builder
	for _, t := range c.words[from : len(c.words)-1] {
		path.WriteString(t.Text)
	}
	e, errs := syntax.ParseExpr(path.String())
	if len(errs) > 0 {
		return nil
	}
	k := &expr.Checker{Env: c.env, Errs: &syntax.Errors{}, Resolve: c.read, Known: c.rowNames}
	n := k.Compile(e)
	switch {
	case n.Bad:
		return nil
	case n.Type.Kind == value.DType:
		return []string{"bytes", "bits"}
	case n.Type.Kind == value.Rec:
		return expr.FieldNames(&n)
	}
	return nil
}
