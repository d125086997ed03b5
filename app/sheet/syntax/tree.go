package syntax

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

// Ident is a name where it stands.
type Ident struct {
	Name string
	Pos  Pos
}

// Counted is a name for what a number counts, where it stands.
type Counted struct {
	Noun string
	At   Pos
}

// Definition is a `let`, a step or a solve, as parsed.
type Definition struct {
	Ident
	LetOptions
	Kind        string   // "input", "step" or "solve"
	Group       *Heading // of a let: the heading that it stands under, or nil
	Label       string
	Value       Expr // of a let its default, of a step its expression, of a solve its left side
	Right       Expr // of a solve, unless it looks for a least or greatest value
	Goal        Goal // of a solve
	Input       Ident
	Hidden      bool     // of a step or a solve
	As          *Counted // of a step: what its number counts; nil if that is not said
	When        Expr     // the condition under which it is shown, or nil
	Unspecified bool     // could not be read: its name is known, nothing else
}

// Heading is a heading over the inputs that follow it.
type Heading struct {
	Title  string
	Folded bool // its inputs are folded away until a reader wants them
}

// Assign is name = value, or name = value, value, ...
type Assign struct {
	Ident
	Values []Expr
}

// The statements that define nothing, as parsed.
type (
	Ask struct {
		Ident
		Symbols  []Ident // the rows that the answer is to be written in, or none
		Choices  []Expr  // the texts to choose from, beside those of the row's own formula
		Over     *Ident  // the input over which its curve is asked for, or nil
		Question string
	}
	Plot struct {
		Pos       Pos
		Y, Marks  []Ident
		Over      Ident
		Low, High Expr
		Log       *bool
		Vary      *Assign
		Caption   string
		When      Expr
	}
	Table struct {
		Pos     Pos
		Columns []Ident // of a table of a list, the list alone
		Over    Assign
		List    bool // it shows a list
		Show    []Ident
		By      Ident
		Desc    bool
		Top     Expr
		Caption string
		When    Expr
	}
	Figure struct {
		Pos     Pos
		Name    Ident
		Args    []Expr
		Caption string
		When    Expr
	}
	Expect struct {
		Pos    Pos
		Name   Ident
		Op     string
		Want   Expr
		Within Expr
		At     []Assign
		Fact   string
	}
)

// Tree is a sheet, parsed.
type Tree struct {
	Title   string
	titleAt Pos
	group   *Heading // that of the inputs to come
	Defs    []*Definition
	Asks    []Ask
	Plots   []Plot
	Tables  []Table
	Figures []Figure
	Expects []Expect
}

// Expr is an expression as it was parsed.
type Expr interface{ Position() Pos }

// The nodes of an expression.
type (
	// Lit is a number literal with its unit: `2 FLOP`. Text is what the author wrote.
	Lit struct {
		Pos  Pos
		Q    quantity.Quantity
		Text string
	}
	// Str is a text literal.
	Str struct {
		Pos  Pos
		Text string
	}
	// Switch is `on` or `off` (also true, false).
	Switch struct {
		Pos Pos
		On  bool
	}
	// Name is a variable, or a name of the environment.
	Name struct {
		Pos  Pos
		Name string
	}
	// Member is x.field.
	Member struct {
		Pos   Pos
		X     Expr
		Field string
	}
	// Call is f(args) or, with a receiver, x.f(args).
	Call struct {
		Pos  Pos
		Recv Expr // nil for a plain function
		Func string
		Args []Expr
	}
	// Unary is -x or `not x`.
	Unary struct {
		Pos Pos
		Op  string
		X   Expr
	}
	// Binary is x op y: + - * / ^ < <= > >= == != and or. (`=` also compares, inside an expression.)
	Binary struct {
		Pos  Pos
		Op   string
		X, Y Expr
	}
	// Group is a parenthesis that the author wrote; printing keeps only those that are needed.
	Group struct {
		Pos Pos
		X   Expr
	}
)

// Position is where the node begins.
func (e *Lit) Position() Pos    { return e.Pos }
func (e *Str) Position() Pos    { return e.Pos }
func (e *Switch) Position() Pos { return e.Pos }
func (e *Name) Position() Pos   { return e.Pos }
func (e *Member) Position() Pos { return e.Pos }
func (e *Call) Position() Pos   { return e.Pos }
func (e *Unary) Position() Pos  { return e.Pos }
func (e *Binary) Position() Pos { return e.Pos }
func (e *Group) Position() Pos  { return e.Pos }

// Ungroup takes the parentheses off.
func Ungroup(e Expr) Expr {
	for {
		g, ok := e.(*Group)
		if !ok {
			return e
		}
		e = g.X
	}
}

// Parts are the expressions that e is made of.
func Parts(e Expr) []Expr {
	switch e := e.(type) {
	case *Member:
		return []Expr{e.X}
	case *Call:
		if e.Recv != nil {
			return append([]Expr{e.Recv}, e.Args...)
		}
		return e.Args
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Group:
		return []Expr{e.X}
	}
	return nil
}

// Walk calls f for e and everything in it.
func Walk(e Expr, f func(Expr)) {
	f(e)
	for _, x := range Parts(e) {
		Walk(x, f)
	}
}

// Code writes e in the notation of sheets, for messages.
func Code(e Expr) string {
	var b strings.Builder
	writeCode(&b, e)
	return b.String()
}

// Enough is how much of an expression a message needs.
const Enough = 200

func writeCode(b *strings.Builder, e Expr) {
	if b.Len() > Enough {
		return
	}
	switch e := e.(type) {
	case *Lit:
		b.WriteString(e.Text)
	case *Str:
		b.WriteString(Quote(e.Text))
	case *Switch:
		b.WriteString(OnOff(e.On))
	case *Name:
		b.WriteString(e.Name)
	case *Member:
		writeCode(b, e.X)
		b.WriteString("." + e.Field)
	case *Call:
		writeCall(b, e)
	case *Unary:
		b.WriteString(e.Op)
		if e.Op == "not" {
			b.WriteByte(' ')
		}
		writeCode(b, e.X)
	case *Binary:
		writeBinary(b, e)
	case *Group:
		b.WriteByte('(')
		writeCode(b, e.X)
		b.WriteByte(')')
	}
}

func writeCall(b *strings.Builder, e *Call) {
	if e.Recv != nil {
		writeCode(b, e.Recv)
		b.WriteByte('.')
	}
	b.WriteString(e.Func + "(")
	for i, arg := range e.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		writeCode(b, arg)
	}
	b.WriteByte(')')
}

func writeBinary(b *strings.Builder, e *Binary) {
	writeCode(b, e.X)
	if e.Op == "^" {
		b.WriteByte('^')
	} else {
		b.WriteString(" " + e.Op + " ")
	}
	writeCode(b, e.Y)
}

// DrawnIn says whether a plot has the curve that is asked for, over the same input.
func (a *Ask) DrawnIn(p Plot) bool {
	return p.Over.Name == a.Over.Name && slices.ContainsFunc(p.Y, func(y Ident) bool { return y.Name == a.Name })
}
