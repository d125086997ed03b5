package quantity

// The types below carry their unit in their name, for the laws of the estimation rooms: a law that takes Bytes and a
// Bandwidth and returns Seconds cannot be called with the wrong thing. They are float64 in base units.
type (
	FLOPs     float64 // floating-point operations; a multiply and an add are two
	Bytes     float64 // 8 bits each
	Seconds   float64
	FLOPRate  float64 // FLOP/s
	Bandwidth float64 // byte/s; one-way unless the name says otherwise
	Intensity float64 // FLOP/byte
)

// The dimensions of the types above, for whoever meets them as plain quantities.
var (
	dimFLOPs     = Dim{FLOP: 1}
	dimBytes     = Dim{Byte: 1}
	dimSeconds   = Dim{Second: 1}
	dimFLOPRate  = Dim{FLOP: 1, Second: -1}
	dimBandwidth = Dim{Byte: 1, Second: -1}
	dimIntensity = Dim{FLOP: 1, Byte: -1}
)

// Quantity is f with its dimension.
func (f FLOPs) Quantity() Quantity { return Quantity{Value: float64(f), Dim: dimFLOPs} }

// Quantity is b with its dimension.
func (b Bytes) Quantity() Quantity { return Quantity{Value: float64(b), Dim: dimBytes} }

// Quantity is s with its dimension.
func (s Seconds) Quantity() Quantity { return Quantity{Value: float64(s), Dim: dimSeconds} }

// Quantity is r with its dimension.
func (r FLOPRate) Quantity() Quantity { return Quantity{Value: float64(r), Dim: dimFLOPRate} }

// Quantity is b with its dimension.
func (b Bandwidth) Quantity() Quantity { return Quantity{Value: float64(b), Dim: dimBandwidth} }

// Quantity is i with its dimension.
func (i Intensity) Quantity() Quantity { return Quantity{Value: float64(i), Dim: dimIntensity} }

// Over is the time that f operations take at rate r, at the least.
func (f FLOPs) Over(r FLOPRate) Seconds { return Seconds(float64(f) / float64(r)) }

// Over is the time that b bytes take at bandwidth w, at the least.
func (b Bytes) Over(w Bandwidth) Seconds { return Seconds(float64(b) / float64(w)) }
