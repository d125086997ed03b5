//go:build lean

package training

// twoChunks are left out: no page without planners shows them.
func (q *pipe) twoChunks() [][]act { return nil }
