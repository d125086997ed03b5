package layer_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/layer"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }

// each calls f with every model of the catalog, and some that it lacks.
func each(f func(m *model.Model)) {
	for _, k := range model.Catalog().All {
		f(&k.Model)
	}
	odd := model.Model{Layers: 3, Width: 48, Vocab: 100, Heads: 6, KVHeads: 2, HeadSize: 10, ValueSize: 14, FFWidth: 96,
		QKNorm: model.WidthQKNorm,
		Norms:  3, Bias: model.Bias{QKV: true, Output: true, MLP: true, Experts: true, Unembed: true}, Sinks: true,
		MoE: model.MoE{Experts: 4, PerToken: 2, Shared: 2, SharedWidth: 30, SharedGate: true, RouterBias: true,
			Layers: model.Pattern{First: 1}},
		Window: model.Window{Size: 8, Layers: model.Pattern{Cycle: "10"}, KVHeads: 3, HeadSize: 6}}
	f(&odd)
	odd.MLA, odd.Window = model.MLA{KVRank: 12, NopeSize: 7, RopeSize: 3, ValueSize: 9}, model.Window{}
	f(&odd)
	odd.Parallel, odd.Norms, odd.Plain = true, 5, true
	f(&odd)
	newer(f)
}

// newer calls f with models whose layers keep a state, are one block each, share caches, or have an index or gates.
func newer(f func(m *model.Model)) {
	base := model.Model{Layers: 4, Width: 48, Vocab: 100, Heads: 6, KVHeads: 2, HeadSize: 10, FFWidth: 96}
	for kind := model.GatedDelta; kind <= model.ShortConv; kind++ {
		m := base
		m.Linear = model.Linear{Kind: kind, KeyHeads: 2, Heads: 4, KeySize: 8, ValueSize: 6, Conv: 4, ConvBias: true,
			Bias: true, Rank: 5, Layers: model.Pattern{Cycle: "1110"}}
		m.Gate = model.WidthGate
		f(&m)
		m.Blocks = model.Blocks{Apart: true, Mixers: model.Pattern{Cycle: "1010"}, MLP: model.Pattern{Cycle: "0101"}}
		m.Norms, m.Gate = 1, model.HeadGate
		m.MoE = model.MoE{Experts: 4, PerToken: 2, Latent: 12, Shared: 1, SharedWidth: 30, RouterScale: true,
			Layers: model.Pattern{Cycle: "0100"}}
		f(&m)
	}
	m := base
	m.KeysValue, m.QKNorm, m.Norms = true, model.HeadQKNorm, 7
	m.Window = model.Window{Size: 8, Layers: model.Pattern{Cycle: "1110"}, KVHeads: 3, HeadSize: 6}
	m.Sharing = model.Sharing{Layers: 2, Wide: true}
	f(&m)
	m = base
	m.MLA, m.KVHeads, m.HeadSize = model.MLA{QRank: 20, KVRank: 12, NopeSize: 7, RopeSize: 3, ValueSize: 9}, 0, 0
	m.Index = model.Index{Heads: 3, Size: 8, Top: 50}
	f(&m)
}

// layers calls f with each kind of layer of m as it is drawn, and how many layers of m are of that kind.
func layers(m *model.Model, T float64, mask model.Mask, f func(y *layer.Layer, n float64)) {
	count := map[model.Layer]float64{}
	for i := range m.Layers {
		count[m.Layer(i)]++
	}
	for kind, n := range count {
		f(layer.New(m, kind, T, mask), n)
	}
}

// Over all layers the boxes store what the model does, less the vocabulary and the final norm.
func TestBoxesStoreTheModel(t *testing.T) {
	each(func(m *model.Model) {
		p, norm, sum, matrices := m.Params(), 0.0, 0.0, 0.0
		layers(m, 100, model.Full, func(y *layer.Layer, n float64) {
			norm = y.Norm
			for _, b := range y.Boxes() {
				sum += n * b.Params()
				matrices += n * (b.Params() - b.Small)
			}
		})
		outside := p.Lookup() + p.Unembedding + norm
		if w := float64(m.PerLayer.Width); w > 0 {
			outside += w * (float64(m.Width*m.Layers) + 1) // of all layers at once, and a norm
		}
		if m.Bias.Unembed {
			outside += float64(m.Vocab)
		}
		streams := float64(m.Side.Hyper)
		if m.Side.OnePass {
			streams = 0
		}
		if streams > 0 {
			outside += streams*streams*float64(m.Width) + streams + 1
		}
		if sum+outside != p.Total() {
			t.Errorf("%s: the boxes store %v, the model %v", m.Name, sum+outside, p.Total())
		}
		perLayer := float64(m.PerLayer.Width * m.Width * m.Layers)
		if want := p.Attention() + p.FeedForward() - streams*streams*float64(m.Width) - perLayer; matrices != want {
			t.Errorf("%s: matrices of %v, want %v", m.Name, matrices, want)
		}
	})
}

// Box by box they are the parts that the model's law names.
func TestBoxesAreTheModelsParts(t *testing.T) {
	each(func(m *model.Model) {
		p, sums := m.Params(), map[string]float64{}
		layers(m, 100, model.Full, func(y *layer.Layer, n float64) {
			for _, b := range y.Boxes() {
				sums[b.ID] += n * (b.Params() - b.Small)
			}
		})
		for _, c := range []struct {
			part string
			want float64
			ids  string
		}{
			{"query", p.Query, "wq wdq wuq"}, {"latent", p.Latent, "wdkv"}, {"key", p.Key, "wk wuk"}, {"value", p.Value,
				"wv wuv"}, {"output", p.Output, "wo wog"},
			{"MLP", p.MLP, "gate up down"}, {"routed", p.Routed, "egate eup edown"}, {"shared", p.Shared,
				"sgate sup sdown sharedgate"}, {"router", p.Router, "router"},
		} {
			got := 0.0
			for id := range strings.FieldsSeq(c.ids) {
				got += sums[id]
			}
			if got != c.want {
				t.Errorf("%s: %s is %v in the boxes, %v in the model", m.Name, c.part, got, c.want)
			}
		}
	})
}

// Over all layers the boxes take what the model does for a token, less the logits.
func TestBoxesComputeTheModel(t *testing.T) {
	each(func(m *model.Model) {
		for _, T := range []float64{1, 777, 8192, 1e6} {
			for _, mask := range []model.Mask{model.Windowed, model.Causal, model.Full} {
				for _, pass := range []model.Pass{model.Forward, model.Train} {
					sum := float64(m.UnembeddingFLOPs(pass))
					if !m.Side.OnePass {
						sum += 2 * float64(pass) * float64(m.Side.Hyper*m.Side.Hyper*m.Width)
					}
					sum += 2 * float64(pass) * float64(m.PerLayer.Width*m.Width*m.Layers)
					layers(m, T, mask, func(y *layer.Layer, n float64) {
						for _, b := range y.Boxes() {
							sum += n * b.FLOPs(pass)
						}
					})
					if want := float64(m.FLOPsPerToken(T, mask, pass)); !near(sum, want) {
						t.Errorf("%s, %v tokens: %v, want %v", m.Name, T, sum, want)
					}
				}
			}
		}
	})
}

// Every line of the table is used by some layer, so none has a fault that leaves it out.
func TestTable(t *testing.T) {
	data, err := os.ReadFile("boxes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	each(func(m *model.Model) {
		layers(m, 10, model.Full, func(y *layer.Layer, n float64) {
			for _, b := range y.Boxes() {
				used[strings.TrimLeft(b.ID, "es")+b.Sub], used[b.ID+b.Sub] = true, true
			}
		})
	})
	for line := range strings.Lines(string(data)) {
		if c := strings.Split(line, "\t"); line[0] != '#' && (len(c) != 11 || !used[c[3]+c[5]]) {
			t.Errorf("no layer has %q", line)
		}
	}
}

// No two boxes of a layer have one id: the address and the buttons tell them apart by it.
func TestBoxesHaveIDs(t *testing.T) {
	each(func(m *model.Model) {
		layers(m, 10, model.Full, func(y *layer.Layer, n float64) {
			ids := map[string]bool{}
			for _, b := range y.Boxes() {
				if ids[b.ID] || b.About.String() == "" {
					t.Errorf("%s: %q twice, or says nothing", m.Name, b.ID)
				}
				ids[b.ID] = true
			}
		})
	})
}

// Llama 3 8B by hand: D 4096, 32 heads of 128, 8 of keys, F 14336.
func TestLlamaByHand(t *testing.T) {
	k, _ := model.Catalog().Get("llama3.8b")
	y := layer.New(&k.Model, k.Layer(0), 2048, model.Full)
	want := map[string]float64{"wq": 6 * 4096 * 4096, "wk": 6 * 4096 * 1024, "gate": 6 * 4096 * 14336,
		"scores": 6 * 32 * 128 * 2048, "act": 0}
	for _, b := range y.Boxes() {
		if w, ok := want[b.ID]; ok && b.FLOPs(model.Train) != w {
			t.Errorf("%s: %v, want %v", b.ID, b.FLOPs(model.Train), w)
		}
		delete(want, b.ID)
	}
	if len(want) > 0 {
		t.Error("no boxes", want)
	}
}
