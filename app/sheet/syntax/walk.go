package syntax

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
