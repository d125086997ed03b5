package serving

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// supportTable is what engines run: lines "kind" say which chips are of a kind; the others are an engine, a kind, and
// the formats of weights that it takes there. A format with * is widened to 16 bits before it is multiplied
// (weight-only); of one with ? nothing is documented, and ? alone means all that aren't named. Sources stand in
// support_sources.tsv.
//
//go:embed support.tsv
var supportTable string

// Runs is how an engine computes with weights of a format on a chip.
type Runs int

const (
	Never    Runs = iota
	Unknown       // nothing is documented
	Widened       // weights are stored so, but multiplied in 16 bits
	Directly      // in units of the chip for this format, or in those that the format is meant for
)

// supportedFormats are the formats of which the table tells.
const supportedFormats = "bf16 fp8 int8 int4 nvfp4 mxfp4"

// RunsOn is how an engine runs weights of a format on a chip; without a format, whether it runs there at all. Without
// an engine it is what the best of them does.
func RunsOn(engine, chip, format string) Runs {
	kind := kindOf(chip)
	if kind == "" {
		return Unknown
	}
	best, known, any := Never, false, false
	for line := range strings.Lines(supportTable) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if c[0] == "kind" || engine != "" && c[0] != engine {
			continue
		}
		known = true
		if c[1] == kind {
			any, best = true, max(best, runsIn(c[2], format))
		}
	}
	if !known || engine == "" && !any { // an engine, or a chip, that the table hasn't
		return Unknown
	}
	return best
}

// kindOf is the kind of a chip, empty for one that the table hasn't.
func kindOf(chip string) string {
	for line := range strings.Lines(supportTable) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if c[0] == "kind" && slices.Contains(strings.Fields(c[2]), chip) {
			return c[1]
		}
	}
	return ""
}

// WithoutBF16 tells whether a chip computes in fp16 but not in bf16, as NVIDIA's do before Ampere: vLLM asks for a
// compute capability of 8.0 there.
func WithoutBF16(chip string) bool { k := kindOf(chip); return k == "volta" || k == "turing" }

// runsIn is what a list of formats says of one.
func runsIn(formats, format string) Runs {
	if format == "" || !slices.Contains(strings.Fields(supportedFormats), format) {
		return Unknown
	}
	best := Never
	for _, f := range strings.Fields(formats) {
		switch f {
		case format:
			return Directly
		case format + "*":
			return Widened
		case format + "?", "?":
			best = Unknown
		}
	}
	return best
}

// engineNames are the engines' names as people write them, by those of flags.
var engineNames = [...][2]string{{"vllm", "vLLM"}, {"sglang", "SGLang"}, {"trtllm", "TensorRT-LLM"},
	{"maxtext", "JetStream (MaxText)"}}

// StoreAs says in which formats weights are stored, by the names of formats: a format that the engine can't run on the
// chip, or an engine that doesn't run there, is an error that names what does. An empty name is one that nobody gave.
// Narrow arithmetic that widened weights don't use is taken from the chip.
func (w *Spec) StoreAs(formats ...string) error {
	e, c := w.Engine.Name, &w.Chip
	if RunsOn(e, c.ID, "") == Never {
		return w.refuseEngine(formats)
	}
	for _, f := range formats {
		if f == "fp4" {
			f = "nvfp4"
		}
		switch RunsOn(e, c.ID, f) {
		case Never:
			return w.refuseFormat(f)
		case Widened:
			if w.Widened = f; strings.HasSuffix(f, "8") {
				c.Peak8 = c.Peak16
			} else {
				c.Peak4 = 0
			}
		}
	}
	return nil
}

// refuseEngine is the error of an engine that doesn't run on the chip.
func (w *Spec) refuseEngine(formats []string) error {
	others := enginesFor(w.Chip.ID, formats...)
	if len(others) == 0 {
		others = enginesFor(w.Chip.ID)
	}
	what := phrase.New("serving.engine-elsewhere", "engine", engineNamed(w.Engine.Name), "chip", w.Chip.Name)
	if len(others) == 0 {
		return fault(what, "serving.choose-chip")
	}
	return &Error{what, phrase.New("serving.choose-engine", "engines", phrase.Or(others))}
}

// refuseFormat is the error of a format that the engine can't run on the chip.
func (w *Spec) refuseFormat(format string) error {
	var others []string
	for _, f := range strings.Fields(supportedFormats) {
		if RunsOn(w.Engine.Name, w.Chip.ID, f) >= Widened {
			others = append(others, f)
		}
	}
	what := phrase.New("serving.format-elsewhere", "engine", engineNamed(w.Engine.Name), "format", format, "chip",
		w.Chip.Name)
	if w.Engine.Name == "" {
		what = phrase.New("serving.format-nowhere", "format", format, "chip", w.Chip.Name)
	}
	if engines := enginesFor(w.Chip.ID, format); len(engines) > 0 {
		return &Error{what, phrase.New("serving.choose-format-or-engine", "formats", phrase.Or(others), "engines",
			phrase.Or(engines))}
	}
	return &Error{what, phrase.New("serving.choose-format", "formats", phrase.Or(others))}
}

// enginesFor are the names of the engines that are documented to run all these formats on a chip.
func enginesFor(chip string, formats ...string) []string {
	var all []string
	for _, e := range engineNames {
		runs := RunsOn(e[0], chip, "") != Never
		for _, f := range formats {
			runs = runs && (f == "" || RunsOn(e[0], chip, f) >= Widened)
		}
		if runs {
			all = append(all, e[1])
		}
	}
	return all
}

// engineNamed is the name of an engine as people write it.
func engineNamed(engine string) string {
	for _, e := range engineNames {
		if e[0] == engine {
			return e[1]
		}
	}
	return engine
}

// TooShort says that the longest sequence that the engine is set to take is shorter than prompt and answer: no plan
// mends that. It is nil where nothing is to be said.
func (w *Spec) TooShort() error {
	n := w.Load.In + w.Load.Out
	if w.Engine.Length == 0 || n <= w.Engine.Length {
		return nil
	}
	return &Error{phrase.New("serving.over-length", "tokens", int(n), "length", int(w.Engine.Length)),
		phrase.New("serving.lengthen", "tokens", int(n))}
}
