package training

import (
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
)

// fault is what can't be, as a sentence with its gaps.
func fault(key string, gaps ...any) error { return phrase.New(key, gaps...) }

// gigabytes is a number of bytes as sentences say it.
func gigabytes(bytes float64) string { return three(bytes/1e9) + " GB" }

// seconds is a time as sentences say it.
func seconds(s float64) string { return three(s) + " s" }

// three is a number with three digits, or all of those before the point.
func three(x float64) string {
	if x >= 1000 || x <= -1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
