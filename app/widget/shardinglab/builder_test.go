package shardinglab

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// selected are the choices that the menus of the builder show.
func selected(v *instrument.View) map[string]string {
	all := map[string]string{}
	v.Part("part:setup").Walk(func(n *instrument.Node) {
		if n.Tag != "select" {
			return
		}
		id, _ := n.Attr("id")
		_, key, ok := strings.Cut(id, "choose-")
		n.Walk(func(o *instrument.Node) {
			if _, now := o.Attr("selected"); ok && now && o.Tag == "option" {
				all[key], _ = o.Attr("value")
			}
		})
	})
	return all
}

// Menus and text stay in step: whatever is chosen, the text says it, and whatever the text says, the menus show it.
func TestBuilderAndTextInStep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, start := range []string{"A[I_X, J] . B[J_X, K] -> C[I_X, K]", "int8 A[I_X, J_Y]*fp8 W_in[J, K_YZ] → Out[I,K]{U_Z}", "[Bq_XY, T, D] @ [D, F] => [Bq, T, F]"} {
		v := begin(t)
		if err := v.Set("mesh", "X=2, Y=4, Z=2"); err != nil {
			t.Fatal(err)
		}
		if err := v.Set("product", start); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			shown := selected(v)
			var keys []string
			for array := range 3 {
				for dim := range 4 {
					if key := strconv.Itoa(array) + "-" + strconv.Itoa(dim); shown[key] != "" {
						keys = append(keys, key)
					}
				}
			}
			key := keys[r.IntN(len(keys))]
			array, dim, _ := strings.Cut(key, "-")
			k, _ := strconv.Atoi(dim)
			var choices []string
			v.Part("part:setup").Walk(func(n *instrument.Node) {
				if id, _ := n.Attr("id"); n.Tag == "select" && strings.HasSuffix(id, "choose-"+key) {
					n.Walk(func(o *instrument.Node) {
						if to, ok := o.Attr("value"); ok && o.Tag == "option" {
							choices = append(choices, to)
						}
					})
				}
			})
			to := choices[r.IntN(len(choices))]
			v.Choose("split "+array+" "+strconv.Itoa(k-1), to)
			if why := v.Refused("product"); why != "" {
				t.Fatalf("%s offered for %s is refused: %s", to, key, why)
			}
			if got := selected(v)[key]; got != to {
				t.Fatalf("%s of %s chosen, %s shown; %s", to, key, got, text(t, v, "product"))
			}
			// The text alone, typed elsewhere, shows the same menus.
			written := v.Text(v.Sheet.Input("product"))
			w := begin(t)
			_ = w.Set("mesh", "X=2, Y=4, Z=2")
			if err := w.Set("product", written); err != nil {
				t.Fatalf("%s: %v", written, err)
			}
			typed := selected(w)
			for key, now := range selected(v) {
				if key != "preset" && typed[key] != now {
					t.Fatalf("%s: %s shows %s, typed %s", written, key, now, typed[key])
				}
			}
			if text(t, v, "product") != text(t, w, "product") || text(t, v, "a_bytes") != text(t, w, "a_bytes") {
				t.Fatal("the arrays differ: ", written)
			}
		}
	}
}

// A fault shows its column with a caret, and the last good product stays.
func TestCaret(t *testing.T) {
	v := begin(t, "mesh = X=4, Y=4")
	before := text(t, v, "product")
	bad := "A[I_X, J] . B[J_Q, K] -> C[I_X, K]"
	if v.Set("product", bad) == nil {
		t.Fatal("taken")
	}
	page := widget.HTML(v.Part("part:setup"))
	want := bad + "\n" + strings.Repeat(" ", strings.Index(bad, "Q")) + "^"
	if !strings.Contains(page, instrument.Escape(want)+"</pre>") {
		t.Error("no caret:", page)
	}
	if text(t, v, "product") != before || !strings.Contains(v.Summary(), "it has X, Y") {
		t.Error(v.Summary())
	}
	if err := v.Set("product", strings.Replace(bad, "Q", "Y", 1)); err != nil || strings.Contains(widget.HTML(v.Part("part:setup")), "caret") {
		t.Error("it does not recover:", err)
	}
}

// The product follows the mesh, as far as it can; undoing the product on a mesh that lacks its axes says what is reckoned.
func TestMeshChanges(t *testing.T) {
	v := begin(t)
	_ = v.Set("mesh", "X=4, Y=4")
	_ = v.Set("product", "A[I_XY, J] . B[J_Y, K] -> C[I_Y, K_X]")
	_ = v.Set("mesh", "Y=8")
	if got := text(t, v, "product"); got != "A[I_Y, J] . B[J_Y, K] -> C[I_Y, K]" {
		t.Error(got)
	}
	v.Undo("product")
	if got := text(t, v, "product"); got != "A[I, J] . B[J, K] -> C[I, K]" || !strings.Contains(widget.HTML(v.Part("part:answer")), "reckoned") {
		t.Error(got)
	}
	if err := v.Set("size_i", "0"); err == nil {
		t.Error("no rows")
	}
	_ = v.Set("product", "A[I_Y, J] . B[J, K] -> C[I_Y, K]")
	if err := v.Set("size_i", "4"); err == nil || !strings.Contains(err.Error(), "cannot be split") {
		t.Error(err)
	}
}

// A mesh that no pod has is still reckoned, on wires of its own, and said to be.
func TestNoSuchSlice(t *testing.T) {
	v := begin(t, "chip = tpu.v5e", "mesh = X=4, Y=4, Z=4", "wires = pod")
	if got := widget.HTML(v.Part("part:answer")); !strings.Contains(got, "ring of its own") {
		t.Error(got)
	}
	if result(t, v, "t_comms") <= 0 {
		t.Error("nothing is reckoned")
	}
}
