package measured

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
)

// Bytes of an element where integers of 4 bits have a scale of 16 bits and a zero of 4 for each group (AWQ, GPTQ).
const (
	int4By128 = serving.Int4
	int4By32  = (4 + 20.0/32) / 8
	nvfp4     = 4.5 / 8
	mxfp4     = 4.25 / 8
)

// published are the bytes of an element in which models that are rarely met otherwise are published.
var published = map[string]float64{"gpt_oss.20b": mxfp4, "gpt_oss.120b": mxfp4, "kimi.k2_5": nvfp4, "kimi.k3": mxfp4,
	"deepseek.v3": 1, "deepseek.r1": 1, "deepseek.v3_2": 1, "deepseek.v4_flash": mxfp4, "deepseek.v4_pro": mxfp4,
	"kimi.k2": 1, "minimax.m2_5": 1}

// loadedAs reads how weights and cache are stored.
func (s Setup) loadedAs(m *model.Model, engine string) (serving.Precision, error) {
	cache, err := s.cachedAs(m)
	if err != nil {
		return serving.Precision{}, err
	}
	text := strings.ToLower(s.Text("quant", "quantization", "precision", "weights"))
	name := strings.ToLower(s.Text("model"))
	if text == "" {
		text = name
	}
	size := 0.0
	switch {
	case strings.Contains(text, "nvfp4"), strings.Contains(text, "fp8/fp4"):
		size = nvfp4
	case strings.Contains(text, "mxfp4"):
		size = mxfp4
	case hasAny(text, "awq", "gptq", "int4", "4-bit", "4bit", "w4a16", "autoround"):
		size = int4By128
		if strings.Contains(text, "g32") {
			size = int4By32
		}
	case hasAny(text, "fp8", "int8", "w8a8", "8-bit", "8bit"):
		size = 1
	case hasAny(text, "bf16", "fp16", "16-bit", "float16", "half"):
		size = 2
	case strings.TrimSpace(s.Text("quant", "quantization", "precision", "weights")) != "" && s.loadedGiB() == 0:
		return serving.Precision{}, fmt.Errorf("%q is no format whose bits are known; write bf16, fp8, nvfp4, mxfp4, awq, "+
			"gptq or int4, or the GiB that were loaded in the model’s name", s.Text("quant"))
	default:
		size = 2
		if as, found := published[m.ID]; found {
			size = as
		}
	}
	if as := published[m.ID]; as < 1 && as > 0 && size <= 1 { // whose files have several formats
		size = as
	}
	if !s.Has("kv_cache_dtype", "kv_cache") && size == nvfp4 && engine == "vllm" {
		cache = 1 // as these checkpoints ask for
	}
	p := serving.Stored(m.ID, size, cache)
	if strings.Contains(text, "routed experts") {
		p = serving.Uniform(2, cache)
		p.Experts = size
		if size == int4By128 {
			p.Experts = int4By32
		}
	}
	if strings.Contains(text, "mixed") && size < 1 {
		p.Attention = 1
	}
	if gib := s.loadedGiB(); gib > 0 {
		p = loadedTo(m, p, gib*(1<<30))
	}
	return p, nil
}

// hasAny tells whether a text has one of some words.
func hasAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

var builtGiB = regexp.MustCompile(`\((\d+(?:\.\d+)?) (GiB|GB)(?: quantised)?(?: build|;| weights)`)

// loadedGiB is the size of all weights where the model’s name tells it; 0 if it doesn’t.
func (s Setup) loadedGiB() float64 {
	found := builtGiB.FindStringSubmatch(s.Text("model"))
	if found == nil {
		return 0
	}
	x, _ := strconv.ParseFloat(found[1], 64)
	return x
}

// loadedTo is p with the bytes of layers such that all weights take so many.
func loadedTo(m *model.Model, p serving.Precision, bytes float64) serving.Precision {
	shape := serving.NewShape(m, p)
	tables := (shape.Logits + shape.Lookup) * p.Tables
	all := float64(shape.WeightBytes()) - shape.Beside
	if body := all - tables; body > 0 && bytes > tables {
		c := (bytes - tables) / body
		p.Attention, p.MLP, p.Experts = p.Attention*c, p.MLP*c, p.Experts*c
	}
	return p
}

// cachedAs reads how keys and values are stored, in bytes an element.
func (s Setup) cachedAs(m *model.Model) (float64, error) {
	switch text := strings.ToLower(s.Text("kv_cache_dtype", "kv_cache")); {
	case text == "", strings.Contains(text, "16"), strings.HasPrefix(text, "auto"):
		return 2, nil
	case strings.Contains(text, "ds_mla"), strings.Contains(text, "fp8") && m.Index.Top > 0:
		return 656.0 / 576, nil // 512 of latents in fp8 with 4 scales, 64 of the rotary key in bf16
	case strings.Contains(text, "fp8"), strings.Contains(text, "int8"), strings.Contains(text, "q8"):
		return 1, nil
	case strings.Contains(text, "fp4"), strings.Contains(text, "int4"):
		return nvfp4, nil
	default:
		return 0, fmt.Errorf("kv_cache_dtype is %q; write auto, bf16 or fp8", text)
	}
}
