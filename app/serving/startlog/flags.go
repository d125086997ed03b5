package startlog

import (
	"cmp"
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
	"github.com/scalebook/scalebook/app/serving"
)

var (
	// flagTable is what flags are called: our name, then theirs, the ones that count most first.
	//
	//go:embed flags.tsv
	flagTable string

	// modelTable is how names that publishers give contain models of the catalog.
	//
	//go:embed models.tsv
	modelTable string

	// verbTable is what stands before the name of a model.
	//
	//go:embed verbs.txt
	verbTable string
)

// readFlags finds flags wherever they stand: in a command, in the words of a log, in JSON or in Python. It tells
// whether there are any.
func (l *Log) readFlags(text string) bool {
	said := false
	l.Model = served(text)
	for line := range strings.Lines(flagTable) {
		name, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		within := text
		if name == "model" {
			within = undrafted(text)
		}
		for theirs := range strings.FieldsSeq(names) {
			if name == "model" && l.Model != "" {
				break
			}
			if flagIn(within, theirs, func(value string) bool { return l.set(name, theirs, value) }) {
				said = true
				break
			}
		}
	}
	return said || l.Model != ""
}

// undrafted is a text without what it says of a draft, in braces behind the word: a draft has a model too.
func undrafted(text string) string {
	const word = "speculative"
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(text, word)
		if b.WriteString(before); !more {
			return b.String()
		}
		begin := strings.IndexByte(rest[:min(30, len(rest))], '{') + 1
		b.WriteString(word + rest[:begin])
		if text = rest[begin:]; begin > 0 {
			text = text[closing(text):]
		}
	}
}

// served is the model that a command names behind its verb: "vllm serve MODEL", "trtllm-serve MODEL", also as a list in
// JSON or YAML.
func served(text string) string {
	for _, mark := range [...]string{"\"", "'", ",", "[", "]"} {
		text = strings.ReplaceAll(text, mark, " ")
	}
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), " - ", " ")
	for verb := range strings.Lines(verbTable) {
		if _, rest, found := strings.Cut(text, strings.TrimSuffix(verb, "\n")); found {
			for word := range strings.FieldsSeq(rest[:min(len(rest), 400)]) {
				if word = strings.TrimSuffix(word, "..."); isName(word) && strings.ContainsAny(word, "/0123456789") {
					return word
				}
				break
			}
		}
	}
	return ""
}

// isName tells whether a word can name a model: it is no flag, no variable and no gap to be filled in.
func isName(word string) bool {
	return strings.Trim(word, ".") != "" && strings.IndexByte("-$<{\\", word[0]) < 0
}

// identifier tells whether a byte may stand in the name of a flag.
func identifier(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// flagIn tries the values that a flag has in a text, until one is taken: --a-flag 8, --a_flag=8, 'a_flag': 8, a_flag=8.
// A switch is "true".
func flagIn(text, name string, take func(value string) bool) bool {
	for _, spelt := range []string{name, strings.ReplaceAll(name, "_", "-")} {
		for from := 0; ; {
			i := strings.Index(text[from:], spelt)
			if i < 0 {
				break
			}
			at := from + i
			from = at + len(spelt)
			dashes := at > 1 && text[at-1] == '-' && text[at-2] == '-' ||
				len(spelt) <= 2 && at > 0 && text[at-1] == '-' && (at == 1 || !identifier(text[at-2]))
			if spelt[0] == '-' { // short ones, which are words elsewhere
				if dashes = at == 0 || strings.IndexByte(" \t\n\"',[", text[at-1]) >= 0; !dashes {
					continue
				}
			}
			if at > 0 && !dashes && (identifier(text[at-1]) || text[at-1] == '-') ||
				from < len(text) && (identifier(text[from]) || text[from] == '-') {
				continue
			}
			if value := valueAt(text[from:], dashes); value != "" && take(value) {
				return true
			}
		}
		if strings.IndexByte(name, '_') < 0 {
			break
		}
	}
	return false
}

// valueAt is the value behind the name of a flag; of a flag with dashes it may stand behind a space.
func valueAt(text string, dashes bool) string {
	rest := strings.TrimLeft(text[:min(len(text), 300)], "'\"")
	quoted := len(rest) < len(text[:min(len(text), 300)])
	trimmed := strings.TrimLeft(rest, " \t")
	if quoted || dashes { // the next of a list: "--tp", "8" in JSON, and a line of its own in YAML
		next := strings.TrimLeft(trimmed, ", \t\r\n")
		item, listed := strings.CutPrefix(next, "- ")
		if quoted && strings.HasPrefix(trimmed, ",") || listed && next != trimmed {
			trimmed = strings.TrimLeft(strings.TrimLeft(item, " "), "'\"")
		}
	}
	switch {
	case strings.HasPrefix(trimmed, "=") && !strings.HasPrefix(trimmed, "=="), quoted && strings.HasPrefix(trimmed, ":"):
		rest = trimmed[1:]
	case strings.HasPrefix(rest, ": "):
		rest = rest[1:]
	case dashes && trimmed != rest || dashes && trimmed == "":
		if rest = trimmed; rest == "" || strings.IndexByte("-\\\n\r", rest[0]) >= 0 {
			return "true"
		}
	case dashes && (rest == "" || rest[0] == '\n' || rest[0] == '\r'):
		return "true"
	default:
		return ""
	}
	rest = strings.TrimLeft(rest, " \t'\"")
	if some, is := strings.CutPrefix(rest, "Some("); is { // as Rust prints what is given
		rest = strings.TrimLeft(some, " \t\r\n\"")
	}
	end := strings.IndexAny(rest, "'\", \t\r\n)}]")
	if end >= 0 {
		rest = rest[:end]
	}
	switch rest {
	case "None", "null", "\\":
		return ""
	}
	return rest
}

// set keeps the value of a flag; it tells whether there is anything to keep.
func (l *Log) set(name, theirs, value string) bool {
	x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(value, "%"), ",", ""), 64)
	if name == "share" && x > 1 { // in percents
		x /= 100
	}
	if end := len(value) - 1; err != nil && end > 0 { // as vLLM takes lengths: 32k, 1M
		if unit := strings.IndexByte("kKmM", value[end]); unit >= 0 {
			if x, err = strconv.ParseFloat(value[:end], 64); err == nil {
				x *= [...]float64{1e3, 1 << 10, 1e6, 1 << 20}[unit]
			}
		}
	}
	number := err == nil && x > 0 && x < 1e15
	whole := number && x == float64(int(x)) && x < 1<<16
	switch name {
	case "ep":
		on := strings.EqualFold(value, "true")
		switch {
		case theirs == "enable_expert_parallel" && on:
			l.Plan.EP = -1
		case theirs != "enable_expert_parallel" && whole:
			l.Plan.EP = int(x)
		}
		return on || whole
	case "cache":
		l.Cache = cacheFormat(value)
		l.Element = elementOf(value)
		return l.Cache != ""
	case "quant", "dtype":
		if f := weightFormat(value); f != "" && l.Weights == "" {
			l.Weights = f
		}
		return l.Weights != ""
	case "model":
		if value == "true" || number || !isName(value) || theirs == "-m" && !strings.HasSuffix(value, ".gguf") {
			return false
		}
		l.Model = value
		return true
	case "draft":
		l.Draft = !strings.EqualFold(value, "false")
		return true
	}
	if ways := l.ways(name); ways != nil {
		if whole {
			*ways = int(x)
		}
		return whole
	}
	if name == "share" && x > 1 || !number {
		return false
	}
	if theirs == "max_total_tokens" && l.Engine == "tgi" { // there a sequence's, not the cache's
		name = "length"
	}
	*l.amount(name) = x
	return true
}

// elementOf is the bytes of an element of a cache in a type of ggml: so many bits, and a scale of 16 bits, and an
// offset of as many in types that end with 1, for each 32.
func elementOf(text string) float64 {
	if len(text) != 4 || text[0] != 'q' || text[2] != '_' || text[1] < '1' || text[1] > '8' {
		return 0
	}
	return (float64(text[1]-'0')*32 + 16 + 16*float64(text[3]-'0')) / 256
}

// ways is the part of the plan that a flag sets; nil of none.
func (l *Log) ways(name string) *int {
	switch name {
	case "tp":
		return &l.Plan.TP
	case "pp":
		return &l.Plan.PP
	case "dp":
		return &l.Plan.DP
	case "cp":
		return &l.Plan.CP
	}
	return nil
}

// amount is the number that a flag sets.
func (l *Log) amount(name string) *float64 {
	switch name {
	case "share":
		return &l.Share
	case "length":
		return &l.Length
	case "sequences":
		return &l.Setup.Sequences
	case "chunk":
		return &l.Setup.Chunk
	case "block":
		return &l.Setup.Paged
	case "room":
		return &l.Setup.KVBytes
	case "most":
		return &l.Setup.Most
	}
	return &l.Setup.Offload
}

// cacheFormat is how keys and values are stored.
func cacheFormat(text string) string {
	lower := strings.ToLower(text)
	switch {
	case strings.Contains(lower, "fp8"), strings.Contains(lower, "int8"), strings.Contains(lower, "float8"),
		elementOf(lower) > 0:
		return "fp8"
	case strings.Contains(lower, "16"):
		return "bf16"
	}
	return ""
}

// weightFormat is how weights are stored, by a method's or a format's name.
func weightFormat(text string) string {
	lower := strings.ToLower(text)
	for _, f := range [...][2]string{{"nvfp4", "nvfp4"}, {"mxfp4", "mxfp4"},
		{"fp4", "nvfp4"}, {"int8", "fp8"}, {"w8a", "fp8"}, {"8bit", "fp8"},
		{"8-bit", "fp8"}, {"awq", "int4"}, {"gptq", "int4"}, {"int4", "int4"},
		{"w4a16", "int4"}, {"4bit", "int4"}, {"4-bit", "int4"}, {"auto-round", "int4"}, {"autoround", "int4"},
		{"fp8", "fp8"}, {"float16", "bf16"}, {"half", "bf16"}} {
		if strings.Contains(lower, f[0]) {
			return f[1]
		}
	}
	return ""
}

// publishedIn is how the checkpoint of a model is published that comes in less than 16 bits: an engine then says no
// method, and its dtype is that of activations. It is empty of others, and of a checkpoint that says to be wider.
func publishedIn(known, name string) string {
	if strings.Contains(strings.ToLower(name), "bf16") {
		return ""
	}
	switch known {
	case "deepseek.v3", "deepseek.r1", "deepseek.v3_2", "kimi.k2", "minimax.m2_5":
		return "fp8"
	case "gpt_oss.20b", "gpt_oss.120b", "kimi.k3", "deepseek.v4_flash", "deepseek.v4_pro":
		return "mxfp4"
	case "kimi.k2_5": // integers of 4 bits with a scale for each 32, as many bytes as nvfp4 has
		return "nvfp4"
	}
	return ""
}

// deriveFile works out how a file of GGUF stores weights, and a cache is stored, from their names.
func (l *Log) deriveFile(text string) {
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
	if _, name, found := strings.Cut(text, ", K ("); found && l.Cache == "" {
		name, _, _ = strings.Cut(name, ")")
		l.Cache, l.Element = cacheFormat(name), elementOf(name)
	}
	names := strings.NewReplacer(" - Medium", "_M", " - Small", "_S", " - Large", "_L").Replace(text)
	for _, f := range quant.Formats() {
		if name := strings.ToUpper(f.ID); f.GGUF() && len(name) > len(l.GGUF) && strings.Contains(names, name) {
			l.GGUF = f.ID
		}
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

// named takes a name of a model over, if it says anything.
func (l *Log) named(name string) {
	if name = strings.TrimSpace(name); name != "" {
		l.Model, l.Known = name, knownModel(name)
	}
}

// Stored is how weights and cache of a model are stored, as the log or its file's name says it.
func (l *Log) Stored(m *model.Model, p serving.Precision) serving.Precision {
	bits := l.Figure("bits")
	if f, known := quant.Get(l.GGUF); known && bits == 0 {
		bits = f.Of(m).Bits()
	}
	if bits > 0 {
		p = serving.Uniform(bits/8, p.Cache)
		p.Tables = bits / 8
	}
	if l.Element > 0 {
		p.Cache = l.Element
	}
	return p
}

// derive works out what follows from what was read: the model and the chip of the catalog, formats, the plan.
func (l *Log) derive(text string) {
	if l.Model == "" {
		l.Model = cached(text)
	}
	l.Known = knownModel(l.Model)
	if after, weights := l.find("after"), l.Figure("weights"); after >= 0 && weights > 0 && l.find("before") < 0 {
		f := l.Figures[after]
		f.Name, f.Value = "before", f.Value+weights
		l.Figures = append(l.Figures, f)
	}
	if l.Engine == "llama.cpp" {
		l.deriveFile(text)
		_, flash, _ := strings.Cut(text, "flash_attn")
		flash = strings.TrimLeft(flash[:min(len(flash), 30)], " =")
		l.Setup.Scores = strings.HasPrefix(flash, "0") || strings.HasPrefix(flash, "disabled")
	}
	if l.Engine == "tgi" && l.Share > 0 {
		l.Share *= serving.Kept
	}
	named := weightFormat(l.Model)
	if wide := l.Weights == "" || l.Weights == "bf16"; wide || l.Weights == "int4" && named == "fp8" { // GPTQ in 8 bits
		l.Weights = cmp.Or(named, publishedIn(l.Known, l.Model), l.Weights)
	}
	if l.Engine == "trtllm" && l.Cache == "" && strings.Contains(text, "checkpoint KV") &&
		strings.HasPrefix(l.Model, "nvidia/") && l.Weights != "bf16" {
		l.Cache = "fp8" // as that publisher's quantised checkpoints have it
	}
	if l.Chip = ChipIn(text); l.Chip == "" {
		l.Called = called(text)
	}
	total := l.Figure("total")
	if free := max(l.Figure("before"), l.Figure("free")); total == 0 && free > 0 {
		total = free + hardware.Context
	}
	if l.Chip == "" && total > 0 {
		l.Chip = chipOf(total)
		l.Like = l.Chip != ""
	}
	if need := l.Figure("weights") + l.Figure("cache"); l.Chip == "" && need > 0 && l.Engine != "llama.cpp" {
		l.Chip = holding(need)
		l.Like = l.Chip != ""
	}
	l.Release = ReleaseOf(l.Version)
	if l.Plan.EP < 0 {
		l.Plan.EP = max(l.Plan.TP, 1) * max(l.Plan.DP, 1)
	}
	if l.Engine != "vllm" && l.Plan.DP > 1 && l.Plan.TP%l.Plan.DP == 0 { // whose TP counts all chips
		l.Plan.TP /= l.Plan.DP
	}
	for _, name := range []string{"length", "share", "chunk", "sequences"} {
		if to := l.amount(name); *to == 0 {
			*to = l.Figure(name)
		}
	}
	l.Setup.Offload *= 1 << 30
	if x := l.Figure("block"); x > 0 {
		l.Setup.Paged = x
	}
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

// holding is the GPU that is taken where so many bytes don't fit on the usual one; "" where they do, or on none.
func holding(bytes float64) string {
	for name := range strings.FieldsSeq(UsualChip + " gpu.h200 gpu.b200 gpu.b300") {
		if a, err := hardware.Catalog().Get(name); err == nil {
			if has, err := a.UsableMemory(); err == nil && has > bytes {
				return strings.TrimPrefix(name, UsualChip)
			}
		}
	}
	return ""
}

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

// knownModel is the model of the catalog that a name contains, by the longest name; "" if none does, or if the longest
// is that of a model that the catalog lacks.
func knownModel(name string) string {
	if _, err := model.Catalog().Get(name); err == nil {
		return name
	}
	name = name[strings.LastIndexByte(strings.TrimRight(name, "/"), '/')+1:]
	plain, best, length := letters(name), "", 5
	for { // without how it is stored
		at := max(0, strings.LastIndexByte(name, '-'))
		if at == 0 || weightFormat(name[at:]) == "" && !strings.HasSuffix(name, "-GGUF") &&
			!strings.HasSuffix(name, "-BF16") {
			break
		}
		name = name[:at]
	}
	bare := letters(name)
	try := func(part, id string) {
		if len(part) > length && strings.Contains(plain, part) || part == bare {
			best, length = id, len(part)
		}
	}
	for line := range strings.Lines(modelTable) {
		part, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		try(part, id)
	}
	for _, k := range model.Catalog().All {
		try(letters(k.Name), k.ID)
	}
	return best
}

// ChipIn is the accelerator that a text names behind its maker; "" if it names none.
func ChipIn(text string) string {
	best, length := "", 0
	for _, maker := range []string{"NVIDIA", "AMD Instinct", "GeForce", "Apple"} {
		for from := 0; ; {
			i := strings.Index(text[from:], maker)
			if i < 0 {
				break
			}
			from += i + len(maker)
			near := letters(text[from:min(from+32, len(text))])
			for _, a := range hardware.Catalog().All {
				_, tail, _ := strings.Cut(a.ID, ".")
				if tail = letters(tail); len(tail) > length && strings.HasPrefix(strings.TrimPrefix(near, "geforce"), tail) {
					best, length = a.ID, len(tail)
				}
			}
		}
		if best != "" {
			break
		}
	}
	return best
}

// called is how a text calls a GPU, behind its maker: as far as words with a figure go.
func called(text string) string {
	const maker = "NVIDIA "
	for from := 0; ; {
		i := strings.Index(text[from:], maker)
		if i < 0 {
			return ""
		}
		from += i + len(maker)
		name := text[from:min(from+40, len(text))]
		if end := strings.IndexAny(name, ",;:()[]'\"|\r\n\t"); end >= 0 {
			name = name[:end]
		}
		words := strings.Fields(name)
		figure := -1
		for i, word := range words {
			if strings.ContainsAny(word, "0123456789") {
				figure = i
				break
			}
		}
		if figure < 0 || !strings.HasPrefix(name, "GeForce ") && !strings.HasPrefix(name, "RTX ") && figure > 0 {
			continue
		}
		if figure+1 < len(words) && (words[figure+1] == "Ti" || words[figure+1] == "SUPER") {
			figure++
		}
		if name[0] >= 'A' && name[0] <= 'Z' {
			return strings.Join(words[:figure+1], " ")
		}
	}
}

// usualChips are those that are guessed by their memory: others that have as much are rarer.
const usualChips = "h100 h200 b200 b300 gb300 a100 a100_40 l40s l4 rtx3090 rtx4090 rtx5090 rtx5080 rtxpro6000 a6000 " +
	"t4 " +
	"h20 gb10 mi300x mi325x mi355x"

// chipOf is the GPU whose programs can have nearest to so many bytes, within two percent; "" if none.
func chipOf(bytes float64) string {
	best, off := "", 0.02
	for name := range strings.FieldsSeq(usualChips) {
		a, err := hardware.Catalog().Get("gpu." + name)
		if err != nil {
			continue
		}
		if has, err := a.UsableMemory(); err == nil {
			if d := max(has/bytes, bytes/has) - 1; d < off {
				best, off = a.ID, d
			}
		}
	}
	return best
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
