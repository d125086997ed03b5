// Package local knows what one machine makes of a file of quantised weights for one user: a card, several of them, or a
// computer whose processor and GPU share their memory; with llama.cpp, MLX, ExLlamaV2, MLC or vLLM.
//
// A generated token reads every weight that it is multiplied with, and the cache. So its time is
//
//	T = W/(s B) + C/(c B) + L f
//
// with W and C bytes of weights and cache, B the bandwidth of the memory, s and c the shares of it that the software
// reaches, and f what a layer takes besides. A prompt is computed: its time is operations over a share of the peak. The
// shares are constants of a software on a kind of memory (constants.tsv), fitted to half of the published measurements
// that app/measured/rows has of it; /measured/ tells how far the other half lies off.
package local
