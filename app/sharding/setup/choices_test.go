package setup

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// shows is what the choices of each dimension show.
func shows(s *Setup) []string {
	var all []string
	for _, p := range s.Splits() {
		now := "nothing"
		for _, c := range p.Choices {
			if c.Now {
				now = c.Name
			}
		}
		all = append(all, p.Says.String()+" "+now)
	}
	return all
}

// Choices and text stay in step: whatever is chosen, the text says it, and whatever the text says, the choices show it.
func TestChoicesAndTextInStep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	turns := 100
	if testing.Short() {
		turns /= 10
	}
	for _, start := range []string{"A[I_X, J] . B[J_X, K] -> C[I_X, K]",
		"int8 A[I_X, J_Y]*fp8 W_in[J, K_YZ] → Out[I,K]{U_Z}", "[Bq_XY, T, D] @ [D, F] => [Bq, T, F]"} {
		g := given(t, "tpu.v5p")
		g.Mesh, g.Product = "X=2, Y=4, Z=2", start
		s := taken(t, g)
		for range turns {
			splits := s.Splits()
			i := r.IntN(len(splits))
			c := splits[i].Choices[r.IntN(len(splits[i].Choices))]
			g.Product = c.Product
			if s = taken(t, g); len(s.Notes) > 0 {
				t.Fatalf("%s offered for %s is not taken as it is: %v", c.Name, splits[i].Says, s.Notes)
			}
			if want := splits[i].Says.String() + " " + c.Name; !slices.Contains(shows(s), want) && c.Name != "–" {
				t.Fatalf("%q chosen, %q shown; %s", want, shows(s), s.Text)
			}
		}
	}
}

// Each example leads to choices, all of them in the order of the mesh's axes or against it.
func TestOrders(t *testing.T) {
	for n, want := range []int{1, 2, 5, 16, 17, 26} {
		if got := orders(n, nil); len(got) != want {
			t.Errorf("%d axes: %d orders, not %d", n, len(got), want)
		}
	}
	if all := orders(4, []int{0, 1, 2}); !slices.Equal(all[len(all)-1], []int{0, 1, 2}) {
		t.Error("what holds is not offered")
	}
}
