package build

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// Kinds of what is imported and exported.
const kindFunction, kindTable, kindMemory, kindGlobal = 0, 1, 2, 3

// i32 and i64 are types of values.
const i32, i64 = 0x7f, 0x7e

// first is the module that runs first.
func (s *splitter) first() ([]byte, bool) {
	types := [][]byte{{byte(s.ordinary)}, binary.AppendUvarint(nil, uint64(s.pair))}
	bodies := [][]byte{sized(s.enterSlot(s.through)), sized(s.throughSlot(s.noted))}
	for k := inChapters; k < modules; k++ {
		types = append(types, []byte{byte(s.ordinary)})
		bodies = append(bodies, sized(s.placeholder(k)))
	}
	for _, i := range s.order[inFirst] {
		types = append(types, binary.AppendUvarint(nil, uint64(s.types[i])))
		bodies = append(bodies, sized(s.rewritten(i)))
	}
	var elements [][]byte
	for i := range s.slots() {
		to := s.place[i]
		if k := s.in[i]; k != inFirst {
			to = s.fault + k - inChapters
		}
		elements = append(elements, binary.AppendUvarint(nil, uint64(to)))
	}
	out := slices.Clone(s.sections)
	exports, ok := s.exports()
	start, started := s.start()
	if !ok || !started {
		return nil, false
	}
	for i, part := range out {
		switch part.id {
		case functionSection:
			out[i].body = vector(types)
		case codeSection:
			out[i].body = vector(bodies)
		case exportSection:
			out[i].body = exports
		case startSection:
			out[i].body = start
		case elementSection:
			out[i].body = vector([][]byte{segmentOfTable(slots, elements)})
		}
	}
	return out.write(), true
}

// slots is how many functions the table has: all but one that packing added for the start.
func (s *splitter) slots() int {
	r := &reader{b: *s.sections.body(elementSection)}
	r.bytes(2)
	r.byte()
	r.signed()
	r.byte()
	return min(r.unsigned(), len(s.bodies))
}

func segmentOfTable(at int, functions [][]byte) []byte {
	return append(append(appendSigned([]byte{0, opI32Const}, at), opEnd), vector(functions)...)
}

// exports are those of the program, with what later modules and the browser's side need.
func (s *splitter) exports() ([]byte, bool) {
	r := &reader{b: *s.sections.body(exportSection)}
	var all [][]byte
	add := func(name string, kind byte, number int) {
		all = append(all, binary.AppendUvarint(append(sized([]byte(name)), kind), uint64(number)))
	}
	for range r.unsigned() {
		name, kind, number := string(r.bytes(r.unsigned())), r.byte(), r.unsigned()
		if kind == kindFunction {
			if number = s.kept(number); number < 0 {
				return nil, false
			}
		}
		add(name, kind, number)
	}
	add("table", kindTable, 0)
	add("again", kindFunction, s.place[s.loop()])
	add("missing", kindGlobal, s.missing)
	add("noted", kindGlobal, s.noted)
	for i := range registers {
		add(register(i), kindGlobal, i)
	}
	for i, function := range s.exported {
		add(code62(i), kindFunction, s.place[function])
	}
	return vector(all), !r.bad && len(s.exported) < 62*62
}

// kept is the number of a function in the first module; -1 if it isn't there.
func (s *splitter) kept(number int) int {
	switch i := number - s.imported; {
	case i < 0:
		return number
	case i >= len(s.in) || s.in[i] != inFirst:
		return -1
	default:
		return s.place[i]
	}
}

func (s *splitter) start() ([]byte, bool) {
	body := s.sections.body(startSection)
	if body == nil {
		return nil, true
	}
	r := &reader{b: *body}
	number := s.kept(r.unsigned())
	return binary.AppendUvarint(nil, uint64(max(number, 0))), number >= 0
}

// register is the name of one of Go's registers between the modules, longer than those of functions.
func register(i int) string { return "reg" + string(rune('0'+i)) }

const digits62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// code62 is a short name for a number below 3,844.
func code62(i int) string { return string([]byte{digits62[i/62%62], digits62[i%62]}) }

// laterModule is the module of that number.
func (s *splitter) laterModule(k int) ([]byte, bool) {
	l := &s.later[k]
	types := [][]byte{{byte(s.ordinary)}, binary.AppendUvarint(nil, uint64(s.pair)), {byte(s.types[s.push])}}
	bodies := [][]byte{
		sized(s.enterSlot(l.enter + 1)),
		sized(s.throughSlot(registers)), // noted is imported behind them
		sized(push()),
	}
	for _, i := range s.order[k] {
		types = append(types, []byte{byte(s.ordinary)})
		bodies = append(bodies, sized(s.rewritten(i)))
	}
	var segments [][]byte
	for i := 0; i < len(s.in); i++ {
		var run [][]byte
		begin := i
		for ; i < len(s.in) && s.in[i] == k; i++ {
			run = append(run, binary.AppendUvarint(nil, uint64(s.place[i])))
		}
		if len(run) > 0 {
			segments = append(segments, segmentOfTable(slots+begin, run))
		}
	}
	start := section{id: startSection}
	if l.unfold != nil {
		start.body = binary.AppendUvarint(nil, uint64(len(l.imports)+len(bodies)))
		types = append(types, binary.AppendUvarint(nil, uint64(s.types[len(s.types)-1]))) // that of the other start
		bodies = append(bodies, sized(l.unfold))
	}
	all := sections{
		{typeSection, *s.sections.body(typeSection)},
		{importSection, s.laterImports(k)},
		{functionSection, vector(types)},
		start,
		{elementSection, vector(segments)},
		{codeSection, vector(bodies)},
		{dataSection, writeSegments(l.data)},
	}
	all = slices.DeleteFunc(all, func(part section) bool { return part.body == nil })
	return all.write(), true
}

func (s *splitter) laterImports(k int) []byte {
	var all [][]byte
	add := func(name string, kind ...byte) {
		all = append(all, slices.Concat(sized([]byte("p")), sized([]byte(name)), kind))
	}
	for _, function := range s.later[k].imports {
		name := code62(slices.Index(s.exported, function))
		add(name, append([]byte{kindFunction}, binary.AppendUvarint(nil, uint64(s.types[function]))...)...)
	}
	add("table", kindTable, 0x70, 0, 0)
	add("mem", kindMemory, 0, 0)
	for i := range registers {
		kind := byte(i64)
		if i == registerSP || i == registerPause {
			kind = i32
		}
		add(register(i), kindGlobal, kind, 1)
	}
	add("noted", kindGlobal, i32, 1)
	return vector(all)
}

// Texts in the code (go:string.*) come with the earliest module whose functions name them, unless other data lead to
// them. The linker writes no names of data; but it sorts these texts by length, and each begins where a number in the
// code or a word of the data leads. So where such places lie in a row, no text shorter than the one before it, each
// piece is one text; and none is part of a longer one, since the text that follows the whole would be as long as all
// its parts.

// smallLiterals is up to how many bytes texts stay where they are: each run of them that comes later takes an address.
const smallLiterals = 20

// neighbors is how many pieces before and after one must be in order.
const neighbors = 8

// piece is memory from a place that something leads to, up to the next such place, and which modules' code leads there;
// the first one's where data do, none if only code does that nobody runs.
type piece struct {
	span
	in [modules]bool
}

// literals adds the texts that only functions of later modules name to what comes with these, and takes those out of
// the memory that nobody names.
func (s *splitter) literals(memory []byte, apart [modules][]span) [modules][]span {
	pieces := s.pieces(memory)
	var found [modules][]span
	var nobody []span
	for i := neighbors; i+neighbors < len(pieces); i++ {
		k := slices.Index(pieces[i].in[:], true)
		if k == inFirst || !areTexts(memory, pieces[i-neighbors:i+neighbors+1]) {
			continue
		}
		if k < 0 {
			nobody = append(nobody, pieces[i].span)
			continue
		}
		if last := len(found[k]) - 1; last >= 0 && found[k][last].to == pieces[i].from {
			found[k][last].to = pieces[i].to
		} else {
			found[k] = append(found[k], pieces[i].span)
		}
	}
	for k, all := range found {
		for _, a := range all {
			if a.to-a.from >= smallLiterals {
				apart[k] = append(apart[k], a)
			}
		}
	}
	for _, a := range nobody {
		clear(memory[a.from:a.to])
	}
	return apart
}

// areTexts says whether the piece in the middle is a whole text among others.
func areTexts(memory []byte, around []piece) bool {
	size := func(i int) int { return around[i].to - around[i].from }
	last := len(around) - 1
	for i, p := range around {
		text := memory[p.from:p.to]
		if i > 0 && size(i) < size(i-1) || bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
			return false
		}
	}
	return size(last) < size(0)+size(last/2)
}

// pieces are all places in memory that code or data lead to, in order.
func (s *splitter) pieces(memory []byte) (all []piece) {
	leads := map[int][modules]bool{}
	const nobody = -1
	lead := func(to uint64, in int) {
		if to >= slots && to < uint64(len(memory)) {
			by := leads[int(to)]
			if in != nobody {
				by[in] = true
			}
			leads[int(to)] = by
		}
	}
	for i, body := range s.bodies {
		in := s.in[i]
		if s.isUnused(i) {
			in = nobody
		}
		for _, c := range code(body) {
			switch {
			case c.op == opI32Const:
				lead(uint64(uint32(c.number)), in)
			case c.op == opI64Const, opLoad <= c.op && c.op < opMemorySize:
				lead(uint64(c.number), in)
			}
		}
	}
	for at := 0; at+8 <= len(memory); at += 8 {
		lead(binary.LittleEndian.Uint64(memory[at:]), inFirst)
	}
	for at, in := range leads {
		all = append(all, piece{span{at, 0}, in})
	}
	slices.SortFunc(all, func(a, b piece) int { return a.from - b.from })
	for i := range all {
		all[i].to = len(memory)
		if i+1 < len(all) {
			all[i].to = all[i+1].from
		}
	}
	return all
}

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

// readers finds which modules read each file; the first one, where it can't be determined. No address within a file is
// known to the compiler, only where it begins.
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
