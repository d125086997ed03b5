package site

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// call is where a script begins to name a sentence: phrase("site.saved").
var call = regexp.MustCompile(`\bphrase\("([a-z]+\.[a-z0-9-]+)"`)

// whole is a call that names a sentence without gaps, as a style sheet does.
var whole = regexp.MustCompile(call.String() + `\)`)

// spoken puts the sentences of a language into a script that names them: phrase("site.saved", { name }) becomes a text
// with the value of name in its gap. So a script has no table to load, and says nothing twice.
func spoken(script []byte, l phrase.Phrases) ([]byte, error) {
	var out bytes.Buffer
	for {
		at := call.FindSubmatchIndex(script)
		if at == nil {
			out.Write(script)
			return out.Bytes(), nil
		}
		key := string(script[at[2]:at[3]])
		values, n := arguments(string(script[at[1]:]))
		text, err := literal(l.Sentence(key), values)
		if n == 0 || err != nil || l.Sentence(key) == key {
			return nil, fmt.Errorf("a script names the sentence %s with other gaps than it has, or there is none (%v)", key, err)
		}
		out.Write(script[:at[0]])
		out.WriteString(text)
		script = script[at[1]+n:]
	}
}

// arguments are the values behind the key of a call, by the names of their gaps, and how long the rest of the call is.
func arguments(rest string) (values map[string]string, n int) {
	if strings.HasPrefix(rest, ")") {
		return nil, 1
	}
	inner, _, ok := strings.Cut(rest, " })")
	inner, opened := strings.CutPrefix(inner, ", { ")
	if !ok || !opened {
		return nil, 0
	}
	values = map[string]string{}
	for pair := range strings.SplitSeq(inner, ", ") {
		name, value, named := strings.Cut(pair, ": ")
		if !named {
			value = name
		}
		values[name] = value
	}
	return values, len(", { ") + len(inner) + len(" })")
}

// literal is a sentence as a script writes a text.
func literal(sentence string, values map[string]string) (string, error) {
	escape := strings.NewReplacer("\\", `\\`, "`", "\\`", "${", `\${`)
	text, filled := "`", 0
	for rest := sentence; rest != ""; {
		before, name, after := phrase.Gap(rest)
		text += escape.Replace(before)
		if value, ok := values[name]; ok {
			text += "${" + value + "}"
			filled++
		} else if name != "" {
			return "", fmt.Errorf("nothing fills the gap %s", name)
		}
		rest = after
	}
	if filled != len(values) {
		return "", fmt.Errorf("%d values for %d gaps", len(values), filled)
	}
	return text + "`", nil
}

// worded puts the sentences of a language into a style sheet that names them: content: phrase("site.printed") becomes a
// text in quotes.
func worded(css []byte, l phrase.Phrases) (out []byte, err error) {
	quotes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	out = whole.ReplaceAllFunc(css, func(found []byte) []byte {
		key := string(whole.FindSubmatch(found)[1])
		sentence := l.Sentence(key)
		if _, gap, _ := phrase.Gap(sentence); sentence == key || gap != "" {
			err = fmt.Errorf("a style sheet names the sentence %s, which has a gap, or there is none", key)
		}
		return []byte(`"` + quotes.Replace(sentence) + `"`)
	})
	return out, err
}

// Say is a sentence of the shell; a gap filled with HTML stays HTML.
func (s *shell) Say(key string, gaps ...any) template.HTML {
	var b strings.Builder
	for rest := s.phrases.Sentence(key); rest != ""; {
		before, name, after := phrase.Gap(rest)
		b.WriteString(template.HTMLEscapeString(before))
		for i := 0; i+1 < len(gaps); i += 2 {
			if value, isHTML := gaps[i+1].(template.HTML); gaps[i] == name && isHTML {
				b.WriteString(string(value))
			} else if gaps[i] == name {
				b.WriteString(template.HTMLEscapeString(s.phrases.Text(gaps[i+1])))
			}
		}
		rest = after
	}
	return template.HTML(b.String())
}

// text is a sentence of the shell that is not HTML: of a window's title, of a description.
func (s *shell) text(key string, gaps ...any) string { return s.phrases.Say(key, gaps...) }

// Link is a sentence that leads somewhere.
func (s *shell) Link(address, key string, gaps ...any) template.HTML {
	return template.HTML(`<a href="`+template.HTMLEscapeString(address)+`">`) + s.Say(key, gaps...) + `</a>`
}

// Tag is a text as an element: code, em.
func (s *shell) Tag(tag string, text any) template.HTML {
	open, closing := template.HTML("<"+tag+">"), template.HTML("</"+tag+">")
	if html, ok := text.(template.HTML); ok {
		return open + html + closing
	}
	return open + template.HTML(template.HTMLEscapeString(s.phrases.Text(text))) + closing
}

// TopLink leads from a calculator alone to its page, out of any frame.
func (v view) TopLink() template.HTML {
	return template.HTML(`<a href="` + template.HTMLEscapeString(v.URL) + `" target="_top">` +
		template.HTMLEscapeString(v.Page.Title) + `</a>`)
}
