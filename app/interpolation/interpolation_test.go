package interpolation_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/interpolation"
)

// text is a file's values, by path, and one variable of the environment.
func text() interpolation.Text {
	values := map[string]string{"width": "4096", "model.width": "1024", "model.mlp": "${multiply:4,${.width}}",
		"model.heads.size": "${..width}", "model.deep.er.kv": "${...heads.size}", "loop": "${loop}", "a": "${b}",
		"b": "${a}", "devices": "8", "nodes": "${oc.env:NODES,4}", "tp": "${oc.decode:${oc.env:TP,null}}",
		"which": "width", "unknown": "${oc.env:NOBODY}", "name": "model", "empty": ""}
	return interpolation.Text{
		Value: func(path string) (string, bool) { v, known := values[path]; return v, known },
		Env:   func(name string) (string, bool) { return "2", name == "TP" },
	}
}

func TestResolve(t *testing.T) {
	for value, want := range map[string]string{
		"plain":                                 "plain",
		"${width}":                              "4096",
		"${.width}":                             "1024", // of model, where the value stands
		"${..width}":                            "4096",
		"${model.mlp}":                          "4096",
		"${model.heads.size}":                   "1024",
		"${model.deep.er.kv}":                   "1024",
		"${oc.env:TP,4}":                        "2",
		"${oc.env:PP,4}":                        "4",
		"${oc.env:PP,'16'}":                     "16",
		"${oc.env:PP,}":                         "",
		"${TP:1}":                               "2", // of the environment
		"${PP:1}":                               "1",
		"${PP:-${width}}":                       "4096",
		"${oc.env:PP,${width}}":                 "4096",
		"${oc.decode:${oc.env:PP,1}}":           "1",
		"${tp}":                                 "2",
		"${${which}}":                           "4096",
		"${${name}.width}":                      "1024",
		"${oc.select:nothing,7}":                "7",
		"${oc.select:width,7}":                  "4096",
		"${multiply:${devices},${nodes}}":       "32",
		"${multiply:2, 3, 4}":                   "24",
		"${floor_div:${multiply:8,9},16}":       "4",
		"${ceil_div:18432,1152}":                "16",
		"${div:1,4}":                            "0.25",
		"${floor:${add:${multiply:0.125,8},2}}": "3",
		"${if:${eq:${name},model},1,2}":         "1",
		"${if:${gt:${nodes},4},8,${tp}}":        "2",
		"${max:1,${sub:8,5}}":                   "3",
		"${name}-${width}":                      "model-4096",
		"${empty}":                              "",
	} {
		if got, whole := text().Resolve(value, "model.x"); got != want || !whole {
			t.Errorf("%s is %q, %v; want %q", value, got, whole, want)
		}
	}
}

// What isn't known stays as it is, and is reported.
func TestUnresolved(t *testing.T) {
	for _, value := range []string{"${nothing}", "${oc.env:PP}", "${loop}", "${a}", "${unknown}", "${secret:1}",
		"${open", "${multiply:4,${nothing}}", "${multiply:4,x}", "${div:1,0}", "${multiply:4", "${}", "${.}", "${:}",
		"${.....x}",
		"${add:1}"} {
		if got, whole := text().Resolve(value, "model.x"); whole || got != value {
			t.Errorf("%s is %q, %v", value, got, whole)
		}
	}
}

// A text whose values name each other twice doesn't grow without end.
func TestResolveEnds(t *testing.T) {
	doubling := interpolation.Text{
		Value: func(path string) (string, bool) { return "${x" + path + "}${x" + path + "}", len(path) < 40 },
		Env:   func(string) (string, bool) { return "", false },
	}
	if got, whole := doubling.Resolve("${x}", ""); whole || len(got) > 2000 {
		t.Errorf("%d bytes, %v", len(got), whole)
	}
}

// Any text ends, is whole only if nothing is left, and a whole one is resolved to itself.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{"${width}", "${oc.env:TP,4}", "${multiply:4,${.width}}", "${a${b}}",
		"${if:1,'a,b',2}",
		"${:${", "$${{}}", "${[,]:1}"} {
		f.Add(seed, "model.x")
	}
	f.Fuzz(func(t *testing.T, value, path string) {
		got, whole := text().Resolve(value, path)
		if !strings.Contains(value, "${") && (got != value || !whole) {
			t.Errorf("%q is %q, %v", value, got, whole)
		}
		if len(got) > len(value)+500*(1+strings.Count(value, "${")) {
			t.Errorf("%d bytes of %d", len(got), len(value))
		}
	})
}
