package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// emptied is a program without what nobody runs, as one module, and how many functions of each kind went.
func emptied(t *testing.T, b *builder, program []byte) (less []byte, went map[string]int) {
	t.Helper()
	all, memory, _, err := optimized(program, release{})
	if err != nil {
		t.Fatal(err)
	}
	s := &splitter{}
	var ok bool
	if s.module, ok = readModule(all.write()); !ok || !s.regular() {
		t.Fatal("not read")
	}
	memory = s.dropUnused(memory, b.release, placed())
	went = map[string]int{}
	for i, name := range s.names {
		if s.isUnused(i) {
			kind, _, _ := strings.Cut(name, ".")
			went[kind]++
		}
	}
	*all.body(codeSection) = s.usedCode()
	if less, err = all.with(memory, nil); err != nil {
		t.Fatal(err)
	}
	return less, went
}

// Programs do what they did without what nobody runs: they compare values in interfaces and find them in maps, collect
// garbage, panic, and change goroutines.
func TestWithoutWhatNobodyRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	for _, name := range []string{"types", "stress"} {
		b, program := whole(t, name)
		less, went := emptied(t, b, program)
		if got, want := node(t, b, less), node(t, b, program); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		if went["runtime"] < 40 || went["type_"] < 5 {
			t.Errorf("%s: emptied were %v", name, went)
		}
		t.Logf("%s: emptied were %v", name, went)
	}
}

// A program that fails says why, as before, and ends with the same status. Where it stood nobody prints.
func TestFailureIsSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	b, program := whole(t, "fails")
	less, err := pack(program, b.release)
	if err != nil {
		t.Fatal(err)
	}
	quiet, _ := emptied(t, b, program)
	for argument, says := range map[string]string{
		"error": "panic: it broke\n", "text": "panic: somewhere\n",
		"index": "panic: runtime error: index out of range [2] with length 0\n",
	} {
		for name, p := range map[string][]byte{"packed": less, "emptied": quiet} {
			file := filepath.Join(t.TempDir(), "p.wasm")
			if err := os.WriteFile(file, p, 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(filepath.Join(b.goroot, "lib", "wasm", "go_js_wasm_exec"), file, argument)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
			out, err := cmd.CombinedOutput()
			var status *exec.ExitError
			if !errors.As(err, &status) || status.ExitCode() != 2 || !strings.HasPrefix(string(out), says) {
				t.Errorf("%s, %s: %v\n%s\nwant %q and status 2", argument, name, err, out, says)
			}
			if strings.Contains(string(out), "goroutine") == (name == "emptied") {
				t.Errorf("%s, %s: printed was\n%s", argument, name, out)
			}
		}
	}
}

// In the browser's program what was seen to run first stays, and each name in the list is one of its functions.
func TestWhatRanIsNotEmptied(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	b, _, program := browserProgram(t)
	s, ok := newSplitter(program, placed(), b.release, nil, true)
	if !ok {
		t.Fatal("not split")
	}
	in, never, there, unused, size := placed(), names(neverRun), 0, 0, 0
	for i, name := range s.names {
		if never[name] {
			there++
		}
		if s.isUnused(i) {
			unused++
			size += len(s.bodies[i])
			if in(name) == inFirst {
				t.Errorf("%s was seen to run, and is emptied", name)
			}
		}
	}
	if there < len(never)*9/10 || unused < 250 || size > 4*unused {
		t.Errorf("%d of %d functions in never.txt are there; %d functions of %d bytes are emptied", there, len(never),
			unused, size)
	}
	t.Logf("%d of %d functions in never.txt are there; %d are emptied", there, len(never), unused)
}

// What never.txt says of go-app holds as long as the browser's side uses no more of it than this. Whoever uses more
// takes out of the list what that runs.
func TestNoMoreOfGoApp(t *testing.T) {
	allowed := strings.Fields("app.Compo app.Composer app.Context app.Div app.Route app.RunWhenOnBrowser app.UI " +
		"ctx.Defer ctx.Dispatch ctx.PreventUpdate ctx.Update")
	use := regexp.MustCompile(`\bapp\.Div\(\)\.\w+|\b(app|ctx)\.[A-Z]\w*`)
	component := regexp.MustCompile(`(?s)struct \{\n\tapp\.Compo\n(.*?)\n\}`)
	field := regexp.MustCompile(`(?m)^\t[A-Z].*`)
	seen, components := 0, 0
	for _, pattern := range []string{"../*.go", "../../app/widget/browser/*.go", "../../app/widget/goapp/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") || !strings.Contains(string(text), "go-app/v10/pkg/app\"") {
				continue
			}
			for _, m := range component.FindAllStringSubmatch(string(text), -1) {
				components++
				if exported := field.FindString(m[1]); exported != "" {
					t.Errorf("%s: go-app would set a field that is exported: %s", file, exported)
				}
			}
			for _, m := range use.FindAllString(string(text), -1) {
				if seen++; !slices.Contains(allowed, m) && m != "app.Div().Body" {
					t.Errorf("%s uses %s", file, m)
				}
			}
		}
	}
	if seen < 40 || components < 2 {
		t.Errorf("found only %d uses and %d components", seen, components)
	}
}
