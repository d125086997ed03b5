package main

import (
	"strings"
	"testing"
	"time"
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
		"-ttft":       "flag needs an argument: -ttft; its flags are -all, -apart",
	} {
		f := new(serveWish).flags()
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
		"": ok, "expect found = true\nexpect found = true at N = 128\n": ok, "expect found = false at N = 128\n": failed,
	} {
		out, err, status := command(searches+expect, "eval", "-limit", "5m", "-set", "N=128", "-")
		if status != want || !strings.Contains(out, "found   yes") || strings.Contains(out+err, "left out") {
			t.Errorf("%q: exit %d, %s%s", expect, status, out, err)
		}
	}
}

// A batch is the number of whole sequences that is nearest to what was asked for, and its tokens are said once.
func TestNearestBatch(t *testing.T) {
	out, err, status := command("", "plan", "-model", "llama3.8b", "-chip", "h100", "-chips", "8", "-batch", "4M tokens",
		"-tokens", "1e30 tokens", "-top", "1")
	if status != ok || !strings.Contains(out, ": 488 sequences of 8192 tokens") ||
		!strings.Contains(out, "the nearest to 4M tokens that is made") || !strings.Contains(out, "\n1e30 tokens take ") ||
		!strings.Contains(out, "e+") {
		t.Errorf("exit %d, %s%s", status, out, err)
	}
}

// What can't be written to is refused before anything is built.
func TestBuildLooksBeforeItBuilds(t *testing.T) {
	t.Chdir("..")
	out := t.TempDir()
	writeFile(t, out+"/mine.txt", "mine")
	began := time.Now()
	if _, err, status := command("", "build", "-out", out); status != failed || !strings.Contains(err, "left as it is") {
		t.Errorf("exit %d, %s", status, err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it was refused after %v", took)
	}
}
