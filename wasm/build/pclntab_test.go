package build

import (
	"bytes"
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
	after, _ := stripPclntab(before, nil, b.release)
	x, ok := findPclntab(before)
	y, found := findPclntab(after)
	if !ok || !found || x.count != y.count {
		t.Fatalf("the table of %d functions became one of %d", x.count, y.count)
	}
	named := 0
	for i := range x.count {
		p, q := x.entry(i), y.entry(i)
		for _, field := range []span{{0, 4}, {8, 16}, {40, 43}} { // where it begins; its arguments, deferred calls; its kind
			if !bytes.Equal(x.m[p+field.from:p+field.to], y.m[q+field.from:q+field.to]) {
				t.Fatalf("%s: the field at %d changed", x.name(p), field.from)
			}
		}
		for j := range x.tables(p) {
			idle := j == 1 || j == 3 || j == 4 // the first is the frame's size, and those after it are numbered from 0
			if !idle && !bytes.Equal(tableOf(&x, p, j), tableOf(&y, q, j)) {
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
	if again, _ := stripPclntab(after, nil, b.release); !bytes.Equal(again, after) {
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
	room, ok := table.dataRange(r)
	if !ok {
		t.Fatal("the data of functions isn't found")
	}
	var all []byte
	for kind, place := range table.dataPlaces(at) {
		offset := table.word(place)
		if offset == noData || kind == 3 || kind == 5 || kind == 6 {
			continue
		}
		from := room.from + offset
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
		all = append(append(all, byte(kind)), table.m[from:min(from+size, room.to)]...)
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
		after, _ := stripPclntab(memory, []int{0: inChapters, 5: inPlanners}, releases[0])
		if !bytes.Equal(memory, before) {
			t.Error("changed what it was given")
		}
		if len(after) != len(before) {
			t.Errorf("%d bytes became %d", len(before), len(after))
		}
	})
}
