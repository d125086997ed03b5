package sheet

import (
	"slices"
	"strings"
	"testing"
)

// In the sheets below, | is the place in question.
func TestComplete(t *testing.T) {
	const head = "let chip = tpu.v5e\nlet mode = ring of ring, tree\nlet B = 3 in 1..10\nlet d = int8\nT_math = B " +
		"* 1 s\n"
	for _, c := range []struct{ src, want string }{
		{"|", "title group let hidden solve ask plot table figure expect"},
		{"pl|", "plot"},
		{head + "x = T|", "T_math total twice tpu"},
		{head + "x = t_|", "T_math"},
		{head + "x = chip.|", "hbm_bandwidth hbm link vendor native flops"},
		{head + "x = 2 * chip.hb|", "hbm_bandwidth hbm"},
		{head + "x = tpu.|", "v5e"},
		{head + "x = tpu.v5e.|", "hbm_bandwidth hbm link vendor native flops"},
		{head + "x = d.|", "bytes bits"},
		{head + "x = B.|", ""},
		{head + "x = xyz.|", ""},
		{head + "x = B |", "and or"},
		{head + "x = max(|B, 1)\ny = 3", "chip mode B d T_math x y abs cbrt ceil clamp count exp first floor if " +
			"ln log10 log2 max mean min mod round sqrt sum why below broken divisors endless liar matmul_flops total " +
			"twice weights bf16 chips fp32 fp8 gpu int8 tpu pi on off not"},
		{head + "plot |", "chip mode B d T_math"},
		{head + "plot T_math over |", "chip mode B d"},
		{head + "plot T_math over B |", "over in for log linear mark"},
		{head + "plot T_math over B for chip = |", "tpu.v5e gpu.h100"},
		{head + "plot T_math over B mark |", "chip mode B d T_math"},
		{head + "table T_math over mode = |", "ring tree"},
		{head + "table T_math over mode = ring, t|", "tree"},
		{head + "xs = chips\ntable xs |", "over show by top"},
		{head + "xs = chips\ntable xs show |", "hbm_bandwidth hbm link vendor native"},
		{head + "xs = chips\ntable xs show hbm by l|", "link"},
		{head + "hidden |", ""},
		{head + "figure |", "disc"},
		{head + "figure disc(T|", "T_math total twice tpu"},
		{head + "expect |", "chip mode B d T_math"},
		{head + "expect T_math = 3 s |", "within at as"},
		{head + "expect T_math = 3 s at |", "chip mode B d"},
		{head + "expect T_math = 3 s at B = 2, |", "chip mode B d"},
		{head + "expect T_math = 3 s at mode = |", "ring tree"},
		{head + "ask |", "T_math"},
		{head + "ask T_math |", "in of"},
		{head + "solve x: |", "B"},
		{head + "solve x: B |", "where"},
		{head + "solve x: B where T_math |", "is"},
		{head + "solve x: B where T_math is |", "least greatest"},
		{head + "solve x: B where T|", "T_math total twice tpu"},
		{head + "let |", ""},
		{head + "let e = b|", "B below broken bf16"},
		{head + "let e = 3 |", "in log step of most play strip check published was when"},
		{head + "title wh|", ""},
		{head + "x = 12|", ""},
		{head + "x = 1 # B|", ""},
		{head + "x = 1 \"B|", ""},
		{"größe = 3\nx = grö|", "größe"},
	} {
		at := strings.Index(c.src, "|")
		got := strings.Join(Complete(testEnv(), strings.Replace(c.src, "|", "", 1), at), " ")
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src[max(0, at-30):], got, c.want)
		}
	}
}

// Complete looks at text that is not finished: it must take any.
func TestCompleteAnywhere(t *testing.T) {
	env := testEnv()
	for at := -1; at < len(int8Matmul)+2; at++ {
		Complete(env, int8Matmul, at)
		Complete(nil, int8Matmul[:min(max(at, 0), len(int8Matmul))], at)
	}
}

func TestNames(t *testing.T) {
	names := Names(testEnv())
	for _, want := range []string{"let", "where", "max", "matmul_flops", "tpu", "pi"} {
		if !slices.Contains(names, want) {
			t.Errorf("Names has no %s", want)
		}
	}
}
