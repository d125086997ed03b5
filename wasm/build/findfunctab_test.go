package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

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
	want, _ := stripPclntab(stripDescriptions(memory(t, whole), m, b.release), nil, b.release)
	if u := fold(want, none); u.start == nil || u.later[inChapters] != nil || bytes.Equal(u.memory, want) {
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
	want, apart := stripPclntab(stripDescriptions(memory(t, whole), m, b.release), s.in, b.release)
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
	m, _ := stripPclntab(stripClosures(memory(t, whole), b.release), nil, b.release)
	table, _ := findPclntab(m)
	m[table.entry(table.count/2)]++
	if u := fold(m, [modules][]span{}); u.start != nil || !bytes.Equal(u.memory, m) {
		t.Error("folded a table that isn't regular")
	}
}
