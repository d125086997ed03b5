package conform

import (
	"strings"
	"testing"
)

func page(body string) []byte {
	return []byte(
		"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>T</title></head><body><main><h1>One</h1>" +
			body + "</main></body></html>",
	)
}

func TestGoodPages(t *testing.T) {
	for _, body := range []string{
		"", `<p id="a">Text <em>and</em> <a href="#a">link</a>.<br></p>`,
		`<p><math><mi>x</mi></math> <svg viewBox="0 0 1 1"><path d="M0 0"/><title>t</title></svg></p>`,
		`<h2>Two</h2><h3>Three</h3><h2>Two</h2>`, `<template><p>in it</p></template>`,
	} {
		if faults := Check(page(body)); len(faults) > 0 {
			t.Errorf("%s: %q", body, faults)
		}
	}
}

func TestBadPages(t *testing.T) {
	for body, want := range map[string]string{
		`<p>a`:                       "closes nothing",
		`<b><i>x</b></i>`:            "closes nothing",
		`<p style="color:red">x</p>`: "policy",
		`<p onclick="x">x</p>`:       "policy",
		`<h1>x</h1>`:                 "2 headings",
		`<h3>x</h3>`:                 "follows one of level 1",
	} {
		if faults := Check(page(body)); !strings.Contains(strings.Join(faults, "\n"), want) {
			t.Errorf("%s: %q, want %q", body, faults, want)
		}
	}
	if faults := Check([]byte("<!doctype html><p>x")); !strings.Contains(strings.Join(faults, "\n"), "is not closed") {
		t.Errorf("%q", faults)
	}
}
