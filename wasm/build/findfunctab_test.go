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

// unfoldScript instantiates a program, in one module or two, with imports that do nothing, and prints a hash of its
// memory's first bytes.
const unfoldScript = `const fs = require("fs"), [size, first, second] = process.argv.slice(2);
const read = (file) => new WebAssembly.Module(fs.readFileSync(file)), m = read(first), imports = {};
for (const i of WebAssembly.Module.imports(m)) (imports[i.module] ??= {})[i.name] = () => {};
const p = new WebAssembly.Instance(m, imports).exports;
if (second) for (let i = 0; i < 2; i++) new WebAssembly.Instance(read(second), { p });
const memory = new Uint8Array(p.mem.buffer, 0, +size);
process.stdout.write(require("crypto").createHash("sha256").update(memory).digest("hex"));`

// An engine that instantiates the program finds in its memory what was there before it was folded, also where a part of
// it comes with a second module, and where that comes twice: to one who waits, and to one who couldn't.
func TestUnfoldingRestoresTheMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	_, whole := stress(t)
	want, _ := stripPclntab(memory(t, whole), nil)
	if u := fold(want, span{}); u.start == nil || u.later != nil || bytes.Equal(u.memory, want) {
		t.Fatal("nothing was folded")
	}
	one, err := pack(whole, true)
	if err != nil {
		t.Fatal(err)
	}
	unfolds(t, want, one)

	m, _ := readModule(whole)
	first := m.names[0] // whose entry begins with zeros, as nobody is before it
	list := List(slices.DeleteFunc(m.names, func(name string) bool {
		return name != first && !strings.HasPrefix(name, "fmt.")
	}))
	two, ok := split(whole, list)
	s, also := newSplitter(whole, list)
	if !ok || !also {
		t.Fatal("not split")
	}
	want, apart := stripPclntab(memory(t, whole), s.goes)
	if len(apart) != 3 {
		t.Fatalf("%d parts go", len(apart))
	}
	for _, a := range apart {
		if a.to-a.from < 100 {
			t.Errorf("only %d bytes go from %#x", a.to-a.from, a.from)
		}
	}
	unfolds(t, want, two.Primary, two.Secondary)
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
	_, whole := stress(t)
	m, _ := stripPclntab(memory(t, whole), nil)
	table, _ := findPclntab(m)
	m[table.entry(table.count/2)]++
	if u := fold(m, span{}); u.start != nil || !bytes.Equal(u.memory, m) {
		t.Error("folded a table that isn't regular")
	}
}
