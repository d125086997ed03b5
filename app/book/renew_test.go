package book

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// Every question of the book can be asked again with other numbers, ten times over, each time with another answer than
// before, or of choices now and then with another; but for some whose answer no number changes, as they say, or none
// that isn't published. The numbers are short, as an author would write them.
func TestEveryQuestionAgain(t *testing.T) {
	const none = "No other numbers change this answer."
	fixed := []string{"shape", "same-question", "line-or-ring", "q-a2a", "q-b200", "q-heads", "q-ways",
		"own-rack", "q-405b.held", "q-gpu-70b", "q-deepseek", "q-eleven", "count405"}
	oneChoice := []string{"q-8b.larger", "q-megatron.bound", "when.better", "tp-change.helps"}
	published := func(in *input.Input) bool { return in.Published }
	changes := func(in *input.Input) bool {
		return !in.Published && !in.Fact && (in.Ranged || len(in.Menu) > 0)
	}
	stays := func(s *sheet.Sheet, name string) bool {
		return slices.Contains(fixed, s.ID) || slices.Contains(fixed, s.ID+"."+name) ||
			!slices.ContainsFunc(s.Inputs, changes)
	}
	questions(t, func(s *sheet.Sheet, name string) {
		if s.Asks[0].Symbols != nil {
			return // no number changes a formula
		}
		chosen := s.Row(name).Type.Kind != value.Number
		v, sets, answers := widget.New(s), map[string]bool{}, map[string]bool{}
		for range 10 {
			before := v.Reveal(name).Verdict
			said := v.Renew(name)
			used := said == none && slices.ContainsFunc(s.Inputs, published) // up: what is published stays
			if after := v.Reveal(name).Verdict; after == before && !chosen && !stays(s, name) && !used {
				t.Errorf("%s: %s: %s", s.ID, said, after)
			}
			sets[said], answers[before] = true, true
			if long := regexp.MustCompile(`[0-9]{7}|\.[0-9]{5}`).FindString(said); long != "" {
				t.Errorf("%s: a number with the digits %s: %s", s.ID, long, said)
			}
		}
		if chosen && len(answers) == 1 && !slices.Contains(oneChoice, s.ID+"."+name) {
			t.Errorf("%s.%s: always %v", s.ID, name, answers)
		}
		if still := len(sets) == 1; still != stays(s, name) {
			t.Errorf("%s: %d sets of numbers: %v", s.ID, len(sets), sets)
		}
	})
}

// A question that is asked again mostly has another answer than with the author's numbers, too, which its reader saw
// first. Where few numbers are possible, every second draw comes back to it.
func TestAgainIsSeldomTheFirst(t *testing.T) {
	draws, same := 0, 0
	questions(t, func(s *sheet.Sheet, name string) {
		if s.Asks[0].Symbols != nil || s.Row(name).Type.Kind != value.Number {
			return
		}
		v := widget.New(s)
		first := v.Reveal(name).Verdict
		for range 4 {
			if strings.HasPrefix(v.Renew(name), "With other") {
				if draws++; v.Reveal(name).Verdict == first {
					same++
				}
			}
		}
	})
	if draws < 600 || same > 10 {
		t.Errorf("%d of %d draws have the author's answer", same, draws)
	}
}

// onPaper are the formulas that the book asks for, as somebody derives them on paper.
var onPaper = map[string]string{
	"strong-end.N_end":         "B * W / C",
	"implied-clock.clock":      "rate / (2 * mxus * side^2)",
	"read-model.T":             "2 * P / (N * W)",
	"offload-optimizer.B_min":  "each / 6 * C / W",
	"softmax.break_even":       "4 * H * C_vector / C",
	"int8.B_crit":              "C / (2 * W)",
	"thin-wide.B_crit":         "w_bytes * C / 2 / W",
	"half-output.D_half":       "C / W",
	"fill.enough":              "n / r",
	"split.D_min":              "2 * C / W",
	"ring.T":                   "(N - 1) / N * V / W",
	"squares.enter":            "cells / side",
	"stream.k_best":            "sqrt(T_short / start)",
	"all-to-all-nd.longer":     "a / sqrt(N)",
	"prices.times":             "4 * N^(M - 1) / M",
	"q-at-once.fit":            "left / (40 byte * L * D)",
	"apart-long.T_half":        "P / (L * Q * H)",
	"experts.B_moe":            "B_crit * E / k",
	"split-70b.B_Y":            "C / (2 * W * Y)",
	"dp.B_min":                 "C / W_all",
	"tp.F_min":                 "2 / matrices * Y * C / W_all",
	"mixed.least":              "2 / matrices * (C / W)^2 / (M_X * M_Y * F)",
	"between-pods.B_min":       "C / W_dcn",
	"smallest-tile.edge":       "2 * C / W",
	"own-matrix.I":             "2 * D * F / (D + F + D * F)",
	"reduce.T_exact":           "2 * (X * Y - 1) / (X * Y) * V / W",
	"unreduced.out":            "2 * I * K",
	"q-replication.ratio":      "Y * Z",
	"own-piece.saved":          "2 * B * D * (N - 1) / N",
	"q-outer.ratio":            "M / K",
	"sixteen.R_max":            "v * B / (9 * (p - 1) * T)",
	"narrow-experts.F_between": "2 * C / (3 * W)",
	"real-bytes.saved":         "12 * P * (1 - 1 / R)",
	"q-letters.ops":            "2 * I * J * K * L * M * N * O",
	"q-projections.T_gqa":      "D * (Q + K) / Q",
	"letters.each":             "2 * m * k * n / (m * k + k * n + m * n)",
	"q-wider.ratio":            "k^2",
	"q-budget.P":               "sqrt(work / (6 FLOP * ratio))",
	"share.T_equal":            "12 * D",
	"q-reads.S":                "weights / (B * each)",
	"q-little.writing":         "requests * reply / (ttft + reply)",
	"q-fluid.capacity":         "rate / (1 + 2 * mean / duration)",
	"ragged.exact":             "(1 - (1 - 1 / Z)^k) * (1 - 1 / Z)",
	"g-bytes.top_out":          "nodes - 1",
	"q-add.T_comms":            "12 * n / W",
	"q-pp.factor":              "(m + p - 2) / m",
	"wrong-pin.times":          "F / (2 * D)",
	"slice-mean.result":        "shard * (N - 1) / 2 + j",
	"q-formats.T_min":          "2 * C / W",
	"q-batches.rate":           "B * N * W / (weights + B * cache)",
	"q-thirteen.kv":            "4 byte * L * K * H * T",
	"q-slice.each":             "2 * L * K * H",
	"q-sixteen.decode":         "F * link / (B * W)",
	"q-moe.B":                  "b * E / k",
	"q-2d.X":                   "sqrt(N * D / (2 * F))",
	"q-hops.below":             "N * hop * W",
	"q-tp.decoding":            "F * W / (B * W_hbm)",
	"q-tp.even":                "C / W_hbm",
	"q-naive.again":            "(n + 1) / 2",
	"q-naive.I":                "S * T / (S + T)",
	"q-palm.cost":              "N * t / B",
	"q-drafts.T":               "128 * loop / ((k + 1) * kept)",
	"wider.after":              "mlps * k / (mlps * k + heads * k + tables)",
	"thirty.need":              "mfu * T / limit",
	"few-chips.micro":          "(N * hbm - 10 byte * P) / (2 byte * D * L)",
	"half-time.T":              "work / (2 * B * W * Y * mfu)",
	"own-hour.use_min":         "capital / (p - energy)",
	"two-levels.joined":        "p^2 / 2",
	"shard-mean.averaged":      "I * J / (X * Y)",
	"ring-scatter.T_ring":      "(Y - 1) * max(T_mul, T_hop) + T_mul",
	"q-faster.wasted":          "1 - fixed / naive",
	"mlp-message.shard":        "2 * D * F / N",
	"enough-13b.most":          "3 * B * W / C",
	"two-editions.times":       "k^2",
	"traffic.both":             "8 * B * D / X + 12 * D * F / Y",
	"dcn-history.exact":        "4 * C / host",
	"small-pod.each":           "C / (W_dcn * N_pod)",
	"ring-attention.B_min":     "2 * K / Q * C / W",
	"context-share.share":      "2 * Q * H * T / (6 * D * F + 4 * D * H * (Q + K))",
	"calibrate.T":              "T_2 + (T_1 - T_2) / (m_1 - m_2) * (m - m_2)",
	"halved.after":             "2 / 3 + 1 / (3 * k)",
	"two-million.N_both":       "2 * B * Y * W / C",
	"peak.chip":                "2 * side^2 * mxus * clock",
	"pcie-weights.B_min":       "C / W",
	"vmem.B_vmem":              "C / (ratio * W_hbm)",
	"ladder.T":                 "hbm / W",
	"pcie.part":                "W / (W + W_hbm)",
	"whole-pod.T":              "2 * (N * hbm_chip / (6 byte))^(3/2) / (N * C)",
	"q-measure.knee":           "t_start * plateau",
	"sort-four.AR":             "2 * V / (3 * W)",
	"q-twice.each":             "(T2 - T1) / (quick * E2 - slow * E1)",
	"q-whole.flops":            "2 * B * D * local * N",
	"quiz-copies.total":        "Z * 128 * 2048",
	"which-f.right":            "3 / 2 * F * W / C",
	"q-layer.ratio":            "3 * F / (2 * H * (Q + K))",
	"failures.t_best":          "sqrt(2 * t_save * t_fail)",
	"node-gather.T":            "(N - 1) * V / (N * W)",
	"sharp.promised":           "2 * (N - 1) / N - 1",
	"in-vmem.side":             "sqrt(memory / (2 byte))",
	"ici.axis":                 "W_sum / (2 * M)",
	"split70.ratio":            "B * t_p / (S_out * t_g)",
	"q-chunk.ops":              "4 * Q * H * (T * S + T * (T + 1) / 2)",
	"dollar.even":              "price * C_h100 / C",
}

// What somebody derives on paper is taken as right, and a constant factor beside it as wrong.
func TestFormulasOfTheBook(t *testing.T) {
	asked := map[string]bool{}
	questions(t, func(s *sheet.Sheet, name string) {
		if s.Asks[0].Symbols == nil {
			return
		}
		key := s.ID + "." + name
		asked[key] = true
		for said, want := range map[string]string{onPaper[key]: "1", "3 * (" + onPaper[key] + ")": "3"} {
			v := widget.New(s)
			v.SetField(s.ID+"--"+name+"--guess", said)
			if g := v.TakeGuess(name); g.Score != want || !strings.Contains(g.Verdict, "So it is with all other") {
				t.Errorf("%s: %q: %+v", key, said, g)
			}
		}
	})
	for key := range onPaper {
		if !asked[key] {
			t.Errorf("the book doesn't ask for %s", key)
		}
	}
}

// The list at the end of a page shows questions without their problems: each is a whole sentence, never "How long?",
// "By which factor?" or "c: one over the other?".
func TestQuestionsAreWholeSentences(t *testing.T) {
	terms := regexp.MustCompile(`,? in terms of (these|this)\b`)
	afterColon := regexp.MustCompile(`: (how|which|what|by)\b`)
	questions(t, func(s *sheet.Sheet, name string) {
		q := s.Asks[0].Question
		if words := strings.Fields(terms.ReplaceAllString(q, "")); len(words) < 5 || afterColon.MatchString(q) {
			t.Errorf("%s.%s: %q", s.ID, name, q)
		}
	})
}

// questions are all that the sheets of the book ask, but for those that take long.
func questions(t *testing.T, each func(s *sheet.Sheet, name string)) {
	t.Helper()
	sheets(t, func(s *sheet.Sheet) {
		for ; len(s.Asks) > 0; s.Asks = s.Asks[1:] {
			each(s, s.Asks[0].Name)
		}
	})
}

// sheets are those of the book that its pages print, but for those that take long.
func sheets(t *testing.T, each func(*sheet.Sheet)) {
	t.Helper()
	files, err := filepath.Glob("../../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	env := widget.Env()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range Sheets(file, text) {
			if source.Mode != "sheet" {
				continue
			}
			s, errs := sheet.Compile(source.Text, env)
			if len(errs) > 0 {
				t.Fatal(source.ID, errs)
			}
			if s.ID = source.ID; !s.Long() {
				each(s)
			}
		}
	}
}

// A label such as "… then" goes on from the one above it. On the button of a symbol nothing stands above.
func TestSymbolsHaveWholeLabels(t *testing.T) {
	questions(t, func(s *sheet.Sheet, name string) {
		for _, symbol := range s.Asks[0].Symbols {
			if d := s.Row(symbol); strings.HasPrefix(d.Label, "…") {
				t.Errorf("%s.%s: the button %s says %q", s.ID, name, symbol, d.Label)
			}
		}
	})
}

// An input whose value is worked out from steps shows what they come to, beside the question that asks for it. (In
// split70 it is the time of a prompt, which a reader may have measured.)
func TestInputsRevealNoResult(t *testing.T) {
	questions(t, func(s *sheet.Sheet, _ string) {
		for _, in := range s.Inputs {
			for _, word := range in.Follows {
				if d := s.Row(word); d != nil && d.Kind == "step" && d.Type.Kind == value.Number && s.ID != "split70" {
					t.Errorf("%s: %s is worked out from %s", s.ID, in.Name, word)
				}
			}
		}
	})
}
