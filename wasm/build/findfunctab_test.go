package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// unfolding instantiates a program with imports that do nothing and prints a hash of its memory's first bytes.
const unfolding = `const fs = require("fs"), m = new WebAssembly.Module(fs.readFileSync(process.argv[2])), imports = {};
for (const i of WebAssembly.Module.imports(m)) (imports[i.module] ??= {})[i.name] = () => {};
const memory = new WebAssembly.Instance(m, imports).exports.mem.buffer;
process.stdout.write(require("crypto").createHash("sha256").update(new Uint8Array(memory, 0, +process.argv[3])).digest("hex"));`

// An engine that instantiates the program finds in its memory what was there before it was folded.
func TestUnfoldingRestoresTheMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	engine, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	_, whole := stress(t)
	want := stripPclntab(memory(t, whole))
	left, start := fold(want)
	if start == nil || bytes.Equal(left, want) {
		t.Fatal("nothing was folded")
	}
	less, err := pack(whole, true)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, script := filepath.Join(dir, "p.wasm"), filepath.Join(dir, "unfold.cjs")
	for name, data := range map[string][]byte{program: less, script: []byte(unfolding)} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want = bytes.TrimRight(want, "\x00")
	out, err := exec.Command(engine, script, program, strconv.Itoa(len(want))).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sum := sha256.Sum256(want)
	if got := strings.TrimSpace(string(out)); got != hex.EncodeToString(sum[:]) {
		t.Errorf("the memory differs: %s", got)
	}
}

// A table with one entry out of line stays whole.
func TestFoldRefusesWhatItCouldNotWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	_, whole := stress(t)
	m := memory(t, whole)
	table, _ := findPclntab(m)
	m[table.entry(table.count/2)]++
	if left, start := fold(m); start != nil || !bytes.Equal(left, m) {
		t.Error("folded a table that isn't regular")
	}
}
