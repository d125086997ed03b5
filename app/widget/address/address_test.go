package address

import (
	"strings"
	"testing"
)

// What an address has no space for is reported, and the rest of it stands.
func TestLeftOut(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	ps := []Param{{"a", "B", long}, {"a", "C", "7"}, {"z", "D", "8"}}
	if left := LeftOut(ps); len(left) != 1 || left[0].Name != "B" {
		t.Errorf("left out: %v", left)
	}
	if got := Encode(ps); got != "a.C=7&z.D=8" {
		t.Errorf("encoded: %s", got)
	}
	var many []Param
	for i := range 10 {
		many = append(many, Param{"a", "v" + string(rune('0'+i)), strings.Repeat("y", maxText)})
	}
	if left := LeftOut(many); len(left) != 2 {
		t.Errorf("of %d texts that are longer than an address %d are left out", len(many), len(left))
	}
}

func TestDecode(t *testing.T) {
	for query, want := range map[string]string{
		"":                                      "",
		"?a.B=512&a.chip=tpu.v5p":               "a.B=512 a.chip=tpu.v5p",
		"a.B=1&a.B=2":                           "a.B=2",
		"a.B=4*8192":                            "a.B=4*8192",
		"a.B=16+GiB%2Fs":                        "a.B=16 GiB/s",
		"int8-matmul.W_hbm=%24":                 "int8-matmul.W_hbm=$",
		"a.B":                                   "a.B=",
		"utm_source=x&=&a&a=1&.b=2&a.=":         "others 6",
		"a%2EB=3":                               "a.B=3",
		"a.B=%zz":                               "problems 1",
		"a.B=%ff":                               "problems 1",
		"a.B=" + strings.Repeat("x", maxText+1): "problems 1",
		"a.B=" + strings.Repeat("x", maxQuery):  "problems 1",
		"é.B=1":                                 "others 1",
		"a.b.c=1":                               "others 1",
	} {
		ps, others, problems := Decode(query)
		var got []string
		for _, p := range ps {
			got = append(got, p.Sheet+"."+p.Name+"="+p.Text)
		}
		if len(others) > 0 {
			got = append(got, "others "+string(rune('0'+len(others))))
		}
		if len(problems) > 0 {
			got = append(got, "problems "+string(rune('0'+len(problems))))
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%.40q: %q, want %q", query, g, want)
		}
	}
}
