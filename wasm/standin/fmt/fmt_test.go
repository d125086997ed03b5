package fmt

import (
	"errors"
	whole "fmt"
	"io"
	"math"
	"testing"
	"time"
)

type kind int

func (k kind) String() string { return "kind " + Sprint(int(k)) }

type word string

// What is written is what fmt writes.
func TestSprintf(t *testing.T) {
	wrong := errors.New("no module")
	for _, c := range []struct {
		format string
		all    []any
	}{
		{"%s:%v", []any{"app.go", 12}}, {"plain", nil}, {"100%%", nil}, {"%v of %v", []any{1, int64(-5)}},
		{"%v", []any{math.MinInt64}}, {"%d", []any{uint8(200)}}, {"%5d|%-5d|%05d|%+d", []any{42, 42, -42, 42}},
		{"%x", []any{255}}, {"%x", []any{"né"}}, {"%x", []any{[]byte{1, 254}}}, {"%s", []any{[]byte("abc")}},
		{"%q", []any{"a\"\n"}}, {"%q", []any{'x'}}, {"%c", []any{'é'}}, {"%b", []any{5}},
		{"%t %v", []any{true, false}}, {"%v", []any{word("w")}}, {"%s", []any{word("w")}},
		{"%v %s", []any{kind(3), kind(4)}}, {"%v", []any{wrong}},
		{"%v", []any{nil}}, {"%T %T %T", []any{kind(1), wrong, []int{1}}},
		{"%.2f|%8.3f|%-8.1f|%08.3f", []any{math.Pi, -math.Pi, 2.5, -1.5}}, {"%f", []any{0.5}}, {"%.0f", []any{2.5}},
		{"%e", []any{12345.678}}, {"%.3g", []any{12345.678}}, {"%v", []any{1e20}}, {"%v", []any{1e21}},
		{"%v", []any{0.0001}}, {"%v", []any{0.00001}}, {"%v", []any{float32(0.1)}}, {"%g", []any{100000.0}},
		{"%v %v %v", []any{math.Inf(1), math.Inf(-1), math.NaN()}}, {"%+.1f", []any{2.0}},
		{"%.2s|%5.1s", []any{"abc", "xyz"}}, {"%v", []any{time.Second}}, {"%s", []any{io.EOF}}, {"%p", []any{&wrong}},
		{"%d", nil}, {"%v", []any{uintptr(7)}}, {"%6v|%-6v|", []any{"ab", true}},
	} {
		if got, want := Sprintf(c.format, c.all...), whole.Sprintf(c.format, c.all...); got != want {
			t.Errorf("%q of %v: %q, want %q", c.format, c.all, got, want)
		}
	}
}

// A run of values is written as fmt does.
func TestSprint(t *testing.T) {
	for _, all := range [][]any{{}, {"a", "b"}, {1, 2}, {1, "a", 2, 3}, {nil, io.EOF}, {true, 1.5, "x"},
		{"a", 1, "b"}} {
		if got, want := Sprint(all...), whole.Sprint(all...); got != want {
			t.Errorf("%v: %q, want %q", all, got, want)
		}
	}
}

type broken struct{}

func (*broken) Error() string { panic("no text") }

// Of what has parts, and of what panics when it is asked for its text, the type is written.
func TestTypes(t *testing.T) {
	for want, v := range map[string]any{"{[]int}": []int{1}, "{struct { A int }}": struct{ A int }{1},
		"{*fmt.broken}": &broken{}} {
		if got := Sprint(v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An error with %w wraps that error, another one none.
func TestErrorf(t *testing.T) {
	if err := Errorf("reading: %w", io.EOF); !errors.Is(err, io.EOF) || err.Error() != "reading: EOF" {
		t.Error(err)
	}
	if err := Errorf("reading: %v", io.EOF); errors.Is(err, io.EOF) || err.Error() != "reading: EOF" {
		t.Error(err)
	}
}
