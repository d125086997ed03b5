package hlo

import "math"

// Layout is how an array lies in memory. The zero value lies row after row in HBM, without tiles.
type Layout struct {
	Order       []int       // dimensions, the one whose neighbours touch first: {1,0} is row after row
	Tiles       [][]float64 // the outer one first; 0 stands for *, a dimension joined with the next
	Space       int         // memory: 0 is HBM, 1 is VMEM
	ElementBits float64     // that an element takes, where it is not what its type says; else 0
}

// physical are the sizes along the order in memory, the slowest first.
func (l *Layout) physical(dims []float64) []float64 {
	sizes := make([]float64, len(dims))
	copy(sizes, dims)
	if len(l.Order) != len(dims) {
		return sizes
	}
	for i, d := range l.Order {
		sizes[len(dims)-1-i] = dims[d]
	}
	return sizes
}

// tiled are the sizes that the layout makes room for: each tile splits the fastest dimensions into a number of tiles
// and the tile itself, which the next tile splits in turn.
func (l *Layout) tiled(dims []float64) []float64 {
	sizes := l.physical(dims)
	for _, tile := range l.Tiles {
		sizes = cutUp(sizes, tile)
	}
	return sizes
}

// cutUp splits the last dimensions by a tile. An array with fewer dimensions counts as one with more, of size 1.
func cutUp(sizes, tile []float64) []float64 {
	for len(sizes) < len(tile) {
		sizes = append([]float64{1}, sizes...)
	}
	outer := append([]float64(nil), sizes[:len(sizes)-len(tile)]...)
	rest, joined := sizes[len(sizes)-len(tile):], 1.0
	var inner []float64
	for i, t := range tile {
		if t == 0 {
			joined *= rest[i]
			continue
		}
		outer = append(outer, math.Ceil(joined*rest[i]/t))
		inner = append(inner, t)
		joined = 1
	}
	if joined != 1 {
		outer = append(outer, joined)
	}
	return append(outer, inner...)
}

// TileSizes are the numbers of elements of the tiles, the outer one first.
func (l *Layout) TileSizes() []float64 {
	var sizes []float64
	for _, tile := range l.Tiles {
		size := 1.0
		for _, t := range tile {
			size *= max(t, 1)
		}
		sizes = append(sizes, size)
	}
	return sizes
}

// Rounded are the sizes of an array, the slowest first, rounded up to whole outer tiles.
func (s *Shape) Rounded() []float64 {
	sizes := s.Layout.physical(s.Dims)
	if len(s.Layout.Tiles) == 0 {
		return sizes
	}
	tile := s.Layout.Tiles[0]
	for len(sizes) < len(tile) {
		sizes = append([]float64{1}, sizes...)
	}
	for i, t := range tile {
		if at := len(sizes) - len(tile) + i; t > 0 {
			sizes[at] = math.Ceil(sizes[at]/t) * t
		}
	}
	return sizes
}

// Real are the sizes of the two fastest physical dimensions, without padding.
func (s *Shape) Real() [2]int {
	sizes := append([]float64{1, 1}, s.Layout.physical(s.Dims)...)
	return [2]int{int(sizes[len(sizes)-2]), int(sizes[len(sizes)-1])}
}

// Place is where an element lies, counted in elements from the start of the array. At is its place along each physical
// dimension, the slowest first, with as many of size 1 before them as one likes.
func (l *Layout) Place(dims []float64, at []int) int {
	sizes, places := l.physical(dims), append([]int(nil), at...)
	for len(sizes) < len(places) {
		sizes = append([]float64{1}, sizes...)
	}
	for _, tile := range l.Tiles {
		for len(places) < len(tile) {
			places = append([]int{0}, places...)
		}
		first := len(places) - len(tile)
		sizes = cutUp(sizes, tile)
		inner := make([]int, 0, len(tile))
		for i, t := range tile {
			if t == 0 {
				return -1 // of joined dimensions nobody asks
			}
			inner = append(inner, places[first+i]%int(t))
			places[first+i] /= int(t)
		}
		places = append(places, inner...)
	}
	place := 0
	for i, size := range sizes {
		place = place*int(size) + places[i]
	}
	return place
}

// valid tells whether the order names each dimension once.
func (l *Layout) valid(dims int) bool {
	if len(l.Order) == 0 {
		return true
	}
	seen := make([]bool, dims)
	for _, d := range l.Order {
		if d < 0 || d >= dims || seen[d] {
			return false
		}
		seen[d] = true
	}
	return len(l.Order) == dims
}
