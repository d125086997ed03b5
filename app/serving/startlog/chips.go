package startlog

import (
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
)

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

// remarked is the GPU that a script names where it asks for devices, or in a remark, by the longest name: "# 8x H200",
// "--gres=gpu:h100:8"; "" if it names none. Only such lines are looked at: elsewhere T4 and L4 may mean anything.
func remarked(text string) string {
	if len(text) > mostShell {
		return "" // no script
	}
	named := map[string]string{}
	for _, a := range hardware.Catalog().All {
		if kind, tail, _ := strings.Cut(a.ID, "."); kind == "gpu" {
			named[letters(tail)] = a.ID
		}
	}
	best, length := "", 0
	for line := range strings.Lines(text) {
		line = strings.ToLower(line)
		at := strings.Index(line, "#")
		if has := func(word string) bool { return strings.Contains(line, word) }; has("gpu") || has("accelerator") {
			at = 0
		}
		if at < 0 {
			continue
		}
		words := strings.FieldsFunc(line[at:], func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < '0' || c > '9')
		})
		for i, word := range words {
			if count, name, of := strings.Cut(word, "x"); of && count != "" && strings.Trim(count, "0123456789") == "" {
				word = name // 8xH200
			}
			for more := range min(3, len(words)-i) {
				if more > 0 {
					word += strings.TrimSuffix(words[i+more], "gb")
				}
				if id := named[word]; id != "" && len(word) > length {
					best, length = id, len(word)
				}
			}
		}
	}
	return best
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
