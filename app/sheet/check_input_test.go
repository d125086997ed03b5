package sheet

import (
	"strings"
	"testing"
)

// An input refuses what its check has a reason against, and keeps the last good value.
func TestRefusals(t *testing.T) {
	s, errs := Compile(`let most = 8
let B = 4 in 1..100 check if(B > most, "more than there is", "") "Batch"
let word = "good" check if(word = "bad", "this is bad", "")
twice = 2 * B`, testEnv())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	st, err := s.Set(nil, "B", "7")
	if err != nil {
		t.Fatal(err)
	}
	if next, err := s.Set(st, "B", "9"); err == nil || err.Error() != "more than there is" || len(next) != 1 {
		t.Error(next, err)
	}
	if st, err = s.Set(st, "most", "9"); err != nil {
		t.Fatal(err)
	}
	if st, err = s.Set(st, "B", "9"); err != nil {
		t.Error("the check doesn't follow the other inputs:", err)
	}
	if v, err := s.Eval(st).Value("twice"); err != nil || v.Num.Value != 18 {
		t.Error(v, err)
	}
	if _, err := s.Set(st, "word", "bad"); err == nil {
		t.Error("a bad word is taken")
	}
}

func TestRefusalFaults(t *testing.T) {
	for src, want := range map[string]string{
		`let B = 4 check B > 3`:                            "1:17: `check` needs a text, `B > 3` is",
		`let B = 4 check if(B > 3, "too many", "")`:        "1:9: the default is refused: too many",
		`let B = 4 check "" check ""`:                      "twice",
		`let over = 4 in 1..9` + "\nx = over\nplot x over": "",
	} {
		_, errs := Compile(src, testEnv())
		said := ""
		if len(errs) > 0 {
			said = errs[0].Error()
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %s", src, said)
		}
	}
	const words = "let over = 4 in 1..9\nlet at = 2\nx = over * at\nplot x over over\nexpect x = 10 at over = 5"
	s, errs := Compile(words, testEnv())
	if len(errs) > 0 || len(s.Plots) != 1 {
		t.Error(errs)
	}
}
