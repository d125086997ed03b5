package main

import (
	"strings"
	"testing"
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
