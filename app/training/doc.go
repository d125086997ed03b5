// Package training prices plans of training a Transformer on many chips: the memory of the fullest rank and the time
// of a step, each by part, and finds the best plan.
//
// A price comes about in steps:
//
//  1. A Job says what is trained on what: a model, devices, a batch, a sequence, a recipe of element sizes, and the
//     software.
//  2. NewPricer takes from them, once, the numbers that every plan needs: widths, weights, operations, rates
//     (shape.go, device.go).
//  3. A Plan is checked for legality (job.go): what doesn't divide is said with its numbers.
//  4. Stages lay the layers on the pipeline (stage.go). The slowest stage sets the pace, the fullest the memory.
//  5. Memory is summed up by part (memory.go), Time by part (time.go): matmuls at the rate that their shape reaches,
//     attention, elementwise kernels, each traffic with what of it shows, the bubble, the optimizer.
//  6. Parts become intervals (interval.go) by how far measured runs lay from predicted ones.
//
// Everything that can't be derived is a named constant of a software stack or a family of devices, in constants.tsv,
// with its source or the rows that it was fitted on. What a price takes for granted is numbered in assumptions.tsv.
//
// The package imports nothing of the page and runs in the browser as it is.
package training
