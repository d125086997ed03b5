package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

// PlanFlags shows a plan as a tool takes it, to be copied.
func PlanFlags(l phrase.Phrases, p *training.Planned, tool string) (*Drawing, error) {
	flags, err := p.Pricer.Flags(p.Price.Plan, tool)
	if err != nil {
		return nil, err
	}
	title := l.Say("figure.flags", "plan", p.Price.Plan.String())
	d := &Drawing{Root: markup.El("pre", markup.Class("flags"), markup.Attr("tabindex", "0"), flags), Title: title,
		About: title, Note: l.Say("figure.flags-note")}
	t := Table{Caption: title, Heads: cells(l, "figure.flags-heads")}
	for i, line := range strings.Split(strings.TrimSpace(flags), "\n") {
		t.add(strconv.Itoa(i+1), line)
	}
	d.Twin = []Table{t}
	return d, nil
}
