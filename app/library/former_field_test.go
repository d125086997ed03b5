package library

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A field that had another name in an earlier edition still has that, too: alone, and as the column of a table. Two
// fields of one record have no name in common.
func TestFormerFields(t *testing.T) {
	known := 0
	for name, rows := range fieldRows() {
		seen := map[string]bool{}
		for row := range strings.Lines(rows) {
			c := strings.Split(strings.TrimSuffix(row, "\n"), "\t")[1:]
			for _, n := range append(c[:1:1], c[4:]...) {
				if n != "" && seen[n] {
					t.Errorf("two fields of a %s are or were called %s", name, n)
				}
				seen[n] = true
			}
			known += len(c[4:])
		}
	}
	if known == 0 {
		t.Error("no field had another name")
	}
	src := "job = training_job(llama3.8b, gpu.h100, 64 chip, 1048576 token, 8192 token, bf16, " +
		"usual_software(gpu.h100))\nplan = training_plan(job, \"dp=64 zero=3\", \"\")\n" +
		"x = plan_terms(plan)\nold = x.wire_dp\nnow = x.bandwidth_dp\n" +
		"sent = plan_exchanges(plan)\ntable sent show what, wire by wire\n"
	s, errs := sheet.Compile(src, New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if list := s.Tables[0]; list.Columns[1] != "network" || list.By != "network" {
		t.Errorf("the table shows %v by %s", list.Columns, list.By)
	} else if o, err := list.ParseOrder("-wire"); err != nil || o.String() != "-network" {
		t.Errorf("an address that ranks by wire does so by %q, %v", o, err)
	}
	r := s.Eval(nil)
	if old, err := r.Value("old"); err != nil || old.Num.Value == 0 || !r.Rows[3].Value.Same(r.Rows[4].Value) {
		t.Error(old, err)
	}
	v := value.RecordType{Fields: []value.Field{{Name: "new", Was: "old"}, {Name: "none"}}}
	if v.Field("old") != v.Field("new") || v.Field("old") == nil || v.Field("") != nil {
		t.Error("a former name isn't known, or no name is one")
	}
}
