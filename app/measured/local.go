package measured

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/local"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
)

// localDecode predicts what one machine makes of a file of weights: tokens a second of generating and of prompts.
func localDecode(row Row, widths *machineWidths) (Prediction, error) {
	l, err := readLocal(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	l.widths = widths
	asked := row.Asked
	if len(asked) == 0 {
		asked = localMetrics()
	}
	p := Prediction{Metrics: Metrics{}, Notes: l.notes}
	for _, name := range asked {
		run, is := l.as(name)
		if x, found := byName(name, run.metric); is && found && x.sound() {
			p.Metrics[name] = x
		}
	}
	if l.run.Machine.UsableMemory > 0 {
		p.Fits = yesOrNo(l.fits)
	}
	if len(p.Metrics) == 0 {
		return p, fmt.Errorf("none of %q is predicted; ask for tg128_tokens_per_s, pp512_tokens_per_s or the like",
			strings.Join(asked, ", "))
	}
	return p, nil
}

// localMetrics are the metrics of a row that names none: those of llama-bench, of MLX and of others.
func localMetrics() []string {
	names := []string{"generation_tokens_per_s", "prompt_tokens_per_s", "peak_memory_GB", "memory_GB", "ttft_ms"}
	for _, length := range []string{"short", "long"} {
		names = append(names, "decode_tps_"+length+"_median", "prefill_tps_"+length+"_median", "ttft_ms_"+length+
			"_median")
	}
	for _, engine := range []string{"llama_cpp", "exllama", "mlc_llm", "vllm"} {
		names = append(names, engine+"_generation_tokens_per_s")
	}
	for _, b := range []string{"1", "2", "4", "5", "8"} {
		names = append(names, "total_tokens_per_s_batch"+b)
	}
	for _, n := range []string{"32", "64", "128", "256", "512", "1024", "4096", "8192"} {
		names = append(names, "tg"+n+"_tokens_per_s")
	}
	for _, n := range []string{"128", "256", "512", "1024", "2048", "4096", "8192"} {
		names = append(names, "pp"+n+"_tokens_per_s")
	}
	for _, d := range []string{"4096", "8192", "16384", "32768"} {
		names = append(names, "tg32_at_d"+d+"_tokens_per_s", "pp2048_at_d"+d+"_tokens_per_s")
	}
	for _, n := range []string{"512", "4096", "8192"} {
		for _, b := range []string{"1", "2", "4", "8", "16", "32"} {
			names = append(names, "S_TG_pp"+n+"_b"+b+"_tokens_per_s", "S_PP_pp"+n+"_b"+b+"_tokens_per_s")
		}
	}
	return names
}

// localRow is a row of one machine, read.
type localRow struct {
	run            *local.Run
	setup          Setup
	engine         string
	prompt, tokens float64 // 0 if they aren't said
	batch          float64
	fits           bool // on the cards alone
	stated         bool // which layers or experts are the host's
	widths         *machineWidths
	notes          []string // what of the row is not taken, or taken for what it doesn't say
}

// usualAnswer are generated where nobody says how many.
const usualAnswer = 128

// readLocal reads a set-up.
func readLocal(s Setup) (*localRow, error) {
	l := &localRow{setup: s, engine: localEngine(s.Text("engine", "backend", "format") + " " + s.Text("quant_type"))}
	m, machine, err := localParts(s)
	if err != nil {
		return nil, err
	}
	format, err := l.format(l.engine)
	if err != nil {
		return nil, err
	}
	if l.engine == "" {
		if l.engine = format.Engine(); l.engine == "" {
			l.engine = "exllama"
		}
	}
	l.run = local.NewRun(m, format.Of(m), machine, s.versionOf(l.engine, machine))
	if err := l.readSizes(s); err != nil {
		return nil, err
	}
	err = l.readHost(s)
	l.leaveOver()
	return l, err
}

// leaveOver leaves to the host the layers that the cards can't hold, as llama.cpp and Ollama do unless someone says how
// many go where.
func (l *localRow) leaveOver() {
	r, context := l.run, l.prompt+l.tokens
	held, most := r.Held(1, context), r.Machine.UsableMemory*r.Cards
	l.fits = held <= most
	if l.fits || most == 0 || l.engine != "llama.cpp" || l.stated ||
		r.Machine.Memory == local.Unified || r.Machine.Memory == local.Shared {
		return
	}
	none := *r
	none.Host.Layers = 1
	layers := float64(r.Model.Layers)
	over := math.Ceil(layers * (held - most) / (held - none.Held(1, context)))
	r.Host.Layers = min(1, over/layers)
	l.notes = append(l.notes, fmt.Sprintf("%v of %v layers are taken to be the host's: the card can't hold them; say "+
		"n_gpu_layers", min(over, layers), layers))
}

// monthNamed is a month as people write it, and monthIn finds it as a number.
var monthNamed = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (20\d\d)\b`)

// versionOf is an engine as it was when a row was measured: llama.cpp captures graphs since May 2024, and runs kernels
// beside each other on Apple's GPUs since September 2025; rows of these months are of builds before that. Rows without
// a date are of today.
func (s Setup) versionOf(engine string, machine *local.Machine) string {
	if engine != "llama.cpp" {
		return engine
	}
	first := "2024-06"
	if machine.Memory == local.Unified {
		first = "2025-10"
	}
	text := s.Text("version") + " " + s.Text("log_date", "date")
	at := monthIn.FindString(text)
	if m := monthNamed.FindStringSubmatch(text); m != nil && at == "" {
		at = fmt.Sprintf("%s-%02d", m[2], strings.Index("janfebmaraprmayjunjulaugsepoctnovdec",
			strings.ToLower(m[1]))/3+1)
	}
	if year := yearIn.FindString(text); at == "" && year != "" {
		at = year
	}
	if at != "" && at < first {
		return local.Launching
	}
	return engine
}

// yearIn finds a year.
var yearIn = regexp.MustCompile(`\b20\d\d\b`)

// localParts are the model and the machine of a set-up.
func localParts(s Setup) (*model.Model, *local.Machine, error) {
	m, err := storedModel(s)
	if err != nil {
		return nil, nil, err
	}
	machine, err := machineNamed(s)
	return m, machine, err
}

// storedModel is the model of a set-up, whose name may end in a format. A name of another size is not known.
func storedModel(s Setup) (*model.Model, error) {
	m, err := s.model()
	name := s.Text("model", "file", "filename")
	if err != nil {
		m, err = modelNamed(name)
	}
	if err == nil && otherSize(m, name) {
		return nil, fmt.Errorf("unknown model %q: %s is of another size; describe it by layers, d_model, n_heads, "+
			"d_ff and vocab, or by a config", name, m.Name)
	}
	return m, err
}

// sizeNamed finds the size that a name says: 8b, 0.6B, but not the part of experts that a token is sent to (A3B), what
// a model counts as (E4B), or one of several experts (8x7B).
var sizeNamed = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)b(?:[^a-z0-9]|$)`)

// otherSize tells whether a name says a size that is neither all of a model nor what a token is sent to.
func otherSize(m *model.Model, name string) bool {
	found := sizeNamed.FindStringSubmatch(name)
	if found == nil {
		return false
	}
	const near, nearer = 1.6, 1.08 // names count tables or leave them out, and round; what a token is sent to they say
	said, all, active := numbers(found)[1]*1e9, m.Params().Total(), m.ActiveTotal()
	return (said > near*all || all > near*said) && (said > nearer*active || active > nearer*said)
}

// format is the format of a set-up, by its own word or by the end of the model's name.
func (l *localRow) format(engine string) (*quant.Format, error) {
	return formatNamed(formatText(l.setup), engine)
}

// formatText is all that a set-up says of its format.
func formatText(s Setup) string {
	text := s.Text("quant_type", "quant", "weights", "precision")
	if text == "" || strings.EqualFold(text, "mlx") || strings.EqualFold(text, "gguf") {
		text += " " + s.Text("file", "filename", "model")
	}
	if bits := s.Text("bpw", "bits_per_weight"); bits != "" {
		text += " " + bits + " bpw"
	}
	return text + " " + s.Text("format")
}

// readSizes reads lengths and numbers of cards.
func (l *localRow) readSizes(s Setup) error {
	var err error
	if l.run.Cards, err = s.Count(mostDevices, "n_devices", "n_gpus"); err != nil {
		return err
	}
	l.run.Cards = max(1, l.run.Cards)
	tp, err := s.Count(mostDevices, "tp")
	if err != nil {
		return err
	}
	if tp > 1 {
		l.run.Together = l.engine != "llama.cpp"
	}
	if slice, err := s.Count(1<<20, "n_ubatch", "ubatch"); err == nil && slice > 0 {
		l.run.Slice = slice
	}
	if gib, _ := s.Number(0, "file_size_GiB"); gib > 0 && !l.scale(gib*(1<<30)) {
		l.notes = append(l.notes, fmt.Sprintf("file_size_GiB is %v, but the model in this format takes %.3g: that "+
			"is taken",
			gib, l.run.Size.Bytes/(1<<30)))
	}
	l.prompt, _ = s.Number(0, "prompt_tokens", "depth", "context")
	if l.tokens, _ = s.Number(usualAnswer, "gen_tokens"); !(l.tokens > 0) {
		l.tokens = usualAnswer
	}
	l.batch, _ = s.Number(1, "batch")
	if !(l.prompt >= 0 && max(l.prompt, l.tokens, l.batch) <= mostOfLoad) {
		return fmt.Errorf("prompt_tokens, gen_tokens and batch are %v, %v and %v; write up to a thousand million",
			l.prompt,
			l.tokens, l.batch)
	}
	return nil
}

// scale makes the file as large as the row says that it is. If that is another file altogether, it tells so instead.
func (l *localRow) scale(bytes float64) bool {
	s := l.run.Size
	x := bytes / s.Bytes
	if !(x > 0.5 && x < 2) {
		return false
	}
	for _, part := range []*float64{&s.Bytes, &s.Read, &s.Experts, &s.Routed} {
		*part *= x
	}
	return true
}

// readHost reads what the memory of the host holds: layers that don't fit the card, or experts.
func (l *localRow) readHost(s Setup) error {
	layers := float64(l.run.Model.Layers)
	flags := s.Text("offload", "flags", "args", "command", "command_line")
	onCard, err := s.Number(flagged(cardFlag, flags, -1), "n_gpu_layers", "ngl", "gpu_layers")
	if err != nil {
		return err
	}
	if onCard >= 0 {
		l.run.Host.Layers = max(0, 1-onCard/layers)
	}
	moved, err := s.Number(flagged(expertFlag, flags, 0), "n_cpu_moe", "ncmoe")
	if err != nil {
		return err
	}
	l.run.Host.Experts = min(1, max(0, moved/layers))
	if s.Switch(allExperts.MatchString(flags), "cpu_moe", "experts_on_cpu", "experts_on_host") {
		l.run.Host.Experts = 1
	}
	l.stated = onCard >= 0 || l.run.Host.Experts > 0
	host, err := s.Number(local.UsualHost/1e9, "host_bandwidth_GBps", "cpu_bandwidth_GBps", "ram_bandwidth_GBps")
	if err == nil && !(host > 0 && host <= 1e6) {
		err = fmt.Errorf("the host's bandwidth is %v GB/s; write one from 1 to a million", host)
	}
	l.run.Host.Bandwidth = host * 1e9
	return err
}

// The flags of llama.cpp that leave layers or experts to the host.
var (
	cardFlag   = regexp.MustCompile(`(?:-ngl|--n-gpu-layers|--gpu-layers)[ =](\d+)`)
	expertFlag = regexp.MustCompile(`(?:-ncmoe|--n-cpu-moe)[ =](\d+)`)
	allExperts = regexp.MustCompile(`(?:^|\s)(?:-cmoe|--cpu-moe)\b|exps[^ ]*=CPU|(?i)experts on (?:the )?(?:host|cpu)`)
)

// flagged is the number of a flag, or otherwise.
func flagged(flag *regexp.Regexp, text string, otherwise float64) float64 {
	if m := flag.FindStringSubmatch(text); m != nil {
		return numbers(m)[1]
	}
	return otherwise
}

// as is the row as the engine of a metric runs it: "llama_cpp_generation_tokens_per_s" tells another than the row.
func (l *localRow) as(name string) (*localRow, bool) {
	at := strings.Index(name, "_generation_tokens_per_s")
	if at <= 0 {
		return l, true
	}
	engine := localEngine(strings.ReplaceAll(name[:at], "_", " "))
	format, err := l.format(engine)
	if engine == "" || err != nil {
		return l, false
	}
	other := *l
	other.engine = engine
	run := local.NewRun(l.run.Model, format.Of(l.run.Model), l.run.Machine, l.setup.versionOf(engine, l.run.Machine))
	run.Cards, run.Host = l.run.Cards, l.run.Host
	run.Together = l.run.Cards > 1 && engine != "llama.cpp" && engine != "exllama"
	other.run = run
	return &other, true
}

// The names of metrics.
var (
	generated = regexp.MustCompile(`^tg(\d+)(?:_at_d(\d+))?_tokens_per_s$`)
	prompted  = regexp.MustCompile(`^pp(\d+)(?:_at_d(\d+))?_tokens_per_s$`)
	together  = regexp.MustCompile(`^S_(TG|PP)_pp(\d+)_b(\d+)_tokens_per_s$`)
	medians   = regexp.MustCompile(`^(decode_tps|prefill_tps|ttft_ms)_(short|long)_median$`)
	byContext = regexp.MustCompile(`^(prefill|generation)_tokens_per_s_by_ctx/(\d+)$`)
	throughs  = regexp.MustCompile(`^total_tokens_per_s_batch(\d+)$`)
	lengthsOf = regexp.MustCompile(`(\d+) prompt / (\d+) new`)
)

// numbers are the numbers that an expression found.
func numbers(found []string) (x []float64) {
	for _, text := range found {
		n, _ := strconv.ParseFloat(text, 64)
		x = append(x, n)
	}
	return x
}

// metric is a metric by its name.
func (l *localRow) metric(name string) (Interval, bool) {
	r := l.run
	if m := generated.FindStringSubmatch(name); m != nil {
		x := numbers(m)
		return l.rate(1, r.Generate(x[2], x[1]), oneUser), x[1] > 0
	}
	if m := prompted.FindStringSubmatch(name); m != nil {
		x := numbers(m)
		return l.rate(x[1], r.Prompt(x[1], x[2]), promptKind), x[1] > 0
	}
	if m := together.FindStringSubmatch(name); m != nil {
		x := numbers(m)
		if m[1] == "PP" {
			return l.rate(x[2]*x[3], l.prompts(x[2], x[3]), promptKind), x[2]*x[3] > 0
		}
		return l.rate(x[3], r.Token(x[3], x[2]+l.tokens/2), generating(x[3])), x[3] > 0
	}
	if m := medians.FindStringSubmatch(name); m != nil {
		return l.median(m[1], m[2])
	}
	if m := byContext.FindStringSubmatch(name); m != nil {
		x, step := numbers(m)[2], l.step()
		if m[1] == "generation" {
			return l.rate(1, r.Generate(x, l.tokens), oneUser), true
		}
		return l.rate(step, r.Prompt(step, max(0, x-step)), promptKind), true
	}
	if m := throughs.FindStringSubmatch(name); m != nil {
		b := numbers(m)[1]
		return l.rate(b, r.Token(b, l.prompt+l.tokens/2), generating(b)), b > 0
	}
	return l.plain(name)
}

// step is how many tokens of a prompt a row counts at once.
func (l *localRow) step() float64 {
	if x, err := l.setup.Number(0, "step_tokens"); err == nil && x > 0 {
		return x
	}
	return local.UsualSlice
}

// prompts is the time of prompts of several sequences: their tokens go in slices, whoever's they are.
func (l *localRow) prompts(tokens, sequences float64) float64 {
	r := l.run
	one := *r
	one.Slice = min(r.Slice, tokens*sequences)
	if tokens >= one.Slice {
		return sequences * one.Prompt(tokens, 0)
	}
	return one.Prompt(tokens*sequences, 0) // attention within a prompt is little beside its products here
}

// plain are the metrics without a number in their names.
func (l *localRow) plain(name string) (Interval, bool) {
	r := l.run
	rate := strings.HasSuffix(name, "tokens_per_s") || strings.HasSuffix(name, "tps")
	switch {
	case rate && Promptly(name):
		prompt := l.prompt
		if prompt == 0 {
			prompt = local.UsualSlice
		}
		return l.rate(prompt, r.Prompt(prompt, 0), promptKind), true
	case rate: // of generating, whatever else the name says
		b := max(1, l.batch)
		return l.rate(b, r.Token(b, l.prompt+l.tokens/2), generating(b)), true
	case name == "ttft_ms":
		prompt := l.prompt
		if prompt == 0 {
			prompt = shortPrompt
		}
		return l.time(r.Prompt(prompt, 0)+r.Token(1, prompt), promptKind).Times(1e3), true
	case name == "peak_memory_GB", name == "memory_GB":
		held := r.Held(1, l.prompt+l.tokens)
		if name == "memory_GB" {
			held = r.Size.Bytes + (r.Held(1, shortPrompt+l.tokens) - r.Held(1, 0))
		}
		return Interval{0.93 * held / 1e9, held / 1e9, 1.07 * held / 1e9}, true
	}
	return Interval{}, false
}

// shortPrompt is a prompt of which a row says no more than that it is short.
const shortPrompt = 16

// median is a median of runs that a row calls short or long.
func (l *localRow) median(what, length string) (Interval, bool) {
	m := lengthsOf.FindStringSubmatch(l.setup.Text(length))
	if m == nil {
		return Interval{}, false
	}
	x, r := numbers(m), l.run
	prompt := r.Prompt(x[1], 0)
	switch what {
	case "decode_tps":
		return l.rate(1, r.Generate(x[1], x[2]), oneUser), true
	case "prefill_tps":
		return l.rate(x[1], prompt, promptKind), x[1] > 0
	}
	return l.time(prompt+r.Token(1, x[1]), promptKind).Times(1e3), true
}

// What is predicted of one machine, each with its own intervals.
const (
	oneUser      = "token"
	severalUsers = "several"
	promptKind   = "prompt"
)

// generating is the kind of tokens that so many sequences generate together.
func generating(sequences float64) string {
	if sequences > 1 {
		return severalUsers
	}
	return oneUser
}

// time is a predicted time with its interval.
func (l *localRow) time(t float64, kind string) Interval {
	low, high := l.widths.of(kind, l.run.Known()...)
	return Interval{t * low, t, t * high}
}

// rate is so many tokens over a time.
func (l *localRow) rate(tokens, t float64, kind string) Interval {
	if !(t > 0) || math.IsInf(t, 0) {
		return Interval{}
	}
	return l.time(t, kind).Over(tokens)
}
