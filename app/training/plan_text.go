package training

import (
	"strconv"
	"strings"
)

// String is p as people type it: what is 1 or usual is left out, except for DP.
func (p Plan) String() string {
	p = p.filled()
	text := "dp=" + strconv.Itoa(p.DP)
	for _, f := range p.fields() {
		if *f.to > 1 && f.name != "dp" && f.name != "zero" {
			text += " " + f.name + "=" + strconv.Itoa(*f.to)
		}
	}
	text += " zero=" + strconv.Itoa(p.Zero)
	if p.Zero > 0 && p.Shard < p.DP*p.CP {
		text += " shard=" + strconv.Itoa(p.Shard)
	}
	if p.Schedule > Interleaved || p.Schedule == GPipe {
		text += " schedule=" + p.Schedule.String()
	}
	if p.Recompute != KeepAll {
		text += " recompute=" + p.Recompute.String()
	}
	return text
}

// planField is a number of a plan by its name.
type planField struct {
	name string
	to   *int
}

// fields are the numbers of p, the sharding's aside.
func (p *Plan) fields() []planField {
	return []planField{{"dp", &p.DP}, {"tp", &p.TP}, {"pp", &p.PP}, {"cp", &p.CP}, {"ep", &p.EP}, {"etp", &p.ETP},
		{"mbs", &p.Micro}, {"vp", &p.Virtual}, {"zero", &p.Zero}}
}

// ParsePlan reads dp=64, tp=8: what is left out is 1, and DP what is left of the devices.
func ParsePlan(text string, devices int) (Plan, error) {
	p := Plan{Zero: 1}
	separator := func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }
	for _, field := range strings.FieldsFunc(text, separator) {
		if err := p.set(field); err != nil {
			return p, err
		}
	}
	inner := 1
	for _, n := range []int{p.TP, p.PP, p.CP} {
		if inner *= max(1, n); inner > 1<<24 {
			return p, fault("TP ", p.TP, " x PP ", p.PP, " x CP ", p.CP,
				" are more devices than there are; write smaller numbers")
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
			return fault(name, " is ", strconv.Quote(value), "; write a whole number, at least 1, and zero from 0 to 3")
		default:
			*f.to = n
			return nil
		}
	}
	var known bool
	switch name {
	case "schedule":
		if p.Schedule, known = ParseSchedule(value); !known {
			return fault("unknown schedule ", strconv.Quote(value), "; write one of ", strings.Join(scheduleNames[:], ", "))
		}
	case "recompute":
		if p.Recompute, known = ParseRecompute(value); !known {
			return fault("unknown policy ", strconv.Quote(value), "; write none, some, block or offload")
		}
	default:
		return fault("can't read ", strconv.Quote(field),
			"; write dp=64,tp=8,pp=4,cp=1,ep=1,mbs=1,vp=1,zero=1,schedule=1f1b,recompute=none")
	}
	return nil
}
