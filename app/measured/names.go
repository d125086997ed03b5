package measured

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// The names that rows use, and the catalogs' names for them.
var (
	//go:embed models.tsv
	modelNames string
	//go:embed devices.tsv
	deviceNames string
)

var (
	knownModels  = sync.OnceValue(func() map[string]string { return pairs(modelNames) })
	knownDevices = sync.OnceValue(func() map[string]string { return pairs(deviceNames) })
)

// pairs reads a table of two columns.
func pairs(table string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(table) {
		if name, id, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); found {
			all[name] = id
		}
	}
	return all
}

// endings say how a model was tuned, stored or published; its shape is the same.
var endings = []string{"-instruct", "-chat", "-base", "-hf", "-it", "-thinking", "-fp8-dynamic", "-fp8", "-nvfp4", "-fp4", "-mxfp4", "-bf16", "-int8", "-int4",
	"-w8a8", "-awq", "-gptq", "-dynamic"}

// modelName brings what a row calls a model into the form of the table: without publisher and endings.
func modelName(text string) string {
	name := strings.ToLower(strings.TrimSpace(text))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(strings.ReplaceAll(name, "_", "-"), " ")
	for cut := true; cut; {
		cut = false
		for _, ending := range endings {
			if short, found := strings.CutSuffix(name, ending); found {
				name, cut = short, true
			}
			name = strings.Replace(name, ending+"-", "-", 1)
		}
	}
	return name
}

// FindModel is the model of the catalog that a row names.
func FindModel(text string) (*model.Model, error) {
	id, found := knownModels()[modelName(text)]
	if !found {
		id = text
	}
	known, err := model.Catalog().Get(id)
	if err != nil {
		return nil, fmt.Errorf("the catalog has no model %q; name one of its models, or give its shape", text)
	}
	return &known.Model, nil
}

// FindDevice is the accelerator of the catalog that a row names.
func FindDevice(text string) (*hardware.Accelerator, error) {
	name := strings.ToLower(strings.TrimSpace(text))
	for _, word := range []string{"virtualized ", "nvidia ", "amd ", "instinct ", "google ", "cloud ", "aws "} {
		name = strings.TrimPrefix(name, word)
	}
	name, _, _ = strings.Cut(name, " (")
	id, found := knownDevices()[strings.ReplaceAll(strings.TrimSpace(name), " ", "-")]
	if !found {
		id = text
	}
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		return nil, fmt.Errorf("the catalog has no device %q; name one of its accelerators, such as H100 or TPU v5e", text)
	}
	return a, nil
}
