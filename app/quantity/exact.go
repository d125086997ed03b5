package quantity

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Exact is the value in base units with all its digits, and the base unit: "8.720745778680202e-05 s". A share is in
// hundredths: "80 %". ParseLike reads it back to the same bits.
func (q Quantity) Exact() string {
	if !q.IsFinite() {
		return phrase.New("quantity.no-finite-value").String()
	}
	if q.IsPercent() && q.Dim.IsZero() {
		return hundredfold(q.Value) + " %"
	}
	text := strconv.FormatFloat(q.Value, 'g', -1, 64)
	over, under := q.Dim.over(), q.Dim.under()
	label := q.Label.shown()
	if _, known := nounOf(label.Over); over == "" && known {
		over = label.Over
	}
	if _, known := nounOf(label.Under); known {
		under += "/" + label.Under
	}
	if over != "" {
		text += " " + over
	}
	return text + under
}

// hundredfold is 100 x in decimal. Moving the point keeps all digits, where multiplying would round.
func hundredfold(x float64) string {
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exp)
	text := mantissa + "e" + strconv.Itoa(n+2)
	if y, err := strconv.ParseFloat(text, 64); err == nil && n > -5 && n < 15 {
		if short := strconv.FormatFloat(y, 'f', -1, 64); strings.Trim(strings.Replace(short, ".", "", 1), "0-") ==
			strings.Trim(strings.Replace(mantissa, ".", "", 1), "0-") {
			return short
		}
	}
	return text
}
