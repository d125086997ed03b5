// Command scalebook builds, serves and checks the book, and evaluates its sheets.
//
//	go run ./app serve                                   the book on http://127.0.0.1:8080/, rebuilt when a file changes
//	go run ./app build -out dist -base /scalebook/       the static site
//	go run ./app eval -set B=512 FILE#sheet-id           one sheet, row by row; FILE may be - for stdin
//	go run ./app check                                   every sheet of the content: parse, dimensions, every expect
//	go run ./app model config.json                       what a model has and takes; - for stdin, or a name of the catalog
//	go run ./app plan -model llama3.70b -chip h100 -chips 1024   the best plans to train a model, exactly, and why others fail
//	go run ./app serve-plan -model llama3.70b -chips 8   every way to serve a model on so many chips, and what it costs
//	go run ./app predict FILE.jsonl                      what each set-up of a file of measurements should reach; - for stdin
//	go run ./app version                                 the edition, its commit, and the Go that built the command
//
// Errors go to stderr as `file:line:col: what; what would be valid`. The exit status is 0, 1 after a failure, and 2
// when the command itself was wrong.
package main

import (
	"fmt"
	"io"
	"os"
)

// The exit statuses.
const (
	ok     = 0
	failed = 1
	misuse = 2
)

const usage = `scalebook builds, serves and checks the book, and evaluates its sheets.

  scalebook serve [-addr 127.0.0.1:8080] [-base /]                    builds and serves the book, rebuilds when a file changes
  scalebook build [-out dist] [-base /scalebook/] [-kill]             writes the static site, ready for that base path
                  [-site https://host] [-repo URL] [-date DAY]        says where and when it is published, for feeds and links
  scalebook eval  [-set name=value]... [-json] FILE[#sheet-id]        evaluates a sheet of a .md or .sheet file, or of stdin (-)
                  [-limit 10s]                                        how long its searches may take
  scalebook check [-json] [PATH]...                                   checks every sheet: parse, dimensions, every expect
  scalebook model [-json] [-context 4096] [-dtype bf16] FILE          counts a model: a config.json, stdin (-), or a catalog's name
  scalebook plan -model M -chip C -chips N [-batch 4M] [-json|-csv]   finds the best plans to train a model; each list may have commas
                 [-sequence 8192] [-dtype bf16] [-stack megatron]     what is trained, and by which software
                 [-by time|cost|memory] [-top 10] [-max-tp 8]         what the best have least of, and under which limits
                 [-margin 0.05] [-all] [-part 1/8] [-tokens 15T]      a share of the search; days and dollars of a run
                 [-plan dp=64,tp=8,...]                               judges this plan instead, and says what speaks against it
                 [-settings FILE] [-state learn=lora] [-set show_dp=50%]  a run by its settings; what learns; constants of your own
  scalebook serve-plan -model NAME [-chip gpu.h100] [-chips 8]        prices every way to serve a model: plans, batches, together or apart
                  [-in 1024] [-out 1024] [-hit 0] [-weights bf16] [-engine vllm] [-ttft 2s] [-tpot 50ms] [-rate 10]
                  [-apart] [-all] [-json | -csv] [-part i/n]
  scalebook predict FILE.jsonl                                        predicts measurements, a set-up a line; - for stdin
  scalebook version                                                   the edition, its commit, and the Go that built it
  scalebook predict -errors                                           how far predictions of training lie from measurements

Flags may come before or after the file. PATH is content if none is given; - is stdin.
`

// streams are what a verb reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// complain writes one line to stderr.
func (s streams) complain(format string, args ...any) { fmt.Fprintf(s.err, format+"\n", args...) }

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command: its arguments without the program's name, its streams, its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, err := &printed{to: stdout}, &printed{to: stderr}
	defer out.flush()
	defer err.flush()
	return streams{stdin, out, err}.run(args)
}

func (s streams) run(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(s.err, usage)
		return misuse
	}
	verb, rest := args[0], args[1:]
	switch verb {
	case "version":
		return printVersion(rest, s)
	case "serve":
		return serve(rest, s)
	case "build":
		return build(rest, s)
	case "eval":
		return eval(rest, s)
	case "check":
		return check(rest, s)
	case "model":
		return countModel(rest, s)
	case "plan":
		return planTraining(rest, s)
	case "serve-plan":
		return servePlan(rest, s)
	case "predict":
		return predict(rest, s)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(s.out, usage)
		return ok
	}
	s.complain(
		"scalebook: unknown verb %q; the verbs are serve, build, eval, check, model, plan, serve-plan and predict",
		verb,
	)
	return misuse
}
