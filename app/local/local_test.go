package local

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
)

func run(t *testing.T, id, format, device, engine string) *Run {
	t.Helper()
	k, err := model.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	a, err := hardware.Catalog().Get(device)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := Of(a)
	if err != nil {
		t.Fatal(err)
	}
	f, found := quant.Get(format)
	if !found {
		t.Fatalf("no format %s", format)
	}
	return NewRun(&k.Model, f.Of(&k.Model), machine, engine)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestToken works a token out by hand: Llama 3.1 8B as Q4_K_M on a card of 1008 GB/s, 4,096 tokens in the cache.
func TestToken(t *testing.T) {
	r := run(t, "llama3.8b", "q4_k_m", "gpu.rtx4090", "llama.cpp")
	r.Constants = &Constants{Weights: 0.8, Cache: 0.5, Layer: 5e-5, Batch: 0.25, Hop: 1e-5}
	cache := 4096.0 * 2 * 32 * 8 * 128 * 2
	one := r.Size.Read/(0.8*1008e9) + cache/(0.5*1008e9) + 32*5e-5
	near(t, "a token", r.Token(1, 4096), one, 1e-12)
	more := 3*cache/(0.5*1008e9) + 3*float64(r.Model.WeightFLOPs(model.Forward))/(0.25*330.4e12)
	near(t, "a step of four", r.Token(4, 4096), one+more, 1e-3)
	r.Cards = 3
	near(t, "three cards", r.Token(1, 4096), one+2e-5, 1e-12)
}

// TestUnpacked: weights of fewer than 16 bits take operations of the peak before they are multiplied, others none.
// Until May 2024, and on cards before Ampere, llama.cpp launches each kernel; AMD's cards have constants of their own.
func TestUnpacked(t *testing.T) {
	r := run(t, "llama3.8b", "q8_0", "gpu.rtx4090", "llama.cpp")
	r.Constants = &Constants{Weights: 1, Cache: 1, Unpack: 20}
	weights := r.Size.Read * 8 / r.Size.Bits()
	near(t, "8 bits", r.Token(1, 0), r.Size.Read/1008e9+20*weights/330.4e12, 1e-9)
	whole := run(t, "llama3.8b", "f16", "gpu.rtx4090", "llama.cpp")
	whole.Constants = r.Constants
	near(t, "16 bits", whole.Token(1, 0), whole.Size.Read/1008e9, 1e-9)
	for machine, stack := range map[string]string{"gpu.rtx4090": "llama.cpp.graphics",
		"gpu.t4": "llama.cpp-2024.graphics", "gpu.b60": "llama.cpp-2024.graphics", "soc.m2_ultra": "llama.cpp.unified",
		"gpu.mi300x": "llama.cpp.stacked",
		"gpu.gb10":   "llama.cpp.shared", "soc.m1_max": "llama.cpp.unified"} {
		if got := run(t, "llama3.8b", "q8_0", machine, "llama.cpp").Stack; got != stack {
			t.Errorf("on %s llama.cpp has the constants of %s, want %s", machine, got, stack)
		}
	}
}

// TestUnpackedByApple: Apple’s first GPUs are held up by super-blocks, whose scales are packed too, and by no other
// format.
func TestUnpackedByApple(t *testing.T) {
	for machine, formats := range map[string]map[string]float64{"soc.m1_max": {"q4_0": 0, "q6_k": 1},
		"soc.m2_max": {"q4_0": 0, "q6_k": 0}} {
		for format, share := range formats {
			r := run(t, "llama2.7b", format, machine, "llama.cpp")
			r.Constants = &Constants{Unpack: 10}
			if format == "q4_0" { // its unembedding is Q6_K
				share = r.Size.Super() / r.Size.Bytes
			}
			if machine == "soc.m2_max" {
				share = 0
			}
			weights := share * r.Size.Read * 8 / r.Size.Bits()
			if got := r.Unpacks(r.Size.Read); math.Abs(got-10*weights) > 0.01*r.Size.Weights {
				t.Errorf("%s on %s: %v operations, want %v", format, machine, got, 10*weights)
			}
		}
	}
}

// TestDies: what layers take besides, two dies take longer, and a layer with a state more.
func TestDies(t *testing.T) {
	r := run(t, "qwen3_5.27b", "q8_0", "soc.m3_ultra", "llama.cpp")
	r.Constants = &Constants{Layer: 1e-4, Linear: 5e-5, Dies: 0.5}
	near(t, "two dies", r.LowerBounds(), 2*(64*1e-4+48*5e-5), 1e-9)
	one := run(t, "qwen3_5.27b", "q8_0", "soc.m3_max", "llama.cpp")
	one.Constants = r.Constants
	near(t, "one", one.LowerBounds(), r.LowerBounds()/2, 1e-9)
}

// TestTogether: cards that share a layer read a part each, and sum twice a layer.
func TestTogether(t *testing.T) {
	r := run(t, "llama3.70b", "awq", "gpu.a100", "vllm")
	r.Constants = &Constants{Weights: 0.7, Cache: 0.7, Layer: 1e-5, Sum: 2e-4}
	alone := r.Token(1, 0) - 80*1e-5
	r.Cards, r.Together = 4, true
	near(t, "four cards", r.Token(1, 0), alone/4+80*(1e-5+2e-4), 1e-9)
}

// TestExperts: of a batch each token chooses its experts, so that more are read, and all of them of a long prompt.
func TestExperts(t *testing.T) {
	r := run(t, "qwen3.30b_a3b", "q8_0", "soc.m2_ultra", "llama.cpp")
	_, one := r.touched(1)
	near(t, "of one token", one, r.Size.Experts*8/128, 1e-12)
	_, two := r.touched(2)
	near(t, "of two", two, r.Size.Experts*(1-math.Pow(1-8.0/128, 2)), 1e-12)
	_, all := r.touched(2048)
	near(t, "of a prompt", all, r.Size.Experts, 1e-6)
	near(t, "besides", r.LowerBounds(), 48*(r.Constants.Layer+r.Constants.Sparse)/r.Constants.Dies, 1e-12)
}

// TestHost: what the host holds is read at its own rate, and does not lie on the card.
func TestHost(t *testing.T) {
	r := run(t, "gpt_oss.120b", "mxfp4_moe", "gpu.rtx4090", "llama.cpp")
	all, held := r.Token(1, 0), r.Held(1, 0)
	r.Host.Experts = 0.5
	moved := r.Size.Routed / 2
	want := all - moved/(r.Constants.Weights*1008e9) - r.Unpacks(moved)/r.Machine.Peak + moved/(ShareOfHost*UsualHost)
	near(t, "half of the experts on the host", r.Token(1, 0), want, 1e-9)
	near(t, "on the card", r.Held(1, 0), held-r.Size.Experts/2, 1e-9)
	r.Host = Host{Layers: 1, Bandwidth: UsualHost, Link: UsualLink}
	near(t, "all on the host", r.Token(1, 0), r.Size.Read/(ShareOfHost*UsualHost)+r.LowerBounds(), 1e-9)
}

// TestHeld holds the memory against what llama.cpp and MLX took: the former's README of 2023, at 512 tokens, in GiB;
// the latter's peaks with 2,176 tokens (mlx-lm's BENCHMARKS.md, M4 Max).
func TestHeld(t *testing.T) {
	seven := run(t, "llama2.7b", "q4_0", "gpu.rtx4090", "llama.cpp")
	near(t, "7B as Q4_0", seven.Held(1, 512)/(1<<30), 3.89, 0.005)
	seventy := run(t, "llama2.70b", "q4_0", "gpu.a100", "llama.cpp")
	near(t, "70B as Q4_0", seventy.Held(1, 512)/(1<<30), 36.51, 0.005)
	mlx := run(t, "qwen3.30b_a3b", "mlx_8", "soc.m4_max", "mlx")
	near(t, "30B in 8 bits", mlx.Held(1, 2176)/1e9, 33.46, 0.01)
}

// TestPrompt: operations over a share of the peak; slices follow each other from card to card.
func TestPrompt(t *testing.T) {
	r := run(t, "llama3.8b", "q8_0", "soc.m2_ultra", "llama.cpp")
	r.Constants = &Constants{Weights: 1, Cache: 1, Math: 0.5, Score: 0.25}
	work := 1024 * float64(r.Model.LayerFLOPs(model.Forward)) / (0.5 * r.Machine.Peak)
	scores := 1024 * float64(r.Model.DecodeAttentionFLOPs(512)) / (0.25 * r.Machine.Peak)
	one := work + scores + 2*r.Size.Read/r.Machine.Bandwidth
	near(t, "a prompt", r.Prompt(1024, 0), one, 1e-9)
	r.Cards = 4
	near(t, "four cards, two slices", r.Prompt(1024, 0), one*5/8, 1e-9)
	r.Cards, r.Together = 4, true
	near(t, "four cards together", r.Prompt(1024, 0), one/4, 1e-9)
}

// TestAdaCards holds the rates of workstation cards against tensor cores, 256 FLOP per clock in each, and boost clocks
// (of the RTX 4000: siliconcat.net/gpu/nvidia-rtx-4000-ada-generation). NVIDIA's data sheets give 16 times the rate in
// fp32, in fp8 and sparse, so 4 times that in dense fp16; that of the RTX 4000 has 327.6 where 16 times 26.7 is 427.6.
func TestAdaCards(t *testing.T) {
	cores := map[string][2]float64{"card.ada4000": {192, 2.175e9}, "card.ada5000": {400, 2.55e9}}
	for _, m := range Cards() {
		if c, ok := cores[m.ID]; ok {
			near(t, m.ID, m.Peak, c[0]*256*c[1], 0.005)
			delete(cores, m.ID)
		}
	}
	if len(cores) > 0 {
		t.Errorf("no cards %v", cores)
	}
}

// TestRatesByCores holds rates against the cores and boost clocks that the sources of the table give.
func TestRatesByCores(t *testing.T) {
	cores := map[string][2]float64{"card.rtx3060": {3584, 1777}, "card.rtx3070": {5888, 1730},
		"card.rtx3080": {8704, 1710}, "card.rtx3090ti": {10752, 1860}, "card.rtx4060": {3072, 2460},
		"card.rtx4060ti": {4352, 2535},
		"card.rtx4070":   {5888, 2475}, "card.rtx4070super": {7168, 2475}, "card.rtx4070ti": {7680, 2610},
		"card.rtx4070tisuper": {8448, 2610}, "card.rtx4080super": {10240, 2550},
		"card.rtx3080ti": {10240, 1665}, "card.rtx5060": {3840, 2497}, "card.rtx5060ti": {4608, 2572}}
	for _, m := range Cards() {
		if c, ok := cores[m.ID]; ok {
			near(t, m.ID, m.Peak, c[0]/32*256*c[1]*1e6, 0.005)
			delete(cores, m.ID)
		}
	}
	if len(cores) > 0 {
		t.Errorf("no cards %v", cores)
	}
}

// TestMachines: every card and every machine of the catalog has what a run needs.
func TestMachines(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Cards() {
		if seen[m.ID] || m.Name == "" || !(m.Bandwidth > 1e11 && m.Peak > 1e13 && m.UsableMemory > 4e9) {
			t.Errorf("%+v", m)
		}
		seen[m.ID] = true
	}
	for id, kind := range map[string]Memory{"gpu.rtx4090": Graphics, "gpu.a6000": Graphics, "gpu.gb10": Shared,
		"gpu.h100": Stacked, "gpu.a100": Stacked, "soc.m4_max": Unified} {
		a, _ := hardware.Catalog().Get(id)
		if m, err := Of(a); err != nil || m.Memory != kind {
			t.Errorf("%s: %v, %v", id, m.Memory, err)
		}
	}
	for _, stack := range Stacks() {
		c := ConstantsOf(stack)
		for _, name := range ConstantNames() {
			x := *c.Field(name)
			if !(x >= 0 && x < 100) || name == "weights" && !(x > 0.3 && x < 1) {
				t.Errorf("%s of %s is %v", name, stack, x)
			}
		}
	}
	if got := Stack("mlc", Unified); got != "llama.cpp.unified" {
		t.Errorf("an engine that nobody measured has the constants of %s", got)
	}
}

// Most cards have a source: its letters say of what.
func TestCardSources(t *testing.T) {
	text, err := os.ReadFile("../hardware/card_sources.tsv")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		id, source, _ := strings.Cut(strings.TrimSpace(line), "\t")
		letters, where, _ := strings.Cut(source, " ")
		if strings.Trim(letters, "BCTM") != "" || where == "" {
			t.Errorf("%q", line)
		}
		sources[id] = true
	}
	missing := 0
	for _, c := range Cards() {
		if !sources[c.ID] {
			missing++
		}
		delete(sources, c.ID)
	}
	if missing > 2 || len(sources) > 0 {
		t.Errorf("%d cards have no source; of no card are %v", missing, sources)
	}
}
