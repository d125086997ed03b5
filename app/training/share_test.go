package training

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sharing are searches that can be shared: for experts, for a dense model with every schedule, and where nothing fits.
func sharing(t *testing.T) map[string]func() *SearchState {
	hunts := map[string]func() *SearchState{}
	for name, c := range map[string]struct {
		model            string
		devices          int
		whole, exhausted bool
		by               Objective
	}{
		"experts":       {model: "mixtral.8x7b", devices: 64},
		"every plan":    {model: "llama3.8b", devices: 16, whole: true},
		"without bound": {model: "llama3.8b", devices: 16, exhausted: true},
		"by memory":     {model: "llama3.8b", devices: 32, by: ByMemory},
		"nothing fits":  {model: "llama3.70b", devices: 4},
	} {
		p := NewPricer(newJob(t, c.model, "gpu.h100", "megatron", c.devices, 128, 4096))
		s := Search{Space: p.Usual(), Top: 20, Exhaust: c.exhausted, Objective: c.by}
		if c.whole {
			s.Space = p.Whole()
			s.Space.Micro = s.Space.Micro[:2]
		}
		hunts[name] = func() *SearchState { return p.BeginSearch(s) }
	}
	return hunts
}

// A shared search finds what one alone does, whoever does which piece in which order, and whatever is lost on the way.
func TestSharedSearch(t *testing.T) {
	for name, begin := range sharing(t) {
		alone := begin()
		for alone.Step() {
		}
		want := alone.Found()
		for seed := range uint64(6) {
			random := rand.New(rand.NewPCG(seed, 1))
			h, helpers, lent := begin(), []*SearchState{begin(), begin()}, []string{}
			for h.Done() < 1 {
				switch random.IntN(6) {
				case 0:
					h.Step()
				case 1, 2:
					if piece := h.LendChunk(); piece != "" {
						lent = append(lent, piece)
					}
				case 3, 4, 5:
					if len(lent) == 0 {
						continue
					}
					i := random.IntN(len(lent))
					piece := lent[i]
					lent = slices.Delete(lent, i, i+1)
					if random.IntN(4) == 0 {
						h.Back(piece)
					} else if found := helpers[random.IntN(2)].Do(piece); !h.Take(piece, found) {
						t.Fatalf("%s: can't read\n%s", name, found)
					}
				}
			}
			if got := h.Found(); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, seed %d: the shared search found %d plans, %d of %d refused, %d of %d divisions cut; alone "+
					"%d, %d of %d, %d of %d", name, seed, len(got.Best), got.Refused, got.Priced, got.Cut, got.Trunks,
					len(want.Best), want.Refused, want.Priced, want.Cut, want.Trunks)
			}
		}
	}
}

// Every plan that a search tries is the same after it went as text; where this is slow, one of 17.
func TestPlansTravelAsText(t *testing.T) {
	p := NewPricer(newJob(t, "mixtral.8x7b", "gpu.h100", "megatron", 64, 128, 8192))
	s := p.Whole()
	s.Micro = []int{1, 4}
	tried := 0
	p.trunks(&s, func(tr trunk) bool {
		p.branches(&s, tr, func(plan Plan, _ change) {
			if tried++; testing.Short() && tried%17 != 0 {
				return
			}
			want := plan.filled()
			got, err := ParsePlan(want.String(), 64)
			if err != nil || got.filled() != want {
				t.Fatalf("%s became %+v, %v; it was %+v", want, got.filled(), err, want)
			}
		})
		return true
	})
}

// What can't be read is refused and changes nothing.
func TestUnreadableShares(t *testing.T) {
	h := sharing(t)["experts"]()
	piece := h.LendChunk()
	good := h.Do(piece)
	before := h.Found()
	for _, bad := range []string{"", "x", "d", "d 0", "d a b c", "b dp=1", good + "b dp=3 tp=7\n", good + good,
		strings.Replace(good, "d 0", "d 99", 1), strings.Replace(good, "d 0", "d -1", 1), "n dp=1\n" + good,
		good + "r 1 x y\n"} {
		if h.Take(piece, bad) {
			t.Errorf("it took %q", bad)
		}
	}
	if !reflect.DeepEqual(h.Found(), before) || h.lent != len(h.piece(piece)) {
		t.Error("what was refused changed the search")
	}
	for _, piece := range []string{"", "1", "x y z", "1 -1 99999999", "NaN 0"} {
		h.Do(piece)
	}
	h.Back(piece)
	if h.lent != 0 || !slices.Equal(h.piece(h.LendChunk()), h.piece(piece)) {
		t.Error("a piece that came back isn't given again")
	}
}
