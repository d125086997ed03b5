package library

import (
	"strings"
	"testing"
)

// TestModelAnswers: a model's card begins with a sentence, and of one that isn't known yet says nothing.
func TestModelAnswers(t *testing.T) {
	const card = `weights = 70.5 GB
answer = model_answer(llama3.70b, fp8, weights, 8192 token, 2 GB, 1 sequence, chips_alone(1000 TB))
`
	x, err := worked(t, card).Value("answer")
	want := "Llama 3.1 70B has 70.6 B parameters. Stored as fp8, they take 70.5 GB; a sequence of 8192 tokens has 2 " +
		"GB of KV cache."
	if err != nil || !strings.HasPrefix(x.String(), want) {
		t.Errorf("%v, %v; want %q", x, err, want)
	}
	if x, err := worked(t, strings.Replace(card, "llama3.70b", "no_model", 1)).Value("answer"); err == nil {
		t.Errorf("of no model: %v", x)
	}
}
