package library

import (
	"cmp"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// startups offers what engines say when they start, and why.
type startups struct {
	env                                            *value.Env
	engines, logs, ledgers, lines, modules, models *value.RecordType
	chips                                          *value.RecordType
}

// account is what is behind a ledger.
type account struct {
	serving.Ledger
	replica *serving.Replica
	log     *startlog.Log
	lines   []startlog.Line
}

// addStartups offers them.
func addStartups(env *value.Env) {
	n := &startups{env: env, engines: newRecordType(env, "serving engine", nil),
		lines:   newRecordType(env, "startup line", nil),
		modules: newRecordType(env, "startup module", nil), models: env.RecordType("model"),
		chips: env.RecordType("accelerator")}
	n.logs = newRecordType(env, "startup log", typesOf(
		env,
		"engine",
		"serving engine",
		"engines",
		"list serving engine",
		"model",
		"model",
		"chip",
		"accelerator",
		"chips",
		"list accelerator",
		"weights",
		"dtype",
		"cache",
		"dtype",
		"formats",
		"list dtype",
		"caches",
		"list dtype",
	))
	n.ledgers = newRecordType(env, "startup ledger",
		typesOf(env, "lines", "list startup line", "modules", "list startup module"))
	register(env, law.ServingModel, []funcDecl{
		{Name: "serving_ledger", Takes: "plan serving plan", Gives: "startup ledger", Work: 1 << 10,
			Call: n.planLedger,
			Doc: "From the bytes of a chip of a plan to tokens of KV cache, step by step as an engine’s log tells " +
				"it."},
		{Name: "startup_log", Takes: "text text", Gives: "startup log", Work: 1 << 18, Call: n.read,
			Doc: "What the start-up log of vLLM, SGLang, TensorRT-LLM, TGI, llama.cpp, Ollama, LMDeploy, MLC LLM or " +
				"ExLlama says, or the command that starts one: engine, model, chip, formats, layout, flags and " +
				"figures of memory. What it leaves out is as the engine has it."},
		{Name: "startup_ledger",
			Takes: "log startup log, m model, chip accelerator, engine serving engine, weights dtype, experts dtype, " +
				"cache dtype, layout text, share, length, sequences, chunk, version text, draft switch",
			Gives: "startup ledger", Work: 1 << 10, Call: n.ledger,
			Doc: "From the bytes of a chip to tokens of KV cache, step by step as an engine’s log tells it, for a " +
				"layout such as \"tp=8\", the share of the memory that it may take, its longest sequence, and the " +
				"sequences and tokens of a step at the most; 0 is as the engine has it. version is such as " +
				"\"0.10.2\"; without one it is the newest. draft says that a layer guesses tokens. Beside each step " +
				"stands what the log says of it."},
	})
}

// typesOf are the types of fields: each a name, and its type in words.
func typesOf(env *value.Env, words ...string) map[string]value.Type {
	types := map[string]value.Type{}
	for i := 0; i < len(words); i += 2 {
		types[words[i]] = typeOf(env, words[i+1])
	}
	return types
}

// known makes the records of the engines whose logs tell of a cache, once.
func (n *startups) known() {
	if len(n.engines.Members) > 0 {
		return
	}
	for _, e := range startlog.Engines() {
		r := newRecord(n.engines, engineName(e))
		r.ID = e
		n.engines.Members = append(n.engines.Members, r.Record)
	}
}

// formats are a list of formats.
func (n *startups) formats(names string) value.Value {
	v := value.Value{Kind: value.List}
	for name := range strings.FieldsSeq(names) {
		v.List = append(v.List, n.env.Values[name])
	}
	return v
}

// read reads a log.
func (n *startups) read(a []value.Value) (value.Value, error) {
	l := &startlog.Log{Engine: "vllm", Host: startlog.Host{OnCard: -1, Experts: -1}}
	if strings.TrimSpace(a[0].Text) != "" {
		var err error
		if l, err = startlog.Read(a[0].Text); err != nil {
			return value.Value{}, err
		}
	}
	r := newRecord(n.logs, phrase.New("startlog.log"))
	r.Of = l
	r.Fields["weights"] = n.env.Values[cmp.Or(l.Weights, "bf16")]
	r.Fields["cache"] = n.env.Values[cmp.Or(l.Cache, "bf16")]
	n.known()
	r.Fields["engine"], r.Fields["engines"] = recordOf(n.engines, l.Engine), recordList(n.engines.Members)
	r.Fields["formats"], r.Fields["caches"] = n.formats("bf16 fp8 nvfp4 mxfp4 int4"), n.formats("bf16 fp8")
	r.Fields["model"] = recordOf(n.models, cmp.Or(l.Known, startlog.UsualModel))
	r.Fields["chip"], r.Fields["chips"] = n.chipsAnd(cmp.Or(l.Chip, startlog.UsualChip))
	r.row("share,length,sequences,chunk,figures", false, l.Share, l.Length, l.Setup.Sequences, l.Setup.Chunk,
		float64(len(l.Figures)))
	r.flag("draft", l.Draft)
	summary := any(phrase.New("startlog.none"))
	if strings.TrimSpace(a[0].Text) != "" {
		summary = readAs(l, r.Fields["model"].Record.Name, r.Fields["chip"].Record.Name)
	}
	r.texts("layout,version,summary", l.Plan.Typed(), l.Version, summary)
	return r.value(), nil
}

// readAs says what was read, and what was not found.
func readAs(l *startlog.Log, m, chip string) any {
	key, name := "startlog.taken-for", l.Model
	switch {
	case name == "":
		key = "startlog.no-model"
	case l.Known == "":
		key = "startlog.unknown-model"
	}
	var of any
	switch {
	case l.Called != "":
		of = phrase.New("startlog.unknown-chip", "name", phrase.Printable(l.Called, 40), "chip", chip)
	case l.Chip == "":
		of = phrase.New("startlog.no-chip", "chip", chip)
	case l.Like:
		of = phrase.New("startlog.like-chip", "chip", chip)
	}
	engine := strings.TrimSpace(engineName(l.Engine) + " " + l.Version)
	read := phrase.Count(len(l.Figures), "startlog.read", "engine", engine)
	if len(l.Figures) == 0 {
		read = phrase.New("startlog.command", "engine", engine)
	}
	return phrase.Sentences(read,
		phrase.New(key, "name", name, "model", m), of, l.Remarks())
}

// chipsAnd is an accelerator, and those of which a ledger can be made: with that one, if it is a card that menus leave
// out.
func (n *startups) chipsAnd(id string) (chip, all value.Value) {
	var records []*value.Record
	for _, r := range n.chips.Members {
		if has(r, "hbm hbm_bandwidth flops.bf16") {
			records = append(records, r)
		}
	}
	chip = recordOf(n.chips, id)
	if a, err := hardware.Catalog().Get(id); err == nil && chip.Record.ID != id {
		chip.Record = record(a, n.chips)
		records = append(records, chip.Record)
	}
	return chip, recordList(records)
}

// recordOf is the record of a record type with this ID; the first if there is none.
func recordOf(rt *value.RecordType, id string) value.Value {
	for _, r := range rt.Members {
		if r.ID == id {
			return value.Value{Kind: value.Rec, Record: r}
		}
	}
	return value.Value{Kind: value.Rec, Record: rt.Members[0]}
}

// loadedBytes is the bytes of an element as engines load a format: int4 has a scale and a zero for each 128.
func loadedBytes(v value.Value) float64 {
	if v.Bits == 4 {
		return serving.Int4
	}
	return v.Bits / 8
}

// ledger is the account of a start.
func (n *startups) ledger(a []value.Value) (value.Value, error) {
	log := a[0].Record.Of.(*startlog.Log)
	m, _ := a[1].Record.Of.(*model.Model)
	chip, _ := a[2].Record.Of.(*hardware.Accelerator)
	switch {
	case m == nil:
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-model-of-catalog", "value", a[1]),
			Remedy: phrase.New("library.give-model")}
	case chip == nil:
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-chip-of-catalog", "value", a[2]),
			Remedy: phrase.New("library.give-one-chip", "chip", "gpu.h100")}
	}
	c, err := serving.NewChip(chip)
	if err != nil {
		return value.Value{}, err
	}
	p, err := serving.ReadPlan(a[7].Text)
	if err != nil {
		return value.Value{}, err
	}
	e := log.Setup
	e.Hosted, e.Name, e.OfFree = log.Hosted(m), a[3].Record.ID, a[3].Record.ID == "trtllm"
	e.Share, e.Sequences, e.Chunk = a[8].Num.Value, a[10].Num.Value, a[11].Num.Value
	e.Release = startlog.ReleaseOf(a[12].Text)
	length := a[9].Num.Value
	if !(e.Share >= 0 && e.Share <= 1 && length >= 0 && e.Sequences >= 0 && e.Chunk >= 0) {
		return value.Value{}, phrase.Fault{What: phrase.New("startlog.below-zero"),
			Remedy: phrase.New("startlog.give-flags")}
	}
	if length == 0 {
		if length = float64(m.Context); length == 0 {
			length = 8192
		}
	}
	weights := loadedBytes(a[4])
	precision := serving.Stored(m.ID, weights, a[6].Bits/8)
	if experts := loadedBytes(a[5]); experts != weights {
		precision.Experts = experts
	}
	said := a[0].Record.Fields
	bits := said["weights"].Bits
	if e.Name == log.Engine && a[4].Bits == bits && a[5].Bits == bits && a[6].Bits == said["cache"].Bits {
		precision = log.Stored(m, precision) // as the file says it, while the reader keeps its formats
	}
	shape := serving.NewShape(m, precision)
	if m.ID == log.Known {
		shape = shape.With(log.Encoder)
	}
	if a[13].Bool {
		shape = shape.Drafted()
	}
	if c.Link == 0 {
		c.Link = max(c.Network, 1)
	}
	r, err := serving.NewReplica(shape, c, p, serving.Fitted(e.Name), e.Defaults(c, p, length))
	if err != nil {
		return value.Value{}, err
	}
	return n.ledgerRecord(log, r, length), nil
}

// planLedger is the account of a plan.
func (n *startups) planLedger(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	return n.ledgerRecord(&startlog.Log{}, p.decode, p.decode.Longest(p.spec.Load)), nil
}

// ledgerRecord is an account as sheets see it.
func (n *startups) ledgerRecord(log *startlog.Log, r *serving.Replica, length float64) value.Value {
	x := &account{r.Ledger(length), r, log, startlog.Beside(log, r, length)}
	f := newRecord(n.ledgers, phrase.New("startlog.ledger", "plan", r.Plan.String()))
	f.Of = x
	each := 0.0
	if x.Tokens > 0 {
		each = x.Blocks * x.BlockBytes / x.Tokens
	}
	f.row(
		"total,free,budget,weights,nontorch,activations,counted,graphs,cache,block_bytes,request,effective",
		true,
		x.Total,
		x.Free,
		x.Budget,
		x.Weights,
		x.NonTorch,
		x.Activations,
		x.Counted,
		x.Graphs,
		x.Cache,
		x.BlockBytes,
		x.Request,
		each,
	)
	f.row("share,block,blocks,each,tokens,concurrency,length,chips,sequences,chunk", false, x.Share, x.Block, x.Blocks,
		x.PerToken, x.Tokens, x.Concurrency, x.Length, float64(r.Chips()), r.Engine.Sequences, r.Chunk)
	f.Fields["lines"] = recordList(n.lineRecords(x))
	f.Fields["modules"] = recordList(n.moduleRecords(x))
	f.texts("verdict,engine", startlog.Verdict(log, x.lines, &x.Ledger, r), r.Engine.Name)
	return f.value()
}

// row sets numbers by their names, one after the other; bytes are printed in GiB, as logs have them, if they are
// binary.
func (r recordBuilder) row(names string, binary bool, numbers ...float64) {
	for i, name := range strings.Split(names, ",") {
		r.num(name, numbers[i])
		v := r.Fields[name]
		v.Num.Binary = binary
		r.Fields[name] = v
	}
}

// texts sets texts and phrases by their names, one after the other.
func (r recordBuilder) texts(names string, texts ...any) {
	for i, name := range strings.Split(names, ",") {
		r.say(name, texts[i])
	}
}

// lineRecords are the steps of an account beside the log.
func (n *startups) lineRecords(x *account) []*value.Record {
	var all []*value.Record
	for i := range x.lines {
		s := &x.lines[i]
		f := newRecord(n.lines, s.Title())
		said, off := "", any("")
		if s.IsLogged {
			said = startlog.InLog(s.Name, s.Logged)
			if off = startlog.Signed(s.Off); s.Differs {
				off = phrase.New("startlog.apart", "off", off)
			}
		}
		f.ID = s.Name
		f.texts("step,ours,said,off", f.called(), startlog.InLog(s.Name, s.Ours), said, off)
		all = append(all, f.Record)
	}
	return all
}

// moduleRecords are the weights by module.
func (n *startups) moduleRecords(x *account) []*value.Record {
	var all []*value.Record
	for _, m := range x.Modules {
		f := newRecord(n.modules, startlog.ModuleName(m.Name))
		f.ID = m.Name
		f.texts("module", f.called())
		f.row("bytes", true, m.Bytes)
		f.row("bits,elements", false, 8*m.Element, m.Bytes/m.Element)
		all = append(all, f.Record)
	}
	return all
}
