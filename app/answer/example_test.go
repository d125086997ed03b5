package answer_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/answer"
)

// Programs of other languages ask in JSON.
func ExampleAsk() {
	fmt.Println(string(answer.Ask("evaluate", []byte(`{"sheet": "ops = 3 FLOP * 1k"}`))))
	fmt.Println(string(answer.Ask("evaluate", []byte(`{"sheet": "t = 1 s + 1 byte"}`))))
	fmt.Println(string(answer.Ask("model", []byte(`{"model": "llama3.8b", "context": 0}`))))
	// Output:
	// {"sheet":"","rows":[{"name":"ops","label":"","kind":"step","type":"number","value":3000,"unit":"FLOP","text":"3000 FLOP"}]}
	// {"error":"1:5: cannot add `1 byte`, data (byte), to `1 s`, time (s); both sides need the same unit"}
	// {"error":"context is 0; write a number above 0, or leave it out"}
}

func ExampleFindPlans() {
	plans, err := answer.FindPlans(answer.PlanQuestion{Model: "llama3.8b", Chip: "h100", Chips: 64,
		Plan: "dp=32,tp=2,mbs=1,zero=1"})
	fmt.Println(plans.Fits, plans.Plans[0].DP, plans.Plans[0].TP, err)
	_, err = answer.FindPlans(answer.PlanQuestion{Model: "llama3.8b", Chip: "h100", Chips: 64, By: "luck"})
	fmt.Println(err)
	// Output:
	// true 32 2 <nil>
	// by is "luck"; write time or memory
}
