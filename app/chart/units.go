package chart

import (
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// A unit that all tick labels of an axis share need not be said at each of them: it moves to the title of the axis,
// "KV cache in GB". A long one moves without its prefixes: "100 T" and "3 P" on an axis in FLOP/s.

// shared takes the unit that the labels share off them and returns it; "" if they share none.
func shared(labels []tick) string {
	units := make([]string, 0, len(labels))
	for _, t := range labels {
		number, unit, spaced := strings.Cut(t.text, " ")
		if !spaced || unit == "" || strings.ContainsAny(unit, " ") {
			return ""
		}
		if number == "0" { // zero has every unit
			continue
		}
		if strings.Contains("kMBT", unit) { // thousands are no unit: "$500 M"
			return ""
		}
		units = append(units, unit)
	}
	if len(units) == 0 {
		return ""
	}
	unit, prefixed := common(units)
	if unit == "" {
		return ""
	}
	for i := range labels {
		number, own, _ := strings.Cut(labels[i].text, " ")
		if prefix := strings.TrimSuffix(own, unit); prefixed && number != "0" && prefix != "" {
			number += " " + prefix
		}
		labels[i].text = number
	}
	return unit
}

// common is the unit that all are, singular or plural, or else the long unit of which they are multiples.
func common(units []string) (unit string, prefixed bool) {
	same, tail := true, units[0]
	for _, u := range units {
		same = same && strings.TrimSuffix(u, "s") == strings.TrimSuffix(units[0], "s")
		if len(u) > len(unit) {
			unit = u
		}
		tail = ending(tail, u)
	}
	if same {
		return unit, false
	}
	if utf8.RuneCountInString(tail) < 4 {
		return "", false
	}
	for _, u := range units {
		if p := strings.TrimSuffix(u, tail); p != "" && !strings.Contains("k M G T P E Ki Mi Gi Ti Pi Ei m µ n p", p) {
			return "", false
		}
	}
	return tail, true
}

// ending is the longest common ending of a and b, in whole runes.
func ending(a, b string) string {
	for !strings.HasSuffix(b, a) {
		_, size := utf8.DecodeRuneInString(a)
		a = a[size:]
	}
	return a
}

// withUnit adds the unit to the title of an axis, unless the title has it already.
func withUnit(l phrase.Phrases, title, unit string) string {
	word := strings.TrimSuffix(unit, "s")
	switch {
	case unit == "" || word != "" && strings.Contains(strings.ToLower(title), strings.ToLower(word)) && len(word) > 2:
		return title
	case title == "":
		return unit
	}
	return l.Say("chart.in-unit", "title", title, "unit", unit)
}
