package quantity

import "strconv"

// percent is the label of a share that prints in hundredths, because whoever wrote it did: 80 %. Its value is 0.8.
const percent = "%"

// IsPercent tells whether q prints in hundredths.
func (q Quantity) IsPercent() bool { return q.Label.Over == percent }

// Percent writes a share in hundredths, to so many decimals: Percent(0.1712, 1) is "17.1 %", with a space at which no
// line breaks. Format writes a share to so many significant digits; in a column or a progress bar all numbers should
// have the same decimals.
func Percent(share float64, decimals int) string {
	return minus(strconv.FormatFloat(100*share, 'f', decimals, 64)) + "\u00a0" + percent
}
