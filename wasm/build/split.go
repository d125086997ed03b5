package build

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
)

// A program is split in two modules, as Binaryen's wasm-split does it: the primary one has what runs until the first
// calculator of a chapter is alive, and the data; the secondary one has the other functions, two thirds of the code,
// with what the pclntab says of them, and is fetched a moment later. Both share memory, table and registers
// (WebAssembly's globals).
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

// splitter knows which function goes where. Its calls are rewritten in split_calls.go, its two modules written in
// split_modules.go.
type splitter struct {
	module
	goes     []bool      // whether a function goes to the secondary module
	data     []segment   // what goes with them: their parts of the pclntab
	unfold   []byte      // and the function that computes the rest of these; nil if there is none
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

// split takes the functions that are listed, one a line, out of a program as Go links it; not ok where it isn't what
// Go 1.26 links.
func split(program []byte, list string) (out Binary, ok bool) {
	s, ok := newSplitter(program, list)
	if !ok || !s.prepare() {
		return out, false
	}
	primary, ok := s.primary()
	if !ok {
		return out, false
	}
	secondary, ok := s.secondary()
	return Binary{nameless(primary), secondary}, ok
}

// newSplitter packs a program, so that what only functions of the secondary module need comes with them.
func newSplitter(program []byte, list string) (*splitter, bool) {
	all, memory, err := optimized(program)
	if err != nil {
		return nil, false
	}
	s := &splitter{number: map[int]int{}}
	var ok bool
	if s.module, ok = readModule(all.write()); !ok || !s.regular() {
		return nil, false
	}
	if s.choose(list); !slices.Contains(s.goes, true) {
		return nil, false
	}
	memory, apart := stripPclntab(memory, s.goes)
	var later span
	if len(apart) > 0 {
		later = apart[0]
	}
	u := fold(memory, later)
	memory, s.data = partOff(u.memory, apart)
	s.unfold = u.later
	whole, err := all.with(memory, u.start)
	if err != nil {
		return nil, false
	}
	if s.module, ok = readModule(whole); !ok {
		return nil, false
	}
	s.goes = append(s.goes, make([]bool, len(s.bodies)-len(s.goes))...) // the start stays
	s.place = make([]int, len(s.bodies))
	return s, true
}

// partOff is a memory without some spans of it, and these alone, with all their zeros: where the module is instantiated
// twice, by one who waits for it and by one who can't, the second time finds what the first one has computed there.
func partOff(memory []byte, apart []span) (rest []byte, parts []segment) {
	rest = bytes.Clone(memory)
	for _, a := range apart {
		parts = append(parts, segment{a.from, memory[a.from:a.to]})
		clear(rest[a.from:a.to])
	}
	return rest, parts
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
