package quantity

import "testing"

func TestPercent(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"80%", "80 %"}, {"0.07%", "0.07 %"}, {"25% * 2", "50 %"}, {"80% / 2", "40 %"}, {"1 / 80%", "1.25"},
		{"80% / 40%", "2"}, {"100% * 3/4", "75 %"}, {"50% * 240 token", "120 tokens"}, {"80% * 10 GB/s", "8 GB/s"},
		{"250%", "250 %"}, {"-5%", "−5 %"}, {"10% + 5%", "15 %"}, {"1 - 80%", "0.2"}, {"50% * 50%", "0.25"},
		{"1e305 * 100%", "10³⁰⁷ %"},
	} {
		q, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := q.String(); got != c.want {
			t.Errorf("%s prints as %s, want %s", c.text, got, c.want)
		}
		if back, err := Parse(q.String()); err != nil || back.Dim != q.Dim || back.Label != q.Label {
			t.Errorf("%s came back as %v, %v", q, back, err)
		}
	}
}

// A share that is no number in hundredths prints as it is.
func TestPercentTooLarge(t *testing.T) {
	for text, want := range map[string]string{"1e308 * 100%": "10³⁰⁸", "-1.7e308 * 100%": "−1.7×10³⁰⁸"} {
		if q, err := Parse(text); err != nil || q.String() != want || !q.IsPercent() {
			t.Errorf("%s prints as %s, want %s (%v)", text, q, want, err)
		}
	}
}

func TestPercentInAField(t *testing.T) {
	like, err := UnitOf("80%")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{"75": 0.75, "75%": 0.75, "75 %": 0.75, "100": 1} {
		if q, err := ParseLike(text, like); err != nil || q.Value != want || !q.IsPercent() {
			t.Errorf("%q in a field of percents is %v (%v), want %v", text, q, err, want)
		}
	}
}

func TestPercentRefused(t *testing.T) {
	like, err := UnitOf("70.31 %")
	if err != nil {
		t.Fatal(err)
	}
	want := "this is an amount of data; give a plain number, such as 80 %"
	if _, err := ParseLike("0.5 GB", like); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if q, err := ParseLike("110", like); err != nil || q.String() != "110 %" {
		t.Error(q, err)
	}
}

func TestPercentOfAShare(t *testing.T) {
	for share, want := range map[float64]string{0.1712: "17.1\u00a0%", -0.05: "−5.0\u00a0%", 0: "0.0\u00a0%"} {
		if got := Percent(share, 1); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
}
