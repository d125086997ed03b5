package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
)

func TestBasePath(t *testing.T) {
	for text, want := range map[string]string{
		"/": "/", "": "/", "/scalebook/": "/scalebook/", "scalebook": "/scalebook/", "/a/b": "/a/b/",
	} {
		if got, err := basePath(text); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"/a//b/", "/../", "https://x/", "/a b/", "/a?b/", `/"/`, "/<x>/", "."} {
		if got, err := basePath(text); err == nil {
			t.Errorf("%q was taken as %q", text, got)
		}
	}
}

// A value that can't be read is refused with what would be right.
func TestFlagFaults(t *testing.T) {
	for args, want := range map[string]string{
		"-tpot nan":   `-tpot is "nan"; write a time such as 50ms or 2s`,
		"-hit 100%":   `-hit is "100%"; write a number such as 0.5`,
		"-top many":   `-top is "many"; write a whole number such as 16`,
		"-top 1e99":   `-top is "1e99"; write a whole number such as 16`,
		"-apart=both": `-apart is "both"; write true or false`,
		"-ttft":       "flag needs an argument: -ttft; its flags are -added, -all, -apart",
	} {
		f := new(serveFlags).flags()
		if got := flagFault(f, f.Parse(strings.Fields(args))); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s; want %s", args, got, want)
		}
	}
}

// Within its limit a sheet's searches are done to the end, also those of its expects, and come to what they come to
// without one.
func TestEvalWithinItsLimit(t *testing.T) {
	const searches = `let N = 64 chip of 64, 128
search = training_search(training_job(llama3.8b, gpu.h100, N, 4194304, 8192, bf16, usual_software(gpu.h100)), off, 0%, 0)
found = count(training_plans(search)) > 0
`
	for expect, want := range map[string]int{
		"": ok, "expect found = true\nexpect found = true at N = 128\n": ok,
		"expect found = false at N = 128\n": failed,
	} {
		out, err, status := command(searches+expect, "eval", "-limit", "5m", "-set", "N=128", "-")
		if status != want || !strings.Contains(out, "found   yes") || strings.Contains(out+err, "left out") {
			t.Errorf("%q: exit %d, %s%s", expect, status, out, err)
		}
	}
}

// A batch is the number of whole sequences that is nearest to what was asked for, and its tokens are said once.
func TestNearestBatch(t *testing.T) {
	out, err, status := command("", "plan", "-model", "llama3.8b", "-chip", "h100", "-chips", "8", "-batch",
		"4M tokens", "-tokens", "1e30 tokens", "-top", "1")
	if status != ok || !strings.Contains(out, ": 488 sequences of 8192 tokens") ||
		!strings.Contains(out, "the nearest to 4M tokens that is made") ||
		!strings.Contains(out, "\n1e30 tokens take ") ||
		!strings.Contains(out, "e+") {
		t.Errorf("exit %d, %s%s", status, out, err)
	}
}

// What can't be written to is refused before anything is built.
func TestBuildLooksBeforeItBuilds(t *testing.T) {
	t.Chdir("..")
	out := t.TempDir()
	writeFile(t, out+"/mine.txt", "mine")
	took, ok := cputime.Within(2*time.Second, func() {
		if _, err, status := command("", "build", "-out", out); status != failed ||
			!strings.Contains(err, "left as it is") {
			t.Errorf("exit %d, %s", status, err)
		}
	})
	if !ok {
		t.Errorf("it was refused after %v", took)
	}
}

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

// TestEngineFlags: flags as engines have them are named in the words of this verb, and a value out of range by the name
// that was typed.
func TestEngineFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-tensor-parallel-size 8":      "here it is -plan tp=8",
		"-mem-fraction-static 0.8":     "here it is -gpu-memory-utilization",
		"-speculative-config {}":       "here it is -survival",
		"-enforce-eager":               "-log reads the whole command",
		"-gpu-memory-utilization 95":   "-gpu-memory-utilization 95: write a share",
		"-max-num-seqs -5":             "-max-num-seqs -5: write a number",
		"-share 95":                    "-share 95: write a share",
		"-engine llama.cpp":            "by -log with its start-up log or the command that starts it",
		"-engine abacus":               "or leave it out",
		"-no-such-flag 3 -engine vllm": "not defined: -no-such-flag; its flags are",
	} {
		var out, complaints strings.Builder
		given := append([]string{"-model", "qwen3.8b", "-chip", "gpu.h100", "-chips", "1"}, strings.Fields(args)...)
		status := servePlan(given, streams{in: strings.NewReader(""), out: &out, err: &complaints})
		if status == 0 || !strings.Contains(complaints.String(), want) {
			t.Errorf("%s: %d, %q, want %q", args, status, complaints.String(), want)
		}
	}
}

// An input is also set by a former name, as by links of then; where both are given, the present one counts.
func TestEvalTakesFormerNames(t *testing.T) {
	const renamed = "let N = 8 was n\nT = 2 * N\n"
	for sets, want := range map[string]string{
		"n=4": "2 · 4\n", "n=4 -set N=5": "2 · 5\n", "N=5 -set n=4": "2 · 5\n",
	} {
		out, err, status := command(renamed, strings.Fields("eval -set "+sets+" -")...)
		if status != ok || !strings.HasSuffix(out, want) {
			t.Errorf("%s: exit %d, %s%s", sets, status, out, err)
		}
	}
}
