package startlog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/scalebook/scalebook/app/hardware"
)

// ChipIn is the accelerator that a text names behind its maker, as drivers do: "NVIDIA A100-SXM4-40GB"; "" if it names
// none, or none that the catalog has.
func ChipIn(text string) string {
	best, length := "", 0
	for _, maker := range strings.Split("NVIDIA,AMD Instinct,AMD_Instinct,AMD Radeon,GeForce,Apple,Tesla", ",") {
		for from := 0; ; {
			i := strings.Index(text[from:], maker)
			if i < 0 {
				break
			}
			from += i + len(maker)
			if id, n := chipCalled(text[from:min(from+44, len(text))]); n > length {
				best, length = id, n
			}
		}
		if best != "" {
			break
		}
	}
	return best
}

// ChipAsked is the accelerator that a script or a manifest asks for, or that a remark in it names; "" if none.
func ChipAsked(text string) string { return cmp.Or(ChipIn(text), remarked(text), rented(text)) }

// rented is the accelerator of the machine that a manifest or a command asks a cloud for: instance-type: p5.48xlarge,
// --tpu-type=v5p-1024; "" if none.
func rented(text string) string {
	for line := range strings.Lines(text[:min(len(text), mostShell)]) {
		line = strings.ToLower(line)
		if !slices.ContainsFunc(asks, func(word string) bool { return strings.Contains(line, word) }) {
			continue
		}
		apart := func(c rune) bool { return strings.ContainsRune(" :=\"',[]()\r\n", c) }
		for word := range strings.FieldsFuncSeq(line, apart) {
			if id, n := hardware.Machine(word); n > 0 {
				return id
			}
		}
	}
	return ""
}

// asks are words of a line that may name such a machine.
var asks = []string{"instance", "machine", "tpu", "device", "accelerator", "shape", "vm_size"}

// chipCalled is the accelerator at the beginning of a text, and how many letters name it. Words that tell cards apart
// must all be its own: an L40 is no L4, an H100 NVL no H100, and one of 40 GB not that of 80.
func chipCalled(text string) (id string, letters int) {
	if end := strings.IndexAny(text, ".,;:+()[]'\"|\r\n\t"); end >= 0 {
		text = text[:end]
	}
	text, _, _ = strings.Cut(text, " -")
	name, gigabytes := "", 0.0
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return strings.ContainsRune(" _-", c) })
	for i, word := range words {
		size, of := strings.CutSuffix(strings.TrimSuffix(word, "b"), "g")
		x, err := strconv.ParseFloat(size, 64)
		switch {
		case of && err == nil:
			gigabytes = cmp.Or(gigabytes, x)
		case word == "tesla" && i+1 < len(words) && words[i+1] == "a100": // as Google’s clusters call those of 40 GB
			gigabytes = 40
		case i > 0 && words[0] == "tpu" && strings.Trim(word, "0123456789") == "": // chips of a slice
		case strings.HasPrefix(word, "sxm"), word == "geforce", word == "tesla":
		case i < 6:
			name += " " + word
		}
	}
	words = strings.Fields(name)
	for n := len(words); n > 0; n-- {
		whole := strings.Join(words[:n], "")
		for _, a := range slices.Concat(hardware.Catalog().All, hardware.Cards()) {
			kind, tail, _ := strings.Cut(a.ID, ".")
			if stem, size, of := strings.Cut(tail, "_"); of && size[0] <= '9' {
				if tail = stem; gigabytes == 0 { // the usual one is meant
					continue
				}
			}
			tail = strings.ReplaceAll(tail, "_", "")
			if kind == "tpu" {
				tail = kind + tail // never v4 alone
			}
			if kind == "npu" || tail != whole && "rtx"+tail != whole {
				continue
			}
			has, _ := a.UsableMemory()
			if d := has / 1e9 / gigabytes; gigabytes == 0 || d > 0.85 && d < 1.15 {
				return a.ID, len(whole)
			}
		}
		if last := words[n-1]; last[0] <= '9' || strings.Contains(apart, "|"+last+"|") {
			break
		}
	}
	return "", 0
}

// apart is words behind the name of a card that make it another.
const apart = "|ti|super|nvl|pcie|laptop|mobile|ada|max|pro|ultra|d|xt|xtx|"

// called is how a text calls a GPU, behind its maker: as far as words with a figure go, and those that tell cards
// apart.
func called(text string) string {
	for _, maker := range [...]string{"NVIDIA ", "AMD Radeon ", "Tesla "} {
		for rest, found := text, true; ; {
			if _, rest, found = strings.Cut(rest, maker); !found {
				break
			}
			name := rest[:min(40, len(rest))]
			if end := strings.IndexAny(name, ",;:()[]'\"|\r\n\t"); end >= 0 {
				name = name[:end]
			}
			if len(sizesIn(name)) > 0 { // billions of parameters: a model of that maker
				continue
			}
			words := strings.Fields(name)
			figure := slices.IndexFunc(words, func(word string) bool { return strings.ContainsAny(word, "0123456789") })
			family := strings.HasPrefix(name, "GeForce ") || strings.HasPrefix(name, "R") // RTX, RX
			if figure < 0 || figure > 0 && !family || name[0] < 'A' || name[0] > 'Z' {
				continue
			}
			for figure++; figure < len(words); figure++ {
				word := strings.ToLower(words[figure])
				if !strings.Contains(apart, "|"+word+"|") && !strings.HasSuffix(word, "gb") {
					break
				}
			}
			return strings.Join(words[:figure], " ")
		}
	}
	return ""
}

// remarked is the GPU that a script names where it asks for devices, "--gres=gpu:h100:8", or else in a remark,
// "# 8x H200"; "" if it names none. Only such lines are looked at: elsewhere T4 and L4 may mean anything. Of several,
// as where a remark compares with another machine, it is the one that most lines name, and of those the first.
func remarked(text string) string {
	if len(text) > mostShell {
		return "" // no script
	}
	best, most := "", 0
	lines, key := map[string]int{}, ""
	for line := range strings.Lines(text) {
		line = key + strings.ToLower(line)
		if key = ""; strings.TrimSpace(line) == "accelerators:" { // and below it the names
			key = strings.TrimRight(line, "\r\n")
			continue
		}
		at := strings.Index(line, "#")
		weight := 1
		has := func(part string) bool { return strings.Contains(part, "gpu") || strings.Contains(part, "accelerator") }
		if has(line) {
			if !strings.HasPrefix(line, "# ") && (at <= 0 || has(line[:at])) {
				weight = mostRemarks
			}
			at = 0
		}
		if at < 0 {
			continue
		}
		for _, id := range chipsOn(line[at:]) {
			if lines[id] += weight; lines[id] > most {
				best, most = id, lines[id]
			}
		}
	}
	return best
}

// mostRemarks is how many remarks a line outweighs that asks for devices.
const mostRemarks = 1 << 20

// chipsOn are the accelerators that a line in small letters names, each once: a part of a name is none.
func chipsOn(line string) (all []string) {
	stems := ""
	for rest := line; rest != ""; {
		n := strings.IndexFunc(rest, func(c rune) bool {
			return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
		})
		if n < 0 {
			n = len(rest)
		}
		name := rest[:min(44, len(rest))]
		if count, card, of := strings.Cut(name, "x"); of && count != "" && strings.Trim(count, "0123456789") == "" {
			name = card // 8xH200
		}
		id, _ := chipCalled(name)
		if stem, _, _ := strings.Cut(id, "_"); id != "" && !strings.Contains(stems, stem+"|") {
			all, stems = append(all, id), stems+stem+"|"
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return all
}

// usualChips are those that are guessed by their memory: others that have as much are rarer.
const usualChips = "h100 h200 b200 b300 gb300 a100 a100_40 l40s l4 rtx3090 rtx4090 rtx5090 rtx5080 rtxpro6000 a6000 " +
	"t4 h20 gb10 mi300x mi325x mi355x"

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
