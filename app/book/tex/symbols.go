package tex

import (
	_ "embed" // the tables
	"strings"
)

//go:embed symbols.txt
var symbolTable string

//go:embed functions.txt
var functionTable string

// sign is an entry of symbols.txt.
type sign struct{ kind, char string }

// The tables, read once: symbols by command, by character, and functions by name (true: their index goes below).
var (
	symbols    = readSymbols(symbolTable, 1)
	characters = readSymbols(symbolTable, 2)
	functions  = readFunctions(functionTable)
)

// readSymbols reads symbols.txt, keyed by command (1) or by character (2).
func readSymbols(table string, key int) map[string]sign {
	out := map[string]sign{}
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		for i := 1; i+1 < len(f); i += 2 {
			if name := f[i+key-1]; out[name].kind == "" {
				out[name] = sign{f[0], f[i+1]}
			}
		}
	}
	return out
}

// readFunctions reads functions.txt.
func readFunctions(table string) map[string]bool {
	out := map[string]bool{}
	limits := false
	for line := range strings.Lines(table) {
		if line[0] == '#' {
			continue
		}
		for _, name := range strings.Fields(line) {
			out[name] = limits
		}
		limits = true
	}
	return out
}

// symbol finds a command in symbols.txt.
func symbol(name string) (kind, char string) {
	s := symbols[name]
	return s.kind, s.char
}

// symbolNode makes the element of a symbol; nil for an unknown kind.
func symbolNode(kind, char string) *node {
	switch kind {
	case "letter":
		return leaf("mi", char)
	case "upright", "sign":
		return leaf("mi", char, "mathvariant", "normal")
	case "op":
		return op(char)
	case "big":
		n := op(char, "movablelimits", "true")
		n.limits = true
		return n
	case "integral":
		return op(char)
	case "open":
		n := op(char, "stretchy", "false")
		n.class = opening
		return n
	case "close", "fence":
		n := op(char, "stretchy", "false", "lspace", "0", "rspace", "0")
		n.class = closing
		return n
	}
	return nil
}

// unicodeAtom finds a character that was typed instead of its command.
func unicodeAtom(char string) *node {
	if s := characters[char]; char[0] >= 0x80 {
		return symbolNode(s.kind, s.char)
	}
	return nil
}

// functionNode makes the element of \log and its like; nil if name is none.
func functionNode(name string) *node {
	limits, ok := functions[name]
	if !ok {
		return nil
	}
	return functionName(name, limits)
}

func functionName(name string, limits bool) *node {
	switch name { // written as two words
	case "argmax", "argmin", "limsup", "liminf":
		name = name[:3] + "\u2009" + name[3:]
	}
	n := leaf("mo", name)
	n.class, n.limits = function, limits
	if limits {
		n.with("movablelimits", "true")
	}
	return n
}
