package site

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A snippet is a fence of Python that names a sheet of the same page: its mesh and its specs are the snippet's.
var (
	snippetFence = regexp.MustCompile("(?ms)^```python ([a-z-]+)\n(.*?)^```$")
	sheetInput   = regexp.MustCompile(`(?m)^let (\w+) = "([^"]*)"`)
	makeMesh     = regexp.MustCompile(`make_mesh\(\(([^()]*)\), \(([^()]*)\)`)
	versioned    = regexp.MustCompile(`^# JAX \d+\.\d+\.\d+, run on eight CPU devices\n`)
	importsJAX   = regexp.MustCompile(`(?m)^import .*\bjax\b`)
)

// TestSnippetsHaveTheirSheet: of each snippet, the sheet of its name has the same mesh and only specs that stand in it.
func TestSnippetsHaveTheirSheet(t *testing.T) {
	tied := 0
	for page, text := range chapters(t) {
		for _, m := range snippetFence.FindAllStringSubmatch(text, -1) {
			_, sheet, ok := strings.Cut(text, "```sheet "+m[1])
			sheet, _, _ = strings.Cut(sheet, "\n```")
			if !ok {
				t.Errorf("%s: the snippet %s has no sheet", page, m[1])
				continue
			}
			if tied++; !shows(text, m[0]) {
				t.Errorf("%s: the page does not show what the snippet %s prints", page, m[1])
			}
			compareSnippet(t, page+", "+m[1], m[2], sheet)
		}
	}
	if tied < 6 {
		t.Errorf("only %d snippets have a sheet", tied)
	}
}

// shows says whether a page shows, right after a snippet, what it prints.
func shows(page, snippet string) bool {
	_, after, _ := strings.Cut(page, snippet)
	return strings.Contains(snippet, "print(") && strings.HasPrefix(after, "\n\n```text\n")
}

// TestProgramsSayTheirVersion: each program in JAX says with which version it was run, and the page what it printed,
// unless that was a time.
func TestProgramsSayTheirVersion(t *testing.T) {
	programs := 0
	for page, text := range chapters(t) {
		for _, f := range pythonFences(text) {
			if !importsJAX.MatchString(f.code) {
				continue
			}
			if programs++; !versioned.MatchString(f.code) {
				t.Errorf("%s: the first line does not say with which version of JAX it was run\n%s", page, f.code)
			}
			if f.prints == "" && !strings.Contains(f.code, "perf_counter") {
				t.Errorf("%s: the page does not show what this prints\n%s", page, f.code)
			}
		}
	}
	if programs < 10 {
		t.Errorf("only %d programs in JAX", programs)
	}
}

// compareSnippet compares a snippet with its sheet.
func compareSnippet(t *testing.T, where, code, sheet string) {
	t.Helper()
	plain := strings.ReplaceAll(code, `"`, "'")
	for _, input := range sheetInput.FindAllStringSubmatch(sheet, -1) {
		if input[1] == "mesh" && input[2] != meshOf(code) {
			t.Errorf("%s: the sheet's mesh is %s, the snippet's %s", where, input[2], meshOf(code))
		}
		axes := strings.TrimSuffix(strings.TrimPrefix(input[2], "P("), ")")
		pinned := strings.Contains(code, "def pin(") && strings.Contains(plain, ", "+axes+")")
		if strings.HasPrefix(input[2], "P(") && !strings.Contains(plain, input[2]) && !pinned {
			t.Errorf("%s: the spec %s of %s does not stand in the snippet", where, input[2], input[1])
		}
	}
}

// meshOf is the mesh that a snippet makes, as sheets write it: "X=4, Y=2".
func meshOf(code string) string {
	m := makeMesh.FindStringSubmatch(code)
	if m == nil {
		return ""
	}
	sizes, names := strings.Split(m[1], ", "), strings.Split(strings.ReplaceAll(m[2], `"`, ""), ", ")
	var axes []string
	for i := range min(len(sizes), len(names)) {
		axes = append(axes, names[i]+"="+sizes[i])
	}
	return strings.Join(axes, ", ")
}

// TestSnippetsAreSound: all programs in JAX can be read by Python; what is only a sketch imports nothing.
func TestSnippetsAreSound(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to read the snippets with")
	}
	const read = "import ast, sys; ast.parse(sys.stdin.read())"
	for page, text := range chapters(t) {
		for _, f := range pythonFences(text) {
			if !importsJAX.MatchString(f.code) {
				continue
			}
			cmd := exec.Command(python, "-c", read)
			cmd.Stdin = strings.NewReader(f.code)
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %s\n%s", page, bytes.TrimSpace(said), f.code)
			}
		}
	}
	if exec.Command(python, "-c", "import ast; ast.parse('x = = 1')").Run() == nil {
		t.Error("what is no Python passes")
	}
}

// chapters are the texts of the book's pages.
func chapters(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(realBook, "*.md"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no chapters", err)
	}
	all := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = string(data)
	}
	return all
}

// tried are the snippets that only define: what is run after them compares what they compute with the plain product. A
// snippet that is not named here runs as it stands.
var tried = map[string]string{
	"jax-constraint": `import jax.numpy as jnp
x, w_in, w_out = jnp.ones((8, 16)), jnp.ones((16, 32)), jnp.ones((32, 16))
assert jnp.allclose(mlp(x, w_in, w_out), jax.nn.relu(x @ w_in) @ w_out)`,
	"engine": `for name, prompt in dict(a=[7, 7, 9], b=[3, 1], c=[8, 8]).items():
    text = list(prompt)
    for token in replies[name]: # each is what the model says of all before it
        assert int(prefill(w, jnp.array(text))[0]) == token
        text.append(token)
assert [len(r) for r in replies.values()] == [4, 6, 3]`,
	"jax-auto": `assert y.shape == (64, 128)`,
}

// smaller makes the arrays of snippets small enough for eight devices that are one processor.
var smaller = strings.NewReplacer("32768", "128", "8192", "64", "range(16, 31, 2)", "range(10, 15, 2)")

// TestSnippetsRun runs every program in JAX on eight devices that JAX makes of the processor, where JAX is installed.
func TestSnippetsRun(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to run the snippets with")
	}
	if runSnippet(python, "raise SystemExit(1)") == nil {
		t.Error("a program that fails passes")
	}
	if runSnippet(python, "import jax") != nil {
		t.Skip("JAX is not installed: with it (pip install jax) this test runs every snippet")
	}
	compared := 0
	for page, text := range chapters(t) {
		for _, f := range pythonFences(text) {
			if !importsJAX.MatchString(f.code) {
				continue
			}
			said, err := snippetSays(python, smaller.Replace(f.code)+"\n"+tried[f.name])
			if err != nil {
				t.Errorf("%s, %s: %v", page, f.name, err)
			}
			if f.prints == "" {
				continue
			}
			if compared++; said != f.prints {
				t.Errorf("%s, %s prints\n%s\nand the page says\n%s", page, f.name, said, f.prints)
			}
		}
	}
	if compared == 0 {
		t.Error("no page says what its program prints")
	}
}

// TestTriedSnippetsAreThere: what is run after a snippet belongs to one.
func TestTriedSnippetsAreThere(t *testing.T) {
	named := map[string]bool{}
	for _, text := range chapters(t) {
		for _, f := range pythonFences(text) {
			named[f.name] = true
		}
	}
	for name := range tried {
		if !named[name] {
			t.Errorf("there is no snippet %s", name)
		}
	}
}

// runSnippet runs a program with eight devices; the error is what it said at the end.
func runSnippet(python, code string) error {
	_, err := snippetSays(python, code)
	return err
}

// snippetSays is what a program prints that runs with eight devices.
func snippetSays(python, code string) (string, error) {
	dir, err := os.MkdirTemp("", "snippet") // for what it writes
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command(python, "-")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XLA_FLAGS=--xla_force_host_platform_device_count=8", "JAX_PLATFORMS=cpu")
	cmd.Stdin = strings.NewReader(code)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	said, err := cmd.Output()
	if err != nil {
		end := errs.Bytes()
		return "", errors.New(string(bytes.TrimSpace(end[max(0, len(end)-2000):])) + ": " + err.Error())
	}
	return strings.TrimSpace(string(said)), nil
}

// pythonFence is a program in a page, with the name of its sheet if it has one, and with what the page says that it
// prints.
type pythonFence struct{ name, code, prints string }

func pythonFences(text string) []pythonFence {
	var all []pythonFence
	for _, part := range strings.Split(text, "\n```python")[1:] {
		name, code, _ := strings.Cut(part, "\n")
		code, after, _ := strings.Cut(code, "\n```")
		prints, _ := strings.CutPrefix(after, "\n\n```text\n")
		if prints == after {
			prints = ""
		}
		prints, _, _ = strings.Cut(prints, "\n```")
		all = append(all, pythonFence{strings.TrimSpace(name), code + "\n", prints})
	}
	return all
}
