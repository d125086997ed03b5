package network

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
)

// toriTable says how the pods of each TPU may be cut: generation, axes, side of the
// pod (or that it is made of cubes), shapes (or those smaller than a cube), source, note.
//
//go:embed tori.tsv
var toriTable string

// Rule is how the pods of one generation are cut into slices, and which axes of a slice wrap around.
//
// Where Cubes is false the pod is a flat torus wired for good: Shapes are all there are, and an axis wraps around only
// if it is as long as the pod's side, for only then are the links at both ends free for it (v2, v3, v5e, v6e).
//
// Where Cubes is true the pod is made of cubes of 4x4x4 chips joined by optical switches: any sides that are multiples
// of 4 will do, and all three axes wrap around. The smaller Shapes lie inside one cube and have no ring, even along an
// axis of 4: the links that would close it belong to the cube's faces. The original book says so in its text (2x2x4
// has no wraparound) and contradicts it in a footnote (every axis that is a multiple of 4 wraps).
type Rule struct {
	Generation string // "v5p"
	Dims       int    // 2 or 3
	Cubes      bool
	Side       int      // of the pod, where it is flat
	Shapes     []string // sides ascending: "2x2x4"
	Source     string   // of the shapes: the ID of a source of the catalog
	Note       string
}

// RuleFor is the rule of a chip, by the part of its ID that names the generation; false if it is not joined in a torus.
func RuleFor(chip *hardware.Accelerator) (Rule, bool) {
	family, generation, _ := strings.Cut(chip.ID, ".")
	if family == "gpu" || family == "npu" || family == "soc" {
		return Rule{}, false
	}
	for line := range strings.Lines(toriTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 6 || c[0] != generation {
			continue
		}
		side, err := strconv.Atoi(c[2])
		return Rule{
			Generation: c[0], Dims: int(c[1][0] - '0'), Cubes: err != nil, Side: side,
			Shapes: strings.Fields(c[3]), Source: c[4], Note: c[5],
		}, true
	}
	return Rule{}, false
}

const cube = 4 // chips along a side of a cube

// wraps says for each axis of a legal shape whether it wraps around.
func (r Rule) wraps(shape []int) []bool {
	wrap := make([]bool, len(shape))
	for i, n := range shape {
		wrap[i] = n == r.Side
		if r.Cubes {
			wrap[i] = wholeCubes(shape)
		}
	}
	return wrap
}

// wholeCubes tells whether a shape is made of cubes.
func wholeCubes(shape []int) bool {
	for _, n := range shape {
		if n < cube || n%cube != 0 {
			return false
		}
	}
	return len(shape) == 3
}

// legal tells whether the shape, in any order of its sides, can be cut out of a pod of so many chips.
func (r Rule) legal(shape []int, pod int) bool {
	sorted := slices.Clone(shape)
	slices.Sort(sorted)
	return slices.Contains(r.Shapes, shapeText(sorted)) || r.Cubes && wholeCubes(shape) && product(shape) <= pod
}

// offer says which shapes there are.
func (r Rule) offer(pod int) *phrase.Phrase {
	if !r.Cubes {
		return phrase.New("network.flat-shapes", "shapes", phrase.Commas(r.Shapes))
	}
	return phrase.New("network.cube-shapes", "shapes", phrase.Commas(r.Shapes), "most", pod)
}
