package site

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestShadowedStyle(t *testing.T) {
	for _, c := range []struct{ css, want string }{
		{":root { --tap: 2.75rem }", "book-html { --tap: calc(2.75 * var(--rem)) }"},
		{"html:not(.js) .a-html #html { x: y }", "book-html:not(.js) .a-html #html { x: y }"},
		{`html[data-theme="html"] { content: "1rem html"; margin: -0.5rem }`,
			`book-html[data-theme="html"] { content: "1rem html"; margin: calc(-0.5 * var(--rem)) }`},
		{"@media (max-width: 40rem) { html { font: 1rem/1.5 serif; } }",
			"@media (max-width: 40rem) { book-html { font: calc(1 * var(--rem))/1.5 serif; } }"},
		{"a { width: calc(1.5rem + 2.4vw); color: #1fe; x: 3em }",
			"a { width: calc(calc(1.5 * var(--rem)) + 2.4vw); color: #1fe; x: 3em }"},
		{`a::after { content: "}\"rem{"; }`, `a::after { content: "}\"rem{"; }`},
		{"", ""}, {"a { b: '", "a { b: '"},
	} {
		if got := string(shadowed([]byte(c.css))); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.css, got, c.want)
		}
	}
}

// The scripts of other sites keep their names, the worker keeps them too, and the style leaves nothing to the page
// around.
func TestEmbeddingFiles(t *testing.T) {
	files := render(t, testBook)
	for _, name := range stable {
		if len(files[name]) == 0 || listOf(files).Files[name] == "" {
			t.Errorf("%s is not published or not kept", name)
		}
	}
	style := 0
	for name, data := range files {
		if !strings.HasPrefix(name, "assets/embed.") {
			continue
		}
		style++
		if !bytes.HasPrefix(data, []byte("book-html { all: initial }")) || bytes.Contains(data, []byte(":root")) {
			t.Errorf("%s is no style for a shadow root", name)
		}
		if !bytes.Contains(files["embed/alpha/index.html"], []byte(name)) {
			t.Errorf("the page of a calculator doesn't name %s", name)
		}
	}
	if style != 1 {
		t.Errorf("%d styles", style)
	}
}

// What a calculator is from is named once, also where it stands on the book's first page.
func TestEmbedNamesTheBookOnce(t *testing.T) {
	files := render(t, realBook)
	for id, want := range map[string]string{
		"first-look": ">Scalebook</a>, edition",
		"roofs":      ">Rooflines</a> in Scalebook, edition",
	} {
		if page := files["embed/"+id+"/index.html"]; !bytes.Contains(page, []byte(want)) {
			t.Errorf("%s lacks %q", id, want)
		}
	}
}

// The lines that put a calculator into another page keep off the same attributes as the element that reads them.
func TestReservedAttributesAreTheSame(t *testing.T) {
	list := regexp.MustCompile(`const (?:ours|reserved) = new Set\(\[([^\]]+)\]\)`)
	var lists [2][]string
	for i, name := range [...]string{"embed.js", "embed-use.js"} {
		script, err := os.ReadFile(filepath.Join("../../web", name))
		if err != nil {
			t.Fatal(err)
		}
		found := list.FindSubmatch(script)
		if found == nil {
			t.Fatalf("%s has no list of attributes that are no inputs", name)
		}
		lists[i] = regexp.MustCompile(`"[a-z]+"`).FindAllString(string(found[1]), -1)
	}
	if !slices.Equal(lists[0], lists[1]) || len(lists[0]) < 10 {
		t.Errorf("embed.js has %v, embed-use.js %v", lists[0], lists[1])
	}
}
