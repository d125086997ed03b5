package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

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
