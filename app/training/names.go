package training

import "slices"

// nameOf is the name of a kind of something, or "unknown" for none of them.
func nameOf[Kind ~uint8](names []string, kind Kind) string {
	if int(kind) < len(names) {
		return names[kind]
	}
	return "unknown"
}

// named finds a kind by its name.
func named[Kind ~uint8](names []string, name string) (kind Kind, known bool) {
	i := slices.Index(names, name)
	return Kind(max(i, 0)), i >= 0
}
