package measured

import (
	"regexp"
	"strings"
)

// metricWords are words and units of metrics as people write them, and as they are called here. They are replaced one
// after the other.
var metricWords = []struct {
	theirs *regexp.Regexp
	ours   string
}{
	{regexp.MustCompile(`(?i)(^|[ _-])(?:tok|toks|token|tokens|t)(?:/|_per_| per |_)s(?:ec|econd)?$`),
		"${1}tokens_per_s"},
	{regexp.MustCompile(`(?i)^prompt[ _]eval[ _]rate$`), "prompt_tokens_per_s"},
	{regexp.MustCompile(`(?i)^eval[ _]rate$`), "tokens_per_s"},
	{regexp.MustCompile(`[ _]*@[ _]*d(\d)`), "_at_d$1"},
	{regexp.MustCompile(`^((?:pp|tg)\d+(?:_at_d\d+)?)(?:[ _]t[_/]s)?$`), "${1}_tokens_per_s"},
	{regexp.MustCompile(`(?i)bus[ _-]?(?:bandwidth|bw)`), "busbw"},
	{regexp.MustCompile(`(?i)alg(?:orithm)?[ _-]?(?:bandwidth|bw)`), "algbw"},
	{regexp.MustCompile(`(?i)[ _]+GB(?:/|_per_| per |_)s(?:ec|econd)?$`), "_GBps"},
	{regexp.MustCompile(`^(?:peak|max|best)_busbw_GBps$`), "busbw_GBps_at_max"},
	{regexp.MustCompile(`^latency_us`), "time_us"},
	{regexp.MustCompile(`(?i)^(?:bpw|effective_bpw|avg_bpw|bits_per_param(?:eter)?)$`), "bits_per_weight"},
	{regexp.MustCompile(`(?i)^(?:gguf_|model_|weights?_)?(?:file_)?size(?:_on_disk)?_(GiB|GB|bytes)$`), "file_size_$1"},
	{regexp.MustCompile(`(?i)^(?:disk|on_disk|file)_(GiB|GB|bytes)$`), "file_size_$1"},
}

// metricName is a metric's name as it is called here. A rate of tokens keeps what stands before its unit.
func metricName(theirs string) string {
	name := strings.TrimSpace(theirs)
	for _, w := range metricWords {
		name = w.theirs.ReplaceAllString(name, w.ours)
	}
	return name
}

// byName asks for a metric as a row calls it, and else as it is called here.
func byName[T any](name string, metric func(string) (T, bool)) (T, bool) {
	x, found := metric(name)
	if !found {
		x, found = metric(metricName(name))
	}
	return x, found
}
