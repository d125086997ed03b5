package build

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The budget of the browser's program, gzip -9: what a reader downloads once. The aim is 1.6 MB.
const budget = 2_000_000

func TestProgramIsSmallAndTheSameTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	t.Chdir("../..")
	program, err := Program(t.Context(), "", Lean)
	if err != nil {
		t.Fatal(err)
	}
	first, second := zipped(program.Primary), zipped(program.Secondary)
	t.Logf("%d and %d bytes, %d and %d gzip -9", len(program.Primary), len(program.Secondary), first, second)
	if first+second > budget {
		t.Errorf("the program takes %d and %d bytes, gzip -9; at most %d together", first, second, budget)
	}
	if root, _ := os.Getwd(); bytes.Contains(slices.Concat(program.Primary, program.Secondary), []byte(root)) {
		t.Errorf("the program knows the folder it was compiled in: %s", root)
	}
}

// The Go that builds the program is one whose pclntab is known: with another one the program grows by a sixth.
func TestReleaseIsKnown(t *testing.T) {
	t.Chdir("../..")
	b, err := prepare(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	if line := b.leftOut(make([]byte, 1<<20)); line != "" {
		t.Error(line)
	}
	for _, version := range []string{"go1.25.3\ntime", "go1.260\n", "devel go1.27-0123 Sun Nov 22"} {
		other := builder{version: version}
		if line := other.leftOut(make([]byte, 1<<20)); !strings.Contains(line, " KB more") || strings.Contains(line, "\n") {
			t.Errorf("of %q it says %q", version, line)
		}
	}
}

// A package that uses what the browser doesn't have must fail the build, not the reader.
func TestStrayImportIsRefused(t *testing.T) {
	b := &builder{replaced: map[string]bool{"regexp": true}}
	err := b.stray([]part{
		{ImportPath: "regexp", Imports: []string{"strings"}},
		{ImportPath: "github.com/google/uuid", Imports: []string{"regexp"}},
		{ImportPath: "example.org/sheet", Imports: []string{"fmt", "regexp"}},
	})
	if err == nil || !strings.Contains(err.Error(), "example.org/sheet imports regexp") {
		t.Errorf("got %v", err)
	}
	if err := b.stray([]part{{ImportPath: "github.com/google/uuid", Imports: []string{"regexp"}}}); err != nil {
		t.Errorf("refused what is allowed: %v", err)
	}
}

// Numbers must not depend on where they were computed.
func TestUnstableSortingIsRefused(t *testing.T) {
	dir := t.TempDir()
	text := "package p\n\nvar _ = slices.SortFunc(x, f)\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	err := unstable(part{Dir: dir, GoFiles: []string{"p.go"}})
	if err == nil || !strings.Contains(err.Error(), "p.go:3: ") {
		t.Errorf("got %v", err)
	}
}

// Packing changes no byte of the memory that a program starts with, and packing twice changes nothing.
func TestPackKeepsTheMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var segments []segment
		for at := random.IntN(1 << 20); len(segments) < random.IntN(50); {
			b := make([]byte, 1+random.IntN(40))
			for i := range b {
				b[i] = byte(random.IntN(256))
			}
			segments = append(segments, segment{at, b})
			at += len(b) + random.IntN(3*near)
		}
		body := writeSegments(segments)
		program := append([]byte("\x00asm\x01\x00\x00\x00\x00\x02hi"), dataSection)
		program = append(binary.AppendUvarint(program, uint64(len(body))), body...)
		packed, err := pack(program, false)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := pack(packed, false); err != nil || !bytes.Equal(again, packed) {
			t.Fatalf("packing twice: %v", err)
		}
		if !bytes.Equal(memory(t, program), memory(t, packed)) {
			t.Fatal("the memory differs")
		}
	}
}

// memory is what a program's data section writes.
func memory(t *testing.T, program []byte) []byte {
	t.Helper()
	r := &reader{b: program, at: header}
	id, body := r.byte(), r.bytes(r.unsigned())
	for id != dataSection && !r.bad {
		id, body = r.byte(), r.bytes(r.unsigned())
	}
	segments, ok := readSegments(body)
	if !ok {
		t.Fatal("no data section")
	}
	m := make([]byte, 4<<20)
	for _, s := range segments {
		copy(m[s.at:], s.bytes)
	}
	return m
}

func FuzzPack(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0b\x07\x01\x00A\x08\x0b\x01x"))
	f.Add([]byte("\x00asm"))
	f.Fuzz(func(t *testing.T, program []byte) {
		if packed, err := pack(program, false); err == nil {
			if again, err := pack(packed, false); err != nil || !bytes.Equal(again, packed) {
				t.Errorf("packing twice: %v", err)
			}
		}
	})
}
