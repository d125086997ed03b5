package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// table is a change a line: the file below app, what it changes, the text, which is there once, and what takes its
// place. Ends of lines and tabs in them are written \n and \t.
//
//go:embed mutations.tsv
var table string

// mutation is a change of a coefficient.
type mutation struct{ file, name, old, changed string }

// String names m.
func (m mutation) String() string { return m.file + ": " + m.name }

// mutations reads the table.
func mutations(text string) (all []mutation, err error) {
	plain := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("mutations.tsv: %q has %d cells; write file, name, text and its change", line, len(cells))
		}
		all = append(all, mutation{cells[0], cells[1], plain.Replace(cells[2]), plain.Replace(cells[3])})
	}
	return all, nil
}

// change is a file with m made.
func (m mutation) change(text string) (string, error) {
	if n := strings.Count(text, m.old); n != 1 {
		return "", fmt.Errorf("mutations.tsv: %s: %q is there %d times; write text that is there once", m, m.old, n)
	}
	return strings.Replace(text, m.old, m.changed, 1), nil
}
