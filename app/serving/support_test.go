package serving

import (
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// TestStoreAs: what doesn't run is refused with what would, and what runs weight-only is known as such.
func TestStoreAs(t *testing.T) {
	for _, c := range []struct{ engine, chip, format, widened, want string }{
		{"vllm", "gpu.h100", "fp8", "", ""}, // the planner's choice
		{"", "gpu.h100", "bf16", "", ""},
		{"maxtext", "tpu.v6e", "fp8", "", ""},
		{"vllm", "gpu.b200", "nvfp4", "", ""},
		{"vllm", "gpu.a100", "fp8", "fp8", ""},
		{"vllm", "gpu.a100", "fp4", "nvfp4", ""},
		{"", "gpu.a100", "nvfp4", "nvfp4", ""},
		{"trtllm", "gpu.a100", "nvfp4", "",
			"TensorRT-LLM doesn’t run weights in nvfp4 on A100 SXM 80 GB; store weights in bf16, int8 or int4, or choose " +
				"vLLM or SGLang"},
		{"trtllm", "gpu.h100", "nvfp4", "", "choose vLLM or SGLang"},
		{"vllm", "gpu.v100", "fp8", "", "store weights in bf16, int8 or int4"},
		{"maxtext", "gpu.h100", "bf16", "",
			"JetStream (MaxText) doesn’t run on H100 SXM 80 GB; choose vLLM, SGLang or TensorRT-LLM"},
		{"trtllm", "tpu.v6e", "bf16", "",
			"TensorRT-LLM doesn’t run on TPU v6e (Trillium); choose vLLM, SGLang or JetStream (MaxText)"},
		{"sglang", "gpu.v100", "bf16", "", "SGLang doesn’t run on V100 SXM2 32 GB; choose vLLM"},
		{"trtllm", "gpu.mi300x", "fp8", "", "choose vLLM or SGLang"},
		{"trtllm", "soc.m4", "fp8", "", ""}, // a chip that the table hasn't
		{"llama.cpp", "gpu.a100", "int4", "", ""},
		{"sglang", "npu.ascend910c", "fp8", "", "store weights in bf16, int8 or int4"},
		{"vllm", "npu.trainium2", "int4", "", "store weights in bf16, fp8 or int8"},
		{"trtllm", "gpu.b200", "int4", "", ""},
		{"trtllm", "gpu.h200", "mxfp4", "mxfp4", ""}, // activations of 16 bits on Hopper
		{"trtllm", "gpu.b200", "mxfp4", "", ""},
		{"vllm", "gpu.b200", "int8", "int8", ""}, // W8A8 ends with Hopper
		{"vllm", "gpu.mi300x", "mxfp4", "mxfp4", ""},
		{"vllm", "gpu.mi355x", "mxfp4", "", ""},
		{"vllm", "gpu.mi250x", "fp8", "", "store weights in bf16, int8"},
		{"sglang", "gpu.mi300x", "nvfp4", "nvfp4", ""},
		{"sglang", "gpu.mi300x", "int4", "", ""},
	} {
		w := Spec{Chip: chipOf(t, c.chip), Engine: Engine{Name: c.engine}}
		err := w.StoreAs(c.format)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if (c.want == "") != (err == nil) || !strings.Contains(said, c.want) || w.Widened != c.widened {
			t.Errorf("%s on %s in %s: %q, widened %q; want %q, %q", c.engine, c.chip, c.format, said, w.Widened, c.want,
				c.widened)
		}
	}
}

// What the documentation tells of kinds that differ: Ascend 950 has the formats of 8 bits that 910C lacks.
func TestRunsOnAscend(t *testing.T) {
	for chip, want := range map[string]Runs{
		"npu.ascend910c": Never, "npu.ascend950pr": Directly, "npu.ascend950dt": Directly,
	} {
		if got := RunsOn("sglang", chip, "fp8"); got != want {
			t.Errorf("%s: %v, want %v", chip, got, want)
		}
	}
}

// TestWidenedRate: weights that are widened are multiplied at the rate of 16 bits, not at that of int8.
func TestWidenedRate(t *testing.T) {
	w := Spec{Chip: chipOf(t, "gpu.a100"), Engine: Engine{Name: "vllm"}}
	if rate, _ := w.Chip.peak(1); rate != 2*w.Chip.Peak16 { // 624 of int8 to 312 TFLOP/s of bf16
		t.Errorf("int8: %v", rate)
	}
	if err := w.StoreAs("fp8"); err != nil {
		t.Fatal(err)
	}
	if rate, _ := w.Chip.peak(1); rate != w.Chip.Peak16 {
		t.Errorf("fp8: %v, want %v", rate, w.Chip.Peak16)
	}
}

// TestSupportTable: every chip and format of the table exists, and a chip is of one kind.
func TestSupportTable(t *testing.T) {
	kinds, of := map[string]bool{}, map[string]string{}
	for line := range strings.Lines(supportTable) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if len(c) != 3 {
			t.Fatalf("%q: not three columns", line)
		}
		if c[0] == "kind" {
			kinds[c[1]] = true
			for chip := range strings.FieldsSeq(c[2]) {
				if _, err := hardware.Catalog().Get(chip); err != nil || of[chip] != "" {
					t.Errorf("%s: %v, already %q", chip, err, of[chip])
				}
				of[chip] = c[1]
			}
			continue
		}
		if !kinds[c[1]] || engineNamed(c[0]) == c[0] {
			t.Errorf("%q: no such kind or engine", line)
		}
		for f := range strings.FieldsSeq(c[2]) {
			if f != "?" && !strings.Contains(" "+supportedFormats+" ", " "+strings.TrimRight(f, "*?")+" ") {
				t.Errorf("%q: format %q", line, f)
			}
		}
	}
}

// TestTooShort: no chips help where the engine is told to take less than prompt and answer.
func TestTooShort(t *testing.T) {
	w := Spec{Load: Load{In: 1024, Out: 1024}, Engine: Engine{Length: 10}}
	err := w.TooShort()
	const want = "prompt and answer have 2048 tokens, and max-model-len is 10; give 2048"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if w.Engine.Length = 2048; w.TooShort() != nil {
		t.Error("2048 tokens are enough")
	}
}

// TestNothingApart: one chip can't be split, eight can.
func TestNothingApart(t *testing.T) {
	for _, c := range []struct {
		chips int
		says  string
	}{{1, "serving.apart-one-chip"}, {8, ""}} {
		w := Spec{Shape: NewShape(catalogued(t, "llama3.8b"), Stored("llama3.8b", 2, 2)), Chip: chipOf(t, "gpu.h100"),
			Chips: c.chips, Constants: Fitted("vllm"), Engine: Engine{Name: "vllm"}, Load: Load{In: 1024, Out: 1024},
			Apart: true}
		s := w.Begin()
		for s.Step() {
		}
		key := ""
		if why := s.NothingApart(); why != nil {
			key = why.Key
		}
		if key != c.says {
			t.Errorf("%d chips: %q, want %q", c.chips, key, c.says)
		}
	}
}

func catalogued(t *testing.T, id string) *model.Model {
	m, err := model.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return &m.Model
}

// TestSupportSources: each engine of the table has a public source.
func TestSupportSources(t *testing.T) {
	text, err := os.ReadFile("support_sources.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range engineNames {
		if !strings.Contains("\n"+string(text), "\n"+e[0]+"\t") {
			t.Errorf("%s has no source", e[0])
		}
	}
}
