package scrap

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Planted faults of the kinds that fuzzing is for are all found within the texts of one target: what is looked up
// beyond the end, a length that a text states of itself, a number that overflows, nesting, a byte that isn't UTF-8.
func TestFindsPlantedFaults(t *testing.T) {
	faults := map[string]struct {
		seeds [][]any
		wrong func(text string) bool
	}{
		"a flag without its value": {
			[][]any{{"serve --tp 2 --dp 4\n--model llama"}, {"--quiet"}},
			func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), "--tp") },
		},
		"a product of two that overflows": {
			[][]any{{"tp=2 pp=3\n"}},
			func(s string) bool {
				var tp, pp int
				for _, word := range strings.Fields(s) {
					if n, is := strings.CutPrefix(word, "tp="); is {
						tp, _ = strconv.Atoi(n)
					}
					if n, is := strings.CutPrefix(word, "pp="); is {
						pp, _ = strconv.Atoi(n)
					}
				}
				return tp > 0 && pp > 0 && tp*pp/tp != pp
			},
		},
		"nesting twenty deep": {
			[][]any{{`{"a": [1, [2]]}`}},
			func(s string) bool { return strings.Contains(s, strings.Repeat("[", 20)) },
		},
		"a letter cut in two": {
			[][]any{{"Wärme = 1\n"}},
			func(s string) bool { return strings.Contains(s, "\xc3") && !strings.Contains(s, "ä") },
		},
		"two keys in the other order": {
			[][]any{{"first: 1\nsecond: 2\nthird: 3\n"}},
			func(s string) bool {
				return strings.Contains(s, "third: 3\n") &&
					strings.Index(s, "third: 3\n") < strings.Index(s, "first: 1\n")
			},
		},
		"a key that is there twice": {
			[][]any{{"name: a\nsize: 7\n"}, {"kind: b\n"}},
			func(s string) bool { return strings.Count(s, "size: ") > 1 },
		},
		"a length beyond the end": {
			[][]any{{string(binary.LittleEndian.AppendUint32(nil, 4)) + "abcd"}},
			func(s string) bool {
				return len(s) >= 4 && binary.LittleEndian.Uint32([]byte(s)) > uint32(len(s)) &&
					strings.HasSuffix(s, "d")
			},
		},
	}
	for name, c := range faults {
		m := &mill{rand.New(rand.NewPCG(1, 2)), c.seeds}
		found := 0
		for range Texts {
			if c.wrong(m.args()[0].(string)) {
				found++
			}
		}
		t.Logf("%s: %d of %d texts", name, found, Texts)
		if found == 0 {
			t.Errorf("%s: not found", name)
		}
		for _, seed := range c.seeds {
			if c.wrong(seed[0].(string)) {
				t.Errorf("%s: a seed has it", name)
			}
		}
	}
}

// Arguments of all types are changed, and the seeds stay what they are.
func TestSeedsStay(t *testing.T) {
	seed := []any{"text 1", []byte("bytes 2"), byte(3), 4, 5.5, true}
	m := &mill{rand.New(rand.NewPCG(1, 2)), [][]any{seed}}
	changed := make([]bool, len(seed))
	for range 100 {
		for i, arg := range m.args() {
			if b, is := arg.([]byte); is {
				changed[i] = changed[i] || string(b) != "bytes 2"
			} else {
				changed[i] = changed[i] || arg != seed[i]
			}
		}
	}
	for i, is := range changed {
		if !is {
			t.Errorf("a %T never changes", seed[i])
		}
	}
	if seed[0] != "text 1" || string(seed[1].([]byte)) != "bytes 2" || seed[2] != byte(3) {
		t.Errorf("the seed became %q", seed)
	}
}

// FuzzLength is a target of this package's own: it gets its seed and all that is made of it, unless only some of them
// are asked for.
func FuzzLength(plain *testing.F) {
	f := Of(plain)
	f.Add("a", []byte("b"))
	times := 0
	f.Cleanup(func() {
		if want := Texts + 1; !testing.Short() && times > 1 && times < want {
			f.Errorf("tried %d times, want %d", times, want)
		}
	})
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		if times++; len(text)+len(data) > 1<<20 {
			t.Errorf("%d bytes", len(text)+len(data))
		}
	})
}
