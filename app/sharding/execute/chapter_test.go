package execute

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sharding"
)

// fences are the blocks of a language in a page.
func fences(page, language string) []string {
	var all []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(page, -1) {
		all = append(all, m[1])
	}
	return all
}

func problemsPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../content/collective-problems.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// What the program of the page prints is what chips compute that see only what their group holds.
func TestProgramOfThePage(t *testing.T) {
	m, _ := sharding.ParseMesh("X=4", nil)
	sizes, _ := sharding.ParseSizes("I=4, J=4, K=4", nil)
	e, err := sharding.ParseEinsum("A[I, J_X] . B[J_X, K] -> C[I_X, K]", sizes, m)
	if err != nil {
		t.Fatal(err)
	}
	a, b := NewTensor(4, 4), NewTensor(4, 4)
	for i := range a.Data {
		a.Data[i], b.Data[i] = float64(i), float64(i%5)
	}
	left, _ := Place(a, &e.A, m, nil)
	right, _ := Place(b, &e.B, m, nil)
	c, err := Run(e, scattered(t, e, m), left, right)
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	for chip, s := range c.Shards {
		fmt.Fprintln(&printed, chip, s.Data)
	}
	shown := strings.NewReplacer("[[", "[", "]]", "]").Replace(fences(problemsPage(t), "text")[0])
	if got, want := words(printed.String()), words(shown); got != want {
		t.Errorf("chips compute\n%s, the page prints\n%s", got, want)
	}
}

// words is a text with one space between its words.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// scattered are the steps that multiply first and then reduce-scatter.
func scattered(t *testing.T, e *sharding.Einsum, m *sharding.Mesh) []sharding.Step {
	t.Helper()
	for _, s := range sharding.NewPlan(e, sharding.Chip{Peak: 1}, sharding.Free(m), sharding.Options{}).Strategies {
		if len(s.Steps) == 2 && s.Steps[0].Kind == sharding.Multiply && s.Steps[1].Kind == sharding.ReduceScatter {
			return s.Steps
		}
	}
	t.Fatal("no way that multiplies and then reduce-scatters")
	return nil
}

// The programs of the page are Python. Whether they are is asked of Python itself, where there is one.
func TestProgramsAreCode(t *testing.T) {
	programs := fences(problemsPage(t), "python")
	if len(programs) != 2 {
		t.Fatalf("%d programs", len(programs))
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to read the programs of the page")
	}
	for _, p := range programs {
		c := exec.Command(python, "-c", "import ast, sys; ast.parse(sys.stdin.read())")
		c.Stdin = strings.NewReader(p)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %s\n%s", err, out, p)
		}
	}
}
