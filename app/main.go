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
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/book"
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

// patience is how long the command may be silent before it shows that it works.
const patience = time.Second

// waiting shows on a terminal, after a second of silence, that the command works and for how long; it goes with the
// first output. Programs and files that read stderr see nothing of it.
type waiting struct {
	to   io.Writer
	mu   sync.Mutex
	over bool // no more
	seen bool // a line stands
	done chan struct{}
}

// wait starts to wait, if to is a terminal's.
func wait(to *os.File, what string) *waiting {
	if !isTerminal(to) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	w := &waiting{to: to, done: make(chan struct{})}
	go w.show(what, time.Now(), patience)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		w.heed(signals, os.Exit)
		signal.Stop(signals)
	}()
	return w
}

// isTerminal tells a terminal from files and pipes.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// heed takes the line away when a signal ends the command. It returns with the wait: signals then do what they do
// without it.
func (w *waiting) heed(signals <-chan os.Signal, exit func(status int)) {
	select {
	case <-w.done:
	case s := <-signals:
		w.end()
		exit(signalled(s))
	}
}

// signalled is the exit status of a command that a signal ended, as shells count it.
func signalled(s os.Signal) int {
	if number, known := s.(syscall.Signal); known {
		return 128 + int(number)
	}
	return failed
}

// show writes the line anew each tenth of a second.
func (w *waiting) show(what string, began time.Time, first time.Duration) {
	timer := time.NewTimer(first)
	defer timer.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-timer.C:
		}
		timer.Reset(patience / 10)
		w.mu.Lock()
		if !w.over {
			fmt.Fprintf(w.to, "\r%s: %.1f s", what, time.Since(began).Seconds())
			w.seen = true
		}
		w.mu.Unlock()
	}
}

// end takes the line away, before anything else is written.
func (w *waiting) end() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	w.over = true
	close(w.done)
	if w.seen {
		fmt.Fprint(w.to, "\r\x1b[K")
	}
}

// afterWait is a writer that ends a wait.
type afterWait struct {
	to   io.Writer
	wait *waiting
}

// Write ends the wait and writes.
func (b afterWait) Write(p []byte) (int, error) {
	b.wait.end()
	return b.to.Write(p)
}

// typed is what somebody types on a terminal: while the command reads it, it doesn't work but listens.
type typed struct {
	from io.Reader
	wait *waiting
}

// Read ends the wait and reads.
func (t typed) Read(p []byte) (int, error) {
	t.wait.end()
	return t.from.Read(p)
}

// asText refuses bytes that are no text in UTF-8. The error says where and why, for the file that is shown so.
func asText(data []byte, shown string) error {
	line, col, what, remedy := book.Foreign(data)
	if what == "" {
		return nil
	}
	return fmt.Errorf("%s:%d:%d: %s; %s", shown, line, col, what, remedy)
}

// few lists the first of many names: "a, b, c and 12 more".
func few(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// printed is what is written where a terminal may show it. Texts of strangers may hold characters that act on a
// terminal or hide what stands there: they are written as \u001b, as JSON writes them too.
type printed struct {
	to   io.Writer
	mu   sync.Mutex
	rest []byte // the beginning of a character
}

// Write writes all but a character that is not whole.
func (w *printed) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.rest, p...)
	w.rest = nil
	if n := whole(text); n < len(text) {
		w.rest, text = bytes.Clone(text[n:]), text[:n]
	}
	_, err := w.to.Write(escaped(text))
	return len(p), err
}

// whole is how many bytes of text are whole characters, or none at all.
func whole(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if at := len(text) - n; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}

// flush writes what is left of a character that never became whole.
func (w *printed) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to.Write(escaped(w.rest))
	w.rest = nil
}

// escaped is text with its unseen characters written as escapes.
func escaped(text []byte) []byte {
	if !bytes.ContainsFunc(text, unseen) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, text[0])
		case unseen(r) && r != utf8.RuneError:
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		default:
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// unseen tells whether a character is a control, or one that changes how others are shown. Joiners and soft hyphens
// belong to words; a byte that is no text at all comes as U+FFFD.
func unseen(r rune) bool {
	switch r {
	case '\n', '\t', '\u00ad', '\u200c', '\u200d':
		return false
	case utf8.RuneError:
		return true
	}
	return r < ' ' || r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
