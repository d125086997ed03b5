package sheet

// ident is a name where it stands.
type ident struct {
	Name string
	Pos  Pos
}

// counted is a name for what a number counts, where it stands.
type counted struct {
	noun string
	at   Pos
}

// definition is a `let`, a step or a solve, as parsed.
type definition struct {
	ident
	letOptions
	kind        string // "input", "step" or "solve"
	label       string
	value       Expr // of a let its default, of a step its expression, of a solve its left side
	right       Expr // of a solve, unless it looks for a least or greatest value
	goal        goal // of a solve
	input       ident
	hidden      bool     // of a step
	as          *counted // of a step: what its number counts; nil if that is not said
	when        Expr     // the condition under which it is shown, or nil
	unspecified bool     // could not be read: its name is known, nothing else
}

// assign is name = value, or name = value, value, ...
type assign struct {
	ident
	values []Expr
}

// The statements that define nothing, as parsed.
type (
	askStmt struct {
		ident
		question string
	}
	plotStmt struct {
		pos       Pos
		y, marks  []ident
		over      ident
		low, high Expr
		log       *bool
		vary      *assign
		caption   string
		when      Expr
	}
	tableStmt struct {
		pos     Pos
		columns []ident // of a table of a list, the list alone
		over    assign
		list    bool // it shows a list
		show    []ident
		by      ident
		desc    bool
		top     Expr
		caption string
		when    Expr
	}
	figureStmt struct {
		pos     Pos
		name    ident
		args    []Expr
		caption string
		when    Expr
	}
	expectStmt struct {
		pos    Pos
		name   ident
		op     string
		want   Expr
		within Expr
		at     []assign
		fact   string
	}
)

// tree is a sheet, parsed.
type tree struct {
	title   string
	titleAt Pos
	defs    []*definition
	asks    []askStmt
	plots   []plotStmt
	tables  []tableStmt
	figures []figureStmt
	expects []expectStmt
}
