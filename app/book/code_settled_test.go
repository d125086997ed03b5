package book

import (
	"errors"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
)

// TestSettled reads code again where some of it fits no pattern, or where a reading took long, as after a pause of the
// machine.
func TestSettled(t *testing.T) {
	type reading struct {
		kind chroma.TokenType
		took time.Duration
	}
	good := reading{chroma.NameDecorator, time.Millisecond}
	fault := reading{chroma.Error, time.Millisecond}
	other := reading{chroma.Operator, time.Second / 4}
	var clock time.Time
	now := func() time.Time { return clock }
	cases := [][]reading{{good}, {fault, good}, {fault, fault, good}, {other, good}, {other, fault, good}}
	for _, readings := range cases {
		n := 0
		tokens, err := settled(now, func() ([]chroma.Token, error) {
			n++
			clock = clock.Add(readings[n-1].took)
			return []chroma.Token{{Type: readings[n-1].kind, Value: "@M"}}, nil
		})
		if err != nil || len(tokens) != 1 || tokens[0].Type != chroma.NameDecorator || n != len(readings) {
			t.Errorf("after %d readings %v, %v", n, tokens, err)
		}
	}
	broken := errors.New("broken")
	if _, err := settled(now, func() ([]chroma.Token, error) { return nil, broken }); err != broken {
		t.Error(err)
	}
}
