package measured

import (
	"errors"
	"slices"
	"strings"
)

// predictors are the kinds of rows that there are predictions for.
func predictors() map[string]Predictor {
	return map[string]Predictor{
		"inference": inference,
		"training":  training,
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

// training predicts the rate and the memory of a training plan.
func training(Row) (Prediction, error) {
	return Prediction{}, errors.New("training plans can't be priced yet")
}
