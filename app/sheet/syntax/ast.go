package syntax

import "github.com/scalebook/scalebook/app/quantity"

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
