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

// A program from the cache is the one that was made, and it doesn't know where.
func TestProgramIsTheSameTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	t.Chdir("../..")
	one, err := Program(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	two, err := Program(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	all, again := slices.Concat(one.Later...), slices.Concat(two.Later...)
	if !bytes.Equal(one.First, two.First) || !bytes.Equal(all, again) {
		t.Error("two programs differ")
	}
	if root, _ := os.Getwd(); bytes.Contains(slices.Concat(one.First, all), []byte(root)) {
		t.Errorf("the program knows the folder it was compiled in: %s", root)
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
		packed, err := pack(program, release{})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := pack(packed, release{}); err != nil || !bytes.Equal(again, packed) {
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
		if packed, err := pack(program, release{}); err == nil {
			if again, err := pack(packed, release{}); err != nil || !bytes.Equal(again, packed) {
				t.Errorf("packing twice: %v", err)
			}
		}
	})
}
