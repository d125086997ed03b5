package measured

import (
	"fmt"
	"math"
	"strings"
)

// lookup is the first of the named values that says something: null, "", "n/a" and the like say nothing.
func (s Setup) lookup(names []string) (name string, value any, found bool) {
	s.read(names)
	for _, name := range names {
		value, found := s[name]
		if text, is := value.(string); is && silent(text) || value == nil {
			found = false
		}
		if found {
			return name, value, true
		}
	}
	return "", nil, false
}

// silent tells whether a text stands for no value.
func silent(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "n/a", "na", "none", "null", "-", "?":
		return true
	}
	return false
}

// Has tells whether one of the named values says something.
func (s Setup) Has(names ...string) bool {
	_, _, found := s.lookup(names)
	return found
}

// Text is the first of the named values that says something, as a text; "" if none does, or if it is a list or holds
// further values.
func (s Setup) Text(names ...string) string {
	_, value, _ := s.lookup(names)
	switch v := value.(type) {
	case nil, []any, map[string]any:
		return ""
	case string:
		return strings.TrimSpace(v)
	}
	return fmt.Sprint(value)
}

// Number is the first of the named values that says something, or otherwise if none does. A text may be a number
// ("128", "16M"), a range ("64-512": its lower end) or a formula over other values ("GPUs/32").
func (s Setup) Number(otherwise float64, names ...string) (float64, error) {
	name, value, found := s.lookup(names)
	if !found {
		return otherwise, nil
	}
	switch v := value.(type) {
	case float64:
		return v, nil
	case bool:
		return 0, fmt.Errorf("%s is %v; write a number, such as 128", name, v)
	case string:
		x, err := formula{setup: s}.value(v)
		if err != nil {
			return 0, fmt.Errorf("%s is %q: %v", name, v, err)
		}
		return x, nil
	}
	return 0, fmt.Errorf("%s is no number; write one, such as 128", name)
}

// Amount is Number for what can't be below zero.
func (s Setup) Amount(otherwise float64, names ...string) (float64, error) {
	x, err := s.Number(otherwise, names...)
	if err == nil && !(x >= 0 && x <= mostOfLoad) {
		name, _, _ := s.lookup(names)
		err = fmt.Errorf("%s is %v; write a number from 0 to a thousand million", name, x)
	}
	return x, err
}

// Share is Number for a share: 0.9, or 90 in percent.
func (s Setup) Share(otherwise float64, names ...string) (float64, error) {
	x, err := s.Number(otherwise, names...)
	if x > 1 && x <= 100 {
		x /= 100
	}
	if err == nil && !(x >= 0 && x <= 1) {
		name, _, _ := s.lookup(names)
		err = fmt.Errorf("%s is %v; write a share from 0 to 1", name, x)
	}
	return x, err
}

// Count is Number for what is at least 1 and whole if it is given at all, and 0 otherwise.
func (s Setup) Count(most float64, names ...string) (float64, error) {
	x, err := s.Number(0, names...)
	name, _, found := s.lookup(names)
	whole := math.Round(x)
	if err == nil && found && !(whole >= 1 && whole <= most && math.Abs(x-whole) <= 1e-9*whole) {
		return 0, fmt.Errorf("%s is %v; write a whole number from 1 to %.0f", name, x, most)
	}
	return whole, err
}

// Whole is Number for what must be a whole number within limits.
func (s Setup) Whole(otherwise, least, most int, names ...string) (int, error) {
	x, err := s.Number(float64(otherwise), names...)
	if err != nil {
		return 0, err
	}
	if x != math.Trunc(x) || x < float64(least) || x > float64(most) {
		name, _, _ := s.lookup(names)
		if name == "" {
			name = names[0]
		}
		return 0, fmt.Errorf("%s is %v; write a whole number from %d to %d", name, x, least, most)
	}
	return int(x), nil
}

// Switch is the first of the named values that says something, as yes or no; a number is yes unless it is 0.
func (s Setup) Switch(otherwise bool, names ...string) bool {
	_, value, found := s.lookup(names)
	if !found {
		return otherwise
	}
	switch v := value.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		switch strings.ToLower(v) {
		case "false", "no", "off", "0":
			return false
		}
	}
	return true
}
