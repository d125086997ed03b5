// Package quant knows how files of quantised weights store each tensor of a model, and so how large they are: GGUF's
// mixes from Q8_0 to IQ1_S, AWQ, GPTQ, EXL2 and EXL3, MLX, and what serving engines load.
//
// A type (types.tsv) is a layout of blocks: so many weights share so many bytes of scales, minima and the like. Its
// bits a weight follow. A format (formats.tsv) says which tensor gets which type: most the format's own, and some
// another, such as the unembedding, or the matrices to values of a part of the layers. [Format.Of] counts a model so,
// tensor by tensor.
package quant
