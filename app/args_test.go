package main

import "testing"

func TestBasePath(t *testing.T) {
	for text, want := range map[string]string{
		"/": "/", "": "/", "/scalebook/": "/scalebook/", "scalebook": "/scalebook/", "/a/b": "/a/b/",
	} {
		if got, err := basePath(text); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"/a//b/", "/../", "https://x/", "/a b/", "/a?b/", `/"/`, "/<x>/", "."} {
		if got, err := basePath(text); err == nil {
			t.Errorf("%q was taken as %q", text, got)
		}
	}
}
