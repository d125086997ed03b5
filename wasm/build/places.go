package build

import (
	"encoding/binary"
	"maps"
	"regexp"
	"slices"
	"strconv"
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
//
// A call of what never returns, as of a panic, needs no place of its own: nobody enters the function behind it. So it
// takes one at which the pclntab says the same. Behind runtime.sigpanic only the frame must be as large: of pointers
// the runtime then asks where the function runs its deferred calls, or nothing (runtime/traceback.go, continpc).

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
			functions[i].share(m.name, t.saysAt(at))
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
	places   places
	table    int         // the instruction br_table
	to       []int       // which block each entry of the table leaves; the last is for all others
	numbers  map[int]int // the place of each instruction with one
	called   map[int]int // the function that is called next, by the instruction with the place where it returns to
	deferred int         // where the function runs its deferred calls; 0 if it has none
	as       map[int]int // places that are not taken, each with one that is taken instead
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
	f.called = map[int]int{}
	for at := range f.numbers {
		if all[at].op == opI64Const && at+3 < len(all) && is(all[at+2], opI32Const, 0) && all[at+3].op == opCall {
			f.called[at] = int(all[at+3].number)
		}
	}
	f.deferred = deferReturn
	f.count()
	return f
}

// count lists the places that are left, in order.
func (f *entered) count() {
	used := map[int]bool{0: true, f.deferred: true}
	for _, place := range f.numbers {
		used[f.taken(place)] = true
	}
	f.places = slices.Sorted(maps.Keys(used))
}

// taken is the place that is taken in place of one.
func (f *entered) taken(place int) int {
	if as, ok := f.as[place]; ok {
		return as
	}
	return place
}

// said is what the pclntab says of a place: how large the frame is, and all that it says.
type said struct{ frame, all string }

// saysAt is what the pclntab says of the places of the function with that entry.
func (t *pclntab) saysAt(entry int) func(place int) said {
	var frame []int
	var others [][]int
	for i, p := range t.tables(entry) {
		steps := t.steps(t.word(p))
		switch {
		case t.word(p) == 0 || i > 0 && slices.Contains(idleTables[:], i-1):
		case i == 0:
			frame = stepValues(steps)
		default:
			others = append(others, stepValues(steps))
		}
	}
	return func(place int) (s said) {
		if frame != nil {
			s.frame = strconv.Itoa(valueAt(frame, place))
		}
		s.all = s.frame
		for _, values := range others {
			s.all += " " + strconv.Itoa(valueAt(values, place-1))
		}
		return s
	}
}

// share lets calls that never return take the places of others. A function's name is that by its number.
func (f *entered) share(name func(function int) string, says func(place int) said) {
	if f.places == nil {
		return
	}
	returned, last := map[int]bool{0: true, f.deferred: true}, map[int]string{}
	for at, place := range f.numbers {
		if called, ok := f.called[at]; ok && neverReturns(name(called)) {
			last[place] = name(called)
		} else {
			returned[place] = true
		}
	}
	frames, all := map[string]int{}, map[string]int{} // places that are taken, by what the pclntab says of them
	take := func(place int, s said) {
		for key, known := range map[string]map[string]int{s.frame: frames, s.all: all} {
			if _, ok := known[key]; !ok {
				known[key] = place
			}
		}
	}
	for _, place := range f.places {
		if returned[place] && place > 0 {
			take(place, says(place))
		}
	}
	f.as = map[int]int{}
	for _, place := range f.places {
		if returned[place] {
			continue
		}
		s := says(place)
		to, ok := all[s.all]
		if last[place] == sigpanic {
			to, ok = frames[s.frame]
		}
		if ok {
			f.as[place] = to
		} else {
			take(place, s)
		}
	}
	f.count()
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
			to := int(c.number) - place + int(f.places.renumbered(f.taken(place)))
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
	value := func(place int) int { return valueAt(values, place) }
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

// valueAt is what a table says at a place.
func valueAt(values []int, place int) int { return values[min(max(place, 0), len(values)-1)] }

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

// writeSteps is the table that says these values. The last one holds as far as it may, so that functions with more
// and with fewer places have the same table.
func writeSteps(values []int) (out []byte) {
	for i, before := 0, -1; i < len(values); {
		n := 1
		for i+n < len(values) && values[i+n] == values[i] {
			n++
		}
		change := values[i] - before
		before = values[i]
		if i += n; i == len(values) {
			n = max(n, far)
		}
		out = binary.AppendUvarint(out, uint64(uint32(change<<1^change>>63)))
		out = binary.AppendUvarint(out, uint64(n))
	}
	return append(out, 0)
}

// far is how many places the last step of a table goes on for, if it needn't more: the most that take one byte.
const far = 1<<7 - 1
