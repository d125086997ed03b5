package library

import (
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/local"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// locals offers files of quantised weights, and what one machine makes of them.
type locals struct{ formats, files, parts, machines, runs, constants, choices *value.Kin }

// addLocal offers them.
func addLocal(env *value.Env) {
	n := &locals{formats: newKin(env, "weight format", nil), parts: newKin(env, "weight part", nil),
		machines: newKin(env, "machine", nil), runs: newKin(env, "local run", nil),
		constants: newKin(env, "local constants", nil), choices: newKin(env, "format choice", nil)}
	n.files = newKin(env, "weight file", map[string]value.Type{"parts": listType(n.parts)})
	offer(env, law.LocalModel, []offered{
		{Name: "machines", Gives: "list machine", Work: 1 << 12, Call: n.machineList,
			Doc: "Cards and computers on which people run models by themselves."},
		{Name: "formats_for", Takes: "machine machine", Gives: "list weight format", Work: 1 << 10, Call: n.formatList,
			Doc: "The formats of weights that run on a machine: llama.cpp’s everywhere, MLX’s on Apple’s computers, others on " +
				"cards."},
		{Name: "weight_file", Takes: "m model, format weight format", Gives: "weight file", Work: 1 << 13, Call: n.file,
			Doc: "What a model takes in a format, tensor by tensor, as the format’s own rules have it."},
		{Name: "local_run",
			Takes: "m model, format weight format, machine machine, cards, context, hosted, experts, host byte/s",
			Gives: "local run", Work: 1 << 13, Call: n.run,
			Doc: "What a machine with so many cards makes of a model in a format for one user, with so many tokens in its " +
				"cache. `hosted` is the share of the layers in the memory of the host, `experts` of the layers whose experts " +
				"are, `host` that memory’s bandwidth."},
		{Name: "local_constants", Takes: "format weight format, machine machine", Gives: "local constants", Work: 1 << 10,
			Call: n.constantsOf,
			Doc:  "What the software of a format reaches on a machine: shares of its rates, and times besides."},
		{Name: "format_choices", Takes: "m model, machine machine, cards, context", Gives: "list format choice",
			Work: 1 << 16, Call: n.choose,
			Doc: "Each format that runs on a machine: how large it makes a model, whether that fits, and how fast it answers."},
	})
}

// machineList are the machines: cards first.
func (n *locals) machineList([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, id := range strings.Fields(localIDs) {
		if a, err := hardware.Catalog().Get(id); err == nil {
			if m, err := local.Of(a); err == nil {
				all = append(all, n.machine(m, a.Group))
			}
		}
	}
	for _, m := range local.Cards() {
		all = append(all, n.machine(m, english(phrase.New("library.more-cards"))))
	}
	return recordList(all), nil
}

// localIDs are the machines of the catalog that people have by themselves, or rent one at a time.
const localIDs = "gpu.rtx4090 gpu.rtx5090 gpu.rtx5080 gpu.rtx5070ti gpu.rtx5070 gpu.rtx3090 gpu.a6000 gpu.rtxpro6000 " +
	"gpu.gb10 gpu.l4 gpu.l40s gpu.t4 gpu.a100_pcie gpu.a100 gpu.h100_pcie gpu.h100 gpu.h200 gpu.mi300x soc.m1 " +
	"soc.m1_pro soc.m1_max soc.m1_ultra soc.m2 soc.m2_pro soc.m2_max soc.m2_ultra soc.m3 soc.m3_pro soc.m3_max " +
	"soc.m3_ultra soc.m4 soc.m4_pro soc.m4_max soc.m5 soc.m5_pro soc.m5_max"

// machine is a machine as a sheet sees it.
func (n *locals) machine(m local.Machine, group string) *value.Record {
	r := fill(n.machines, m.Name)
	r.ID, r.Group, r.Of = m.ID, group, m
	r.say("name", m.Name)
	r.nums([]named{{"bandwidth", m.Bandwidth}, {"peak", m.Peak}, {"memory", m.Room}})
	return r.Record
}

// formatsOn are the formats that run on a machine.
func formatsOn(m local.Machine) []quant.Format {
	var all []quant.Format
	for _, f := range quant.Formats() {
		if f.GGUF() || f.MLX() == (m.Memory == local.Unified) {
			all = append(all, f)
		}
	}
	return all
}

func (n *locals) formatList(a []value.Value) (value.Value, error) {
	m, err := machineOf(a[0])
	var all []*value.Record
	for _, f := range formatsOn(m) {
		r := fill(n.formats, f.Name)
		r.ID, r.Of, r.Group = f.ID, f, groupOf(f)
		r.say("name", f.Name)
		r.num("bits", f.Base().Bits())
		all = append(all, r.Record)
	}
	return recordList(all), err
}

// groupOf is who runs a format.
func groupOf(f quant.Format) string {
	switch engine := f.Engine(); {
	case f.GGUF():
		return "GGUF"
	case engine == "mlx":
		return "MLX"
	case engine == "exllama":
		return "EXL"
	}
	return "safetensors"
}

// machineOf and formatOf read records back.
func machineOf(v value.Value) (local.Machine, error) {
	m, is := v.Record.Of.(local.Machine)
	if !is {
		return m, phrase.New("library.no-machine", "value", v)
	}
	return m, nil
}

func formatOf(v value.Value) (quant.Format, error) {
	f, is := v.Record.Of.(quant.Format)
	if !is {
		return f, phrase.New("library.no-format", "value", v)
	}
	return f, nil
}

// modelOf reads a model back.
func modelOf(v value.Value) (*model.Model, error) {
	m := shapeOf(v.Record)
	if m == nil {
		return nil, phrase.New("library.nothing-to-count", "record", v)
	}
	return m, nil
}

// file is a model in a format.
func (n *locals) file(a []value.Value) (value.Value, error) {
	m, err := modelOf(a[0])
	if err != nil {
		return value.Value{}, err
	}
	f, err := formatOf(a[1])
	if err != nil {
		return value.Value{}, err
	}
	s := f.Of(m)
	r := fill(n.files, f.Name)
	r.nums([]named{{"bytes", s.Bytes}, {"bits", s.Bits()}, {"read", s.Read}, {"weights", s.Weights}, {"experts", s.Experts}})
	var parts []*value.Record
	for _, p := range s.Parts {
		row := fill(n.parts, phrase.New(roles[p.Role]))
		row.ID = recordID(p.Role, p.Type.Name)
		row.say("tensors", row.Name)
		row.say("type", p.Type.Name)
		row.nums([]named{{"bits", p.Type.Bits()}, {"weights", p.Weights}, {"bytes", p.Bytes}})
		parts = append(parts, row.Record)
	}
	r.Fields["parts"] = recordList(parts)
	return r.value(), nil
}

// roles are what tensors are called.
var roles = map[string]string{"embd": "library.role-embd", "out": "library.role-out", "q": "library.role-q",
	"k": "library.role-k", "v": "library.role-v", "o": "library.role-o", "gate": "library.role-gate",
	"up": "library.role-up", "down": "library.role-down", "experts": "library.role-experts",
	"other": "library.role-other", "small": "library.role-small"}

// runOf is the run that the parameters of local_run tell.
func runOf(m *model.Model, f quant.Format, size quant.Size, machine local.Machine, cards float64) local.Run {
	engine := f.Engine()
	if engine == "" {
		engine = "vllm"
	}
	r := local.NewRun(m, size, machine, engine)
	r.Cards = max(1, cards)
	r.Together = engine == "vllm"
	return r
}

// run is what a machine makes of a model.
func (n *locals) run(a []value.Value) (value.Value, error) {
	m, err := modelOf(a[0])
	if err != nil {
		return value.Value{}, err
	}
	f, err := formatOf(a[1])
	if err != nil {
		return value.Value{}, err
	}
	machine, err := machineOf(a[2])
	if err != nil {
		return value.Value{}, err
	}
	run := runOf(m, f, f.Of(m), machine, a[3].Num.Value)
	context := a[4].Num.Value
	run.Host.Layers, run.Host.Experts = shareWithin(a[5].Num.Value), shareWithin(a[6].Num.Value)
	run.Host.Bandwidth = max(1, a[7].Num.Value)
	r := fill(n.runs, f.Name)
	card, host, cache := run.Reads(1, context)
	if run.Together {
		card, cache = card/run.Cards, cache/run.Cards
	}
	token, prompt := run.Token(1, context), run.Prompt(context, 0)
	c := run.Constants
	r.nums([]named{{"held", run.Held(1, context)}, {"room", machine.Room * run.Cards}, {"card_read", card},
		{"host_read", host}, {"cache", cache}, {"floors", run.Floors()}, {"token", token}, {"rate", 1 / token},
		{"slow", 1 / (token * c.High)}, {"fast", 1 / (token * c.Low)}, {"prompt", prompt},
		{"prompt_rate", context / prompt}, {"prompt_slow", context / (prompt * c.PromptHigh)},
		{"prompt_fast", context / (prompt * c.PromptLow)}})
	fits := run.Held(1, context) <= machine.Room*run.Cards
	r.flag("fits", fits)
	r.say("verdict", phrase.New(verdicts[fits]))
	return r.value(), nil
}

// verdicts say whether a file fits.
var verdicts = map[bool]string{true: "library.file-fits", false: "library.file-too-large"}

// shareWithin is a share.
func shareWithin(x float64) float64 { return min(1, max(0, x)) }

// constantsOf are the constants of a format's software on a machine.
func (n *locals) constantsOf(a []value.Value) (value.Value, error) {
	f, err := formatOf(a[0])
	if err != nil {
		return value.Value{}, err
	}
	machine, err := machineOf(a[1])
	if err != nil {
		return value.Value{}, err
	}
	run := runOf(&model.Model{}, f, quant.Size{}, machine, 1)
	r := fill(n.constants, f.Name)
	for _, name := range []string{"weights", "cache", "layer", "sparse", "math", "score", "hop"} {
		r.num(name, *run.Constants.Field(name))
	}
	r.num("host", local.ShareOfHost)
	return r.value(), nil
}

// choose is a line for each format.
func (n *locals) choose(a []value.Value) (value.Value, error) {
	m, err := modelOf(a[0])
	if err != nil {
		return value.Value{}, err
	}
	machine, err := machineOf(a[1])
	if err != nil {
		return value.Value{}, err
	}
	var all []*value.Record
	tensors := quant.Tensors(m)
	for _, f := range formatsOn(machine) {
		if f.ForExperts() && m.MoE.Experts == 0 {
			continue
		}
		run := runOf(m, f, tensors.In(f, m), machine, a[2].Num.Value)
		held, room := run.Held(1, a[3].Num.Value), machine.Room*run.Cards
		r := fill(n.choices, f.Name)
		r.ID = f.ID
		r.say("format", f.Name)
		r.nums([]named{{"bits", run.Size.Bits()}, {"size", run.Size.Bytes}, {"held", held}})
		r.flag("fits", held <= room)
		if token := run.Token(1, a[3].Num.Value); held <= room {
			c := run.Constants
			r.nums([]named{{"rate", 1 / token}, {"slow", 1 / (token * c.High)}, {"fast", 1 / (token * c.Low)}})
		}
		all = append(all, r.Record)
	}
	return recordList(all), nil
}
