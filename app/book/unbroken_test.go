package book

import (
	"strings"
	"testing"
)

// A line breaks between words, never between a number and its unit or another that it is multiplied by; ~ stands for
// the space that doesn't break.
func TestUnbroken(t *testing.T) {
	for text, want := range map[string]string{
		"an MFU of 45 %. How":           "an MFU of 45~%. How",
		"1.3 ms, then 2 GiB/s":          "1.3~ms, then 2~GiB/s",
		"in 40.0 days (or 9 hours)":     "in 40.0~days (or 9~hours)",
		"128 tokens of 8 chips":         "128 tokens of 8 chips",
		"each GPU; 32 of an H100. 3026": "each GPU; 32 of an H100. 3026",
		"chapter 2 says, 8 a, 3 ":       "chapter~2 says, 8 a, 3 ",
		"Llama 3 70B’s, Qwen 3 8B, 3B":  "Llama~3~70B’s, Qwen~3~8B, 3B",
		"16 × 16 × 4 of 4 × n":          "16~×~16~×~4 of 4~× n",
		"$4 an hour, v5 s, 7 TFLOP/s":   "$4 an hour, v5~s, 7~TFLOP/s",
	} {
		if got := strings.ReplaceAll(string(unbroken([]byte(text))), nbsp, "~"); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
