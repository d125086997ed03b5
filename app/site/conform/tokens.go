package conform

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// tokens reads the text as it is written, and returns the elements, each with its depth: "3 p".
func (c *checker) tokens(page []byte) []string {
	z := html.NewTokenizer(bytes.NewReader(page))
	var open, written []string
	foreign := 0 // depth of the svg or math that we are in
	for n := 0; ; n++ {
		kind := z.Next()
		raw := string(z.Raw()) // Token changes it
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				c.fault("<%s> is not closed", open[len(open)-1])
			}
			return written
		case html.DoctypeToken:
			if n != 0 || token.Data != "html" {
				c.fault("the doctype is %q, in place %d", token.Data, n)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if n == 0 {
				c.fault("the page does not begin with a doctype")
			}
			written = append(written, fmt.Sprint(len(open), " ", strings.ToLower(token.Data)))
			c.twice(token.Data, raw)
			c.attributesOf(token, foreign > 0 || token.Data == "svg" || token.Data == "math")
			if c.void[token.Data] && foreign == 0 {
				continue
			}
			if kind == html.SelfClosingTagToken {
				if foreign == 0 && token.Data != "svg" && token.Data != "math" {
					c.fault("<%s/> is not closed: the slash means nothing here", token.Data)
				}
				continue
			}
			open = append(open, token.Data)
			if foreign == 0 && (token.Data == "svg" || token.Data == "math") {
				foreign = len(open)
			}
		case html.TextToken:
			if len(open) > 0 && c.children[open[len(open)-1]] != nil && strings.TrimSpace(token.Data) != "" {
				c.fault("<%s> holds the text %.40q, which belongs into one of its elements", open[len(open)-1], token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				c.fault("</%s> closes nothing here: open are %s", token.Data, strings.Join(open, " "))
				return written
			}
			if foreign == len(open) {
				foreign = 0
			}
			open = open[:len(open)-1]
		}
	}
}

// twice finds attributes that stand twice in a start tag; the tokenizer only gives the first.
func (c *checker) twice(element, raw string) {
	seen := map[string]bool{}
	rest := strings.TrimLeft(raw, "<")
	for _, rest = cutAny(rest, " \t\r\n\f/>"); rest != ""; {
		var name string
		name, rest = cutAny(strings.TrimLeft(rest, " \t\r\n\f/>"), " \t\r\n\f/>=")
		if name != "" && seen[strings.ToLower(name)] {
			c.fault("<%s> has %s twice", element, name)
		}
		seen[strings.ToLower(name)] = true
		rest = strings.TrimLeft(rest, " \t\r\n\f")
		value, ok := strings.CutPrefix(rest, "=")
		if !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\r\n\f")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			_, rest, _ = strings.Cut(value[1:], value[:1])
		} else {
			_, rest = cutAny(value, " \t\r\n\f>")
		}
	}
}

// cutAny cuts a text before the first of some characters.
func cutAny(text, chars string) (before, after string) {
	i := strings.IndexAny(text, chars)
	if i < 0 {
		i = len(text)
	}
	return text[:i], text[i:]
}

// attributesOf checks the attributes of a start tag, as it is written.
func (c *checker) attributesOf(token html.Token, foreign bool) {
	own, known := c.attributes[token.Data]
	if !known && !foreign {
		c.fault("<%s> is not an element that this book uses; if it should be, name it in the table", token.Data)
	}
	for _, a := range token.Attr {
		if rest, ok := strings.CutPrefix(a.Key, "aria-"); ok {
			c.ariaValue(token.Data, rest, a.Val)
		} else if known && !foreign && !own[a.Key] && !c.global[a.Key] && !strings.HasPrefix(a.Key, "data-") {
			c.fault("<%s> may not have %s", token.Data, a.Key)
		}
		if a.Key == "role" && !c.roles[a.Val] {
			c.fault("<%s> has the role %q, which is not known here", token.Data, a.Val)
		}
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
			c.fault("<%s> has %s, which the page's policy forbids", token.Data, a.Key)
		}
	}
	c.typed(token)
}

func (c *checker) ariaValue(element, name, value string) {
	if !c.aria[name] {
		c.fault("<%s> has aria-%s, which is not known here", element, name)
	}
	switch name {
	case "hidden", "disabled", "expanded", "pressed", "selected", "busy", "atomic", "modal", "readonly", "required", "multiline":
		if value != "true" && value != "false" {
			c.fault("<%s> has aria-%s=%q; write true or false", element, name, value)
		}
	case "live":
		if value != "polite" && value != "off" && value != "assertive" {
			c.fault("<%s> has aria-live=%q", element, value)
		}
	case "label":
		if strings.TrimSpace(value) == "" {
			c.fault("<%s> has an empty aria-label", element)
		}
	}
}

// typed checks attributes that only some kinds of a control may have.
func (c *checker) typed(token html.Token) {
	value := map[string]string{}
	for _, a := range token.Attr {
		value[a.Key] = a.Val
	}
	switch token.Data {
	case "input":
		allowed := map[string]string{"checkbox": "checked", "radio": "checked", "range": "min max step autocomplete",
			"number": "min max step autocomplete placeholder", "file": "accept"}[value["type"]]
		if t := value["type"]; t == "text" || t == "search" || t == "" {
			allowed = "size maxlength minlength placeholder pattern autocomplete list readonly"
		}
		for _, name := range strings.Fields("checked min max step autocomplete size maxlength minlength placeholder pattern list accept readonly") {
			if _, has := value[name]; has && !set(allowed)[name] {
				c.fault("<input type=%q> may not have %s", value["type"], name)
			}
		}
	case "button":
		if t := value["type"]; t != "button" && t != "submit" && t != "reset" {
			c.fault("<button> has type %q; write button, or it sends a form", t)
		}
	case "textarea":
		if w, has := value["wrap"]; has && w != "soft" && w != "hard" {
			c.fault("<textarea> has wrap=%q; the standard knows soft and hard", w)
		}
	case "th":
		if s := value["scope"]; s != "" && s != "row" && s != "col" && s != "rowgroup" && s != "colgroup" {
			c.fault("<th> has scope=%q", s)
		}
	}
}
