package build

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// Each case is a function's instructions, in hexadecimal, before and after; it has number 5, whose slot is 0x1005, and
// $push has number 9.
func TestReturnsAreShared(t *testing.T) {
	const (
		begin  = "2300 2101 "
		again  = "2300 2101 0440 4101 0f 0b "
		noted  = "2300 2101 4105 2102 "
		call   = "4100 1003 " + again
		callee = "2001 4108 6b 2201 2400 2001 " // and then where it returns to
	)
	to := func(pc int) string { // in function 5
		return callee + fmt.Sprintf("42%x 370300 ", appendSigned(nil, 0x1005<<16|pc))
	}
	elsewhere := callee + fmt.Sprintf("42%x 370300 ", appendSigned(nil, 0x1006<<16|7))
	for what, c := range map[string][2]string{
		"one call": {begin + to(7) + call, begin + "4106 4105 1009 2100 " + call},
		"two calls": {begin + to(7) + call + to(9) + call,
			noted + "4106 2002 1009 2100 " + call + "4108 2002 1009 2100 " + call},
		"a large function": {begin + to(700) + call, begin + "41bb05 4105 1009 2100 " + call},
		"other variables": {begin + to(1) + call + "2002 2103 " + to(2) + call,
			noted + "4100 2002 1009 2100 " + call + "2003 2104 4101 2002 1009 2100 " + call},
		"by the table": {begin + to(7) + "2002 290300 a7 110000 " + again,
			begin + "4106 4105 1009 2100 2002 290300 a7 110000 " + again},
		"its own stack": {begin + "2001 4110 6b 2201 2400 " + to(7) + call,
			begin + "2001 4110 6b 2201 2400 4106 4105 1009 2100 " + call},
		"another function's": {begin + elsewhere + call, ""},
		"the copy is read":   {begin + to(7) + "2001 290300 2102 " + call, ""},
		"SP is read":         {begin + to(7) + "2300 1a " + call, ""},
		"a branch":           {begin + to(7) + "0c00 " + call, ""},
		"kept behind it":     {begin + to(7) + "4100 1003 1a 2001 1a", ""},
		"a copy of its own":  {begin + "2001 4110 6b 2101 " + to(7) + call, ""},
		"SP without a copy":  {begin + "2001 4110 6b 2400 " + to(7) + call, ""},
		"no copy at first":   {to(7) + call, ""},
		"no calls":           {begin + "4100", ""},
	} {
		if c[1] == "" {
			c[1] = c[0]
		}
		locals := "02 01 7f 03 7e "
		if strings.HasPrefix(c[1], noted) {
			locals = "02 02 7f 03 7e "
		}
		got, want := withPush(body(t, "02 01 7f 03 7e "+c[0]), 5, 9), body(t, locals+c[1])
		if string(got) != string(want) {
			t.Errorf("%s: got\n%x, want\n%x", what, got, want)
		}
	}
}

// body is a function's variables and instructions.
func body(t *testing.T, code string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(code+" 0b", " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
