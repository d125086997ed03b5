// Package measured reads measurements of training, of serving, of single machines and of collectives as they are
// published, and predicts them.
//
// A row is one line of JSON:
//
//	{"id": "...", "kind": "training", "setup": {"model": "llama-3-8b", "device": "H100", "n_devices": "8", ...},
//	 "measured": {...}}
//
// Predict goes in steps:
//
//  1. A line becomes a Row. What was measured is not even read, but for the names of the metrics: a prediction can't
//     depend on it.
//  2. The row's kind chooses a Predictor, from the table in predict.go.
//  3. The predictor reads the set-up through its getters, which understand what people write: "128", "64-512",
//     "GPUs/32", "16M", "n/a". It asks the estimation packages, and answers with intervals, named and counted as
//     measurements are.
//  4. The answer is written as one object on one line, in the order of the rows. A row that can't be predicted
//     says why.
//
// It is no room of the browser's: it uses encoding/json.
package measured
