// Package startlog reads what an engine prints when it starts, or the command that starts it, and holds each figure
// against the ledger of [serving.Replica.Account].
//
//  1. [Read] finds the engine, its flags and its figures in a text, whatever else stands there: prefixes of workers,
//     dates, other lines. What lines look like is a table (lines.tsv), and so is what flags are called (flags.tsv).
//  2. [Log.Engine] and the other fields say what is served on what; whoever asks fills in what the text leaves out.
//  3. [Log.Beside] puts our figure beside each of the log's, worked out from the log's figures before it, so that the
//     first that differs names the cause and those after it don't repeat it.
package startlog

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
)

// lineTable is what lines of logs look like: the engine; what the numbers are, each with its unit, - for those that
// don't count; and the words, with {} for each number and * for whatever stands between. The unit ? stands behind the
// number. A name behind + is said in parts, of one device each, until the next step of the ledger is said. One behind
// all- is of all chips of a replica together.
//
//go:embed lines.tsv
var lineTable string

// Engines are the engines whose logs are read, in the order of the table of lines.
func Engines() []string {
	var all []string
	for line := range strings.Lines(lineTable) {
		if engine, _, _ := strings.Cut(line, "\t"); !slices.Contains(all, engine) {
			all = append(all, engine)
		}
	}
	return all
}

// Figure is a number that a log says, in base units.
type Figure struct {
	Line  int    // of the text, from 1
	Name  string // "weights", "cache", "tokens" and the like
	Value float64
	Words string // as the log has them
}

// Log is what a text says.
type Log struct {
	Engine   string  // "vllm", "sglang", "trtllm", "tgi", "llama.cpp" (Ollama's too), "lmdeploy", "mlc", "exllama"
	Version  string  // "0.10.2"; "" if it isn't said
	Release  float64 // the same as serving.Engine has it
	Assumed  bool    // nothing names Engine
	Model    string  // as it is named; "" if it isn't
	Known    string  // the same in the catalog; "" if nobody knows
	Chip     string  // the accelerator; "" if nobody knows
	Like     bool    // Chip is a guess, by its memory
	Called   string  // the accelerator as the log calls it, where the catalog has none of that name
	Cards    float64 // that llama.cpp says it uses together, where they are several; else 0
	Weights  string  // "bf16", "fp8", "nvfp4", "mxfp4", "int4"; "" if nothing tells
	Cache    string  // "bf16", "fp8"; "" if nothing tells
	GGUF     string  // how a file of GGUF stores weights: "q4_k_m"; "" if nothing tells
	Element  float64 // bytes of an element of llama.cpp's cache, where they are neither two nor one; else 0
	Plan     serving.Plan
	Share    float64
	Length   float64
	Encoder  float64        // bytes of an encoder of images that the named checkpoint has beside the text model
	Setup    serving.Engine // sequences, tokens of a step, block, room, offload
	Host     Host           // what lies in the memory of the host
	Draft    bool           // something guesses tokens
	Halved   bool           // Cache is a guess, by the bytes of a token
	Dated    bool           // Version is a guess, by how its figures are counted
	Unread   []string       // flags whose values nobody knows: "kv_cache_dtype=tq3"
	Unpriced []string       // flags that no step counts: "--max-loras 4"
	Bench    bool           // there is a table of llama-bench's too
	Full     bool           // it says that memory ran out
	More     bool           // another command follows in the text, which isn't read
	Figures  []Figure       // in the order of the text, each once

	lora      bool      // there is memory for low-rank adapters
	spread    bool      // TensorRT-LLM attends to sequences on each chip by itself
	sessions  float64   // that Ollama serves at once
	tagged    bool      // the model is named as Ollama does
	both      bool      // keys and values are stored alike
	bpw       float64   // bits of a weight that the name of ExLlama's file says
	values    string    // how llama.cpp stores values, where a flag says it
	pools     []float64 // tokens of pools that a line announces, and that are still to be said
	announced int       // that line
	shared    int       // a line whose figures are of all chips of a replica together
}

// mostText is how much of a text is read.
const mostText = 8 << 20

// Read reads a log or a command. The error says that there is neither.
func Read(text string) (*Log, error) {
	text = pasted.Typed(pasted.Plain(text[:min(len(text), mostText)]))
	l := &Log{Host: Host{OnCard: -1, Experts: -1}}
	if l.readFigures(text); len(l.Figures) == 0 {
		text, l.More = firstCommand(text)
	}
	command := snaked(script(text))
	if l.Engine == "" {
		l.Engine = cmp.Or(engineIn(command), engineIn(text))
	}
	if other, is := strings.CutPrefix(l.Engine, "!"); is {
		return nil, phrase.Fault{What: phrase.New("startlog.other-engine", "engine", other),
			Remedy: phrase.New("startlog.by-hand")}
	}
	command = variables(command, l.Engine)
	said := l.readFlags(command) || l.readFlags(text)
	l.readUnpriced(command)
	for _, words := range [...]string{"OutOfMemoryError: ", "cudaMalloc failed", "RESOURCE_EXHAUSTED: "} {
		l.Full = l.Full || strings.Contains(text, words) // of PyTorch, llama.cpp and XLA
	}
	l.Bench = pasted.Kind(text) == "llama-bench"
	if len(l.Figures) == 0 && (!said || pasted.Kind(text) == "metrics") {
		what := pasted.Other(text, "startup-log")
		if what == nil && (l.Engine == "" || l.Version == "" && !started(command)) {
			what = phrase.New("startlog.nothing")
		}
		if what != nil {
			return nil, phrase.Fault{What: what, Remedy: phrase.New("startlog.paste")}
		}
	}
	if l.Engine == "" {
		l.Engine, l.Assumed = "vllm", true
	}
	l.derive(text)
	return l, nil
}

// Names tells whether a text is one of an engine beyond doubt: it names an engine, or a model that is known, or has
// figures of memory. Flags alone, and other models, may be those of any program.
func (l *Log) Names() bool { return l.Known != "" || !l.Assumed || len(l.Figures) > 0 }

// engineTable is words of texts, with their engines: those that start one, and then, behind an empty line, those that
// may only mention it.
//
//go:embed engines.tsv
var engineTable string

// engineIn is the engine that a text is of, by its own words; "" if nothing tells.
func engineIn(text string) string {
	lower := strings.ToLower(text)
	best, at := "", len(lower)
	for line := range strings.Lines(engineTable) {
		words, engine, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if words == "" && best != "" {
			break
		}
		if i := strings.Index(lower, words); i >= 0 && i < at && words != "" {
			best, at = engine, i
		}
	}
	return best
}

// started tells whether the words of a text start an engine, and don't only mention it.
func started(text string) bool {
	lower := strings.ToLower(text)
	for line := range strings.Lines(engineTable) {
		words, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if words == "" {
			break
		}
		if strings.Contains(lower, words) {
			return true
		}
	}
	return false
}

// readFigures finds the figures of all lines.
func (l *Log) readFigures(text string) {
	type pattern struct{ engine, names, words string }
	var patterns []pattern
	for line := range strings.Lines(lineTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		patterns = append(patterns, pattern{c[0], c[1], c[2]})
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if len(line) > 1<<14 {
			line = line[:1<<14]
		}
		part := "" // that the line says: it may look like several of the table
		for _, p := range patterns {
			if l.Engine != "" && p.engine != l.Engine || part != "" && p.names == part {
				continue
			}
			numbers, words, found := match(line, strings.TrimSuffix(p.words, "?"))
			if !found {
				continue
			}
			if l.Engine = p.engine; p.names[0] == '+' {
				part = p.names
			}
			l.add(n, strings.Fields(p.names), numbers, words)
		}
	}
}

// add keeps the figures of a line, but those that were said before: other ranks say them again.
func (l *Log) add(line int, names, numbers []string, words string) {
	pages := 0.0
	for i, name := range names {
		name, unit, _ := strings.Cut(name, ":")
		if name == "version" {
			l.Version = or(l.Version, numbers[i])
			continue
		}
		x, err := strconv.ParseFloat(numbers[i], 64)
		// where weights don't fit, less than nothing is left
		if name == "-" || err != nil || x < 0 && name != "cache" ||
			name == "cache" && x == 0 && l.Engine == "trtllm" { // kept by another manager
			continue
		}
		switch {
		case name == "pages":
			pages = x
			continue
		case name == "page":
			name, x = "tokens", pages*x
		}
		x *= bytesIn(unit, words)
		if name, summed := l.summed(line, name, x); !summed {
			l.keep(Figure{line, name, x, words})
		}
	}
}

// bytesIn is how many bytes a unit of the table has; a ? stands for the unit that the words end in.
func bytesIn(unit, words string) float64 {
	switch {
	case unit == "MiB" || unit == "?" && strings.HasSuffix(words, "MiB"):
		return 1 << 20
	case unit == "GiB" || unit == "?":
		return 1 << 30
	}
	return 1
}

// summed adds a part of a figure to what other lines, or this one, said of it before; else it is the figure's name.
func (l *Log) summed(line int, name string, x float64) (figure string, summed bool) {
	if part, is := strings.CutPrefix(name, "+"); is {
		name = part
		if j := l.find(name); j >= 0 && (name == "weights" || l.find("activations") < 0) &&
			(name == "cache" || l.find("cache") < 0) {
			l.Figures[j].Value += x
			return name, true
		}
	}
	if whole, half := strings.CutPrefix(name, "half-"); half { // keys, then values; states of two kinds
		name = whole
		if j := l.find(name); j >= 0 && l.Figures[j].Line == line {
			l.Figures[j].Value += x
			return name, true
		}
	}
	if whole, all := strings.CutPrefix(name, "all-"); all { // of all chips together
		name, l.shared = whole, line
	}
	switch name {
	case "card": // one of several: what is free of all of them
		if name = "free"; l.Cards > 0 {
			l.Cards++
			l.Figures[l.find(name)].Value += x
			return name, true
		}
		l.Cards = 1
	case "pools": // of tokens: layers with a window have one of their own; other ranks say it again
		if l.pools == nil || l.announced == line {
			l.pools, l.announced = append(l.pools, x), line
		}
		return name, true
	case "pool":
		return "tokens", l.pooled(line, x)
	}
	return name, false
}

// keep notes a figure unless there is one of its name already.
func (l *Log) keep(f Figure) {
	switch j := l.find(f.Name); {
	case j < 0:
		l.Figures = append(l.Figures, f)
	case f.Name == "cache" && l.Engine == "vllm" && f.Value < l.Figures[j].Value && l.find("tokens") < 0:
		l.Figures[j] = f // of all ranks the smallest counts
	}
}

// pooled tells whether a pool of so many tokens is the second of the two that a log of layers with a window announces:
// then its line counts with the first, and the tokens are those of the larger one.
func (l *Log) pooled(line int, tokens float64) bool {
	at, i, j := slices.Index(l.pools, tokens), l.find("tokens"), l.find("cache")
	if at < 0 {
		return false
	}
	if l.pools = slices.Delete(l.pools, at, at+1); i < 0 || j < 0 {
		return false
	}
	l.Figures[i].Value = max(l.Figures[i].Value, tokens)
	l.Figures[j].Line = line
	return true
}

// find is the place of a figure; -1 if it isn't said.
func (l *Log) find(name string) int {
	for i := range l.Figures {
		if l.Figures[i].Name == name {
			return i
		}
	}
	return -1
}

// Figure is a figure; 0 if the log doesn't say it.
func (l *Log) Figure(name string) float64 {
	if i := l.find(name); i >= 0 {
		return l.Figures[i].Value
	}
	return 0
}

// match finds words in a line: the numbers that stand for {}, and the words as the line has them.
func match(line, words string) (numbers []string, found string, ok bool) {
	first, rest, _ := strings.Cut(words, "{}")
	first, after, starred := strings.Cut(first, "*")
	begin := strings.Index(line, first)
	if begin < 0 {
		return nil, "", false
	}
	at := begin + len(first)
	if starred {
		i := strings.Index(line[at:], after)
		if i < 0 {
			return nil, "", false
		}
		at += i + len(after)
	}
	for {
		for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
			at++
		}
		number, n := numeral(line[at:])
		if n == 0 {
			return nil, "", false
		}
		numbers, at = append(numbers, number), at+n
		piece, next, more := strings.Cut(rest, "{}")
		before, behind, jump := strings.Cut(piece, "*")
		if !strings.HasPrefix(line[at:], before) {
			return nil, "", false
		}
		at += len(before)
		if jump {
			i := strings.Index(line[at:], behind)
			if i < 0 {
				return nil, "", false
			}
			at += i + len(behind)
		}
		if !more {
			for at < len(line) && (line[at] >= 'a' && line[at] <= 'z' || line[at] >= 'A' && line[at] <= 'Z') { // a unit
				at++
			}
			return numbers, strings.TrimRight(line[begin:at], " ,."), true
		}
		rest = next
	}
}

// numeral is the number at the beginning of a text, its commas left out, and how many bytes it takes. What stands in a
// version counts too.
func numeral(text string) (number string, n int) {
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == '.' || text[n] == ',' && n > 0 ||
		text[n] == '-' && n == 0) {
		n++
	}
	for n > 0 && (text[n-1] == '.' || text[n-1] == ',' || text[n-1] == '-') {
		n--
	}
	return strings.ReplaceAll(text[:n], ",", ""), n
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Signed is a share in percent with its sign.
func Signed(x float64) string {
	text := strconv.FormatFloat(math.Abs(100*x), 'f', 1, 64) + " %"
	switch {
	case text == "0.0 %":
		return "0 %"
	case x < 0:
		return "−" + text
	}
	return "+" + text
}

// InLog is a figure as logs print it.
func InLog(name string, x float64) string {
	switch name {
	case "blockbytes":
		return strconv.FormatFloat(x/(1<<20), 'f', 3, 64) + " MiB"
	case "tokens", "blocks", "block":
		return quantity.Grouped(strconv.FormatFloat(x, 'f', 0, 64))
	case "concurrency":
		return strconv.FormatFloat(x, 'f', 2, 64) + "x"
	case "pertoken":
		return quantity.Grouped(strconv.FormatFloat(x, 'f', 0, 64)) + " B"
	}
	return strconv.FormatFloat(x/(1<<30), 'f', 2, 64) + " GiB"
}

// Verdict names the first line that differs, or says that none does; without a log it says whether the engine starts.
// If the log says that memory ran out, so does the verdict.
func Verdict(l *Log, lines []Line, x *serving.Ledger, r *serving.Replica) any {
	switch compared := verdict(l, lines, x, r); {
	case !l.Full:
		return compared
	case CountLogged(lines) == 0 && x.Concurrency >= 1: // else it says so itself
		return phrase.New("startlog.full")
	default:
		return phrase.Sentences(phrase.New("startlog.full"), compared)
	}
}

// verdict is the same, whatever became of the engine.
func verdict(l *Log, lines []Line, x *serving.Ledger, r *serving.Replica) any {
	at, heard := First(lines), CountLogged(lines)
	switch {
	case heard == 0 && r.Engine.Name == "llama.cpp" && x.Budget < x.Request*(1-r.Engine.Hosted.Cache):
		return phrase.New("startlog.spills", "lack", InLog("cache", x.Request*(1-r.Engine.Hosted.Cache)-x.Budget))
	case heard == 0 && x.Cache <= 0:
		return phrase.New("startlog.no-room", "lack", InLog("cache", -x.Cache))
	case heard == 0 && x.Concurrency < 1 && !slices.Contains(shorter[:], r.Engine.Name):
		return phrase.New("startlog.too-long", "n", InLog("tokens", longest(x, r)), "x",
			InLog("concurrency", x.Concurrency))
	case heard == 0 && r.Engine.Name == "llama.cpp":
		return holdsCells(x, r)
	case heard == 0:
		return phrase.New("startlog.starts", "n", InLog("tokens", x.Tokens), "x", InLog("concurrency", x.Concurrency))
	case at < 0:
		return phrase.Count(heard, "startlog.agrees")
	}
	s := &lines[at]
	why := steps[s.step].why
	switch { // what was taken because the log names none
	case l.Known == "" && r.Shape.Model.ID == UsualModel:
		why = "startlog.why-model-taken"
	case l.Chip == "" && r.Chip.ID == UsualChip && s.Name != "weights":
		why = "startlog.why-chip-taken"
	}
	return phrase.Sentences(phrase.New("startlog.differs", "line", s.At, "words", s.Words, "said",
		InLog(s.Name, s.Logged), "ours", InLog(s.Name, s.Ours)), phrase.New(why))
}

// holdsCells says that llama.cpp starts: it takes the cells that were asked for, however many the card could hold, and
// splits them between requests.
func holdsCells(x *serving.Ledger, r *serving.Replica) any {
	starts := phrase.New("startlog.holds", "n", InLog("tokens", x.Tokens), "x", InLog("concurrency", x.Concurrency))
	if n := r.Engine.Sequences; n > 1 {
		return phrase.Sentences(starts, phrase.New("startlog.slots", "slots", InLog("tokens", n), "n",
			InLog("tokens", math.Floor(x.Tokens/n))))
	}
	return starts
}

// shorter are engines that start where the longest request does not fit, and take shorter ones.
var shorter = [...]string{"sglang", "trtllm", "lmdeploy"}

// What is taken where a log names none.
const UsualModel, UsualChip = "llama3.8b", "gpu.h100"

// longest is the longest sequence that fits into the cache.
func longest(x *serving.Ledger, r *serving.Replica) float64 {
	low, high := 0.0, x.Length
	for high-low > 1 {
		mid := math.Floor((low + high) / 2)
		if r.Pool(x.Cache, mid).Concurrency >= 1 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// ModuleName is a part of the weights as readers know it.
func ModuleName(name string) *phrase.Phrase {
	return phrase.New(modules[1+slices.Index(modules[:], name)])
}

// modules are parts of the weights, each with its sentence behind it.
var modules = [...]string{"attention", "startlog.m-attention", "mlp", "startlog.m-mlp", "experts", "startlog.m-experts",
	"embedding", "startlog.m-embedding", "unembedding", "startlog.m-unembedding", "beside", "startlog.m-beside"}
