package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// policy is that of every page; it names the one script that stands in the page itself by its hash.
const policy = "default-src 'none'; script-src 'self' 'sha256-%s' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'"

// Every page has the strict policy first in its head and nothing that the policy forbids; nothing is loaded from
// elsewhere.
func TestPagesAreStrict(t *testing.T) {
	theme := inlineScript(t)
	sum := sha256.Sum256([]byte(theme))
	want := fmt.Sprintf(policy, base64.StdEncoding.EncodeToString(sum[:]))
	for name, doc := range pagesOf(t, render(t, realBook)) {
		var head *html.Node
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			switch n.Data {
			case "head":
				head = n
			case "script":
				src, named := attr(n, "src")
				if inline := n.FirstChild; named != (inline == nil) || named && !strings.HasPrefix(src, base) ||
					inline != nil && inline.Data != theme {
					t.Errorf("%s: a script that is inline or foreign: %q", name, src)
				}
			case "style", "iframe", "object", "embed", "base":
				t.Errorf("%s: <%s>", name, n.Data)
			case "link", "img", "source", "video", "audio":
				for _, key := range []string{"href", "src", "srcset"} {
					if url, ok := attr(n, key); ok && !strings.HasPrefix(url, base) && !strings.HasPrefix(url, "data:") {
						t.Errorf("%s: <%s> loads %q", name, n.Data, url)
					}
				}
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") ||
					strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
		first := head.FirstChild
		for first != nil && first.Type != html.ElementNode {
			first = first.NextSibling
		}
		if content, _ := attr(first, "content"); content != want {
			t.Errorf("%s: the first element of the head is not the policy: %q", name, content)
		}
	}
}

// inlineScript is the script that may stand in a page: web/theme.js, without remarks, and with its sentences.
func inlineScript(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../web/" + themeScript)
	if err != nil {
		t.Fatal(err)
	}
	spoken, err := spoken(withoutRemarks(data), options(t, realBook).Phrases)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(spoken))
}

// The style sheet and the scripts load nothing from elsewhere either.
func TestAssetsStayHome(t *testing.T) {
	for name, data := range render(t, realBook) {
		if !strings.HasSuffix(name, ".css") && !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, foreign := range []string{"http://", "https://", "url(//", "@import"} {
			if bytes.Contains(data, []byte(foreign)) && !strings.Contains(name, "wasm_exec") {
				t.Errorf("%s mentions %s", name, foreign)
			}
		}
	}
}
