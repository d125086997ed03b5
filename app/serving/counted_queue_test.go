package serving

import (
	"math"
	"testing"
)

// What of queues is a number of its own, counted by hand.

// TestDriftCounted: ends that differ drift apart as the root of the number of waves. From the second to the tenth wave
// on average that is, against one wave, the mean root of one to nine.
func TestDriftCounted(t *testing.T) {
	roots := 0.0
	for waves := 1.0; waves <= 9; waves++ {
		roots += math.Sqrt(waves) / 9
	}
	near(t, "drift", apart, roots, 0.003)
}

// TestChunksCounted: a prompt of 4,096 tokens in two chunks of 2,048 follows none of its own and then 2,048, 1,024 in
// the mean; with a quarter found, two chunks of 1,536 follow 1,024 and then 1,536 more. Sequences that decode look at the
// prompt and half of the answer.
func TestChunksCounted(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	r.Chunk = 2048
	for hit, x := range map[float64]struct{ part, before float64 }{0: {2048, 1024}, 0.25: {1536, 1024 + 768}} {
		p := r.prompting(3, 1, Load{In: 4096, Out: 100, Hit: hit}, 1)
		decode := Work{Sequences: 3, Context: 4096 + 50, Verify: 1}
		mixed := decode
		mixed.Prompt, mixed.Prompts, mixed.Before = x.part, 1, x.before
		near(t, "a step without prompts", p.decode, r.Step(decode).Total(), 1e-12)
		near(t, "a step with a chunk", p.mixed, r.Step(mixed).Total(), 1e-12)
		near(t, "until the first token", p.whole, 2*p.mixed, 1e-12)
		near(t, "what the prompt adds", p.each, 2*(p.mixed-p.decode), 1e-12)
	}
}
