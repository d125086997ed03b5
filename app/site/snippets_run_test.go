package site

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

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
