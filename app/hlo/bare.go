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
		if like(line, prefix) || strings.Contains(line, module) {
			line = line[min(len(prefix), len(line)-1):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// like tells whether a line begins as another one does, whatever the digits.
func like(line, prefix string) bool {
	for i := range len(prefix) {
		a, b := byte('\n'), prefix[i]
		if i < len(line) {
			a = line[i]
		}
		digits := (a == ' ' || a >= '0' && a <= '9') && (b == ' ' || b >= '0' && b <= '9')
		if a == '\n' {
			return true
		}
		if a != b && !digits {
			return false
		}
	}
	return true
}

// ForGPU tells whether a text was compiled for GPUs: it calls their libraries, or has notes of their compiler, and no
// array has the tiles of a TPU.
func ForGPU(text string) bool {
	for _, mark := range [...]string{":T(", "\"tpu_custom_call\""} {
		if strings.Contains(text, mark) {
			return false
		}
	}
	for _, mark := range [...]string{"\"__cu", "__triton", "\"__gpu$", "operation_queue_id", "collective_backend_config",
		"fusion_backend_config"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}
