// Command scalebook builds, serves and checks the book, and evaluates its sheets.
//
//	go run ./app serve                                   the book on http://127.0.0.1:8080/, rebuilt when a file changes
//	go run ./app build -out dist -base /scalebook/       the static site
//	go run ./app eval -set B=512 FILE#sheet-id           one sheet, row by row; FILE may be - for stdin
//	go run ./app check                                   every sheet of the content: parse, dimensions, every expect
//	go run ./app model config.json                       what a model has and takes; also a name of the catalog
//	go run ./app plan -model llama3.8b -chip h100 -chips 8   the best plans to train a model, and why others fail
//	go run ./app serve-plan -model llama3.70b -chips 8   every way to serve a model on so many chips, and what it costs
//	go run ./app predict FILE.jsonl                      what each set-up of a file of measurements should reach
//	go run ./app diff OLD NEW                            which results of two built sites differ
//	go run ./app mcp                                     a server of the Model Context Protocol, for assistants
//	go run ./app completion bash                         what makes a shell complete verbs and flags
//	go run ./app messages                                every sentence that readers see, for translators
//	go run ./app version                                 the edition, its commit, and the Go that built the command
//	go run ./app VERB -h                                 all flags of a verb, what holds without them, and examples
//
// Errors go to stderr as `file:line:col: what; what would be valid`. The exit status is 0, 1 after a failure, and 2
// when the command itself was wrong.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// The exit statuses.
const (
	ok     = 0
	failed = 1
	misuse = 2
)

// streams are what a verb reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	help     func(*flag.FlagSet) // takes the flags of a verb that is asked for its help; nil prints them

	// For verbs that answer somebody else's program (see mcp.go):
	open func(name string) (io.ReadCloser, error) // opens a file that is named; nil opens the machine's
	over func() error                             // why work must end before it is done; nil lets it take its time
}

// file opens a file that somebody named.
func (s streams) file(name string) (io.ReadCloser, error) {
	if s.open != nil {
		return s.open(name)
	}
	return os.Open(name)
}

// text is all of a file, or of stdin for -.
func (s streams) text(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(s.in)
	}
	f, err := s.file(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// ended says why work must end, if it must.
func (s streams) ended() error {
	if s.over == nil {
		return nil
	}
	return s.over()
}

// complain writes one line to stderr.
func (s streams) complain(format string, args ...any) { fmt.Fprintf(s.err, format+"\n", args...) }

func main() { os.Exit(onTerminal()) }

// onTerminal runs the command with what a person at a terminal sees besides its output.
func onTerminal() int {
	w := wait(os.Stderr, strings.Join(append([]string{"scalebook"}, os.Args[1:min(2, len(os.Args))]...), " "))
	var in io.Reader = os.Stdin
	if isTerminal(os.Stdin) {
		in = typed{in, w}
	}
	defer w.end()
	return run(os.Args[1:], in, afterWait{os.Stdout, w}, afterWait{os.Stderr, w})
}

// run is the command: its arguments without the program's name, its streams, its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, err := &printed{to: stdout}, &printed{to: stderr}
	defer out.flush()
	defer err.flush()
	return streams{in: stdin, out: out, err: err}.run(args)
}
