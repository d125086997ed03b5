package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The help of a verb names all of its flags, and its examples use flags that it has.
func TestHelpOfEachVerb(t *testing.T) {
	for _, v := range verbs() {
		var out, errs bytes.Buffer
		if status := run([]string{v.name, "-h"}, strings.NewReader(""), &out, &errs); status != ok || errs.Len() > 0 {
			t.Errorf("%s -h: exit status %d, %s", v.name, status, &errs)
		}
		flags := flagsOf(v)
		for _, name := range flags {
			if !strings.Contains(out.String(), "\n  "+name) {
				t.Errorf("%s -h doesn't list %s", v.name, name)
			}
		}
		for _, example := range v.examples {
			for word := range strings.FieldsSeq(example) {
				if strings.HasPrefix(word, "-") && word != "-" && !slices.Contains(flags, word) {
					t.Errorf("an example of %s has a flag %s, which it doesn't know", v.name, word)
				}
			}
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(line)); n > helpWidth+1 && !strings.HasPrefix(line, "  scalebook ") { // but examples
				t.Errorf("%s -h has a line of %d letters: %s", v.name, n, line)
			}
		}
	}
}

// Bash completes verbs, and the flags of the verb that stands there.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	var script bytes.Buffer
	if status := run([]string{"completion", "bash"}, nil, &script, &script); status != ok {
		t.Fatal(script.String())
	}
	for _, c := range []struct{ words, want string }{
		{"(scalebook se)", "serve\nserve-plan\n"},
		{"(scalebook serve-plan -max-n)", "-max-num-batched-tokens\n-max-num-seqs\n"},
		{"(scalebook plan -st)", "-state\n-stack\n"},
		{"(scalebook version -x)", "\n"},
	} {
		cmd := exec.Command(bash, "-c", script.String()+"COMP_WORDS="+c.words+
			"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _scalebook; printf '%s\\n' \"${COMPREPLY[@]}\" | sort -u")
		out, err := cmd.CombinedOutput()
		sorted := map[string]bool{}
		for line := range strings.Lines(c.want) {
			sorted[line] = true
		}
		for line := range strings.Lines(string(out)) {
			if !sorted[line] {
				t.Errorf("%s is completed by %q", c.words, line)
			}
			delete(sorted, line)
		}
		if err != nil || len(sorted) > 0 {
			t.Errorf("%s: %v misses %v of %s", c.words, err, sorted, out)
		}
	}
}
