package sharding

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// subscript takes "_XY" or "_{X,Y}", if there is one. The axes are also looked for in the rest of a, and in own.
func (p *parser) subscript(a *Array, own []int) ([]int, error) {
	if p.at >= len(p.text) || p.text[p.at] != '_' {
		return own, nil
	}
	p.at++
	if p.at < len(p.text) && p.text[p.at] == '{' {
		return p.braced(a, own)
	}
	word, at := p.run(wordy)
	return p.axes(a, own, word, at)
}

func (p *parser) braced(a *Array, own []int) ([]int, error) {
	p.at++
	for !p.accept("}") {
		word, at := p.run(wordy)
		if word == "" {
			return nil, p.expected(phrase.New("sharding.want-axis-or-brace"), "sharding.braces-form")
		}
		var err error
		if own, err = p.axes(a, own, word, at); err != nil {
			return nil, err
		}
		p.accept(",")
	}
	return own, nil
}

// axes reads a run of axis names, appends them to own, and refuses one that the array uses already.
func (p *parser) axes(a *Array, own []int, word string, at span) ([]int, error) {
	if word == "" {
		return nil, at.fault("notation", phrase.New("sharding.no-axis-follows"),
			p.mesh.has("sharding.mesh-has", "sharding.mesh-has-none"))
	}
	found, ways := p.segment([]rune(word))
	switch {
	case ways == 0:
		return nil, p.unknownAxis(word, at)
	case ways > 1:
		return nil, at.fault("notation", phrase.New("sharding.ambiguous", "word", quoted(word)),
			phrase.New("sharding.separate"))
	}
	col := at.col
	for _, x := range found {
		n := len([]rune(p.mesh.Axes[x].Name))
		if slices.Contains(own, x) || a.uses(x) {
			return nil, span{col, n}.fault("notation", phrase.New("sharding.axis-twice", "axis", p.mesh.Axes[x].Name),
				p.spare(a, own))
		}
		own = append(own, x)
		col += n
	}
	return own, nil
}

// spare says which axes are still to be had.
func (p *parser) spare(a *Array, own []int) *phrase.Phrase {
	var free []string
	for i, x := range p.mesh.Axes {
		if !a.uses(i) && !slices.Contains(own, i) {
			free = append(free, x.Name)
		}
	}
	if len(free) == 0 {
		return phrase.New("sharding.axes-left-none")
	}
	return phrase.New("sharding.axes-left", "names", phrase.Commas(free))
}

func (p *parser) unknownAxis(word string, at span) error {
	r := []rune(word)
	for n := range len(r) { // the longest beginning that is made of axes shows where the fault is
		if _, ways := p.segment(r[:len(r)-1-n]); ways > 0 {
			at = span{at.col + len(r) - 1 - n, 1 + n}
			word = string(r[len(r)-1-n:])
			break
		}
	}
	return at.fault("notation", phrase.New("sharding.no-axis", "axis", quoted(word)),
		p.mesh.has("sharding.it-has", "sharding.it-has-none"))
}

// segment splits a word into names of axes, and counts in how many ways that can be done (up to 2). The empty word is
// one way.
func (p *parser) segment(word []rune) (axes []int, ways int) {
	if len(word) == 0 {
		return nil, 1
	}
	if len(word) > maxAxes*maxName {
		return nil, 0
	}
	ways2 := make([]int, len(word)+1) // ways to split what follows
	next := make([]int, len(word)+1)
	ways2[len(word)] = 1
	for i := len(word) - 1; i >= 0; i-- {
		for k, x := range p.mesh.Axes {
			if n := len([]rune(x.Name)); strings.HasPrefix(string(word[i:]), x.Name) && ways2[i+n] > 0 {
				ways2[i] = min(2, ways2[i]+ways2[i+n])
				next[i] = k
			}
		}
	}
	if ways2[0] != 1 {
		return nil, ways2[0]
	}
	for i := 0; i < len(word); i += len([]rune(p.mesh.Axes[next[i]].Name)) {
		axes = append(axes, next[i])
	}
	return axes, 1
}
