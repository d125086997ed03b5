package build

import (
	"encoding/binary"
	"slices"
)

// Kinds of what is imported and exported.
const kindFunction, kindTable, kindMemory, kindGlobal = 0, 1, 2, 3

// i32 and i64 are types of values.
const i32, i64 = 0x7f, 0x7e

// primary is the module that runs first.
func (s *splitter) primary() ([]byte, bool) {
	types := [][]byte{{byte(s.ordinary)}, binary.AppendUvarint(nil, uint64(s.pair)), {byte(s.ordinary)}}
	bodies := [][]byte{sized(s.enterSlot()), sized(s.throughSlot()), sized(s.placeholder())}
	for i, body := range s.bodies {
		if s.goes[i] {
			continue
		}
		types = append(types, binary.AppendUvarint(nil, uint64(s.types[i])))
		bodies = append(bodies, sized(s.inPrimary(body)))
	}
	var elements [][]byte
	for i := range s.slots() {
		to := s.fault
		if !s.goes[i] {
			to = s.place[i]
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

// exports are those of the program, with what the secondary module and the browser's side need.
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
	for i := range registers {
		add(register(i), kindGlobal, i)
	}
	for i, function := range s.imports {
		add(code62(i), kindFunction, s.place[function])
	}
	return vector(all), !r.bad
}

// kept is the number of a function in the primary module; -1 if it isn't there.
func (s *splitter) kept(number int) int {
	switch i := number - s.imported; {
	case i < 0:
		return number
	case i >= len(s.goes) || s.goes[i]:
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

// secondary is the module with the functions that go.
func (s *splitter) secondary() ([]byte, bool) {
	var c coder
	c.raw(0).number(0).get(0).raw(opCallIndirect, byte(s.ordinary), 0, opEnd)
	types, bodies := [][]byte{{byte(s.ordinary)}}, [][]byte{sized(c.b)}
	var segments [][]byte
	for i, body := range s.bodies {
		if s.goes[i] {
			types = append(types, []byte{byte(s.ordinary)})
			bodies = append(bodies, sized(s.inSecondary(body)))
		}
	}
	for i := 0; i < len(s.goes); i++ {
		var run [][]byte
		begin := i
		for ; i < len(s.goes) && s.goes[i]; i++ {
			run = append(run, binary.AppendUvarint(nil, uint64(s.place[i])))
		}
		if len(run) > 0 {
			segments = append(segments, segmentOfTable(slots+begin, run))
		}
	}
	start := section{id: startSection}
	if s.unfold != nil {
		start.body = binary.AppendUvarint(nil, uint64(len(s.imports)+len(bodies)))
		types = append(types, binary.AppendUvarint(nil, uint64(s.types[len(s.types)-1]))) // that of the other start
		bodies = append(bodies, sized(s.unfold))
	}
	all := sections{
		{typeSection, *s.sections.body(typeSection)},
		{importSection, s.secondaryImports()},
		{functionSection, vector(types)},
		start,
		{elementSection, vector(segments)},
		{codeSection, vector(bodies)},
		{dataSection, writeSegments(s.data)},
	}
	all = slices.DeleteFunc(all, func(part section) bool { return part.body == nil })
	return all.write(), len(s.imports) < 62*62
}

func (s *splitter) secondaryImports() []byte {
	var all [][]byte
	add := func(name string, kind ...byte) {
		all = append(all, slices.Concat(sized([]byte("p")), sized([]byte(name)), kind))
	}
	for i, function := range s.imports {
		add(code62(i), append([]byte{kindFunction}, binary.AppendUvarint(nil, uint64(s.types[function]))...)...)
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
	return vector(all)
}
