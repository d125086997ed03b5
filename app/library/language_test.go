package library

import (
	"os"
	"strings"
	"testing"
)

// TestLanguageListsEveryFunction: the reference's table has each function of the library, the laws with their
// parameters, and no law that there isn't.
func TestLanguageListsEveryFunction(t *testing.T) {
	file, err := os.ReadFile("../../content/language.md")
	if err != nil {
		t.Fatal(err)
	}
	env, laws, listed := New(), map[string]string{}, map[string]bool{}
	for _, l := range Laws() {
		var names []string
		for _, p := range l.Params() {
			names = append(names, p.Name)
		}
		laws[l.Name] = l.Name + "(" + strings.Join(names, ", ") + ")"
	}
	_, table, _ := strings.Cut(string(file), "Functions come from the book's library")
	table, _, _ = strings.Cut(table, "Dtypes at the end")
	for line := range strings.Lines(table) {
		for i, code := range strings.Split(line, "`") {
			name, _, call := strings.Cut(code, "(")
			if i%2 == 0 || !call {
				continue
			}
			if env.Funcs[name] == nil {
				t.Errorf("there is no %s", code)
			}
			listed[name] = true
			if want := laws[name]; want != "" && want != strings.Replace(code, "(m,", "(model,", 1) {
				t.Errorf("%s is called as %s", code, want)
			}
		}
	}
	for name := range env.Funcs {
		if !listed[name] {
			t.Errorf("the table of functions in content/language.md has no %s", name)
		}
	}
}
