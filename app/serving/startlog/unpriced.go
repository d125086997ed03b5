package startlog

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

// besideTable is words of flags that say nothing of a card's memory, or what other flags say again: a flag whose name
// has one of them needs no naming.
//
//go:embed aside.txt
var besideTable string

// The most flags that are named, and the most of a text that is looked through for them.
const (
	mostUnpriced = 8
	mostCommand  = 1 << 16
)

// readUnpriced keeps the flags of a command that no step of the ledger counts, and layouts that it says twice, as one
// of prefill and one of decode does: whoever reads the ledger must know. Flags of other programs stand before the
// engine.
func (l *Log) readUnpriced(command string) {
	command = command[:min(len(command), mostCommand)]
	for line := range strings.Lines(flagTable) {
		name, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		var values []string
		for theirs := range strings.FieldsSeq(names) {
			flagIn(command, theirs, func(value string) bool {
				switch n, err := strconv.Atoi(value); {
				case name == "unpriced" && off(value):
				case name == "unpriced":
					l.unpriced(theirs, "")
				case l.degree(name) != nil && err == nil && n > 0 && !slices.Contains(values, value):
					if values = append(values, value); len(values) > 1 {
						l.unpriced(theirs, value)
					}
				}
				return false
			})
		}
	}
	if len(l.Figures) > 0 {
		return
	}
	start := startOf(command)
	// settings that name no engine, or that it reads
	if start == len(command) || strings.Contains(command, "--config") {
		for line := range strings.Lines(command) {
			key, value, of := strings.Cut(strings.TrimSpace(line), ": ")
			name := strings.ReplaceAll(key, "-", "_")
			if of && isWord(name) && strings.HasPrefix(line, key) && strings.Contains(name, "_") &&
				name == strings.ToLower(name) && !known(name) && !off(value) {
				l.unpriced(name, "")
			}
		}
	}
	text := command[start:]
	for len(l.Unpriced) < mostUnpriced {
		_, rest, found := strings.Cut(text, "--")
		if !found {
			return
		}
		before := text[:len(text)-len(rest)-2]
		n := 0
		for n < len(rest) && (identifier(rest[n]) || strings.IndexByte("-.", rest[n]) >= 0) {
			n++
		}
		text = rest[n:]
		name := strings.ReplaceAll(rest[:n], "-", "_")
		inWord := before != "" && strings.IndexByte(" \t\n\"',[", before[len(before)-1]) < 0
		if n < 3 || inWord || !identifier(rest[0]) || known(name) {
			continue
		}
		value := valueAt(text, true)
		if len(value) > 3 && strings.Count(command, value) > 1 { // a file that the text itself writes
			continue
		}
		if off(value) || value == "true" || strings.IndexByte("{[$", value[0]) >= 0 {
			value = ""
		}
		l.unpriced(name, value)
	}
}

// off tells whether the value of a switch leaves it off.
func off(value string) bool { return value == "" || value == "0" || strings.EqualFold(value, "false") }

// unpriced keeps a flag, with its value if it needs one.
func (l *Log) unpriced(name, value string) {
	if name[0] >= 'a' {
		name = "--" + strings.ReplaceAll(name, "_", "-")
	}
	if value != "" {
		value = " " + value
	}
	stands := func(flag string) bool { return flag == name || strings.HasPrefix(flag, name+" ") }
	if len(l.Unpriced) < mostUnpriced && (value != "" || !slices.ContainsFunc(l.Unpriced, stands)) {
		l.Unpriced = append(l.Unpriced, name+value)
	}
}

// known tells whether a flag is read, whole or cut short, or needs no naming.
func known(name string) bool {
	for word := range strings.FieldsSeq(besideTable) {
		if strings.Contains(name, word) {
			return true
		}
	}
	for line := range strings.Lines(flagTable) {
		for theirs := range strings.FieldsSeq(line) {
			if theirs == name || len(name) > 11 && strings.HasPrefix(theirs, name) ||
				strings.HasPrefix(name, theirs+".") {
				return true
			}
		}
	}
	return false
}

// startOf is where a command names its engine first; its end if nowhere.
func startOf(text string) int {
	lower, at := strings.ToLower(text), len(text)
	for line := range strings.Lines(engineTable) {
		words, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if i := strings.Index(lower, words); i >= 0 && words != "" {
			at = min(at, i)
		}
	}
	return at
}
