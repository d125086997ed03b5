package build

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"
)

// The linker keeps what code leads to, also by a way that a program in a browser never takes. What lies only on such
// ways is emptied here: its slot stays, and a trap stands in it.
//
//   - never.txt names functions at which such ways begin. Of Go's runtime: the tracer, profiles and checks that GODEBUG
//     or a debugger turns on; other threads, and other processors to take goroutines from; cgo; what it prints of a
//     heap that is broken; bubbles of tests; a second module whose types are compared. Of go-app, of which package
//     browser uses components that are empty elements and the loop in which these are updated: elements with
//     attributes, texts or handlers, states, actions, the storage, the page that isn't found, fields of components,
//     which alone reflection would set. What the list of the first module names, because it was seen to run, is left
//     alone.
//   - quiet.txt names functions that only print, when a program has failed, where its goroutines stood: addresses, as
//     the program has no names of functions. They return at once. What went wrong is printed before them.
//   - Functions that compare two values of a type for whoever knows only its description: the runtime, for what an
//     interface holds or for the keys of a map. Of a type that is never either they go. Reflection can make an
//     interface of a part of what another one holds; where anybody might compare that, the types of all such parts keep
//     theirs.
//   - Methods of a type that no interface holds, in so far as only its description leads there.
//   - Functions written in the midst of one that never runs, which alone could make a value of them.
//
// All that only these lead to goes with them; and what that held in interfaces, nobody holds any more.

var (
	//go:embed never.txt
	neverRun string

	//go:embed quiet.txt
	quietRun string
)

// returning is a function of Go's runtime that does nothing but return, as one does that has no results.
const returning = "runtime.mapinitnoop"

// hush lets the functions that only print return at once.
func (s *splitter) hush() {
	nothing := slices.Index(s.names, returning)
	if nothing < 0 {
		return
	}
	for name := range names(quietRun) {
		if i := slices.Index(s.names, name); i >= 0 && s.types[i] == s.ordinary {
			s.bodies[i] = s.bodies[nothing]
		}
	}
}

// unused finds what nobody runs of a program as Go links it.
type unused struct {
	module
	memory []byte
	area   span // of the descriptions of types
	list   []described
	number map[int]int // in the list, by where a description begins
	dead   []bool      // functions that never run
	used   []bool      // functions that may run, as far as is known
}

// dropUnused notes the functions that nobody runs, and returns the memory without what led there.
func (s *splitter) dropUnused(memory []byte, r release, in func(string) int) []byte {
	table, at, ok := findModuleData(memory, r)
	if !ok {
		return memory
	}
	s.hush()
	u := &unused{module: s.module, memory: slices.Clone(memory), area: table.typeRange(at, r), number: map[int]int{},
		dead: make([]bool, len(s.bodies))}
	u.list = typesIn(memory, u.area)
	for i, d := range u.list {
		u.number[d.at] = i
	}
	for name := range names(neverRun) {
		if i := slices.Index(s.names, name); i >= 0 {
			u.dead[i] = in(name) != inFirst
		}
	}
	if !slices.Contains(s.names, "reflect.Value.Method") { // without which there is no value of a method, nor its call
		for _, name := range []string{"reflect.makeMethodValue", "reflect.methodValueCall", "reflect.callMethod"} {
			if i := slices.Index(s.names, name); i >= 0 {
				u.dead[i] = true
			}
		}
	}
	u.findUsed()
	s.unused = make([]bool, len(s.bodies))
	table.m = u.memory
	for i, isUsed := range u.used {
		if s.unused[i] = !isUsed && s.types[i] == s.ordinary; s.unused[i] && i < table.count {
			table.forget(table.entry(i))
		}
	}
	return u.memory
}

// forget lets an entry lead to no table and no data.
func (t *pclntab) forget(at int) {
	for _, place := range t.tables(at) {
		t.put(place, 0)
	}
	for _, place := range t.dataPlaces(at) {
		t.put(place, noData)
	}
}

// usedCode is the code section with a trap in each function that nobody runs.
func (s *splitter) usedCode() []byte {
	bodies := make([][]byte, len(s.bodies))
	for i, body := range s.bodies {
		if s.isUnused(i) {
			body = []byte{0, opUnreachable, opEnd}
		}
		bodies[i] = sized(body)
	}
	return vector(bodies)
}

func (s *splitter) isUnused(i int) bool { return i < len(s.unused) && s.unused[i] }

// findUsed finds which functions may run. What fewer functions hold in interfaces is less, and then again fewer run.
func (u *unused) findUsed() {
	u.used = make([]bool, len(u.bodies))
	for i, dead := range u.dead {
		u.used[i] = !dead
	}
	for more := true; more; {
		u.forgetEquality()
		reached := u.reached()
		more = !slices.Equal(reached, u.used)
		u.used = reached
	}
}

// reached are the functions to which anything leads: data, or the code of one that is reached and not dead.
func (u *unused) reached() []bool {
	found := make([]bool, len(u.bodies))
	var visit func(i int)
	visit = func(i int) {
		if i < 0 || i >= len(found) || found[i] || u.dead[i] {
			return
		}
		found[i] = true
		for _, c := range code(u.bodies[i]) {
			switch {
			case c.op == opCall:
				visit(int(c.number) - u.imported)
			case (c.op == opI64Const || c.op == opI32Const) && c.number&(1<<16-1) == 0:
				visit(int(c.number>>16) - slots)
			}
		}
	}
	for i, kind := range u.types {
		if kind != 0 {
			visit(i) // no function of Go's, but one that the browser or assembly calls
		}
	}
	inner := u.inData(visit)
	for again := true; again; {
		again = false
		for i, outer := range inner {
			if !found[i] && found[outer] {
				visit(i)
				again = true
			}
		}
	}
	return found
}

// inData visits the functions that data lead to, but for those that stand in another function, which alone makes a
// value of them: these it gives, with that function.
func (u *unused) inData(visit func(int)) (inner map[int]int) {
	outer := u.outer()
	inner = map[int]int{}
	for at := 0; at+8 <= len(u.memory); at += 8 {
		if word := binary.LittleEndian.Uint64(u.memory[at:]); word&(1<<16-1) == 0 {
			i := int(word>>16) - slots
			if of, ok := outer[i]; ok {
				inner[i] = of
			} else {
				visit(i)
			}
		}
	}
	list, owner, held := methods{m: u.memory, area: u.area}, u.owners(), u.held(u.reflects(""))
	for at := (u.area.from + 3) &^ 3; at+methodSize <= u.area.to; at += 4 {
		entry := u.memory[at:][:methodSize]
		if of, ok := owner[at]; ok && !held[of] {
			continue
		}
		if _, name := list.name(binary.LittleEndian.Uint32(entry)); isIdentifier(name) {
			visit(int(binary.LittleEndian.Uint32(entry[atPlaces:])) - slots)
			visit(int(binary.LittleEndian.Uint32(entry[atPlaces+4:])) - slots)
		}
	}
	return inner
}

// outer says of functions that stand in another one which that is: of F.func1 it is F. The compiler gives those of a
// function that it inlines another name.
func (u *unused) outer() map[int]int {
	number := make(map[string]int, len(u.names))
	for i, name := range u.names {
		number[name] = i
	}
	outer := map[int]int{}
	for i, name := range u.names {
		last := strings.LastIndexByte(name, '.')
		if last < 0 || strings.Trim(strings.TrimPrefix(name[last+1:], "func"), "0123456789") != "" {
			continue
		}
		if of, ok := number[name[:last]]; ok && name[:last] != "" {
			outer[i] = of
		}
	}
	return outer
}

func isIdentifier(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789"
	return s != "" && strings.Trim(s, letters) == ""
}

// allocators are the functions of the runtime that read of a type only its size and where its pointers are, and at
// which place of the stack they take its description.
var allocators = map[string]int64{
	"runtime.newobject": 0, "runtime.makeslice": 0, "runtime.makeslice64": 0, "runtime.makeslicecopy": 0,
	"runtime.mallocgc": 8, "runtime.growslice": 32, "runtime.typedmemmove": 0, "runtime.typedmemclr": 0,
	"runtime.typedslicecopy": 0, "runtime.wbZero": 0, "runtime.wbMove": 0, "runtime.growsliceBuf": 32,
	"runtime.moveSlice": 0, "runtime.moveSliceNoCap": 0,
}

// forgetEquality takes out of descriptions what compares values of a type that neither an interface nor a map holds.
func (u *unused) forgetEquality() {
	held, led := u.held(u.reflects("fmt.")), u.leads()
	for i, d := range u.list {
		closure := int(binary.LittleEndian.Uint64(u.memory[d.at+atEqual:]))
		if held[i] || closure == 0 {
			continue
		}
		clear(u.memory[d.at+atEqual : d.at+atEqual+8])
		if led[closure]--; led[closure] == 0 {
			clear(u.memory[closure : closure+8])
		}
	}
}

// leads counts how often code and data lead to each place that a description names as what compares.
func (u *unused) leads() map[int]int {
	count := map[int]int{}
	for _, d := range u.list {
		count[int(binary.LittleEndian.Uint64(u.memory[d.at+atEqual:]))] = 0
	}
	lead := func(to int) {
		if n, ok := count[to]; ok {
			count[to] = n + 1
		}
	}
	for _, body := range u.bodies {
		for _, c := range code(body) {
			if isNumber(c) {
				lead(int(c.number))
			}
		}
	}
	for at := 0; at+8 <= len(u.memory); at += 8 {
		lead(int(binary.LittleEndian.Uint64(u.memory[at:])))
	}
	return count
}

// isNumber says whether an instruction may hold an address.
func isNumber(c instruction) bool {
	return c.op == opI32Const || c.op == opI64Const || opLoad <= c.op && c.op < opMemorySize
}

// held says of each type whether an interface or a map may hold it: code names its description otherwise than for an
// allocator, data do, or the description of a map does for its keys; with reflection any description of which that is
// so.
func (u *unused) held(reflects bool) []bool {
	held := make([]bool, len(u.list))
	leads := make([][]int, len(u.list))
	var hold func(i int)
	hold = func(i int) {
		if !held[i] {
			held[i] = true
			for _, j := range leads[i] {
				hold(j)
			}
		}
	}
	owner := u.owners()
	var first []int
	lead := func(at, to int) {
		i, ok := u.number[to]
		if !ok {
			return
		}
		if of, ok := owner[at]; !ok {
			first = append(first, i)
		} else if reflects {
			leads[of] = append(leads[of], i)
		}
	}
	for at := 0; at+8 <= len(u.memory); at += 8 {
		lead(at, int(binary.LittleEndian.Uint64(u.memory[at:])))
	}
	for at := (u.area.from + 3) &^ 3; at+4 <= u.area.to; at += 4 {
		if offset := binary.LittleEndian.Uint32(u.memory[at:]); offset != 0 {
			lead(at, u.area.from+int(offset))
		}
	}
	for i, body := range u.bodies {
		if !u.used[i] {
			continue
		}
		all := code(body)
		for k, c := range all {
			if i, ok := u.number[int(c.number)]; ok && isNumber(c) && !u.allocates(all, k) {
				first = append(first, i)
			}
		}
	}
	for _, i := range first {
		hold(i)
	}
	return held
}

// reflects says whether somebody might use what reflection makes an interface of, but for functions whose names begin
// so. To print it, or to ask which type it has, is no comparison; but what is printed is asked for its text.
func (u *unused) reflects(but string) bool {
	for i, body := range u.bodies {
		name := u.names[i]
		if !u.used[i] || but != "" && strings.HasPrefix(name, but) || name == updateComponent {
			continue
		}
		for _, c := range code(body) {
			if to := int(c.number) - u.imported; c.op == opCall && to >= 0 && u.names[to] == "reflect.Value.Interface" {
				return true
			}
		}
	}
	return false
}

// updateComponent asks whether a field of a component is go-app's own Compo.
const updateComponent = "github.com_maxence_charriere_go_app_v10_pkg_app.nodeManager.updateComponent"

// allocates says whether instruction k of a function gives the description of a type to an allocator: it goes to the
// stack, and what follows up to the call only fills the stack.
func (u *unused) allocates(all []instruction, k int) bool {
	if k < 1 || k+2 >= len(all) || all[k].op != opI64Const || all[k+1].op != opI64Store ||
		!is(all[k-1], opLocalGet, localSP) || !copiesSP(all) {
		return false
	}
	for _, c := range all[k+2:] {
		switch to := int(c.number) - u.imported; {
		case c.op == opCall && to >= 0 && u.names[to] == "": // $push, which Go's linker doesn't know
		case c.op == opCall && to >= 0:
			place, ok := allocators[u.names[to]]
			return ok && place == all[k+1].number
		case c.op < opDrop, c.op == opCallIndirect: // a block, a branch
			return false
		}
	}
	return false
}

// owners says which description each word belongs to, by the place of the word.
func (u *unused) owners() map[int]int {
	owner := map[int]int{}
	long := func(at int) int { return int(binary.LittleEndian.Uint64(u.memory[at:])) }
	short := func(at int) int { return int(binary.LittleEndian.Uint16(u.memory[at:])) }
	for i, d := range u.list {
		own := func(from, size int) {
			if from < u.area.from || size < 0 || from+size > u.area.to {
				return
			}
			for at := from; at < from+size; at += 4 {
				owner[at] = i
			}
		}
		kind := int(u.memory[d.at+atKind] & kindMask)
		own(d.at, typeSize+ownWords[kind]*8)
		switch kind {
		case kindStruct:
			own(long(d.at+atFields), fieldSize*long(d.at+atFields+8))
		case kindInterface:
			own(long(d.at+atInterface), interfaceMethodSize*long(d.at+atInterface+8))
		}
		if at := d.at + uncommonAt(kind); at > d.at && u.memory[d.at+atTypeFlags]&flagUncommon != 0 {
			own(at, uncommonSize)
			own(at+int(binary.LittleEndian.Uint32(u.memory[at+atMethods:])), methodSize*short(at+atMethodCount))
		}
	}
	return owner
}

// ownWords is how many words follow what all descriptions begin with, by kind; of functions and maps none are counted,
// so that what they lead to counts as held.
var ownWords = [len(sizeOfKind)]int{kindArray: 3, kindInterface: 4, kindPointer: 1, kindSlice: 1, kindStruct: 4}
