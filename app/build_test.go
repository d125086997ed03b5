package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	wasm "github.com/scalebook/scalebook/wasm/build"
)

// buffer is a stream that one goroutine writes and another reads.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// within waits until f is true, however busy the machine is.
func within(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

const chapter = "---\ntitle: Home\nkind: home\n---\n\n```sheet a\ntitle A\nlet x = 2\ny = x * WHAT\n```\n\nIt is " +
	"{{y}}.\n"

func writeChapter(t *testing.T, what string) {
	t.Helper()
	writeFile(t, "content/index.md", strings.Replace(chapter, "WHAT", what, 1))
}

// serve rebuilds when a file changes; while something is wrong it says so in the terminal and in the page.
func TestServeFollowsChanges(t *testing.T) {
	web, err := filepath.Abs("../web")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("web", os.DirFS(web)); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "go.mod", "module m\n")
	writeFile(t, "app/x.go", "package x\n")
	writeFile(t, "wasm/x.go", "package x\n")
	writeChapter(t, "21")
	var stdout, stderr buffer
	compiled := make(chan bool, 100)
	w := &workshop{
		streams: streams{out: &stdout, err: &stderr}, base: "/b/",
		compile: func(context.Context) (browserProgram, error) {
			compiled <- true
			if _, err := os.Stat("wasm/broken.go"); err == nil {
				return browserProgram{}, errors.New("wasm/broken.go:1:1: no Go")
			}
			return browserProgram{Binary: wasm.Binary{First: []byte("wasm")}, exec: []byte("js")}, nil
		},
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- serveUntil(ctx, "127.0.0.1:0", w) }()
	var home string
	within(t, "the address is printed", func() bool {
		home = regexp.MustCompile(`http://127\.0\.0\.1:\d+/b/`).FindString(stdout.String())
		return home != ""
	})
	get := func() (int, string) {
		r, err := http.Get(home)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(body)
	}
	if status, body := get(); status != 200 || !strings.Contains(body, ">42</data>") {
		t.Errorf("status %d, %s", status, body)
	}
	writeChapter(t, "50")
	within(t, "the new number is there", func() bool { _, body := get(); return strings.Contains(body, ">100</data>") })
	writeChapter(t, "nope")
	within(t, "the page says what is wrong", func() bool {
		status, body := get()
		return status == 500 && strings.Contains(body, "content/index.md:9:9")
	})
	if !strings.Contains(stderr.String(), "content/index.md:9:9: unknown name `nope`") {
		t.Errorf("the terminal says %s", stderr.String())
	}
	writeChapter(t, "3")
	within(
		t,
		"the page is back",
		func() bool { status, body := get(); return status == 200 && strings.Contains(body, ">6</data>") },
	)
	if n := len(compiled); n != 1 {
		t.Errorf("the program was compiled %d times although no Go has changed", n)
	}
	writeFile(t, "wasm/broken.go", "nonsense")
	within(
		t,
		"the compiler's complaint is there",
		func() bool { status, body := get(); return status == 500 && strings.Contains(body, "broken.go:1:1") },
	)
	if _, err := listen(strings.TrimSuffix(strings.TrimPrefix(home, "http://"), "/b/")); err == nil ||
		!strings.Contains(err.Error(), "in use; ") {
		t.Errorf("a busy port: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopping: %v", err)
	}
}

func TestVersion(t *testing.T) {
	var out, complaint strings.Builder
	if status := run([]string{"version"}, nil, &out, &complaint); status != ok || complaint.Len() > 0 {
		t.Fatalf("%d %s", status, &complaint)
	}
	line := regexp.MustCompile(`^scalebook \S+, commit ([0-9a-f]{40}( with changes)?|unknown), (\S+) \w+/\w+\n$`)
	if m := line.FindStringSubmatch(out.String()); m == nil || m[3] != runtime.Version() {
		t.Errorf("it says %q", &out)
	}
	if status := run([]string{"version", "now"}, nil, &out, &complaint); status != misuse {
		t.Errorf("with an argument it exits with %d", status)
	}
}

// A binary says which source it was built from.
func TestBuilt(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
	}}
	if version, commit := built(info); version != "v1.2.3" || commit != "abc with changes" {
		t.Errorf("%q %q", version, commit)
	}
	if version, commit := built(&debug.BuildInfo{}); version != "development" || commit != "" {
		t.Errorf("%q %q", version, commit)
	}
}
