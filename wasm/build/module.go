package build

import (
	"encoding/binary"
	"errors"
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

// name is the name of a function by its number; empty where there is none.
func (m module) name(function int) string {
	if i := function - m.imported; i >= 0 && i < len(m.names) {
		return m.names[i]
	}
	return ""
}

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

// Go's linker cuts a program's data wherever some bytes are zero, which makes some ninety thousand segments, each with
// an address of its own that doesn't compress. The memory is zero anyway; so segments that lie close together are
// joined, with the zeros between them. The program becomes larger on the disk and a tenth smaller in transfer, and
// starts faster.

// near is the number of zero bytes up to which what lies around them stays in one segment.
const near = 64

// most is the size up to which memory is packed; Go's linker begins with a few megabytes.
const most = 64 << 20

// Sections and opcodes of the WebAssembly binary format that are needed here.
const (
	header     = 8
	opI32Const = 0x41
	opEnd      = 0x0b
)

var (
	errFormat = errors.New("the program isn't the WebAssembly that Go's linker writes")
	errCalls  = errors.New("the program doesn't call functions as it should; compare runtime/asm_wasm.s with split.go")
)

// pack writes the data of a program in fewer segments and optimizes its code. If the release that linked it is known,
// its pclntab is stripped, and computed when the program starts as far as it can be.
func pack(program []byte, r release) ([]byte, error) {
	all, memory, entered, err := optimized(program, r)
	if err != nil {
		return nil, err
	}
	var start []byte
	if r.known() {
		var none [modules][]span
		m, ok := readModule(program)
		if !ok {
			return nil, errFormat
		}
		if memory, _, ok = stripPclntab(stripDescriptions(memory, m, r), nil, entered, r); !ok {
			return nil, errFormat
		}
		u := elideTables(memory, none)
		memory, start = u.memory, u.start
	}
	return all.with(memory, start)
}

// optimized are the sections of a program, with its code optimized, its data as they lie in memory, and at which places
// its functions are entered, if the release that linked it is known: what the pclntab says of these is to be changed.
func optimized(program []byte, r release) (all sections, memory []byte, entered []places, err error) {
	all, ok := readSections(program)
	data := all.body(dataSection)
	if !ok || data == nil {
		return nil, nil, nil, errFormat
	}
	segments, ok := readSegments(*data)
	if memory = image(segments); !ok || memory == nil {
		return nil, nil, nil, errFormat
	}
	if code := all.body(codeSection); code != nil {
		if *code, ok = peepholeCode(*code); !ok {
			return nil, nil, nil, errFormat
		}
	}
	if r.known() {
		if entered, ok = all.newPlaces(memory); !ok {
			return nil, nil, nil, errFormat
		}
	}
	if !all.shareReturns() || !all.shorten() {
		return nil, nil, nil, errFormat
	}
	return all, memory, entered, nil
}

// with is the program with other data and, unless it is nil, a function that runs when it is instantiated.
func (s sections) with(memory, start []byte) ([]byte, error) {
	*s.body(dataSection) = writeSegments(cut(memory))
	if start != nil {
		var ok bool
		if s, ok = s.begin(start); !ok {
			return nil, errFormat
		}
	}
	return s.write(), nil
}

// segment is a piece of the program's data and where it begins in memory.
type segment struct {
	at    int
	bytes []byte
}

// image is the memory that segments fill, from address 0; nil if they don't fit into what is packed.
func image(segments []segment) []byte {
	size := 0
	for _, s := range segments {
		if s.at < 0 || s.at > most || len(s.bytes) > most {
			return nil
		}
		size = max(size, s.at+len(s.bytes))
	}
	memory := make([]byte, size)
	for _, s := range segments {
		copy(memory[s.at:], s.bytes)
	}
	return memory
}

// cut is the memory in segments, without the longer runs of zeros.
func cut(memory []byte) []segment {
	var out []segment
	begin, end := 0, 0 // what isn't written yet ends at end, and only zeros follow
	for at, b := range memory {
		if b == 0 {
			continue
		}
		if at-end > near || end == 0 {
			if end > begin {
				out = append(out, segment{begin, memory[begin:end]})
			}
			begin = at
		}
		end = at + 1
	}
	if end > begin {
		out = append(out, segment{begin, memory[begin:end]})
	}
	return out
}

func readSegments(body []byte) ([]segment, bool) {
	r := &reader{b: body}
	segments := make([]segment, 0, 1<<10)
	for range r.unsigned() {
		if r.unsigned() != 0 || r.byte() != opI32Const { // memory 0, at a constant address
			return nil, false
		}
		at := r.signed()
		if r.byte() != opEnd {
			return nil, false
		}
		segments = append(segments, segment{at, r.bytes(r.unsigned())})
	}
	return segments, !r.bad && r.at == len(body)
}

func writeSegments(segments []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		out = append(appendSigned(append(out, 0, opI32Const), s.at), opEnd)
		out = append(binary.AppendUvarint(out, uint64(len(s.bytes))), s.bytes...)
	}
	return out
}

// reader reads the binary format; once something is missing it is bad and reads zeros.
type reader struct {
	b   []byte
	at  int
	bad bool
}

func (r *reader) byte() byte {
	if r.at >= len(r.b) {
		r.bad = true
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b)-r.at {
		r.bad = true
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

// unsigned reads a LEB128 number of at most 32 bits.
func (r *reader) unsigned() int {
	n, shift := 0, 0
	for {
		c := r.byte()
		n |= int(c&0x7f) << shift
		if c < 0x80 || r.bad {
			return n
		}
		if shift += 7; shift > 34 {
			r.bad = true
			return 0
		}
	}
}

// signed reads a signed LEB128 number of 32 bits. Addresses above 2 GiB come out negative.
func (r *reader) signed() int {
	n, shift := 0, 0
	for {
		c := r.byte()
		n |= int(c&0x7f) << shift
		shift += 7
		if c < 0x80 || r.bad {
			if c&0x40 != 0 {
				n -= 1 << shift
			}
			return n
		}
		if shift > 34 {
			r.bad = true
			return 0
		}
	}
}

func appendSigned(b []byte, n int) []byte {
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
