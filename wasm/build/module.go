package build

import (
	"encoding/binary"
	"slices"
)

// module is a program taken apart into its functions.
type module struct {
	sections sections
	imported int      // functions that it imports, which are numbered before its own
	types    []int    // the type of each function of its own
	bodies   [][]byte // and its body
	names    []string // and its name, where the linker wrote them
}

// Sections that only taking programs apart needs, and the name section's part for functions.
const (
	customSection  = 0
	tableSection   = 4
	globalSection  = 6
	exportSection  = 7
	elementSection = 9
	functionNames  = 1
)

func readModule(program []byte) (m module, ok bool) {
	if m.sections, ok = readSections(program); !ok {
		return m, false
	}
	functions, code := m.sections.body(functionSection), m.sections.body(codeSection)
	if functions == nil || code == nil {
		return m, false
	}
	if imports := m.sections.body(importSection); imports != nil {
		if m.imported, ok = importedFunctions(*imports); !ok {
			return m, false
		}
	}
	r := &reader{b: *functions}
	for range r.unsigned() {
		m.types = append(m.types, r.unsigned())
	}
	c := &reader{b: *code}
	for range c.unsigned() {
		m.bodies = append(m.bodies, c.bytes(c.unsigned()))
	}
	m.names = make([]string, len(m.bodies))
	return m, !r.bad && !c.bad && len(m.types) == len(m.bodies) && m.readNames()
}

// readNames reads the names of functions, where there are any.
func (m *module) readNames() bool {
	for _, s := range m.sections {
		r := &reader{b: s.body}
		if s.id != customSection || string(r.bytes(r.unsigned())) != "name" {
			continue
		}
		for r.at < len(r.b) && !r.bad {
			kind, part := r.byte(), r.bytes(r.unsigned())
			if kind != functionNames {
				continue
			}
			n := &reader{b: part}
			for range n.unsigned() {
				i, name := n.unsigned()-m.imported, n.bytes(n.unsigned())
				if n.bad || i >= len(m.names) {
					return false
				}
				if i >= 0 {
					m.names[i] = string(name)
				}
			}
		}
		return !r.bad
	}
	return true
}

// nameless is a program without the names of its functions.
func nameless(program []byte) []byte {
	all, ok := readSections(program)
	if !ok {
		return program
	}
	return sections(slices.DeleteFunc(all, func(part section) bool {
		r := &reader{b: part.body}
		return part.id == customSection && string(r.bytes(r.unsigned())) == "name"
	})).write()
}

// vector is a list of elements as the format writes it.
func vector(elements [][]byte) []byte {
	out := binary.AppendUvarint(nil, uint64(len(elements)))
	for _, e := range elements {
		out = append(out, e...)
	}
	return out
}

// sized is bytes after their number.
func sized(b []byte) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(b))), b...)
}
