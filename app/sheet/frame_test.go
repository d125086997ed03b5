package sheet

import (
	"errors"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// A long reason is told once, in the row where it arose; a short one also where it is felt.
func TestReasonsOfOtherRows(t *testing.T) {
	env := testEnv()
	why := ""
	env.Funcs["talkative"] = &value.Func{
		Name:   "talkative",
		Result: typPlain,
		Call:   func([]value.Value) (value.Value, error) { return value.Value{}, errors.New(why) },
	}
	s, errs := Compile("a = talkative()\nb = a + 1\nc = b + 1", env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, why = range []string{"the chip has no such link", strings.Repeat("there are many ways to set it right, ", 20)} {
		rows := s.Eval(nil).Rows
		for _, r := range rows[1:] {
			told := strings.Contains(r.Err.Error(), why)
			if told != (len(why) < 100) || !strings.Contains(r.Err.Error(), "needs `a`") {
				t.Errorf("%s: %v", r.Def.Name, r.Err)
			}
		}
		if !strings.Contains(rows[0].Err.Error(), why) {
			t.Errorf("%v hides %q", rows[0].Err, why)
		}
	}
}
