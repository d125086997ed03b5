package book

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
)

// TestHighlightSheet names the class of each token: k keyword, n name, nf function, m number, s text, c comment, o
// sign.
func TestHighlightSheet(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"title A title: let 2", "k:title s:A title: let 2"},
		{`let B = 256 token in 1..16384 log "Tokens, let"`,
			"k:let n:B o:= m:256 token k:in m:1 o:.. m:16384 k:log s:\"Tokens, let\""},
		{"g = $2.1/hour", "n:g o:= m:$2.1/hour"},
		{"j = 1_000_000 / s", "n:j o:= m:1_000_000 o:/ n:s"},
		{"x = 1 byte/token*2 + 8.1e11 byte/s^2", "n:x o:= m:1 byte/token o:* m:2 o:+ m:8.1e11 byte/s^2"},
		{"y = max(70B, 25%) # why", "n:y o:= nf:max o:( m:70B o:, m:25% o:) c:# why"},
		{"solve C: B where T = U_2", "k:solve n:C o:: n:B k:where n:T o:= n:U_2"},
		{"expect T = 1 ms within 1% at B = 2 as \"f\"", "k:expect n:T o:= m:1 ms k:within m:1% k:at n:B o:= m:2 k:as " +
			"s:\"f\""},
		{`"open`, `s:"open`},
		{"é + 1e", "o:+ m:1e"},
	} {
		var got []string
		for code := c.code; len(code) > 0; {
			class, n := sheetToken(code)
			if n <= 0 {
				t.Fatalf("%q: a token of no length", code)
			}
			if rest, ok := strings.CutPrefix(code, "title "); ok && class == "k" {
				got = append(got, "k:title")
				class, n, code = "s", lineEnd(rest), rest
			}
			if class != "" {
				got = append(got, class+":"+code[:n])
			}
			code = code[n:]
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, s, c.want)
		}
		if text := stripTags(highlight("sheet", c.code)); text != c.code {
			t.Errorf("%q became %q", c.code, text)
		}
	}
}

// TestHighlightKeepsCode checks that colouring never changes what is written.
func TestHighlightKeepsCode(t *testing.T) {
	code := "a <b> & \"c\" 'd' # e\n\tif x < 1 { f(`g`) }\n$ \\alpha_{i} % h\n"
	for _, language := range []string{"", "go", "python", "bash", "json", "latex", "sheet", "no-such-language"} {
		if got := stripTags(highlight(language, code)); got != code {
			t.Errorf("%s: %q", language, got)
		}
	}
}

// TestStableTokens reads code again where some of it fits no pattern, or where a reading took long, as after a pause of
// the machine.
func TestStableTokens(t *testing.T) {
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
		tokens, err := stableTokens(now, func() ([]chroma.Token, error) {
			n++
			clock = clock.Add(readings[n-1].took)
			return []chroma.Token{{Type: readings[n-1].kind, Value: "@M"}}, nil
		})
		if err != nil || len(tokens) != 1 || tokens[0].Type != chroma.NameDecorator || n != len(readings) {
			t.Errorf("after %d readings %v, %v", n, tokens, err)
		}
	}
	broken := errors.New("broken")
	if _, err := stableTokens(now, func() ([]chroma.Token, error) { return nil, broken }); err != broken {
		t.Error(err)
	}
}
