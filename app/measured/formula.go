package measured

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// formula reads a number as people write it in tables: a product or quotient of numbers and of other values of the
// set-up.
type formula struct {
	setup Setup
	depth int // of formulas inside formulas
}

// times is an x between two numbers.
var times = regexp.MustCompile(`(\d)\s*[xX]\s*(\d)`)

// deepest is how often a formula may name another: enough for "GPUs*6", and an end for one that names itself.
const deepest = 4

// value is the number that a text stands for.
func (f formula) value(text string) (float64, error) {
	if f.depth > deepest {
		return 0, errors.New("it names itself; write a number")
	}
	product, op := 1.0, byte('*')
	rest := times.ReplaceAllString(strings.ReplaceAll(text, "×", "*"), "$1*$2")
	for more := true; more; {
		var part string
		next := byte('*')
		if end := strings.IndexAny(rest, "*/"); end >= 0 {
			part, next, rest = rest[:end], rest[end], rest[end+1:]
		} else {
			part, more = rest, false
		}
		x, err := f.factor(strings.TrimSpace(part))
		if err != nil {
			return 0, err
		}
		if op == '/' {
			x = 1 / x
		}
		product, op = product*x, next
	}
	if math.IsInf(product, 0) || math.IsNaN(product) {
		return 0, errors.New("it has no value; write a number")
	}
	return product, nil
}

// factor is a number with an ending, a range, or the name of another value.
func (f formula) factor(text string) (float64, error) {
	if x, ok := number(text); ok {
		return x, nil
	}
	if low, high, found := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-"); found {
		if x, ok := number(low); ok {
			if _, ok := number(high); ok {
				return x, nil
			}
		}
	}
	names := []string{text, strings.ToLower(text)}
	if strings.EqualFold(text, "gpus") || strings.EqualFold(text, "chips") || strings.EqualFold(text, "devices") {
		names = append(names, "n_devices", "gpus")
	}
	name, value, found := f.setup.lookup(names)
	if !found {
		return 0, fmt.Errorf(
			"%q is no number and no value of this set-up; write a number, a range such as 64-512, or GPUs/32",
			text,
		)
	}
	switch v := value.(type) {
	case float64:
		return v, nil
	case string:
		return formula{f.setup, f.depth + 1}.value(v)
	}
	return 0, fmt.Errorf("%s is no number", name)
}

// number reads "128", "1,024", "16M", "8k" or "1.5e9".
func number(text string) (float64, bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", "")
	scale := 1.0
	if n := len(text); n > 1 {
		switch text[n-1] {
		case 'k', 'K':
			scale = 1e3
		case 'M':
			scale = 1e6
		case 'B', 'G':
			scale = 1e9
		case 'T':
			scale = 1e12
		}
		if scale != 1 {
			text = text[:n-1]
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, false
	}
	return x * scale, true
}
