package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/serving/startlog"
)

// servedRow is an option as it is printed: plain numbers in base units.
type servedRow struct {
	Plan      string  `json:"plan" jsonschema:"layout of a replica, of decode if apart"`
	Prompts   string  `json:"prefill_plan,omitempty" jsonschema:"layout of a replica that prefills, if apart"`
	Layout    string  `json:"layout" jsonschema:"of all chips, as a plan is given: 1x TP4 to 2x TP8"`
	Replicas  float64 `json:"replicas" jsonschema:"replicas on the chips"`
	Prefills  float64 `json:"prefill_replicas,omitempty"`
	Chips     float64 `json:"chips" jsonschema:"chips that are used"`
	Batch     float64 `json:"batch" jsonschema:"sequences that run at once in a replica"`
	Offload   float64 `json:"offload_bytes_chip,omitempty" jsonschema:"byte of weights on the host"`
	TTFT      float64 `json:"ttft_s" jsonschema:"seconds to the first token"`
	TPOT      float64 `json:"tpot_s" jsonschema:"seconds a token"`
	PerUser   float64 `json:"tok_s_user" jsonschema:"tokens a second for one user"`
	PerChip   float64 `json:"tok_s_chip" jsonschema:"tokens a second and chip"`
	Output    float64 `json:"output_tok_s" jsonschema:"output tokens a second of all"`
	Requests  float64 `json:"request_per_s" jsonschema:"requests a second of all"`
	Dollars   float64 `json:"usd_per_m_output,omitempty" jsonschema:"USD for a million output tokens, all cost on them"`
	Joules    float64 `json:"joule_per_output,omitempty" jsonschema:"J for an output token"`
	Rate      float64 `json:"replicas_for_rate,omitempty" jsonschema:"replicas that the rate needs"`
	Wait      float64 `json:"ttft_at_rate_s,omitempty" jsonschema:"seconds to the first token at the rate, mean"`
	Tail      float64 `json:"ttft_p99_at_rate_s,omitempty" jsonschema:"the same, 99th percentile"`
	Input     float64 `json:"usd_per_m_input,omitempty" jsonschema:"USD for a million input tokens"`
	Cached    float64 `json:"usd_per_m_cached,omitempty" jsonschema:"USD for a million cached input tokens"`
	OutputUSD float64 `json:"usd_per_m_output_alone,omitempty" jsonschema:"USD for a million output tokens"`
	TTFTLow   float64 `json:"ttft_low_s" jsonschema:"seconds to the first token: nine in ten measurements lie from here"`
	TTFTHigh  float64 `json:"ttft_high_s" jsonschema:"to here"`
	TPOTLow   float64 `json:"tpot_low_s" jsonschema:"seconds a token: nine in ten measurements lie from here"`
	TPOTHigh  float64 `json:"tpot_high_s" jsonschema:"to here"`
	ChipLow   float64 `json:"tok_s_chip_low" jsonschema:"tokens a second and chip, from here"`
	ChipHigh  float64 `json:"tok_s_chip_high" jsonschema:"to here"`
	Equal     bool    `json:"equal" jsonschema:"whether it can’t be told from the plan with most tokens a chip"`
	Flags     string  `json:"flags,omitempty" jsonschema:"flags of the engine for this layout"`
}

// row turns an option into what is printed.
func (w *serveFlags) row(o serving.Option) servedRow {
	c, l := w.spec.Chip, w.spec.Load
	r := servedRow{Plan: o.Plan.String(), Layout: layoutText(o.Given()), Replicas: o.Replicas, Prefills: o.Prefills,
		Chips: o.Chips, Batch: o.Batch, Offload: o.Offload, TTFT: o.TTFT, TPOT: o.TPOT,
		PerUser: o.PerUser, PerChip: o.PerChip, Output: o.Output, Requests: o.Requests,
		Dollars: c.Price * o.Chips / o.Output * 1e6, Joules: c.Power * o.Chips / o.Output}
	spreads := w.spec.Spreads()
	x := spreads.Intervals(&o)
	r.TTFTLow, r.TTFTHigh = x.First.Low, x.First.High
	r.TPOTLow, r.TPOTHigh, r.ChipLow, r.ChipHigh = x.Token.Low, x.Token.High, x.Rate.Low, x.Rate.High
	r.Equal = w.best.Chips > 0 && spreads.Equal(&w.best, &o)
	engine := w.spec.Engine
	engine.Offload = o.Offload
	replica, err := serving.NewReplica(w.spec.Shape, c, o.Plan, w.spec.Constants, engine)
	if err != nil {
		return r
	}
	r.Flags = replica.Flags(w.engine, l, o.Batch)
	if o.Apart {
		r.Prompts = o.Prompts.String()
	} else {
		one := o.Latency
		one.Requests /= o.Replicas
		bill := replica.Bill(c.Price, one, l)
		r.Input, r.Cached, r.OutputUSD = bill.Input, bill.Cached, bill.Output
	}
	if w.rate > 0 {
		r.Rate, r.Wait, r.Tail = w.atRate(o)
	}
	return r
}

// atRate is how many replicas of an option keep the limits at the rate that is asked for, and how long requests that
// come at random, and go to the least loaded replica, then wait for their first token, on average and but for one in a
// hundred. Apart, a replica is all that the option has.
func (w *serveFlags) atRate(o serving.Option) (replicas, mean, tail float64) {
	if w.lines == nil {
		w.lines = w.spec.Lines()
	}
	line := w.lines.Of(o)
	if line == nil {
		return 0, 0, 0
	}
	const busy = 0.9 // at the most: beyond it queues grow fast
	if replicas = line.Replicas(serving.Arrivals{Rate: w.rate}, busy, w.spec.TTFT, w.spec.TPOT); replicas == 0 {
		return 0, 0, 0
	}
	q := line.Queue(serving.Arrivals{Rate: w.rate / replicas, Replicas: replicas})
	return replicas, q.TTFT.Mean, q.TTFT.P99
}

// print writes the options in the wanted form.
func (w *serveFlags) print(options []serving.Option, refused []serving.Refusal, s streams) int {
	var err error
	for i := range options {
		if options[i].PerChip > w.best.PerChip {
			w.best = options[i]
		}
	}
	switch {
	case w.json:
		encoder := json.NewEncoder(s.out)
		for i := 0; i < len(options) && err == nil; i++ {
			err = cmp.Or(s.ended(), encoder.Encode(w.row(options[i])))
		}
	case w.csv:
		rows := make([]servedRow, len(options))
		for i := 0; i < len(options) && err == nil; i++ {
			rows[i], err = w.row(options[i]), s.ended()
		}
		if err == nil {
			err = writeTable(s.out, servedTable(), rows, true)
		}
	default:
		err = w.printTable(options, refused, s)
	}
	if err != nil {
		s.complain("scalebook serve-plan: %v", err)
		return failed
	}
	if len(options) == 0 && w.parts > 1 { // another part may serve it
		s.complain("scalebook serve-plan: note: no plan of this part serves this; see the other parts")
		return ok
	}
	if len(options) == 0 {
		s.complain("scalebook serve-plan: nothing serves this; allow %s", w.looser())
		return failed
	}
	return ok
}

// looser says which demands a reader can loosen, those first that were made.
func (w *serveFlags) looser() string {
	ways := []string{"more chips", "smaller weights"}
	if w.tpot > 0 {
		ways = append([]string{"slower tokens"}, ways...)
	}
	if w.ttft > 0 {
		ways = append([]string{"a later first token"}, ways...)
	}
	last := len(ways) - 1
	return strings.Join(ways[:last], ", ") + " or " + ways[last]
}

// servedTable are the columns of serve-plan -csv.
func servedTable() []csvColumn[servedRow] {
	number := func(head string, of func(*servedRow) float64) csvColumn[servedRow] {
		return csvColumn[servedRow]{head, func(r *servedRow) string { return strconv.FormatFloat(of(r), 'g', 5, 64) }}
	}
	return []csvColumn[servedRow]{
		{"plan", func(r *servedRow) string { return r.Layout }},
		number("batch", func(r *servedRow) float64 { return r.Batch }),
		number("ttft_ms", func(r *servedRow) float64 { return r.TTFT * 1e3 }),
		number("tpot_ms", func(r *servedRow) float64 { return r.TPOT * 1e3 }),
		number("tok_s_user", func(r *servedRow) float64 { return r.PerUser }),
		number("tok_s_chip", func(r *servedRow) float64 { return r.PerChip }),
		number("output_tok_s", func(r *servedRow) float64 { return r.Output }),
		{"usd_per_m_output", func(r *servedRow) string { return known(r.Dollars, 5) }},
		{"joule_per_output", func(r *servedRow) string { return known(r.Joules, 5) }},
		number("replicas_for_rate", func(r *servedRow) float64 { return r.Rate }),
		number("ttft_at_rate_ms", func(r *servedRow) float64 { return r.Wait * 1e3 }),
		number("ttft_p99_at_rate_ms", func(r *servedRow) float64 { return r.Tail * 1e3 }),
	}
}

// servedColumns are those of a table of plans: the sheet's, and what they cost and do at a rate.
var servedColumns = []string{"layout", "batch", "per_chip", "per_user", "ttft", "tpot", "output", "chips", "host",
	"cost", "energy", "replicas_needed", "ttft_at_rate", "ttft_p99_at_rate", "bound", "against"}

// printTable writes a table, most tokens a chip first, and below it what was refused.
func (w *serveFlags) printTable(options []serving.Option, refused []serving.Refusal, s streams) error {
	if w.best.Chips > 0 {
		fmt.Fprintln(s.out, phrase.Phrases{}.Text(w.spec.Answer(w.best, options, w.spec.Chip.Price)))
		fmt.Fprintln(s.out)
	}
	options = slices.Clone(options)
	slices.SortStableFunc(options, func(a, b serving.Option) int { return cmp.Compare(b.PerChip, a.PerChip) })
	rows := make([]servedRow, len(options))
	for i, o := range options {
		rows[i] = w.row(o)
	}
	err := writeList(s.out, library.ServingPlans(library.New(), w.spec, options), servedColumns,
		numberColumn("host", "weights on the host", quantity.Dim{quantity.Byte: 1},
			func(i int) float64 { return rows[i].Offload }),
		numberColumn("cost", "a million output tokens", quantity.Dim{quantity.Dollar: 1},
			func(i int) float64 { return rows[i].Dollars }),
		numberColumn("energy", "an output token", quantity.Dim{quantity.Joule: 1},
			func(i int) float64 { return rows[i].Joules }),
		numberColumn("replicas_needed", "replicas for the rate", quantity.Dim{},
			func(i int) float64 { return rows[i].Rate }),
		numberColumn("ttft_at_rate", "TTFT at the rate", quantity.Dim{quantity.Second: 1},
			func(i int) float64 { return rows[i].Wait }),
		numberColumn("ttft_p99_at_rate", "its 99th percentile", quantity.Dim{quantity.Second: 1},
			func(i int) float64 { return rows[i].Tail }))
	if err != nil {
		return err
	}
	for _, r := range refused {
		if r.Count == 1 {
			fmt.Fprintf(s.out, "1 plan not taken, %v: %v\n", r.Plan, r.Why)
		} else {
			fmt.Fprintf(s.out, "%d plans not taken, such as %v: %v\n", r.Count, r.Plan, r.Why)
		}
	}
	w.printRack(options, s)
	if w.layout != "" {
		return w.printLedger(s)
	}
	if p, found := w.spec.SmallestSlice(); found {
		fmt.Fprintf(s.out, "smallest slice that fits%s: %v, chips: %d\n", w.relief(), p, p.Chips())
	}
	return nil
}

// printLedger writes what the layout leaves to KV tokens, and why.
func (w *serveFlags) printLedger(s streams) error {
	r, length, err := w.replica(false)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nfrom the card to KV tokens, %v:\n", r.Plan)
	if err := writeLedger(s.out, startlog.Beside(nil, r, length)); err != nil {
		return err
	}
	if p := r.Ledger(length).Pool; w.length > 0 && p.Tokens > 0 && p.Concurrency < 1 && w.engine != "sglang" {
		s.complain("scalebook serve-plan: note: not one sequence of %d tokens fits, and vLLM refuses to start; write "+
			"-max-model-len %.0f or less", w.length, math.Floor(p.Concurrency*p.Length))
	}
	return nil
}

// printRack says what prices leave out where chips come by the rack and an option uses a part of one.
func (w *serveFlags) printRack(options []serving.Option, s streams) {
	const node = 8 // chips that clouds let alone at the most
	rack := float64(w.spec.Chip.Domain)
	if rack <= node || w.spec.Chip.Torus || w.spec.Chip.Price == 0 {
		return
	}
	idle := 0.0
	for _, o := range options {
		idle = max(idle, math.Ceil(o.Chips/rack)*rack/o.Chips)
	}
	if idle > 1 {
		fmt.Fprintf(s.out, "prices count the chips in use; %s comes in racks of %g, and whoever pays them whole "+
			"pays up to "+
			"%.3g times as much for a plan above\n", w.spec.Chip.Name, rack, idle)
	}
}

// relief says what may lie outside the chips of a slice.
func (w *serveFlags) relief() string {
	if w.offload == 0 {
		return ""
	}
	return fmt.Sprintf(", with up to %g GB of each chip’s weights on its host", w.offload)
}

// ledgerRow is a step of a ledger as -json prints it: bytes of a chip, tokens, or a plain number.
type ledgerRow struct {
	Step    string   `json:"step"`
	Ours    float64  `json:"ours"`
	Log     *float64 `json:"log,omitempty"`
	Line    int      `json:"line,omitempty"`
	Differs bool     `json:"differs,omitempty"`
}

// ledgerAnswer is a ledger as -json prints it.
type ledgerAnswer struct {
	Model   string      `json:"model"`
	Chip    string      `json:"chip"`
	Plan    string      `json:"plan"`
	Ledger  []ledgerRow `json:"ledger"`
	Differs string      `json:"first_that_differs,omitempty"`
	Verdict string      `json:"verdict"`
}

// readLog reads the log that -log names, and fills in the flags that are not given: those of the command win.
func (w *serveFlags) readLog(s streams) error {
	text, err := s.text(w.log)
	if err != nil {
		return failure{fmt.Errorf("-log %s: %v", w.log, reason(err))}
	}
	if w.read, err = startlog.Read(string(text)); err != nil {
		return failure{fmt.Errorf("-log %s: %v", w.log, err)}
	}
	l := w.read
	fill := func(flag string, to *string, value string) {
		if !slices.Contains(w.given, flag) && value != "" {
			*to = value
		}
	}
	fill("model", &w.model, l.Known)
	fill("chip", &w.chip, l.Chip)
	fill("engine", &w.engine, l.Engine)
	fill("weights", &w.weights, l.Weights)
	if !slices.Contains(w.given, "kv-cache-dtype") {
		fill("cache", &w.cache, l.Cache)
	}
	fill("version", &w.version, l.Version)
	fill("plan", &w.layout, l.Plan.Typed())
	if w.model == "" {
		if l.Model == "" {
			note := strings.TrimSpace(phrase.Phrases{}.Text(l.Remarks()))
			return fmt.Errorf("%s", strings.TrimSpace(fmt.Sprintf(
				"-log %s: the log names no model; name one with -model, or its config.json. %s", w.log, note)))
		}
		return fmt.Errorf("-log %s: the log’s model, %s, is not in the catalog; name one with -model, or its "+
			"config.json",
			w.log, l.Model)
	}
	if w.share == 0 {
		w.share = l.Share
	}
	if w.sequences == 0 {
		w.sequences = int(l.Setup.Sequences)
	}
	if w.chunk == 0 {
		w.chunk = int(l.Setup.Chunk)
	}
	if w.length == 0 {
		w.length = tokenCount(l.Length)
	}
	return nil
}

// replica is the replica of the layout that is given, with what the engine sets itself.
func (w *serveFlags) replica(defaults bool) (*serving.Replica, float64, error) {
	length := float64(w.length)
	if length == 0 {
		if length = w.spec.Load.In + w.spec.Load.Out; w.log != "" && w.spec.Shape.Model.Context > 0 {
			length = float64(w.spec.Shape.Model.Context)
		}
	}
	engine, chip := w.spec.Engine, w.spec.Chip
	if w.read != nil {
		set := &w.read.Setup
		engine.Paged, engine.KVBytes, engine.Most = set.Paged, set.KVBytes, set.Most
		engine.Unsorted, engine.NoPeers, engine.Scores = set.Unsorted, set.NoPeers, set.Scores
		engine.Windows, engine.StateBits = set.Windows, set.StateBits
		engine.Adapters, engine.Rank = set.Adapters, set.Rank
		engine.Offload, engine.Hosted = set.Offload, w.read.Hosted(w.spec.Shape.Model)
		engine.Graphless = engine.Graphless || set.Graphless
	}
	shape := w.spec.Shape
	if w.read != nil && !slices.Contains(w.given, "weights") {
		shape = serving.NewShape(shape.Model, w.read.Stored(shape.Model, shape.Precision))
	}
	if w.read != nil && shape.Model.ID == w.read.Known {
		shape = shape.With(w.read.Encoder)
	}
	if w.read != nil && w.read.Draft {
		shape = shape.Drafted()
	}
	if defaults {
		engine = engine.Defaults(chip, w.spec.Layout, length)
	}
	if chip.Link == 0 {
		chip.Link = max(chip.Network, 1)
	}
	r, err := serving.NewReplica(shape, chip, w.spec.Layout, w.spec.Constants, engine)
	return r, length, err
}

// printLog prints the ledger beside the log.
func (w *serveFlags) printLog(s streams) error {
	r, length, err := w.replica(true)
	if err != nil {
		return err
	}
	if slices.Contains(w.given, "chip") {
		w.read.Chip, w.read.Like = r.Chip.ID, false
	}
	lines, account := startlog.Beside(w.read, r, length), r.Ledger(length)
	verdict := phrase.Phrases{}.Text(startlog.Verdict(w.read, lines, &account, r))
	if w.json {
		return w.printLedgerJSON(s.out, r, lines, verdict)
	}
	switch {
	case slices.Contains(w.given, "chip"):
	case w.read.Called != "":
		s.complain("scalebook serve-plan: note: the catalog has no %s, and %s is taken; -chip says which",
			phrase.Printable(w.read.Called, 40), r.Chip.Name)
	case w.read.Chip == "" || w.read.Like:
		s.complain("scalebook serve-plan: note: the log names no chip, and %s is taken; -chip says which", r.Chip.Name)
	}
	if note := (phrase.Phrases{}).Text(w.read.Remarks()); note != "" {
		s.complain("scalebook serve-plan: note: %s", note)
	}
	fmt.Fprintf(s.out, "%s on %s, %v, %s\n\n", r.Shape.Model.Name, r.Chip.Name, r.Plan,
		strings.TrimSpace(r.Engine.Name+" "+w.version))
	if err := writeLedger(s.out, lines); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "\n%s\n", verdict)
	return err
}

// writeLedger writes the steps of a ledger, and what a log says of them.
func writeLedger(to io.Writer, lines []startlog.Line) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	heard := startlog.CountLogged(lines) > 0
	if heard {
		fmt.Fprintln(out, "step\tledger\tlog\toff\tline\t")
	} else {
		fmt.Fprintln(out, "step\tledger\t")
	}
	for i := range lines {
		x := &lines[i]
		fmt.Fprintf(out, "%s\t%s\t", x.Title(), startlog.InLog(x.Name, x.Ours))
		switch {
		case x.IsLogged && x.Differs:
			fmt.Fprintf(out, "%s\t%s differs\t%d\t", startlog.InLog(x.Name, x.Logged), startlog.Signed(x.Off), x.At)
		case x.IsLogged:
			fmt.Fprintf(out, "%s\t%s\t%d\t", startlog.InLog(x.Name, x.Logged), startlog.Signed(x.Off), x.At)
		case heard:
			fmt.Fprint(out, "\t\t\t")
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// printLedgerJSON writes the ledger as one object.
func (w *serveFlags) printLedgerJSON(to io.Writer, r *serving.Replica, lines []startlog.Line, verdict string) error {
	a := ledgerAnswer{Model: r.Shape.Model.ID, Chip: r.Chip.ID, Plan: r.Plan.Typed(), Verdict: verdict}
	for i := range lines {
		x := ledgerRow{Step: lines[i].Name, Ours: lines[i].Ours, Line: lines[i].At, Differs: lines[i].Differs}
		if lines[i].IsLogged {
			x.Log = &lines[i].Logged
		}
		a.Ledger = append(a.Ledger, x)
	}
	if i := startlog.First(lines); i >= 0 {
		a.Differs = lines[i].Name
	}
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(a)
}
