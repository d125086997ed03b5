package data

import (
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// The catalogs as others read them: every entry, every reading with a source that is there, in base units.
func TestCatalogs(t *testing.T) {
	chips, models := ChipsOf(), ModelsOf()
	if len(chips.Chips) != len(hardware.Catalog().All) || len(models.Models) != len(model.Catalog().All) {
		t.Errorf("%d chips, %d models", len(chips.Chips), len(models.Models))
	}
	units := map[string]string{}
	for _, f := range chips.Fields {
		units[f.Name] = f.Unit
	}
	for _, c := range chips.Chips {
		for field, readings := range c.Constants {
			unit, known := units[field]
			for _, r := range readings {
				if s := chips.Sources[r.Source]; !known || s.Title == "" || r.Value <= 0 {
					t.Errorf("%s: %s in %q: %+v from %+v", c.ID, field, unit, r, s)
				}
			}
		}
		hbm := c.Constants["hbm"][0].Value
		if c.Usable > hbm || c.Usable < 0.95*hbm {
			t.Errorf("%s: %v bytes of %v can be had", c.ID, c.Usable, hbm)
		}
		if c.ID == "gpu.h100" && (hbm != 81559<<20 || units["hbm"] != "byte") {
			t.Errorf("H100: %v %s", hbm, units["hbm"])
		}
	}
	for _, m := range models.Models {
		if models.Sources[m.Source].Title == "" || m.Total < m.Active || m.Shape["layers"] == nil ||
			m.Shape["id"] != nil {
			t.Errorf("%+v", m)
		}
		if m.ID == "deepseek.v3" && m.Shape["mla"].(map[string]any)["kv_rank"] != 512 {
			t.Errorf("%+v", m.Shape)
		}
	}
}

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{"KVHeads": "kv_heads", "FFWidth": "ff_width", "MoE": "moe", "MLA": "mla",
		"QKNorm": "qk_norm", "PerToken": "per_token"} {
		if got := snake(name); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}
