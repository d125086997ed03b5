package training

import "strings"

// Constant is a line of the table of constants: of a software stack, of every stack, or of the devices whose IDs begin
// with its scope.
type Constant struct{ Scope, Name, Value, Source string }

// Sources are all constants, each with where it comes from or which rows it was fitted on.
func Sources() []Constant {
	var all []Constant
	for line := range strings.Lines(constantTable) {
		if c := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(c) == 4 {
			all = append(all, Constant{c[0], c[1], c[2], c[3]})
		}
	}
	return all
}
