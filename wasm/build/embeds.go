package build

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// A file that the program embeds comes with the earliest module that reads it. The compiler lets one variable of two
// words lead to each, where the file lies and how long it is; so a file is read by the functions in whose code that
// variable's address stands. Where other data lead to the file or to the variable, it stays in the first module.

// smallText is up to how many bytes an embedded file stays where it is.
const smallText = 200

// embedded adds the files that only functions of later modules read to what comes with these.
func (s *splitter) embedded(memory []byte, texts []string, apart [modules][]span) [modules][]span {
	var files, variables []span
	for _, text := range texts {
		at := bytes.Index(memory, []byte(text))
		if len(text) < smallText || at < 0 || bytes.Contains(memory[at+1:], []byte(text)) {
			continue
		}
		want := binary.LittleEndian.AppendUint64(nil, uint64(at))
		want = binary.LittleEndian.AppendUint64(want, uint64(len(text)))
		variable := bytes.Index(memory, want)
		if variable < 0 || variable%8 != 0 || bytes.Contains(memory[variable+1:], want) {
			continue
		}
		files = append(files, span{at, at + len(text)})
		variables = append(variables, span{variable, variable + len(want)})
	}
	reads := s.readers(memory, files, variables)
	for i, file := range files {
		if k := slices.Index(reads[i][:], true); k > inFirst {
			apart[k] = append(apart[k], file)
		}
	}
	return apart
}

// readers finds which modules read each file; the first one, where it can't be told. No address within a file is known
// to the compiler, only where it begins.
func (s *splitter) readers(memory []byte, files, variables []span) [][modules]bool {
	reads := make([][modules]bool, len(files))
	begins := slices.Clone(files)
	for i := range begins {
		begins[i].to = begins[i].from + 1
	}
	lead := func(to uint64, in int, where ...[]span) {
		for _, all := range where {
			for i, a := range all {
				if to >= uint64(a.from) && to < uint64(a.to) {
					reads[i][in] = true
				}
			}
		}
	}
	for i, body := range s.bodies {
		for _, c := range code(body) {
			if c.op == opI32Const || c.op == opI64Const || opLoad <= c.op && c.op < opMemorySize {
				number := uint64(c.number)
				if c.op == opI32Const {
					number = uint64(uint32(c.number))
				}
				lead(number, s.in[i], variables)
			}
		}
	}
	for at := 0; at+8 <= len(memory); at += 8 {
		word := binary.LittleEndian.Uint64(memory[at:])
		if word == 0 || slices.ContainsFunc(variables, func(v span) bool { return v.from == at }) {
			continue
		}
		if i := slices.IndexFunc(files, func(f span) bool { return at >= f.from && at < f.to }); i < 0 {
			lead(word, inFirst, begins, variables)
		}
	}
	return reads
}
