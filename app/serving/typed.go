package serving

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// mostWays is the most ways of any parallelism that somebody may write.
const mostWays = 1 << 16

// ReadPlan reads a plan as people write it: "tp=8 pp=2", "tp=4,dp=2,ep=8". "ep" alone spreads experts over all chips
// that attention runs on, as vLLM's --enable-expert-parallel does.
func ReadPlan(text string) (Plan, error) {
	var p Plan
	spread := false
	apart := func(c rune) bool { return strings.ContainsRune(" ,;\t\n\"'", c) }
	all := strings.FieldsFunc(strings.ToLower(text), apart)
	for i := 0; i < len(all); i++ {
		word := all[i]
		name, value, given := strings.Cut(word, "=")
		if bare := strings.TrimRight(name, "0123456789"); !given && bare != name { // tp8
			name, value, given = bare, name[len(bare):], true
		}
		name = wayOf(name)
		if next := i + 1; !given && next < len(all) && all[next][0] >= '0' && all[next][0] <= '9' { // -tp 8
			value, given, i = all[next], true, next
		}
		to := p.ways(name)
		switch {
		case to == nil:
			return p, fault(phrase.New("serving.no-way", "word", strconv.Quote(word)), "serving.write-ways")
		case !given && name == "ep":
			spread = true
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > mostWays {
			return p, fault(phrase.New("serving.no-ways", "word", strconv.Quote(word)), "serving.write-ways")
		}
		*to = n
	}
	if spread {
		p.EP = max(p.TP, 1) * max(p.DP, 1)
	}
	return p, nil
}

// wayOf is the short name of what engines' flags call --tensor-parallel-size, -tp or --tp-size.
func wayOf(name string) string {
	name = strings.ReplaceAll(strings.TrimLeft(name, "-"), "_", "-")
	for _, end := range []string{"-size", "-parallel"} {
		name = strings.TrimSuffix(name, end)
	}
	switch name {
	case "tensor", "data", "pipeline", "expert":
		return name[:1] + "p"
	case "decode-context":
		return "dcp"
	case "enable-expert", "enable-ep":
		return "ep"
	}
	return name
}

// ways is the field of a plan by the name that people write; nil of none.
func (p *Plan) ways(name string) *int {
	switch name {
	case "tp":
		return &p.TP
	case "pp":
		return &p.PP
	case "dp":
		return &p.DP
	case "ep":
		return &p.EP
	case "etp":
		return &p.ETP
	case "cp", "dcp":
		return &p.CP
	}
	return nil
}

// Typed is p as ReadPlan reads it.
func (p Plan) Typed() string {
	p = p.full()
	text := "tp=" + strconv.Itoa(p.TP)
	for _, d := range []struct {
		name string
		n    int
	}{{" pp=", p.PP}, {" dp=", p.DP}, {" ep=", p.EP}, {" dcp=", p.CP}} {
		if d.n > 1 {
			text += d.name + strconv.Itoa(d.n)
		}
	}
	return text
}

// TooLong says that a load's sequences are longer than the model is published for, where that is known: engines refuse
// them. Their price is right all the same if the positions are stretched. It is nil where nothing is to be said.
func (s *Shape) TooLong(l Load) *Error {
	most := float64(s.Model.Context)
	if most == 0 || l.In+l.Out <= most {
		return nil
	}
	return fault(phrase.New("serving.too-long", "tokens", int(l.In+l.Out), "model", s.Model.Name, "context",
		s.Model.Context), "serving.shorten")
}
