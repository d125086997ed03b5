package startlog

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
)

// Signed is a share in percent with its sign.
func Signed(x float64) string {
	text := strconv.FormatFloat(math.Abs(100*x), 'f', 1, 64) + " %"
	switch {
	case text == "0.0 %":
		return "0 %"
	case x < 0:
		return "−" + text
	}
	return "+" + text
}

// InLog is a figure as logs print it.
func InLog(name string, x float64) string {
	switch name {
	case "tokens", "blocks", "block":
		return quantity.Grouped(strconv.FormatFloat(x, 'f', 0, 64))
	case "concurrency":
		return strconv.FormatFloat(x, 'f', 2, 64) + "x"
	case "pertoken":
		return quantity.Grouped(strconv.FormatFloat(x, 'f', 0, 64)) + " B"
	}
	return strconv.FormatFloat(x/(1<<30), 'f', 2, 64) + " GiB"
}

// StepName is a step in the words of the engine’s log.
func StepName(name, engine string) *phrase.Phrase {
	switch name {
	case "total":
		return phrase.New("startlog.total")
	case "free":
		return phrase.New("startlog.free")
	case "before":
		return phrase.New("startlog.before")
	case "after":
		return phrase.New("startlog.after")
	case "budget":
		switch engine {
		case "sglang":
			return phrase.New("startlog.budget-static")
		case "trtllm":
			return phrase.New("startlog.budget-free")
		}
		return phrase.New("startlog.budget")
	case "weights":
		if engine == "sglang" {
			return phrase.New("startlog.weights-sglang")
		}
		return phrase.New("startlog.weights")
	case "nontorch":
		return phrase.New("startlog.nontorch")
	case "activations":
		return phrase.New("startlog.activations")
	case "counted":
		return phrase.New("startlog.counted")
	case "peak":
		return phrase.New("startlog.peak")
	case "open":
		return phrase.New("startlog.open")
	case "cache":
		switch engine {
		case "sglang":
			return phrase.New("startlog.cache-sglang")
		case "trtllm":
			return phrase.New("startlog.cache-trtllm")
		}
		return phrase.New("startlog.cache")
	case "pertoken":
		return phrase.New("startlog.pertoken")
	case "block":
		return phrase.New("startlog.block")
	case "blocks":
		return phrase.New("startlog.blocks")
	case "tokens":
		if engine == "sglang" {
			return phrase.New("startlog.tokens-sglang")
		}
		return phrase.New("startlog.tokens")
	case "request":
		return phrase.New("startlog.request")
	case "concurrency":
		return phrase.New("startlog.concurrency")
	}
	return phrase.New("startlog.graphs")
}

// Verdict names the first line that differs, or says that none does; without a log it says whether the engine starts.
func Verdict(lines []Line, x *serving.Ledger, r *serving.Replica) any {
	at, heard := First(lines), Heard(lines)
	switch {
	case heard == 0 && x.Cache <= 0:
		return phrase.New("startlog.no-room", "lack", InLog("cache", -x.Cache))
	case heard == 0 && x.Concurrency < 1:
		return phrase.New("startlog.too-long", "n", InLog("tokens", longest(x, r)), "x", InLog("concurrency", x.Concurrency))
	case heard == 0:
		return phrase.New("startlog.starts", "n", InLog("tokens", x.Tokens), "x", InLog("concurrency", x.Concurrency))
	case at < 0:
		return phrase.Count(heard, "startlog.agrees")
	}
	s := &lines[at]
	return phrase.Sentences(phrase.New("startlog.differs", "line", s.At, "words", s.Words, "said", InLog(s.Name, s.Said),
		"ours", InLog(s.Name, s.Ours)), cause(s.Name))
}

// longest is the longest sequence of which the cache has room for one.
func longest(x *serving.Ledger, r *serving.Replica) float64 {
	low, high := 0.0, x.Length
	for high-low > 1 {
		mid := math.Floor((low + high) / 2)
		if r.Pool(x.Cache, mid).Concurrency >= 1 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// cause is what makes a step differ, most often.
func cause(name string) *phrase.Phrase {
	switch name {
	case "total", "free", "before":
		return phrase.New("startlog.why-chip")
	case "budget":
		return phrase.New("startlog.why-budget")
	case "weights", "after":
		return phrase.New("startlog.why-weights")
	case "nontorch":
		return phrase.New("startlog.why-nontorch")
	case "activations", "peak", "open":
		return phrase.New("startlog.why-activations")
	case "counted", "graphs":
		return phrase.New("startlog.why-graphs")
	case "cache":
		return phrase.New("startlog.why-cache")
	}
	return phrase.New("startlog.why-tokens")
}

// ModuleName is a part of the weights as readers know it.
func ModuleName(name string) *phrase.Phrase {
	switch name {
	case "attention":
		return phrase.New("startlog.m-attention")
	case "mlp":
		return phrase.New("startlog.m-mlp")
	case "experts":
		return phrase.New("startlog.m-experts")
	case "embedding":
		return phrase.New("startlog.m-embedding")
	case "unembedding":
		return phrase.New("startlog.m-unembedding")
	}
	return phrase.New("startlog.m-beside")
}
