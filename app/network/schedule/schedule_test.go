package schedule

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func must(t testing.TB, s *Schedule, err error) *Schedule {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Play(nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want)+1e-12 }

func randomGrid(r *rand.Rand, axes, size int) Grid {
	var g Grid
	for range 1 + r.IntN(axes) {
		g.Sides = append(g.Sides, 1+r.IntN(size))
		g.Wrap = append(g.Wrap, r.IntN(2) == 0)
	}
	return g
}

// TestPromises plays every algorithm on many grids: everyone holds in the end what the collective promises.
func TestPromises(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		g := randomGrid(r, 3, 5)
		gather, err := AllGather(g, 1, Bidirectional)
		gather = must(t, gather, err)
		scatter := must(t, Reverse(gather), nil)
		must(t, scatter.Then(gather), nil)
		if g.Chips() <= 40 {
			s, err := AllToAll(g, 1, Bidirectional)
			must(t, s, err)
		}
	}
	for n := 1; n <= 33; n++ {
		gather, err := AllGather(Ring(n), 1, Unidirectional)
		gather = must(t, gather, err)
		must(t, Reverse(gather).Then(gather), nil)
		for _, build := range []func() (*Schedule, error){
			func() (*Schedule, error) { return AllToAll(Ring(n), 1, Unidirectional) },
			func() (*Schedule, error) { return Direct(n, 1) },
			func() (*Schedule, error) { return DirectExchange(n, 1) },
			func() (*Schedule, error) { return InSwitch(n, 1, 1+n%4) },
			func() (*Schedule, error) { return Pipeline(n, 1, 1+n%7) },
			func() (*Schedule, error) { return sumAlongLine(n, 1, 1+n%7) },
		} {
			s, err := build()
			must(t, s, err)
		}
	}
}

// TestGatherMovesEachChunkOnce: every chip takes in what it lacks, and nothing twice.
func TestGatherMovesEachChunkOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		g := randomGrid(r, 3, 5)
		s, err := AllGather(g, 1, Bidirectional)
		s = must(t, s, err)
		sum := 0.0
		for _, step := range s.Steps {
			for _, tr := range step.Transfers {
				sum += s.Bytes(tr)
			}
		}
		if want := float64(g.Chips() - 1); !near(sum, want) {
			t.Errorf("%v: %v arrays sent, want %v", g, sum, want)
		}
	}
}

// TestReverseCarriesTheSame: what goes over each link one way in an all-gather goes over it the other way in the
// reduce-scatter.
func TestReverseCarriesTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		g := randomGrid(r, 2, 6)
		s, err := AllGather(g, 1, Bidirectional)
		s = must(t, s, err)
		back := Reverse(s).Totals(g)
		for w, bytes := range s.Totals(g) {
			to, _ := g.next(w.At, w.Level, w.Dir)
			if got := back[Link{Level: w.Level, At: to, Dir: -w.Dir}]; !near(got, bytes) {
				t.Fatalf("%v: %v one way, %v back", w, bytes, got)
			}
		}
		if !near(s.InTurn(g), Reverse(s).InTurn(g)) {
			t.Fatal("the steps take longer backwards")
		}
	}
}

// TestPlayRefuses: a schedule that is wrong does not play.
func TestPlayRefuses(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(s *Schedule)
	}{
		{"which it does not hold", func(s *Schedule) { s.Steps = s.Steps[1:] }},
		{"lacks a part", func(s *Schedule) { s.Steps = s.Steps[:len(s.Steps)-1] }},
		{"adds a part", func(s *Schedule) {
			s.Steps[1].Transfers[0].Add = true
			s.Steps[1].Transfers[0].To = s.Steps[1].Transfers[0].From
		}},
	} {
		s, err := AllGather(Ring(8), 1, Bidirectional)
		if err != nil {
			t.Fatal(err)
		}
		c.spoil(s)
		if err := s.Play(nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestPlayShowsEveryStep: an animation sees the state before the first step and after each.
func TestPlayShowsEveryStep(t *testing.T) {
	s, err := AllGather(Ring(5), 10, Bidirectional)
	if err != nil {
		t.Fatal(err)
	}
	var held []int
	err = s.Play(func(step int, state *State) bool {
		n := 0
		for c := range s.Sizes {
			n += state.Holds(2, c)
		}
		held = append(held, n)
		return step < 1
	})
	if err != nil || len(held) != 2 || held[0] != 2 || held[1] != 6 {
		t.Errorf("%v, %v: want chip 2 to hold 2 chunks, then 6, and no more", held, err)
	}
}

func TestRefusals(t *testing.T) {
	refuse := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	big := Grid{Sides: []int{1 << 40, 1 << 40}, Wrap: []bool{true, true}}
	for _, g := range []Grid{{}, Ring(0), Ring(-3), Ring(MaxChips + 1), big, {Sides: []int{4}}} {
		_, err := AllGather(g, 1, Bidirectional)
		refuse("grid", err)
		_, err = AllToAll(g, 1, Bidirectional)
		refuse("grid", err)
	}
	_, err := AllToAll(Ring(MaxChips), 1, Bidirectional)
	refuse("too many moves", err)
	_, err = AllGather(Line(4), 1, Unidirectional)
	refuse("a line in one direction", err)
	_, err = AllGatherIn(Ring(4), 1, Bidirectional, [][]int{{1}}, []float64{1})
	refuse("order", err)
	for _, u := range []Units{{8, 2}, {0, 2}, {5}, {16}} {
		_, err = Levels(u, 12, 1, 1)
		if len(u) == 1 && u[0] == 16 {
			if err != nil {
				t.Errorf("12 of 16 devices of one unit: %v", err)
			}
			continue
		}
		refuse("uneven units", err)
	}
	_, err = Levels(Units{8}, 1<<40, 1<<40, 1)
	refuse("huge", err)
	_, err = Pipeline(4, 1, 0)
	refuse("no pieces", err)
}

// TestSmall plays a ring of one and two, on which everything degenerates.
func TestSmall(t *testing.T) {
	s, err := AllGather(Ring(1), 1, Bidirectional)
	if s = must(t, s, err); len(s.Steps) != 0 {
		t.Errorf("one chip takes %d steps", len(s.Steps))
	}
	s, err = AllGather(Ring(2), 1, Bidirectional)
	s = must(t, s, err)
	if len(s.Steps) != 1 || !near(s.InTurn(Ring(2)), 0.25) {
		t.Errorf("a ring of two: %d steps, %v over a link; want 1 and a half of the half", len(s.Steps),
			s.InTurn(Ring(2)))
	}
}

// sumAlongLine is an all-reduce on a line: pieces are summed up towards the last chip, and the sums run back while the
// next pieces come.
func sumAlongLine(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := whole(chips, bytes, pieces)
	for t := range pieces + 2*chips - 3 {
		var all []Transfer
		for chip := range chips - 1 {
			if piece := t - chip; piece >= 0 && piece < pieces {
				all = append(
					all,
					Transfer{From: chip, To: chip + 1, Dir: +1, Chunks: []int{piece}, Add: true},
				)
			}
			if piece := t - (chips - 1) - chip; piece >= 0 && piece < pieces {
				all = append(
					all,
					Transfer{From: chips - 1 - chip, To: chips - 2 - chip, Dir: -1, Chunks: []int{piece}},
				)
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// TestLineAllReduce: the law all_reduce_time_line, (pieces + 2N - 3)/pieces V/W, is what sums that run along a line
// take while the next pieces come; for many pieces it beats a reduce-scatter and an all-gather, 2 (N-1)/N V/W, from N =
// 3 on.
func TestLineAllReduce(t *testing.T) {
	for n := 2; n <= 12; n++ {
		for pieces := 1; pieces <= 40; pieces += 3 {
			s, err := sumAlongLine(n, 1, pieces)
			s = must(t, s, err)
			if got, want := s.InTurn(Line(n)), float64(pieces+2*n-3)/float64(pieces); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%d chips, %d pieces: played %v, the law says %v", n, pieces, got, want)
			}
		}
	}
}

// TestPipelineRing: everyone gets everything, each direction of a link carries half, and the pieces follow each other.
func TestPipelineRing(t *testing.T) {
	for chips := 2; chips <= 17; chips++ {
		for pieces := 2; pieces <= 12; pieces += 2 {
			s, err := PipelineRing(chips, 1, pieces)
			s = must(t, s, err)
			if got := s.Busiest(Ring(chips), 0); !near(got, 0.5) {
				t.Errorf("%d chips, %d pieces: %v over a link, want a half", chips, pieces, got)
			}
			if want := pieces/2 + chips - 2; len(s.Steps) != want {
				t.Errorf("%d chips, %d pieces: %d steps, want %d", chips, pieces, len(s.Steps), want)
			}
		}
	}
	for _, bad := range [][2]int{{0, 2}, {MaxChips + 1, 2}, {4, 0}} {
		if _, err := PipelineRing(bad[0], 1, bad[1]); err == nil {
			t.Error(bad, "is played")
		}
	}
	one, err := PipelineRing(1, 1, 3)
	if one = must(t, one, err); len(one.Steps) != 0 {
		t.Error("one chip sends to itself")
	}
	odd, err := PipelineRing(5, 1, 3)
	must(t, odd, err)
}
