package sharding

import "github.com/scalebook/scalebook/app/phrase"

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

// given is which sizes there are, where that of a dimension is missing.
func (s Sizes) given(dim string) *phrase.Phrase {
	if len(s) == 0 {
		return phrase.New("sharding.sizes-given-none", "dim", clip(dim))
	}
	return phrase.New("sharding.sizes-given", "names", phrase.Commas(s.names()), "dim", clip(dim))
}

const sizesForm = "sharding.sizes-form"

// ParseSizes reads "I=8192, J=8k, K=4Ki". A name without a size takes the next of open, which may be nil.
func ParseSizes(text string, open *Numbers) (Sizes, error) {
	s, err := newScanner("sizes", text)
	if err != nil {
		return nil, err
	}
	var sizes Sizes
	for s.peek() != 0 {
		name, at, err := s.name("sharding.want-dim-name", sizesForm)
		if err != nil {
			return nil, err
		}
		if s.accept("_") {
			return nil, at.fault(
				"sizes",
				phrase.New("sharding.name-goes-on", "name", quoted(name)),
				phrase.New("sharding.plain-name", "name", name),
			)
		}
		if _, known := sizes.Get(name); known {
			return nil, at.fault("sizes", phrase.New("sharding.dim-two-sizes", "dim", quoted(name)),
				phrase.New("sharding.one-size"))
		}
		if len(sizes) == 4*maxDims {
			return nil, at.fault("sizes", phrase.New("sharding.many-dims"), upTo(4*maxDims))
		}
		n, err := s.dimSize(name, at, open)
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, Size{name, n})
		if !s.accept(",", ";") && s.peek() != 0 {
			return nil, s.expected(phrase.New("sharding.want-comma"), sizesForm)
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
