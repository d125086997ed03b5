package quantity

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// measure is what a unit stands for: num/den × 10^exp base units. Powers of ten stay apart so that "87.2 us" becomes
// exactly the float64 nearest to 8.72e-05.
type measure struct {
	exp      int
	num, den float64 // 0 stands for 1
	dim      Dim
	label    Label
	binary   bool
}

// unit is an entry of the table below.
type unit struct {
	names    []string // spellings
	prefixes string   // the one-letter decimal prefixes it takes, "i" standing for the binary ones
	bare     bool     // may stand without prefix
	measure
}

// The prefixes that each kind of unit takes. u is also written µ.
const (
	large  = "kKMGTPEZY"
	large5 = "kMGTP"
	small  = "munp"
	both   = "pnumkMGTPE"
)

// units is every unit that can be written, in the order in which they are tried. Written out, a unit ending in
// S is a rate: TFLOPS is TFLOP/s, TFLOPs is TFLOP.
var units = [...]unit{
	{[]string{"FLOP", "FLOPs", "flop", "flops", "OP", "OPs", "op", "ops"}, large, true, measure{dim: Dim{FLOP: 1}}},
	{[]string{"FLOPS", "OPS"}, large, true, measure{dim: Dim{FLOP: 1, Second: -1}}},
	{[]string{"byte", "bytes"}, large, true, measure{dim: Dim{Byte: 1}}},
	{[]string{"B"}, large + "i", false, measure{dim: Dim{Byte: 1}}},
	{[]string{"Bps"}, large, true, measure{dim: Dim{Byte: 1, Second: -1}}},
	{[]string{"bit", "bits"}, large5, true, measure{den: 8, dim: Dim{Byte: 1}}},
	{[]string{"bps"}, "kKMGTP", true, measure{den: 8, dim: Dim{Byte: 1, Second: -1}}},
	{[]string{"s", "sec", "secs", "second", "seconds"}, small, true, measure{dim: Dim{Second: 1}}},
	{[]string{"min", "mins", "minute", "minutes"}, "", true, measure{num: 60, dim: Dim{Second: 1}}},
	{[]string{"h", "hr", "hrs", "hour", "hours"}, "", true, measure{num: 3600, dim: Dim{Second: 1}}},
	{[]string{"day", "days"}, "", true, measure{num: 86400, dim: Dim{Second: 1}}},
	{[]string{"week", "weeks"}, "", true, measure{num: 604800, dim: Dim{Second: 1}}},
	{[]string{"year", "years", "yr", "yrs"}, "", true, measure{num: 31557600, dim: Dim{Second: 1}}}, // 365.25 days
	{[]string{"$", "USD", "dollar", "dollars"}, "", true, measure{dim: Dim{Dollar: 1}}},
	{[]string{"cent", "cents"}, "", true, measure{exp: -2, dim: Dim{Dollar: 1}}},
	{[]string{"J", "joule", "joules"}, both, true, measure{dim: Dim{Joule: 1}}},
	{[]string{"Wh"}, large5, true, measure{num: 3600, dim: Dim{Joule: 1}}},
	{[]string{"W", "watt", "watts"}, both, true, measure{dim: Dim{Joule: 1, Second: -1}}},
	{[]string{"Hz"}, large, true, measure{dim: Dim{Second: -1}}},
}

// decimalPrefix is the power of ten of a prefix letter.
func decimalPrefix(c byte) int {
	const letters = "pnum kMGTPEZY"
	if c == 'K' {
		return 3
	}
	return 3*strings.IndexByte(letters, c) - 12
}

// binaryPrefix is the power of 1024 of the first letter of Ki, Mi, ...
func binaryPrefix(c byte) int { return strings.IndexByte(" KMGTPE", c) }

// lookup finds the unit a word names. The word has u for µ.
func lookup(word string) (measure, bool) {
	if word == "" {
		return measure{}, false
	}
	for i := range units {
		if m, ok := units[i].match(word); ok {
			return m, true
		}
	}
	if one, ok := nounOf(word); ok {
		return measure{label: Label{Over: one}}, true
	}
	if len(word) > 1 && strings.IndexByte("kMBT", word[0]) >= 0 {
		if one, ok := nounOf(word[1:]); ok && one == "token" { // $2.10/Mtoken
			return measure{exp: magnitude(word[0]), label: Label{Over: one}}, true
		}
	}
	return measure{}, false
}

func (u *unit) match(word string) (measure, bool) {
	last := word[len(word)-1]
	for _, name := range u.names {
		if name[len(name)-1] != last {
			continue
		}
		prefix, ok := strings.CutSuffix(word, name)
		if !ok {
			continue
		}
		switch {
		case prefix == "" && u.bare:
			return u.measure, true
		case len(prefix) == 1 && prefix != "i" && strings.Contains(u.prefixes, prefix):
			m := u.measure
			m.exp += decimalPrefix(prefix[0])
			return m, true
		case len(prefix) == 2 && prefix[1] == 'i' && strings.HasSuffix(u.prefixes, "i") && binaryPrefix(prefix[0]) > 0:
			m := u.measure
			m.num, m.binary = float64(uint64(1)<<(10*binaryPrefix(prefix[0]))), true
			return m, true
		}
	}
	return measure{}, false
}

// magnitude is the power of ten of a magnitude suffix: 8k, 405B. It is 0 for any other letter.
func magnitude(c byte) int {
	switch c {
	case 'k', 'K':
		return 3
	case 'M':
		return 6
	case 'B':
		return 9
	case 'T':
		return 12
	}
	return 0
}

// times multiplies m by the n-th power of u.
func (m *measure) times(u measure, n int) error {
	dim, err := u.dim.Pow(n)
	if err != nil {
		return err
	}
	if dim, err = m.dim.Mul(dim); err != nil {
		return err
	}
	m.dim = dim
	m.exp += u.exp * n
	num, den := orOne(u.num), orOne(u.den)
	if n < 0 {
		num, den, u.label = den, num, u.label.inverse()
	}
	for range abs(n) {
		m.num, m.den = orOne(m.num)*num, orOne(m.den)*den
		m.label = m.label.mul(u.label)
	}
	m.binary = m.binary || u.binary
	return nil
}

// scale is the size of m in base units.
func (m *measure) scale() float64 {
	f := orOne(m.num) / orOne(m.den)
	if m.exp < 0 {
		return f / powInt(10, -m.exp)
	}
	return f * powInt(10, m.exp)
}

func orOne(f float64) float64 {
	if f == 0 {
		return 1
	}
	return f
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

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
