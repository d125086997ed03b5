package main

import (
	"fmt"
	"io"
)

// verb is what the command can do, as its help says it.
type verb struct {
	name     string
	takes    string   // what stands beside the flags: "FILE[#sheet-id]"
	does     string   // a line
	more     []string // paragraphs of its own help
	examples [2]string
	run      func(args []string, s streams) int
}

// verbs are all of them, in the order in which the help lists them.
func verbs() []verb {
	return []verb{
		{
			name: "serve", run: serve,
			does:     "builds and serves the book, and rebuilds it when a file changes",
			examples: [2]string{"", "-addr 127.0.0.1:9000 -base /scalebook/"},
		},
		{
			name: "build", run: build,
			does:     "writes the static site, ready for its base path",
			examples: [2]string{"-out dist -base /scalebook/", "-site https://example.org -date 2026-11-21"},
		},
		{
			name: "eval", takes: "FILE[#sheet-id]", run: eval,
			does: "evaluates a sheet of a .md or .sheet file, or of stdin (-), and prints its rows",
			more: []string{"The exit status is 1 if an expect doesn't hold, or if searches take longer than the limit."},
			examples: [2]string{
				"-set B=512 content/rooflines.md#matmul", "-json -limit 30s content/training-planner.md#training",
			},
		},
		{
			name: "check", takes: "[PATH]...", run: check,
			does:     "checks every sheet: parse, dimensions, every expect",
			more:     []string{"PATH is a file, a folder, or - for stdin; content if there is none."},
			examples: [2]string{"", "-json content/rooflines.md"},
		},
		{
			name: "model", takes: "FILE", run: countModel,
			does: "counts a model: parameters, KV cache, operations for each token",
			more: []string{"FILE is a config.json, a params.json, arguments of Megatron-LM or NeMo, metadata of GGUF, " +
				"- for stdin, or a name of the catalog."},
			examples: [2]string{"llama3.70b", "-context 32768 -dtype fp8 config.json"},
		},
		{
			name: "plan", run: planTraining,
			does: "finds the best plans to train a model, exactly, and says why the others fail",
			more: []string{
				"Each of -model, -chip and -chips may be a list with commas. The exit status is 1 if nothing fits.",
			},
			examples: [2]string{
				"-model llama3.70b -chip h100 -chips 1024 -by cost -tokens 15T",
				"-model llama3.70b -chip h100 -chips 1024 -plan dp=64,tp=8,pp=2 -stack megatron-2021",
			},
		},
		{
			name: "serve-plan", run: servePlan,
			does: "prices every way to serve a model on so many chips, and prints those that no other beats",
			more: []string{"The exit status is 1 if nothing fits."},
			examples: [2]string{
				"-model llama3.70b -chip h100 -chips 8 -ttft 2s -tpot 50ms -rate 10",
				"-model llama3.70b -chip h100 -plan tp=8 -gpu-memory-utilization 0.9 -max-model-len 32768",
			},
		},
		{
			name: "predict", takes: "FILE.jsonl", run: predict,
			does: "predicts measurements: a set-up a line in, intervals by metric out",
			more: []string{"FILE.jsonl may be - for stdin. With -errors there is none."},
			examples: [2]string{
				"runs.jsonl", "-errors",
			},
		},
		{
			name: "diff", takes: "OLD NEW", run: diffEditions,
			does: "compares the results of two built sites: which changed, which are new, which are gone",
			more: []string{"OLD and NEW are folders, addresses of home pages, or files data/results.json."},
			examples: [2]string{
				"old-dist dist", "-json https://example.org/scalebook/ dist",
			},
		},
		{
			name: "mcp", run: serveTools,
			does: "is a server of tools for assistants (Model Context Protocol) on stdin and stdout",
			more: []string{"It reads no files but the pages of the book that -content names; an assistant gives the text of a " +
				"sheet, a config.json, settings or a log itself."},
			examples: [2]string{"", "-content ~/scalebook/content -limit 1m"},
		},
		{
			name: "completion", takes: "SHELL", run: complete,
			does:     "prints what makes a shell complete verbs and flags: bash, zsh or fish",
			examples: [2]string{"bash > ~/.local/share/bash-completion/completions/scalebook", "fish | source"},
		},
		{
			name: "messages", run: messages,
			does: "gathers every sentence that readers see for translators, and merges it into their files",
			more: []string{"It writes po/scalebook.pot in the folder of the chapters, and has GNU gettext’s msgmerge bring " +
				"each .po beside it up to that: what changed becomes fuzzy."},
			examples: [2]string{"", "-by-page"},
		},
		{
			name: "version", run: printVersion,
			does: "prints the edition, its commit, and the Go that built the command",
		},
	}
}

// verbOf finds a verb by its name.
func verbOf(name string) (v verb, known bool) {
	for _, v := range verbs() {
		if v.name == name {
			return v, true
		}
	}
	return verb{}, false
}

func (s streams) run(args []string) int {
	if len(args) == 0 {
		s.usage(s.err)
		return misuse
	}
	switch args[0] {
	case "help":
		if len(args) == 2 {
			if v, known := verbOf(args[1]); known {
				return v.run([]string{"-h"}, s)
			}
			return s.unknownVerb(args[1])
		}
		fallthrough
	case "-h", "-help", "--help":
		s.usage(s.out)
		return ok
	}
	v, known := verbOf(args[0])
	if !known {
		return s.unknownVerb(args[0])
	}
	return v.run(args[1:], s)
}

func (s streams) unknownVerb(name string) int {
	s.complain("scalebook: unknown verb %q; the verbs are %s", name, verbNames(", ", " and "))
	return misuse
}

// usage prints what all verbs do.
func (s streams) usage(w io.Writer) {
	fmt.Fprint(w, "scalebook builds, serves and checks the book, and evaluates its sheets.\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  scalebook %-11s %s\n", v.name, v.does)
	}
	fmt.Fprint(w, "\n`scalebook VERB -h` lists the flags of a verb, with what holds if they are left out, and examples.\n"+
		"Flags may come before or after the file; - is stdin.\n")
}
