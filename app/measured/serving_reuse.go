package measured

import (
	"fmt"
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/serving"
)

// block is the tokens of a block of the cache; prefixes are kept in whole blocks.
const block = 16

// readReuse reads what requests find in the cache, and what is guessed for them. Loads of inference-perf have a set of
// prompts, a prompt a user, which they send round and round (SharedPrefixDataGenerator); engines keep prefixes unless
// told otherwise. So everything is found but the last block.
func (t *setting) readReuse(s Setup) (err error) {
	if t.load.Hit, err = s.Share(0, "prefix_hit", "hit_rate", "cache_hit_rate", "prefix_cache_hit_rate",
		"cached_share"); err != nil {
		return err
	}
	if err := t.readGuesses(s); err != nil {
		return err
	}
	sessions, err := t.sessions(s)
	whole := math.Floor((t.load.In-1)/block) * block
	t.reuse = serving.Reuse{Sessions: sessions, Prefix: whole, Prompt: t.load.In}
	return err
}

// guessed is how rows name the number of tokens that are guessed a step.
var guessed = [...]string{"speculative_tokens", "num_speculative_tokens", "num_nextn_predict_layers", "mtp"}

// mostGuesses is more than any engine guesses a step.
const mostGuesses = 64

// readGuesses reads what is guessed, and the tokens that a verified step yields. Without a word nothing is guessed.
func (t *setting) readGuesses(s Setup) error {
	n, err := s.Whole(0, 0, mostGuesses, guessed[:]...)
	if err != nil {
		return err
	}
	guesses := float64(n)
	t.guess(guesses)
	tokens, err := s.Amount(0, "accepted_length", "acceptance_length", "accept_length", "mean_acceptance_length")
	if tokens > mostGuesses+1 {
		return fmt.Errorf("%v tokens are accepted a step; write at most %d", tokens, mostGuesses+1)
	}
	if err == nil && tokens > 1 {
		t.load.Tokens, t.load.Verify = tokens, max(guesses, math.Ceil(tokens-1))+1
	}
	return err
}

// accepted is the tokens that a step yields with one guess, two, three and four, by a model's own further layers:
// DeepSeek-V4-Pro, as SemiAnalysisAI/InferenceX publishes it. More guesses yield hardly more.
var accepted = [...]float64{1.79, 2.27, 2.49, 2.54}

// guess takes so many guesses a step, which are accepted as is usual; none if there are none.
func (t *setting) guess(guesses float64) {
	if guesses >= 1 {
		t.load.Tokens, t.load.Verify = accepted[int(min(guesses, float64(len(accepted))))-1], guesses+1
	}
}

// sessions is how many prompts a load sends again and again; 0 if they are all different.
func (t *setting) sessions(s Setup) (float64, error) {
	if shared := s.object("shared_prefix"); shared != nil {
		prompts, err := shared.Amount(0, "num_unique_system_prompts", "num_groups")
		if err != nil {
			return 0, err
		}
		users, err := shared.Amount(1, "num_users_per_system_prompt", "num_prompts_per_group")
		return prompts * users, err
	}
	if c := workload(s.Text("workload")); c != nil {
		return strconv.ParseFloat(c[4], 64)
	}
	return 0, nil
}

// cached is the load of t on a replica: with what requests find in its cache.
func (t *setting) cached(r *serving.Replica) serving.Load {
	l := t.load
	if t.reuse.Sessions > 0 {
		l.Hit = t.reuse.Hit(r.PrefixRoom(0, l))
	}
	return l
}
