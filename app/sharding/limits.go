package sharding

// Limits keep hostile text harmless; no honest array comes near them. Each has a message of its own.
const (
	maxText  = 500     // characters of a text
	maxDims  = 8       // of an array, and indices of an einsum
	maxAxes  = 6       // of a mesh
	maxName  = 16      // characters of a name
	maxSize  = 1e12    // of a dimension
	maxChips = 1 << 24 // of a mesh
)
