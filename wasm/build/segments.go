package build

import (
	"encoding/binary"
	"errors"
)

// Go's linker cuts a program's data wherever some bytes are zero, which makes some ninety thousand segments, each with
// an address of its own that doesn't compress. The memory is zero anyway; so segments that lie close together are
// joined, with the zeros between them. The program becomes larger on the disk and a tenth smaller on the wire, and
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
	all, memory, err := optimized(program)
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
		memory, _ = stripPclntab(stripDescriptions(memory, m, r), nil, r)
		u := fold(memory, none)
		memory, start = u.memory, u.start
	}
	return all.with(memory, start)
}

// optimized are the sections of a program, with its code optimized, and its data as they lie in memory.
func optimized(program []byte) (all sections, memory []byte, err error) {
	all, ok := readSections(program)
	data := all.body(dataSection)
	if !ok || data == nil {
		return nil, nil, errFormat
	}
	segments, ok := readSegments(*data)
	if memory = image(segments); !ok || memory == nil {
		return nil, nil, errFormat
	}
	if code := all.body(codeSection); code != nil {
		if *code, ok = peepholeCode(*code); !ok {
			return nil, nil, errFormat
		}
	}
	return all, memory, nil
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
