package build

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	less, err := pack(whole, true)
	if err != nil {
		t.Fatal(err)
	}
	if packed, _ := pack(whole, false); len(less) > len(packed)-200_000 {
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
	_, program := stress(t)
	before := memory(t, program)
	after := stripPclntab(before)
	x, ok := findPclntab(before)
	y, found := findPclntab(after)
	if !ok || !found || x.count != y.count {
		t.Fatalf("the table of %d functions became one of %d", x.count, y.count)
	}
	named := 0
	for i := range x.count {
		p, q := x.entry(i), y.entry(i)
		for _, field := range []int{0, 8, 12, 40} { // where it begins, its arguments, its deferred calls, its kind
			if x.word(p+field) != y.word(q+field) {
				t.Fatalf("%s: the field at %d changed", x.name(p), field)
			}
		}
		for j, place := range x.tables(p) {
			idle := j == 1 || j == 3 || j == 4 // the first is the frame's size, and those after it are numbered from 0
			if !idle && !bytes.Equal(x.steps(x.word(place)), y.steps(y.word(place))) {
				t.Fatalf("%s: table %d changed", x.name(p), j)
			}
		}
		if !bytes.Equal(dataOf(t, &x, p), dataOf(t, &y, q)) {
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
	if again := stripPclntab(after); !bytes.Equal(again, after) {
		t.Error("stripping twice changes something")
	}
}

// Words of the module's description (moduledata in runtime/symtab.go): findfunctab, and where the data of functions
// begins.
const (
	wordFindfunctab = 19
	wordGofunc      = 40
)

// dataRange is where the data of functions lies: between the pclntab and findfunctab.
func (t *pclntab) dataRange() (begin, end int, ok bool) {
	long := func(at int) int { return int(binary.LittleEndian.Uint64(t.m[at:])) }
	header := bytes.LastIndex(t.m[:t.names], pclntabMagic[:])
	if header < 0 {
		return 0, 0, false
	}
	want := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(header)), uint64(t.names))
	for at := 0; ; at++ {
		i := bytes.Index(t.m[at:], want)
		if i < 0 || len(t.m)-at-i < 8*(wordGofunc+1) {
			return 0, 0, false
		}
		at += i
		begin, end = long(at+8*wordGofunc), long(at+8*wordFindfunctab)
		if t.entries < begin && begin < end && end <= len(t.m) {
			return begin, end, true
		}
	}
}

// dataOf is what is needed of a function's data: where its pointers are, its variables on the stack, its deferred
// calls.
func dataOf(t *testing.T, table *pclntab, at int) []byte {
	t.Helper()
	begin, end, ok := table.dataRange()
	if !ok {
		t.Fatal("the data of functions isn't found")
	}
	var all []byte
	for j := range int(table.m[at+atData]) {
		if offset := table.word(at + funcSize + 4*table.word(at+atTables) + 4*j); j < 3 && offset != int(^uint32(0)) {
			// A map of pointers says first how many it has and how many bits; stack objects say how many there are.
			from := begin + offset
			size := 8 + table.word(from)*((table.word(from+4)+7)/8)
			if j == 2 {
				size = 8 + 16*table.word(from)
			}
			all = append(all, table.m[from:min(from+size, end)]...)
		}
	}
	return all
}

// stress compiles the program in testdata, whole.
func stress(t *testing.T) (*builder, []byte) {
	t.Helper()
	b, err := prepare(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	if !b.known() {
		t.Skipf("the table of %s isn't known", b.version)
	}
	made := filepath.Join(b.temp, "stress.wasm")
	if _, err := b.run(t.Context(), ".", append(append([]string{"build", "-o", made}, flags...),
		"./testdata/stress")...); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	return b, program
}

// node runs a program and returns what it printed.
func node(t *testing.T, b *builder, program []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.wasm")
	if err := os.WriteFile(file, program, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(b.goroot, "lib", "wasm", "go_js_wasm_exec"), file)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
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
		after := stripPclntab(memory)
		if !bytes.Equal(memory, before) {
			t.Error("changed what it was given")
		}
		if len(after) != len(before) {
			t.Errorf("%d bytes became %d", len(before), len(after))
		}
	})
}
