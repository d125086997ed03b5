package site

import (
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
)

func TestSpoken(t *testing.T) {
	l := phrase.Read("site.a\tIt`s ${X} \\ {name}, {n}.\nsite.b\tB\n")
	for script, want := range map[string]string{
		`f(phrase("site.b"))`:                          "f(`B`)",
		`phrase("site.a", { name, n: x.y("q") });`:     "`It\\`s \\${X} \\\\ ${name}, ${x.y(\"q\")}.`;",
		`phrase("site.b") + phrase("site.b")`:          "`B` + `B`",
		`phrases("site.b"); aphrase("site.b")`:         `phrases("site.b"); aphrase("site.b")`,
		`phrase("site.b", {name})`:                     "",
		`phrase("site.nobody")`:                        "",
		`phrase("site.a", { name })`:                   "",
		`phrase("site.b", { name })`:                   "",
		`phrase("site.a", { name, n, more: "x" + y })`: "",
	} {
		if got, err := spoken([]byte(script), l); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s became %s (%v), want %s", script, got, err, want)
		}
	}
}

func TestWorded(t *testing.T) {
	l := phrase.Read("site.a\tA \"b\" \\ c.\nsite.b\tB {x}\n")
	for css, want := range map[string]string{
		`a::after { content: phrase("site.a"); }`: `a::after { content: "A \"b\" \\ c."; }`,
		`a { content: "phrase"; }`:                `a { content: "phrase"; }`,
		`a { content: phrase("site.b"); }`:        "",
		`a { content: phrase("site.nobody"); }`:   "",
	} {
		if got, err := worded([]byte(css), l); err == nil && string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s became %s (%v), want %s", css, got, err, want)
		}
	}
}
