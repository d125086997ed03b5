package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// hostile has characters that act on a terminal, or change how others are shown.
const hostile = "a\x1b]0;b\x07\u202ec\u2066d\u009b31me\x7f\ufeff\u2028\U000e0041"

// command runs the command on a text at stdin.
func command(stdin string, args ...string) (out, err string, status int) {
	var o, e bytes.Buffer
	status = run(args, strings.NewReader(stdin), &o, &e)
	return o.String(), e.String(), status
}

// What a stranger wrote does nothing to a terminal, wherever the command prints it.
func TestUnseenCharactersAreEscaped(t *testing.T) {
	for what, run := range map[string]struct{ stdin, args string }{
		"a title":        {"title " + hostile + "\nlet a = 1\n", "eval -"},
		"a label":        {"let a = 1 \"" + hostile + "\"\n", "eval -"},
		"a value":        {"a = \"" + hostile + "\"\n", "eval -"},
		"a value, JSON":  {"a = \"" + hostile + "\"\n", "eval -json -"},
		"a sign":         {"a = 1 " + hostile + "\n", "eval -"},
		"an expect":      {"a = \"" + hostile + "\"\nexpect a = \"b\"\n", "check -"},
		"an id":          {"```sheet " + hostile + "\nlet a = 1\n```\n", "eval -#b"},
		"an argument":    {"let a = 1\n", "eval -#" + hostile},
		"a file":         {"", "eval " + hostile + ".sheet"},
		"a verb":         {"", hostile},
		"a flag":         {"", "plan -" + hostile},
		"a model":        {"", "model " + hostile},
		"a config":       {`{"model_type": "` + "\u202e" + `", "hidden_size": 64}`, "model -"},
		"a row":          {`{"id": "` + "\u202e\u009b" + `", "kind": "` + "\u2066" + `", "setup": {}}`, "predict -"},
		"no valid UTF-8": {"title \x9b31m\nlet a = 1\n", "eval -"},
	} {
		out, err, _ := command(run.stdin, strings.Fields(run.args)...)
		if text := out + err; text == "" || !utf8.ValidString(text) || strings.ContainsFunc(text, unseen) {
			t.Errorf("%s: %q", what, text)
		}
	}
}

// JSON says what the sheet says.
func TestEscapesInJSON(t *testing.T) {
	out, err, status := command("a = \""+hostile+"\"\n", "eval", "-json", "-")
	var got struct {
		Rows []struct{ Value string }
	}
	if e := json.Unmarshal([]byte(out), &got); e != nil || status != ok || len(got.Rows) != 1 ||
		got.Rows[0].Value != hostile {
		t.Errorf("%v, exit %d, %s%s", e, status, out, err)
	}
}

// A text comes out the same, however it is cut into pieces.
func TestPrintedInPieces(t *testing.T) {
	text := "plain, ‹typographic›, 東京\n" + hostile + "\xf0\x9f\x98\x80\xff\xf0\x9f"
	var want bytes.Buffer
	all := &printed{to: &want}
	all.Write([]byte(text))
	all.flush()
	for size := 1; size < 5; size++ {
		var got bytes.Buffer
		w := &printed{to: &got}
		for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
			if n, err := w.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
				t.Fatal(n, err)
			}
		}
		if w.flush(); got.String() != want.String() ||
			!strings.HasPrefix(got.String(), "plain, ‹typographic›, 東京\na\\u001b]") {
			t.Errorf("in pieces of %d: %q, want %q", size, got.String(), want.String())
		}
	}
}

// However many sheets a file has, and whatever is wrong with them, a few are named.
func TestManyFences(t *testing.T) {
	fences := func(n int, fence string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(fence, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	for _, c := range []struct{ fence, args, want string }{
		{"```sheet s#\nlet a = 1\n```\n\n", "eval -", "-#s9 and 2990 more"},
		{"```sheet s#\nlet a = 1\n```\n\n", "eval -#x", "-#s9 and 2990 more"},
		{"```sheet s\nlet a = 1\n```\n\n", "eval -#s",
			`stdin:11997:1: the id "s" is taken by stdin:1:1, stdin:5:1, stdin:9:1`},
		{"```sheet s\nlet a = 1\n```\n\n", "check -", `stdin:11997:1: the id "s" is taken by stdin:1:1, stdin:5:1`},
		{"```sheet s#\na = b\n```\n\n", "check -", "and 2000 more errors"},
	} {
		out, err, status := command(fences(3000, c.fence), strings.Fields(c.args)...)
		if status != failed || !strings.Contains(err, c.want) || strings.Count(err, "\n") > 1001 {
			t.Errorf("%s: exit %d, %.200s%.400s", c.args, status, out, err)
		}
	}
}

// A text in another encoding is named for what it is, wherever a text is read.
func TestForeignTexts(t *testing.T) {
	sheet, config := "let a = 1\nb = a + 1\n", `{"model_type": "llama", "hidden_size": 64}`
	row := `{"id": "a", "kind": "training", "setup": {}}` + "\n"
	wide := func(text string, little bool) string {
		var b strings.Builder
		for i := range len(text) {
			if little {
				b.WriteString(text[i:i+1] + "\x00")
			} else {
				b.WriteString("\x00" + text[i:i+1])
			}
		}
		return b.String()
	}
	for args, text := range map[string]string{"eval -": sheet, "check -": sheet, "model -": config, "predict -": row} {
		for what, stdin := range map[string]string{
			"1:1: this text is in UTF-16; save it as UTF-8": "\xff\xfe" + wide(text, true),
			"1:1: this text is in UTF-16":                   "\xfe\xff" + wide(text, false),
			"1:1: this text is in UTF-16; save it as":       wide(text, true),
			"1:1: this text is in UTF-16; save it":          wide(text, false),
			"1:1: this text is in UTF-32":                   "\xff\xfe\x00\x00" + text,
			"1:9: byte 9 is NUL, which no text has":         text[:8] + "\x00" + text[8:],
		} {
			if args == "predict -" {
				what = strings.ReplaceAll(what, "this text", "this file")
			}
			out, err, status := command(stdin, strings.Fields(args)...)
			if strings.Contains(what, "NUL") && args == "predict -" {
				err, what = out, "NUL byte, which no text has" // of a row, which is skipped
			}
			if status != failed || !strings.Contains(err, what) {
				t.Errorf("%s: exit %d, %q, %q, want %q", args, status, out, err, what)
			}
		}
	}
}

// A folder in the place of a file of set-ups is named once, with what to name instead.
func TestPredictRefusesFolders(t *testing.T) {
	dir := t.TempDir()
	want := dir + ": is a directory; name a file with a set-up on each line, or - for stdin\n"
	if out, err, status := command("", "predict", dir); status != failed || err != want {
		t.Errorf("exit %d, %q, %q, want %q", status, out, err, want)
	}
}

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
