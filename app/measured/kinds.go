package measured

import (
	"slices"
	"strings"
)

// predictors are the kinds of rows that there are predictions for.
func predictors() map[string]Predictor {
	return map[string]Predictor{
		"inference":       inference,
		"training":        trainingRow,
		"memory":          trainingRow,
		"known-good-plan": trainingRow,
		"finetuning":      finetuning,
		"kv_capacity":     kvCapacity,
		"quantised_size":  quantisedSize,
		"local_decode":    localDecode,
		"nccl_tests":      collectiveTest,
	}
}

// kindNames lists the kinds.
func kindNames() string {
	var names []string
	for name := range predictors() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
