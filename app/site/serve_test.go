package site

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask makes one request without following redirections.
func ask(s *Server, method, path string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func sample() *Server {
	s := &Server{}
	s.Show("/b/", Files{
		"index.html": []byte("home"), "one/index.html": []byte("chapter one"), "404.html": []byte("no such page"),
		"assets/p.wasm": []byte(strings.Repeat("wasm", 1000)), "assets/x.png": []byte("png"),
		"assets/s.css": []byte("css"),
	})
	return s
}

func TestServerAnswers(t *testing.T) {
	s := sample()
	for _, c := range []struct {
		path   string
		status int
		mime   string
		body   string // or where it is redirected to
	}{
		{"/b/", 200, "text/html; charset=utf-8", "home"},
		{"/b/one/", 200, "text/html; charset=utf-8", "chapter one"},
		{"/b/one/?one.B=2", 200, "text/html; charset=utf-8", "chapter one"},
		{"/b/one", 301, "", "/b/one/"},
		{"/b/one?one.B=2", 301, "", "/b/one/?one.B=2"},
		{"/", 302, "", "/b/"},
		{"/b", 302, "", "/b/"},
		{"/b/two/", 404, "text/html; charset=utf-8", "no such page"},
		{"/elsewhere", 404, "text/html; charset=utf-8", "no such page"},
		{"/b/assets/p.wasm", 200, "application/wasm", strings.Repeat("wasm", 1000)},
		{"/b/assets/x.png", 200, "image/png", "png"},
		{"/b/assets/s.css", 200, "text/css; charset=utf-8", "css"},
	} {
		r := ask(s, "GET", c.path)
		if r.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d", c.path, r.StatusCode, c.status)
			continue
		}
		if c.status/100 == 3 {
			if got := r.Header.Get("Location"); got != c.body {
				t.Errorf("%s: to %q, want %q", c.path, got, c.body)
			}
			continue
		}
		body, _ := io.ReadAll(r.Body)
		if got := r.Header.Get("Content-Type"); got != c.mime || string(body) != c.body {
			t.Errorf("%s: %s %.20q, want %s %.20q", c.path, got, body, c.mime, c.body)
		}
		if r.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: may be cached", c.path)
		}
	}
}

func TestServerCompressesAndRevalidates(t *testing.T) {
	s := sample()
	r := ask(s, "GET", "/b/assets/p.wasm", "Accept-Encoding", "br, gzip")
	if r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("Content-Type") != "application/wasm" {
		t.Fatalf("headers %v", r.Header)
	}
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(z); err != nil || string(body) != strings.Repeat("wasm", 1000) {
		t.Errorf("it unpacks to %.20q, %v", body, err)
	}
	tag := r.Header.Get("ETag")
	if r := ask(s, "GET", "/b/assets/p.wasm", "Accept-Encoding", "gzip", "If-None-Match",
		tag); r.StatusCode != http.StatusNotModified {
		t.Errorf("an unchanged file: status %d", r.StatusCode)
	}
	if r := ask(s, "GET", "/b/assets/p.wasm", "If-None-Match", tag); r.StatusCode != http.StatusOK {
		t.Errorf("the other encoding under the same tag: status %d", r.StatusCode)
	}
	if r := ask(s, "HEAD", "/b/"); r.StatusCode != 200 || r.Header.Get("Content-Length") != "4" {
		t.Errorf("HEAD: %v %v", r.StatusCode, r.Header)
	}
	if r := ask(s, "POST", "/b/"); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %v", r.StatusCode)
	}
}

func TestServerShowsProblemsAndComesBack(t *testing.T) {
	var s Server
	if r := ask(&s, "GET", "/"); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("before the first build: %d", r.StatusCode)
	}
	s.Show("/b/", Files{"index.html": []byte("home"), "a.css": []byte("css")})
	s.Fail("/b/", "x.md:1:2: <b>wrong</b>; better")
	r := ask(&s, "GET", "/b/")
	body, _ := io.ReadAll(r.Body)
	if r.StatusCode != 500 || !strings.Contains(string(body), "x.md:1:2: &lt;b&gt;wrong") {
		t.Errorf("status %d, %s", r.StatusCode, body)
	}
	if r := ask(&s, "GET", "/b/a.css"); r.StatusCode != 200 {
		t.Errorf("the last good style sheet is gone: %d", r.StatusCode)
	}
	s.Show("/b/", Files{"index.html": []byte("mended")})
	if body, _ := io.ReadAll(ask(&s, "GET", "/b/").Body); string(body) != "mended" {
		t.Errorf("after mending: %s", body)
	}
}
