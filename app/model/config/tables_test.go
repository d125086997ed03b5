package config

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// The tables name each other rightly.
func TestTables(t *testing.T) {
	roles := map[string]role{}
	for _, x := range known().roles {
		if _, twice := roles[x.name]; twice || x.label == "" {
			t.Errorf("role %q is there twice, or has no label", x.name)
		}
		roles[x.name] = x
	}
	for table, columns := range map[string]int{fieldTable: 8, ignoredTable: 2, doubtTable: 3, refusedTable: 2,
		foreignTable: 2} {
		for line := range strings.Lines(table) {
			if c, _ := cells(line); len(c) != columns {
				t.Errorf("%d cells, not %d: %q", len(c), columns, line)
			}
		}
	}
	ids, types := map[string]bool{}, map[string]bool{}
	for _, f := range known().families {
		if ids[f.id] || f.title == "" || f.class == "" || len(f.types) == 0 {
			t.Errorf("family %q is there twice, or lacks its title, class or types", f.id)
		}
		ids[f.id] = true
		for _, mt := range f.types {
			if types[mt] || row(refusedTable, 0, mt) != nil {
				t.Errorf("model type %q is there twice", mt)
			}
			types[mt] = true
		}
		for _, s := range f.settings {
			x, ok := roles[strings.TrimPrefix(s.role, "gguf.")]
			if !ok {
				t.Errorf("family %s sets %q, which is no role", f.id, s.role)
			}
			checkSetting(t, f.id, x, s.value)
		}
	}
	for _, f := range known().formats {
		for _, s := range f.settings {
			if x, ok := roles[s.role]; !ok && s.role != "all" && s.role != "any" {
				t.Errorf("format %s sets %q, which is no role", f.id, s.role)
			} else if ok && s.value != "" {
				checkSetting(t, f.id, x, s.value)
			}
		}
	}
	before := map[string]bool{}
	for block := range strings.SplitSeq(familyTable, "\n\n") {
		c, _ := cells(block)
		if len(c) != 4 {
			t.Errorf("%d cells, not 4: %q", len(c), block)
		}
		for line := range strings.Lines(block) {
			if other, is := strings.CutPrefix(strings.TrimSpace(line), "like\t"); is && !before[other] {
				t.Errorf("%s is like %s, which is no family before it", c[0], other)
			}
		}
		before[c[0]] = true
	}
}

func checkSetting(t *testing.T, id string, x role, value string) {
	valid := map[string]bool{"on": x.kind == "flag", "off": x.kind == "flag"}
	switch x.name {
	case "ff_scale":
		valid["1"] = true
	case "norm":
		maps.Copy(valid, map[string]bool{"layer": true, "scale": true, "bare": true})
	case "qk_norm":
		maps.Copy(valid, map[string]bool{"head": true, "width": true, "none": true})
	case "linear":
		for _, k := range linearKinds {
			valid[k.word] = true
		}
	}
	if x.kind == "count" || x.kind == "list" {
		n := json.Number(value)
		_, err := n.Int64()
		valid[value] = err == nil || value == "" || value == essential || value == needed
	}
	if !valid[value] {
		t.Errorf("family %s sets %s to %q", id, x.name, value)
	}
}
