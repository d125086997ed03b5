package site

import (
	"net/url"
	"strings"
	"testing"
)

// All internal links lead somewhere, fragments included.
func TestLinksResolve(t *testing.T) {
	files := render(t, realBook)
	pages := pagesOf(t, files)
	ids := map[string]map[string]bool{}
	for name, doc := range pages {
		ids[name] = map[string]bool{}
		for n := range doc.Descendants() {
			if id, ok := attr(n, "id"); ok {
				if ids[name][id] {
					t.Errorf("%s: two elements have the id %q", name, id)
				}
				ids[name][id] = true
			}
		}
	}
	for name, doc := range pages {
		for n := range doc.Descendants() {
			for _, key := range []string{"href", "src", "data-wasm", "data-exec"} {
				if link, ok := attr(n, key); ok {
					checkLink(t, files, ids, name, link)
				}
			}
			for _, key := range []string{"for", "aria-labelledby", "aria-describedby", "aria-controls", "list"} {
				refs, _ := attr(n, key)
				for ref := range strings.FieldsSeq(refs) {
					if n.Namespace != "svg" && !ids[name][ref] {
						t.Errorf("%s: <%s %s=%q>: there is no such id", name, n.Data, key, ref)
					}
				}
			}
		}
	}
}

func checkLink(t *testing.T, files Files, ids map[string]map[string]bool, from, link string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Errorf("%s: %q: %v", from, link, err)
		return
	}
	if u.Scheme != "" || u.Host != "" {
		if u.Scheme != "https" && u.Scheme != "mailto" {
			t.Errorf("%s: %q is no secure address", from, link)
		}
		return
	}
	target := from
	if u.Path != "" {
		inside, ok := strings.CutPrefix(u.Path, base)
		if !ok {
			t.Errorf("%s: %q is not below the base path", from, link)
			return
		}
		target = inside
		if target == "" || strings.HasSuffix(target, "/") {
			target += "index.html"
		}
	}
	if _, ok := files[target]; !ok {
		t.Errorf("%s: %q leads nowhere", from, link)
		return
	}
	if u.Fragment != "" && !ids[target][u.Fragment] {
		t.Errorf("%s: %q: the page has no such id", from, link)
	}
}
