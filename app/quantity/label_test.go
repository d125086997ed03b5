package quantity

import "testing"

// Nouns cancel in ratios, in whatever order the factors come, and a ratio times 100% is a share.
func TestLabelsCancel(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"6 token / 3 token", "2"}, {"6 token * 2 layer / 3 token", "4 layers"}, {"6 token * 2 layer / 3 layer", "4 tokens"},
		{"6 token * 2 layer / 3 layer / 2 token", "2"}, {"6 token * 2 layer", "12"}, {"6 token * 2 layer / 3 chip", "4"},
		{"6 token * 2 layer * 5 head / 3 layer / 5 head", "4 tokens"}, {"6 token * 2 token / 3 token", "4 tokens"},
		{"6 token / 2 chip * 4 chip", "12 tokens"}, {"6 / 2 chip / 3 layer * 4 chip", "4/layer"},
		{"80 layer * 3 / 70B parameter * 100%", "3.43×10⁻⁷ %"}, {"1 / 80 chip * 100%", "1.25 %"},
		{"100% * (1 / 80 chip)", "1.25 %"},
		{"240 token * 100%", "240 tokens"}, {"128 token / 2 chip * 50%", "32 token/chip"},
		{"3 layer / 6 layer * 100%", "50 %"},
		{"10 GB/s / 5 GB/s * 100%", "200 %"}, {"10 / 2 chip / 50%", "10/chip"},
	} {
		q, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := q.String(); got != c.want {
			t.Errorf("%s prints as %s, want %s", c.text, got, c.want)
		}
		if back, err := Parse(q.Exact()); err != nil || back.Value != q.Value || back.String() != q.String() {
			t.Errorf("%s, %s, came back as %v, %v", c.text, q.Exact(), back, err)
		}
	}
}

func TestCountLabel(t *testing.T) {
	for text, want := range map[string]string{
		"GPUs": "2 GPUs", "GPU": "2 GPUs", "tokens/chip": "2 token/chip", "%": "200 %", "": "2", "/chip": "2/chip",
		"batches": "2 batches",
		"boxes":   "2 boxes", "replicas": "2 replicas", "copies": "2 copies", "attention heads": "2 attention heads",
		"all-reduces": "2 all-reduces",
	} {
		l, err := CountLabel(text)
		if got := (Quantity{Value: 2, Label: l}).String(); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"/", "a/", "a/b/c", "2 GPUs", "a*b", "%%", "<b>", " x", "x ", "GB/s/",
		"a very long name for what nobody ever counts"} {
		if l, err := CountLabel(text); err == nil {
			t.Errorf("%q is taken: %v", text, l)
		}
	}
}
