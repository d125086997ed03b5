package shell

import (
	"strconv"
	"strings"
)

// Truth is whether a condition holds, as far as the text of a script shows it. The zero value is that it doesn't show.
type Truth int

// What the text of a script shows of a condition.
const (
	Unknown Truth = iota
	No
	Yes
)

func truth(is bool) Truth {
	if is {
		return Yes
	}
	return No
}

func not(a Truth) Truth {
	switch a {
	case Yes:
		return No
	case No:
		return Yes
	}
	return Unknown
}

func and(a, b Truth) Truth {
	switch {
	case a == No || b == No:
		return No
	case a == Yes && b == Yes:
		return Yes
	}
	return Unknown
}

func or(a, b Truth) Truth { return not(and(not(a), not(b))) }

// Taken is a script without the lines of branches that its text alone shows are not taken; empty ones stand in their
// place. A variable that nothing sets is empty. Where a condition asks for something else than variables, or for one
// that a loop sets, its branches stay.
func Taken(text string, value func(name string) string) string {
	var b strings.Builder
	var open Branches
	lookup := looped(text, value)
	for line := range strings.Lines(text) {
		rest, taken, _ := open.Line(line, lookup)
		switch {
		case !taken:
			rest = "\n"
		case rest != line:
			rest += "\n"
		}
		b.WriteString(rest)
	}
	return b.String()
}

// looped looks variables up, of which those are not known that a loop sets, or getopts.
func looped(text string, value func(string) string) Lookup {
	left := 300 // variables that are looked up: each may take a pass over the text
	return func(name string) (string, bool) {
		if left--; left < 0 {
			return "", false
		}
		set := value(name)
		for _, by := range [...]string{"for ", "read ", "-r ", `" `, "' "} { // the last two of getopts "m:t:" name
			if set == "" && name != "" && strings.Contains(text, by+name) {
				return "", false
			}
		}
		return set, true
	}
}

// plain is a word of a condition with its variables put in, and whether the text shows it.
func plain(word string, lookup Lookup) (value string, shown bool) {
	shown = true
	word = strings.Trim(Expand(word, func(name string) string {
		value, is := lookup(name)
		shown = shown && (is || name == "")
		return value
	}), `"'`)
	of := strings.Trim(word, "${")
	switch {
	case !shown, strings.ContainsAny(word, "(`#"), of != word && of != "" && of[0] <= '9': // a command's, an argument
		return "", false
	case of != word: // what nothing sets
		return "", true
	}
	return word, true
}

// Holds tells whether a condition holds. Without brackets it is a command, of which only true and false are known.
func Holds(condition string, lookup Lookup) Truth {
	condition, _, _ = strings.Cut(condition, ";")
	condition = strings.TrimSpace(condition)
	inner := strings.TrimLeft(condition, "! ")
	switch {
	case len(condition) > longest:
		return Unknown
	case strings.HasPrefix(inner, "(("):
		return joined(condition, sums, lookup)
	case strings.HasPrefix(inner, "["), strings.HasPrefix(inner, "test "):
		return joined(condition, test, lookup)
	}
	return joined(condition, command, lookup)
}

// kind is how a condition is written.
type kind int

const (
	command kind = iota
	test         // [ $A = b ]
	sums         // (( A > 1 ))
)

// joined tells whether a condition holds that others may be parts of.
func joined(condition string, as kind, lookup Lookup) Truth {
	for _, sign := range [...]string{"||", "&&", " -o ", " -a "} {
		one, other, is := strings.Cut(condition, sign)
		switch {
		case !is:
		case sign == "||" || sign == " -o ":
			return or(joined(one, as, lookup), joined(other, as, lookup))
		default:
			return and(joined(one, as, lookup), joined(other, as, lookup))
		}
	}
	condition = strings.TrimSpace(condition)
	if as != command {
		condition = strings.TrimSpace(strings.Trim(strings.TrimPrefix(condition, "test "), "[]() "))
	}
	if rest, is := strings.CutPrefix(condition, "! "); is {
		return not(joined(rest, as, lookup))
	}
	return simple(condition, as, lookup)
}

// simple tells whether a condition of up to three words holds, or a command.
func simple(condition string, as kind, lookup Lookup) Truth {
	words := strings.Fields(condition)
	if len(words) < 1 || len(words) > 3 {
		return Unknown
	}
	for i, w := range words {
		var shown bool
		if n := nameLength(w); as == sums && n == len(w) && w[0] > '9' {
			w = "$" + w
		}
		if words[i], shown = plain(w, lookup); !shown {
			return Unknown
		}
	}
	switch {
	case as == command:
		if len(words) > 1 || words[0] != "true" && words[0] != "false" {
			return Unknown
		}
		return truth(words[0] == "true")
	case len(words) == 1:
		return truth(words[0] != "")
	case words[0] == "-n" && len(words) == 2:
		return truth(words[1] != "")
	case words[0] == "-z" && len(words) == 2:
		return truth(words[1] == "")
	case len(words) == 3:
		return compared(words[0], words[1], words[2])
	}
	return Unknown
}

// compared sets two values beside each other.
func compared(a, sign, b string) Truth {
	x, err := strconv.Atoi(a)
	y, other := strconv.Atoi(b)
	if sign == "=" || sign == "==" || sign == "!=" {
		return truth(Like(b, a) != (sign == "!="))
	}
	if err != nil || other != nil {
		return Unknown
	}
	switch sign {
	case "-eq":
		return truth(x == y)
	case "-ne":
		return truth(x != y)
	case "-gt", ">":
		return truth(x > y)
	case "-ge", ">=":
		return truth(x >= y)
	case "-lt", "<":
		return truth(x < y)
	case "-le", "<=":
		return truth(x <= y)
	}
	return Unknown
}
