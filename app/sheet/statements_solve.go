package sheet

// goal is what a `solve` looks for.
type goal uint8

const (
	goalMeeting  goal = iota // the first value of the input at which both sides are equal
	goalAll                  // all of them, as a list
	goalLeast                // where the left side is least; there is no right one
	goalGreatest             // where it is greatest
)

func (p *parser) solveStmt(t *tree) {
	const example = "solve B_crit: B where T_math = T_comms"
	d := &definition{kind: "solve"}
	p.factors = true
	if p.peek().is("all") && p.toks[p.i+1].kind == tokName {
		p.take()
		d.goal = goalAll
	}
	d.ident = p.defined("B_crit")
	p.expect(":", example)
	if !p.failed {
		d.input = p.name("the input to solve for")
	}
	p.expect("where", example)
	if !p.failed {
		d.value = p.sum()
	}
	p.solveGoal(d)
	d.label = p.label()
	d.when = p.when()
	p.end()
	p.file(t, d)
}

// solveGoal reads what the left side of a solve should be: `= right`, `is least` or `is greatest`.
func (p *parser) solveGoal(d *definition) {
	is := p.peek()
	switch {
	case p.failed:
	case p.accept("="):
		d.right = p.sum()
	case !p.accept("is"):
		p.unexpected("`=`, `is least` or `is greatest` should stand here, as in `solve B_crit: B where T_math = T_comms`")
	case d.goal == goalAll:
		p.fail(is.pos, "`all` is for `=`", "leave out `all`: there is one least value")
	case p.accept("least"):
		d.goal = goalLeast
	case p.accept("greatest"):
		d.goal = goalGreatest
	default:
		p.unexpected("`least` or `greatest` should stand here, as in `solve best: B where T is least`")
	}
}
