package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// servedRows is the options that serve-plan prints as JSON.
func servedRows(t *testing.T, args ...string) []servedRow {
	t.Helper()
	var out, errs bytes.Buffer
	if status := servePlan(append(args, "-json"), streams{out: &out, err: &errs}); status != ok {
		t.Fatalf("%v: %s", args, errs.String())
	}
	var all []servedRow
	for line := range strings.Lines(out.String()) {
		var r servedRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// However few options are shown, the fastest for a user and the one with most tokens a chip are among them, and no
// option of a front is beaten by another, together or apart.
func TestServePlanShowsTheEnds(t *testing.T) {
	set := []string{"-model", "llama3.70b", "-weights", "fp8", "-chips", "8", "-apart"}
	every := servedRows(t, append(set, "-all", "-top", "0")...)
	fastest, most := 0.0, 0.0
	for _, r := range every {
		fastest, most = max(fastest, r.PerUser), max(most, r.PerChip)
	}
	for _, top := range []string{"2", "3", "20"} {
		for _, more := range [][]string{{"-all"}, {}} {
			some := servedRows(t, append(append(set, "-top", top), more...)...)
			thrifty := 0.0
			for _, r := range some {
				thrifty = max(thrifty, r.PerChip)
			}
			if some[0].PerUser != fastest || thrifty != most {
				t.Errorf("%v, of %s options the first gives a user %v tokens a second, not %v, and the best %v a chip, not %v",
					more, top, some[0].PerUser, fastest, thrifty, most)
			}
		}
	}
	front := servedRows(t, append(set, "-top", "0")...)
	for _, a := range front {
		for _, b := range front {
			if a.PerUser > b.PerUser && a.PerChip >= b.PerChip {
				t.Fatalf("%+v beats %+v", a, b)
			}
		}
	}
}

// A rate is named as one: requests a second, which with the time of each are those under way.
func TestRatesAreNamed(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"-model", "llama3.8b", "-chips", "1", "-top", "1", "-json"}
	if status := servePlan(args, streams{out: &out, err: &errs}); status != ok {
		t.Fatal(errs.String())
	}
	var row map[string]any
	if err := json.Unmarshal(out.Bytes(), &row); err != nil {
		t.Fatal(err)
	}
	rate, named := row["request_per_s"].(float64)
	_, before := row["request_s"]
	whole := row["ttft_s"].(float64) + row["tpot_s"].(float64)*1023
	if !named || before || rate*whole < 0.98*row["batch"].(float64) || rate*whole > 1.02*row["batch"].(float64) {
		t.Errorf("%v requests a second of %v s each, at a batch of %v: %s", rate, whole, row["batch"], out.String())
	}
}
