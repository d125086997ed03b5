package build

import (
	"encoding/binary"
	"slices"
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
	for i := range s.bodies {
		if s.in[i] != inFirst {
			continue
		}
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
	types := [][]byte{{byte(s.ordinary)}, binary.AppendUvarint(nil, uint64(s.pair))}
	bodies := [][]byte{sized(s.enterSlot(l.enter + 1)), sized(s.throughSlot(registers))} // noted is imported behind them
	var segments [][]byte
	for i := 0; i < len(s.in); i++ {
		var run [][]byte
		begin := i
		for ; i < len(s.in) && s.in[i] == k; i++ {
			types = append(types, []byte{byte(s.ordinary)})
			bodies = append(bodies, sized(s.rewritten(i)))
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
