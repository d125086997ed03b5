package startlog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
	"github.com/scalebook/scalebook/app/serving"
)

// derive works out what follows from what was read: the model and the chip of the catalog, formats, the plan.
func (l *Log) derive(text string) {
	dated := l.deriveModel(text)
	l.deriveRanks(text)
	l.deriveBefore()
	l.deriveEngine(text)
	l.deriveFormats(text)
	l.deriveChip(text)
	l.deriveRelease(text, dated)
	l.derivePlan(text)
	l.deriveSettings(text)
}

// deriveModel finds the model, and says whether the text names a version of the engine.
func (l *Log) deriveModel(text string) (dated bool) {
	dated = l.Version != ""
	if l.Model == "" || strings.Contains(l.Model, "models--") {
		l.Model = or(cached(or(l.Model, text)), l.Model)
	}
	if strings.Contains(l.Model, "/blobs/sha256") { // of Ollama, which says nothing
		l.Model = ""
	}
	l.Model = or(l.Model, served(text))            // a remark may have the command
	if l.Known = ModelOf(l.Model); l.Known == "" { // a folder of one's own may be served under a name that tells
		flagIn(text, "served_model_name", func(value string) bool {
			l.Known = ModelOf(strings.Trim(value, "["))
			return true
		})
	}
	if l.Known == "" {
		if name := beside(text, "uri: "+l.Model, "name: "); ModelOf(name) != "" {
			l.Model, l.Known = name, ModelOf(name)
		}
	}
	if _, tag, of := strings.Cut(text, "tag: \"v"); of && l.Version == "" && strings.Contains(text, "vllmConfig") {
		l.Version, _ = numeral(tag)
		dated = true
	}
	return dated
}

// beside is what stands behind a key of YAML on the line before or after one that ends with a text; "" if nothing does.
func beside(text, line, key string) string {
	before, after, found := strings.Cut(text, line+"\n")
	if !found {
		return ""
	}
	lines := strings.Split(strings.TrimRight(before, " "), "\n")
	near := lines[max(0, len(lines)-2) : len(lines)-1]
	for next := range strings.Lines(after) {
		if next = strings.TrimSpace(next); !strings.HasPrefix(next, "#") {
			near = append(near, next)
			break
		}
	}
	for _, other := range near {
		if value, is := strings.CutPrefix(strings.TrimSpace(other), key); is {
			return strings.Trim(value, "\"'")
		}
	}
	return ""
}

// deriveBefore works out what was free before the weights came from what was free behind them, or the weights from
// both, and what was tried from the peak that has the weights, too.
func (l *Log) deriveBefore() {
	if at, weights := l.find("peak"), l.Figure("weights"); at >= 0 && weights > 0 && l.find("activations") < 0 {
		f := l.Figures[at]
		f.Name, f.Value = "activations", max(f.Value-weights, 0)
		l.Figures = append(l.Figures, f)
	}
	if before, after := l.Figure("before"), l.find("after"); before > 0 && after >= 0 && l.find("weights") < 0 {
		f := l.Figures[after]
		f.Name, f.Value = "weights", before-f.Value
		l.Figures = append(l.Figures, f)
	}
	if after, weights := l.find("after"), l.Figure("weights"); after >= 0 && weights > 0 && l.find("before") < 0 {
		f := l.Figures[after]
		f.Name, f.Value = "before", f.Value+weights
		l.Figures = append(l.Figures, f)
	}
}

// deriveEngine works out what single engines say.
func (l *Log) deriveEngine(text string) {
	if l.Engine == "llama.cpp" {
		l.ofOllama(text)
		if at := l.find("spare"); at >= 0 && l.find("free") < 0 { // of all cards together
			l.Figures[at].Name = "free"
		}
		l.deriveFile(text)
		_, flash, _ := strings.Cut(text, "flash_attn")
		flash = strings.TrimLeft(flash[:min(len(flash), 30)], " =")
		l.Setup.Scores = strings.HasPrefix(flash, "0") || strings.HasPrefix(flash, "disabled")
	}
	l.Setup.Unsorted = logHas(text, "Using FlashInfer for top-p")
	l.Setup.NoPeers = logHas(text, "Custom allreduce is disabled because")
	if l.Engine == "tgi" && l.Share > 0 {
		l.Share *= serving.Kept
	}
	if l.Engine == "mlc" {
		l.deriveCompiled(text)
	}
	if l.Engine == "exllama" {
		l.deriveBits(text)
	}
}

// deriveBits works out the bits of a weight that ExLlama's files have by their names, "-4.25bpw-exl2", "exl3_4.0bpw".
func (l *Log) deriveBits(text string) {
	if _, mode, found := strings.Cut(text, "cache_mode:"); found { // also of keys and of values: 8,4
		mode, _, _ = strings.Cut(strings.TrimSpace(mode), "\n")
		if element := elementOf(strings.Trim(mode, " \"'")); element > 0 {
			l.Cache, l.Element = "fp8", element
			l.Unread = slices.DeleteFunc(l.Unread, func(flag string) bool {
				return strings.HasPrefix(flag, "cache_mode")
			})
		}
	}
	head, _, found := strings.Cut(l.Model+"\n"+text, "bpw")
	if !found {
		return
	}
	head = strings.TrimRight(head[max(0, len(head)-8):], " _-")
	number := head[len(strings.TrimRight(head, "0123456789.")):]
	if x, err := strconv.ParseFloat(number, 64); err == nil && x >= 1 && x <= 16 {
		l.bpw, l.Weights = x, "int4"
		if x > 7 {
			l.Weights = "fp8"
		}
	}
}

// deriveFormats works out the formats of weights and cache where no line says them.
func (l *Log) deriveFormats(text string) {
	if l.Weights == "" && logHas(text, "with BitsAndBytes quantization") {
		l.Weights = "int4"
	}
	named := weightFormat(l.Model)
	if wide := l.Weights == "" || l.Weights == "bf16"; wide || l.Weights == "int4" && named == "fp8" { // GPTQ in 8 bits
		l.Weights = cmp.Or(named, publishedIn(l.Known, l.Model), l.Weights)
	}
	if l.Engine == "trtllm" && l.Cache == "" && strings.Contains(text, "checkpoint KV") &&
		strings.HasPrefix(l.Model, "nvidia/") && l.Weights != "" && l.Weights != "bf16" {
		l.Cache = "fp8" // as that publisher's quantised checkpoints have it
	}
}

// deriveChip finds the chip: by its name, by what the text calls it, or by the memory that there is or must be.
func (l *Log) deriveChip(text string) {
	if l.Chip = ChipIn(text); l.Chip == "" {
		if l.Called = called(text); l.Called == "" {
			l.Chip = cmp.Or(remarked(text), rented(text))
		}
		if l.Chip == "" && l.Called == "" { // as Ray and Kubernetes ask for one
			take := func(value string) bool { l.Called = value; return isName(value) }
			_ = flagIn(text, "accelerator_type", take) || flagIn(text, "gpu.product", take)
			if logHas(text, "device_config=npu") || logHas(text, "plugin ascend") || logHas(text, " npu graph") ||
				logHas(text, "ASCEND_RT_VISIBLE_DEVICES") {
				l.Called = "Ascend NPU"
			}
		}
	}
	total := l.Figure("total")
	if free := max(l.Figure("before"), l.Figure("free")); total == 0 && free > 0 {
		total = free/max(l.Cards, 1) + hardware.Context
	}
	if l.Chip == "" && total > 0 {
		l.Chip = chipOf(total)
		l.Like = l.Chip != ""
	}
	if need := l.Figure("weights") + l.Figure("cache"); l.Chip == "" && need > 0 && l.Engine != "llama.cpp" {
		l.Chip = holding(need)
		l.Like = l.Chip != ""
	}
}

// deriveRelease finds the release of the engine by what it counts; dated says whether the text names it.
func (l *Log) deriveRelease(text string, dated bool) {
	if at := l.find("uncounted"); at >= 0 { // what graphs take is stated, and not taken off before that release
		l.Version = or(l.Version, "0."+itoa(int(l.Figures[at].Value)-1))
		l.Figures = slices.DeleteFunc(l.Figures, func(f Figure) bool {
			return f.Name == "counted" ||
				f.Name == "uncounted"
		})
	}
	l.deriveCache()
	l.deriveVersion(text)
	if held := l.Figure("concurrency") * l.Figure("length"); l.Engine == "vllm" && l.Version == "" &&
		// before 0.21 it counted the blocks of one group of layers
		held > 1.3*l.Figure("tokens") && l.find("tokens") >= 0 {
		if l.Version = "0.20"; logHas(text, "EngineCore_DP") { // and before 0.15 one state of a sequence
			l.Version = "0.14"
		}
	}
	l.Dated, l.Release = !dated && l.Version != "", ReleaseOf(l.Version)
}

// derivePlan counts experts' ranks and replicas as the engine does.
func (l *Log) derivePlan(text string) {
	_, cards, _ := strings.Cut(text, "nvidia.com/gpu: ") // of a pod
	cards = "\x00" + strings.TrimLeft(cards, `"'`)
	if n, unread := highest(cards, "\x00", "")-1, len(l.Unread); n > 1 {
		l.Unread = slices.DeleteFunc(l.Unread, func(flag string) bool { return strings.HasPrefix(flag, "tensor") })
		if len(l.Unread) < unread {
			l.Plan.TP = n
		}
	}
	if l.Plan.EP < 0 {
		l.Plan.EP = max(l.Plan.TP, 1)
		if l.Engine == "vllm" {
			l.Plan.EP *= max(l.Plan.DP, 1)
		}
	}
	if l.spread && l.Engine == "trtllm" {
		l.Plan.DP = max(l.Plan.TP, 1)
	}
	for i := range l.Figures {
		if f := &l.Figures[i]; l.shared > 0 && f.Line == l.shared {
			f.Value /= float64(max(l.Plan.TP, 1))
		}
	}
	shares := l.Engine != "vllm" && l.Engine != "sglang" ||
		flagIn(text, "enable_dp_attention", func(value string) bool {
			return strings.EqualFold(value, "true")
		})
	k, err := model.Catalog().Get(l.Known)
	switch {
	case shares && l.Plan.DP > 1 && l.Plan.TP%l.Plan.DP == 0: // whose TP counts all chips
		l.Plan.TP /= l.Plan.DP
	case !shares && l.Engine == "sglang" && err == nil && k.MoE.Experts > 0: // each replica has all experts
		l.Plan.DP = 0
	}
}

// deriveSettings takes what else decides the ledger.
func (l *Log) deriveSettings(text string) {
	if l.Weights != "" { // what the name of the model tells
		l.Unread = slices.DeleteFunc(l.Unread, func(flag string) bool { return strings.HasPrefix(flag, "quant") })
	}
	for _, name := range []string{"length", "share", "chunk", "sequences"} {
		if to := l.amount(name); *to == 0 {
			*to = l.Figure(name)
		}
	}
	l.Setup.Offload *= 1 << 30
	l.deriveHost()
	l.deriveAdapters()
	bare := strings.Contains(text, "language-model-only") || strings.Contains(text, "language_model_only=True")
	if l.Engine != "llama.cpp" {
		x := modelOf(l.Model)
		if l.Length == 0 {
			l.Length = x.context
		}
		if !bare {
			l.Encoder = x.encoder
		}
	}
	if x := l.Figure("block"); x > 0 {
		l.Setup.Paged = x
	}
	if l.Engine == "vllm" && l.Setup.Paged == 0 && (l.Called == "Ascend NPU" || logHas(text, "# HPU blocks") ||
		logHas(text, "Usable num_blocks")) {
		l.Setup.Paged = 128 // as vllm-ascend and vllm-gaudi take it
	}
}

// deriveAdapters works out how many low-rank adapters fit, of which rank: of vLLM one of 16 if nothing is said,
// of SGLang eight of what their files say, which nobody knows here.
func (l *Log) deriveAdapters() {
	e := &l.Setup
	k, err := model.Catalog().Get(l.Known)
	switch {
	case l.lora && l.Engine == "vllm":
		e.Adapters, e.Rank = cmp.Or(e.Adapters, 1), cmp.Or(e.Rank, 16)
	case l.lora && l.Engine == "sglang" && e.Rank > 0:
		e.Adapters = cmp.Or(e.Adapters, 8)
	default:
		e.Adapters, e.Rank = 0, 0
	}
	if l.lora && (e.Adapters == 0 || err == nil && !k.TakesAdapters()) {
		l.unpriced("enable_lora", "")
	}
}

// deriveCompiled works out what a model that MLC LLM compiled says by its name, "-q4f16_1-MLC": bits of a weight, with
// a scale of 16 bits for each 32, or 16 and no scale. In its local mode the cache has 8192 tokens at the most.
func (l *Log) deriveCompiled(text string) {
	if l.Model == "" || weightBits(l.Model) == 0 {
		between := func(c rune) bool { return strings.ContainsRune(" \t\r\n'\"=,();", c) }
		for word := range strings.FieldsFuncSeq(text, between) {
			if name := word[strings.LastIndexByte(word, '/')+1:]; weightBits(name) > 0 {
				l.Model = name
				break
			}
		}
	}
	if bits := weightBits(l.Model); bits > 0 {
		l.Figures = append(l.Figures, Figure{Name: "bits", Value: bits})
		if l.Weights = "bf16"; bits < 8 {
			l.Weights = "int4"
		}
		l.Known = ModelOf(l.Model)
	}
	if logHas(text, `engine mode is "local"`) || strings.Contains(text, "--mode local") {
		l.Setup.Most = cmp.Or(l.Setup.Most, 8192)
	}
}

// weightBits is the bits of a weight by how MLC LLM calls what it compiled; 0 if that doesn't tell.
func weightBits(name string) float64 {
	for _, x := range [...]struct {
		mark string
		bits float64
	}{{"-q4f16", 4.5}, {"-q4bf16", 4.5}, {"-q4f32", 4.5}, {"-q0f16", 16}, {"-q0bf16", 16}} {
		if strings.Contains(name, x.mark) {
			return x.bits
		}
	}
	return 0
}

// deriveFile works out how a file of GGUF stores weights, and a cache is stored, from their names.
func (l *Log) deriveFile(text string) {
	l.deriveCards(text)
	l.deriveName(text)
	l.deriveStored(text)
	l.deriveFormat(text)
	if l.find("length") < 0 && l.sessions > 1 { // Ollama has the context as often as it has sessions (its FAQ)
		l.Length = l.sessions * cmp.Or(l.Length, l.usualLength(text))
	}
	switch bits := l.Figure("bits"); {
	case l.GGUF == "" && bits == 0:
	case l.GGUF == "f16", l.GGUF == "bf16", bits > 12:
		l.Weights = "bf16"
	case l.GGUF == "q8_0", bits > 7:
		l.Weights = "fp8"
	default:
		l.Weights = "int4"
	}
}

// deriveCards counts the cards that Ollama finds, each with what is free of it.
func (l *Log) deriveCards(text string) {
	if _, cards, listed := strings.Cut(text, `memory.available="[`); listed { // of Ollama: each card by itself
		cards, _, _ = strings.Cut(cards[:min(len(cards), 400)], "]")
		if all := strings.Fields(cards); len(all) > 3 {
			l.Cards = float64(len(all) / 2)
			l.Figures[l.find("free")].Value *= l.Cards
		}
	}
}

// deriveName finds which model a file holds: by the name in it, else by its shape.
func (l *Log) deriveName(text string) {
	for _, mark := range [...]string{"general.name", `" architecture=`} {
		_, line, _ := strings.Cut(text, mark)
		line, _, _ = strings.Cut(line, "\n")
		if _, name, _ := strings.Cut(line, "= "); l.Known == "" && mark == "general.name" {
			l.named(name)
		}
		if _, name, _ := strings.Cut(line, `name="`); l.Known == "" {
			name, _, _ = strings.Cut(name, `"`)
			l.named(name)
		}
	}
	if l.Known == "" {
		l.byShape(text)
	}
}

// deriveStored works out how keys and values are stored.
func (l *Log) deriveStored(text string) {
	if _, name, found := strings.Cut(text, ", K ("); found && l.Cache == "" {
		name, _, _ = strings.Cut(name, ")")
		l.Cache, l.Element = cacheFormat(name), elementOf(name)
		if _, name, found = strings.Cut(text, ", V ("); found {
			l.values, _, _ = strings.Cut(name, ")")
		}
	}
	for _, mark := range [...]string{"--kv-cache-type ", "OLLAMA_KV_CACHE_TYPE:", "KvCacheType:"} { // as Ollama logs it
		_, name, _ := strings.Cut(text, mark)
		name, _, _ = strings.Cut(name[:min(len(name), 8)], " ")
		if format := cacheFormat(name); format != "" && l.Cache == "" {
			l.Cache, l.Element, l.both = format, elementOf(name), true
		}
	}
	l.storeValues()
}

// deriveFormat works out the format of a file: by its name, else the one that is taken where nobody names any.
func (l *Log) deriveFormat(text string) {
	names := strings.NewReplacer(" - Medium", "_M", " - Small", "_S", " - Large", "_L", "Q8_K_XL", "Q8_0",
		"_K_XL", "_K_M").Replace(text) // Unsloth's own mixes, of which these are the nearest
	if at := strings.Index(text, "_K_XL"); at >= 2 {
		l.unread(l.find("bits") < 0, "weights", text[at-2:at+5])
	}
	for _, f := range quant.Formats() {
		if name := strings.ToUpper(f.ID); f.GGUF() && len(name) > len(l.GGUF) && strings.Contains(names, name) {
			l.GGUF = f.ID
		}
	}
	_, hub, _ := strings.Cut(text, "-hf ")
	hub, _, _ = strings.Cut(strings.TrimLeft(hub, " \""), " ")
	if l.GGUF == "" && strings.HasSuffix(strings.ToLower(hub), "-gguf") { // which then takes this one (its README)
		l.GGUF = l.usualFile()
	}
	if l.GGUF == "" && (l.tagged || logHas(text, "ollama run ")) { // whose tags without a format are of 4 bits
		switch tag := strings.ToLower(l.Model); {
		case strings.Contains(tag, "fp16"):
			l.GGUF = "f16"
		case strings.Contains(tag, "-q8"):
			l.GGUF = "q8_0"
		default:
			l.GGUF = l.usualFile()
		}
		if l.Length == 0 && l.find("length") < 0 {
			l.Length = l.usualLength(text)
		}
	}
}

// storeValues takes over how llama.cpp stores values where keys are stored otherwise: each is of 16 bits if no flag
// says how, and the element is that of both in the mean.
func (l *Log) storeValues() {
	if l.values == "" && (l.Cache == "" || l.both) {
		return
	}
	size := func(element float64) float64 { return cmp.Or(element, 2) }
	if mean := (size(l.Element) + size(elementOf(l.values))) / 2; mean < 2 {
		l.Cache, l.Element = "fp8", mean
	}
}

// ofOllama takes over what a Modelfile or a table of "ollama ps" says: a model, and there its context.
func (l *Log) ofOllama(text string) {
	if _, rest, found := strings.Cut("\n"+text, "\nFROM "); found && l.Model == "" {
		l.Model, _, _ = strings.Cut(strings.TrimSpace(rest[:min(len(rest), 200)]), "\n")
		l.tagged, l.Known = true, ModelOf(l.Model)
	}
	head, rest, found := strings.Cut(text, "PROCESSOR")
	if !found || !strings.Contains(head, "NAME") {
		return
	}
	title, rows, _ := strings.Cut(rest, "\n")
	row, _, _ := strings.Cut(rows, "\n")
	if c := strings.Fields(row); len(c) > 6 { // NAME ID SIZE GB 100% GPU CONTEXT
		l.Model, l.tagged = c[0], true
		if strings.Contains(title, "CONTEXT") {
			l.set("length", "num_ctx", c[6])
		}
		if x, err := strconv.ParseFloat(c[2], 64); err == nil && c[3] == "GB" { // in decimal ones
			l.Figures = append(l.Figures, Figure{2 + strings.Count(head, "\n"), "size", x * 1e9, c[2] + " GB"})
		}
		if strings.Contains(c[4], "/") { // of layers, by their bytes
			l.unpriced("PROCESSOR", c[4])
		}
	}
	l.Known = ModelOf(l.Model)
}

// usualFile is how a file stores weights of which nothing else is said: models that are published in four bits stay so.
func (l *Log) usualFile() string {
	switch {
	case publishedIn(l.Known, "") != "mxfp4":
	case l.tagged: // Ollama leaves all but the experts in 16 bits: gpt-oss:20b has 13.8 GB, ggml-org’s file 12.1
		return "mxfp4_experts"
	default:
		return "mxfp4_moe"
	}
	return "q4_k_m"
}

// byShape takes the one model of the catalog that is of an architecture and has as many layers as Ollama says, whose
// files may have no name.
func (l *Log) byShape(text string) {
	_, family, _ := strings.Cut(text, " architecture=")
	family, _, _ = strings.Cut(family[:min(len(family), 40)], " ")
	only, layers := "", int(l.Figure("layers"))-1 // the table behind the last one counts as a layer
	for _, k := range model.Catalog().All {
		if family != "" && k.Layers == layers && strings.HasPrefix(letters(k.ID), letters(family)) {
			if only != "" {
				return
			}
			only = k.ID
		}
	}
	if l.Known = only; only != "" && l.Model == "" {
		l.Model = family
	}
}

// named takes a name of a model over, if it says anything.
func (l *Log) named(name string) {
	if name = strings.TrimSpace(name); name != "" {
		l.Model, l.Known = name, ModelOf(name)
	}
}

// usualLength is the tokens of context that Ollama takes if nothing is said: 2048 before 0.6.7, 4096 before 0.15.5, and
// since then by the memory of all cards (Serve in its server/routes.go), but no more than the model is published for. A
// text that names no card is read as of a small one.
func (l *Log) usualLength(text string) float64 {
	version := ""
	for _, mark := range [...]string{"(version ", "ollama/ollama:"} {
		_, rest, _ := strings.Cut(text, mark)
		number, _ := numeral(rest)
		version = or(version, number)
	}
	release, memory := ReleaseOf(version), l.Figure("total")
	if a, err := hardware.Catalog().Get(cmp.Or(ChipIn(text), remarked(text))); err == nil && memory == 0 {
		memory, _ = a.UsableMemory()
	}
	length := 4096.0
	switch memory *= max(l.Cards, 1) / (1 << 30); {
	case version != "" && release < 6.07:
		return 2048
	case version != "" && release < 15.05:
	case memory >= 47:
		length = 262144
	case memory >= 23:
		length = 32768
	}
	if k, err := model.Catalog().Get(l.Known); err == nil && k.Context > 0 {
		length = min(length, float64(k.Context))
	}
	return length
}

// Stored is how weights and cache of a model are stored, as the log or its file's name says it.
func (l *Log) Stored(m *model.Model, p serving.Precision) serving.Precision {
	bits := l.Figure("bits")
	if l.bpw > 0 { // the unembedding has six bits, unless more is asked for
		p = serving.Uniform(l.bpw/8, p.Cache)
		p.Tables = max(l.bpw, 6) / 8
	}
	f, known := quant.Get(l.GGUF)
	if known && bits == 0 {
		bits = f.Of(m).Bits()
	}
	if bits > 0 {
		p = serving.Uniform(bits/8, p.Cache)
		p.Tables = bits / 8
	}
	if known && bits > 0 { // a mix has tables of a type of their own
		size, tables, bytes := f.Of(m), 0.0, 0.0
		for _, part := range size.Parts {
			if part.Role == "embd" || part.Role == "out" {
				tables, bytes = tables+part.Weights, bytes+part.Bytes
			}
		}
		if rest := bits/8*size.Weights - bytes; tables > 0 && rest > 0 {
			p = serving.Uniform(rest/(size.Weights-tables), p.Cache)
			p.Tables = bytes / tables
		}
	}
	if l.Known == "llama3.405b" && l.Weights == "fp8" && l.Model != "" && !strings.Contains(l.Model, "meta-llama/") {
		p.Attention = p.MLP // Meta's own file alone has it in 16 bits
	}
	if l.Element > 0 {
		p.Cache = l.Element
	}
	return p
}

// logHas tells whether an engine's log or a command has these words of it.
func logHas(text, words string) bool { return strings.Contains(text, words) }
