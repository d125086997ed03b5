package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// symbols are quantities as labels call them, and the symbol that each has in all sheets. An index may follow, as in
// W_hbm, where a sheet has more than one.
var symbols = map[string]string{
	"an axis, both ways together":    "W",
	"arithmetic intensity":           "I",
	"cache of a sequence":            "cache",
	"chips in a pod":                 "N_pod",
	"computing":                      "T_math",
	"compute":                        "T_math",
	"critical batch":                 "B_crit",
	"experts":                        "E",
	"head size":                      "H",
	"hbm bandwidth":                  "W",
	"key and value heads":            "K",
	"kv heads":                       "K",
	"latency of a hop":               "t_hop",
	"layers":                         "L",
	"mlp width":                      "F",
	"model width":                    "D",
	"peak rate":                      "C",
	"peak rate, bf16":                "C",
	"prefill of a prompt":            "T_prefill",
	"query heads":                    "Q",
	"reading the weights":            "T_read",
	"replicas":                       "R",
	"side of an mxu":                 "side",
	"size of a head":                 "H",
	"stages":                         "p",
	"tensor-parallel degree":         "Y",
	"tensor-parallel degree at most": "Y_max",
	"time to communicate":            "T_comms",
	"time to compute":                "T_math",
	"time to move":                   "T_comms",
	"tokens in a sequence":           "T",
	"tokens in a step":               "B",
	"tokens in each cache":           "S",
	"vmem bandwidth":                 "W_vmem",
	"vocabulary":                     "V",
	"width":                          "D",
	"width of the mlp":               "F",
}

// linkedNames are inputs with another name, which links from elsewhere carry: a name in an address is for good.
var linkedNames = strings.Fields(``)

// ownSymbols are rows that show a field of a record under the field's name, as other fields beside it.
var ownSymbols = strings.Fields("model-card#modelcard.kv profiling#dropped.computing sharding-lab#lab.t_math " +
	"sharding-lab#lab.t_comms")

// A quantity has one symbol through the book, as a symbol has one quantity (TestLetters).
func TestQuantitiesHaveOneSymbol(t *testing.T) {
	seen, used := 0, map[string]bool{}
	eachSheet(t, func(where string, s *sheet.Sheet) {
		for i := range s.Rows {
			d := &s.Rows[i]
			want, known := symbols[strings.ToLower(d.Label)]
			if !known {
				continue
			}
			seen++
			name := where + "." + d.Name
			switch {
			case d.Name == want, strings.HasPrefix(d.Name, want+"_"):
			case slices.Contains(ownSymbols, name), slices.Contains(linkedNames, name) && d.Kind == "input":
				used[name] = true
			default:
				t.Errorf("%s: %q; the book's symbol for it is %s", name, d.Label, want)
			}
		}
	})
	if seen < 300 {
		t.Errorf("only %d rows", seen)
	}
	for _, name := range slices.Concat(linkedNames, ownSymbols) {
		if !used[name] {
			t.Errorf("%s is no exception", name)
		}
	}
}
