package phrase

import "strings"

// find is the sentence of a key in a file whose keys stand in order.
func find(lines, key string) (string, bool) {
	for lines != "" {
		from := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		line, after, _ := strings.Cut(lines[from:], "\n")
		k, sentence, _ := strings.Cut(line, "\t")
		switch strings.Compare(key, k) {
		case 0:
			return sentence, true
		case -1:
			lines = lines[:from]
		default:
			lines = after
		}
	}
	return "", false
}

// Gap is what stands before the first gap of a sentence, its name without the braces, and what stands behind it. A
// brace that begins no name is a brace.
func Gap(sentence string) (before, name, after string) {
	for from := 0; ; {
		open := strings.IndexByte(sentence[from:], '{')
		if open < 0 {
			return sentence, "", ""
		}
		open += from
		end := open + 1
		for end < len(sentence) && 'a' <= sentence[end] && sentence[end] <= 'z' {
			end++
		}
		if end > open+1 && end < len(sentence) && sentence[end] == '}' {
			return sentence[:open], sentence[open+1 : end], sentence[end+1:]
		}
		from = open + 1
	}
}
