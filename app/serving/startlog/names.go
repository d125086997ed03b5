package startlog

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
)

// modelTable is how names that publishers give contain models of the catalog; and, of those that have an encoder of
// images beside a text model that is published without, its bytes in 16 bits: Pixtral's 24 layers of width 1024 and
// what projects them, Qwen2.5-VL's 32 of width 1280, Qwen3-VL's 27 of width 1152 with four projections, of its smallest
// two 24 of width 1024. Last the tokens that a sequence may have, where they aren't those of the catalog's model
// (max_position_embeddings of the config.json at huggingface.co, which engines take where no flag says a length).
//
//go:embed models.tsv
var modelTable string

// letters is a text’s letters and digits, small.
func letters(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		}
		return -1
	}, text)
}

// ModelOf is the model of the catalog that a name contains, by the longest name; "" if none does, or if the longest
// is that of a model that the catalog lacks.
func ModelOf(name string) string { return modelOf(name).id }

// named is what the name of a model tells: which of the catalog it is, the bytes of an encoder beside it, and how many
// tokens a sequence may have, 0 if as many as the catalog says.
type named struct {
	id               string
	encoder, context float64
}

// modelOf reads a name as a publisher gives it.
func modelOf(name string) (best named) {
	if _, err := model.Catalog().Get(name); err == nil {
		return named{id: name}
	}
	name = name[strings.LastIndexByte(strings.TrimRight(name, "/"), '/')+1:]
	plain, length := letters(name), 5
	for { // without how it is stored
		at := max(0, strings.LastIndexByte(name, '-'))
		if at == 0 || weightFormat(name[at:]) == "" && !strings.HasSuffix(name, "-GGUF") &&
			!strings.HasSuffix(name, "-BF16") {
			break
		}
		name = name[:at]
	}
	bare := letters(name)
	try := func(part string, x named) {
		if (len(part) > length && strings.Contains(plain, part) || part == bare) && sizesFit(name, x.id) {
			best, length = x, len(part)
		}
	}
	for line := range strings.Lines(modelTable) {
		part, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		id, rest, _ := strings.Cut(rest, "\t")
		encoder, context, _ := strings.Cut(rest, "\t")
		x := named{id: id}
		x.encoder, _ = strconv.ParseFloat(encoder, 64)
		x.context, _ = strconv.ParseFloat(context, 64)
		try(part, x)
	}
	for _, k := range model.Catalog().All {
		try(letters(k.Name), named{id: k.ID})
	}
	return best
}

// sizesFit tells whether a model of the catalog has one of the sizes that a name says, or the name says none: Qwen2-57B
// is not Qwen2.5-7B, and a model of which experts were taken away has another shape.
func sizesFit(name, id string) bool {
	k, err := model.Catalog().Get(id)
	said := sizesIn(name)
	if err != nil || len(said) == 0 {
		return true
	}
	own, params := sizesIn(k.Name), k.Model.Params().Total()/1e9
	for _, x := range said {
		if slices.Contains(own, x) || math.Abs(x-params) < 0.2*params {
			return true
		}
	}
	return false
}

// sizesIn are the billions of parameters that a name says, less those of active ones (A3B).
func sizesIn(name string) []float64 {
	var all []float64
	for end := 1; end < len(name); end++ {
		if name[end] != 'b' && name[end] != 'B' || end+1 < len(name) && identifier(name[end+1]) && name[end+1] != '_' {
			continue
		}
		begin := end
		for begin > 0 && (name[begin-1] >= '0' && name[begin-1] <= '9' || name[begin-1] == '.') {
			begin--
		}
		x, err := strconv.ParseFloat(name[begin:end], 64)
		if err == nil && (begin == 0 || name[begin-1] != 'A' && name[begin-1] != 'a') {
			all = append(all, x)
		}
	}
	return all
}

// cached is a model whose files a text names in Hugging Face's cache: models--meta-llama--Llama-3.1-8B is
// meta-llama/Llama-3.1-8B.
func cached(text string) string {
	_, name, found := strings.Cut(text, "models--")
	if end := strings.IndexAny(name, "/ '\"\n"); found && end > 0 {
		return strings.ReplaceAll(name[:end], "--", "/")
	}
	return ""
}

// cacheFormat is how keys and values are stored.
func cacheFormat(text string) string {
	lower := strings.ToLower(text)
	switch {
	case strings.Contains(lower, "fp4"), lower == "int4":
		return "fp8" // with elements of its own
	case strings.Contains(lower, "fp8"), strings.Contains(lower, "int8"), strings.Contains(lower, "float8"),
		elementOf(lower) > 0:
		return "fp8"
	case strings.Contains(lower, "16"):
		return "bf16"
	}
	return ""
}

// elementOf is the bytes of an element of a cache in a type of ggml: so many bits, and a scale of 16 bits, and an
// offset of as many in types that end with 1, for each 32. ExLlama names bits alone, as Q6, or those of keys and of
// values, as 8,4.
func elementOf(text string) float64 {
	switch lower := strings.ToLower(text); {
	case len(lower) == 2 && lower[0] == 'q' && lower[1] >= '2' && lower[1] <= '8':
		return (float64(lower[1]-'0') + 0.5) / 8
	case len(lower) == 3 && lower[1] == ',' && min(lower[0], lower[2]) >= '2' && max(lower[0], lower[2]) <= '8':
		return (float64(lower[0]-'0'+lower[2]-'0')/2 + 0.5) / 8
	case strings.Contains(lower, "nvfp4"): // and a scale of 8 bits for each 16
		return 4.5 / 8
	case lower == "int4g", lower == "int8g": // LMDeploy: and a scale and an offset of 16 bits for each 128 of a head
		return (float64(lower[3]-'0') + 0.25) / 8
	}
	if len(text) != 4 || text[0] != 'q' || text[2] != '_' || text[1] < '1' || text[1] > '8' {
		return 0
	}
	return (float64(text[1]-'0')*32 + 16 + 16*float64(text[3]-'0')) / 256
}

// weightFormat is how weights are stored, by a method's or a format's name.
func weightFormat(text string) string {
	lower := strings.ToLower(text)
	if strings.Contains(lower, "deepseek_v4") { // vLLM's method of a checkpoint with experts in four bits, or in eight
		return ""
	}
	for _, f := range [...][2]string{{"nvfp4", "nvfp4"}, {"mxfp4", "mxfp4"},
		{"fp4", "nvfp4"}, {"int8", "fp8"}, {"eetq", "fp8"}, {"w8a", "fp8"}, {"8bit", "fp8"},
		{"8-bit", "fp8"}, {"awq", "int4"}, {"gptq", "int4"}, {"int4", "int4"},
		{"w4a16", "int4"}, {"bitsandbytes", "int4"}, {"bnb", "int4"}, {"4bit", "int4"},
		{"4-bit", "int4"}, {"auto-round", "int4"}, {"autoround", "int4"},
		{"fp8", "fp8"}, {"float16", "bf16"}, {"half", "bf16"}} {
		if strings.Contains(lower, f[0]) {
			return f[1]
		}
	}
	return ""
}

// publishedIn is how the checkpoint of a model is published that comes in less than 16 bits: an engine then says no
// method, and its dtype is that of activations. It is empty of others. Integers of 4 bits with a scale for each 32 have
// as many bytes as nvfp4.
func publishedIn(known, name string) string {
	k, err := model.Catalog().Get(known)
	if err != nil {
		return ""
	}
	if format := k.PublishedIn(name); format != "int4" {
		return format
	}
	return "nvfp4"
}

// ReleaseOf is a version as serving.Engine has it: 10.02 of "0.10.2"; 0 if it is none, or of what has no 0 in front.
func ReleaseOf(version string) float64 {
	c := strings.Split(version, ".")
	if len(c) < 2 {
		return 0
	}
	major, err1 := strconv.Atoi(c[0])
	minor, err2 := strconv.Atoi(c[1])
	if err1 != nil || err2 != nil || minor == 1 && major == 0 { // 0.1.dev is a build of one's own
		return 0
	}
	patch := 0
	if len(c) > 2 {
		patch, _ = strconv.Atoi(c[2])
	}
	return float64(100*major+minor) + float64(min(patch, 99))/100
}
