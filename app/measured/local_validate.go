package measured

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/local"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/model/quant"
	"github.com/scalebook/scalebook/app/network/nccl"
)

// machineRows are published measurements of files of weights, of single machines and of NCCL's tests.
//
//go:embed local.jsonl
var machineRows string

// Reading is a metric of a row with its prediction.
type Reading struct {
	Row       RunCase
	Metric    string
	Predicted Interval
	Measured  float64
	Kind      string   // of its interval; "" where that isn't made of rows
	known     []string // by which it is known, the nearest first
	unit      float64  // of what is drawn; 0 if it is not
	grouped
}

// sizeReadings are the sizes of files, whose intervals are not made of rows.
func sizeReadings() []Reading {
	var all []Reading
	for _, c := range machineCases() {
		if c.Kind != "quantised_size" {
			continue
		}
		p := One(c.Row)
		for _, name := range c.Asked {
			if x, found := p.Metrics[name]; found && c.Measured[name] > 0 {
				all = append(all, Reading{Row: c, Metric: name, Predicted: x, Measured: c.Measured[name],
					unit: baseUnit(name)})
			}
		}
	}
	return all
}

// machineCases reads the rows, nested metrics by both names.
func machineCases() []RunCase {
	var all []RunCase
	for line := range strings.Lines(machineRows) {
		var c RunCase
		var values struct {
			Measured map[string]any `json:"measured"`
		}
		if json.Unmarshal([]byte(line), &c.Row) != nil || json.Unmarshal([]byte(line), &values) != nil {
			continue
		}
		c.Measured = map[string]float64{}
		flatten(c.Measured, "", values.Measured)
		all = append(all, c)
	}
	return all
}

// flatten notes the numbers of an object by their names.
func flatten(into map[string]float64, prefix string, from map[string]any) {
	for name, value := range from {
		switch v := value.(type) {
		case float64:
			into[prefix+name] = v
		case map[string]any:
			flatten(into, prefix+name+nested, v)
		}
	}
}

// Promptly tells whether a metric of one machine is about prompts.
func Promptly(metric string) bool {
	return strings.HasPrefix(metric, "pp") || strings.HasPrefix(metric, "S_PP") ||
		strings.HasPrefix(metric, "prompt") ||
		strings.HasPrefix(metric, "prefill") || strings.HasPrefix(metric, "ttft")
}

// LocalPoint is a rate of a row of one machine, for fitting.
type LocalPoint struct {
	Row      *RunCase
	Metric   string
	Stack    string // whose constants decide
	Measured float64
	Predict  func(local.Constants) float64
}

// LocalPoints are the rates of generating and of prompts of all rows.
func LocalPoints() []LocalPoint {
	var all []LocalPoint
	for _, c := range machineCases() {
		l, err := readLocal(c.Setup)
		if c.Kind != "local_decode" || err != nil {
			continue
		}
		l.widths = shippedWidths()
		for _, name := range c.Asked {
			run, is := l.as(name)
			if !is || strings.Contains(name, "memory") || !(c.Measured[name] > 0) {
				continue
			}
			if _, found := run.metric(name); !found {
				continue
			}
			all = append(all, LocalPoint{&c, name, run.run.Stack, c.Measured[name],
				func(k local.Constants) float64 {
					own, one := *run, *run.run
					one.Constants, own.run = &k, &one
					x, _ := own.metric(name)
					return x.Mid
				}})
		}
	}
	return all
}

// machineFamilies are how far predictions of files, machines and collectives lie off.
func machineFamilies(readings []Reading) []summary.Family {
	sizes := sizeReadings()
	machines := chosenOf(readings, func(r *Reading) bool { return r.Row.Kind == "local_decode" })
	tests := chosenOf(readings, func(r *Reading) bool { return r.Row.Kind == "nccl_tests" })
	gguf := func(r *Reading) bool { return strings.EqualFold(r.Row.Setup.Text("format"), "gguf") }
	rate := func(r *Reading) bool {
		return strings.Contains(r.Metric, "tokens_per_s") || strings.Contains(r.Metric, "_tps_")
	}
	prompt := func(r *Reading) bool { return Promptly(r.Metric) }
	unified := func(r *Reading) bool {
		m, err := machineNamed(r.Row.Setup)
		return err == nil && m.Memory == local.Unified
	}
	held := func(r *Reading) bool {
		return !slices.ContainsFunc([]string{"bits", "original", "kv_"}, func(word string) bool {
			return strings.Contains(r.Metric, word)
		})
	}
	bus := func(r *Reading) bool { return strings.HasPrefix(r.Metric, "busbw") }
	large := func(r *Reading) bool { return bus(r) && !strings.Contains(r.Metric, nested) }
	return []summary.Family{
		checked("Files of GGUF", "size", "all", sizes, held, gguf),
		checked("Files of other formats, and what programs keep", "size", "all", sizes, held, not(gguf)),
		checked("One user, cards", "tokens a second", aside, machines, rate, not(prompt), not(unified)),
		checked("One user, cards", "tokens a second", fitted, machines, rate, not(prompt), not(unified)),
		checked("One user, Apple’s computers", "tokens a second", aside, machines, rate, not(prompt), unified),
		checked("One user, Apple’s computers", "tokens a second", fitted, machines, rate, not(prompt), unified),
		checked("One user, cards", "prompt tokens a second", aside, machines, rate, prompt, not(unified)),
		checked("One user, cards", "prompt tokens a second", fitted, machines, rate, prompt, not(unified)),
		checked("One user, Apple’s computers", "prompt tokens a second", aside, machines, rate, prompt, unified),
		checked("One user, Apple’s computers", "prompt tokens a second", fitted, machines, rate, prompt, unified),
		checked("NCCL’s tests, largest arrays", "bus bandwidth", aside, tests, large),
		checked("NCCL’s tests, largest arrays", "bus bandwidth", fitted, tests, large),
		checked("NCCL’s tests, all sizes", "bus bandwidth", aside, tests, bus),
		checked("NCCL’s tests, all sizes", "bus bandwidth", fitted, tests, bus),
	}
}

// Which rows are judged.
const (
	aside  = "kept aside"
	fitted = "fitted"
)

// machineHalf is the heading under which pages tell of files, machines and collectives.
const machineHalf = "machines"

func not(wanted func(*Reading) bool) func(*Reading) bool {
	return func(r *Reading) bool { return !wanted(r) }
}

// chosenOf are those that are wanted.
func chosenOf(all []Reading, wanted func(*Reading) bool) (some []Reading) {
	for i := range all {
		if wanted(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// baseUnit is the unit of a metric in base units: bytes, bytes a second, or one.
func baseUnit(metric string) float64 {
	switch {
	case strings.Contains(metric, "Gbps"):
		return 1e9 / 8
	case strings.Contains(metric, "GiB"):
		return 1 << 30
	case strings.Contains(metric, "GB"):
		return 1e9
	}
	return 1
}

// checked sums up readings of rows that are kept aside, that were fitted, or of all.
func checked(name, quantity, part string, readings []Reading,
	wanted ...func(*Reading) bool) summary.Family {
	f := summary.Family{Half: machineHalf, Name: name, Quantity: quantity, Part: part}
	var sum tally
	for i := range readings {
		r := &readings[i]
		if part != "all" && r.Row.Aside() != (part == aside) ||
			slices.ContainsFunc(wanted, func(is func(*Reading) bool) bool { return !is(r) }) {
			continue
		}
		sum.add(r.Predicted, r.Measured, r.unit)
	}
	sum.sumUp(&f)
	return f
}

// CollectivePoint is a time or a bandwidth of a row of NCCL's tests, for fitting.
type CollectivePoint struct {
	Row      *RunCase
	Metric   string
	Family   string // whose constants decide
	Measured float64
	Predict  func(nccl.Constants) float64
}

// CollectivePoints are those of all rows.
func CollectivePoints() []CollectivePoint {
	var all []CollectivePoint
	for _, c := range machineCases() {
		t, err := readCollective(c.Setup)
		if c.Kind != "nccl_tests" || err != nil {
			continue
		}
		a, _ := collectiveDevice(c.Setup)
		for _, name := range c.Asked {
			if _, found := t.metric(name); found && c.Measured[name] > 0 {
				all = append(all, CollectivePoint{&c, name, nccl.Family(a), c.Measured[name],
					func(k nccl.Constants) float64 {
						own, one := *t, *t.setting
						one.Reached, own.setting = &k, &one
						x, _ := own.metric(name)
						return x.Mid
					}})
			}
		}
	}
	return all
}

// formatWords are the formats of weights by a word of their names, those that say more first. After the words that a
// text must hold stands the ID.
var formatWords = []struct{ words, id string }{
	{"mxfp4 moe", "mxfp4_moe"}, {"mxfp4 gguf", "mxfp4_moe"}, {"mxfp4 q8 mlx", "mlx_mxfp4"}, {"mxfp4 mlx", "mlx_mxfp4"},
	{"fp4 experts fp8", "mxfp4_fp8"}, {"mxfp4", "mxfp4"}, {"int4 experts", "int4_experts"}, {"nvfp4", "nvfp4"},
	{
		"gptq 32g",
		"gptq_32",
	}, {"gptq g32", "gptq_32"}, {"gptq g64", "gptq_64"}, {"gptq 8", "gptq_8"}, {"gptq int8", "gptq_8"},
	{"gptq 3", "gptq_3"}, {"gptq", "gptq"}, {"awq", "awq"}, {"double", "nf4_double"}, {"nf4", "nf4"}, {"bnb", "nf4"},
	{"bitsandbytes", "nf4"}, {"block fp8", "fp8_block"}, {"128x128", "fp8_block"}, {"fp8", "fp8"}, {"w8a8", "int8"},
	{"int8", "int8"}, {"w4a16", "w4a16"}, {"int4", "w4a16"},
}

// bitWords finds so many bits: "4bit", "4-bit", "q4", "4 bit".
var bitWords = regexp.MustCompile(`\b(?:q(\d)|(\d)[ -]?bits?)\b`)

// freeWords finds the bits of EXL: "exl2 3.0 bpw", "exl3 4bpw", "3.5bpw h6".
var freeWords = regexp.MustCompile(`exl([23]).*?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?bpw`)

// separators part the words of a name.
var separators = regexp.MustCompile(`[^a-z0-9_.]+`)

// formatNamed finds a format by what people call it. The engine decides where a text may mean several.
func formatNamed(text, engine string) (*quant.Format, error) {
	plain := strings.ReplaceAll(strings.ToLower(text), ".gguf", " gguf")
	plain = " " + strings.TrimSpace(separators.ReplaceAllString(plain, " ")) + " "
	if strings.Contains(plain, " ud ") || strings.Contains(plain, "_k_xl ") {
		return nil, fmt.Errorf("%q is a mix that its publisher chose layer by layer; write its file_size_GiB, or "+
			"a mix of llama.cpp such as Q4_K_M", text)
	}
	for _, word := range []string{"mix", "mixed"} {
		if strings.Contains(plain, " "+word+" ") && !strings.Contains(plain, " mxfp4 ") {
			return nil, fmt.Errorf("%q mixes formats of which nobody says which tensors they hold; write a format "+
				"such as Q4_K_M or NVFP4", text)
		}
	}
	if f, found := ggufNamed(plain, engine); found {
		return f, nil
	}
	if m := freeWords.FindStringSubmatch(plain); m != nil {
		bits, _ := strconv.ParseFloat(m[2]+m[3], 64)
		if bits < 1 || bits > 16 {
			return nil, fmt.Errorf("%q: nobody stores a weight in %v bits; write from 1 to 16", text, bits)
		}
		return quant.EXL(bits), nil
	}
	if strings.Contains(plain, " mlx ") {
		engine = "mlx"
	}
	for _, f := range formatWords {
		if (f.id == "mlx_mxfp4" && engine == "mlx" || !strings.HasPrefix(f.id, "mlx")) &&
			allWords(plain+engine, f.words) {
			found, _ := quant.Get(f.id)
			return found, nil
		}
	}
	if m := bitWords.FindStringSubmatch(plain); m != nil {
		return bitsNamed(m[1]+m[2], strings.Contains(plain, "g32"), engine, text)
	}
	return nil, fmt.Errorf("%q is no format of weights; write one such as Q4_K_M, AWQ, GPTQ, EXL2 4.0 bpw, "+
		"MLX 4-bit, NVFP4 or FP8", text)
}

// allWords tells whether words of a text begin with all of some.
func allWords(text, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if !strings.Contains(text, " "+word) {
			return false
		}
	}
	return true
}

// ggufNamed finds one of llama.cpp's formats: the longest of its names among the words.
func ggufNamed(plain, engine string) (found *quant.Format, is bool) {
	if strings.Contains(plain, " fp16 ") || strings.Contains(plain, " half ") {
		plain += "f16 "
	}
	for _, f := range quant.Formats() {
		if !f.GGUF() || f.ID == "mxfp4_moe" || !strings.Contains(plain, " "+f.ID+" ") {
			continue
		}
		if !is || len(f.ID) > len(found.ID) {
			found, is = f, true
		}
	}
	if is && (found.ID == "f16" || found.ID == "bf16" || found.ID == "f32") && engine != "llama.cpp" {
		if found.ID != "f32" {
			found, _ = quant.Get("weights16")
		}
		is = !strings.Contains(plain, "fp8") && !strings.Contains(plain, "int8") && !strings.Contains(plain, "fp4")
	}
	return found, is
}

// bitsNamed is the usual format of so many bits of an engine.
func bitsNamed(bits string, by32 bool, engine, text string) (*quant.Format, error) {
	id := map[string]string{"8": "q8_0", "6": "q6_k", "5": "q5_k_m", "4": "q4_k_m", "3": "q3_k_m", "2": "q2_k"}[bits]
	switch {
	case engine == "mlx" && by32:
		id = "mlx_" + bits + "_32"
	case engine == "mlx":
		id = "mlx_" + bits
	case engine != "llama.cpp":
		id = map[string]string{"8": "gptq_8", "4": "gptq", "3": "gptq_3"}[bits]
	}
	f, found := quant.Get(id)
	if !found {
		return f, fmt.Errorf("%q: nobody has %s bits with this engine; write 4 or 8", text, bits)
	}
	return f, nil
}

// localEngines are the engines of one machine by a word of their names; "ollama" and "lm studio" run llama.cpp.
var localEngines = []struct{ word, engine string }{
	{"mlx", "mlx"}, {"exllama", "exllama"}, {"tabby", "exllama"}, {"mlc", "mlc"}, {"vllm", "vllm"}, {"sglang", "vllm"},
	{"llama", "llama.cpp"}, {"lm studio", "llama.cpp"}, {"kobold", "llama.cpp"}, {"ds4", "llama.cpp"},
	{"gguf", "llama.cpp"},
}

// localEngine is the engine that a text names; "" if none.
func localEngine(text string) string {
	text = strings.ToLower(text)
	for _, e := range localEngines {
		if strings.Contains(text, e.word) {
			return e.engine
		}
	}
	return ""
}

var (
	appleChip = regexp.MustCompile(`\bm([1-9])\s*(pro|max|ultra)?\b`)
	coreWords = regexp.MustCompile(`(\d+)[ -]core`)
	ramWords  = regexp.MustCompile(`(\d+)\s*gi?b\b`)
)

// otherNames are those of a machine that people call by its graphics, or as it was called before it came out.
var otherNames = strings.NewReplacer("strix halo", "ryzen ai max+ 395", "8060s", "ryzen ai max+ 395", "ai max 395",
	"ai max+ 395")

// machineNamed finds a machine by what people call it: a card that only people have, a computer of Apple's, or an
// accelerator of the catalog.
func machineNamed(s Setup) (*local.Machine, error) {
	text := strings.ToLower(s.Text("device", "gpu", "machine"))
	if text == "" || strings.Contains(text, "not stated") || strings.Contains(text, " or ") {
		return nil, fmt.Errorf("device %q names no machine; write one such as RTX 4090 or Apple M4 Max", text)
	}
	if m := appleChip.FindStringSubmatch(text); m != nil && !strings.Contains(text, "nvidia") {
		return appleNamed(s, text, strings.TrimSuffix("soc.m"+m[1]+"_"+m[2], "_"))
	}
	if m, found := cardNamed(plainName(otherNames.Replace(ramWords.ReplaceAllString(text, "")))); found {
		return m, nil
	}
	a, err := FindDevice(s.Text("device", "gpu"))
	if err != nil {
		if a, err = deviceNamed(s.Text("device", "gpu")); err != nil {
			return nil, err
		}
	}
	return local.Of(a)
}

// cardNamed is the card of the longest name that a text holds, unless digits before or behind, or one letter behind,
// make it another's.
func cardNamed(plain string) (found *local.Machine, is bool) {
	length := 0
	for _, c := range local.Cards() {
		for _, part := range []string{plainName(strings.TrimPrefix(c.ID, "card.")), plainName(adaName(c.ID)),
			plainName(c.Name)} {
			part = strings.TrimPrefix(strings.TrimPrefix(part, "rtx"), "rx")
			at := strings.Index(plain, part)
			if part == "" || at < 0 || len(part) <= length {
				continue
			}
			end := at + len(part)
			before := at > 0 && isDigit(plain[at-1]) && isDigit(part[0])
			behind := end < len(plain) && isDigit(plain[end]) && isDigit(part[len(part)-1])
			if end < len(plain) && !isDigit(plain[end]) && (end+1 == len(plain) || isDigit(plain[end+1])) {
				behind = true // an L40S is no L40
			}
			if !before && !behind {
				found, is, length = c, true, len(part)
			}
		}
	}
	return found, is
}

// adaName is the other order of a name: "6000ada" for card.ada6000.
func adaName(id string) string {
	if number, ada := strings.CutPrefix(id, "card.ada"); ada {
		return number + "ada"
	}
	return ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// narrower are the chips of Apple's that with fewer cores have fewer channels of memory, too: as Apple's technical
// specifications of MacBook Pro and Mac Studio give them.
var narrower = map[string]struct{ cores, bandwidth float64 }{"soc.m3_max": {30, 300e9}, "soc.m4_max": {32, 410e9},
	"soc.m5_max": {32, 460e9}}

// appleNamed is a computer of Apple's, with as many cores and as much memory as its owner says.
func appleNamed(s Setup, text, id string) (*local.Machine, error) {
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		return nil, fmt.Errorf("the catalog has no %q; name one of its machines, such as Apple M4 Max", text)
	}
	m, err := local.Of(a)
	cores, _ := s.Number(0, "gpu_cores")
	if found := coreWords.FindStringSubmatch(text); cores == 0 && found != nil {
		cores, _ = strconv.ParseFloat(found[1], 64)
	}
	all := coreWords.FindStringSubmatch(strings.ToLower(a.Name))
	if all != nil && cores > 0 {
		if n, _ := strconv.ParseFloat(all[1], 64); cores < n {
			m.Peak *= cores / n
			if narrow := narrower[id]; narrow.cores == cores {
				m.Bandwidth = narrow.bandwidth
			}
		}
	}
	ram, _ := s.Number(0, "ram_GB")
	if found := ramWords.FindStringSubmatch(text); ram == 0 && found != nil {
		ram, _ = strconv.ParseFloat(found[1], 64)
	}
	if ram > 0 {
		m.UsableMemory = ram * (1 << 30) * local.ShareOfUnified
	}
	return m, err
}
