package build

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// A program is split in modules, as Binaryen's wasm-split does it: the first one has what runs until the first
// calculator of a chapter is live, and most of the data; each later one has other functions, with what the pclntab
// says of them and the embedded files that only they read. All share memory, table and registers (WebAssembly's
// globals), and each needs those before it.
//
// Go numbers its functions by their slots in the table, in data as in code, and these numbers stay. While a module
// isn't there, its slots hold a placeholder. Go's functions can be left and entered again at each call, which is how Go
// changes goroutines: a function gives 1, its caller leaves too, and a loop enters what -8(SP) names (wasm_pc_f_loop in
// runtime/asm_wasm.s). The placeholder uses just that: it writes its own slot to -8(SP), pauses the loop, notes which
// module is missing and gives 1. The browser's side (web/modules.js) then fetches that module, whose elements overwrite
// the placeholder, and enters the loop again. Nothing in Go sees it but the clock.
//
//	call of a function in a later module    ->  its slot, call $through
//	call_indirect                           ->  call $through, which notes the slot for the placeholder
//	call of a function in an earlier module ->  call_indirect, or an import where there are many calls or another type
//
// Calls that can't be left (CALLNORESUME in assembly) would trap at the placeholder; so what these reach stays.

// Modules are numbered by when they come: Go's functions are in the first, in that of chapters, in that of planners or
// in that of readers: of programs, traces, logs and what else single pages need.
const (
	inFirst = iota
	inChapters
	inPlanners
	inReaders
	modules
)

// slots is where the functions begin in Go's table: funcValueOffset of cmd/link/internal/wasm.
const slots = 0x1000

// Go's registers, by number: cmd/link/internal/wasm/asm.go, writeGlobalSec.
const (
	registerSP, registerPause = 0, 7
	registers                 = 8
)

// manyCalls is from how many calls on an import takes fewer bytes than its slot in each of them.
const manyCalls = 30

// splitter knows which function goes where. Its modules are written in split_modules.go.
type splitter struct {
	module
	in       []int          // which module a function goes to
	unused   []bool         // whether nobody runs it
	place    []int          // its number there
	order    [modules][]int // the functions of each module, as they lie there
	exported []int          // the first module's functions that later ones import
	later    [modules]later // by module; that of the first is empty
	push     int            // which function is $push (returns.go)
	enter    int            // the numbers of $enter, of $through and of the first placeholder in the first module
	through  int
	fault    int
	noted    int // the numbers of the two new registers
	missing  int
	pair     int // the type of $through
	ordinary int // the type of Go's functions
}

// later is a module that is fetched later.
type later struct {
	imports []int       // the first module's functions that it imports
	number  map[int]int // and their numbers here
	enter   int         // the number of its own $enter; its $through and $push follow
	data    []segment   // what goes with its functions: parts of the pclntab, and embedded files
	unfold  []byte      // the function that computes the rest of the pclntab; nil if there is none
}

// split takes functions out of a program as Go links it; not ok where it isn't what a known release links. The texts
// are those of embedded files; tried says whether the version of Go was.
func split(program []byte, in func(function string) int, r release, texts []string, tried bool) (out Binary, ok bool) {
	s, ok := newSplitter(program, in, r, texts, tried)
	if !ok || !s.prepare() {
		return out, false
	}
	first, ok := s.first()
	if !ok {
		return out, false
	}
	out.First = nameless(first)
	for k := inChapters; k < modules; k++ {
		module, ok := s.laterModule(k)
		if !ok {
			return out, false
		}
		out.Later = append(out.Later, module)
	}
	return out, true
}

// newSplitter packs a program, so that what only functions of a later module need comes with them.
func newSplitter(program []byte, in func(string) int, r release, texts []string, tried bool) (*splitter, bool) {
	all, memory, entered, err := optimized(program, r)
	if err != nil {
		return nil, false
	}
	s := &splitter{}
	var ok bool
	if s.module, ok = readModule(all.write()); !ok || !s.regular() {
		return nil, false
	}
	s.push = len(s.bodies) - 1
	s.choose(in, tried)
	memory = s.dropUnused(memory, r, in)
	memory, apart, ok := stripPclntab(stripDescriptions(memory, s.module, r), s.in, entered, r)
	if !ok {
		return nil, false
	}
	u := elideTables(memory, apart)
	memory, apart = u.memory, u.apart
	apart = s.embedded(memory, texts, apart)
	apart = s.literals(memory, apart)
	*all.body(codeSection) = s.usedCode()
	memory, data := partOff(memory, apart)
	for k := range s.later {
		s.later[k] = later{data: data[k], unfold: u.later[k], number: map[int]int{}}
	}
	whole, err := all.with(memory, u.start)
	if err != nil {
		return nil, false
	}
	if s.module, ok = readModule(whole); !ok {
		return nil, false
	}
	for i, body := range s.bodies {
		if s.types[i] == s.ordinary {
			s.bodies[i] = counted(body, s.imported+s.push)
		}
	}
	s.in = append(s.in, make([]int, len(s.bodies)-len(s.in))...) // the start stays
	s.place = make([]int, len(s.bodies))
	return s, true
}

// partOff is a memory without some spans of it, by module, and these alone, with all their zeros: where a module is
// instantiated twice, by one who waits for it and by one who can't, the second time finds what the first one has
// computed there.
func partOff(memory []byte, apart [modules][]span) (rest []byte, parts [modules][]segment) {
	rest = bytes.Clone(memory)
	for k, spans := range apart {
		for _, a := range spans {
			parts[k] = append(parts[k], segment{a.from, memory[a.from:a.to]})
			clear(rest[a.from:a.to])
		}
	}
	return rest, parts
}

// choose decides which functions go: those of the ordinary type, but for what calls the browser or can't be left.
func (s *splitter) choose(in func(string) int, tried bool) {
	s.in = make([]int, len(s.bodies))
	for i, name := range s.names {
		if s.types[i] == s.ordinary && name != "" && !s.callsBrowser(i) {
			s.in[i] = in(name)
		}
	}
	for i := range s.unleft(tried) {
		s.in[i] = inFirst
	}
}

// callsBrowser says whether a function calls one that the program imports.
func (s *splitter) callsBrowser(i int) bool {
	return slices.ContainsFunc(code(s.bodies[i]), func(c instruction) bool {
		return c.op == opCall && int(c.number) < s.imported
	})
}

// unleft are the functions below a call that can't be left: what the write barrier of the garbage collector calls, and
// what Go's start does before it has goroutines. Of that much never happens: with a version that was tried, the list of
// what comes first has all that does.
func (s *splitter) unleft(tried bool) map[int]bool {
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
		if tried && s.types[i] == s.ordinary {
			continue
		}
		all := code(body)
		for k, c := range all {
			if c.op == opCall && traps(all[k+1:]) {
				visit(int(c.number) - s.imported)
			}
		}
	}
	return found
}

// traps says whether the instructions after a call trap where the stack is being left; Go's own functions take the
// stack's place first.
func traps(after []instruction) bool {
	if len(after) > 2 && after[0].op == opGlobalGet && after[0].number == registerSP && after[1].op == opLocalSet {
		after = after[2:]
	}
	return len(after) > 1 && after[0].op == opIf && after[1].op == opUnreachable
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

// prepare numbers the functions of all modules and adds the types and registers that the first one needs.
func (s *splitter) prepare() bool {
	s.countImports()
	s.enter, s.through, s.fault = s.imported, s.imported+1, s.imported+2
	next := [modules]int{inFirst: s.fault + modules - 1} // a placeholder for each later module
	for k := inChapters; k < modules; k++ {
		s.later[k].enter = len(s.later[k].imports)
		next[k] = s.later[k].enter + 3
	}
	s.sort()
	for k, order := range s.order {
		for n, i := range order {
			s.place[i] = next[k] + n
		}
	}
	var ok, also, and bool
	s.pair, ok = appended(s.sections.body(typeSection), []byte{0x60, 2, i32, i32, 1, i32})
	s.noted, also = appended(s.sections.body(globalSection), []byte{i32, 1, opI32Const, 0, opEnd})
	s.missing, and = appended(s.sections.body(globalSection), []byte{i32, 1, opI32Const, 0, opEnd})
	return ok && also && and
}

// sort finds the order of functions in each module.
func (s *splitter) sort() {
	var functions [modules][]int
	var bodies [modules][][]byte
	for i, k := range s.in {
		functions[k] = append(functions[k], i)
		bodies[k] = append(bodies[k], s.bodies[i])
	}
	var all sync.WaitGroup
	for k := range modules {
		all.Go(func() {
			for _, i := range similar(bodies[k]) {
				s.order[k] = append(s.order[k], functions[k][i])
			}
		})
	}
	all.Wait()
}

// countImports finds the functions of the first module that later ones import.
func (s *splitter) countImports() {
	calls := make([][modules]int, len(s.bodies))
	for i, body := range s.bodies {
		if s.in[i] == inFirst {
			continue
		}
		for _, c := range code(body) {
			to := int(c.number) - s.imported
			if c.op == opCall && to >= 0 && to != s.push && s.in[to] == inFirst {
				calls[to][s.in[i]]++
			}
		}
	}
	for i, by := range calls {
		exported := false
		for k, n := range by {
			if n >= manyCalls || n > 0 && s.types[i] != s.ordinary {
				l := &s.later[k]
				l.number[i] = len(l.imports)
				l.imports = append(l.imports, i)
				exported = true
			}
		}
		if exported {
			s.exported = append(s.exported, i)
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

// rewritten is a function's body in its module. Most calls enter a function at its begin (PC_B is 0). A module that is
// the last knows that all functions are there when it runs, so that it notes no slots.
func (s *splitter) rewritten(i int) []byte {
	body, k := s.bodies[i], s.in[i]
	enter, through, last := s.enter, s.through, k == modules-1
	if k != inFirst {
		enter, through = s.later[k].enter, s.later[k].enter+1
	}
	r, all := rewrite(body), code(body)
	for i, c := range all {
		to := int(c.number) - s.imported
		switch {
		case c.op == opCallIndirect && i >= 3 && swapsZero(all[i-3:i]):
			r.replace(all[i-3], c, call(nil, enter))
		case c.op == opCallIndirect && !last:
			r.replace(c, c, call(nil, through))
		case c.op != opCall || to < 0:
		case s.in[to] == k:
			r.replace(c, c, call(nil, s.place[to]))
		case to == s.push:
			r.replace(c, c, call(nil, s.later[k].enter+2))
		default:
			number, imported := s.later[k].number[to]
			switch zero := i >= 1 && isZero(all[i-1]); {
			case imported:
				r.replace(c, c, call(nil, number))
			case zero:
				r.replace(all[i-1], c, call(slotOf(nil, to), enter))
			case s.in[to] > k:
				r.replace(c, c, call(slotOf(nil, to), through))
			default:
				r.replace(c, c, append(slotOf(nil, to), opCallIndirect, byte(s.ordinary), 0))
			}
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

// enterSlot calls the function of a slot from its begin, by a $through of that number.
func (s *splitter) enterSlot(through int) []byte {
	var c coder
	return call(c.raw(0).number(0).get(0).b, through, opEnd)
}

// throughSlot calls the function of a slot and notes the slot before, in a global of that number: (PC_B, slot) ->
// whether the stack is being left.
func (s *splitter) throughSlot(noted int) []byte {
	var c coder
	c.raw(0).get(1).raw(opGlobalSet, byte(noted))
	return c.get(0).get(1).raw(opCallIndirect, byte(s.ordinary), 0, opEnd).b
}

// placeholder stands in for each function of a module that isn't there yet.
func (s *splitter) placeholder(module int) []byte {
	var c coder
	c.raw(0, opGlobalGet, registerSP).number(8).raw(opI32Sub)
	c.get(0).raw(opExtend, opGlobalGet, byte(s.noted), opExtend, opI64Const, 16, opI64ShiftLeft, opI64Or)
	c.raw(opI64Store, 3, 0)
	c.number(1).raw(opGlobalSet, registerPause).number(module).raw(opGlobalSet, byte(s.missing))
	return c.number(1).raw(opEnd).b
}

// Opcodes that only splitting needs.
const (
	opUnreachable           = 0x00
	opI64Store              = 0x37
	opI64Or, opI64ShiftLeft = 0x84, 0x86
)
