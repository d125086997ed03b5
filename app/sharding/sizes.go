package sharding

import "strconv"

// Size is the size of a dimension.
type Size struct {
	Name  string
	Value float64 // at least 1; one that comes from outside of the text need not be whole
}

// Sizes are the sizes of the dimensions that arrays may have.
type Sizes []Size

// Get is the size of a dimension.
func (s Sizes) Get(name string) (float64, bool) {
	for _, d := range s {
		if d.Name == name {
			return d.Value, true
		}
	}
	return 0, false
}

func (s Sizes) names() []string {
	names := make([]string, len(s))
	for i, d := range s {
		names[i] = d.Name
	}
	return names
}

const sizesRemedy = "sizes are written like I=8192, J=4096"

// ParseSizes reads "I=8192, J=8k, K=4Ki". A name without a size takes the next of open, which may be nil.
func ParseSizes(text string, open *Numbers) (Sizes, error) {
	s, err := newScanner("sizes", text)
	if err != nil {
		return nil, err
	}
	var sizes Sizes
	for s.peek() != 0 {
		name, at, err := s.name("the name of a dimension", sizesRemedy)
		if err != nil {
			return nil, err
		}
		if s.accept("_") {
			return nil, at.fault(
				"sizes",
				"the name "+quoted(name)+" goes on with `_`, which begins the mesh axes of a dimension",
				"names are of letters and digits, such as "+name+"2",
			)
		}
		if _, known := sizes.Get(name); known {
			return nil, at.fault("sizes", "dimension "+quoted(name)+" has two sizes", "give it one")
		}
		if len(sizes) == 4*maxDims {
			return nil, at.fault("sizes", "there are too many dimensions", "up to "+strconv.Itoa(4*maxDims)+" will do")
		}
		n, err := s.dimSize(name, at, open)
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, Size{name, n})
		if !s.accept(",", ";") && s.peek() != 0 {
			return nil, s.expected("a comma", sizesRemedy)
		}
	}
	return sizes, nil
}

func (s *scanner) dimSize(name string, at span, open *Numbers) (float64, error) {
	if s.accept("=", ":") {
		s.space()
		n, _, err := s.whole(maxSize)
		return float64(n), err
	}
	took := open.taken()
	n, ok := open.take(maxSize)
	if !ok {
		return 0, open.missing(at, "sizes", name, took)
	}
	return n, nil
}
