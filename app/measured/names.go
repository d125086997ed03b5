package measured

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
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
		return nil, fmt.Errorf("the catalog has no device %q; name one of its accelerators, such as H100 or TPU v5e",
			text)
	}
	return a, nil
}

var (
	//go:embed model_parts.tsv
	modelPartTable string // what a name contains; a model of the catalog, its shape or its config; where that is from

	//go:embed local_models.tsv
	// the same of models that people run themselves, as their publishers' configurations have them
	localModelTable string

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

// longestOf is the value of the longest part that names a model in a text. "GLM-5.3" names no GLM-5.
func longestOf(name string) (value string) {
	length := 0
	for _, p := range modelParts() {
		if len(p.part) > length && standsIn(name, p.part) {
			length, value = len(p.part), p.value
		}
	}
	return value
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
	if a := wholeName(plain); a != nil {
		return a, nil
	}
	if strings.Contains(plain, "neuroncore") && !coresOf.MatchString(name) || strings.HasSuffix(plain, "die") {
		return nil, fmt.Errorf("%q is a part of a chip; write the chip, and how many there are", name)
	}
	if id := longest(deviceParts(), plain); id != "" {
		return hardware.Catalog().Get(id)
	}
	if a := wholeName(plainName(gigabytes.ReplaceAllString(name, ""))); a != nil { // "L4 24GB"
		return a, nil
	}
	return nil, fmt.Errorf("unknown device %q; write one such as H100, MI300X or TPU v5p, or its peak_tflops, "+
		"memory_GB and memory_bandwidth_GBps", name)
}

// wholeName is the accelerator of which a plain name is the whole, however short: "t4"; nil if none is.
func wholeName(plain string) *hardware.Accelerator {
	for _, a := range hardware.Catalog().All {
		if _, tail, _ := strings.Cut(a.ID, "."); tail == plain {
			return a
		}
	}
	return nil
}

// Device is the accelerator that a name as people and drivers write it tells: "NVIDIA H100 80GB HBM3".
func Device(name string) (a *hardware.Accelerator, found bool) {
	if a, err := FindDevice(name); err == nil {
		return a, true
	}
	a, err := deviceNamed(name)
	if err != nil {
		return nil, false
	}
	for _, p := range deviceParts() { // "h2000" names no H200
		if p.value == a.ID && standsIn(name, p.part) {
			return a, true
		}
	}
	return nil, false
}

// standsIn tells whether a name has a part, signs left out, after which no digit follows at once.
func standsIn(name, part string) bool {
	for at := range len(name) {
		rest := part
		for i := at; i < len(name) && rest != ""; i++ {
			switch plain := plainName(name[i : i+1]); {
			case plain == "":
			case plain != rest[:1]:
				i = len(name)
			default:
				if rest = rest[1:]; rest == "" && !goesOn(name[i:]) {
					return true
				}
			}
		}
	}
	return false
}

// goesOn tells whether the number or word at which a text begins goes on in digits: the 5 of "5.3" does, as a version.
func goesOn(text string) bool {
	digit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	return digit(1) || digit(0) && len(text) > 1 && text[1] == '.' && digit(2)
}

// releasedOn is the month or the day of a release in a name: -2507, -0324, -20250514.
var releasedOn = regexp.MustCompile(`-(?:\d{4}|\d{8})(-|$)`)

// Model is the model that a name as its publisher writes it tells: "meta-llama/Llama-3.1-70B-Instruct". A name that
// goes on otherwise, as of a relative of another size, tells none.
func Model(name string) (m *model.Model, found bool) {
	if m, err := FindModel(name); err == nil {
		return m, true
	}
	dashed := releasedOn.ReplaceAllString(strings.ReplaceAll(strings.TrimSpace(name), " ", "-"), "$1")
	plain, part := plainName(modelName(dashed)), ""
	for _, p := range modelParts() {
		if len(p.part) > len(part) && strings.HasPrefix(plain, p.part) {
			part = p.part
		}
	}
	if part == "" || strings.ContainsAny(plain[len(part):], "0123456789") {
		return nil, false
	}
	m, err := modelNamed(part)
	if err == nil && m.ID == "" {
		named := *m
		named.Name = name
		m = &named
	}
	return m, err == nil
}

// modelNamed finds a model by what people call it.
func modelNamed(name string) (*model.Model, error) {
	if m, err := FindModel(name); err == nil {
		return m, nil
	}
	if strings.TrimSpace(name) == "" {
		return nil, errors.New("no model; name one, or describe it by layers, d_model, n_heads, d_ff and vocab, or " +
			"by a config")
	}
	value := longestOf(name)
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

// spellingTable is how people call what rows call otherwise: names of rows, the first of which is given, and the
// others.
//
//go:embed spellings.tsv
var spellingTable string

// spellings are the names of rows by what people call them.
var spellings = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(spellingTable) {
		ours, others, _ := strings.Cut(strings.TrimSpace(line), "\t")
		names := strings.Fields(ours)
		all[names[0]] = names // in another case
		for name := range strings.FieldsSeq(others) {
			all[name] = names
		}
	}
	return all
})

// underscored writes a name in camel case or with dashes as rows do: nDevices and seq-len are n_devices and seq_len.
func underscored(name string) string {
	name = strings.ReplaceAll(name, "-", "_")
	if strings.Contains(name, "_") {
		return name // units are written in capitals: memory_GB
	}
	var b strings.Builder
	small := false
	for _, c := range name {
		large := 'A' <= c && c <= 'Z'
		if large && small {
			b.WriteByte('_')
		}
		if small = !large; large {
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	if !strings.Contains(b.String(), "_") {
		return name
	}
	return b.String()
}

// underscored gives values the names that underscored has for theirs, unless one of these says something.
func (s Setup) underscored() {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if plain := underscored(name); plain != name && s.Has(name) && !s.Has(plain) {
			s[plain] = s[name]
			delete(s, name)
		}
	}
}

// respelled gives values that stand under other names the names that rows have, unless one of these says something.
func (r *Row) respelled() {
	r.Setup.underscored()
	var theirs []string
	for name := range r.Setup {
		if names := spellingsOf(name); names != nil && names[0] != name {
			theirs = append(theirs, name)
		}
	}
	slices.Sort(theirs)
	for _, name := range theirs {
		names := spellingsOf(name)
		own := names[0] == "recompute" && r.Kind == "finetuning" // it has words of its own for these
		if !own && r.Setup.Has(name) && !r.Setup.Has(names...) {
			r.Setup[names[0]] = r.Setup[name]
			delete(r.Setup, name)
		}
	}
	// all come at once
	if text, _ := r.Setup["request_per_s"].(string); strings.HasPrefix(strings.ToLower(text), "inf") {
		delete(r.Setup, "request_per_s")
		if !r.Setup.Has("load", "concurrency") {
			r.Setup["load"] = "offline"
		}
	}
	r.counted()
}

// spellingsOf are the names of rows for a name in whatever case, with dashes or underscores.
func spellingsOf(name string) []string {
	return spellings()[strings.ReplaceAll(strings.ToLower(name), "-", "_")]
}

// countWords find how many devices a text says: "8xH100", "8 x H100 SXM", "2× RTX 3090", "H100 x8".
var countWords = regexp.MustCompile(`^(\d{1,6})\s*[x×*]\s*([A-Za-z].*)$|^(.*\S)\s*[x×*]\s*(\d{1,6})$`)

// counted takes the number of devices out of their name, or else from the layout, where nothing else says it.
func (r *Row) counted() {
	text, _ := r.Setup["device"].(string)
	if m := countWords.FindStringSubmatch(strings.TrimSpace(text)); m != nil && r.Kind != "local_decode" {
		if _, err := deviceNamed(m[2] + m[3]); err == nil {
			r.Setup["device"] = m[2] + m[3]
			if n, _ := strconv.ParseFloat(m[1]+m[4], 64); n > 0 && !r.Setup.Has(deviceCounts...) {
				r.Setup["n_devices"] = n
			}
		}
	}
	if each, err := r.Setup.Count(mostDevices, nodeCounts...); err == nil && each > 0 && !r.Setup.Has(deviceCounts...) {
		if nodes, err := r.Setup.Count(mostDevices, "nodes", "n_nodes"); err == nil && nodes > 0 {
			r.Setup["n_devices"] = min(nodes*each, mostDevices)
		}
	}
	layout := []string{"tp", "pp", "cp", "dp"}
	if r.Kind == "inference" || r.Kind == "kv_capacity" || r.Setup.Has(deviceCounts...) || !r.Setup.Has("dp") {
		return
	}
	all := 1.0
	for _, name := range layout {
		if n, err := r.Setup.Count(mostDevices, name); err == nil && n > 0 {
			all = min(all*n, mostDevices)
		}
	}
	r.Setup["n_devices"] = all
}

// nodeCounts are the names under which rows say how many devices a node has.
var nodeCounts = []string{"gpus_per_node", "devices_per_node", "n_gpus_per_node", "num_gpus_per_node", "nproc_per_node",
	"chips_per_node"}

// deviceCounts are the names under which rows say how many devices there are.
var deviceCounts = []string{"n_devices", "gpus", "chips", "implied_chips", "n_ranks", "nranks", "slices",
	"chips_per_slice"}
