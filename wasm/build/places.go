package build

import (
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
)

// Go's compiler numbers the places of a function (PC_B): a new number begins where something in the pclntab changes,
// where a call returns to, and where a jump leads. A table at the function's begin leads from each number to its block.
// Most numbers are of no use: a function is only ever entered at its begin, behind a call, where it runs its deferred
// calls, and by its own jumps backward. So the places that are left are numbered anew, without gaps. The table becomes
// short, numbers take one byte, and the tables of the pclntab have few steps.
//
// What the runtime asks of the pclntab stays the same: the size of the frame at a place, and all else, as that of
// pointers, one before the place, where the call is (runtime/stkframe.go, getStackMap). The runtime's own functions
// keep their numbers, because its assembly enters some of them elsewhere; and so does a function into whose midst any
// number in code or data leads that isn't understood.

// atDeferReturn is where an entry of the pclntab says at which place the function runs its deferred calls.
const atDeferReturn = 12

// places are where a function is entered, in order: their old numbers, by their new ones. Nil if they stay.
type places []int

// newPlaces numbers the places of a program's functions anew, in its code. What it returns says how they were numbered,
// for what the pclntab says of them; it is nil where there is no pclntab as the linker writes it.
func (s sections) newPlaces(memory []byte) ([]places, bool) {
	t, ok := findPclntab(memory)
	m, readable := readModule(s.write())
	types, code := s.body(typeSection), s.body(codeSection)
	if !ok || !t.regular() || !readable || types == nil || code == nil ||
		len(*types) == 0 || !strings.HasPrefix(string((*types)[1:]), ordinaryType) {
		return nil, readable
	}
	all := make([]places, t.count)
	functions := make([]entered, min(t.count, len(m.bodies)))
	for i := range functions {
		at := t.entry(i)
		if m.types[i] == 0 && m.names[i] == linkerName(t.name(at)) && !strings.HasPrefix(m.names[i], "runtime.") {
			functions[i] = enteredAt(m.bodies[i], i, t.word(at+atDeferReturn))
		}
	}
	for i := range led(m, memory, functions) {
		functions[i].places = nil
	}
	out := binary.AppendUvarint(nil, uint64(len(m.bodies)))
	for i, body := range m.bodies {
		if i < len(functions) && functions[i].places != nil {
			all[i] = functions[i].places
			body = functions[i].renumbered(body)
		}
		out = append(out, sized(body)...)
	}
	*code = out
	return all, true
}

// ordinaryType is how the type section writes the type of Go's functions.
const ordinaryType = "\x60\x01\x7f\x01\x7f"

var notInNames = regexp.MustCompile(`[^\w.]`)

// linkerName is a function's name as the linker writes it for WebAssembly.
func linkerName(name string) string { return notInNames.ReplaceAllString(name, "_") }

// entered is how a function is entered: its table, and which of its instructions hold the number of a place.
type entered struct {
	places  places
	table   int         // the instruction br_table
	to      []int       // which block each entry of the table leaves; the last is for all others
	numbers map[int]int // the place of each instruction with one
}

// enteredAt finds the places of a function of that number; none where something isn't as Go's compiler writes it.
func enteredAt(body []byte, number, deferReturn int) (f entered) {
	all := code(body)
	f.table = slices.IndexFunc(all, func(c instruction) bool { return c.op == opBrTable })
	if f.table < 2 || !is(all[f.table-1], opLocalGet, 0) || !is(all[f.table-2], opBlock, empty) {
		return entered{}
	}
	r := &reader{b: body, at: all[f.table].begin + 1}
	for n := r.unsigned(); n >= 0; n-- {
		f.to = append(f.to, r.unsigned())
	}
	begin := f.table - 2
	for begin > 0 && is(all[begin-1], opBlock, empty) {
		begin--
	}
	loop := begin - 1 // the one around all blocks, if there is one
	if loop >= 0 && !is(all[loop], opLoop, empty) {
		loop = -1
	}
	if f.numbers = placesHeld(all, f.table, loop, number); r.bad || f.numbers == nil {
		return entered{}
	}
	used := map[int]bool{0: true, deferReturn: true}
	for _, place := range f.numbers {
		used[place] = true
	}
	for place := range used {
		f.places = append(f.places, place)
	}
	slices.Sort(f.places)
	return f
}

// placesHeld finds which instructions of a function hold the number of a place, and which place that is; nil where one
// isn't understood.
func placesHeld(all []instruction, table, loop, number int) map[int]int {
	found := map[int]int{}
	var open []int // where the blocks begin that are open
	for i, c := range all {
		switch c.op {
		case opBlock, opLoop, opIf:
			open = append(open, i)
		case opEnd:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case opBrTable:
			if i != table {
				return nil
			}
		case opBr, opBrIf:
			to := len(open) - 1 - int(c.number)
			if loop < 0 || to < 0 || open[to] != loop {
				continue
			}
			if c.op != opBr || i < 2 || all[i-2].op != opI32Const || !is(all[i-1], opLocalSet, 0) {
				return nil
			}
			found[i-2] = int(all[i-2].number)
		case opLocalGet:
			if i+pushes <= len(all) && isReturn(all[i:], number) {
				found[i+6] = int(all[i+6].number & placeMask)
			}
		case opI64Const:
			if _, ok := found[i]; !ok && c.number>>16 == int64(slots+number) && c.number&placeMask != 0 {
				return nil
			}
		}
	}
	return found
}

// placeMask are the bits of an address in the code that number a place; the others are the function's slot.
const placeMask = 1<<16 - 1

// led are the functions into whose midst a number leads in the code of another one or in the data.
func led(m module, memory []byte, functions []entered) map[int]bool {
	found := map[int]bool{}
	lead := func(to int64) {
		if i := to>>16 - slots; to&placeMask != 0 && i >= 0 && i < int64(len(functions)) && functions[i].places != nil {
			found[int(i)] = true
		}
	}
	for i, body := range m.bodies {
		for k, c := range code(body) {
			own := false
			if i < len(functions) {
				_, own = functions[i].numbers[k]
			}
			if !own && (c.op == opI64Const || c.op == opI32Const) {
				lead(c.number)
			}
		}
	}
	for at := 0; at+8 <= len(memory); at += 8 {
		if to := binary.LittleEndian.Uint64(memory[at:]); to>>32 == 0 {
			lead(int64(to))
		}
	}
	return found
}

// renumbered is the function's body with the new numbers.
func (f *entered) renumbered(body []byte) []byte {
	r, all := rewrite(body), code(body)
	for i, c := range all {
		if i == f.table {
			table := binary.AppendUvarint([]byte{opBrTable}, uint64(len(f.places)-1))
			for _, place := range f.places {
				table = binary.AppendUvarint(table, uint64(f.to[min(place, len(f.to)-1)]))
			}
			r.replace(c, c, table)
		}
		if place, ok := f.numbers[i]; ok {
			to := int(c.number) - place + int(f.places.renumbered(place))
			r.replace(c, c, appendSigned([]byte{c.op}, to))
		}
	}
	return r.end()
}

// renumbered is the new number of a place.
func (p places) renumbered(place int) uint32 {
	number, _ := slices.BinarySearch(p, place)
	return uint32(number)
}

// table is a table of the program's counter for the new places: that of the frame's size says what holds at a place,
// the others what held one before. The largest size is somewhere in it, since the runtime looks for that too.
func (p places) table(steps []byte, frame bool) []byte {
	values := stepValues(steps)
	value := func(place int) int { return values[min(max(place, 0), len(values)-1)] }
	var out []int
	for i, place := range p {
		switch {
		case frame:
			out = append(out, value(place))
		case i > 0:
			out = append(out, value(place-1))
		}
	}
	if frame {
		if largest := slices.Max(values); slices.Max(out) < largest {
			out = append(out, largest)
		}
	} else {
		out = append(out, value(p[len(p)-1]))
	}
	return writeSteps(out)
}

// stepValues is what a table says at each place.
func stepValues(steps []byte) (values []int) {
	r := &reader{b: steps}
	for value := -1; ; {
		change := r.unsigned()
		if r.bad || change == 0 && len(values) > 0 {
			return values
		}
		value += change>>1 ^ -(change & 1)
		for range r.unsigned() {
			values = append(values, value)
		}
	}
}

// writeSteps is the table that says these values.
func writeSteps(values []int) (out []byte) {
	for i, before := 0, -1; i < len(values); {
		n := 1
		for i+n < len(values) && values[i+n] == values[i] {
			n++
		}
		change := values[i] - before
		out = binary.AppendUvarint(out, uint64(uint32(change<<1^change>>63)))
		out = binary.AppendUvarint(out, uint64(n))
		before = values[i]
		i += n
	}
	return append(out, 0)
}
