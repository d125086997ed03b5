package build

import (
	"encoding/binary"
	"slices"
)

// Sections of the WebAssembly binary format that are needed here.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	startSection    = 8
	codeSection     = 10
	dataSection     = 11
)

// section is a part of a program.
type section struct {
	id   byte
	body []byte
}

type sections []section

func readSections(program []byte) (sections, bool) {
	if len(program) < header || string(program[:header]) != "\x00asm\x01\x00\x00\x00" {
		return nil, false
	}
	var all sections
	r := &reader{b: program, at: header}
	for r.at < len(program) && !r.bad {
		id := r.byte()
		all = append(all, section{id, r.bytes(r.unsigned())})
	}
	return all, !r.bad
}

func (s sections) write() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, part := range s {
		out = append(binary.AppendUvarint(append(out, part.id), uint64(len(part.body))), part.body...)
	}
	return out
}

// body is where the body of a section is; nil if there is no such section.
func (s sections) body(id byte) *[]byte {
	i := slices.IndexFunc(s, func(part section) bool { return part.id == id })
	if i < 0 {
		return nil
	}
	return &s[i].body
}

// peepholeCode is the code section with every function's body optimized.
func peepholeCode(body []byte) ([]byte, bool) {
	r := &reader{b: body}
	count := r.unsigned()
	out := binary.AppendUvarint(make([]byte, 0, len(body)), uint64(count))
	for range count {
		short := peephole(r.bytes(r.unsigned()))
		if r.bad {
			return nil, false
		}
		out = append(binary.AppendUvarint(out, uint64(len(short))), short...)
	}
	return out, r.at == len(body)
}

// begin adds a function without parameters and results that runs when the program is instantiated.
func (s sections) begin(function []byte) (sections, bool) {
	types, imports, functions, code := s.body(
		typeSection,
	), s.body(
		importSection,
	), s.body(
		functionSection,
	), s.body(
		codeSection,
	)
	if types == nil || functions == nil || code == nil || s.body(startSection) != nil {
		return nil, false
	}
	imported := 0
	if imports != nil {
		var ok bool
		if imported, ok = importedFunctions(*imports); !ok {
			return nil, false
		}
	}
	kind, declared := appended(types, []byte{0x60, 0, 0})
	number, ok := appended(functions, binary.AppendUvarint(nil, uint64(kind)))
	_, also := appended(code, append(binary.AppendUvarint(nil, uint64(len(function))), function...))
	if !declared || !ok || !also {
		return nil, false
	}
	at := slices.IndexFunc(s, func(part section) bool { return part.id > startSection })
	return slices.Insert(s, at, section{startSection, binary.AppendUvarint(nil, uint64(imported+number))}), true
}

// appended adds an element to the list that a section is and returns its number.
func appended(body *[]byte, element []byte) (int, bool) {
	r := &reader{b: *body}
	count := r.unsigned()
	if r.bad {
		return 0, false
	}
	*body = slices.Concat(binary.AppendUvarint(nil, uint64(count+1)), (*body)[r.at:], element)
	return count, true
}

// importedFunctions counts the functions that a program imports, which are numbered before its own.
func importedFunctions(body []byte) (int, bool) {
	r := &reader{b: body}
	count := r.unsigned()
	for range count {
		r.bytes(r.unsigned())
		r.bytes(r.unsigned())
		if r.byte() != 0 { // no function; Go imports nothing else
			return 0, false
		}
		r.unsigned()
		if r.bad {
			return 0, false
		}
	}
	return count, true
}
