package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// String is p as people type it: what is 1 or usual is left out, except for DP.
func (p Plan) String() string {
	p = p.filled()
	text := "dp=" + strconv.Itoa(p.DP)
	for _, f := range p.fields() {
		if *f.to > f.usual && f.name != "dp" && f.name != "zero" {
			text += " " + f.name + "=" + strconv.Itoa(*f.to)
		}
	}
	text += " zero=" + strconv.Itoa(p.Zero)
	if p.Zero > 0 && p.Shard < p.DP*p.CP {
		text += " shard=" + strconv.Itoa(p.Shard)
	}
	if p.Context != RingContext {
		text += " context=" + p.Context.String()
	}
	if p.Schedule > Interleaved || p.Schedule == GPipe {
		text += " schedule=" + p.Schedule.String()
	}
	if p.Recompute != KeepAll {
		text += " recompute=" + p.Recompute.String()
	}
	return text
}

// endsText is the layers of the first and the last stage as people type them.
func (p *Plan) endsText() string {
	return "first=" + strconv.Itoa(p.First) + " last=" + strconv.Itoa(p.Last)
}

// planField is a number of a plan by its name.
type planField struct {
	name  string
	to    *int
	usual int // what it is if nothing says it
}

// fields are the numbers of p, the sharding's aside.
func (p *Plan) fields() []planField {
	return []planField{{"dp", &p.DP, 1}, {"tp", &p.TP, 1}, {"pp", &p.PP, 1}, {"cp", &p.CP, 1}, {"ep", &p.EP, 1},
		{"etp", &p.ETP, 1}, {"mbs", &p.Micro, 1}, {"vp", &p.Virtual, 1}, {"zero", &p.Zero, 0}, {"first", &p.First, 0},
		{"last", &p.Last, 0}}
}

// ParsePlan reads dp=64, tp=8: what is left out is 1, and DP what is left of the devices.
func ParsePlan(text string, devices int) (Plan, error) {
	p := Plan{Zero: 1}
	separator := func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }
	said := map[string]bool{}
	for _, field := range strings.FieldsFunc(text, separator) {
		if err := p.set(field); err != nil {
			return p, err
		}
		name, _, _ := strings.Cut(strings.ToLower(field), "=")
		if said[name] {
			return p, fault("training.plan-twice", "name", name)
		}
		said[name] = true
	}
	inner := 1
	for _, n := range []int{p.TP, p.PP, p.CP} {
		if inner *= max(1, n); inner > 1<<24 {
			return p, fault("training.plan-too-large", "tp", p.TP, "pp", p.PP, "cp", p.CP)
		}
	}
	if p.DP == 0 {
		p.DP = max(1, devices/inner)
	}
	return p, nil
}

// set sets one field: tp=8, schedule=zb-h1, recompute=some.
func (p *Plan) set(field string) error {
	name, value, _ := strings.Cut(strings.ToLower(field), "=")
	n, err := strconv.Atoi(value)
	if name == "shard" && err == nil && n >= 1 {
		p.Shard = n
		return nil
	}
	for _, f := range p.fields() {
		switch {
		case f.name != name:
		case err != nil || n > 1<<24 || n < 1 && (name != "zero" || n < 0) || name == "zero" && n > 3:
			return fault("training.plan-number", "name", name, "value", strconv.Quote(value))
		default:
			*f.to = n
			return nil
		}
	}
	var known bool
	switch name {
	case "schedule":
		if p.Schedule, known = ParseSchedule(value); !known {
			return fault("training.schedule-unknown", "name", strconv.Quote(value), "names",
				phrase.Commas(scheduleNames[:]))
		}
	case "context":
		if p.Context, known = ParseContext(value); !known {
			return fault("training.context-unknown", "name", strconv.Quote(value), "names", phrase.Commas(contextNames[:]))
		}
	case "recompute":
		if p.Recompute, known = ParseRecompute(value); !known {
			return fault("training.policy-unknown", "name", strconv.Quote(value))
		}
	default:
		return fault("training.plan-unread", "text", strconv.Quote(field))
	}
	return nil
}

// nameOf is the name of a kind of something, or "unknown" for none of them.
func nameOf[Kind ~uint8](names []string, kind Kind) string {
	if int(kind) < len(names) {
		return names[kind]
	}
	return "unknown"
}

// named finds a kind by its name.
func named[Kind ~uint8](names []string, name string) (kind Kind, known bool) {
	i := slices.Index(names, name)
	return Kind(max(i, 0)), i >= 0
}

// fault is what can't be, as a sentence with its gaps. Dozens ask for it: inlined, it would be a large part of them.
//
//go:noinline
func fault(key string, gaps ...any) error { return phrase.New(key, gaps...) }

// gigabytes is a number of bytes as sentences say it.
func gigabytes(bytes float64) string { return three(bytes/1e9) + " GB" }

// seconds is a time as sentences say it.
func seconds(s float64) string { return three(s) + " s" }

// three is a number with three digits, or all of those before the point.
func three(x float64) string {
	if x >= 1000 || x <= -1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
