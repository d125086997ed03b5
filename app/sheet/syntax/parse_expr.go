package syntax

import "github.com/scalebook/scalebook/app/phrase"

func (p *parser) expr() Expr { return p.leftAssoc(p.conjunction, "or") }

func (p *parser) conjunction() Expr { return p.leftAssoc(p.negation, "and") }

func (p *parser) sum() Expr { return p.leftAssoc(p.product, "+", "-") }

func (p *parser) product() Expr { return p.leftAssoc(p.unary, "*", "/") }

// leftAssoc reads operands joined by any of ops, from left to right.
func (p *parser) leftAssoc(operand func() Expr, ops ...string) Expr {
	x := operand()
	for {
		op := p.acceptOf(ops)
		if op == "" || p.failed {
			return x
		}
		y := operand()
		x = p.node(&Binary{Pos: p.span(x.Position()), Op: op, X: x, Y: y})
	}
}

func (p *parser) negation() Expr {
	t := p.peek()
	if !p.accept("not") {
		return p.comparison()
	}
	x := p.nested(p.negation)
	return p.node(&Unary{Pos: p.span(t.pos), Op: "not", X: x})
}

var comparisons = []string{"<=", ">=", "==", "!=", "<", ">", "="}

func (p *parser) comparison() Expr {
	x := p.sum()
	op := p.acceptOf(comparisons)
	if op == "" || p.failed {
		return x
	}
	y := p.sum()
	if t := p.peek(); p.acceptOf(comparisons) != "" {
		return p.fail(t.pos, phrase.New("syntax.comparisons-do-not-chain"), phrase.New("syntax.write-b-and-b"))
	}
	return p.node(&Binary{Pos: p.span(x.Position()), Op: op, X: x, Y: y})
}

// unary reads a sign, which binds less than a power: -x^2 is -(x^2).
func (p *parser) unary() Expr {
	t := p.peek()
	switch {
	case p.accept("-"):
		x := p.nested(p.unary)
		return p.node(&Unary{Pos: p.span(t.pos), Op: "-", X: x})
	case p.accept("+"):
		return p.nested(p.unary)
	}
	return p.power()
}

// power reads x^y, from right to left: x^y^z is x^(y^z).
func (p *parser) power() Expr {
	x := p.postfix()
	if p.failed || !p.accept("^") {
		return x
	}
	y := p.nested(p.unary)
	return p.node(&Binary{Pos: p.span(x.Position()), Op: "^", X: x, Y: y})
}

// postfix reads x.field and x.method(args).
func (p *parser) postfix() Expr {
	x := p.primary()
	for !p.failed && p.accept(".") {
		t := p.peek()
		if t.Kind != TokName {
			return p.unexpected(phrase.New("syntax.field-missing"))
		}
		p.take()
		if p.peek().Is("(") {
			args := p.args(t.Text)
			x = p.node(&Call{Pos: p.span(x.Position()), Recv: x, Func: t.Text, Args: args})
			continue
		}
		x = p.node(&Member{Pos: p.span(x.Position()), X: x, Field: t.Text})
	}
	return x
}

func (p *parser) primary() Expr {
	t := p.peek()
	switch {
	case t.Kind == TokNumber:
		p.take()
		return p.node(&Lit{Pos: t.pos, Q: p.nums[t.num], Text: t.Text})
	case t.Kind == TokString:
		p.take()
		return p.node(&Str{Pos: t.pos, Text: t.Text})
	case t.Is("("):
		return p.group()
	case t.Kind != TokName:
		return p.unexpected(phrase.New("syntax.value-missing"))
	case t.Text == "on", t.Text == "true", t.Text == "off", t.Text == "false":
		p.take()
		return p.node(&Switch{Pos: t.pos, On: t.Text == "on" || t.Text == "true"})
	case IsReserved(t.Text):
		return p.fail(t.pos, phrase.New("syntax.reserved", "word", t.Text), phrase.New("syntax.value-missing"))
	}
	p.take()
	if p.peek().Is("(") {
		args := p.args(t.Text)
		return p.node(&Call{Pos: p.span(t.pos), Func: t.Text, Args: args})
	}
	if t.Text == "first" && p.accept("of") {
		xs := p.nested(p.postfix)
		return p.node(&Call{Pos: p.span(t.pos), Func: t.Text, Args: []Expr{xs}})
	}
	return p.node(&Name{Pos: t.pos, Name: t.Text})
}

func (p *parser) group() Expr {
	open := p.take()
	x := p.nested(p.expr)
	if p.failed {
		return x
	}
	if !p.accept(")") {
		return p.unclosed(open)
	}
	return p.node(&Group{Pos: p.span(open.pos), X: x})
}

// unclosed reports a parenthesis at its opening, or what stands in the way of its end.
func (p *parser) unclosed(open *Token) Expr {
	if t := p.peek(); t.Kind == TokEnd || t.Kind == tokEOF {
		return p.fail(open.pos, phrase.New("syntax.parenthesis-not-closed"), phrase.New("syntax.add-missing"))
	}
	return p.unexpected(p.joinRemedy(phrase.New("syntax.parenthesis-missing")))
}

// args reads the arguments of a call of name, the parenthesis being next.
func (p *parser) args(name string) []Expr {
	open := p.take()
	var args []Expr
	if p.accept(")") {
		return nil
	}
	for !p.failed {
		args = append(args, p.nested(p.expr))
		if p.failed || p.accept(")") {
			break
		}
		if !p.accept(",") {
			p.unclosed(open)
		}
	}
	return args
}
