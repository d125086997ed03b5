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

// What Encode has written Decode reads, up to the last byte that an address may have; one byte more is left out.
func TestLongestAddress(t *testing.T) {
	const before, names = len("a.v0="), maxQuery/maxText - 1
	var ps []Param
	for i := range names {
		ps = append(ps, Param{"a", "v" + string(rune('0'+i)), strings.Repeat("y", maxText)})
	}
	used := names * (before + maxText + len("&"))
	for more, fits := range []bool{true, false} {
		text := Packed + strings.Repeat("y", maxQuery-used-before-len(Packed)+more)
		all := append(ps[:names:names], Param{"a", "v9", text})
		query := Encode(all)
		if left := LeftOut(all); len(left) == 0 != fits || len(query) > maxQuery {
			t.Errorf("%d bytes too many: %d parts left out of an address of %d bytes", more, len(left), len(query))
		}
		want := names
		if fits {
			want++
		}
		if got, _, problems := Decode("?" + query); len(got) != want || len(problems) != 0 {
			t.Errorf("%d bytes too many: read back %d parts of %d, %v", more, len(got), want, problems)
		}
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
		"a.sort.plans.2=step":                   "a.sort.plans.2=step",
		"a.sort.plans.1=step":                   "others 1", // the first table is sort.plans
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
