package main

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// screen is a terminal that is read while it is written.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// shown waits until the line stands.
func shown(t *testing.T, w *waiting, to *screen) {
	t.Helper()
	go w.show("scalebook plan", time.Now(), 0)
	for deadline := time.Now().Add(10 * time.Second); to.String() == ""; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing is shown to who waits")
		}
	}
}

// Who waits sees for how long, and the line goes before the answer comes.
func TestWaitIsShownAndGoes(t *testing.T) {
	var to screen
	w := &waiting{to: &to, done: make(chan struct{})}
	shown(t, w, &to)
	afterWait{&to, w}.Write([]byte("answer\n"))
	got := to.String()
	if !strings.HasPrefix(got, "\rscalebook plan: 0.") || !strings.HasSuffix(got, "\r\x1b[Kanswer\n") {
		t.Errorf("a terminal gets %q", got)
	}
	afterWait{&to, w}.Write([]byte("more\n"))
	if !strings.HasSuffix(to.String(), "answer\nmore\n") {
		t.Errorf("after the answer a terminal gets %q", to.String())
	}
}

// A signal takes the line away before the command ends.
func TestSignalTakesTheWaitAway(t *testing.T) {
	var to screen
	w := &waiting{to: &to, done: make(chan struct{})}
	shown(t, w, &to)
	signals, status := make(chan os.Signal, 1), 0
	signals <- os.Interrupt
	w.heed(signals, func(with int) { status = with })
	if got := to.String(); !strings.HasSuffix(got, "s\r\x1b[K") || status != 128+int(syscall.SIGINT) {
		t.Errorf("a terminal keeps %q, and the exit status is %d", got, status)
	}
}

// Who types sees what they type, and no line across it.
func TestTypingEndsTheWait(t *testing.T) {
	var to screen
	w := &waiting{to: &to, done: make(chan struct{})}
	shown(t, w, &to)
	in := typed{strings.NewReader("let B = 1"), w}
	if n, err := in.Read(make([]byte, 9)); n != 9 || err != nil || !strings.HasSuffix(to.String(), "s\r\x1b[K") {
		t.Errorf("%d bytes are read, %v, and a terminal keeps %q", n, err, to.String())
	}
}

// What is no terminal gets nothing but the answer.
func TestFilesSeeNoWait(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if w := wait(f, "scalebook plan"); w != nil {
		t.Error("a file is waited before")
	}
}
