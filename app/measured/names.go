package measured

import (
	_ "embed"
	"fmt"
	"strconv"
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

	// hybridTable is models of which most layers keep a state of fixed size instead of a cache (Qwen3.5: gated delta
	// nets), by their publisher's configuration: name, id, layers, width, heads, KV heads and their size of layers with
	// attention, vocabulary, experts/of a token, their width, shared; of the other layers heads/key heads/size, which
	// layers they are, and the bytes of a sequence's state.
	//
	//go:embed hybrids.tsv
	hybridTable string
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
var endings = []string{
	"-instruct",
	"-chat",
	"-base",
	"-hf",
	"-it",
	"-thinking",
	"-fp8-dynamic",
	"-fp8",
	"-nvfp4",
	"-fp4",
	"-mxfp4",
	"-bf16",
	"-int8",
	"-int4",
	"-w8a8",
	"-awq",
	"-gptq",
	"-dynamic",
}

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
	name := modelName(text)
	if m, _, found := hybrid(name); found {
		return m, nil
	}
	id, found := knownModels()[name]
	if !found {
		id = text
	}
	known, err := model.Catalog().Get(id)
	if err != nil {
		return nil, fmt.Errorf("the catalog has no model %q; name one of its models, or give its shape", text)
	}
	return &known.Model, nil
}

// hybrid is a model of hybridTable, and the bytes of its state. To the laws of serving a layer with a state is one with
// a window of one token: it has the projections of its heads, and its state is added to the cache.
func hybrid(name string) (m *model.Model, state float64, found bool) {
	for line := range strings.Lines(hybridTable) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if c[0] != name {
			continue
		}
		n := func(text string, i int) int {
			x, _ := strconv.Atoi(strings.Split(text, "/")[i])
			return x
		}
		state, _ := strconv.ParseFloat(c[13], 64)
		return &model.Model{
			ID:       c[1],
			Layers:   n(c[2], 0),
			Width:    n(c[3], 0),
			Heads:    n(c[4], 0),
			KVHeads:  n(c[5], 0),
			HeadSize: n(c[6], 0),
			Vocab:    n(c[7], 0),
			MoE:      model.MoE{Experts: n(c[8], 0), PerToken: n(c[8], 1), Width: n(c[9], 0), Shared: n(c[10], 0)},
			Window: model.Window{
				Size:     1,
				Heads:    n(c[11], 0),
				KVHeads:  n(c[11], 1),
				HeadSize: n(c[11], 2),
				Layers:   model.Pattern{Cycle: c[12]},
			},
		}, state, true
	}
	return nil, 0, false
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
