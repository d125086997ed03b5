package library

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addLaws offers laws as functions, and those of an entry of a catalog also as its methods.
func addLaws(env *value.Env, laws []law.Law) {
	for i := range laws {
		if env.Funcs[laws[i].Name] == nil { // else it was added alone
			newLaw(env, &laws[i]).add(env)
		}
	}
}

// addLaw adds the law of that name alone, if there is one that takes no record of a type that env still lacks.
func addLaw(env *value.Env, laws []law.Law, name string) bool {
	i := slices.IndexFunc(laws, func(l law.Law) bool { return l.Name == name })
	if i < 0 {
		return false
	}
	l := newLaw(env, &laws[i])
	for _, p := range l.params {
		if p.Type.Kind == value.Rec && p.Type.Record == nil {
			return false
		}
	}
	l.add(env)
	return true
}

func (l *boundLaw) add(env *value.Env) {
	f := &value.Func{
		Name: l.Name, Params: l.params, Doc: l.Doc, Formula: l.Formula, Source: l.Source,
		Result: value.Type{Kind: value.Number, Dim: l.result.Dim}, Call: l.call,
	}
	env.Funcs[l.Name] = f
	if rt := l.params[0].Type.Record; rt != nil {
		rt.Methods[l.Name] = f
	}
}

// boundLaw is a law in an environment.
type boundLaw struct {
	*law.Law
	takes   []law.Param
	params  []value.Param
	result  quantity.Quantity // of value 0
	formula *expr.Formula
	where   *expr.Formula // nil if the law has no condition
}

func newLaw(env *value.Env, l *law.Law) *boundLaw {
	b := &boundLaw{Law: l, takes: l.Params(), params: Params(env, l.Takes)}
	b.result.Dim, b.result.Label = law.Unit(l.Gives)
	b.formula = expr.NewFormula(l.Formula, b.params, env)
	if l.Where != "" {
		b.where = expr.NewFormula(l.Where, b.params, env)
	}
	return b
}

// lawParam is a parameter of a law or a function as sheets declare it.
func lawParam(env *value.Env, p *law.Param) value.Param {
	out := value.Param{Name: p.Name, Optional: p.Default != ""}
	switch p.Kind {
	case law.Number:
		out.Type = value.Type{Kind: value.Number, Dim: p.Dim}
	case law.DType:
		out.Type, out.Default = dtype, env.Values[p.Default]
	case law.Text:
		out.Type, out.Default = text, value.Value{Kind: value.Text, Text: p.Default}
	case law.Switch:
		out.Type, out.Default = flag, value.Value{Kind: value.Bool, Bool: p.Default == "on"}
	case law.Record:
		out.Type = recordParam(env, p.RecordType)
	}
	return out
}

// call computes the law: by its Go function if it has one, by its formula if not.
func (b *boundLaw) call(a []value.Value) (value.Value, error) {
	if err := b.refuse(a); err != nil {
		return value.Value{}, err
	}
	q, err := b.result, error(nil)
	if b.Go != nil {
		q.Value, err = b.byGo(a)
	} else {
		q.Value, err = b.byFormula(a)
	}
	if err == nil && !q.IsFinite() {
		err = b.notFinite()
	}
	return value.Value{Kind: value.Number, Num: q}, err
}

func (b *boundLaw) notFinite() error {
	return phrase.Fault{What: phrase.New("library.not-finite", "law", b.Name),
		Remedy: phrase.New("library.give-finite")}
}

func (b *boundLaw) byGo(a []value.Value) (float64, error) {
	args := make(law.Args, len(a))
	for i := range a {
		args[i] = argument(a[i])
	}
	return b.Go(args)
}

// argument is a value as laws take it.
func argument(v value.Value) law.Arg {
	arg := law.Arg{Num: v.Num.Value, Text: v.Text, On: v.Bool}
	switch v.Kind {
	case value.DType:
		arg.Num = v.Bits / 8
	case value.Rec:
		arg.Of = v.Record.Of
	}
	return arg
}

func (b *boundLaw) byFormula(a []value.Value) (float64, error) {
	v, err := b.formula.Value(a)
	if err != nil {
		err = b.notFinite()
	}
	return v.Num.Value, err
}

// refuse is the fault of arguments out of their ranges, or of a condition that fails.
func (b *boundLaw) refuse(a []value.Value) error {
	for i := range b.takes {
		switch p := &b.takes[i]; {
		case p.Kind == law.Number && !within(p, a[i].Num.Value):
			return phrase.Fault{What: phrase.New("library.argument-is", "name", p.Name, "value", a[i].Num),
				Remedy: remedy(p)}
		case p.Kind == law.Record && a[i].Record.Of == nil:
			return phrase.Fault{What: phrase.New("library.nothing-to-count", "record", a[i]),
				Remedy: phrase.New("library.choose-another", "name", p.Name)}
		}
	}
	if b.where != nil {
		if v, err := b.where.Value(a); err == nil && !v.Bool {
			return phrase.Fault{What: phrase.New("library.no-value-here", "law", b.Name), Remedy: b.Else}
		}
	}
	return nil
}

func within(p *law.Param, x float64) bool { return x > p.Least || x == p.Least && !p.Above }

// remedy says what a parameter may be.
func remedy(p *law.Param) *phrase.Phrase {
	least := strconv.FormatFloat(p.Least, 'g', -1, 64)
	switch {
	case !p.Above:
		return phrase.New("library.give-or-more", "least", least)
	case p.Dim.IsZero():
		return phrase.New("library.give-more", "least", least)
	}
	return phrase.New("library.give-more-unit", "least", least, "unit", p.Dim)
}

// constantsOf are the constants of a chip as its reader meets them: each with its source, and with what others say.
func constantsOf(r *value.Record) []value.Constant {
	var all []value.Constant
	for _, f := range chipOf(r).Facts() {
		c := value.Constant{Name: f.Field, Label: f.Field, Reading: reading(f.Constant)}
		if about, ok := hardware.FieldNamed(f.Field); ok {
			c.Label = about.Label
		}
		for _, o := range f.Others {
			if o.Value.Value != f.Value.Value {
				c.Others = append(c.Others, reading(o))
			}
		}
		all = append(all, c)
	}
	return all
}

// reading is what one source says.
func reading(c hardware.Constant) value.Reading {
	return value.Reading{Text: c.Text, Value: c.Value, Source: cite(c), Note: c.Note, Doubt: c.Doubt}
}

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
		{Name: "original_problems",
			Doc: "The numbered problems that a part of the original asks, or those from one on.",
			Call: func(a []value.Value) (value.Value, error) {
				return problemList(problems, all, a, func(*originalPart, string) bool { return true }), nil
			}},
		{Name: "original_answers", Doc: "Those of original_problems that the original answers.",
			Call: func(a []value.Value) (value.Value, error) {
				return problemList(problems, all, a, (*originalPart).answers), nil
			}},
	} {
		f.Params, f.Result = []value.Param{count("part"), first}, listType(problems)
		f.Source, f.Work = law.AustinBook, 200
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
func partList(rt *value.RecordType, all []originalPart) value.Value {
	list := make([]*value.Record, len(all))
	for i, p := range all {
		r := newRecord(rt, p.name)
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
func problemList(rt *value.RecordType, all []originalPart, a []value.Value,
	wanted func(*originalPart, string) bool) value.Value {
	var list []*value.Record
	for i := range all {
		p := &all[i]
		for n, name := range p.problems {
			if float64(p.number) == a[0].Num.Value && float64(n+1) >= a[1].Num.Value && wanted(p, name) {
				r := newRecord(rt, name)
				r.say("name", name)
				list = append(list, r.Record)
			}
		}
	}
	return recordList(list)
}
