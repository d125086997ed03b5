package build

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// A function of three blocks in a loop, before and after: it has number 5, whose slot is 0x1005. Only its begin, where
// two calls return to and where a jump backward leads need numbers.
func TestPlacesAreNumberedAnew(t *testing.T) {
	const begin, blocks = "2300 2101 0340 0240 0240 0240 2000 ", " 0b "
	push := func(pc int) string {
		return "2001 4108 6b 2201 2400 2001 " + fmt.Sprintf("42%x 370300 ", appendSigned(nil, 0x1005<<16|pc))
	}
	const call = "4100 1003 1a "
	back := func(pc, loop int) string {
		return fmt.Sprintf("41%x 2100 0c%02x ", appendSigned(nil, pc), loop)
	}
	whole := func(table string, first, second, to int) string {
		return begin + "0e" + table + blocks + push(first) + call + " 0b " + push(second) + call + back(to, 1) +
			" 0b 0b 0f"
	}
	before := body(t, "01 03 7f "+whole("06 00 00 00 01 01 02 02", 3, 70, 4))
	f := enteredAt(before, 5, 2)
	if want := (places{0, 2, 3, 4, 70}); !slices.Equal(f.places, want) {
		t.Fatalf("found %v, want %v", f.places, want)
	}
	got := f.renumbered(before)
	if want := body(t, "01 03 7f "+whole("04 00 00 01 01 02", 2, 4, 3)); string(got) != string(want) {
		t.Errorf("got  %x,\nwant %x", got, want)
	}
	for what, code := range map[string]string{
		"no table": push(3) + call,
		"an address": begin + "0e01 00 00" + blocks +
			fmt.Sprintf("42%x 1a 0b 0b 0b", appendSigned(nil, 0x1005<<16|7)),
		"another way back":    begin + "0e01 00 00" + blocks + "4104 2100 4100 0d02 0b 0b 0b",
		"a number from where": begin + "0e01 00 00" + blocks + "2001 2100 0c02 0b 0b 0b",
		"two tables":          begin + "0e01 00 00" + blocks + "2000 0e01 00 00 0b 0b 0b",
	} {
		if f := enteredAt(body(t, "01 03 7f "+code), 5, 0); f.places != nil {
			t.Errorf("%s: found places %v", what, f.places)
		}
	}
}

// The same frame at each place that is left, and one before it the same of all else.
func TestTablesOfPlaces(t *testing.T) {
	p := places{0, 2, 3, 9}
	steps := []byte{2, 2, 16, 2, 31, 6, 0} // 0 at places 0 and 1, 8 at 2 and 3, -8 from 4 to 9
	for frame, want := range map[bool][]byte{
		true:  {2, 1, 16, 2, 31, far, 0}, // 0, 8, 8, -8
		false: {2, 1, 16, 1, 31, far, 0}, // at 1: 0, at 2: 8, at 8: -8, and at the last itself
	} {
		if got := p.table(steps, frame); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if got, want := (places{0, 9}).table(steps, true), []byte{2, 1, 15, 1, 32, far, 0}; !slices.Equal(got, want) {
		t.Errorf("without the largest frame, %v instead of %v", got, want)
	}
	for _, values := range [][]int{{-1}, {-1, -1, 5}, {0, 300, 300, -70_000, 0}} {
		got := stepValues(writeSteps(values))
		if n := len(values); !slices.Equal(got[:n], values) || got[len(got)-1] != values[n-1] {
			t.Errorf("%v became %v", values, got)
		}
	}
	one, many := writeSteps([]int{0, 8}), writeSteps(append([]int{0}, slices.Repeat([]int{8}, 90)...))
	if !slices.Equal(one, many) {
		t.Errorf("more places with the same frame need another table: %v, %v", one, many)
	}
}

// Calls that never return take the place of another call where the pclntab says the same, and behind runtime.sigpanic
// where the frame is as large; what is entered again keeps a place of its own.
func TestCallsThatNeverReturnShareAPlace(t *testing.T) {
	names := map[int]string{1: "runtime.gopanic", 2: sigpanic, 3: "main.f"}
	f := entered{
		places:   places{0, 1, 2, 3, 4, 5, 6, 7, 8},
		deferred: 8,
		numbers:  map[int]int{10: 1, 20: 2, 30: 3, 40: 4, 50: 5, 60: 6, 70: 7, 80: 5},
		called:   map[int]int{10: 3, 20: 1, 30: 2, 40: 1, 50: 1, 60: 3, 70: 2, 80: 3},
	}
	maps := []string{"", "a", "b", "c", "b", "b", "a", "d", "e"} // main.f returns to place 5 too
	f.share(func(i int) string { return names[i] }, func(place int) said {
		if place == 7 {
			return said{"16", "16" + maps[place]}
		}
		return said{"8", "8" + maps[place]}
	})
	if want := (places{0, 1, 5, 6, 7, 8}); !slices.Equal(f.places, want) {
		t.Errorf("these places are left: %v, not %v", f.places, want)
	}
	for place, want := range map[int]int{1: 1, 2: 5, 3: 1, 4: 5, 5: 5, 6: 6, 7: 7} {
		if got := f.taken(place); got != want {
			t.Errorf("in place of %d, %d is taken, not %d", place, got, want)
		}
	}
}

// Of a real program, each call has a place where the pclntab says what it said at its own, and who returns there goes
// on where it went on.
func TestCallsKeepWhatTheirPlacesSay(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	b, program := stress(t)
	all, _ := readSections(program)
	segments, _ := readSegments(*all.body(dataSection))
	memory := image(segments)
	code := all.body(codeSection)
	*code, _ = peepholeCode(*code)
	before, _ := readModule(all.write())
	entered, ok := all.newPlaces(memory)
	after, also := readModule(all.write())
	stripped, _, and := stripPclntab(memory, nil, entered, b.release)
	x, found := findPclntab(memory)
	y, foundToo := findPclntab(stripped)
	if !ok || !also || !and || !found || !foundToo {
		t.Fatal("the program isn't read")
	}
	shared, ends := 0, 0
	for i, p := range entered {
		if p == nil {
			continue
		}
		from, to := x.entry(i), y.entry(i)
		f := enteredAt(before.bodies[i], i, x.word(from+atDeferReturn))
		g := enteredAt(after.bodies[i], i, y.word(to+atDeferReturn))
		if len(f.numbers) != len(g.numbers) {
			t.Fatalf("%s: %d places became %d", x.name(from), len(f.numbers), len(g.numbers))
		}
		seen := map[int]bool{}
		for at, place := range f.numbers {
			number := g.numbers[at]
			name := before.name(f.called[at])
			if seen[number] {
				shared++
			}
			seen[number] = true
			if _, calls := f.called[at]; calls && neverReturns(name) {
				ends++
			} else if f.to[min(place, len(f.to)-1)] != g.to[min(number, len(g.to)-1)] {
				t.Fatalf("%s goes on elsewhere behind place %d, now %d", x.name(from), place, number)
			}
			for j := range x.tables(from) {
				if place == 0 || j == 1 || j == 3 || j == 4 || j > 0 && name == sigpanic {
					continue
				}
				back := min(j, 1) // all but the frame is asked for one place before
				got, want := atPlace(tableOf(&y, to, j), number-back), atPlace(tableOf(&x, from, j), place-back)
				if got != want {
					t.Fatalf("%s: table %d has %d for place %d, not %d", x.name(from), j, got, place, want)
				}
			}
		}
	}
	if shared < 1000 || ends < 1000 {
		t.Errorf("%d calls never return, and only %d share a place", ends, shared)
	}
	t.Logf("%d calls never return, and %d share a place", ends, shared)
}

// Of a real program nearly all functions outside the runtime are numbered anew, and at each place the pclntab says what
// it said.
func TestPlacesKeepTheirTables(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	b, program := stress(t)
	_, before, entered, err := optimized(program, b.release)
	if err != nil {
		t.Fatal(err)
	}
	after, _, ok := stripPclntab(before, nil, entered, b.release)
	x, found := findPclntab(before)
	y, also := findPclntab(after)
	if !ok || !found || !also || x.count != y.count {
		t.Fatal("the table isn't found")
	}
	renumbered, defers := 0, 0
	for i, p := range entered {
		from, to := x.entry(i), y.entry(i)
		if p == nil {
			p = places{0} // it must be the same at any place
			if !goesOn(tableOf(&x, from, 0), tableOf(&y, to, 0)) {
				t.Fatalf("%s: its frames changed", x.name(from))
			}
		} else {
			renumbered++
		}
		if d := x.word(from + 12); d != 0 && entered[i] != nil {
			defers++
			if p[y.word(to+12)] != d {
				t.Fatalf("%s runs what it deferred at %d, not at %d", x.name(from), p[y.word(to+12)], d)
			}
			// Behind runtime.sigpanic, pointers are those at this very place (continpc in runtime/traceback.go).
			for j := 2; j < len(x.tables(from)); j++ {
				got, want := atPlace(tableOf(&y, to, j), y.word(to+12)), atPlace(tableOf(&x, from, j), d)
				if j != 3 && j != 4 && got != want {
					t.Fatalf("%s: table %d has %d where it runs what it deferred, not %d", x.name(from), j, got, want)
				}
			}
		}
		for number, place := range p {
			if got, want := atPlace(tableOf(&y, to, 0), number), atPlace(tableOf(&x, from, 0), place); got != want {
				t.Fatalf("%s: a frame of %d bytes at %d, not %d", x.name(from), got, place, want)
			}
			for j := 2; place > 0 && j < len(x.tables(from)); j++ {
				if j == 3 || j == 4 {
					continue // idle
				}
				got, want := atPlace(tableOf(&y, to, j), number-1), atPlace(tableOf(&x, from, j), place-1)
				if got != want {
					t.Fatalf("%s: table %d has %d for place %d, not %d", x.name(from), j, got, place, want)
				}
			}
		}
	}
	if renumbered < 700 || defers < 10 {
		t.Errorf("%d functions are numbered anew, %d of them defer", renumbered, defers)
	}
	t.Logf("%d of %d functions are numbered anew", renumbered, x.count)
}

// goesOn says whether a table says what another one does at all of its places, and goes on as long or longer.
func goesOn(before, after []byte) bool {
	if before == nil {
		return after == nil
	}
	want, got := stepValues(before), stepValues(after)
	return len(got) >= len(want) && slices.Equal(got[:len(want)], want)
}

// atPlace is what a table of the program's counter says, as the runtime reads it (pcvalue in runtime/symtab.go).
func atPlace(table []byte, place int) int {
	value, end := -1, 0
	for first := true; len(table) > 0; first = false {
		change, n := binary.Uvarint(table)
		if change == 0 && !first {
			break
		}
		length, m := binary.Uvarint(table[n:])
		table = table[n+m:]
		if change&1 != 0 {
			value += int(^(change >> 1))
		} else {
			value += int(change >> 1)
		}
		if end += int(length); place < end {
			return value
		}
	}
	return -1 // where the runtime would stop; the same for no table
}
