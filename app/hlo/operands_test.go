package hlo

import (
	"strings"
	"testing"
)

// What an operation takes is held against what it gives; where they disagree its line is named, and the rest counts.
func TestOperands(t *testing.T) {
	const head = "HloModule m\n\nENTRY e {\n x = bf16[8,16] parameter(0)\n w = bf16[16,4] parameter(1)\n" +
		" s = bf16[] constant(2)\n"
	const batched = " dot(bf16[2,8,16] l, bf16[2,16,4] m), lhs_batch_dims={0}, rhs_batch_dims={0}, " +
		"lhs_contracting_dims={2}, rhs_contracting_dims={1}"
	for operation, want := range map[string]string{
		"bf16[8,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}":  "",
		"bf16[8,4] dot(x, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}":  "r takes v, which",
		"bf16[8,16] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}": "r gives bf16[8,16]",
		"bf16[8,16] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}": "r gives bf16[8,16]",
		"bf16[8,16,16,4] dot(x, w)":                               "",
		"bf16[8,16] add(x, x)":                                    "",
		"bf16[8,16] add(x, s)":                                    "",
		"bf16[16,8] add(x, x)":                                    "r gives bf16[16,8]",
		"f32[8,16] convert(bf16[8,16] elsewhere)":                 "",
		"bf16[16,8] transpose(x), dimensions={1,0}":               "",
		"bf16[16,9] transpose(x), dimensions={1,0}":               "r gives bf16[16,9]",
		"bf16[4,32] reshape(x)":                                   "",
		"bf16[8,16] reshape(w)":                                   "r gives bf16[8,16]",
		"bf16[<=8,16] add(x, x)":                                  "",
		"pred[8,16] compare(x, x), direction=LT":                  "",
		"bf16[8,32] concatenate(x, x), dimensions={1}":            "",
		"bf16[8,16] fusion(x, gone), kind=kLoop, calls=elsewhere": "r takes gone, which",
		"(bf16[8,16]) tuple(gone)":                                "r takes gone, which",
		"bf16[2,8,4]" + batched:                                   "",
		"bf16[2,8,5]" + batched:                                   "r gives bf16[2,8,5]",
	} {
		m, err := Read(head + " ROOT r = " + operation + "\n}\n")
		if err != nil || m.Ops() != 4 {
			t.Fatal(operation, err)
		}
		switch {
		case want == "" && m.Unread > 0:
			t.Errorf("%s: %s", operation, m.Faults[0].What)
		case want != "" && (m.Unread != 1 || m.Faults[0].Line != 7 ||
			!strings.HasPrefix(m.Faults[0].What.String(), want)):
			t.Errorf("%s: %v", operation, m.Faults)
		}
	}
	if m, err := Read("r = bf16[8,4] dot(x, w), lhs_contracting_dims={1}"); err != nil || m.Unread > 0 {
		t.Errorf("of lines without their program nothing is missing: %v %v", m, err)
	}
}
