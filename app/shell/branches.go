package shell

import (
	"slices"
	"strconv"
	"strings"
)

// branch is an if that is open.
type branch struct {
	taken, told bool // this branch of it, and whether the text alone tells
	done        bool // one of its branches has been taken
}

// Taken is a script without the lines of branches that its text alone tells are not taken; empty ones stand in their
// place. A variable that nothing sets is empty. Where a condition asks for something else than variables, its branches
// stay.
func Taken(text string, known func(name string) string) string {
	var b strings.Builder
	var open []branch
	for line := range strings.Lines(text) {
		word, condition, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word = strings.TrimSuffix(word, ";"); {
		case word == "if" && strings.HasSuffix(condition, "fi") && strings.Contains(condition, "; then"): // in one line
		case word == "if":
			is, told := truth(condition, known)
			open = append(open, branch{is, told, is && told})
		case word == "elif" && len(open) > 0:
			last := &open[len(open)-1]
			is, told := truth(condition, known)
			last.taken, last.told = is && !last.done, told || last.done
			last.done = last.done || is && told
		case word == "else" && len(open) > 0:
			last := &open[len(open)-1]
			last.taken = !last.done
		case word == "fi" && len(open) > 0:
			open = open[:len(open)-1]
		}
		skipped := slices.ContainsFunc(open, func(o branch) bool { return o.told && !o.taken })
		if word == "[" || word == "[[" { // [ -n "$X" ] && ARGS+=(...)
			test, _, and := strings.Cut(line, "] &&")
			is, told := truth(strings.TrimSpace(test+"]"), known)
			skipped = skipped || and && told && !is
		}
		if skipped {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// truth tells whether a condition holds, and whether its text alone tells.
func truth(condition string, known func(string) string) (is, told bool) {
	condition, _, _ = strings.Cut(condition, ";")
	condition = strings.TrimSpace(strings.TrimPrefix(condition, "test "))
	words := strings.Fields(strings.Trim(condition, "[] "))
	no := len(words) > 0 && words[0] == "!"
	if no {
		words = words[1:]
	}
	if len(words) < 1 || len(words) > 3 {
		return false, false
	}
	for i, w := range words {
		w = strings.Trim(Expand(w, known), `"'`)
		if of := strings.Trim(w, "${"); strings.ContainsAny(w, "(`?#") || of != w && of != "" && of[0] <= '9' {
			return false, false // of a command, or an argument
		} else if of != w {
			w = "" // what nothing sets
		}
		words[i] = w
	}
	switch {
	case len(words) == 1:
		is, told = words[0] != "", true
	case words[0] == "-n" && len(words) == 2:
		is, told = words[1] != "", true
	case words[0] == "-z" && len(words) == 2:
		is, told = words[1] == "", true
	case len(words) == 3:
		is, told = compared(words[0], words[1], words[2])
	}
	return is != no, told
}

// compared sets two values beside each other.
func compared(a, sign, b string) (is, told bool) {
	x, err := strconv.Atoi(a)
	y, other := strconv.Atoi(b)
	whole := err == nil && other == nil
	switch sign {
	case "=", "==", "!=":
		if is = a == b; strings.Contains(b, "*") { // *part*
			part := strings.Trim(b, `*"'`)
			is = strings.Contains(a, part)
			if strings.Contains(part, "*") {
				return false, false
			}
		}
		return is != (sign == "!="), true
	case "-eq":
		return x == y, whole
	case "-ne":
		return x != y, whole
	case "-gt":
		return x > y, whole
	case "-ge":
		return x >= y, whole
	case "-lt":
		return x < y, whole
	case "-le":
		return x <= y, whole
	}
	return false, false
}
