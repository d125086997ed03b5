package site

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// The scripts that other sites load, by names that never change: pages that embed a calculator outlive many editions.
// What belongs to one edition they take from the calculator's own page, embed/ID/.
var stable = []string{"embed.js", "embed-use.js"}

// embedding adds what other sites load: the scripts of stable names, and the style for a calculator in a shadow root.
func (a *assets) embedding(web fs.FS, l phrase.Phrases) error {
	for _, name := range stable {
		data, err := fs.ReadFile(web, name)
		if err != nil {
			return fmt.Errorf("web: no %s in it; pages that embed calculators need it: %w", name, err)
		}
		if a.files[name], err = spoken(withoutRemarks(data), l); err != nil {
			return fmt.Errorf("web/%s: %w", name, err)
		}
	}
	var style bytes.Buffer
	for _, name := range []string{"tokens.css", "book.css", "sheet.css", "tables.css", "chart.css", "figures.css",
		drawingStyle,
		"embed/shadow.css"} {
		data, err := styleIn(web, name, l)
		if err != nil {
			return fmt.Errorf("embedded calculators are drawn with a style sheet that can't be had: %w", err)
		}
		style.Write(shadowed(data))
	}
	a.add("embed.css", append([]byte("book-html { all: initial }\n"), style.Bytes()...))
	return nil
}

// shadowed is a style sheet of the book for use in a shadow root. There an element <book-html> stands for the root of
// the page, and --rem for the length that the page around may have made another: a rem in a condition never depends on
// that and stays.
func shadowed(css []byte) []byte {
	var out []byte
	for start := 0; start < len(css); {
		end := start + segment(css[start:])
		part := string(css[start:end])
		switch {
		case !strings.HasSuffix(part, "{"):
			part = rems(part)
		case !strings.HasPrefix(strings.TrimSpace(part), "@"):
			part = selectors(part)
		}
		out = append(out, part...)
		start = end
	}
	return out
}

// segment is the length of the piece that css begins with: up to a brace or a semicolon, which belongs to it.
func segment(css []byte) int {
	var quote byte
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{' || c == '}' || c == ';':
			return i + 1
		}
	}
	return len(css)
}

// selectors replaces the root of a page in selectors, by an element of the same weight where the selector was one.
func selectors(text string) string {
	return words(strings.ReplaceAll(text, ":root", "html"), func(word string) string {
		if word == "html" {
			return "book-html"
		}
		return word
	})
}

// rems replaces lengths in rem.
func rems(text string) string {
	return words(text, func(word string) string {
		number, ok := strings.CutSuffix(word, "rem")
		if !ok || number == "" || strings.Trim(number, "+-.0123456789") != "" {
			return word
		}
		return "calc(" + number + " * var(--rem))"
	})
}

// words applies f to each word of a piece of CSS: names, and numbers with their units. Texts in quotes stay.
func words(text string, f func(string) string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		if q := text[i]; q == '"' || q == '\'' {
			end := strings.IndexByte(text[i+1:], q)
			if end < 0 {
				out.WriteString(text[i:])
				break
			}
			out.WriteString(text[i : i+end+2])
			i += end + 2
			continue
		}
		n := i
		for n < len(text) && wordByte(text[n]) {
			n++
		}
		if n == i {
			out.WriteByte(text[i])
			i++
			continue
		}
		out.WriteString(f(text[i:n]))
		i = n
	}
	return out.String()
}

func wordByte(c byte) bool {
	return c >= 0x80 || strings.IndexByte("-+._#", c) >= 0 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' ||
		'A' <= c && c <= 'Z'
}
