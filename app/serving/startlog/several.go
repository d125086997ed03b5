package startlog

import "strings"

// starts are words that each command to start an engine has once. A blank may also be =, a quote or the line's end.
const starts = "vllm serve |vllm.entrypoints.|sglang.launch_server |sglang serve |trtllm-serve |llama-server |" +
	"lmdeploy serve |text-generation-launcher |mlc_llm serve |--model |--model-path |--model_path |--model-id |" +
	"--model_id | LLM(|modelURL: |model_source: |name: VLLM_ADDITIONAL_ARGS "

// firstCommand is a text up to the line with which a second command begins, and whether there is one: roles that are
// served apart, services of one file, each of which names its model in its own way. What follows is of another engine,
// whose flags belong to that.
func firstCommand(text string) (first string, more bool) {
	blanks := strings.NewReplacer("=", " ", "\"", " ", "'", " ", "\n", " ", ".exe", "")
	seen, at, model := map[string]bool{}, 0, ""
	for line := range strings.Lines(text[:min(len(text), mostShell)]) {
		words := blanks.Replace(line)
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			words = ""
		}
		for start := range strings.SplitSeq(starts, "|") {
			_, rest, is := strings.Cut(words, start)
			if is && seen[start] {
				return text[:at], true
			}
			seen[start] = seen[start] || is
			if !is || !strings.HasPrefix(start, "--model") && !strings.HasPrefix(start, "vllm ") {
				continue
			}
			named, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
			switch { // neither a flag nor a variable
			case named == "" || named[0] != '/' && (named[0]|0x20 < 'a' || named[0]|0x20 > 'z'):
			case model != "" && named != model:
				return text[:at], true
			default:
				model = named
			}
		}
		at += len(line)
	}
	return text, false
}
