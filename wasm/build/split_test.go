package build

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// One module and four of them do the same, instruction by instruction: what calls a function by its number calls the
// same one by its slot, through the table or as an import, and every slot leads to the function that it led to.
func TestSplitDoesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	b, parts, program := browserProgram(t)
	texts, err := b.texts(parts)
	if err != nil {
		t.Fatal(err)
	}
	made, ok := split(program, placed(), b.release, texts, true)
	s, also := newSplitter(program, placed(), b.release, texts, true)
	if !ok || !also {
		t.Fatal("not split")
	}
	s.prepare()
	first, ok := readModule(made.First)
	if !ok {
		t.Fatal("the first module can't be read")
	}
	tables := [modules]map[int]int{slotsOf(t, first.sections)}
	bodies := [modules][][]byte{first.bodies}
	before := [modules]int{first.imported}
	old := spelled{map[int]int{}, -1, -1}
	spellings := [modules]spelled{{map[int]int{}, s.enter, s.through}}
	for k := inChapters; k < modules; k++ {
		later, ok := readLater(made.Later[k-1])
		if !ok {
			t.Fatalf("module %d can't be read", k)
		}
		tables[k], bodies[k], before[k] = slotsOf(t, later.sections), later.bodies, len(s.later[k].imports)
		spellings[k] = spelled{map[int]int{}, s.later[k].enter, s.later[k].enter + 1}
		spellings[k].functions[s.later[k].enter+2] = s.push
		for number, i := range s.later[k].imports {
			spellings[k].functions[number] = i
		}
	}
	for n := range s.imported {
		old.functions[n], spellings[inFirst].functions[n] = n-s.imported, n-s.imported
	}
	for i, number := range s.place {
		old.functions[s.imported+i] = i
		spellings[s.in[i]].functions[number] = i
	}
	if len(tables[inFirst]) != s.slots() {
		t.Fatalf("the first module fills %d of %d slots", len(tables[inFirst]), s.slots())
	}
	for i := range s.slots() {
		k := s.in[i]
		for other := range modules {
			function, filled := tables[other][slots+i]
			switch {
			case other == inFirst && k != inFirst:
				if function != s.fault+k-inChapters {
					t.Fatalf("%s: its slot leads to %d, not to the placeholder of module %d", s.names[i], function, k)
				}
			case filled != (other == k || other == inFirst):
				t.Fatalf("%s: its slot is filled by module %d, not %d", s.names[i], other, k)
			}
		}
		number := tables[k][slots+i]
		if number != s.place[i] {
			t.Fatalf("%s: the slot leads to function %d, not %d", s.names[i], number, s.place[i])
		}
		got, want := spellings[k].tokens(bodies[k][number-before[k]]), old.tokens(s.bodies[i])
		if !slices.Equal(got, want) {
			t.Fatalf("%s: the module has other instructions:\n%q\n%q", s.names[i], got, want)
		}
	}
}

// browserProgram links the browser's program; the test is skipped where the layout of its release isn't known.
func browserProgram(t *testing.T) (*builder, []part, []byte) {
	t.Helper()
	t.Chdir("../..")
	b, parts, err := begin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	if !b.release.known() {
		t.Skip(b.leftOut(nil))
	}
	program, err := b.link(t.Context(), parts, b.partSentences)
	if err != nil {
		t.Fatal(err)
	}
	return b, parts, program
}

// Each embedded file that comes with a later module is read by none before it, and the larger ones do.
func TestEmbeddedFilesComeWithTheirReaders(t *testing.T) {
	memory := make([]byte, 4096)
	texts := []string{strings.Repeat("first ", 50), strings.Repeat("last ", 50), strings.Repeat("known ", 50)}
	for i, text := range texts {
		copy(memory[1000*(i+1):], text)
		binary.LittleEndian.PutUint64(memory[64*(i+1):], uint64(1000*(i+1)))
		binary.LittleEndian.PutUint64(memory[64*(i+1)+8:], uint64(len(text)))
	}
	binary.LittleEndian.PutUint64(memory[512:], 3000) // something else leads to the third
	binary.LittleEndian.PutUint64(memory[520:], 2010) // a number
	reads := func(address int) []byte {
		return append(append([]byte{0, opI64Const}, appendSigned(nil, address)...), opEnd)
	}
	s := &splitter{in: []int{inFirst, inPlanners, inPlanners, inChapters}}
	s.bodies = [][]byte{reads(64), reads(128), reads(192), reads(72)}
	var none [modules][]span
	apart := s.embedded(memory, texts, none)
	if len(apart[inFirst])+len(apart[inChapters]) != 0 || !slices.Equal(apart[inPlanners], []span{{2000, 2250}}) {
		t.Errorf("%v", apart)
	}
	s.in[0] = inChapters // the first is read by two functions of one module, and by its length too
	if apart = s.embedded(memory, texts, none); !slices.Equal(apart[inChapters], []span{{1000, 1300}}) {
		t.Errorf("%v", apart)
	}
}

// readLater reads a module that imports more than functions.
func readLater(program []byte) (module, bool) {
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

// runSplit lets node's own script for Go run a program in modules: later ones come when they are first missed.
const runSplit = `const fs = require("fs"), instantiate = WebAssembly.instantiate;
let linked = 0;
WebAssembly.instantiate = async (bytes, imports) => {
	const made = await instantiate(bytes, imports), program = made.instance.exports;
	const enter = (name) => (...given) => {
		for (program[name](...given); program.missing.value; program.again()) {
			for (; linked < program.missing.value; linked++) {
				const module = new WebAssembly.Module(fs.readFileSync(process.env["MODULE" + (linked + 1)]));
				new WebAssembly.Instance(module, { p: program });
			}
			program.missing.value = 0;
		}
	};
	const exports = { ...program, run: enter("run"), resume: enter("resume") };
	return { instance: Object.create(made.instance, { exports: { value: exports } }) };
};`

// A program in several modules does what it does in one. Of its own functions and those that print only main is there
// at first; a goroutine that is to begin in another one outlasts that garbage is collected. Its functions call those
// that print, whichever of the two comes later.
func TestSplitRunsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	b, whole := stress(t)
	one, err := pack(whole, b.release)
	if err != nil {
		t.Fatal(err)
	}
	want := node(t, b, one)
	for _, modules := range []map[string]int{
		{"main": 1, "fmt": 2, "reflect": 3}, {"main": 3, "fmt": 1, "strconv": 2}, {"main": 1, "fmt": 1},
	} {
		made, ok := split(whole, func(name string) int {
			of, _, _ := strings.Cut(name, ".")
			if name == "main.main" || strings.Contains(name, ".init") {
				return inFirst
			}
			return modules[of]
		}, b.release, nil, false)
		if !ok {
			t.Fatal("not split")
		}
		dir := t.TempDir()
		script := filepath.Join(dir, "split.cjs")
		env := []string{"NODE_OPTIONS=--require=" + script}
		files := map[string][]byte{script: []byte(runSplit)}
		for i, module := range made.Later {
			file := filepath.Join(dir, fmt.Sprint(i+1, ".wasm"))
			files[file], env = module, append(env, fmt.Sprintf("MODULE%d=%s", i+1, file))
		}
		for name, data := range files {
			if err := os.WriteFile(name, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := node(t, b, made.First, env...); got != want || !strings.Contains(got, "begun xxx") {
			t.Errorf("%v: got\n%s\nwant\n%s", modules, got, want)
		}
	}
}

// What Go didn't link isn't split, and nothing breaks over it.
func TestSplitRefusesOtherPrograms(t *testing.T) {
	for _, program := range []string{"", "\x00asm\x01\x00\x00\x00", "\x00asm\x01\x00\x00\x00\x03\x01\x00\x0a\x01\x00"} {
		if _, ok := split([]byte(program), placed(), releases[0], nil, true); ok {
			t.Errorf("%q was split", program)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x03\x01\x00\x0a\x01\x00"), "\n\tmain")
	f.Fuzz(func(t *testing.T, program []byte, list string) {
		listed := names(list)
		split(program, func(name string) int {
			if listed[name] {
				return inPlanners
			}
			return inChapters
		}, releases[0], []string{list}, false)
	})
}

// A function that a package's variable begins with is found whatever its number, others by all of their name.
func TestNumbersOfClosures(t *testing.T) {
	for name, want := range map[string]string{
		"x_training.init.OnceValue_go.shape._uint8_.func13":    "x_training.init.OnceValue_go.shape._uint8_.func",
		"x_training.init.OnceValue_go.shape._uint8_.func7.1.1": "x_training.init.OnceValue_go.shape._uint8_.func.1.1",
		"x_library.addLists.func2":                             "x_library.addLists.func2",
		"x_training.init.func6":                                "x_training.init.func6",
		"x_training.init.func1.deferwrap2":                     "x_training.init.func1.deferwrap2",
	} {
		if got := unnumbered(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// A sentence comes when the earliest of several releases says it, and last only where all agree.
func TestMergeOfSentences(t *testing.T) {
	got := mergeSentences([]Lists{
		{Sentences: []string{"a.first", "b.x.planners", "c.x.readers", "d.x.readers", "e.x.planners"}},
		{Sentences: []string{"a.first.planners", "b.x.readers", "c.x.readers", "d.x"}},
	})
	if want := []string{"a.first", "b.x.planners", "c.x.readers", "d.x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A list is read as it was written.
func TestListOfFunctions(t *testing.T) {
	all := []string{
		"callRet", "cmp.Less_go.shape.int_", "cmp.isNaN", "github.com_x_y.F", "github.com_x_y.G.func1",
		"runtime.gcStart",
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
