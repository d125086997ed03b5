package execute

import (
	"math/rand/v2"
	"testing"

	"github.com/scalebook/scalebook/app/sharding"
)

// TestReceivedIsCounted: what a chip of a collective takes in from others, counted element by element, is what the step
// says.
func TestReceivedIsCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	m, _ := sharding.ParseMesh("X=4, Y=2", nil)
	s, _ := sharding.ParseSizes("I=16, J=32, K=8", nil)
	kinds := map[sharding.Kind]int{}
	for _, text := range []string{
		"A[I_X, J_Y] . B[J, K] -> C[I, K]", "A[I, J_XY] . B[J_Y, K] -> C[I_X, K]",
		"A[I_YX, J] . B[J, K_XY] -> C[I, K_Y]", "A[I, J_XY] . B[J_XY, K] -> C[I_Y, K_X]",
		"A[I_X, J]{U_Y} . B[J_X, K] -> C[I_XY, K]",
	} {
		e, err := sharding.ParseEinsum("int8 "+text, s, m)
		if err != nil {
			t.Fatal(err)
		}
		p := sharding.NewPlan(e, sharding.Chip{Peak: 1}, sharding.Free(m), sharding.Options{Most: 60})
		for _, st := range p.Strategies {
			for _, step := range st.Steps {
				if step.Kind >= sharding.Slice {
					continue
				}
				kinds[step.Kind]++
				chip := r.IntN(m.Chips())
				if got := received(m, &step, chip) * float64(step.To.Element()); got != float64(step.Received) {
					t.Fatalf("%s: chip %d takes in %v bytes, the step says %v", step.String(m), chip, got,
						step.Received)
				}
			}
		}
	}
	for k := sharding.AllGather; k <= sharding.AllToAll; k++ {
		if kinds[k] < 5 {
			t.Errorf("only %d steps are %v", kinds[k], k)
		}
	}
}

// received counts the elements that a chip takes in: those it has not had, or of sums those of each other member. An
// all-reduce is a reduce-scatter of an N-th part and a gathering of the rest.
func received(m *sharding.Mesh, step *sharding.Step, chip int) float64 {
	from, to := held(step.From, m, chip), held(step.To, m, chip)
	others := float64(len(group(m, step.Axes, chip)) - 1)
	switch step.Kind {
	case sharding.ReduceScatter:
		return others * float64(len(to.Data))
	case sharding.AllReduce:
		part := float64(len(to.Data)) / (others + 1)
		return others*part + others*part
	}
	n := 0.0
	each(to.Held, func(at []int) {
		if offset(from.Held, at) < 0 {
			n++
		}
	})
	return n
}

// TestGatherAndScatterAreTransposes: <AllGather x, y> = <x, ReduceScatter y>, summed over all chips.
func TestGatherAndScatterAreTransposes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	m, _ := sharding.ParseMesh("X=3, Y=2", nil)
	split, err := sharding.ParseArray("A[6_X, 5_Y]", nil, m)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := sharding.ParseArray("A[6, 5_Y]", nil, m)
	summed, _ := sharding.ParseArray("A[6, 5_Y]{U_X}", nil, m)
	x, y := Placed{Array: split}, Placed{Array: summed}
	for chip := range m.Chips() {
		a, b := held(split, m, chip), held(summed, m, chip)
		for _, s := range [][]float64{a.Data, b.Data} {
			for i := range s {
				s[i] = float64(r.IntN(19) - 9)
			}
		}
		x.Shards, y.Shards = append(x.Shards, a), append(y.Shards, b)
	}
	gathered, err := move(m, &sharding.Step{Kind: sharding.AllGather, Axes: []int{0}, From: split, To: whole}, x)
	if err != nil {
		t.Fatal(err)
	}
	scattered, err := move(m, &sharding.Step{Kind: sharding.ReduceScatter, Axes: []int{0}, From: summed, To: split}, y)
	if err != nil {
		t.Fatal(err)
	}
	if l, r := inner(gathered, y), inner(x, scattered); l != r || l == 0 {
		t.Errorf("<AllGather x, y> = %v, <x, ReduceScatter y> = %v", l, r)
	}
}

func inner(a, b Placed) float64 {
	total := 0.0
	for chip := range a.Shards {
		for i, v := range a.Shards[chip].Data {
			total += v * b.Shards[chip].Data[i]
		}
	}
	return total
}

// TestMissingDataIsRefused: a step that names too few axes would need what its group does not hold.
func TestMissingDataIsRefused(t *testing.T) {
	m, _ := sharding.ParseMesh("X=2, Y=2", nil)
	from, _ := sharding.ParseArray("A[4_XY]", nil, m)
	to, _ := sharding.ParseArray("A[4]", nil, m)
	p, err := Place(NewTensor(4), from, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := move(m, &sharding.Step{Kind: sharding.AllGather, Axes: []int{1}, From: from, To: to}, p); err == nil {
		t.Error("a gather over Y alone finds what lies along X")
	}
	big, _ := sharding.ParseArray("A[9000000]", nil, m)
	if _, err := Place(NewTensor(9000000), big, m, nil); err != ErrTooLarge {
		t.Errorf("an array of nine million elements: %v", err)
	}
}
