package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/serving/startlog"
)

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
func (w *serveWish) readLog(s streams) error {
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
		name := l.Model
		if name == "" {
			name = "none"
		}
		return fmt.Errorf("-log %s: the log’s model, %s, is not in the catalog; name one with -model, or its config.json",
			w.log, name)
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
func (w *serveWish) replica(defaults bool) (*serving.Replica, float64, error) {
	length := float64(w.length)
	if length == 0 {
		if length = w.wish.Load.In + w.wish.Load.Out; w.log != "" && w.wish.Shape.Model.Context > 0 {
			length = float64(w.wish.Shape.Model.Context)
		}
	}
	engine, chip := w.wish.Engine, w.wish.Chip
	if w.read != nil {
		engine.Paged, engine.KVBytes = w.read.Setup.Paged, w.read.Setup.KVBytes
	}
	if defaults {
		engine = engine.Defaults(chip, w.wish.Layout, length)
	}
	if chip.Link == 0 {
		chip.Link = max(chip.Network, 1)
	}
	r, err := serving.NewReplica(w.wish.Shape, chip, w.wish.Layout, w.wish.Constants, engine)
	return r, length, err
}

// printLog prints the ledger beside the log.
func (w *serveWish) printLog(s streams) error {
	r, length, err := w.replica(true)
	if err != nil {
		return err
	}
	lines, account := startlog.Beside(w.read, r, length), r.Ledger(length)
	verdict := phrase.Phrases{}.Text(startlog.Verdict(lines, &account, r))
	if w.json {
		return w.printLedgerJSON(s.out, r, lines, verdict)
	}
	if (w.read.Chip == "" || w.read.Like) && !slices.Contains(w.given, "chip") {
		s.complain("scalebook serve-plan: note: the log names no chip, and %s is taken; -chip says which", r.Chip.Name)
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
	heard := startlog.Heard(lines) > 0
	if heard {
		fmt.Fprintln(out, "step\tledger\tlog\toff\tline\t")
	} else {
		fmt.Fprintln(out, "step\tledger\t")
	}
	for i := range lines {
		x := &lines[i]
		fmt.Fprintf(out, "%s\t%s\t", x.Title(), startlog.InLog(x.Name, x.Ours))
		switch {
		case x.Spoke && x.Apart:
			fmt.Fprintf(out, "%s\t%s differs\t%d\t", startlog.InLog(x.Name, x.Said), startlog.Signed(x.Off), x.At)
		case x.Spoke:
			fmt.Fprintf(out, "%s\t%s\t%d\t", startlog.InLog(x.Name, x.Said), startlog.Signed(x.Off), x.At)
		case heard:
			fmt.Fprint(out, "\t\t\t")
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// printLedgerJSON writes the ledger as one object.
func (w *serveWish) printLedgerJSON(to io.Writer, r *serving.Replica, lines []startlog.Line, verdict string) error {
	a := ledgerAnswer{Model: r.Shape.Model.ID, Chip: r.Chip.ID, Plan: r.Plan.Typed(), Verdict: verdict}
	for i := range lines {
		x := ledgerRow{Step: lines[i].Name, Ours: lines[i].Ours, Line: lines[i].At, Differs: lines[i].Apart}
		if lines[i].Spoke {
			x.Log = &lines[i].Said
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
