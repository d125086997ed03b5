package serving

import (
	"errors"
	"strconv"
	"strings"
)

// Given is a layout of all chips that somebody has chosen.
type Given struct {
	Layout   Plan    // of a replica; of those that decode, if Prompts is given
	Prompts  Plan    // of replicas that only prefill; the zero value is none
	Replicas float64 // of Layout; 0 is what the chips allow
	Prefills float64 // of Prompts; 0 is what keeps the others busy
	Host     float64 // GB of a chip's weights on its host; 0 if nothing is said
}

// Least is the fewest chips that the layout takes.
func (g Given) Least() float64 {
	n := max(g.Replicas, 1) * float64(g.Layout.Chips())
	if g.Prompts != (Plan{}) {
		n += max(g.Prefills, 1) * float64(g.Prompts.Chips())
	}
	return n
}

// Choose makes g the only layout that is priced.
func (w *Spec) Choose(g Given) {
	w.Layout, w.Prompts, w.Replicas, w.Prefills = g.Layout, g.Prompts, g.Replicas, g.Prefills
}

// takes is the chips that a replica takes with all that is given beside it.
func (w *Spec) takes(r *Replica) float64 {
	return Given{Layout: r.Plan, Prompts: w.Prompts, Replicas: w.Replicas, Prefills: w.Prefills}.Least()
}

// String is the layout as ReadGiven reads it and as plans are printed: "2x TP8", "1x TP4 to 2x TP8", "2x TP8, 12 GB on
// the host".
func (g Given) String() string {
	text := counted(g.Replicas, g.Layout)
	if g.Prompts != (Plan{}) {
		text = counted(g.Prefills, g.Prompts) + " to " + text
	}
	if g.Host > 0 {
		text += ", " + strconv.FormatFloat(g.Host, 'g', 3, 64) + onHost
	}
	return text
}

const onHost = " GB on the host"

// counted is so many replicas of a plan.
func counted(n float64, p Plan) string {
	if n == 0 {
		return p.String()
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + "x " + p.String()
}

// Given is the layout of an option.
func (o *Option) Given() Given {
	g := Given{Layout: o.Plan, Replicas: o.Replicas, Host: o.Offload / 1e9}
	if o.Apart {
		g.Prompts, g.Prefills = o.Prompts, o.Prefills
	}
	return g
}

// ReadGiven reads a layout as people write it, or as plans are printed: that of a replica ([ReadPlan]), how many there
// are, those that prefill before "to", and what the host holds.
func ReadGiven(text string) (g Given, err error) {
	text = strings.NewReplacer(" × ", "x ", "→", "to").Replace(text) // as tables have them
	if rest, is := strings.CutSuffix(strings.TrimSpace(text), onHost); is {
		comma := strings.LastIndexByte(rest, ',')
		g.Host, err = strconv.ParseFloat(strings.TrimSpace(rest[comma+1:]), 64)
		if err != nil || comma < 0 || !(g.Host > 0 && g.Host < 1e6) {
			return g, errors.New("write what the host holds such as: 2x TP8, 12" + onHost)
		}
		text = rest[:comma]
	}
	prompts, decodes, apart := strings.Cut(text, " to ")
	if !apart {
		prompts, decodes = "", text
	}
	if g.Replicas, g.Layout, err = readCounted(decodes); err != nil || !apart {
		return g, err
	}
	g.Prefills, g.Prompts, err = readCounted(prompts)
	if empty := (Plan{}); err == nil && (g.Prompts == empty || g.Layout == empty) {
		err = errors.New("write what prefills and what decodes, such as: 1x TP4 to 2x TP8")
	}
	return g, err
}

// readCounted reads a plan, before which there may stand how often it is there: 2x TP8.
func readCounted(text string) (n float64, p Plan, err error) {
	text = strings.TrimSpace(text)
	if count, rest, _ := strings.Cut(text, " "); strings.HasSuffix(count, "x") {
		whole, wrong := strconv.Atoi(strings.TrimSuffix(count, "x"))
		if wrong == nil {
			if whole < 1 || whole > maxDegree || strings.TrimSpace(rest) == "" {
				return 0, p, errors.New(strconv.Quote(text) + ": write how many replicas such as: 2x TP8")
			}
			n, text = float64(whole), rest
		}
	}
	p, err = ReadPlan(text)
	return n, p, err
}
