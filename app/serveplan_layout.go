package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// layoutText is a layout as readLayout reads it and as plans are printed: "2x TP8", "1x TP4 to 2x TP8", "2x TP8, 12 GB
// on the host".
func layoutText(g serving.Given) string {
	text := timesPlan(g.Replicas, g.Layout)
	if g.Prompts != (serving.Plan{}) {
		text = timesPlan(g.Prefills, g.Prompts) + " to " + text
	}
	if g.Host > 0 {
		text += ", " + strconv.FormatFloat(g.Host, 'g', 3, 64) + onHost
	}
	return text
}

const onHost = " GB on the host"

// timesPlan is so many replicas of a plan.
func timesPlan(n float64, p serving.Plan) string {
	if n == 0 {
		return p.String()
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + "x " + p.String()
}

// mostReplicas is how many replicas somebody may write.
const mostReplicas = 1 << 16

// readLayout reads a layout as people write it, or as plans are printed: that of a replica ([serving.ReadPlan]), how
// many there are, those that prefill before "to", and what the host holds.
func readLayout(text string) (g serving.Given, err error) {
	text = strings.NewReplacer(" × ", "x ", "→", "to").Replace(text) // as tables have them
	if rest, is := strings.CutSuffix(strings.TrimSpace(text), onHost); is {
		comma := strings.LastIndexByte(rest, ',')
		g.Host, err = strconv.ParseFloat(strings.TrimSpace(rest[comma+1:]), 64)
		if err != nil || comma < 0 || !(g.Host > 0 && g.Host < 1e6) {
			return g, fmt.Errorf("write what the host holds such as: 2x TP8, 12%s", onHost)
		}
		text = rest[:comma]
	}
	prompts, decodes, apart := strings.Cut(text, " to ")
	if !apart {
		prompts, decodes = "", text
	}
	if g.Replicas, g.Layout, err = readTimesPlan(decodes); err != nil || !apart {
		return g, err
	}
	g.Prefills, g.Prompts, err = readTimesPlan(prompts)
	if empty := (serving.Plan{}); err == nil && (g.Prompts == empty || g.Layout == empty) {
		err = fmt.Errorf("write what prefills and what decodes, such as: 1x TP4 to 2x TP8")
	}
	return g, err
}

// readTimesPlan reads a plan, before which there may stand how often it is there: 2x TP8.
func readTimesPlan(text string) (n float64, p serving.Plan, err error) {
	text = strings.TrimSpace(text)
	if count, rest, _ := strings.Cut(text, " "); strings.HasSuffix(count, "x") {
		whole, wrong := strconv.Atoi(strings.TrimSuffix(count, "x"))
		if wrong == nil {
			if whole < 1 || whole > mostReplicas || strings.TrimSpace(rest) == "" {
				return 0, p, fmt.Errorf("%q: write how many replicas such as: 2x TP8", text)
			}
			n, text = float64(whole), rest
		}
	}
	p, err = serving.ReadPlan(text)
	return n, p, err
}
