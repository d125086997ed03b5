package config

import "strings"

// sole is a paste of several files with spaces in place of all but the one object that describes a model; the text
// itself if there are none or more such, or nothing beside it.
func sole(src string) string {
	r := reading{tables: known()}
	from, to, objects := 0, 0, 0
	for at := 0; at < len(src); {
		line, _, _ := strings.Cut(src[at:], "\n")
		end := at + len(line)
		if strings.HasPrefix(line, "{") {
			if !strings.HasSuffix(strings.TrimSpace(line), "}") {
				last := strings.Index(src[at:], "\n}")
				if last < 0 {
					break
				}
				end = at + last + len("\n}")
			}
			objects++
			if root, _, err := readJSON(src[at:end]); err == nil && r.describes(root, maxNested) {
				if to > 0 {
					return src
				}
				from, to = at, end
			}
		}
		at = end + 1
	}
	if to == 0 || objects < 2 {
		return src
	}
	out := []byte(src)
	for i, c := range out {
		if c != '\n' && (i < from || i >= to) {
			out[i] = ' '
		}
	}
	return string(out)
}
