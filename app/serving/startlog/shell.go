package startlog

import (
	"cmp"
	"strings"

	"github.com/scalebook/scalebook/app/shell"
)

// The most of a text that is taken for commands, and how often variables in it are looked up.
const (
	mostShell   = 1 << 18
	mostLookups = 300
)

// script is a text as a shell takes it: without remarks, and with variables as the text itself sets them. Those that it
// does not set stay, and those behind the last that may be looked up.
func script(text string) string {
	if len(text) > mostShell {
		return text
	}
	var b strings.Builder
	whole, continued := text, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			if line = "\n"; continued { // a remark between the lines of one command
				continue
			}
		} else if at := strings.Index(line, " # "); at >= 0 {
			line = line[:at] + "\n"
		}
		b.WriteString(line)
		ends := strings.TrimRight(line, " \r\n")
		continued = ends != "" && strings.IndexByte("\\`^", ends[len(ends)-1]) >= 0
	}
	text = strings.ReplaceAll(b.String(), "$$", "$") // as docker compose escapes it
	if strings.Contains(text, "%") {
		text = percented(text)
	}
	text = strings.NewReplacer("PARAMETER ", "--", "/set parameter ", "--").Replace(text) // of Ollama
	left := mostLookups
	var known func(string) string
	known = func(name string) string {
		if left--; left < 0 {
			return ""
		}
		return shell.Expand(cmp.Or(assigned(text, name), granted(whole, name)), func(other string) string {
			if other == name { // TP=${TP:-8}
				return ""
			}
			return known(other)
		})
	}
	text = shell.Taken(text, known)
	return shell.Expand(text, known)
}

// grants are what schedulers set in the environment of a run, and where the same text asks for it.
const grants = "SKYPILOT_NUM_GPUS_PER_NODE accelerators:|SKYPILOT_NUM_NODES num_nodes:|" +
	"SLURM_GPUS_ON_NODE --gres=gpu --gpus-per-node=|SLURM_GPUS_PER_NODE --gpus-per-node= --gres=gpu|" +
	"SLURM_NNODES --nodes= #SBATCH~-N|SLURM_JOB_NUM_NODES --nodes= #SBATCH~-N|LWS_GROUP_SIZE size:"

// granted is the value of a variable that a scheduler sets, by what the text asks it for: the number behind the name of
// a device, of which the first counts where any will do; "" if the text does not say.
func granted(text, name string) string {
	for line := range strings.SplitSeq(grants, "|") {
		said, places, _ := strings.Cut(line, " ")
		for place := range strings.FieldsSeq(places) {
			_, asked, found := strings.Cut(text, strings.ReplaceAll(place, "~", " "))
			if said != name || !found {
				continue
			}
			asked = strings.TrimLeft(asked, " ={\n")
			if end := strings.IndexAny(asked, ",}#\n\r"); end >= 0 {
				asked = asked[:end]
			}
			count := strings.Trim(asked[strings.LastIndexByte(asked, ':')+1:], " \"'")
			if count, _, _ = strings.Cut(count, " "); count != "" && strings.Trim(count, "0123456789") == "" {
				return count
			}
			if place == "accelerators:" { // one of them
				return "1"
			}
		}
	}
	if name == "SKYPILOT_NUM_NODES" && strings.Contains(text, "accelerators:") {
		return "1"
	}
	return ""
}

// percented is a text with variables of cmd.exe as those of a shell, %MODEL% as ${MODEL}, where it sets them.
func percented(text string) string {
	all, left := text, mostLookups
	var b strings.Builder
	for strings.Contains(all, "set ") && left > 0 {
		before, rest, found := strings.Cut(text, "%")
		b.WriteString(before)
		if text = rest; !found {
			break
		}
		left--
		if name, after, is := strings.Cut(rest, "%"); is && isWord(name) && assigned(all, name) != "" {
			b.WriteString("${" + name + "}")
			text = after
		} else {
			b.WriteByte('%')
		}
	}
	return b.String() + text
}

// prefixes begin variables of the environment that stand for flags: of llama.cpp, and of containers that start vLLM,
// DJL Serving's and SageMaker's.
const prefixes = "LLAMA_ARG_ OPTION_ SM_VLLM_ VLLM_"

// variables is a text with what it sets in its environment as flags: LLAMA_ARG_CTX_SIZE of llama.cpp, MAX_TOTAL_TOKENS
// of TGI; and with Python's own names of words and numbers as they are set.
func variables(text, engine string) string {
	if len(text) > mostShell {
		return text
	}
	for prefix := range strings.FieldsSeq(prefixes) {
		text = strings.ReplaceAll(text, prefix, "llama_arg_")
	}
	var b strings.Builder
	names := map[string]string{}
	python := strings.Contains(text, "import ")
	for line := range strings.Lines(text) {
		name, value, set := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		if word := strings.Trim(value, "\"'"); python && set && word != "" && isWord(name) && len(names) < mostNames &&
			(word != value || strings.Trim(word, "0123456789.") == "") {
			names[name] = word
		}
	}
	for at := 0; at < len(text); {
		n := at
		for n < len(text) && identifier(text[n]) {
			n++
		}
		if n == at {
			b.WriteByte(text[at])
			at++
			continue
		}
		word := text[at:n]
		value, known := names[word]
		lower, arg := strings.CutPrefix(word, "llama_arg_")
		lower = strings.ToLower(lower)
		switch {
		case arg, word != lower && word == strings.ToUpper(word) && FlagNamed(lower) != "" && (engine == "tgi" ||
			strings.Contains(lower, "_") && !strings.Contains(text, "--"+strings.ReplaceAll(lower, "_", "-"))):
			word = lower
			if value, is := strings.CutPrefix(strings.TrimLeft(text[n:], " \"'\r\n"), "value: "); is { // of a pod
				word, n = word+": ", len(text)-len(value)
			}
		case known && !strings.HasPrefix(text[n:], " = ") && len(value) < longestWord:
			word = value
		}
		b.WriteString(word)
		at = n
	}
	if python && len(names) > 0 {
		return strings.ReplaceAll(b.String(), "str(", "")
	}
	return b.String()
}

// The most names of Python's that are kept, and the longest word that one stands for.
const (
	mostNames   = 50
	longestWord = 200
)

// isWord tells whether a text is one name.
func isWord(text string) bool {
	for i := range len(text) {
		if !identifier(text[i]) {
			return false
		}
	}
	return text != ""
}

// closing is where the bracket closes in which a text begins.
func closing(text string) int {
	deep := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			deep++
		case '}':
			if deep--; deep < 0 {
				return i
			}
		}
	}
	return len(text)
}

// assigned is the value that a text gives a variable, as a shell or YAML does; "" if none.
func assigned(text, name string) string {
	if name == "" || name[0] <= '9' {
		return ""
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return ""
		}
		at := from + i
		from = at + len(name)
		rest, set := strings.CutPrefix(text[from:], "=")
		if !set {
			rest, set = strings.CutPrefix(text[from:], ": ")
		}
		if !set && at > 0 && text[at-1] == '$' { // of PowerShell
			if rest, set = strings.CutPrefix(text[from:], " = "); set {
				at--
			}
		}
		if !set { // of a pod: "- name: MODEL", and below it "value: x"
			rest, set = strings.CutPrefix(strings.TrimLeft(text[from:], " \"'\r\n"), "value: ")
		}
		if !set || at > 0 && strings.IndexByte(" \t\n\"'", text[at-1]) < 0 {
			continue
		}
		ends := " \t\r\n;"
		if strings.HasPrefix(rest, "\"") || strings.HasPrefix(rest, "'") {
			ends, rest = rest[:1]+"\n", rest[1:]
		} else if shell.Sums(rest[:min(len(rest), 3)]) { // whose spaces part no words
			ends = "\r\n;"
		}
		end := strings.IndexAny(rest, ends)
		if end < 0 {
			end = len(rest)
		}
		if value := rest[:min(end, 200)]; value != "" && value[0] != '(' {
			return value
		}
	}
}
