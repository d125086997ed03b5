package book

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
	"github.com/scalebook/scalebook/app/golden"
)

// TestHostile checks that nesting and repetition take bounded time.
func TestHostile(t *testing.T) {
	for name, body := range map[string]string{
		"brackets":   strings.Repeat("[", 20000),
		"links":      strings.Repeat("[a](", 2000),
		"quotes":     strings.Repeat(">", 2000) + " x",
		"emphasis":   strings.Repeat("*a_", 2000),
		"directives": strings.Repeat(":::note\n", 500),
		"dollars":    strings.Repeat("$a ", 2000),
		"braces":     strings.Repeat("{{", 5000),
		"notes":      strings.Repeat("[^a]", 1500) + "\n\n[^a]: x",
		"lists":      strings.Repeat("- ", 500) + "x",
		"headings":   strings.Repeat("## same\n", 800),
		"cells": "|" + strings.Repeat("a|", 2000) + "\n|" + strings.Repeat("-|", 2000) + "\n" +
			strings.Repeat("|b", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			took, ok := cputime.Within(5*time.Second, func() {
				page := map[string][]byte{"x.md": []byte("---\ntitle: X\n---\n\n" + body)}
				b, _ := Load(folder(t, page), testConfig())
				wellFormed(t, b.Page("x").HTML)
			})
			if !ok {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
		})
	}
}

// TestErrors holds every testdata/errors/*.md to the problems that it has, and its page to being sound nevertheless.
func TestErrors(t *testing.T) {
	loaded(t, "testdata/errors/*.md", func(t *testing.T, file string, b *Book, problems []Problem) {
		var got strings.Builder
		for _, p := range problems {
			got.WriteString(p.String() + "\n")
		}
		golden.Check(t, strings.TrimSuffix(file, ".md")+".txt", got.String())
		for _, page := range b.Pages {
			wellFormed(t, page.HTML)
		}
	})
}

// FuzzMarkdown checks that no chapter, however odd, makes the builder panic or the page unsound.
func FuzzMarkdown(f *testing.F) {
	for _, pattern := range []string{"testdata/*.md", "testdata/errors/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(src))
		}
	}
	for _, body := range []string{
		"<script>alert(1)</script>", "[x](javascript:alert(1))", "![\"><img onerror=x>](a.png)",
		":::note \"><script>\nx\n:::",
		":::figure x\" onload=\"y {#a}\n:::", "{{a}}{{</script>}}", "# {#\"><b>}", "[^\"><b>]\n\n[^\"><b>]: x",
		"$\\text{<script>}$",
		":::erratum {where=\"<b>\" printed=\"</p><script>\"}\n:::", "```\"><script>\n<b>\n```", "[@\"><b>]",
		"a\n: b\n\n- > :::note\n  x", "| a |\n|--|\n| $|$ |",
	} {
		f.Add("---\ntitle: X\nkind: chapter\nnumber: 1\n---\n\n" + body)
	}
	f.Fuzz(func(t *testing.T, src string) {
		b, problems := Load(folder(t, map[string][]byte{"fuzz.md": []byte(src)}), testConfig())
		lines := strings.Count(strings.ReplaceAll(src, "\r\n", "\n"), "\n") + strings.Count(src, "\r") + 1
		for _, p := range problems {
			if p.File == "fuzz.md" && (p.Line < 1 || p.Col < 1 || p.Line > lines) {
				t.Errorf("a problem without a place: %v", p)
			}
		}
		for _, page := range b.Pages {
			if err := checkHTML(page.HTML); err != nil {
				t.Errorf("%v\n%s", err, page.HTML)
			}
			for _, e := range page.TOC {
				if err := checkHTML(e.HTML); err != nil {
					t.Errorf("contents: %v\n%s", err, e.HTML)
				}
			}
			for _, e := range page.Errata {
				if err := checkHTML(e.HTML); err != nil {
					t.Errorf("erratum: %v\n%s", err, e.HTML)
				}
			}
		}
		Sheets("fuzz.md", []byte(src))
	})
}

// TestFragments puts pieces of markup together at random, which reaches deeper than a fuzzer's bytes.
func TestFragments(t *testing.T) {
	pieces := []string{
		":::note Title\n", ":::\n", "::::problem {#p}\n", "::::\n", ":::answer\n", ":::figure figures/roof.svg {#f}\n",
		":::margin\n", ":::try\n",
		":::table T\n", ":::erratum {where=\"a\" printed=\"b\"}\n", "| a | b |\n|---|--:|\n| 1 | 2 |\n",
		"```go\nx := 1\n```\n", "```\n", "$$\n", "$x^2$", "$$y$$", "$",
		"{{far.y}}", "{{", "[^a]", "[^a]: note\n", "[^b]: note [^a]\n", "[@austin2025]", "[](#f)", "[x](other.md)", "[",
		"](", ")", "![x](y.png)",
		"## H {#h}\n", "### I\n", "- ", "1. ", "> ", "    ", "  ", "\n", "\n\n", "**", "*", "`", "\"", "'", "--", "<b>",
		"<!-- c -->", "<!--", "-->", "&lt;", "&", "<", ">",
		"word ", "Term\n: what\n", "\\", "\\\n", "***\n", "---\n", "===\n", "```sheet s\ntitle S\nlet x = 1\n```\n",
		"{{x}}", "\t", "|", "\u00a0", "é", "\x01", "<https://x.org>",
	}
	rng := rand.New(rand.NewSource(1))
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	fsys := folder(t, nil).(fstest.MapFS)
	for range rounds {
		src := "---\ntitle: X\n---\n\n"
		for range 3 + rng.Intn(30) {
			src += pieces[rng.Intn(len(pieces))]
		}
		fsys["x.md"] = &fstest.MapFile{Data: []byte(src)}
		b, _ := Load(fsys, testConfig())
		for _, page := range b.Pages {
			if err := checkHTML(page.HTML); err != nil {
				t.Fatalf("%v\n%s\nbecame\n%s", err, src, page.HTML)
			}
		}
	}
}
