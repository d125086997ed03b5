package library

import (
	"cmp"
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
type locals struct{ formats, files, parts, machines, runs, constants, choices *value.RecordType }

// addLocal offers them.
func addLocal(env *value.Env) {
	n := &locals{formats: newRecordType(env, "weight format", nil), parts: newRecordType(env, "weight part", nil),
		machines: newRecordType(env, "machine", nil), runs: newRecordType(env, "local run", nil),
		constants: newRecordType(env, "local constants", nil), choices: newRecordType(env, "format choice", nil)}
	n.files = newRecordType(env, "weight file", map[string]value.Type{"parts": listType(n.parts)})
	register(env, law.LocalModel, []funcDecl{
		{Name: "machines", Gives: "list machine", Work: 1 << 12, Call: several(n.machineList),
			Doc: "Cards and computers on which people run models by themselves."},
		{
			Name:  "formats_for",
			Takes: "machine machine",
			Gives: "list weight format",
			Work:  1 << 10,
			Call:  several(n.formatList),
			Doc: "The formats of weights that run on a machine: llama.cpp’s everywhere, MLX’s on Apple’s computers, " +
				"others on cards.",
		},
		{
			Name:  "weight_file",
			Takes: "m model, format weight format",
			Gives: "weight file",
			Work:  1 << 13,
			Call:  single(n.file),
			Doc:   "What a model takes in a format, tensor by tensor, as the format’s own rules have it.",
		},
		{Name: "local_run",
			Takes: "m model, format weight format, machine machine, cards, context, hosted, experts, host byte/s",
			Gives: "local run", Work: 1 << 13, Call: single(n.run),
			Doc: "What a machine with so many cards makes of a model in a format for one user, with so many tokens " +
				"in its cache. `hosted` is the share of the layers in the memory of the host, `experts` of the " +
				"layers whose experts are, `host` that memory’s bandwidth."},
		{Name: "local_constants", Takes: "format weight format, machine machine", Gives: "local constants",
			Work: 1 << 10,
			Call: single(n.constantsOf),
			Doc:  "What the software of a format reaches on a machine: shares of its rates, and times besides."},
		{Name: "format_choices", Takes: "m model, machine machine, cards, context", Gives: "list format choice",
			Work: 1 << 16, Call: several(n.choose),
			Doc: "Each format that runs on a machine: how large it makes a model, whether that fits, and how fast it " +
				"answers."},
	})
}

// single and several are functions of a sheet that give a record or a list, from the model, the format and the machine
// among their parameters.
func single(f func(*localSetup, []value.Value) *value.Record) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (v value.Value, err error) {
		w := &localSetup{}
		if err = w.read(a); err == nil {
			v.Kind, v.Record = value.Rec, f(w, a)
		}
		return v, err
	}
}

func several(f func(*localSetup, []value.Value) []*value.Record) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (v value.Value, err error) {
		w := &localSetup{}
		if err = w.read(a); err == nil {
			v = recordList(f(w, a))
		}
		return v, err
	}
}

// machineList are the machines: cards first.
func (n *locals) machineList(*localSetup, []value.Value) []*value.Record {
	var all []*value.Record
	groups := map[string]string{}
	var machines []*local.Machine
	for _, entry := range strings.Fields(localIDs) {
		id, former, _ := strings.Cut(entry, "=")
		if a, err := hardware.Catalog().Get(id); err == nil {
			if m, err := local.Of(a); err == nil {
				m.ID = cmp.Or(former, id)
				machines, groups[m.ID] = append(machines, m), a.Group
			}
		}
	}
	for _, m := range append(machines, local.Cards()...) {
		r := newRecord(n.machines, m.Name)
		r.ID, r.Group, r.Of = m.ID, groups[m.ID], m
		if r.Group == "" {
			r.Group = english(phrase.New("library.more-cards"))
		}
		r.say("name", m.Name)
		r.set("bandwidth,peak,memory", m.Bandwidth, m.Peak, m.UsableMemory)
		all = append(all, r.Record)
	}
	return all
}

// localIDs are the machines of the catalog that people have by themselves, or rent one at a time. What was a card
// before the catalog had it keeps the ID that addresses carry.
const localIDs = "gpu.rtx4090 gpu.rtx4080=card.rtx4080 gpu.rtx5090 gpu.rtx5080 gpu.rtx5070ti gpu.rtx5070 gpu.rtx3090 " +
	"gpu.a6000 gpu.rtx6000ada=card.ada6000 gpu.rtxpro6000 " +
	"gpu.gb10 gpu.l4 gpu.l40s gpu.t4 gpu.a100_pcie gpu.a100 gpu.h100_pcie gpu.h100 gpu.h200 gpu.mi300x soc.m1 " +
	"soc.m1_pro soc.m1_max soc.m1_ultra soc.m2 soc.m2_pro soc.m2_max soc.m2_ultra soc.m3 soc.m3_pro soc.m3_max " +
	"soc.m3_ultra soc.m4 soc.m4_pro soc.m4_max soc.m5 soc.m5_pro soc.m5_max"

// formatsOn are the formats that run on a machine.
func formatsOn(m *local.Machine) []*quant.Format {
	var all []*quant.Format
	for _, f := range quant.Formats() {
		if f.GGUF() || f.MLX() == (m.Memory == local.Unified) {
			all = append(all, f)
		}
	}
	return all
}

func (n *locals) formatList(w *localSetup, _ []value.Value) []*value.Record {
	var all []*value.Record
	for _, f := range formatsOn(w.machine) {
		r := newRecord(n.formats, f.Name)
		r.ID, r.Of, r.Group = f.ID, f, f.Runs()
		r.say("name", f.Name)
		all = append(all, r.Record)
	}
	return all
}

// localSetup is what the parameters of a function tell: a model, a format, a machine.
type localSetup struct {
	model   *model.Model
	format  *quant.Format
	machine *local.Machine
}

// read reads them. A record that nobody has filled is refused.
func (w *localSetup) read(a []value.Value) (err error) {
	for i := range a {
		if a[i].Kind != value.Rec {
			continue
		}
		switch of := a[i].Record.Of.(type) {
		case *model.Model:
			w.model = of
		case *quant.Format:
			w.format = of
		case *local.Machine:
			w.machine = of
		default:
			err = phrase.New("library.nothing-to-count", "record", a[i])
		}
	}
	return err
}

// run is a run of so many cards.
func (w *localSetup) run(size *quant.Size, f *quant.Format, cards float64) *local.Run {
	engine := f.Engine()
	if engine == "" {
		engine = "vllm"
	}
	r := local.NewRun(w.model, size, w.machine, engine)
	r.Cards, r.Together = max(1, cards), f.Engine() == ""
	return r
}

// roleKeys are what tensors are called: roles, and the sentences of each.
var roleKeys = [...][2]string{
	{"embd", "library.role-embd"}, {"out", "library.role-out"}, {"q", "library.role-q"}, {"k", "library.role-k"},
	{"qkv", "library.role-qkv"},
	{"v", "library.role-v"}, {"o", "library.role-o"}, {"gate", "library.role-gate"}, {"up", "library.role-up"},
	{"down", "library.role-down"}, {"experts", "library.role-experts"}, {"other", "library.role-other"},
	{"small", "library.role-small"},
}

// keyOf is the key of the sentence of a word. Keys can't be made of words: the browser's program has shorter ones.
func keyOf(word string, keys [][2]string) string {
	for _, k := range keys {
		if k[0] == word {
			return k[1]
		}
	}
	return ""
}

// file is a model in a format.
func (n *locals) file(w *localSetup, _ []value.Value) *value.Record {
	s := w.format.Of(w.model)
	r := newRecord(n.files, w.format.Name)
	r.set("bytes,bits,read", s.Bytes, s.Bits(), s.Read)
	var parts []*value.Record
	for i := range s.Parts {
		p := &s.Parts[i]
		row := newRecord(n.parts, phrase.New(keyOf(p.Role, roleKeys[:])))
		row.ID = recordID(p.Role, p.Type.Name)
		row.say("tensors", row.called())
		row.say("type", p.Type.Name)
		row.set("bits,weights,bytes", p.Type.Bits(), p.Weights, p.Bytes)
		parts = append(parts, row.Record)
	}
	r.Fields["parts"] = recordList(parts)
	return r.Record
}

// run is what a machine makes of a model.
func (n *locals) run(w *localSetup, a []value.Value) *value.Record {
	run := w.run(w.format.Of(w.model), w.format, a[3].Num.Value)
	context := a[4].Num.Value
	run.Host.Layers, run.Host.Experts = min(1, max(0, a[5].Num.Value)), min(1, max(0, a[6].Num.Value))
	run.Host.Bandwidth = max(1, a[7].Num.Value)
	card, host, cache := run.Reads(1, context)
	if run.Together {
		card, cache = card/run.Cards, cache/run.Cards
	}
	r := newRecord(n.runs, w.format.Name)
	r.set("card_read,host_read,cache,unpacks,floors", card, host, cache, run.Unpacks(card), run.LowerBounds())
	prompt := run.Prompt(context, 0)
	r.set("prompt,prompt_rate", prompt, context/prompt)
	r.answer(run, context)
	key := "library.file-fits"
	if !r.Fields["fits"].Bool {
		key = "library.file-too-large"
	}
	r.say("verdict", phrase.New(key))
	return r.Record
}

// answer sets whether a run fits, and how fast it answers.
func (r recordBuilder) answer(run *local.Run, context float64) {
	held, capacity := run.Held(1, context), run.Machine.UsableMemory*run.Cards
	token := run.Token(1, context)
	low, high := local.Shipped().Of("token", run.Known()...)
	r.flag("fits", held <= capacity)
	r.set("held,memory,token,rate,slow,fast", held, capacity, token, 1/token, 1/(token*high), 1/(token*low))
}

// constantsOf are the constants of a format's software on a machine.
func (n *locals) constantsOf(w *localSetup, _ []value.Value) *value.Record {
	k := w.run(nil, w.format, 1).Constants
	r := newRecord(n.constants, w.format.Name)
	r.set("weights,cache,host", k.Weights, k.Cache, local.ShareOfHost)
	return r.Record
}

// choose is a line for each format.
func (n *locals) choose(w *localSetup, a []value.Value) []*value.Record {
	var all []*value.Record
	tensors := quant.Tensors(w.model)
	for _, f := range formatsOn(w.machine) {
		if f.ForExperts() && w.model.MoE.Experts == 0 {
			continue
		}
		size := tensors.In(f, w.model)
		r := newRecord(n.choices, f.Name)
		r.ID = f.ID
		r.say("format", f.Name)
		r.set("bits,size", size.Bits(), size.Bytes)
		r.answer(w.run(size, f, a[2].Num.Value), a[3].Num.Value)
		if !r.Fields["fits"].Bool {
			delete(r.Fields, "rate")
			delete(r.Fields, "slow")
			delete(r.Fields, "fast")
		}
		all = append(all, r.Record)
	}
	return all
}
