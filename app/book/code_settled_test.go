package book

import (
	"errors"
	"testing"

	"github.com/alecthomas/chroma/v2"
)

// TestSettled reads code again where some of it fits no pattern, as after a pause of the machine.
func TestSettled(t *testing.T) {
	good := []chroma.Token{{Type: chroma.Name, Value: "M"}}
	paused := []chroma.Token{{Type: chroma.Error, Value: "M"}}
	for _, readings := range [][][]chroma.Token{{good}, {paused, good}, {paused, paused, good}} {
		n := 0
		tokens, err := settled(func() ([]chroma.Token, error) {
			n++
			return readings[n-1], nil
		})
		if err != nil || len(tokens) != 1 || tokens[0].Type != chroma.Name || n != len(readings) {
			t.Errorf("after %d readings %v, %v", n, tokens, err)
		}
	}
	broken := errors.New("broken")
	if _, err := settled(func() ([]chroma.Token, error) { return nil, broken }); err != broken {
		t.Error(err)
	}
}
