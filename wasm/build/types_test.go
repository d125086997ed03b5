package build

import (
	"bytes"
	"encoding/binary"
	"os/exec"
	"strings"
	"testing"
)

// A program whose descriptions of types are stripped does what it did: it tells types apart, compares values, finds
// them in maps and names those that have a name. Of types without one neither the names nor the hashes are left, unless
// the code compares these.
func TestTypesAreDistinguished(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	want, err := exec.Command("go", "run", "./testdata/types").Output()
	if err != nil {
		t.Fatal(err)
	}
	b, program := whole(t, "types")
	less, err := pack(program, b.release)
	if err != nil {
		t.Fatal(err)
	}
	if got := node(t, b, less); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	const composed = "map[string][]main.number"
	if m := memory(t, less); bytes.Contains(m, []byte(composed)) ||
		!bytes.Contains(memory(t, program), []byte(composed)) {
		t.Error("the name of " + composed + " is left, or never was there")
	}
	for name, stays := range map[string]bool{"NobodyCalls": false, "NobodyElse": false, "MarksOnly": true,
		"Area": true} {
		name = string(rune(len(name))) + name // as it is noted behind its length
		before, after := bytes.Contains(memory(t, program), []byte(name)), bytes.Contains(memory(t, less), []byte(name))
		if !before || after != stays {
			t.Errorf("the method %q is described: %v before, %v after", name, before, after)
		}
	}
}

// Stripping changes hashes, names and flags of types and nothing else, and a type in a switch keeps its hash.
func TestTypesKeepWhatIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	for _, name := range []string{"types", "stress"} {
		b, program := whole(t, name)
		m, ok := readModule(program)
		table, also := findPclntab(memory(t, program))
		if !ok || !also {
			t.Fatal("not read")
		}
		at, _ := table.moduleData(b.release)
		before := stripClosures(memory(t, program), b.release)
		after := stripTypes(before, m, b.release)
		types, in := typesIn(before, table.typeRange(at, b.release)), table.typeRange(at, b.release)
		left, changed, nameless := bytes.Clone(after), 0, 0
		for _, d := range types {
			for _, same := range []span{{0, 16}, {21, 40}, {44, 48}} {
				if !bytes.Equal(before[d.at+same.from:d.at+same.to], after[d.at+same.from:d.at+same.to]) {
					t.Errorf("%s: of the type at %#x bytes %d to %d changed", name, d.at, same.from, same.to)
				}
			}
			if !bytes.Equal(before[d.at+atHash:d.at+atTypeFlags], after[d.at+atHash:d.at+atTypeFlags]) {
				changed++
			}
			if binary.LittleEndian.Uint32(after[d.at+atTypeName:]) == 0 {
				nameless++
			}
			for _, may := range []span{{d.at + 16, d.at + 21}, {d.at + 40, d.at + 44}, d.name} {
				copy(left[may.from:may.to], before[may.from:may.to])
			}
		}
		if len(types) < 150 || changed < len(types)/2 {
			t.Errorf("%s: of %d types %d lost their hashes", name, len(types), changed)
		}
		if isLookedFor := name == "stress"; isLookedFor != (nameless == 0) {
			t.Errorf("%s: of %d types %d lost their names", name, len(types), nameless)
		}
		isType, itabs := map[int]bool{}, 0
		for _, d := range types {
			isType[d.at] = true
		}
		for at := 0; at+itabSize <= len(before); at += 8 {
			of := int(binary.LittleEndian.Uint64(before[at+atItabType:]))
			hash := span{at + atItabHash, at + atItabHash + 4}
			if !isType[of] || !bytes.Equal(before[hash.from:hash.to], before[of+atHash:of+atHash+4]) {
				continue
			}
			itabs++
			if !bytes.Equal(after[hash.from:hash.to], after[of+atHash:of+atHash+4]) {
				t.Errorf("%s: the itab at %#x has another hash than its type", name, at)
			}
			copy(left[hash.from:hash.to], before[hash.from:hash.to])
		}
		if itabs < 10 {
			t.Errorf("%s: only %d itabs", name, itabs)
		}
		for i := range left { // beyond, lists of types may go
			if left[i] != before[i] && i >= in.from && i < in.to {
				t.Fatalf("%s: the byte at %#x changed", name, i)
			}
		}
	}
}

// Of the methods of a type only those stay that can be called or that an interface asks for, in their order, and all
// else of the descriptions is as it was.
func TestMethodsKeepWhatIsCalled(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	for _, name := range []string{"types", "stress"} {
		b, program := whole(t, name)
		table, ok := findPclntab(memory(t, program))
		if !ok {
			t.Fatal("not read")
		}
		at, _ := table.moduleData(b.release)
		area := table.typeRange(at, b.release)
		before := memory(t, program)
		after := stripMethods(before, b.release)
		entries := func(m []byte, u int) (all []string, exported int) {
			s := methods{m: m, area: area}
			list := u + int(binary.LittleEndian.Uint32(m[u+atMethods:]))
			for i := range int(binary.LittleEndian.Uint16(m[u+atMethodCount:])) {
				entry := m[list+i*methodSize:][:methodSize]
				place, text := s.name(binary.LittleEndian.Uint32(entry))
				if bytes.Equal(entry, make([]byte, methodSize)) {
					continue // one that went
				}
				if m[place.from]&nameExported != 0 {
					exported++
				}
				all = append(all, text+string(entry[4:]))
			}
			return all, exported
		}
		lists, went, left := 0, 0, 0
		for _, d := range typesIn(before, area) {
			if got := after[d.at : d.at+typeSize]; !bytes.Equal(got, before[d.at:d.at+typeSize]) {
				t.Errorf("%s: the type at %#x changed", name, d.at)
			}
			u := d.at + uncommonAt(int(before[d.at+atKind]&kindMask))
			if u == d.at || before[d.at+atTypeFlags]&flagUncommon == 0 {
				continue
			}
			lists++
			old, _ := entries(before, u)
			now, exported := entries(after, u)
			if !bytes.Equal(after[u+atMethodCount:u+atExported], before[u+atMethodCount:u+atExported]) {
				t.Errorf("%s: the description of the type at %#x has another size", name, d.at)
			}
			if exported != int(binary.LittleEndian.Uint16(after[u+atExported:])) {
				t.Errorf("%s: the type at %#x has %d exported methods", name, d.at, exported)
			}
			for _, entry := range old {
				switch called := !strings.HasSuffix(entry, "\xff\xff\xff\xff\xff\xff\xff\xff"); {
				case len(now) > 0 && now[0] == entry:
					now, left = now[1:], left+1
				case called:
					t.Errorf("%s: the type at %#x lacks a method that can be called: %q", name, d.at, entry)
				default:
					went++
				}
			}
			if len(now) > 0 {
				t.Errorf("%s: the type at %#x has %q besides", name, d.at, now)
			}
		}
		if lists < 50 || went < 10 || left < 50 {
			t.Errorf("%s: %d lists, %d methods went, %d are left", name, lists, went, left)
		}
		for i := range after {
			if after[i] != before[i] && (i < area.from || i >= area.to) {
				t.Fatalf("%s: the byte at %#x changed", name, i)
			}
		}
	}
}

// What is no description of a type isn't taken for one.
func TestOtherDataAreNoTypes(t *testing.T) {
	b, program := whole(t, "types")
	table, _ := findPclntab(memory(t, program))
	at, _ := table.moduleData(b.release)
	m, in := memory(t, program), table.typeRange(at, b.release)
	for _, d := range typesIn(m, in) {
		text, _, ok := nameAt(m, in, d.name.from)
		if !ok || strings.TrimLeft(text, "*") == "" {
			t.Errorf("the type at %#x is called %q", d.at, text)
		}
	}
	if all := typesIn(m, span{in.to, len(m)}); len(all) > 0 {
		t.Errorf("%d types outside of where they lie, the first at %#x", len(all), all[0].at)
	}
}

// What the collector reads of a function value's variables stays: their size, and which words are pointers. All else of
// the memory stays, too. TestStrippingChangesNothing runs such a program, with the collector.
func TestClosuresKeepWhatIsCollected(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	b, program := stress(t)
	before := memory(t, program)
	after := stripClosures(before, b.release)
	var may []span // change
	count := 0
	for at := 0; ; at++ { // every such name, and who has it
		i := bytes.Index(before[at:], []byte(closureName))
		if i < 0 {
			break
		}
		at += i
		length, n := 0, 0
		for _, n = range []int{1, 2} { // a length of one byte or of two, after the byte of flags
			if l, m := binary.Uvarint(before[at-n:]); m == n && before[at-n-1]&^7 == 0 {
				length = int(l)
				break
			}
		}
		if length == 0 {
			continue // a text of ours
		}
		may = append(may, span{at - n - 1, at + length})
	}
	for at := 0; at+structTypeSize < len(before); at += 8 {
		if bytes.Equal(before[at:at+structTypeSize], after[at:at+structTypeSize]) || before[at+23]&31 != 25 ||
			binary.LittleEndian.Uint64(before[at+56:]) != uint64(at+80) {
			continue
		}
		count++
		for _, same := range []span{{0, 16}, {21, 40}, {48, 56}} { // size, pointers; alignment, kind, mask
			if !bytes.Equal(before[at+same.from:at+same.to], after[at+same.from:at+same.to]) {
				t.Errorf("of the type at %#x bytes %d to %d changed", at, same.from, same.to)
			}
		}
		fields := int(binary.LittleEndian.Uint64(before[at+64:]))
		may = append(may, span{at + 16, at + 21}, span{at + 40, at + 48}, span{at + 56, at + 80 + 24*fields})
	}
	if count < 10 {
		t.Errorf("only %d types lost their fields", count)
	}
	left := bytes.Clone(after)
	for _, s := range may {
		copy(left[s.from:s.to], before[s.from:s.to])
	}
	if !bytes.Equal(left, before) {
		t.Error("something else changed")
	}
	if again := stripClosures(after, b.release); !bytes.Equal(again, after) {
		t.Error("stripping twice changes something")
	}
}
