package hlo

import (
	"strings"

	"github.com/scalebook/scalebook/app/pasted"
)

// beginning is how far into a text its module may begin.
const beginning = 4 << 10

// bare is a text as the compiler prints it, where something stands before each of its lines: a logger's time and
// place, the number of the line, the mark of a quotation, or a terminal's colours. What Python's repr or JSON have in
// one line is many again.
func bare(text string) string {
	const module = "HloModule "
	text = pasted.Plain(text)
	at := strings.Index(text[:min(len(text), beginning)], module)
	if at < 0 {
		return text
	}
	line, _, _ := strings.Cut(text[at:], "\n")
	if strings.Contains(line, `\n`) {
		text = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\'`, `'`, `\\`, `\`).Replace(text)
		at = strings.Index(text, module)
	}
	prefix := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	if strings.TrimSpace(prefix) == "" {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if before, _, found := strings.Cut(line, module); found {
			line = line[len(before):]
		}
		b.WriteString(line[past(line, prefix):])
	}
	return b.String()
}

// past is how much of a line stands before its own text, where other lines have this: the same signs, with other digits
// and blanks. It is 0 of a line that lacks them.
func past(line, prefix string) (at int) {
	for i := 0; i < len(prefix); i++ {
		if !padding(prefix[i]) {
			if at == len(line) || line[at] == '\n' {
				return at // a line without text may end before
			}
			if line[at] != prefix[i] {
				return 0
			}
			at++
			continue
		}
		for ; i+1 < len(prefix) && padding(prefix[i+1]); i++ {
		}
		for at < len(line) && padding(line[at]) {
			at++
		}
	}
	return at
}

// padding tells whether a sign is a digit or a blank, of which lines have more or fewer.
func padding(c byte) bool { return c == ' ' || c >= '0' && c <= '9' }

// forCPU tells whether a text was compiled for a CPU, as JAX does where there is no other device: by notes of its
// compiler, and by libraries that it calls.
func forCPU(text string) bool {
	for _, mark := range [...]string{`"outer_dimension_partitions"`, `"__ynn_fusion"`, `="lapack_`, `="__onednn$`} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// ForGPU tells whether a text was compiled for GPUs: it calls their libraries, or has notes of their compiler, and no
// array has the tiles of a TPU.
func ForGPU(text string) bool {
	for _, mark := range [...]string{":T(", "\"tpu_custom_call\""} {
		if strings.Contains(text, mark) {
			return false
		}
	}
	for _, mark := range [...]string{"\"__cu", "__triton", "\"__gpu$", "operation_queue_id",
		"collective_backend_config",
		"fusion_backend_config"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}
