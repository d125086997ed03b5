package sheet

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A file of cases is text: `== name` begins a case, its sheet follows, then `--` and what is expected, line by line.

type sheetCase struct{ name, src, want string }

func readCases(t *testing.T, file string) []sheetCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []sheetCase
	for _, part := range strings.Split("\n"+string(data), "\n== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		src, want, ok := strings.Cut(rest+"\n", "\n--\n")
		if !ok {
			t.Fatalf("%s: %s has no --", file, name)
		}
		cases = append(cases, sheetCase{name, src + "\n", strings.TrimSpace(want)})
	}
	return cases
}

// runCases compares what show makes of each sheet with what the file expects, or rewrites the file with -update.
func runCases(t *testing.T, file string, show func(src string) string) {
	t.Helper()
	cases := readCases(t, file)
	var out strings.Builder
	for _, c := range cases {
		got := strings.TrimSpace(show(c.src))
		if got != c.want && !golden.Update() {
			t.Errorf("%s: %s\n%s got:\n%s\nwant:\n%s", file, c.name, c.src, got, c.want)
		}
		fmt.Fprintf(&out, "== %s\n%s--\n%s\n\n", c.name, c.src, got)
	}
	if golden.Update() {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRows(t *testing.T) {
	for _, file := range []string{"testdata/rows.txt", "testdata/row-errors.txt"} {
		runCases(t, file, func(src string) string {
			s, errs := Compile(src, testEnv())
			if s == nil {
				return showErrors(errs)
			}
			var b strings.Builder
			for _, r := range s.Eval(nil).Rows {
				if r.Err != nil {
					fmt.Fprintf(&b, "%s: no value, %v\n", r.Def.Name, r.Err)
					continue
				}
				fmt.Fprintf(&b, "%s = %s\n", r.Def.Name, exact(r.Value))
			}
			return b.String()
		})
	}
}

// exact is v with all its digits.
func exact(v value.Value) string {
	if v.Kind == value.Number {
		return fmt.Sprint(v.Num.Value) + strings.TrimRight(" "+v.Num.Dim.String()+" "+v.Num.Label.Over, " ")
	}
	return v.Kind.String() + " " + v.String()
}

func showErrors(errs []*Error) string {
	var b strings.Builder
	for _, e := range errs {
		fmt.Fprintf(&b, "%d:%d+%d: %s; %s\n", e.Pos.Line, e.Pos.Col, e.Pos.Len, e.What, e.Remedy)
	}
	return b.String()
}

func TestErrors(t *testing.T) {
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), "errors-") {
			continue
		}
		runCases(t, "testdata/"+f.Name(), func(src string) string {
			s, errs := Compile(src, testEnv())
			if (s == nil) != (len(errs) > 0) {
				t.Errorf("a sheet and errors, or neither, from:\n%s", src)
			}
			for _, e := range errs {
				if e.Remedy == nil {
					t.Errorf("no remedy: %v", e)
				}
			}
			return showErrors(errs)
		})
	}
}
