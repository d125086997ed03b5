package build

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A release is known by its name, whatever follows the first two numbers.
func TestReleaseOf(t *testing.T) {
	for version, want := range map[string]string{
		"go1.26": "go1.26", "go1.26.8\ntime 2026-11-01": "go1.26", "go1.27.3": "go1.27", "go1.27-custom": "go1.27",
		"go1.25.3\ntime": "", "go1.260\n": "", "go1.27rc1": "", "devel go1.28-0123 Sun Nov 22": "", "": "",
	} {
		if got := releaseOf(version); got.name != want || got.known() != (want != "") {
			t.Errorf("%q is %q, want %q", version, got.name, want)
		}
	}
}

// Versions that pages were opened with are named one by one.
func TestIsTried(t *testing.T) {
	r := release{name: "go1.26", tried: []string{"8"}}
	for version, want := range map[string]bool{
		"go1.26.8\ntime": true, "go1.26.8": true, "go1.26.80": false, "go1.26.9": false, "go1.26": false,
		"go1.27.8": false,
	} {
		if got := r.isTried(version); got != want {
			t.Errorf("%q: %t", version, got)
		}
	}
	if (release{}).isTried("go1.26.8") {
		t.Error("an unknown release was tried")
	}
}

// The Go that runs the tests is known, or one line says what that costs.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	for _, b := range []builder{
		{version: "go1.99.1\ntime", standIns: true},
		{version: "go1.99.1\ntime", why: "those here don't compile with it"},
		{version: "go1.27.3", release: releases[1], why: "a link can't be made"},
	} {
		line := b.leftOut(make([]byte, 1<<20))
		if !strings.Contains(line, "KB larger") || strings.Contains(line, "\n") || !strings.Contains(line, b.why) {
			t.Errorf("of %q it says %q", b.version, line)
		}
	}
	known := builder{version: "go1.27.3", release: releases[1], standIns: true}
	if line := known.leftOut(nil); line != "" {
		t.Errorf("nothing is left out, and it says %q", line)
	}
}

// The source of the Go that runs the tests has what the table of releases says of it.
func TestReleaseIsAsItsSourceSays(t *testing.T) {
	b, err := prepare(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	if !b.release.known() {
		t.Skip(b.leftOut(nil))
	}
	line, changes, err := Inspect(b.goroot, strings.Split(b.version, "\n")[0])
	if err != nil || len(changes) > 0 {
		t.Fatal(changes, err)
	}
	source, err := os.ReadFile("releases.go")
	if err != nil {
		t.Fatal(err)
	}
	if line = strings.TrimSuffix(line, "},"); !strings.Contains(string(source), line) {
		t.Errorf("the table has no line that begins with %s", line)
	}
}

// A field that moves is found, and named.
func TestInspectNamesWhatMoved(t *testing.T) {
	goroot, err := rootOf(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string][3]string{
		"a word more":     {"runtime/symtab.go", "\tfindfunctab  uintptr\n", "\tmore, findfunctab  uintptr\n"},
		"an unknown size": {"runtime/symtab.go", "\tminpc, maxpc uintptr\n", "\tminpc, maxpc uintptr\n\todd thing\n"},
		"no such field":   {"runtime/symtab.go", "\tfindfunctab  uintptr\n", "\tfindtab uintptr\n"},
		"another header":  {"runtime/symtab.go", "\tcuOffset       uintptr", "\tunitOffset       uintptr"},
		"another entry":   {"runtime/runtime2.go", "\tpcln      uint32\n", "\tpcln      uint64\n"},
		"another number":  {"internal/abi/symtab.go", "PCDATA_ArgLiveIndex  = 3", "PCDATA_ArgLiveIndex  = 5"},
		"one number more": {"internal/abi/symtab.go", "PCDATA_ArgLiveIndex  = 3",
			"PCDATA_ArgLiveIndex  = 3\n\tPCDATA_New = 9"},
		"another type":      {"internal/abi/type.go", "\tPtrToThis TypeOff", "\tPointer TypeOff"},
		"another method":    {"internal/abi/type.go", "\tIfn  TextOff", "\tIfn  uintptr"},
		"nothing that does": {"runtime/symtab.go", "package runtime\n", "package runtime\n\n"},
	} {
		dir := t.TempDir()
		for _, name := range []string{"runtime/symtab.go", "runtime/runtime2.go", "internal/abi/symtab.go",
			"internal/abi/type.go"} {
			text, err := os.ReadFile(filepath.Join(goroot, "src", name))
			if err != nil {
				t.Fatal(err)
			}
			if name == c[0] {
				if !strings.Contains(string(text), c[1]) {
					t.Skipf("the source of this release has no line %q", c[1])
				}
				text = []byte(strings.Replace(string(text), c[1], c[2], 1))
			}
			place := filepath.Join(dir, "src", name)
			if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(place, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		line, changes, err := Inspect(dir, "go1.30.2")
		switch {
		case err != nil || !strings.HasPrefix(line, `{name: "go1.30", findfunctab: `):
			t.Errorf("%s: %s, %v", what, line, err)
		case what == "a word more":
			if !strings.Contains(line, "findfunctab: 20") || len(changes) > 0 {
				t.Errorf("%s: %s, %v", what, line, changes)
			}
		case (what == "nothing that does") != (len(changes) == 0):
			t.Errorf("%s: %q", what, changes)
		}
	}
}

// Where Go lies in the module cache, as one does that Go fetched by itself, the program is the one that it is
// elsewhere.
func TestToolchainInTheModuleCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	t.Chdir("../..")
	goroot, cache := moduleCache(t)
	b, _, err := begin(t.Context(), goroot)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	if len(b.replaced) < 10 || !b.standIns {
		t.Fatalf("%d packages are replaced: %s", len(b.replaced), b.why)
	}
	if strings.HasPrefix(b.goroot, cache) {
		t.Fatalf("Go is still used by its name in the module cache, %s", b.goroot)
	}
	made, err := b.link(t.Context(), nil, func([]part) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := begin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(other.temp) })
	want, err := other.link(t.Context(), nil, func([]part) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(made, want) {
		t.Errorf("%d bytes, and %d where Go lies elsewhere", len(made), len(want))
	}
}

// moduleCache is a module cache like this one, which also holds this Go.
func moduleCache(t *testing.T) (goroot, cache string) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	real, root, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	cache = t.TempDir()
	link := func(from, to string) {
		if err := os.Symlink(from, to); err != nil {
			t.Skip(err)
		}
	}
	for _, from := range []string{real, filepath.Join(real, "golang.org")} {
		entries, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		below, _ := filepath.Rel(real, from)
		if err := os.MkdirAll(filepath.Join(cache, below), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "golang.org" && !strings.HasPrefix(e.Name(), "toolchain@") {
				link(filepath.Join(from, e.Name()), filepath.Join(cache, below, e.Name()))
			}
		}
	}
	goroot = filepath.Join(cache, "golang.org", "toolchain@v0.0.1-go1.99.0.test")
	link(root, goroot)
	t.Setenv("GOMODCACHE", cache)
	return goroot, cache
}

// A release that isn't known makes a program all the same, in one piece, and so does one that the stand-ins don't fit.
func TestUnknownReleaseMakesAProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	t.Chdir("../..")
	made, err := unknown(t, func(*builder) {})
	if err != nil || len(made.Later) > 0 || len(made.First) < 5_000_000 {
		t.Fatalf("%d bytes in the first module, %d more modules: %v", len(made.First), len(made.Later), err)
	}
	plain, err := unknown(t, func(b *builder) {
		for path, place := range b.standing {
			if filepath.Base(path) == "http.go" && place != "" {
				b.standing[path] = filepath.Join(b.module, "go.mod") // which isn't Go
			}
		}
	})
	if err != nil || len(plain.Later) > 0 || len(plain.First) < len(made.First)+1_000_000 {
		t.Errorf("without stand-ins %d bytes, with them %d: %v", len(plain.First), len(made.First), err)
	}
}

// unknown is what Program makes with this Go if nothing is known of its release, after a change, without the cache.
func unknown(t *testing.T, change func(*builder)) (Binary, error) {
	t.Helper()
	b, parts, err := begin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	b.release = release{}
	change(b)
	return b.made(t.Context(), parts, func(ctx context.Context, parts []part) (Binary, error) {
		program, err := b.link(ctx, parts, b.partSentences)
		if err != nil {
			return Binary{}, err
		}
		return b.packed(program, parts)
	})
}
