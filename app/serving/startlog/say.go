package startlog

import (
	"math"
	"slices"
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
		"ours", InLog(s.Name, s.Ours)), phrase.New(steps[s.step].why))
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

// ModuleName is a part of the weights as readers know it.
func ModuleName(name string) *phrase.Phrase {
	return phrase.New(modules[1+slices.Index(modules[:], name)])
}

// modules are parts of the weights, each with its sentence behind it.
var modules = [...]string{"attention", "startlog.m-attention", "mlp", "startlog.m-mlp", "experts", "startlog.m-experts",
	"embedding", "startlog.m-embedding", "unembedding", "startlog.m-unembedding", "beside", "startlog.m-beside"}
