package shell

import "strings"

// Lookup gives the value of a variable. It isn't known where only a run of the script would show it.
type Lookup func(name string) (value string, lookup bool)

// Branches follows the conditions of a script, line by line. The zero value stands at its start.
type Branches struct{ open []branch }

// branch is an if or a case that is open, at one of its branches.
type branch struct {
	said    string // the condition, as the script has it
	of      string // what a case compares
	cased   bool
	free    bool  // what it compares isn't known
	between bool  // a pattern of a case comes next
	holds   Truth // of this branch by itself
	before  Truth // whether one before it was taken
}

// mostDepth is how deep conditions may nest.
const mostDepth = 32

// taken tells whether the lines of the branch count.
func (o *branch) taken() Truth { return and(o.holds, not(o.before)) }

// turn goes on to the next branch.
func (o *branch) turn(said string, holds Truth) {
	o.before = or(o.before, o.holds)
	o.said, o.holds = said, holds
}

// last is the innermost of the branches; of none an empty one.
func (b *Branches) last() *branch {
	if len(b.open) == 0 {
		return &branch{}
	}
	return &b.open[len(b.open)-1]
}

// state tells whether a line stands in branches that are taken, and the innermost condition that isn't known.
func (b *Branches) state() (taken bool, unsure string) {
	for i := range b.open {
		switch o := &b.open[i]; o.taken() {
		case No:
			return false, ""
		case Unknown:
			unsure = o.said
		}
	}
	return true, unsure
}

// Line takes the next line, which is whole. It gives what the line has beside conditions, whether the text tells that
// this is not run, and the condition that decides it where the text doesn't tell.
func (b *Branches) Line(line string, lookup Lookup) (rest string, taken bool, unsure string) {
	bare := strings.TrimSpace(line)
	if word, _, _ := strings.Cut(bare, " "); !b.last().cased && !begins(strings.TrimSuffix(word, ";"), bare) {
		taken, unsure = b.state()
		return line, taken, unsure
	}
	skipped := false
	for _, piece := range pieces(bare) {
		piece, is, said := b.piece(piece, lookup)
		if piece == "" {
			continue
		}
		switch unsure = said; {
		case !is && !taken:
			rest, skipped = piece, true // which may set a variable that nothing else sets
		case is && taken:
			rest += "; " + piece
		case is:
			rest, taken = piece, true
		}
	}
	return rest, taken || !skipped, unsure
}

// begins tells whether a line of a script begins with a condition, or ends one.
func begins(word, line string) bool {
	switch word {
	case "if", "elif":
		return strings.Contains(line, "then") || !strings.HasSuffix(line, ":") && strings.ContainsAny(line, "[(")
	case "else", "fi", "esac", "then":
		return true
	case "case":
		return strings.HasSuffix(line, " in") || strings.Contains(line, " in ")
	}
	return tests(line)
}

// tests tells whether a line begins with a test of a shell and a command that depends on it: [ -n "$X" ] && ...
func tests(line string) bool {
	return (strings.HasPrefix(line, "[") || strings.HasPrefix(line, "test ")) &&
		(strings.Contains(line, "&& ") || strings.Contains(line, "|| "))
}

// pieces are the commands of a line with semicolons between them; two semicolons are a piece of their own.
func pieces(line string) (all []string) {
	quote, begin := byte(0), 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ';':
			all = append(all, strings.TrimSpace(line[begin:i]))
			if i++; i < len(line) && line[i] == ';' {
				all = append(all, ";;")
				i++
			}
			begin = i
			i--
		}
	}
	return append(all, strings.TrimSpace(line[begin:]))
}

// piece takes a command of a line, and gives what is left of it.
func (b *Branches) piece(piece string, lookup Lookup) (rest string, taken bool, unsure string) {
	word, condition, _ := strings.Cut(piece, " ")
	last := b.last()
	switch {
	case word == "then" || word == "do":
		return b.piece(condition, lookup)
	case word == "if":
		condition = strings.TrimSpace(strings.TrimSuffix(condition, "then"))
		b.push(branch{said: said(word, condition), holds: Holds(condition, lookup), before: No})
		return "", true, ""
	case word == "elif" && len(b.open) > 0:
		condition = strings.TrimSpace(strings.TrimSuffix(condition, "then"))
		last.turn(said("if", condition), Holds(condition, lookup))
		return "", true, ""
	case word == "else" && len(b.open) > 0 && !last.cased:
		last.turn(strings.Replace(last.said, "if ", "if ! ", 1), Yes)
		return b.piece(condition, lookup)
	case word == "case" && (strings.Contains(condition, " in ") || strings.HasSuffix(condition, " in")):
		of, rest, _ := strings.Cut(condition+" ", " in ")
		of = strings.TrimSpace(of)
		value, whole := plain(of, lookup)
		if whole {
			of = value
		}
		b.push(branch{of: of, cased: true, free: !whole, between: true,
			holds: No, before: No})
		return b.piece(strings.TrimSpace(rest), lookup)
	case word == "fi" || word == "esac":
		b.open = b.open[:max(0, len(b.open)-1)]
		return "", true, ""
	case piece == ";;":
		last.between = last.cased
		return "", true, ""
	case last.between:
		patterns, rest, is := strings.Cut(piece, ")")
		if !is {
			return "", true, ""
		}
		last.between = false
		last.arm(strings.TrimSpace(strings.TrimLeft(patterns, "(")))
		return b.piece(strings.TrimSpace(rest), lookup)
	}
	taken, unsure = b.state()
	for taken && tests(piece) { // [ -n "$X" ] && ARGS+=(...)
		i, or := strings.Index(piece, "&& "), strings.Index(piece, "|| ")
		either := i < 0 || or >= 0 && or < i
		if either {
			i = or
		}
		holds := Holds(piece[:i], lookup)
		if either {
			holds = not(holds)
		}
		if holds == Unknown {
			unsure = said("if", piece[:i])
		}
		taken, piece = holds != No, strings.TrimSpace(piece[i+3:])
	}
	return piece, taken, unsure
}

//go:noinline
func (b *Branches) push(o branch) {
	if len(b.open) < mostDepth {
		b.open = append(b.open, o)
	}
}

// said is a condition as it is shown.
//
//go:noinline
func said(word, condition string) string { return word + " " + strings.Trim(condition, "[] ") }

// arm begins the branch of a case that has these patterns.
func (o *branch) arm(patterns string) {
	holds := No
	for pattern := range strings.SplitSeq(patterns, "|") {
		switch pattern = strings.TrimSpace(pattern); {
		case o.free || strings.ContainsAny(pattern, "?[$"):
			holds = or(holds, Unknown)
		case Like(pattern, o.of):
			holds = Yes
		}
	}
	o.turn("case "+o.of+" in "+patterns, holds)
}

// Like tells whether a text is as a pattern with stars has it.
func Like(pattern, text string) bool {
	parts := strings.Split(strings.ReplaceAll(strings.ReplaceAll(pattern, `"`, ""), "'", ""), "*")
	rest, is := strings.CutPrefix(text, parts[0])
	for i := 1; is && i < len(parts); i++ {
		if i == len(parts)-1 {
			return strings.HasSuffix(rest, parts[i])
		}
		_, rest, is = strings.Cut(rest, parts[i])
	}
	return is && rest == ""
}
