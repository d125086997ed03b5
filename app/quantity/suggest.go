package quantity

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// common are the units worth naming to whoever wrote one that does not exist.
const common = "byte KB MB GB TB PB KiB MiB GiB TiB bit Mbit Gbit Tbit byte/s GB/s TB/s GiB/s Gbit/s " +
	"FLOP kFLOP MFLOP GFLOP TFLOP PFLOP EFLOP FLOP/s GFLOP/s TFLOP/s PFLOP/s EFLOP/s FLOP/byte " +
	"s ms us ns min hour day week year minute second $ USD cent $/hour J kJ MJ Wh kWh MWh W kW MW Hz kHz MHz GHz"

// Suggest is the remedy for a word that is no unit: the nearest units, nearest first, or those that are common.
func Suggest(word string) *phrase.Phrase {
	if near := Near(word); near != nil {
		return near
	}
	return phrase.New("quantity.common-units")
}

// Near is the remedy for a word that is nearly a unit; nil for any other.
func Near(word string) *phrase.Phrase {
	near := nearest(word)
	if len(near) == 0 {
		return nil
	}
	return phrase.New("quantity.did-you-mean", "units", phrase.Or(near))
}

// nearest is at most three units that a word may have been meant as; one alone if only the case is wrong.
func nearest(word string) []string {
	word = clip(word, 24)
	near := spell.Nearest(word, append(strings.Fields(common), nounNames()...), limit(word), 3)
	if len(near) > 0 && strings.EqualFold(word, near[0]) && (len(near) == 1 || !strings.EqualFold(word, near[1])) {
		return near[:1]
	}
	return near
}

func nounNames() []string {
	names := make([]string, len(nouns))
	for i, n := range nouns {
		names[i] = n.one
	}
	return names
}

// limit is the greatest distance at which a suggestion still helps, in half edits.
func limit(word string) int {
	switch n := len(word); {
	case n <= 1:
		return 1
	case n <= 3:
		return 2
	case n <= 5:
		return 3
	}
	return 5
}

// clip shortens hostile text before it is shown.
func clip(s string, n int) string { return spell.Clip(s, n) }
