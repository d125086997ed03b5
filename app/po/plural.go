package po

import (
	"errors"
	"strconv"
	"strings"
)

// Plurals is the rule that says which form a number of things takes.
type Plurals struct {
	Forms int
	rule  expr
}

// Form is the form that n things take, from 0 up to Forms-1.
func (p Plurals) Form(n int) int {
	if p.rule == nil {
		if n == 1 || p.Forms < 2 {
			return 0
		}
		return 1
	}
	return max(0, min(p.rule(max(n, 0)), p.Forms-1))
}

// expr is an expression in C over n.
type expr func(n int) int

// ReadPlurals reads the value of a header's Plural-Forms: "nplurals=2; plural=n != 1;".
func ReadPlurals(header string) (Plurals, error) {
	var out Plurals
	for part := range strings.SplitSeq(header, ";") {
		name, value, _ := strings.Cut(part, "=")
		switch strings.TrimSpace(name) {
		case "nplurals":
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil || n < 1 || n > mostForms {
				return out, errors.New("nplurals is no number from 1 to 10")
			}
			out.Forms = n
		case "plural":
			if len(value) > mostRule {
				return out, errors.New("the rule of plural forms is too long")
			}
			p := &pluralParser{rest: value}
			rule, err := p.choice(0)
			if err != nil {
				return out, err
			}
			if p.skip(); p.rest != "" {
				return out, errors.New("the rule of plural forms can’t be read at " + strconv.Quote(clip(p.rest)))
			}
			out.rule = rule
		}
	}
	if out.Forms == 0 || out.rule == nil {
		return out, errors.New("Plural-Forms needs nplurals=N; plural=RULE;")
	}
	return out, nil
}

// What bounds a rule.
const (
	mostRule  = 1000
	mostDepth = 50
)

type pluralParser struct{ rest string }

func (p *pluralParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *pluralParser) take(op string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, op)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *pluralParser) choice(depth int) (expr, error) {
	if depth > mostDepth {
		return nil, errors.New("the rule of plural forms is nested too deep")
	}
	cond, err := p.binary(0, depth+1)
	if err != nil || !p.take("?") {
		return cond, err
	}
	yes, err := p.choice(depth + 1)
	if err != nil {
		return nil, err
	}
	if !p.take(":") {
		return nil, errors.New("the rule of plural forms lacks the `:` of a `?`")
	}
	no, err := p.choice(depth + 1)
	return func(n int) int {
		if cond(n) != 0 {
			return yes(n)
		}
		return no(n)
	}, err
}

// levels are the operators, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

func (p *pluralParser) binary(level, depth int) (expr, error) {
	if level == len(levels) {
		return p.atom(depth)
	}
	left, err := p.binary(level+1, depth)
	for err == nil {
		op := ""
		for _, o := range levels[level] {
			if p.take(o) {
				op = o
				break
			}
		}
		if op == "" {
			return left, nil
		}
		var right expr
		if right, err = p.binary(level+1, depth); err != nil {
			return nil, err
		}
		l := left
		left = func(n int) int { return operate(op, l(n), right(n)) }
	}
	return nil, err
}

func (p *pluralParser) atom(depth int) (expr, error) {
	switch {
	case p.take("("):
		e, err := p.choice(depth + 1)
		if err == nil && !p.take(")") {
			err = errors.New("the rule of plural forms lacks a `)`")
		}
		return e, err
	case p.take("!"):
		if depth > mostDepth {
			return nil, errors.New("the rule of plural forms is nested too deep")
		}
		e, err := p.atom(depth + 1)
		return func(n int) int { return truth(e(n) == 0) }, err
	case p.take("n"):
		return func(n int) int { return n }, nil
	}
	end := 0
	for end < len(p.rest) && p.rest[end] >= '0' && p.rest[end] <= '9' {
		end++
	}
	v, err := strconv.Atoi(p.rest[:end])
	if err != nil {
		return nil, errors.New("the rule of plural forms can’t be read at " + strconv.Quote(clip(p.rest)))
	}
	p.rest = p.rest[end:]
	return func(int) int { return v }, nil
}

func operate(op string, a, b int) int {
	switch op {
	case "||":
		return truth(a != 0 || b != 0)
	case "&&":
		return truth(a != 0 && b != 0)
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		if b != 0 {
			return a / b
		}
	case "%":
		if b != 0 {
			return a % b
		}
	}
	return 0
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
