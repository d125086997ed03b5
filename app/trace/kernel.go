package trace

import "strings"

// Short is the name without what says nothing of the operation: of a kernel in C++ what it gives and takes, and the
// namespaces of PyTorch. Two kernels of one template differ in what comes late in their names.
func (s *Spent) Short() string {
	name, ok := strings.CutPrefix(s.Name, "void ")
	if !ok || name == "" {
		return s.Name
	}
	for _, space := range [...]string{"at::native::", "at::detail::", "(anonymous namespace)::"} {
		name = strings.ReplaceAll(name, space, "")
	}
	return strings.TrimSpace(name[:arguments(name)])
}

// arguments is where the list of arguments begins that ends a name: an open parenthesis outside of all angles.
func arguments(name string) int {
	depth := 0
	for i, c := range name {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth == 0 {
				return i
			}
		}
	}
	return len(name)
}
