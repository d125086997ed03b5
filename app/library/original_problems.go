package library

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// originalProblems is the numbered problems that the original asks, in its edition of December 2025: number and name of
// a part, what facts about them are called, the problems, and those that it leaves without an answer.
//
//go:embed original_problems.tsv
var originalProblems string

// addOriginalProblems offers what the original asks, and what of that it answers.
func addOriginalProblems(env *value.Env) {
	parts := withFields(value.RecordType{Name: "part of the original"}, nil)
	problems := withFields(value.RecordType{Name: "problem of the original"}, nil)
	all := originalParts()
	env.Values["original_parts"] = partList(parts, all)
	first := value.Param{Name: "first", Type: plain, Optional: true, Default: counted(1, "")}
	for _, f := range []*value.Func{
		{Name: "original_problems", Doc: "The numbered problems that a part of the original asks, or those from one on.",
			Call: func(a []value.Value) (value.Value, error) {
				return problemList(problems, all, a, func(*originalPart, string) bool { return true }), nil
			}},
		{Name: "original_answers", Doc: "Those of original_problems that the original answers.",
			Call: func(a []value.Value) (value.Value, error) {
				return problemList(problems, all, a, (*originalPart).answers), nil
			}},
	} {
		f.Params, f.Result, f.Source, f.Work = []value.Param{count("part"), first}, listType(problems), law.AustinBook, 200
		env.Funcs[f.Name] = f
	}
}

// originalPart is a part of the original with its problems.
type originalPart struct {
	number         int
	name, facts    string
	problems, open []string
}

// originalParts are the parts as the table has them.
func originalParts() []originalPart {
	var all []originalPart
	for line := range strings.Lines(originalProblems) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		number, _ := strconv.Atoi(c[0]) // a test reads them
		all = append(all, originalPart{number, c[1], c[2], strings.Fields(c[3]), strings.Fields(c[4])})
	}
	return all
}

// partList is the parts as sheets see them.
func partList(kin *value.RecordType, all []originalPart) value.Value {
	list := make([]*value.Record, len(all))
	for i, p := range all {
		r := newRecord(kin, p.name)
		r.num("number", float64(p.number))
		r.say("name", p.name)
		r.num("problems", float64(len(p.problems)))
		r.num("answered", float64(len(p.problems)-len(p.open)))
		list[i] = r.Record
	}
	return recordList(list)
}

// answers tells whether the original answers a problem.
func (p *originalPart) answers(problem string) bool { return !slices.Contains(p.open, problem) }

// problemList is the problems of a part from one on, counted from 1, that are wanted.
func problemList(kin *value.RecordType, all []originalPart, a []value.Value,
	wanted func(*originalPart, string) bool) value.Value {
	var list []*value.Record
	for i := range all {
		p := &all[i]
		for n, name := range p.problems {
			if float64(p.number) == a[0].Num.Value && float64(n+1) >= a[1].Num.Value && wanted(p, name) {
				r := newRecord(kin, name)
				r.say("name", name)
				list = append(list, r.Record)
			}
		}
	}
	return recordList(list)
}
