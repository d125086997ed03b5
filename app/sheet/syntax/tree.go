package syntax

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
	Kind        string // "input", "step" or "solve"
	Label       string
	Value       Expr // of a let its default, of a step its expression, of a solve its left side
	Right       Expr // of a solve, unless it looks for a least or greatest value
	Goal        Goal // of a solve
	Input       Ident
	Hidden      bool     // of a step
	As          *Counted // of a step: what its number counts; nil if that is not said
	When        Expr     // the condition under which it is shown, or nil
	Unspecified bool     // could not be read: its name is known, nothing else
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
	Defs    []*Definition
	Asks    []Ask
	Plots   []Plot
	Tables  []Table
	Figures []Figure
	Expects []Expect
}
