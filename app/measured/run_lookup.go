package measured

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
)

var (
	//go:embed model_parts.tsv
	modelPartTable string // what a name contains; a model of the catalog, its shape or its config; where that is from

	//go:embed local_models.tsv
	localModelTable string // the same of models that people run themselves, as their publishers' configurations have them

	//go:embed device_parts.tsv
	devicePartTable string // what a name contains, a device of the catalog
)

type namePart struct{ part, value string }

var (
	modelParts = sync.OnceValue(func() []namePart {
		all := append(parts(modelPartTable), parts(localModelTable)...)
		for _, k := range model.Catalog().All {
			all = append(all, catalogParts(k.ID, k.Name)...)
		}
		return all
	})
	deviceParts = sync.OnceValue(func() []namePart {
		all := parts(devicePartTable)
		for _, a := range hardware.Catalog().All {
			_, tail, _ := strings.Cut(a.ID, ".")
			name, _, _ := strings.Cut(a.Name, " (")
			all = append(all, catalogParts(a.ID, name, tail)...)
		}
		return all
	})
)

// shortest is how many letters a name of the catalog has at least that is sought inside others: too many contain "l4".
const shortest = 4

// catalogParts are the names of a catalog's entry, by each of which a row may call it.
func catalogParts(id string, names ...string) (all []namePart) {
	for _, name := range append(names, id) {
		if plain := plainName(name); len(plain) >= shortest {
			all = append(all, namePart{plain, id})
		}
	}
	return all
}

func parts(table string) []namePart {
	var all []namePart
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) > 1 {
			all = append(all, namePart{cells[0], cells[1]})
		}
	}
	return all
}

// plainName is a name without case and signs, so that "LLAMA3.1_405B" and "llama-3.1-405b" are one.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, name)
}

// longest is the value of the longest part that a name contains.
func longest(all []namePart, name string) (value string) {
	length := 0
	for _, p := range all {
		if len(p.part) > length && strings.Contains(name, p.part) {
			length, value = len(p.part), p.value
		}
	}
	return value
}

// deviceNamed finds a device by what people call it.
func deviceNamed(name string) (*hardware.Accelerator, error) {
	if name == "" {
		return nil, errors.New("no device; write \"device\": \"H100\" or the like")
	}
	if a, err := hardware.Catalog().Get(name); err == nil {
		return a, nil
	}
	plain := plainName(name)
	if strings.Contains(plain, "neuroncore") && !coresOf.MatchString(name) || strings.HasSuffix(plain, "die") {
		return nil, fmt.Errorf("%q is a part of a chip; write the chip, and how many there are", name)
	}
	if id := longest(deviceParts(), plain); id != "" {
		return hardware.Catalog().Get(id)
	}
	return nil, fmt.Errorf("unknown device %q; write one such as H100, MI300X or TPU v5p, or its peak_tflops, memory_GB "+
		"and memory_bandwidth_GBps", name)
}

// modelNamed finds a model by what people call it.
func modelNamed(name string) (*model.Model, error) {
	if k, err := model.Catalog().Get(name); err == nil {
		return &k.Model, nil
	}
	if strings.TrimSpace(name) == "" {
		return nil, errors.New("no model; name one, or describe it by layers, d_model, n_heads, d_ff and vocab, or by a " +
			"config")
	}
	value := longest(modelParts(), plainName(name))
	if value == "" {
		return nil, fmt.Errorf("unknown model %q; describe it by layers, d_model, n_heads, d_ff and vocab, or by a "+
			"config", name)
	}
	if k, err := model.Catalog().Get(value); err == nil {
		return &k.Model, nil
	}
	if strings.HasPrefix(value, "{") {
		im, err := config.Read([]byte(value))
		return &im.Model, err
	}
	return shapeNamed(name, value)
}

// shapeNamed reads a shape: L D N K H F V and words.
func shapeNamed(name, text string) (*model.Model, error) {
	m := model.Model{Name: name}
	words := strings.Fields(text)
	sizes := []*int{&m.Layers, &m.Width, &m.Heads, &m.KVHeads, &m.HeadSize, &m.FFWidth, &m.Vocab}
	if len(words) < len(sizes) {
		return nil, fmt.Errorf("the shape of %q lacks sizes", name)
	}
	for i, size := range sizes {
		*size, _ = strconv.Atoi(words[i])
	}
	for _, word := range words[len(sizes):] {
		key, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch key {
		case "plain":
			m.Plain = true
		case "tied":
			m.Tied = true
		case "window":
			m.Window.Size = n
		case "experts":
			m.MoE.Experts = n
		case "top":
			m.MoE.PerToken = n
		case "shared":
			m.MoE.Shared = n
		}
	}
	return &m, m.Validate()
}
