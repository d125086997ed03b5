package shell

import (
	"strconv"
	"strings"
)

// mostTold is how many variables are looked up to tell which branches are taken.
const mostTold = 300

// branch is an if or a case that is open.
type branch struct {
	taken, told bool   // this branch of it, and whether the text alone tells
	done        bool   // one of its branches has been taken
	of          string // what a case compares
	between     bool   // a pattern of a case comes next
	outside     bool   // it stands in one that is not taken
}

// skipped tells whether its lines are left out.
func (o *branch) skipped() bool { return o.outside || o.told && !o.taken }

// Taken is a script without the lines of branches that its text alone tells are not taken; empty ones stand in their
// place. A variable that nothing sets is empty. Where a condition asks for something else than variables, or for one
// that a loop sets, its branches stay.
func Taken(text string, known func(name string) string) string {
	var b strings.Builder
	var open branches
	known = telling(text, known)
	for line := range strings.Lines(text) {
		if last := open.last(); last.between && !strings.HasPrefix(strings.TrimSpace(line), "esac") {
			line = last.arm(line)
		}
		word, condition, _ := strings.Cut(strings.TrimSpace(line), " ")
		word, condition = strings.TrimSuffix(word, ";"), strings.TrimSpace(condition)
		open.step(word, condition, known)
		skipped := open.last().skipped()
		test, rest, and := strings.Cut(line, "] &&")
		for and && strings.HasPrefix(strings.TrimSpace(test), "[") { // [ -n "$X" ] && ARGS+=(...)
			is, told := Holds(test+"]", known)
			skipped = skipped || told && !is
			test, rest, and = strings.Cut(rest, "] &&")
		}
		open.last().between = strings.HasSuffix(strings.TrimSpace(line), ";;") || open.last().between
		if skipped {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// telling looks variables up as known does, but gives a question mark for those that a loop sets, or getopts.
func telling(text string, known func(string) string) func(string) string {
	left := mostTold
	return func(name string) string {
		if left--; left < 0 {
			return "?"
		}
		value := known(name)
		for _, by := range [...]string{"for ", "read ", "-r ", `" `, "' "} { // the last two of getopts "m:t:" name
			if value == "" && name != "" && strings.Contains(text, by+name) {
				return "?"
			}
		}
		return value
	}
}

// branches are those that are open, the innermost last.
type branches []branch

// last is the innermost of the branches; of none an empty one.
func (b branches) last() *branch {
	if len(b) == 0 {
		return &branch{}
	}
	return &b[len(b)-1]
}

// step opens, turns or closes a branch by the words that begin a line.
func (b *branches) step(word, condition string, known func(string) string) {
	last := b.last()
	switch of, is := strings.CutSuffix(condition, " in"); {
	case word == "if" && strings.HasSuffix(condition, "fi") && strings.Contains(condition, "; then"): // in one line
	case word == "if":
		is, told := Holds(condition, known)
		*b = append(*b, branch{taken: is, told: told, done: is && told, outside: last.skipped()})
	case word == "elif":
		is, told := Holds(condition, known)
		last.taken, last.told = is && !last.done, told || last.done
		last.done = last.done || is && told
	case word == "else":
		last.taken = !last.done
	case word == "case" && is:
		of, told := plain(of, known)
		*b = append(*b, branch{taken: true, told: told, of: of, between: true, outside: last.skipped()})
	case (word == "fi" || word == "esac") && len(*b) > 0:
		*b = (*b)[:len(*b)-1]
	}
}

// arm begins a branch of a case with the line that has its pattern, and gives the rest of that.
func (o *branch) arm(line string) string {
	patterns, rest, is := strings.Cut(line, ")")
	if !is {
		return line
	}
	o.between = false
	one := false
	for pattern := range strings.SplitSeq(patterns, "|") {
		pattern = strings.TrimLeft(strings.TrimSpace(pattern), "(")
		o.told = o.told && (o.done || !strings.ContainsAny(pattern, "?[$"))
		one = one || Like(pattern, o.of)
	}
	o.taken = one && !o.done
	o.done = o.done || one
	return rest
}

// Like tells whether a text is as a pattern with stars has it.
func Like(pattern, text string) bool {
	parts := strings.Split(strings.NewReplacer(`"`, "", "'", "").Replace(pattern), "*")
	rest, is := strings.CutPrefix(text, parts[0])
	for i := 1; is && i < len(parts); i++ {
		if i == len(parts)-1 {
			return strings.HasSuffix(rest, parts[i])
		}
		_, rest, is = strings.Cut(rest, parts[i])
	}
	return is && rest == ""
}

// plain is a word of a condition with its variables put in, and whether the text alone tells it.
func plain(word string, known func(string) string) (string, bool) {
	word = strings.Trim(Expand(word, known), `"'`)
	of := strings.Trim(word, "${")
	switch {
	case strings.ContainsAny(word, "(`?#") || of != word && of != "" && of[0] <= '9': // of a command, or an argument
		return "", false
	case of != word: // what nothing sets
		return "", true
	}
	return word, true
}

// Holds tells whether a condition holds, and whether its text alone tells. Without brackets it is a command, of which
// only true and false are known.
func Holds(condition string, known func(string) string) (is, told bool) {
	condition, _, _ = strings.Cut(condition, ";")
	condition, no := strings.CutPrefix(strings.TrimSpace(condition), "! ")
	inner := strings.Trim(strings.TrimPrefix(condition, "test "), "[] ")
	command := inner == condition
	words := strings.Fields(inner)
	if len(words) > 0 && words[0] == "!" {
		words, no = words[1:], !no
	}
	if len(words) < 1 || len(words) > 3 {
		return false, false
	}
	for i, w := range words {
		if words[i], told = plain(w, known); !told {
			return false, false
		}
	}
	switch told = false; {
	case command:
		is = words[0] == "true"
		told = len(words) == 1 && (is || words[0] == "false")
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
		return Like(b, a) != (sign == "!="), true
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
