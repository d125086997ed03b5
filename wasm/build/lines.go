package build

// withoutLast takes the empty piece behind the last line, which strings.Lines doesn't give, from lines that
// strings.SplitAfter cut. This file is also compiled into the packages whose loops over lines are rewritten (loops.go).
func withoutLast(lines []string) []string {
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}
