package main

import (
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Layouts of all chips are read as people write them, and what is none is refused.
func TestReadLayout(t *testing.T) {
	tp4, tp8 := serving.Plan{TP: 4}, serving.Plan{TP: 8}
	for text, want := range map[string]serving.Given{"": {}, "tp=8": {Layout: tp8},
		"2x TP8":                              {Layout: tp8, Replicas: 2},
		"TP4 to TP8":                          {Layout: tp8, Prompts: tp4},
		"5 × TP4 → 2 × TP8":                   {Layout: tp8, Prompts: tp4, Prefills: 5, Replicas: 2},
		"3x TP4 to 2x tp=8":                   {Layout: tp8, Prompts: tp4, Prefills: 3, Replicas: 2},
		"TP8, 12.5 GB on the host":            {Layout: tp8, Host: 12.5},
		"3x TP4 to TP8, 1e+01 GB on the host": {Layout: tp8, Prompts: tp4, Prefills: 3, Host: 10},
	} {
		if g, err := readLayout(text); err != nil || g != want {
			t.Errorf("%q is %+v, %v", text, g, err)
		}
		back, err := readLayout(layoutText(want))
		if text != "" && (err != nil || layoutText(back) != layoutText(want) || back.Replicas != want.Replicas ||
			back.Prefills != want.Prefills || back.Host != want.Host) {
			t.Errorf("%+v comes back as %+v, %v", want, back, err)
		}
	}
	for _, text := range []string{"0x TP8", "2x", "2.5x TP8", "-1x TP8", "9999999x TP8", "TP4 to ", " to TP8",
		"TP4 to TP8 to TP8", "TP8, NaN GB on the host", "12 GB on the host", "TP8, -3 GB on the host", "2 TP8"} {
		if g, err := readLayout(text); err == nil {
			t.Errorf("%q is read as %+v", text, g)
		}
	}
}
