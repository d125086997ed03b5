package figure

import (
	"strings"

	"github.com/scalebook/scalebook/app/markup"
)

// Notated is a text that may hold the notation of shards, "AllGather_X(B)" or "A[I_X, J]": the axes of the mesh become
// indices, the point of a typed product and its arrow the signs that they stand for. The underscore stays in the text,
// unseen, for those who copy it or have it read to them. No line breaks between a number and its unit in a name, "H100
// SXM 80 GB"; values stay in one line anyway.
func Notated(s string) *markup.Node {
	if name, found := strings.CutSuffix(s, " GB"); found && isLetter(s[0]) {
		s = name + "\u00a0GB"
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "] . ", "] · "), "] -> ", "] → ")
	from, to := axes(s)
	if from < 0 {
		return markup.Text(s)
	}
	n := markup.El("span")
	for from >= 0 {
		n.Add(s[:from], markup.El("sub", markup.El("span", markup.Class("under"), "_"), s[from+1:to]))
		s = s[to:]
		from, to = axes(s)
	}
	n.Add(s)
	return n
}

// axes is where the first underscore stands that has the axes of a mesh behind it, and where they end.
func axes(s string) (from, to int) {
	for i := 1; i < len(s)-1; i++ {
		if s[i] != '_' || !isLetter(s[i-1]) || !isUpper(s[i+1]) || i > 1 && s[i-2] == '_' { // the last: Q4_K_M
			continue
		}
		for to = i + 1; to < len(s) && isUpper(s[to]); to++ {
		}
		if to == len(s) || s[to] != '_' && !isLetter(s[to]) { // else it is a name, such as gemmSN_TN_kernel
			return i, to
		}
	}
	return -1, 0
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLetter(c byte) bool { return isUpper(c) || 'a' <= c && c <= 'z' }
