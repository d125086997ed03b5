package startlog

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
)

// deriveRanks works the layout out of what ranks say of themselves, where no flag tells it: "(Worker_TP3 pid=9)",
// "rank 1 in world size 8 is assigned as DP rank 0, PP rank 0, TP rank 1", "[2026-02-26 16:31:00 TP7]".
func (l *Log) deriveRanks(text string) {
	if l.Plan.TP > 0 || l.Plan.PP > 0 || l.Engine != "vllm" && l.Engine != "sglang" {
		return
	}
	tp := max(highest(text, "TP rank ", ""), highest(text, "_TP", ""), highest(text, " TP", "]"),
		highest(text, "Worker rank=", " pid="), highest(text, " TP", " EP"))
	pp := max(highest(text, "PP rank ", ""), highest(text, "_PP", ""), highest(text, " PP", " TP"))
	world := max(highest(text, " size ", "")-1, highest(text, "world_size=", " rank=")-1)
	if world > tp*max(pp, 1) && world%max(pp, 1) == 0 { // the log is of one rank
		tp = world / max(pp, 1)
	}
	if tp > 1 {
		l.Plan.TP = tp
	}
	if pp > 1 {
		l.Plan.PP = pp
	}
}

// highest is one more than the highest number that stands between two words, 0 if there is none.
func highest(text, before, behind string) int {
	most := 0
	for {
		_, rest, found := strings.Cut(text, before)
		if !found {
			return most
		}
		text = rest
		n := 0
		for n < len(text) && n < 4 && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if x, err := strconv.Atoi(text[:n]); err == nil && strings.HasPrefix(text[n:], behind) {
			most = max(most, x+1)
		}
	}
}

// deriveCache works out how keys and values are stored from the bytes of a token that the log says, or its cache over
// its tokens, where nothing names a type: half of what 16 bits take are 8 bits. It holds for models whose layers all
// keep every token.
func (l *Log) deriveCache() {
	each := l.Figure("pertoken")
	if tokens := l.Figure("tokens"); each == 0 && tokens > 0 {
		each = l.Figure("cache") / tokens
	}
	known, err := model.Catalog().Get(l.Known)
	if each == 0 || l.Engine == "llama.cpp" || err != nil {
		return
	}
	a, err := hardware.Catalog().Get(UsualChip)
	if err != nil {
		return
	}
	c, err := serving.NewChip(a)
	if err != nil {
		return
	}
	shape := serving.NewShape(&known.Model, serving.Uniform(2, 2))
	r, err := serving.NewReplica(shape, c, l.Plan, serving.Fitted(l.Engine), serving.Engine{Name: l.Engine})
	if err != nil {
		return
	}
	account := r.Account(1<<13, serving.Said{})
	if known.Window.Size != 0 || known.Compress != (model.Compress{}) {
		if l.Engine == "sglang" && l.Version == "" && l.Figure("pertoken") > 1.5*account.PerToken {
			l.Version = "0.5.12" // which had more states of open entries for a token
		}
		return
	}
	if l.Cache != "" {
		return
	}
	if half := account.PerToken / 2; account.States == 0 && math.Abs(each-half) < 0.03*half {
		l.Cache, l.Halved = "fp8", true
	}
}

// Remarks say which version and which formats were guessed, and which flags nobody knows here.
func (l *Log) Remarks() any {
	var assumed, more, dated, halved, unread, unpriced, bench any
	if l.Assumed {
		assumed = phrase.New("startlog.assumed")
	}
	if l.More {
		more = phrase.New("startlog.more")
	}
	if l.Dated {
		dated = phrase.New("startlog.dated", "version", l.Version)
	}
	if l.Halved {
		halved = phrase.New("startlog.halved")
	}
	if len(l.Unread) > 0 {
		unread = phrase.New("startlog.unread", "flags", phrase.Printable(strings.Join(l.Unread, ", "), 80))
	}
	if len(l.Unpriced) > 0 {
		unpriced = phrase.New("startlog.unpriced", "flags", phrase.Printable(strings.Join(l.Unpriced, ", "), 200))
	}
	if l.Bench {
		bench = phrase.New("startlog.bench")
	}
	return phrase.Sentences(assumed, more, dated, halved, unread, unpriced, bench)
}

// deriveVersion works out the release of a log of vLLM that doesn't say it, by how its processes and its lines are
// called: each name is of a time. A log that tells what its cache has, and nothing of what graphs are expected to take,
// is of a release that didn't take it off.
func (l *Log) deriveVersion(text string) {
	if l.Engine != "vllm" || l.Version != "" || l.find("cache") < 0 && l.find("blocks") < 0 && l.find("tokens") < 0 {
		return
	}
	switch {
	case logHas(text, "Loading model weights took") && !logHas(text, "EngineCore"): // vllm-ascend still says so
		l.Version = "0.6.6"
	case logHas(text, "(VllmWorker rank="):
		l.Version = "0.9.2"
	case logHas(text, "(EngineCore_0 pid="):
		l.Version = "0.10.1"
	case logHas(text, "(EngineCore_DP0 pid="):
		l.Version = "0.14"
	case l.find("counted") < 0 && l.find("blocks") < 0:
		l.Version = "0.20"
	}
}
