package conform

import (
	"strings"
	"testing"
)

func page(body string) []byte {
	return []byte("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>T</title></head><body><main><h1>One</h1>" + body + "</main></body></html>")
}

func TestGoodPages(t *testing.T) {
	for _, body := range []string{
		"", `<p id="a">Text <em>and</em> <a href="#a">link</a>.</p>`,
		`<details><summary>S</summary><p>x</p></details>`,
		`<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>`,
		`<label for="i">L</label><input id="i" type="text" size="3" aria-describedby="n"><p id="n"></p>`,
		`<p><math><mi>x</mi></math> <svg viewBox="0 0 1 1" role="img" aria-label="d"><path d="M0 0"/><title>t</title></svg></p>`,
		`<h2>Two</h2><h3>Three</h3><h2>Two</h2>`, `<template><p>in it</p></template>`,
	} {
		if faults := Check(page(body)); len(faults) > 0 {
			t.Errorf("%s: %q", body, faults)
		}
	}
}

func TestBadPages(t *testing.T) {
	for body, want := range map[string]string{
		`<p>a<div>b</div></p>`:               "another tree",
		`<p>a`:                               "closes nothing",
		`<span><div>b</div></span>`:          "holds only words",
		`<div/>`:                             "the slash means nothing",
		`<table><tr><td>1</td></tr></table>`: "another tree",
		`<table><tbody><tr>x</tr></tbody></table>`:                    "holds the text",
		`<ul><p>x</p></ul>`:                                           "stands directly in",
		`<li>x</li>`:                                                  "outside a list",
		`<a href="#"><button type="button">x</button></a>`:            "a control itself",
		`<button>x</button>`:                                          "it sends a form",
		`<p id="a"></p><p id="a"></p>`:                                "twice",
		`<p class="a" class="b"></p>`:                                 "twice",
		`<p id="a b"></p>`:                                            "spaces",
		`<p aria-describedby="no">x</p>`:                              "no such id",
		`<p aria-labeledby="x">x</p>`:                                 "not known",
		`<p aria-hidden="yes">x</p>`:                                  "true or false",
		`<p role="banana">x</p>`:                                      "role",
		`<p align="left">x</p>`:                                       "may not have",
		`<p style="color:red">x</p>`:                                  "policy",
		`<p onclick="x">x</p>`:                                        "policy",
		`<font>x</font>`:                                              "not an element",
		`<input type="text">`:                                         "no label",
		`<label>L <input type="checkbox" autocomplete="off"></label>`: "may not have autocomplete",
		`<label for="t">L</label><textarea id="t" wrap="off"></textarea>`: "soft and hard",
		`<img src="x">`: "no alt", `<h3>x</h3>`: "follows a heading", `<h1>x</h1>`: "2 headings", `<h2></h2>`: "is empty",
		`<details><p>x</p></details>`: "begin with its summary", `<button type="button"></button>`: "is empty", `<figcaption>x</figcaption>`: "not in a figure",
		`<dt>x</dt>`: "outside a list", `<th scope="cell">x</th>`: "scope", `<b><i>x</b></i>`: "closes nothing",
	} {
		faults := Check(page(body))
		if !strings.Contains(strings.Join(faults, "\n"), want) {
			t.Errorf("%s: %q, want %q", body, faults, want)
		}
	}
	for text, want := range map[string]string{
		"": "0 headings", "<p>x</p>": "doctype", "<!doctype html><html><head><title></title></head><body></body></html>": "language",
	} {
		if faults := Check([]byte(text)); !strings.Contains(strings.Join(faults, "\n"), want) {
			t.Errorf("%q: %q, want %q", text, faults, want)
		}
	}
}
