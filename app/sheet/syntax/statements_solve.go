package syntax

import "github.com/scalebook/scalebook/app/phrase"

// Goal is what a `solve` looks for.
type Goal uint8

const (
	GoalMeeting  Goal = iota // the first value of the input at which both sides are equal
	GoalAll                  // all of them, as a list
	GoalLeast                // where the left side is least; there is no right one
	GoalGreatest             // where it is greatest
)

func (p *parser) solveStmt(t *Tree) {
	const example = "solve B_crit: B where T_math = T_comms"
	d := &Definition{Kind: "solve"}
	p.factors = true
	if p.peek().Is("all") && p.toks[p.i+1].Kind == TokName {
		p.take()
		d.Goal = GoalAll
	}
	d.Ident = p.defined("B_crit")
	p.expect(":", example)
	if !p.failed {
		d.Input = p.name(phrase.New("syntax.input-to-solve-for"))
	}
	p.expect("where", example)
	if !p.failed {
		d.Value = p.sum()
	}
	p.solveGoal(d)
	d.Label = p.label()
	d.When = p.when()
	p.end()
	p.file(t, d)
}

// solveGoal reads what the left side of a solve should be: `= right`, `is least` or `is greatest`.
func (p *parser) solveGoal(d *Definition) {
	is := p.peek()
	switch {
	case p.failed:
	case p.accept("="):
		d.Right = p.sum()
	case !p.accept("is"):
		p.unexpected(phrase.New("syntax.solve-goal"))
	case d.Goal == GoalAll:
		p.fail(is.pos, phrase.New("syntax.all-needs-equals"), phrase.New("syntax.leave-out-all"))
	case p.accept("least"):
		d.Goal = GoalLeast
	case p.accept("greatest"):
		d.Goal = GoalGreatest
	default:
		p.unexpected(phrase.New("syntax.solve-extreme"))
	}
}
