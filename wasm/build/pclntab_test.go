package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A program without names and lines does, byte for byte, what one with them does: it collects garbage, grows stacks,
// panics and recovers. Only the name of a method is gone from one message.
func TestStrippingChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	want, err := exec.Command("go", "run", "./testdata/stress").Output()
	if err != nil {
		t.Fatal(err)
	}
	b, whole := stress(t)
	less, err := pack(whole, b.release)
	if err != nil {
		t.Fatal(err)
	}
	if packed, _ := pack(whole, release{}); len(less) > len(packed)-200_000 {
		t.Errorf("%d bytes became %d", len(packed), len(less))
	}
	named := regexp.MustCompile(`value method \S+ called using nil \S+ pointer`)
	want = named.ReplaceAll(want, []byte("value method .type.method called using nil *type pointer"))
	if !bytes.Contains(want, []byte("nil *type")) {
		t.Errorf("nothing called a method of nil:\n%s", want)
	}
	if got := node(t, b, less); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What the runtime needs of the table stays: every function's place, the size of its frame at each instruction, and its
// maps of pointers.
func TestStrippingKeepsWhatRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	b, program := stress(t)
	before := memory(t, program)
	after, _, _ := stripPclntab(before, nil, nil, b.release)
	x, ok := findPclntab(before)
	y, found := findPclntab(after)
	if !ok || !found || x.count != y.count {
		t.Fatalf("the table of %d functions became one of %d", x.count, y.count)
	}
	named := 0
	for i := range x.count {
		p, q := x.entry(i), y.entry(i)
		// where it begins; its arguments, deferred calls; its kind
		for _, field := range []span{{0, 4}, {8, 16}, {40, 43}} {
			if !bytes.Equal(x.m[p+field.from:p+field.to], y.m[q+field.from:q+field.to]) {
				t.Fatalf("%s: the field at %d changed", x.name(p), field.from)
			}
		}
		for j := range x.tables(p) {
			idle := j == 1 || j == 3 || j == 4 // the first is the frame's size, and those after it are numbered from 0
			if !idle && !goesOn(tableOf(&x, p, j), tableOf(&y, q, j)) {
				t.Fatalf("%s: table %d changed", x.name(p), j)
			}
		}
		if !bytes.Equal(dataOf(t, b.release, &x, p), dataOf(t, b.release, &y, q)) {
			t.Fatalf("%s: its data changed", x.name(p))
		}
		if y.name(q) != "" {
			named++
		}
		if strings.HasPrefix(x.name(p), "runtime.") != strings.HasPrefix(y.name(q), "runtime.") {
			t.Fatalf("%s became %q", x.name(p), y.name(q))
		}
	}
	if named == 0 || named == x.count {
		t.Errorf("%d of %d functions have a name", named, x.count)
	}
	if again, _, _ := stripPclntab(after, nil, nil, b.release); !bytes.Equal(again, after) {
		t.Error("stripping twice changes something")
	}
}

// tableOf is a table of the program's counter of a function; none where its entry has no place for it.
func tableOf(table *pclntab, at, number int) []byte {
	places := table.tables(at)
	if number >= len(places) {
		return nil
	}
	return table.steps(table.word(places[number]))
}

// dataOf is what is needed of a function's data: where its pointers are, its variables on the stack, its deferred
// calls, what it wraps.
func dataOf(t *testing.T, r release, table *pclntab, at int) []byte {
	t.Helper()
	space, ok := table.dataRange(r)
	if !ok {
		t.Fatal("the data of functions isn't found")
	}
	var all []byte
	for kind, place := range table.dataPlaces(at) {
		offset := table.word(place)
		if offset == noData || kind == 3 || kind == 5 || kind == 6 {
			continue
		}
		from := space.from + offset
		size := 4
		switch kind {
		case 0, 1: // a map of pointers says first how many it has and how many bits
			size = 8 + table.word(from)*((table.word(from+4)+7)/8)
		case 2: // stack objects say how many there are
			size = 8 + 16*table.word(from)
		case 4: // two numbers of up to five bytes
			for size = 1; table.m[from+size-1] >= 0x80; size++ {
			}
			for size++; table.m[from+size-1] >= 0x80; size++ {
			}
		}
		all = append(append(all, byte(kind)), table.m[from:min(from+size, space.to)]...)
	}
	return all
}

// stress compiles the program that stresses the table of functions, whole.
func stress(t *testing.T) (*builder, []byte) { return whole(t, "stress") }

// whole compiles a program in testdata.
func whole(t *testing.T, name string) (*builder, []byte) {
	t.Helper()
	b, err := prepare(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	if !b.release.known() {
		t.Skip(b.leftOut(nil))
	}
	made := filepath.Join(b.temp, name+".wasm")
	if _, err := b.run(t.Context(), ".", append(append([]string{"build", "-o", made}, flags...),
		"./testdata/"+name)...); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	return b, program
}

// node runs a program and returns what it printed.
func node(t *testing.T, b *builder, program []byte, env ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.wasm")
	if err := os.WriteFile(file, program, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(b.goroot, "lib", "wasm", "go_js_wasm_exec"), file)
	cmd.Env = append(env, "PATH="+os.Getenv("PATH"), "HOME="+os.Getenv("HOME"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// Whatever looks like a table is left alone unless it is one.
func FuzzStripPclntab(f *testing.F) {
	f.Add(append(append([]byte{}, pclntabMagic[:]...), make([]byte, 200)...))
	f.Fuzz(func(t *testing.T, memory []byte) {
		before := bytes.Clone(memory)
		after, _, _ := stripPclntab(memory, []int{0: inChapters, 5: inPlanners}, nil, releases[0])
		if !bytes.Equal(memory, before) {
			t.Error("changed what it was given")
		}
		if len(after) != len(before) {
			t.Errorf("%d bytes became %d", len(before), len(after))
		}
	})
}

// unfoldScript instantiates a program, in one module or more, with imports that do nothing, and prints a hash of its
// memory's first bytes.
const unfoldScript = `const fs = require("fs"), [size, first, ...later] = process.argv.slice(2);
const read = (file) => new WebAssembly.Module(fs.readFileSync(file)), m = read(first), imports = {};
for (const i of WebAssembly.Module.imports(m)) (imports[i.module] ??= {})[i.name] = () => {};
const p = new WebAssembly.Instance(m, imports).exports;
for (const file of later) for (let i = 0; i < 2; i++) new WebAssembly.Instance(read(file), { p });
const memory = new Uint8Array(p.mem.buffer, 0, +size);
process.stdout.write(require("crypto").createHash("sha256").update(memory).digest("hex"));`

// An engine that instantiates the program finds in its memory what was there before it was folded, also where parts of
// it come with later modules, and where these come twice: to one who waits, and to one who couldn't.
func TestUnfoldingRestoresTheMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	b, whole := stress(t)
	var none [modules][]span
	m, _ := readModule(whole)
	_, before, entered, err := optimized(whole, b.release)
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := stripPclntab(stripDescriptions(before, m, b.release), nil, entered, b.release)
	if u := elideTables(want, none); u.start == nil || u.later[inChapters] != nil || bytes.Equal(u.memory, want) {
		t.Fatal("nothing was folded")
	}
	one, err := pack(whole, b.release)
	if err != nil {
		t.Fatal(err)
	}
	unfolds(t, want, one)

	in := func(name string) int {
		switch {
		case name == m.names[0], strings.HasPrefix(name, "fmt."): // the first one, whose entry begins with zeros
			return inChapters
		case strings.HasPrefix(name, "main.") && name != "main.main", strings.HasPrefix(name, "strconv."):
			return inPlanners
		case strings.HasPrefix(name, "reflect."):
			return inReaders
		}
		return inFirst
	}
	parted, ok := split(whole, in, b.release, nil, true)
	s, also := newSplitter(whole, in, b.release, nil, true)
	if !ok || !also {
		t.Fatal("not split")
	}
	all, before, entered, err := optimized(whole, b.release)
	if err != nil {
		t.Fatal(err)
	}
	u := &splitter{in: s.in}
	u.module, _ = readModule(all.write())
	before = u.dropUnused(before, b.release, in)
	want, apart, _ := stripPclntab(stripDescriptions(before, u.module, b.release), s.in, entered, b.release)
	u.literals(want, none)
	for k := inChapters; k < modules; k++ {
		if len(apart[k]) != 3 {
			t.Fatalf("%d parts go to module %d", len(apart[k]), k)
		}
		for _, a := range apart[k] {
			if a.to-a.from < 100 {
				t.Errorf("only %d bytes go from %#x to module %d", a.to-a.from, a.from, k)
			}
		}
	}
	unfolds(t, want, slices.Insert(parted.Later, 0, parted.First)...)
}

// unfolds checks the memory of a program that is instantiated.
func unfolds(t *testing.T, want []byte, modules ...[]byte) {
	t.Helper()
	want = bytes.TrimRight(want, "\x00")
	dir := t.TempDir()
	script := filepath.Join(dir, "unfold.cjs")
	args := []string{script, strconv.Itoa(len(want))}
	files := map[string][]byte{script: []byte(unfoldScript)}
	for i, data := range modules {
		name := filepath.Join(dir, strconv.Itoa(i)+".wasm")
		files[name], args = data, append(args, name)
	}
	for name, data := range files {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("node", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sum := sha256.Sum256(want)
	if got := strings.TrimSpace(string(out)); got != hex.EncodeToString(sum[:]) {
		t.Errorf("the memory of %d modules differs: %s", len(modules), got)
	}
}

// A table with one entry out of line stays whole.
func TestFoldRefusesWhatItCouldNotWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	b, whole := stress(t)
	m, _, _ := stripPclntab(stripClosures(memory(t, whole), b.release), nil, nil, b.release)
	table, _ := findPclntab(m)
	m[table.entry(table.count/2)]++
	if u := elideTables(m, [modules][]span{}); u.start != nil || !bytes.Equal(u.memory, m) {
		t.Error("folded a table that isn't regular")
	}
}
