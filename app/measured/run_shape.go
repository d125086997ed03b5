package measured

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/training"
)

// model finds the model of a set-up: by its config, by its own shape, or by its name.
func (s Setup) model() (*model.Model, error) {
	if text, is, err := s.config(); is || err != nil {
		if err != nil {
			return nil, err
		}
		im, err := config.Read(text)
		return &im.Model, err
	}
	if s.described() {
		return s.shape()
	}
	name := strings.Join([]string{s.Text("model", "recipe"), s.Text("size", "model_size", "gpt_oss_model_size")}, " ")
	if m, err := modelNamed(name + " " + s.Text("section")); err == nil {
		return m, nil
	}
	if m := sized(name); m != nil {
		return m, nil
	}
	return modelNamed(s.Text("model", "recipe"))
}

// config is the config.json of a set-up, as an object or as its text. Other texts of that name tell flags.
func (s Setup) config() (text []byte, is bool, err error) {
	_, value, _ := s.lookup([]string{"config", "model_config"})
	if of, is := s["model"].(map[string]any); is && value == nil {
		value = of
	}
	switch v := value.(type) {
	case map[string]any:
		text, err = json.Marshal(v)
		return text, err == nil, err
	case string:
		return []byte(v), strings.HasPrefix(strings.TrimSpace(v), "{"), nil
	}
	return nil, false, nil
}

// The names by which set-ups tell how deep and how wide a model is.
var (
	layerNames = []string{"layers", "n_layers", "num_layers", "num_hidden_layers"}
	headNames  = []string{"n_heads", "heads", "num_heads", "num_attention_heads"}
	widthNames = []string{"d_model", "hidden", "hidden_size", "width"}
)

// described tells whether a set-up says itself what its model is like.
func (s Setup) described() bool {
	_, is, _ := s.config()
	return is || s.Has(widthNames...) && (s.Has(layerNames...) || s.parameters() > 0)
}

// shape reads the sizes that a set-up gives of its model. What it leaves out is as most models have it.
func (s Setup) shape() (*model.Model, error) {
	const most = 1 << 24
	m := model.Model{Name: s.Text("model"), Tied: s.Switch(false, "tied", "tie_word_embeddings")}
	sizes := []struct {
		field     *int
		otherwise func() int
		names     []string
	}{
		{&m.Layers, func() int { return 0 }, layerNames},
		{&m.Width, nil, widthNames},
		{&m.Heads, func() int { return s.someHeads(m.Width) }, headNames},
		{&m.KVHeads, func() int { return m.Heads }, []string{"n_kv_heads", "kv_heads", "num_key_value_heads"}},
		{&m.HeadSize, func() int { return 0 }, []string{"head_dim", "head_size"}},
		{&m.FFWidth, func() int { m.Plain = true; return 4 * m.Width }, []string{"d_ff", "ffn", "intermediate_size"}},
		{&m.Vocab, func() int { return 51200 }, []string{"vocab", "vocab_size"}},
		{&m.MoE.Experts, func() int { return 0 }, []string{"n_experts", "experts", "num_experts", "n_routed_experts"}},
		{&m.MoE.PerToken, func() int { return 0 }, []string{"top_k", "topk", "num_experts_per_tok"}},
		{&m.MoE.Width, func() int { return 0 }, []string{"d_ff_expert", "moe_intermediate_size"}},
		{&m.MoE.Shared, func() int { return 0 }, []string{"n_shared", "shared_experts", "n_shared_experts"}},
		{&m.Context, func() int { return 0 }, []string{"max_position_embeddings", "context_length"}},
	}
	for _, size := range sizes {
		if size.otherwise != nil && !s.Has(size.names...) {
			*size.field = size.otherwise()
			continue
		}
		n, err := s.Whole(0, 0, most, size.names...)
		if err != nil {
			return nil, err
		}
		*size.field = n
	}
	if m.Layers == 0 {
		m.Layers = s.deep(&m, s.parameters())
	}
	switch {
	case s.Has("gated", "gated_mlp"):
		m.Plain = !s.Switch(true, "gated", "gated_mlp")
	case s.Has(activationNames...):
		m.Plain = !s.gates()
	case s.plain(&m):
		m.Plain = true
	}
	return &m, m.Validate()
}

// activationNames are the keys under which rows tell the function in the MLP.
var activationNames = []string{"activation", "activation_function", "hidden_act"}

// gates tells whether the function in the MLP that a row names is one with a gate: SwiGLU, GeGLU, or SiLU, which models
// have there alone.
func (s Setup) gates() bool {
	word := strings.ToLower(s.Text(activationNames...))
	return strings.Contains(word, "glu") || strings.Contains(word, "silu") || strings.Contains(word, "swish")
}

// plain tells whether a model whose row doesn't say so has MLPs of two matrices: those are four times as wide as the
// model. With a gate they mostly are not, unless keys and values have few heads, which came later. Where a row says how
// many parameters there are, or the model's name does, that decides.
func (s Setup) plain(m *model.Model) bool {
	said := s.parameters()
	if said == 0 {
		said = sizeSaid(m.Name)
	}
	if said > 0 && m.Layers > 0 && m.MoE.Experts == 0 {
		gated := *m
		plain := gated
		plain.Plain = true
		return math.Abs(plain.Total()-said) < math.Abs(gated.Total()-said)
	}
	return m.FFWidth == 4*m.Width && m.KVHeads == m.Heads && m.MoE.Experts == 0 &&
		!strings.Contains(strings.ToLower(m.Name), "llama")
}

// parameterNames are the keys under which rows tell how many parameters a model has.
var parameterNames = []string{"params", "parameters", "params_label"}

// parameters is how many a set-up says that its model has, 0 if it doesn't say: 176e9, 176B, or 176 as params_B.
func (s Setup) parameters() float64 {
	n, err := s.Number(0, parameterNames...)
	if text := strings.ToUpper(s.Text(parameterNames...)); err != nil || n == 0 {
		n = sizeSaid(text)
	}
	if billions, err := s.Number(0, "params_B"); n == 0 && err == nil {
		n = billions * 1e9
	}
	return n
}

// sizeSaid is the first size such as 176B, 1.3B or 125M in a text, 0 if there is none.
func sizeSaid(text string) float64 {
	found := sizeWord.FindStringSubmatch(strings.ToUpper(text))
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(found[1], 64)
	return n * map[string]float64{"M": 1e6, "B": 1e9, "T": 1e12}[found[2]]
}

var sizeWord = regexp.MustCompile(`\b(\d+(?:\.\d+)?) ?([MBT])\b`)

// deep is how many layers a model of so many parameters has that tells its width, MLP and table; 0 if it doesn't.
func (s Setup) deep(m *model.Model, params float64) int {
	matrices := 3.0
	if m.Plain || s.plain(m) {
		matrices = 2
	}
	D, heads := float64(m.Width), float64(m.KVHeads)/float64(max(1, m.Heads))
	layer := D*D*(2+2*heads) + matrices*D*float64(m.FFWidth)
	return max(1, int(math.Round((params-D*float64(m.Vocab))/layer)))
}

// someHeads is a number of heads for a model that doesn't tell it: heads of about 128, as many as divide the width and
// as tensor parallelism can split.
func (s Setup) someHeads(width int) int {
	tp, err := s.Whole(1, 1, mostDevices, "tp")
	if err != nil {
		tp = 1
	}
	best := max(1, width/128)
	for off := 0; off < best; off++ {
		for _, n := range []int{best - off, best + off} {
			if n > 0 && width%n == 0 && n%tp == 0 {
				return n
			}
		}
	}
	return best
}

var billions = regexp.MustCompile(`(\d+)[bB] dense`)

// sized is a dense model of so many parameters whose shape nobody tells: as deep for its width as models of its size
// are.
func sized(name string) *model.Model {
	found := billions.FindStringSubmatch(name)
	if found == nil {
		return nil
	}
	n, _ := strconv.ParseFloat(found[1], 64)
	const step, depth = 256, 140 // widths are multiples; width over layers
	D := step * int(math.Round(math.Cbrt(n*1e9*depth/12)/step))
	m := model.Model{Name: name, Width: D, Heads: D / 128, FFWidth: 4 * D, Plain: true, Vocab: 32000}
	m.Layers = max(1, int(math.Round((n*1e9-2*32000*float64(D))/(12*float64(D)*float64(D)))))
	if m.Validate() != nil {
		return nil
	}
	return &m
}

// device finds the device of a set-up by its name, or as the set-up describes it. It tells the catalog's ID, if any.
func (s Setup) device() (d training.Device, id string, err error) {
	a, err := deviceNamed(s.Text("device"))
	if err != nil {
		if s.Has(peakNames...) {
			d, err = s.ownDevice()
		}
		return d, "", err
	}
	if d, err = training.NewDevice(a); err == nil {
		if n := coresOf.FindStringSubmatch(s.Text("device")); n != nil {
			d = coreOf(d, n[1])
		}
	}
	const capped = 200e9 // one way: NVIDIA sold the A800 as an A100 with NVLink of 400 GB/s both ways
	if s.mentions("device", "a800") {
		d.Fast = min(d.Fast, capped)
	}
	s.node(&d)
	s.network(&d)
	return d, a.ID, err
}

// peakNames are those by which a set-up tells the rate of a device that the catalog lacks.
var peakNames = []string{"peak_tflops", "device_tflops", "tflops_peak", "bf16_tflops"}

// ownDevice is a device of which the set-up tells all that counts. Its name may be any.
func (s Setup) ownDevice() (training.Device, error) {
	const tera, giga, most = 1e12, 1e9, 1e9
	var sizes [5]float64
	for i, size := range []struct {
		least, otherwise float64
		names            []string
	}{
		{1e-3, 0, peakNames},
		{1e-3, 0, []string{"memory_GB", "hbm_GB", "device_memory_GB"}},
		{1e-3, 0, []string{"memory_bandwidth_GBps", "hbm_bandwidth_GBps"}},
		{0, 64, []string{"scaleup_GBps", "nvlink_GBps", "interconnect_GBps"}}, // as PCIe does
		{0, 25, []string{"network_GBps", "nic_GBps"}},
	} {
		x, err := s.Number(size.otherwise, size.names...)
		if err == nil && !(x >= size.least && x <= most) {
			err = fmt.Errorf("device %q needs %s, one way and of one device; write a number, such as 400",
				s.Text("device"), size.names[0])
		}
		if err != nil {
			return training.Device{}, err
		}
		sizes[i] = x
	}
	domain, err := s.Whole(8, 1, mostDevices, "node_size", "gpus_per_node", "devices_per_node")
	return training.OwnDevice(s.Text("device"), sizes[0]*tera, sizes[1]*giga, sizes[2]*giga, sizes[3]*giga,
		sizes[4]*giga, domain), err
}

var gigabytes = regexp.MustCompile(`(\d+)\s?GB\b`)

// coreOf is one of n cores of a chip, which a row counts as a device: "NeuronCore (2 a chip)".
func coreOf(d training.Device, count string) training.Device {
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 {
		return d
	}
	for i := range d.Peak {
		d.Peak[i] /= float64(n)
	}
	for _, x := range []*float64{&d.Memory, &d.Stream, &d.Fast, &d.Slow, &d.Host} {
		*x /= float64(n)
	}
	d.Domain *= n
	return d
}

var coresOf = regexp.MustCompile(`\((\d+) a chip`)

// network takes over what a set-up says of the links between its nodes: so many of so many Gb/s, of a node or a device,
// and how many devices a node has.
func (s Setup) network(d *training.Device) {
	const bits, rack = 1e9 / 8, 16 // devices from which on a domain is no node
	if n, err := s.Whole(0, 0, mostDevices, "gpus_per_node", "devices_per_node"); err == nil && n > 0 && d.Axes == 0 &&
		n < d.Domain && d.Domain <= rack {
		d.Domain = n
	}
	said := s.Text("interconnect", "network")
	found := links.FindStringSubmatch(said)
	if found == nil || d.Axes > 0 {
		return
	}
	rate, _ := strconv.ParseFloat(found[2], 64)
	count := 1.0
	if n := linkCount.FindStringSubmatch(said[:strings.Index(said, found[0])+len(found[1])]); n != nil {
		count, _ = strconv.ParseFloat(n[1], 64)
	}
	node := float64(max(1, d.Domain))
	if of := nodeOf.FindStringSubmatch(said); of != nil {
		node, _ = strconv.ParseFloat(of[1], 64)
	}
	if whole := perNode.MatchString(said) || count > 1; whole && rate > 0 && node > 0 {
		d.Slow = count * rate * bits / node
	} else if rate > 0 {
		d.Slow = rate * bits
	}
}

var (
	links     = regexp.MustCompile(`((?:\d+ ?x ?)?)(\d+) ?Gb(?:/s|it/s| )`)
	linkCount = regexp.MustCompile(`(\d+) ?x? ?[A-Za-z- ]*(?:\d+ ?x ?)?$`)
	perNode   = regexp.MustCompile(`(per|a) node|between nodes`)
	nodeOf    = regexp.MustCompile(`node of (\d+)`)
)

// node takes over what a set-up says of its devices: memory in their name, where another variant is meant than the
// catalog's. The gigabytes of names are GiB, or nearly. A name with two sizes says nothing.
func (s Setup) node(d *training.Device) {
	said := s.Text("device")
	if all := gigabytes.FindAllString(said, -1); len(all) > 1 &&
		strings.TrimSuffix(all[0], "GB") != strings.TrimSuffix(all[1], "GB") {
		return
	}
	if found := gigabytes.FindStringSubmatch(said); found != nil {
		if n, err := strconv.ParseFloat(found[1], 64); err == nil && n > 0 {
			if named := n * (1 << 30); math.Abs(named/(d.Memory+hardware.Driver)-1) > 0.15 {
				d.Memory = named - hardware.Driver
			}
		}
	}
}
