// Package hlo reads programs in the text of XLA's HLO, and says what each operation must cost on a chip.
//
// It works in these steps:
//
//  1. The text is cut into operations, one to a line or wrapped over several, and into the computations that hold them
//     (read.go). A line that can't be read becomes a [Fault] with its number; the others go on.
//  2. Shapes are read with their layout: order, tiles, memory space, and from these the bytes that an array really
//     takes (shape.go).
//  3. Each operation is counted: multiply-adds of matrices, operations on vectors, bytes to and from HBM and VMEM, and
//     what a collective sends within which group (count.go, traffic.go, collective.go). A fusion counts what
//     it holds, but moves only its own operands and results. A computation counts as often as it is run (times.go).
//  4. A chip turns counts into times: arithmetic, memory and network each by its own law, the longest of which an
//     operation takes at least (profile.go).
//
// # Conventions
//
// A multiply and an add count as two operations. Bytes are those in memory, padded to whole tiles; what a collective
// sends is counted without padding. A dimension that may vary counts at its bound. Sizes are those of one device, as a
// partitioned program has them.
//
// # Limits
//
// Texts come from strangers. A text has at most [MaxBytes], [MaxOps] operations and shapes of at most 2^60 bytes;
// tuples and calls nest a few dozen levels deep, and whatever goes beyond is a Fault.
package hlo
