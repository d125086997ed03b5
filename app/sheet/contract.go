package sheet

import "github.com/scalebook/scalebook/app/quantity"

// solveDef is a `solve` statement, compiled. Its two sides are hidden steps of the program, called "NAME.left" and
// "NAME.right", which sweep knows by these names.
type solveDef struct {
	Name, Input string
	Left, Right Expr
	Label       string
}

// sweeper evaluates a few rows again and again while one input varies. What does not depend on that input is computed
// once. It belongs to one goroutine.
type sweeper struct{}

// sweep prepares to evaluate the named rows (inputs, steps, solves, or a solve's hidden sides) in state st while the
// named input varies. An unknown name or input gives rows with errors.
func (s *Sheet) sweep(st State, input string, names []string) *sweeper { return &sweeper{} }

// at evaluates the rows where the input is v, which may lie outside its range. The slice is parallel to the names
// and is reused by the next call.
func (w *sweeper) at(v Value) []Row { return nil }

// num is at for a number input: x is in base units.
func (w *sweeper) num(x float64) []Row { return nil }

// def is the parsed expression of a step; nil for anything else.
func (s *Sheet) def(name string) Expr { return nil }

// solveDef is the solve of that name, or nil.
func (s *Sheet) solveDef(name string) *solveDef { return nil }

// parseExpr parses a single expression, such as the formula of a library function.
func parseExpr(src string) (Expr, []*Error) { return nil, nil }

// evalExpr computes e; names that scope does not know are looked up in env (which may be nil), functions in env and
// the built-in ones.
func evalExpr(env *Env, e Expr, scope func(name string) (Value, bool)) (Value, error) {
	return Value{}, nil
}

// typeOf is the type of e, checked; scope gives the types of names, then env.
func typeOf(env *Env, e Expr, scope func(name string) (Type, bool)) (Type, []*Error) {
	return Type{}, nil
}

type program struct{}

var _ = quantity.Quantity{}
