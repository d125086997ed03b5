package serving

import (
	_ "embed"
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// flagTable is how engines are started with a plan, a line an engine: its name, the command with gaps in braces, and
// what is added to it under a condition, the first word of a column.
//
//go:embed flags.tsv
var flagTable string

// Engines are the engines whose flags are known.
func Engines() []string {
	var all []string
	for line := range strings.Lines(flagTable) {
		name, _, _ := strings.Cut(line, "\t")
		all = append(all, name)
	}
	return all
}

// Flags is how an engine is started to run r with so many requests at once; empty for an engine that nobody knows. It
// asks for no longer sequences than the caches hold, and for no more of them than run at a time.
func (r *Replica) Flags(engine string, l Load, batch float64) string {
	_, line, _ := strings.Cut("\n"+flagTable, "\n"+engine+"\t")
	line, _, _ = strings.Cut(line, "\n")
	command, rest, _ := strings.Cut(line, "\t")
	for rest != "" {
		var option string
		option, rest, _ = strings.Cut(rest, "\t")
		if when, text, _ := strings.Cut(option, " "); r.needs(when, l) {
			command += " " + text
		}
	}
	length, stated := r.Longest(l), *r
	stated.Engine.Reserve = Reserves(engine)
	n := max(math.Floor(min(batch, stated.Fit(l))), 1)
	for i, x := range []float64{float64(r.TP / r.WS), float64(r.DP), float64(r.PP), float64(r.EP), float64(r.TP * r.DP),
		float64(r.CP), max(float64(r.DP/r.EP), 1), length, math.Ceil(l.In), n, max(math.Floor(n/float64(r.DP)), 1),
		math.Floor(1000*n/float64(r.Chips())) / 1000, r.Chunk, r.Share, math.Ceil(r.Offload / (1 << 30)), float64(r.WS),
		float64(r.Spare), r.Shape.Experts + float64(r.Spare), l.Passes, max(l.Wide, 1), l.Verify} {
		command = strings.ReplaceAll(command, "{"+flagGaps[i]+"}", strconv.FormatFloat(x, 'f', -1, 64))
	}
	return command
}

// Longest is the tokens of the longest sequence of a load that the engine is set to take.
func (r *Replica) Longest(l Load) float64 { return max(math.Ceil(l.In+l.Out), r.Engine.Length) }

// flagGaps are the gaps of a command, in the order in which Flags fills them: group is the sequences of an attention
// group, each those of a chip.
var flagGaps = [...]string{"tp", "dp", "pp", "ep", "chips", "cp", "copies", "length", "prompt", "batch", "group",
	"each", "chunk", "share", "host", "ws", "spare", "slots", "depth", "wide", "checked"}

// needs tells whether a condition of the table holds.
func (r *Replica) needs(when string, l Load) bool {
	switch when {
	case "chunked": // prompts that are longer than a step may be
		return l.In > r.Chunk
	case "configured": // what only a file can say
		return r.DP > 1 || r.Precision.Cache < 2 || r.Spare > 0 || l.Passes > 0
	case "context":
		return r.CP > 1
	case "experts":
		return r.EP > 1
	case "groups":
		return r.DP > 1
	case "guesses":
		return l.Passes > 0
	case "halves":
		return r.Halves && r.DP > 1
	case "spare":
		return r.Spare > 0
	case "host":
		return r.Offload > 0
	case "widths":
		return r.WS > 1
	case "narrow": // keys and values in 8 bits
		return r.Precision.Cache < 2
	}
	return r.Precision.MLP < 2 // light
}

// releases are the minor versions of vLLM by month, from January 2024 on.
var releases = [...]float64{
	2.07,
	3,
	3.03,
	4.01,
	4.02,
	5,
	5.03,
	5.05,
	6.01,
	6.03,
	6.04,
	6.06,
	7,
	7.03,
	8.01,
	8.05,
	9,
	9.01,
	10,
	10.01,
	10.02,
	11,
	11.01,
	12,
	14,
	15,
	17,
	19,
	20,
	22,
	24,
	26,
	28,
	29,
}

// ReleaseOf is the version of vLLM that was new in a month; 0, the newest, for later ones.
func ReleaseOf(year, month int) float64 {
	i := (year-2024)*12 + month - 1
	if i < 0 {
		return 2
	}
	if i >= len(releases) {
		return 0
	}
	return releases[i]
}

// narrowChips are those with much memory for which vLLM’s defaults stay as for small ones, and chips that nobody knows.
const narrowChips = "gpu.a100 gpu.a100_pcie gpu.gb10 gpu.own gpu.mi_own "

// Defaults is e with what it leaves out as the engine itself sets it, on a chip, with a plan, for sequences of T
// tokens.
//
// vLLM looks at the chip: with 70 GiB and more, A100s aside, it lets 1024 sequences run, else 256; a server has steps
// of 8192 or 2048 tokens. SGLang leaves free what it reckons that steps and graphs will need, by a rule of its own.
func (e Engine) Defaults(c Chip, p Plan, T float64) Engine {
	p = p.full()
	gib := c.Memory / (1 << 30)
	switch e.Name {
	case "sglang":
		return e.sglang(p, gib)
	case "tgi":
		e.Chunk, e.Share = or(e.Chunk, 4096), or(e.Share, Kept)
		return e
	case "llama.cpp":
		e.Chunk, e.Share = or(e.Chunk, 512), 1
		return e
	case "exllama": // chunk_size of TabbyAPI, max_input_len of ExLlamaV2
		e.Chunk, e.Share = or(e.Chunk, 2048), 1
		return e
	case "lmdeploy": // max_prefill_token_num, cache_max_entry_count
		e.Chunk, e.Share = or(e.Chunk, 8192), or(e.Share, KeptLMDeploy)
		return e
	case "mlc": // as its compiled libraries have it
		e.Chunk, e.Share = or(e.Chunk, 2048), or(e.Share, KeptMLC)
		return e
	case "trtllm":
		e.Sequences, e.Chunk, e.Share = or(e.Sequences, 2048), or(e.Chunk, 8192), or(e.Share, 0.9)
		return e
	}
	newer := e.Release == 0 || e.Release >= 21
	wide := gib >= 69 && !strings.Contains(narrowChips, c.ID+" ") && (e.Release == 0 || e.Release >= 8)
	share, sequences, chunk := 0.9, 256.0, 2048.0
	if newer {
		share = 0.92
	}
	if wide {
		sequences, chunk = 1024, 8192
	}
	if e.whole(T) {
		chunk = max(T, 2048)
	}
	e.Share, e.Sequences, e.Chunk = or(e.Share, share), or(e.Sequences, sequences), or(e.Chunk, chunk)
	return e
}

// sglang is the same of SGLang (server_args.py, since 0.5.4): megabytes that are left free, by the size of the chip.
func (e Engine) sglang(p Plan, gib float64) Engine {
	chunk, graphs := 16384.0, 512.0
	for _, c := range []struct{ below, chunk, few, many float64 }{{20, 2048, 8, 8}, {35, 2048, 24, 80}, {60, 4096, 32,
		160},
		{90, 8192, 256, 512}, {160, 8192, 256, 512}} {
		if gib < c.below {
			chunk, graphs = c.chunk, c.few
			if p.TP >= 4 {
				graphs = c.many
			}
			break
		}
	}
	e.Chunk = or(e.Chunk, chunk)
	left := 512 + max(e.Chunk, 2048)*1.5 + graphs*2 + float64(p.TP*p.PP)/8*1024
	if p.DP > 1 {
		left += graphs * float64(p.DP) * 3
	}
	if gib > 60 {
		left = max(left, 10*1024)
	}
	total := gib * 1024
	if e.Release > 0 && e.Release < 4 { // by the number of chips alone (server_args.py of 0.3)
		old := 0.88
		for _, c := range []struct {
			chips int
			share float64
		}{{2, 0.87}, {4, 0.85}, {8, 0.83}, {16, 0.79}} {
			if p.TP >= c.chips {
				old = c.share
			}
		}
		e.Share = or(e.Share, old)
	}
	e.Share = or(e.Share, math.Round(1000*max(total-left, 0)/total)/1000)
	e.Sequences = or(e.Sequences, 2048)
	return e
}

// or is x, or another where it is 0.
func or(x, other float64) float64 {
	if x == 0 {
		return other
	}
	return x
}

// SmallestSlice is the fewest chips, a power of two, on which a load fits at all, and the plan that leaves most room
// there.
func (w Spec) SmallestSlice() (Plan, bool) {
	for _, n := range powers(max(w.Chips, 1)) {
		best, capacity := Plan{}, 0.0
		w.Chips, w.Layout = n, Plan{}
		for _, p := range w.Plans() {
			if p.Chips() != n {
				continue
			}
			r, err := NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
			if err == nil && w.capacity(r) > capacity {
				best, capacity = p, w.capacity(r)
			}
		}
		if capacity >= 1 {
			return best, true
		}
	}
	return Plan{}, false
}

// LargestContext is the longest sequence that a replica holds so many of, in tokens; 0 if none.
func (r *Replica) LargestContext(sequences float64) float64 {
	holds := func(T float64) bool { return r.Memory(T).Sequences >= sequences }
	if !holds(1) {
		return 0
	}
	low, high := 1.0, 1e9
	if holds(high) {
		return high
	}
	for high-low > 1 {
		if mid := math.Floor((low + high) / 2); holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// era is the time that an engine's host takes for each sequence of a step while the chip waits, before a release: its
// scheduler and its server ran in turn with the chip.
type era struct {
	engine  string
	before  float64 // release
	seconds float64
}

// eras are those that somebody measured; since then engines prepare the next step while one runs. Llama 3 8B with 256
// sequences on an H100, steps of which take the chip 15 ms: vLLM 0.5 spent 33 % of its time in its server and 29 % in
// its scheduler, 38 % on the chip; 0.6 has the server in a process of its own (blog.vllm.ai, 2024-09-05), 0.8 has V1.
// SGLang 0.4 gained a tenth by scheduling ahead (lmsys.org, 2024-12-04). A test holds the seconds to these shares.
var eras = [...]era{{"vllm", 6, 9.86e-5}, {"vllm", 8, 4.61e-5}, {"sglang", 4, 4.9e-6}}

// hostTime is what the host of an engine's release takes for a sequence besides.
func (e Engine) hostTime() float64 {
	for _, x := range eras {
		if e.Name == x.engine && e.Release > 0 && e.Release < x.before {
			return x.seconds
		}
	}
	return 0
}

// ReleaseIn is the release of an engine that was new in July of a year; 0, the newest, for years of which none is
// known.
func ReleaseIn(engine string, year int) float64 {
	switch engine + strconv.Itoa(year) {
	case "vllm2023":
		return 1.02
	case "vllm2024":
		return 5.03
	case "vllm2025":
		return 10
	case "sglang2024":
		return 2
	case "sglang2025":
		return 4.09
	case "trtllm2024":
		return 11
	case "trtllm2025":
		return 20
	}
	return 0
}

// maxDegree is the most ways of any parallelism that somebody may write.
const maxDegree = 1 << 16

// ReadPlan reads a plan as people write it: "tp=8 pp=2", "tp=4,dp=2,ep=8". "ep" alone spreads experts over all chips
// that attention runs on, as vLLM's --enable-expert-parallel does.
func ReadPlan(text string) (Plan, error) {
	var p Plan
	spread := false
	apart := func(c rune) bool { return strings.ContainsRune(" ,;\t\n\"'", c) }
	all := strings.FieldsFunc(strings.ToLower(text), apart)
	for i := 0; i < len(all); i++ {
		word := all[i]
		name, value, given := strings.Cut(word, "=")
		if bare := strings.TrimRight(name, "0123456789x"); !given && bare != name { // tp8, tp32x4, +32
			name, value, given = bare, name[len(bare):], true
		}
		name = degreeOf(name)
		if next := i + 1; !given && next < len(all) && all[next][0] >= '0' && all[next][0] <= '9' { // -tp 8
			value, given, i = all[next], true, next
		}
		to := p.degree(name)
		switch {
		case to == nil:
			return p, fault(phrase.New("serving.no-way", "word", strconv.Quote(word)), "serving.write-ways")
		case !given && name == "ep":
			spread = true
			continue
		}
		value, outer, both := strings.Cut(value, "x")
		n, err := strconv.Atoi(value)
		if both && err == nil && to == &p.TP { // by both widths
			p.WS, err = strconv.Atoi(outer)
			n *= min(max(p.WS, 0), maxDegree)
		}
		if err != nil || n < 1 || n > maxDegree || both && to != &p.TP {
			return p, fault(phrase.New("serving.no-ways", "word", strconv.Quote(word)), "serving.write-ways")
		}
		*to = n
	}
	if spread {
		p.EP = max(p.TP, 1) * max(p.DP, 1)
	}
	return p, nil
}

// degreeOf is the short name of what engines' flags call --tensor-parallel-size, -tp or --tp-size.
func degreeOf(name string) string {
	name = strings.ReplaceAll(strings.TrimLeft(name, "-"), "_", "-")
	for _, end := range []string{"-size", "-parallel"} {
		name = strings.TrimSuffix(name, end)
	}
	switch name {
	case "tensor", "data", "pipeline", "expert":
		return name[:1] + "p"
	case "decode-context":
		return "dcp"
	case "enable-expert", "enable-ep":
		return "ep"
	}
	return name
}

// degree is the field of a plan by the name that people write; nil of none.
func (p *Plan) degree(name string) *int {
	switch name {
	case "tp":
		return &p.TP
	case "pp":
		return &p.PP
	case "dp":
		return &p.DP
	case "ep":
		return &p.EP
	case "etp":
		return &p.ETP
	case "cp", "dcp":
		return &p.CP
	case "+", "spare", "redundant", "redundant-experts", "ep-num-redundant-experts", "num-redundant-experts":
		return &p.Spare
	}
	return nil
}

// Typed is p as ReadPlan reads it.
func (p Plan) Typed() string {
	p = p.full()
	text := "tp=" + strconv.Itoa(p.TP/p.WS)
	if p.WS > 1 {
		text += "x" + strconv.Itoa(p.WS)
	}
	for _, d := range []struct {
		name  string
		n, of int
	}{{" pp=", p.PP, 1}, {" dp=", p.DP, 1}, {" ep=", p.EP, 1}, {" dcp=", p.CP, 1}, {" spare=", p.Spare, 0}} {
		if d.n > d.of {
			text += d.name + strconv.Itoa(d.n)
		}
	}
	return text
}

// TooLong says that a load's sequences are longer than the model is published for, where that is known: engines refuse
// them. Their price is right all the same if the positions are stretched. It is nil where nothing is to be said.
func (s *Shape) TooLong(l Load) *Error {
	most := float64(s.Model.Context)
	if most == 0 || l.In+l.Out <= most {
		return nil
	}
	return fault(phrase.New("serving.too-long", "tokens", int(l.In+l.Out), "model", s.Model.Name, "context",
		s.Model.Context), "serving.shorten")
}
