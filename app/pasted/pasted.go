// Package pasted names texts that readers bring to a page that reads others: a table of a benchmark, a log of another
// program. What a text is follows from words that programs print as they are, so that a reader learns what they brought
// and where it is read, not only that it isn't what was wanted.
package pasted

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// signTable is what texts are recognized by: a kind, and words of which one must stand in the text; + joins words that
// must all stand there. The first kind that fits counts.
//
//go:embed signs.tsv
var signTable string

// Head is how many bytes of a file tell what it is; looked, how much of its text is looked at, which UTF-16 has in half
// as many letters: what a program prints names itself early.
const (
	Head   = 64 << 10
	looked = Head / 2
)

// Kind is what a text is, by the name that the table has for it; "" if nothing tells.
func Kind(text string) string {
	text = text[:min(len(text), looked)]
	for line := range strings.Lines(signTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for _, sign := range c[1:] {
			if all(text, sign) {
				return c[0]
			}
		}
	}
	switch {
	case strings.TrimSpace(text) == "":
		return "empty"
	case strings.IndexByte(text, 0) >= 0:
		first := text[:min(len(text), 24)]
		if strings.Contains(first, "/host:") || strings.Contains(first, "/device:") {
			return "xplane" // planes of a space, whose first may be long
		}
		return "binary"
	}
	return ""
}

// all tells whether all words of a sign stand in a text.
func all(text, sign string) bool {
	for words := range strings.SplitSeq(sign, "+") {
		if !strings.Contains(text, words) {
			return false
		}
	}
	return true
}

// Other says what a text is, if it is known and none of what a reader of these kinds reads; else nil.
func Other(text string, reads ...string) *phrase.Phrase {
	kind := Kind(text)
	for _, own := range reads {
		if kind == own {
			return nil
		}
	}
	for _, s := range sentences {
		if s.kind == kind {
			return phrase.New(s.key)
		}
	}
	return nil
}

// sentences say of each kind what it is. A program for browsers has other keys, so that no kind can be read off one.
var sentences = [...]struct{ kind, key string }{
	{"serving-benchmark", "pasted.serving-benchmark"}, {"llama-bench", "pasted.llama-bench"},
	{"rocprof", "pasted.rocprof"}, {"ncu", "pasted.ncu"}, {"nsys-table", "pasted.nsys-table"},
	{"nsys-export", "pasted.nsys-export"}, {"trtexec", "pasted.trtexec"}, {"key-averages", "pasted.key-averages"},
	{"sampled", "pasted.sampled"}, {"trace", "pasted.trace"},
	{"hlo", "pasted.hlo"}, {"stablehlo", "pasted.stablehlo"}, {"jaxpr", "pasted.jaxpr"},
	{"torch-graph", "pasted.torch-graph"}, {"nccl", "pasted.nccl"}, {"nccl-log", "pasted.nccl-log"},
	{"ib-test", "pasted.ib-test"}, {"osu", "pasted.osu"}, {"nvbandwidth", "pasted.nvbandwidth"},
	{"topology", "pasted.topology"}, {"smi", "pasted.smi"}, {"startup-log", "pasted.startup-log"},
	{"config", "pasted.config"}, {"xplane", "pasted.xplane"}, {"xla-dump", "pasted.xla-dump"},
	{"kernel-code", "pasted.kernel-code"}, {"memory-snapshot", "pasted.memory-snapshot"},
	{"metrics", "pasted.metrics"},
	{"web-page", "pasted.web-page"}, {"python", "pasted.python"}, {"binary", "pasted.binary"},
	{"empty", "pasted.empty"},
}

// Plain is a text without what colours a terminal.
func Plain(text string) string {
	if strings.IndexByte(text, 0x1b) < 0 {
		return text
	}
	var b strings.Builder
	for text != "" {
		before, rest, found := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if text = rest; !found {
			break
		}
		end := strings.IndexFunc(text, func(c rune) bool { return c >= '@' && c <= '~' })
		if end < 0 {
			break
		}
		text = text[end+1:]
	}
	return b.String()
}

// Typed is a text without what mail, word processors and the source of a page make of it: spaces of other kinds and of
// no width, dashes in place of two hyphens before a name, and, where no straight ones stand beside them, curly
// quotation marks and signs such as &quot;.
func Typed(text string) string {
	if strings.IndexByte(text, '&') >= 0 && !strings.ContainsAny(text, `"<>`) {
		text = strings.NewReplacer("&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&#x27;", "'", "&lt;", "<", "&gt;", ">",
			"&amp;", "&").Replace(text)
	}
	if strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 || !utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	curly, last := !strings.Contains(text, `"`), ' '
	for i, c := range text {
		switch c {
		case '\u00a0', '\u2007', '\u202f', '\u3000':
			c = ' '
		case '\u200b', '\u2060':
			continue
		case '“', '”', '„':
			if curly {
				c = '"'
			}
		case '–', '—':
			next := text[min(i+len("–"), len(text)-1)] | 0x20
			if (last <= ' ' || last == '"') && next >= 'a' && next <= 'z' {
				b.WriteByte('-')
				c = '-'
			}
		}
		b.WriteRune(c)
		last = c
	}
	return b.String()
}
