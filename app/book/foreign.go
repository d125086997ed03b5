package book

import (
	"bytes"
	"fmt"
)

// Foreign says why bytes are not a text in UTF-8, and what to do: in which encoding they are, or where the first NUL
// stands, which no text has. What is empty if nothing speaks against them.
func Foreign(src []byte) (line, col int, what, remedy string) {
	if name := Encoding(src); name != "" {
		return 1, 1, "this text is in " + name, "save it as UTF-8"
	}
	at := bytes.IndexByte(src, 0)
	if at < 0 {
		return 0, 0, "", ""
	}
	before := src[:at]
	line, col = 1+bytes.Count(before, []byte("\n")), 1+len(bytes.Runes(before[bytes.LastIndexByte(before, '\n')+1:]))
	return line, col, fmt.Sprintf("byte %d is NUL, which no text has", at+1), "take it out, or name a file that is text"
}

// Encoding is the name of the encoding that bytes are in, if it is one with a mark at its beginning or one whose every
// other byte is mostly NUL, as of English in UTF-16; else "".
func Encoding(src []byte) string {
	for _, e := range [...]struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(src, []byte(e.mark)) {
			return e.name
		}
	}
	const looked = 512
	src = src[:min(len(src), looked)]
	var nul [2]int
	for i, c := range src {
		if c == 0 {
			nul[i%2]++
		}
	}
	if few, many := min(nul[0], nul[1]), max(nul[0], nul[1]); len(src) >= 4 && few == 0 && many*3 >= len(src) {
		return "UTF-16"
	}
	return ""
}
