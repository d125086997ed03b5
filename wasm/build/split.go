package build

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"
)

// A program is split in two modules, as Binaryen's wasm-split does it: the primary one has what runs until the first
// calculator of a chapter is alive, and all data; the secondary one has the other functions, two thirds of the code,
// and is fetched a moment later. Both share memory, table and registers (WebAssembly's globals).
//
// Go numbers its functions by their slots in the table, in data as in code, and these numbers stay. While the secondary
// module isn't there, its slots hold one placeholder. Go's functions can be left and entered again at each call, which
// is how Go changes goroutines: a function gives 1, its caller leaves too, and a loop enters what -8(SP) names
// (wasm_pc_f_loop in runtime/asm_wasm.s). The placeholder uses just that: it writes its own slot to -8(SP), pauses the
// loop and gives 1. The browser's side (web/secondary.js) then fetches the secondary module, whose elements overwrite
// the placeholder, and enters the loop again. Nothing in Go sees it but the clock.
//
//	call of a function that went    ->  its slot, call $through
//	call_indirect                   ->  call $through, which notes the slot for the placeholder
//	call from the secondary module  ->  call_indirect, or an import where there are many calls or another type
//
// Calls that can't be left (CALLNORESUME in assembly) would trap at the placeholder; so what these reach stays.

// secondaryFunctions are the names of functions that no chapter needs for its first calculator; what isn't listed, a
// new function for one, stays in the primary module. `go run ./app/site/measure split` writes the list anew.
//
//go:embed secondary.txt
var secondaryFunctions string

// slots is where the functions begin in Go's table: funcValueOffset of cmd/link/internal/wasm.
const slots = 0x1000

// Go's registers, by number: cmd/link/internal/wasm/asm.go, writeGlobalSec.
const (
	registerSP, registerPause = 0, 7
	registers                 = 8
)

// manyCalls is from how many calls on an import takes less room than its slot in each of them.
const manyCalls = 30

// splitter knows which function goes where.
type splitter struct {
	module
	goes     []bool      // whether a function goes to the secondary module
	place    []int       // its number there or in the primary module
	imports  []int       // the primary's functions that the secondary one imports
	number   map[int]int // and their numbers there
	enter    int         // the numbers of $enter, of $through and of the placeholder in the primary module
	through  int
	enterToo int // and of the secondary module's own $enter
	fault    int
	noted    int // the numbers of the two new registers
	missing  int
	pair     int // the type of $through
	ordinary int // the type of Go's functions
}

// split takes the functions that are listed, one a line, out of a program; not ok where it isn't what Go 1.26 links.
func split(program []byte, list string) (out Binary, ok bool) {
	m, ok := readModule(program)
	if !ok {
		return out, false
	}
	s := &splitter{module: m, number: map[int]int{}}
	if !s.regular() {
		return out, false
	}
	if s.choose(list); !slices.Contains(s.goes, true) {
		return out, false
	}
	s.place = make([]int, len(s.bodies))
	if !s.prepare() {
		return out, false
	}
	primary, ok := s.primary()
	if !ok {
		return out, false
	}
	secondary, ok := s.secondary()
	return Binary{nameless(primary), secondary}, ok
}

// choose decides which functions go: those listed, of the ordinary type, but for what calls the browser or can't be
// left.
func (s *splitter) choose(list string) {
	s.goes = make([]bool, len(s.bodies))
	listed := names(list)
	for i, name := range s.names {
		s.goes[i] = listed[name] && s.types[i] == s.ordinary && !s.callsBrowser(i)
	}
	for i := range s.unleft() {
		s.goes[i] = false
	}
}

// callsBrowser says whether a function calls one that the program imports.
func (s *splitter) callsBrowser(i int) bool {
	return slices.ContainsFunc(code(s.bodies[i]), func(c instruction) bool {
		return c.op == opCall && int(c.number) < s.imported
	})
}

// unleft are the functions below a call that can't be left: what the write barrier of the garbage collector calls,
// which alone has such calls and a type of its own.
func (s *splitter) unleft() map[int]bool {
	found := map[int]bool{}
	var visit func(i int)
	visit = func(i int) {
		if i < 0 || found[i] || ends(s.names[i]) {
			return
		}
		found[i] = true
		for _, c := range code(s.bodies[i]) {
			if c.op == opCall {
				visit(int(c.number) - s.imported)
			}
		}
		for j, name := range s.names { // closures, which runtime.systemstack calls
			if s.names[i] != "" && strings.HasPrefix(name, s.names[i]+".func") {
				visit(j)
			}
		}
	}
	for i, body := range s.bodies {
		if s.types[i] == s.ordinary {
			continue
		}
		all := code(body)
		for k, c := range all {
			if c.op == opCall && k+2 < len(all) && all[k+1].op == opIf && all[k+2].op == opUnreachable {
				visit(int(c.number) - s.imported)
			}
		}
	}
	return found
}

// ends says whether a function of the runtime ends what runs, by a panic or by another stack. A trap does so, too.
func ends(name string) bool {
	for _, begin := range []string{"throw", "fatal", "gopanic", "goPanic", "panic", "morestack"} {
		if strings.HasPrefix(name, "runtime."+begin) {
			return true
		}
	}
	return false
}

// code is a function's instructions; none where they aren't understood, which regular has refused before.
func code(body []byte) []instruction {
	out, _ := instructions(body)
	return out
}

// regular says whether the program is as Go links it: its registers, its table, types that are known, and the loop that
// enters functions again.
func (s *splitter) regular() bool {
	globals, elements := s.sections.body(globalSection), s.sections.body(elementSection)
	table, exports := s.sections.body(tableSection), s.sections.body(exportSection)
	if globals == nil || elements == nil || table == nil || exports == nil || s.loop() < 0 {
		return false
	}
	r := &reader{b: *globals}
	count := r.unsigned()
	e := &reader{b: *elements}
	one, first, op, at := e.unsigned(), e.unsigned(), e.byte(), e.signed()
	if count != registers || one != 1 || first != 0 || op != opI32Const || at != slots || e.byte() != opEnd {
		return false
	}
	for i := range e.unsigned() {
		if e.unsigned() != s.imported+i {
			return false
		}
	}
	for _, body := range s.bodies {
		all, ok := instructions(body)
		if !ok || slices.ContainsFunc(all, func(c instruction) bool {
			return c.op == opCall && c.number >= int64(s.imported+len(s.bodies))
		}) {
			return false
		}
	}
	types := s.sections.body(typeSection)
	return !e.bad && types != nil && len(*types) > 0 && bytes.HasPrefix((*types)[1:], []byte{0x60, 1, i32, 1, i32})
}

// loop is the number of wasm_pc_f_loop; -1 if there is none.
func (s *splitter) loop() int { return slices.Index(s.names, "wasm_pc_f_loop") }

// i32 and i64 are types of values.
const i32, i64 = 0x7f, 0x7e

// names are the names of a list, in which those of a package stand below it, each after a tab.
func names(list string) map[string]bool {
	all, below := map[string]bool{}, ""
	for line := range strings.Lines(list) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "\t"); ok {
			all[below+name] = true
		} else {
			below = line
		}
	}
	return all
}

// prepare numbers the functions of both modules and adds the types and registers that the primary one needs.
func (s *splitter) prepare() bool {
	s.countImports()
	s.enter, s.through, s.fault = s.imported, s.imported+1, s.imported+2
	s.enterToo = len(s.imports)
	kept, gone := s.imported+3, len(s.imports)+1
	for i, goes := range s.goes {
		if goes {
			s.place[i] = gone
			gone++
		} else {
			s.place[i] = kept
			kept++
		}
	}
	var ok, also, and bool
	s.pair, ok = appended(s.sections.body(typeSection), []byte{0x60, 2, i32, i32, 1, i32})
	s.noted, also = appended(s.sections.body(globalSection), []byte{i32, 1, opI32Const, 0, opEnd})
	s.missing, and = appended(s.sections.body(globalSection), []byte{i32, 1, opI32Const, 0, opEnd})
	return ok && also && and
}

// countImports finds the functions of the primary module that the secondary one imports.
func (s *splitter) countImports() {
	calls := make([]int, len(s.bodies))
	for i, body := range s.bodies {
		if !s.goes[i] {
			continue
		}
		for _, c := range code(body) {
			if to := int(c.number) - s.imported; c.op == opCall && to >= 0 && !s.goes[to] {
				calls[to]++
			}
		}
	}
	for i, n := range calls {
		if n >= manyCalls || n > 0 && s.types[i] != s.ordinary {
			s.number[i] = len(s.imports)
			s.imports = append(s.imports, i)
		}
	}
}

// rewriter copies a function's body and replaces instructions on the way.
type rewriter struct {
	body, out []byte
	done      int
}

func rewrite(body []byte) *rewriter {
	return &rewriter{body: body, out: make([]byte, 0, len(body)+len(body)/16)}
}

// replace writes what stands instead of the instructions from first to last.
func (r *rewriter) replace(first, last instruction, with []byte) {
	r.out = append(append(r.out, r.body[r.done:first.begin]...), with...)
	r.done = last.end
}

func (r *rewriter) end() []byte { return append(r.out, r.body[r.done:]...) }

// call appends a call of a function, and what follows it.
func call(out []byte, function int, then ...byte) []byte {
	return append(binary.AppendUvarint(append(out, opCall), uint64(function)), then...)
}

// slotOf appends the number of a function's slot.
func slotOf(out []byte, function int) []byte {
	return appendSigned(append(out, opI32Const), slots+function)
}

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

// inPrimary is a function's body in the primary module. Most calls enter a function at its begin (PC_B is 0).
func (s *splitter) inPrimary(body []byte) []byte {
	r, all := rewrite(body), code(body)
	for i, c := range all {
		to := int(c.number) - s.imported
		switch {
		case c.op == opCallIndirect && i >= 3 && swapsZero(all[i-3:i]):
			r.replace(all[i-3], c, call(nil, s.enter))
		case c.op == opCallIndirect:
			r.replace(c, c, call(nil, s.through))
		case c.op != opCall || to < 0:
		case !s.goes[to]:
			r.replace(c, c, call(nil, s.place[to]))
		case i >= 1 && isZero(all[i-1]):
			r.replace(all[i-1], c, call(slotOf(nil, to), s.enter))
		default:
			r.replace(c, c, call(slotOf(nil, to), s.through))
		}
	}
	return r.end()
}

func isZero(c instruction) bool { return c.op == opI32Const && c.number == 0 }

// swapsZero says whether instructions put a zero below a value, by way of PC_B, which nobody reads after that.
func swapsZero(all []instruction) bool {
	return all[0].op == opLocalSet && all[0].number == 0 && isZero(all[1]) &&
		all[2].op == opLocalGet && all[2].number == 0
}

// enterSlot calls the function of a slot from its begin.
func (s *splitter) enterSlot() []byte {
	var c coder
	return call(c.raw(0).number(0).get(0).b, s.through, opEnd)
}

// throughSlot calls the function of a slot and notes the slot before: (PC_B, slot) -> whether the stack is being left.
func (s *splitter) throughSlot() []byte {
	var c coder
	c.raw(0).get(1).raw(opGlobalSet, byte(s.noted))
	return c.get(0).get(1).raw(opCallIndirect, byte(s.ordinary), 0, opEnd).b
}

// placeholder stands in for each function that isn't there yet.
func (s *splitter) placeholder() []byte {
	var c coder
	c.raw(0, opGlobalGet, registerSP).number(8).raw(opI32Sub)
	c.get(0).raw(opExtend, opGlobalGet, byte(s.noted), opExtend, opI64Const, 16, opI64ShiftLeft, opI64Or)
	c.raw(opI64Store, 3, 0)
	c.number(1).raw(opGlobalSet, registerPause).number(1).raw(opGlobalSet, byte(s.missing))
	return c.number(1).raw(opEnd).b
}

// Opcodes that only splitting needs.
const (
	opUnreachable           = 0x00
	opI64Store              = 0x37
	opI64Or, opI64ShiftLeft = 0x84, 0x86
)

// Kinds of what is imported and exported.
const kindFunction, kindTable, kindMemory, kindGlobal = 0, 1, 2, 3

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
	return sections{
		{typeSection, *s.sections.body(typeSection)},
		{importSection, s.secondaryImports()},
		{functionSection, vector(types)},
		{elementSection, vector(segments)},
		{codeSection, vector(bodies)},
	}.write(), len(s.imports) < 62*62
}

// inSecondary is a function's body in the secondary module.
func (s *splitter) inSecondary(body []byte) []byte {
	r, all := rewrite(body), code(body)
	for i, c := range all {
		to := int(c.number) - s.imported
		number, imported := s.number[to]
		switch {
		case c.op == opCallIndirect && i >= 3 && swapsZero(all[i-3:i]):
			r.replace(all[i-3], c, call(nil, s.enterToo))
		case c.op != opCall:
		case to >= 0 && s.goes[to]:
			r.replace(c, c, call(nil, s.place[to]))
		case imported:
			r.replace(c, c, call(nil, number))
		case i >= 1 && isZero(all[i-1]):
			r.replace(all[i-1], c, call(slotOf(nil, to), s.enterToo))
		default:
			r.replace(c, c, append(slotOf(nil, to), opCallIndirect, byte(s.ordinary), 0))
		}
	}
	return r.end()
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
