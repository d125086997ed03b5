package build

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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

// What somebody has set for their own Go, in the environment or by go env -w, changes nothing of the browser's program.
func TestSettingsOfGoAreLeftOut(t *testing.T) {
	root, err := rootOf(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(written, []byte("GOFLAGS=-tags=nobody\nGOFIPS140=latest\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", written)
	check := func() {
		t.Helper()
		b := builder{goroot: root}
		got, err := b.run(t.Context(), "", "env",
			"GOFLAGS", "GOEXPERIMENT", "GOFIPS140", "GOWORK", "GOOS", "CGO_ENABLED")
		if want := "-buildvcs=false\n\noff\noff\njs\n0\n"; err != nil || string(got) != want {
			t.Errorf("go env says %q, %v; want %q", got, err, want)
		}
	}
	check()
	for name, set := range map[string]string{"GOFLAGS": "-tags=nobody", "GOEXPERIMENT": "nobody", "GOFIPS140": "latest",
		"GOWORK": "/nowhere/go.work", "GOWASM": "nobody", "GOOS": "plan9", "CGO_ENABLED": "1"} {
		t.Setenv(name, set)
	}
	check()
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

// The youngest programs stay, and everything else that lies in the cache.
func TestPrune(t *testing.T) {
	folder := t.TempDir()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range kept + 3 {
		name := filepath.Join(folder, fmt.Sprintf("wasm-%02d.wasm", kept+3-i)) // the youngest has the first name
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, begin, begin.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(folder, "axe.js")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	prune(folder)
	left, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(left) != kept+1 || !exists(other) {
		t.Fatalf("left are %v", left)
	}
	for i := 1; i <= kept; i++ {
		if !exists(filepath.Join(folder, fmt.Sprintf("wasm-%02d.wasm", i))) {
			t.Errorf("program %d, one of the youngest, is gone", i)
		}
	}
}

// Texts that only a later module names come with it; those that others name, that data lead to, or that lie in a longer
// one stay.
func TestTextsComeWithTheirReaders(t *testing.T) {
	const from, first, last = 8192, 30, 60
	memory := make([]byte, 16384)
	s := &splitter{in: []int{inFirst, inChapters, inPlanners}}
	named := map[int][]int{} // addresses, by module
	begin := map[int]int{}   // of the text of each length
	at := from
	for length := first; length < last; length++ {
		begin[length] = at
		copy(memory[at:], strings.Repeat(string(rune('A'+length%26)), length))
		named[inPlanners] = append(named[inPlanners], at)
		at += length
	}
	named[inPlanners] = append(named[inPlanners], at)
	named[inFirst] = []int{begin[45], at + 100}
	named[inChapters] = []int{begin[46], begin[50] + 20} // the second lies in a text
	binary.LittleEndian.PutUint64(memory[4096:], uint64(begin[47]))
	for k := range inReaders {
		body := []byte{0}
		for _, address := range named[k] {
			body = append(appendSigned(append(body, opI64Const), address), 0x1a)
		}
		s.bodies = append(s.bodies, append(body, opEnd))
	}
	var none [modules][]span
	apart := s.literals(memory, none)
	comes := map[int]int{}
	for k, all := range apart {
		for _, a := range all {
			for length, at := range begin {
				if at >= a.from && at < a.to {
					comes[length] = k
				}
				if at < a.from && at+length > a.from || at < a.to && at+length > a.to {
					t.Errorf("the text of %d bytes is cut", length)
				}
			}
		}
	}
	for length, want := range map[int]int{
		38: inPlanners, 40: inPlanners, 41: inPlanners, // with eight in order on either side
		45: inFirst, 46: inFirst, 47: inFirst, 50: inFirst, 49: inFirst, 51: inFirst, first: inFirst, last - 1: inFirst,
	} {
		if comes[length] != want {
			t.Errorf("the text of %d bytes comes with module %d, want %d", length, comes[length], want)
		}
	}
}
