package training

import (
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// One matrix in place of attention or of the MLP has neither heads nor a hidden width: what a layer's matmuls take in
// and give out is the model's width.
func TestShapeOfOneMatrix(t *testing.T) {
	const layers, D, F = 4, 512, 2048
	m := model.Model{Layers: layers, Width: D, Vocab: 1000, FFWidth: F, Heads: 8, KVHeads: 8, HeadSize: 64}
	m.Each = model.NewEach(layers, func(layer int) [4]int {
		return [...][4]int{{}, {3: model.MatrixMLP}, {3: model.MatrixMixer}, {3: model.LacksMLP}}[layer]
	})
	z := newShape(&m, 1024)
	if want := 2.0 * F / layers; z.hidden != want || z.mlps != 0.5 {
		t.Errorf("the hidden width is %v of a mean layer, in %v of them; want %v in half of them", z.hidden, z.mlps, want)
	}
	if want := 2.0 * D * (3 + 2 + 2) / layers; z.full != want { // attention, MLPs, single matrices
		t.Errorf("the widths of matmuls' sides come to %v, want %v", z.full, want)
	}
	if want := 3.0 * 8 * 64 / layers; z.queries != want {
		t.Errorf("queries come to %v, want %v", z.queries, want)
	}
}
