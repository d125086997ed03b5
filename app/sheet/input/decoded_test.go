package input_test

import (
	"testing"

	"github.com/scalebook/scalebook/app/sheet/input"
)

func TestDecoded(t *testing.T) {
	for _, c := range []struct{ bytes, want string }{
		{"plain", "plain"},
		{"", ""},
		{"\xff", "\xff"},
		{"\xef\xbb\xbf# nccl", "# nccl"},
		{"\xff\xfe#\x00 \x00\x13\x20", "# \u2013"},
		{"\xfe\xff\x00#\x00 \x20\x13", "# \u2013"},
		{"\xff\xfe\x3d\xd8\x00\xde!\x00", "\U0001F600!"},
		{"\xff\xfea\x00b", "a"}, // cut off in the middle of a letter
	} {
		if got := input.Decoded(c.bytes); got != c.want {
			t.Errorf("%q: %q, want %q", c.bytes, got, c.want)
		}
	}
}
