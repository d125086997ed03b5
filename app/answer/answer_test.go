package answer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/answer"
)

// Errors call arguments what whoever asks calls them, and never flags of the command.
func TestErrorsNameArguments(t *testing.T) {
	good := func() map[string]any { return map[string]any{"model": "llama3.8b", "chip": "h100", "chips": 8} }
	for _, wrong := range []struct {
		name  string
		value any
		says  string
	}{
		{"chips", 99_999_999, "chips is "},
		{"batch", 5, "batch 5 is less than one sequence of 8192 tokens; write more tokens, or a shorter sequence"},
		{"sequence", -1, "sequence is "},
		{"plan", "dp=x", "plan: "},
		{"state", "learn=luck", "state: "},
		{"constants", map[string]string{"luck": "1"}, "constants luck: "},
		{"constants", map[string]string{"show_dp": "many"}, "constants show_dp=many: "},
		{"settings", "nothing known", "settings: "},
	} {
		question := good()
		question[wrong.name] = wrong.value
		request, err := json.Marshal(question)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Error string }
		if err := json.Unmarshal(answer.Ask("plan", request), &got); err != nil ||
			!strings.HasPrefix(got.Error, wrong.says) {
			t.Errorf("%s: %q, %v, want %q", request, got.Error, err, wrong.says)
		}
		if strings.Contains(got.Error, "-"+wrong.name) || strings.Contains(got.Error, "-set") {
			t.Errorf("%s: %q names a flag", request, got.Error)
		}
	}
}

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

// An input is also set by a former name; where both are given, the present one counts.
func TestFormerNames(t *testing.T) {
	for _, inputs := range []map[string]any{{"n": "4"}, {"N": "4"}, {"n": "9", "N": "4"}} {
		got, err := answer.Evaluate(answer.SheetQuestion{Sheet: "let N = 8 was n\nT = 2 * N", Inputs: inputs})
		if err != nil || len(got.Rows) != 2 || fmt.Sprint(got.Rows[1].Value) != "8" {
			t.Errorf("%v: %+v, %v", inputs, got, err)
		}
	}
}
