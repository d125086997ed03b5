package startlog

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

var (
	// flagTable is what flags are called: our name, then theirs, the ones that count most first.
	//
	//go:embed flags.tsv
	flagTable string

	// verbTable is what stands before the name of a model.
	//
	//go:embed verbs.txt
	verbTable string
)

// readFlags finds flags wherever they stand: in a command, in the words of a log, in JSON or in Python. It tells
// whether there are any.
func (l *Log) readFlags(text string) bool {
	said := false
	beside, cache := besideCache(text)
	flagIn(cache, "dtype", func(value string) bool { return l.set("cache", "kv_cache_config.dtype", value) })
	l.Model = served(text)
	for line := range strings.Lines(flagTable) {
		name, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		within := text
		switch name {
		case "model":
			within = undrafted(text)
		case "dtype":
			within = beside
		}
		for theirs := range strings.FieldsSeq(names) {
			if name == "model" && l.Model != "" {
				break
			}
			if theirs[0] == '-' && l.Engine != "llama.cpp" && l.Engine != "" { // in a script of others: head -c 6
				continue
			}
			take := func(value string) bool { return l.set(name, theirs, value) }
			if flagIn(within, theirs, take) || l.Engine == "vllm" && shortened(within, theirs, take) {
				said = true
				break
			}
		}
	}
	return l.readHost(text) || said || l.Model != ""
}

// FlagNamed is our name of a flag that engines have, such as "tp" of "tensor-parallel-size"; "" if they have none so
// called.
func FlagNamed(name string) string {
	name = strings.ReplaceAll(name, "-", "_")
	for line := range strings.Lines(flagTable) {
		ours, names, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		for theirs := range strings.FieldsSeq(names) {
			if theirs == name {
				return ours
			}
		}
	}
	return ""
}

// besideCache is a text without what it says of the cache alone, in YAML, in JSON or in Python behind the word, and
// that: TensorRT-LLM's kv_cache_config has a dtype too.
func besideCache(text string) (rest, cache string) {
	const word = "kv_cache_config"
	at := strings.Index(text, word)
	if at < 0 {
		return text, ""
	}
	begin := at + len(word)
	end := begin
	if open := strings.IndexAny(text[begin:min(begin+30, len(text))], "{("); open >= 0 {
		inner := text[begin+open+1:]
		if end = begin + open + 1; text[end-1] == '(' {
			if shut := strings.IndexByte(inner, ')'); shut >= 0 {
				end += shut
			}
		} else {
			end += closing(inner)
		}
	} else { // lines that stand further right
		own := at - 1 - strings.LastIndexByte(text[:at], '\n')
		for line := range strings.Lines(text[begin:]) {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			if end > begin && strings.TrimSpace(line) != "" && indent <= own {
				break
			}
			end += len(line)
		}
	}
	return text[:at] + text[end:], text[begin:end]
}

// snaked is a text with its keys as flags have them where it is a chart's values for vLLM: maxModelLen is
// max_model_len there.
func snaked(text string) string {
	for at := 0; ; { // llm-d: "parallelism:", and below it "tensor: 4"
		i := strings.Index(text[at:], "parallelism:")
		if i < 0 {
			break
		}
		at += i + 12
		end := min(at+120, len(text))
		named := strings.NewReplacer(" tensor:", " tensor_parallel_size:", " data:", " data_parallel_size:")
		text = text[:at] + named.Replace(text[at:end]) + text[end:]
	}
	if !strings.Contains(text, "vllmConfig") {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if i > 0 && c >= 'A' && c <= 'Z' && (text[i-1] >= 'a' && text[i-1] <= 'z') {
			b.WriteByte('_')
		}
		end := i
		for end < len(text) && identifier(text[end]) {
			end++
		}
		if c >= 'A' && c <= 'Z' && end < len(text) && text[end] == ':' {
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
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
// JSON or YAML; or behind the image of vLLM, whose entry point has the verb: "docker run vllm/vllm-openai:v0.9 MODEL".
func served(text string) string {
	for _, mark := range [...]string{"\"", "'", ",", "[", "]"} {
		text = strings.ReplaceAll(text, mark, " ")
	}
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), " - ", " ")
	for verb := range strings.Lines(verbTable) {
		for i, rest := range strings.Split(text, strings.TrimSuffix(verb, "\n")) {
			if i == 0 {
				continue
			}
			for word := range strings.FieldsSeq(rest[:min(len(rest), 400)]) {
				// what ends a line, not the command, and what stands before the model
				ends := word == `\` || word == "`" || word == "^"
				if ends || strings.HasPrefix(word, "--") && strings.Contains(word, "=") || word == "args:" {
					continue
				}
				if word = strings.TrimSuffix(word, "..."); isName(word) && strings.ContainsAny(word, "/0123456789") {
					return word
				}
				break
			}
		}
	}
	_, image, _ := strings.Cut(text, "vllm/vllm-openai:")
	for _, before := range [...]string{" ", "command: ", "args: "} { // behind the image's version, or as YAML has it
		_, rest, _ := strings.Cut(image, before)
		word, _, _ := strings.Cut(strings.TrimLeft(rest, "\\ "), " ")
		if word != "" && isName(word) && strings.IndexByte("./", word[0]) < 0 && strings.Count(word, "/") == 1 {
			return word
		}
	}
	return ""
}

// isName tells whether a word can name a model: it is no flag, no variable, no field in code and no gap to be filled.
func isName(word string) bool {
	code := strings.HasPrefix(word, "self.") || strings.HasPrefix(word, "args.") || strings.HasPrefix(word, "config.")
	return strings.Trim(word, ".") != "" && strings.IndexByte("-$<{\\", word[0]) < 0 && !code
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
				len(spelt) <= 3 && at > 0 && text[at-1] == '-' && (at == 1 || !identifier(text[at-2]))
			if spelt[0] == '-' { // short ones, which are words elsewhere
				if dashes = at == 0 || strings.IndexByte(" \t\n\"',[", text[at-1]) >= 0; !dashes {
					continue
				}
			}
			if at > 0 && !dashes && (identifier(text[at-1]) || text[at-1] == '-') ||
				from < len(text) && (identifier(text[from]) || text[from] == '-') {
				continue
			}
			if name == "speculative_config" && strings.HasPrefix(text[from:], ":\n") { // its keys in lines of their own
				return take("{}")
			}
			if dashes && name == "speculative_config" && from < len(text) && text[from] == '.' { // one key at a time
				return take("{}")
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

// shortened does as flagIn for a long flag of which only the beginning stands behind two dashes, which Python's
// argparse takes: --max-num-batched-token 32, --gpu-memory-util 0.8. Shorter ones begin several flags.
func shortened(text, name string, take func(value string) bool) bool {
	const shortest = 14
	dashed := "--" + strings.ReplaceAll(name, "_", "-")
	if len(dashed) <= shortest || dashed[:shortest] == "--data-parallel"[:shortest] {
		return false
	}
	for {
		_, rest, found := strings.Cut(text, dashed[:shortest])
		if !found {
			return false
		}
		n := 0
		for shortest+n < len(dashed) && n < len(rest) && rest[n] == dashed[shortest+n] {
			n++
		}
		text = rest
		if n < len(rest) && strings.IndexByte(" =\t", rest[n]) >= 0 {
			if value := valueAt(rest[n:], true); value != "" && take(value) {
				return true
			}
		}
	}
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
	case strings.HasPrefix(trimmed, "=") && !strings.HasPrefix(trimmed, "=="), quoted &&
		strings.HasPrefix(trimmed, ":"):
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
	end := strings.IndexAny(rest, "'\", \t\r\n)}];")
	if end >= 0 {
		rest = rest[:end]
	}
	switch rest {
	case "None", "null", "\\":
		return ""
	}
	if strings.HasPrefix(rest, "OLLAMA_") { // the next of a map, since this one is empty
		return ""
	}
	return rest
}

// set keeps the value of a flag; it tells whether there is anything to keep.
func (l *Log) set(name, theirs, value string) bool {
	x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(value, "%"), ",", ""), 64)
	if name == "share" && x >= 5 { // in percents
		x /= 100
	}
	if end := len(value) - 1; err != nil && end > 0 { // as vLLM takes lengths and bytes: 32k, 1M, 6G
		if unit := strings.IndexByte("kKmMgG", value[end]); unit >= 0 {
			if x, err = strconv.ParseFloat(value[:end], 64); err == nil {
				x *= [...]float64{1e3, 1 << 10, 1e6, 1 << 20, 1e9, 1 << 30}[unit]
			}
		}
	}
	number := err == nil && x > 0 && x < 1e15 && (name != "share" || x <= 1)
	if is, says := l.hostFlag(name, value, x, number); is {
		return says
	}
	whole := number && x == float64(int(x)) && x < 1<<16
	if name == "ep" {
		return l.experts(theirs, value, x, whole)
	}
	if is, says := l.wordFlag(name, theirs, value, number); is {
		return says
	}
	l.unread(len(l.Figures) == 0 && !number, theirs, strings.Replace(value, "true", "?", 1)) // of a command
	if degree := l.degree(name); degree != nil {
		said := theirs + "=" + value
		if strings.HasPrefix(value, "$") && !slices.Contains(l.Unread, said) { // nothing sets it
			l.Unread = append(l.Unread, said)
		}
		if whole {
			*degree = int(x)
		}
		return whole
	}
	if strings.Contains(theirs, "parallel") && l.Engine != "llama.cpp" { // of sequences
		return false
	}
	// LMDeploy's block_size is in MB.
	if !number || theirs == "block_size" && l.Engine == "lmdeploy" {
		return false
	}
	if theirs == "max_total_tokens" && l.Engine == "tgi" { // there a sequence's, not the cache's
		name = "length"
	}
	*l.amount(name) = x
	if theirs == "OLLAMA_NUM_PARALLEL" {
		l.sessions = x
	}
	return true
}

// experts keeps a degree of expert parallelism, or that there is one; it tells whether there is anything to keep.
func (l *Log) experts(theirs, value string, x float64, whole bool) bool {
	on := strings.EqualFold(value, "true")
	switch {
	case on: // vLLM: as many as there are chips
		l.Plan.EP = -1
	case theirs != "enable_expert_parallel" && whole:
		l.Plan.EP = int(x)
	}
	return on || whole
}

// wordFlag keeps the value of a flag that is no amount; it tells whether the flag is one of these, and whether there is
// anything to keep.
func (l *Log) wordFlag(name, theirs, value string, number bool) (is, says bool) {
	switch name {
	case "spread": // TensorRT-LLM: each chip attends to sequences of its own
		l.spread = strings.EqualFold(value, "true")
		return true, l.spread
	case "lora":
		l.lora = !off(value)
		return true, l.lora
	case "states":
		if bits := strings.TrimPrefix(strings.TrimPrefix(value, "b"), "float"); bits == "16" || bits == "32" {
			l.Setup.StateBits, _ = strconv.ParseFloat(bits, 64)
		}
		return true, l.Setup.StateBits > 0
	case "eager":
		l.Setup.Graphless = strings.EqualFold(value, "true")
		return true, l.Setup.Graphless
	case "cache":
		if theirs == "quant_policy" { // LMDeploy: bits of integers
			if value == "0" {
				return true, false
			}
			value = "int" + value + "g" // with scales of groups
		}
		l.Cache, l.both = cacheFormat(value), theirs == "OLLAMA_KV_CACHE_TYPE"
		l.Element = elementOf(value)
		l.unread(l.Cache == "", theirs, value)
		return true, l.Cache != ""
	case "quant", "dtype":
		f := weightFormat(value)
		if f != "" && l.Weights == "" {
			l.Weights = f
		}
		l.unread(f == "" && name == "quant", theirs, value)
		return true, l.Weights != ""
	case "model":
		if value == "true" || number || !isName(value) || theirs == "-m" && !strings.HasSuffix(value, ".gguf") {
			return true, false
		}
		l.Model = value
		return true, true
	case "deepep": // SGLang: experts lie on all chips where tokens are exchanged by such a library
		if value != "none" && l.Plan.EP == 0 {
			l.Plan.EP = -1
		}
		return true, true
	case "values":
		l.values = value
		return true, false
	case "unpriced": // what no step counts is looked for by itself
		return true, false
	case "draft":
		l.Draft = !strings.EqualFold(value, "false")
		return true, true
	}
	return false, false
}

// unread keeps the first flags whose values say nothing that is known here.
func (l *Log) unread(odd bool, flag, value string) {
	switch strings.ToLower(value) {
	case "auto", "true", "false", "none", "model", "{}":
		return
	}
	if said := flag + "=" + value; odd && isName(value) && len(l.Unread) < 2 && !slices.Contains(l.Unread, said) {
		l.Unread = append(l.Unread, said)
	}
}

// degree is the part of the plan that a flag sets; nil of none.
func (l *Log) degree(name string) *int {
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
	case "windows":
		return &l.Setup.Windows
	case "adapters":
		return &l.Setup.Adapters
	case "rank":
		return &l.Setup.Rank
	}
	return &l.Setup.Offload
}
