package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// One module and two of them do the same, instruction by instruction: what calls a function by its number calls the
// same one by its slot, through the table or as an import, and every slot leads to the function that it led to.
func TestSplitDoesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	t.Chdir("../..")
	b, parts, err := begin(t.Context(), "", []string{Lean})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	program, err := b.link(t.Context(), parts)
	if err != nil {
		t.Fatal(err)
	}
	two, ok := split(program, secondaryFunctions)
	s, also := newSplitter(program, secondaryFunctions)
	if !ok || !also {
		t.Fatal("not split")
	}
	s.prepare()
	primary, ok := readModule(two.Primary)
	secondary, also := readSecondary(two.Secondary)
	if !ok || !also {
		t.Fatal("the modules can't be read")
	}
	table := slotsOf(t, primary.sections)
	kept, placeholders := len(table), 0
	for slot, function := range table {
		if function == s.fault {
			delete(table, slot)
			placeholders++
		}
	}
	later := slotsOf(t, secondary.sections)
	if len(later) != placeholders || kept != s.slots() {
		t.Fatalf("%d of %d slots wait for the secondary module, which fills %d", placeholders, kept, len(later))
	}
	old := spelled{map[int]int{}, -1, -1}
	first := spelled{map[int]int{}, s.enter, s.through}
	second := spelled{map[int]int{}, s.enterToo, -1}
	for n := range s.imported {
		old.functions[n], first.functions[n] = n-s.imported, n-s.imported
	}
	for i, number := range s.place {
		old.functions[s.imported+i] = i
		if s.goes[i] {
			second.functions[number] = i
		} else {
			first.functions[number] = i
		}
	}
	for number, i := range s.imports {
		second.functions[number] = i
	}
	for i := range s.slots() {
		body, number, in, spelling := []byte(nil), 0, 0, first
		if s.goes[i] {
			number, in = later[slots+i]-len(s.imports), len(s.imports)
			body, spelling = secondary.bodies[number], second
		} else {
			number, in = table[slots+i]-primary.imported, primary.imported
			body = primary.bodies[number]
		}
		if number+in != s.place[i] {
			t.Fatalf("%s: the slot leads to function %d, not %d", s.names[i], number+in, s.place[i])
		}
		if got, want := spelling.tokens(body), old.tokens(s.bodies[i]); !slices.Equal(got, want) {
			t.Fatalf("%s: the module has other instructions:\n%q\n%q", s.names[i], got, want)
		}
	}
}

// readSecondary reads a module that imports more than functions.
func readSecondary(program []byte) (module, bool) {
	all, ok := readSections(program)
	if !ok {
		return module{}, false
	}
	m := module{sections: all}
	c := &reader{b: *all.body(codeSection)}
	for range c.unsigned() {
		m.bodies = append(m.bodies, c.bytes(c.unsigned()))
	}
	return m, !c.bad
}

// slotsOf is which function each slot of the table holds.
func slotsOf(t *testing.T, s sections) map[int]int {
	t.Helper()
	out := map[int]int{}
	r := &reader{b: *s.body(elementSection)}
	for range r.unsigned() {
		r.bytes(2)
		at := r.signed()
		r.byte()
		for i := range r.unsigned() {
			out[at+i] = r.unsigned()
		}
	}
	if r.bad {
		t.Fatal("the elements can't be read")
	}
	return out
}

// spelled is a function's instructions in one spelling for all modules: "call 7" where function 7 of the whole program
// is called, whichever way, and "enter" where the slot lies on the stack.
type spelled struct {
	functions      map[int]int // by their numbers in the module; -1 and less are the browser's
	enter, through int         // the numbers of the functions that enter slots; -1 without
}

func (s spelled) tokens(body []byte) []string {
	var out []string
	all := code(body)
	add := func(all ...string) { out = append(out, all...) }
	zero := string([]byte{opI32Const, 0})
	for i := 0; i < len(all); i++ {
		c := all[i]
		slot, next := -1, c
		if c.op == opI32Const && c.number >= slots && i+1 < len(all) {
			slot, next = int(c.number)-slots, all[i+1]
		}
		isEnter := next.op == opCall && int(next.number) == s.enter
		isThrough := next.op == opCallIndirect || next.op == opCall && int(next.number) == s.through
		switch {
		case slot >= 0 && isEnter:
			add(zero, fmt.Sprint("call ", slot))
			i++
		case slot >= 0 && isThrough:
			add(fmt.Sprint("call ", slot))
			i++
		case isEnter && slot < 0:
			add(string([]byte{opLocalSet, 0}), zero, string([]byte{opLocalGet, 0}), "enter")
		case isThrough && slot < 0:
			add("enter")
		case c.op == opCall:
			add(fmt.Sprint("call ", s.functions[int(c.number)]))
		default:
			add(string(body[c.begin:c.end]))
		}
	}
	return out
}

// runSplit lets node's own script for Go run a program in two modules: the second one comes when it is first missed.
const runSplit = `const fs = require("fs"), instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (bytes, imports) => {
	const made = await instantiate(bytes, imports), program = made.instance.exports;
	const enter = (name) => (...given) => {
		for (program[name](...given); program.missing.value; program.again()) {
			new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(process.env.SECONDARY)), { p: program });
			program.missing.value = 0;
		}
	};
	const exports = { ...program, run: enter("run"), resume: enter("resume") };
	return { instance: Object.create(made.instance, { exports: { value: exports } }) };
};`

// A program in two modules does what it does in one. Of its own functions and those that print only main is there at
// first; a goroutine that is to begin in another one outlasts that garbage is collected.
func TestSplitRunsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	b, whole := stress(t)
	m, _ := readModule(whole)
	var list []string
	for _, name := range m.names {
		of, _, _ := strings.Cut(name, ".")
		if (of == "main" || of == "fmt") && name != "main.main" && !strings.Contains(name, ".init") {
			list = append(list, name)
		}
	}
	two, ok := split(whole, List(list))
	if !ok {
		t.Fatal("not split")
	}
	one, err := pack(whole, true)
	if err != nil {
		t.Fatal(err)
	}
	script, secondary := filepath.Join(t.TempDir(), "split.cjs"), filepath.Join(t.TempDir(), "s.wasm")
	for name, data := range map[string][]byte{script: []byte(runSplit), secondary: two.Secondary} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := node(t, b, two.Primary, "NODE_OPTIONS=--require="+script, "SECONDARY="+secondary)
	if want := node(t, b, one); got != want || !strings.Contains(got, "begun xxx") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What Go didn't link isn't split, and nothing breaks over it.
func TestSplitRefusesOtherPrograms(t *testing.T) {
	for _, program := range []string{"", "\x00asm\x01\x00\x00\x00", "\x00asm\x01\x00\x00\x00\x03\x01\x00\x0a\x01\x00"} {
		if _, ok := split([]byte(program), secondaryFunctions); ok {
			t.Errorf("%q was split", program)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x03\x01\x00\x0a\x01\x00"), "\n\tmain")
	f.Fuzz(func(t *testing.T, program []byte, list string) { split(program, list) })
}

// A list is read as it was written.
func TestListOfFunctions(t *testing.T) {
	all := []string{
		"callRet", "cmp.Less_go.shape.int_", "cmp.isNaN", "github.com_x_y.F", "github.com_x_y.G.func1", "runtime.gcStart",
	}
	text := List(slices.Concat(all, all[:2], []string{""}))
	got := names(text)
	if len(got) != len(all) || strings.Count(text, "github.com_x_y.") != 1 {
		t.Errorf("%q", text)
	}
	for _, name := range all {
		if !got[name] {
			t.Errorf("%s is lost in %q", name, text)
		}
	}
}
