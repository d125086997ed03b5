package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// symbols are quantities as labels call them, and the symbol that each has in all sheets. An index may follow, as in
// W_hbm, where a sheet has more than one.
var symbols = map[string]string{
	"an axis, both ways together":    "W",
	"arithmetic intensity":           "I",
	"all parameters":                 "P",
	"cache of a sequence":            "cache",
	"chips":                          "N",
	"chips in a pod":                 "N_pod",
	"computing":                      "T_math",
	"compute":                        "T_math",
	"critical batch":                 "B_crit",
	"chips in the ring":              "N",
	"chips on the axis":              "N",
	"chips that share the model":     "N",
	"devices":                        "N",
	"devices of the group":           "N",
	"experts":                        "E",
	"gpus":                           "N",
	"parameters":                     "P",
	"parameters of the model":        "P",
	"parameters of the layer":        "P",
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

// ownSymbols are rows that show a field of a record under the field's name, as other fields beside it.
var ownSymbols = strings.Fields(`accelerators#slice.chips chips#pod-slice.chips model-card#modelcard.kv
	model-card#modelcard.params profiling#dropped.computing profiling#dropped.devices profiling#first-trace.devices
	sharding-lab#lab.chips sharding-lab#lab.t_comms sharding-lab#lab.t_math startup-log#startup.chips`)

// axisSymbols are rows whose chips are all on one axis, which the laws beside them are written for.
var axisSymbols = strings.Fields("sharding-problems#q-outer.X training#fsdp.X")

// A quantity has one symbol through the book, as a symbol has one quantity (TestLetters).
func TestQuantitiesHaveOneSymbol(t *testing.T) {
	seen, used := 0, map[string]bool{}
	eachSheet(t, func(where string, s *sheet.Sheet) {
		for i := range s.Rows {
			d := &s.Rows[i]
			want, known := symbols[strings.ToLower(d.Label)]
			if !known || d.Type.Kind != value.Number {
				continue
			}
			seen++
			name := where + "." + d.Name
			switch {
			case d.Name == want, strings.HasPrefix(d.Name, want+"_"):
			case slices.Contains(ownSymbols, name), slices.Contains(axisSymbols, name):
				used[name] = true
			default:
				t.Errorf("%s: %q; the book's symbol for it is %s", name, d.Label, want)
			}
		}
	})
	if seen < 300 {
		t.Errorf("only %d rows", seen)
	}
	for _, name := range slices.Concat(ownSymbols, axisSymbols) {
		if !used[name] {
			t.Errorf("%s is no exception", name)
		}
	}
}

// Links within the book have the names of today, so that former ones are left to links from elsewhere.
func TestLinksHaveTodaysNames(t *testing.T) {
	sheets := map[string]*sheet.Sheet{}
	eachSheet(t, func(where string, s *sheet.Sheet) {
		_, id, _ := strings.Cut(where, "#")
		sheets[id] = s
	})
	param, links := regexp.MustCompile(`[?&]([a-z0-9-]+)\.([A-Za-z]\w*)=`), 0
	eachPage(t, func(file, page string) {
		for _, found := range param.FindAllStringSubmatch(page, -1) {
			if s := sheets[found[1]]; s != nil {
				if links++; s.Today(found[2]) != found[2] {
					t.Errorf("%s: %s; it is %s today", file, found[0], s.Today(found[2]))
				}
			}
		}
	})
	if links < 20 {
		t.Errorf("only %d links", links)
	}
}
