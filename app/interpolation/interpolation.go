// Package interpolation puts in what values of YAML name, as OmegaConf and Hydra write it: ${model.width}, ${.width},
// ${oc.env:TP,4}, ${multiply:4,${.width}}, and variables as others do: ${TP:4}.
package interpolation

import (
	"math"
	"strconv"
	"strings"
)

// Text is where references lead: values by their paths with dots between, and variables of the environment.
type Text struct {
	Value func(path string) (value string, known bool)
	Env   func(name string) (value string, known bool)
}

// How deep references may lead, how many there may be, and how long a value may be: each may name the one before it
// twice.
const (
	mostDepth = 16
	mostSteps = 400
	longest   = 500
)

// Resolve is a value at a path with what it names in place, and whether all of that is known. What isn't stays.
func (t Text) Resolve(value, path string) (resolved string, whole bool) {
	r := resolver{Text: t, steps: mostSteps}
	return r.resolve(value, path, 0)
}

type resolver struct {
	Text
	steps int
}

// resolve puts in what stands between ${ and }.
func (r *resolver) resolve(value, path string, depth int) (resolved string, whole bool) {
	var b strings.Builder
	whole = true
	for {
		before, rest, more := strings.Cut(value, "${")
		b.WriteString(before)
		if !more {
			return b.String(), whole
		}
		end := closing(rest)
		if r.steps--; end < 0 || r.steps < 0 || depth > mostDepth {
			b.WriteString("${" + rest)
			return b.String(), false
		}
		inner, found := r.reference(rest[:end], path, depth+1)
		if !found || b.Len()+len(inner) > longest {
			inner, whole = "${"+rest[:end]+"}", false
		}
		b.WriteString(inner)
		value = rest[end+1:]
	}
}

// closing is where the bracket that is open closes; below 0 if it doesn't.
func closing(text string) int {
	deep := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			deep++
		case '}':
			if deep--; deep == 0 {
				return i
			}
		}
	}
	return -1
}

// reference is what one stands for.
func (r *resolver) reference(inner, path string, depth int) (value string, found bool) {
	name, arguments, calls := strings.Cut(inner, ":")
	if name = strings.TrimSpace(name); calls && !strings.ContainsAny(name, "${ ") {
		// A variable, and what it is otherwise: ${TP:1}, ${TP:-1}.
		if name == strings.ToUpper(name) && name != strings.ToLower(name) {
			if value, found = r.Env(name); found {
				return value, true
			}
			if strings.HasPrefix(arguments, "?") { // it must be set
				return "", false
			}
			return r.resolve(strings.TrimPrefix(arguments, "-"), path, depth)
		}
		return r.call(name, split(arguments), path, depth)
	}
	name, whole := r.resolve(inner, path, depth)
	if !whole {
		return "", false
	}
	return r.node(strings.TrimSpace(name), path, depth)
}

// node is the value of a path; one that begins with dots is counted from the section that the value stands in, which
// the first of them is.
func (r *resolver) node(name, path string, depth int) (value string, found bool) {
	if strings.HasPrefix(name, ".") {
		for strings.HasPrefix(name, ".") {
			name = name[1:]
			path = path[:max(0, strings.LastIndexByte(path, '.'))]
		}
		if path != "" {
			name = path + "." + name
		}
	}
	if value, found = r.Value(name); !found || name == "" {
		return "", false
	}
	return r.resolve(value, name, depth)
}

// split is the arguments between commas that stand in no brackets or quotes.
func split(text string) []string {
	var all []string
	deep, from, quote := 0, 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '{' || c == '[':
			deep++
		case c == '}' || c == ']':
			deep--
		case c == ',' && deep == 0:
			all, from = append(all, text[from:i]), i+1
		}
	}
	return append(all, text[from:])
}

// call is what a resolver gives: those that OmegaConf has, and sums, products and comparisons as NeMo and most others
// register them.
func (r *resolver) call(name string, arguments []string, path string, depth int) (value string, found bool) {
	argument := func(i int) (string, bool) {
		if i >= len(arguments) {
			return "", false
		}
		text, whole := r.resolve(arguments[i], path, depth)
		return strings.Trim(strings.TrimSpace(text), `"'`), whole
	}
	first, whole := argument(0)
	if !whole {
		return "", false
	}
	switch name {
	case "oc.env":
		if value, found = r.Env(first); found {
			return value, true
		}
		return argument(1)
	case "oc.select":
		if value, found = r.node(first, path, depth); found {
			return value, true
		}
		return argument(1)
	case "oc.decode", "int":
		return first, true
	case "if":
		if on(first) {
			return argument(1)
		}
		return argument(2)
	case "not":
		return truth(!on(first)), true
	}
	second, two := argument(1)
	switch {
	case (name == "eq" || name == "neq" || name == "ne") && two:
		return truth((first == second) == (name == "eq")), true
	case (name == "and" || name == "or") && two:
		return truth(on(first) && on(second) || name == "or" && (on(first) || on(second))), true
	}
	numbers := make([]float64, len(arguments))
	for i := range arguments {
		text, whole := argument(i)
		x, err := strconv.ParseFloat(text, 64)
		if !whole || err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return "", false
		}
		numbers[i] = x
	}
	return calculated(name, numbers)
}

func on(word string) bool {
	switch strings.ToLower(word) {
	case "", "0", "false", "no", "off", "null", "none":
		return false
	}
	return true
}

func truth(is bool) string {
	if is {
		return "true"
	}
	return "false"
}

// calculated is a sum, a product and the like of numbers.
func calculated(name string, x []float64) (value string, known bool) {
	result := x[0]
	switch name {
	case "floor":
		result = math.Floor(result)
	case "ceil":
		result = math.Ceil(result)
	default:
		if len(x) < 2 {
			return "", false
		}
		for _, next := range x[1:] {
			switch name {
			case "add", "sum", "plus":
				result += next
			case "sub", "subtract", "minus":
				result -= next
			case "multiply", "mul", "mult", "times":
				result *= next
			case "div", "divide":
				result /= next
			case "floor_div", "floordiv", "int_div":
				result = math.Floor(result / next)
			case "ceil_div", "ceildiv":
				result = math.Ceil(result / next)
			case "max":
				result = max(result, next)
			case "min":
				result = min(result, next)
			case "gt", "lt", "ge", "le":
				is := map[string]bool{"gt": result > next, "lt": result < next, "ge": result >= next,
					"le": result <= next}[name]
				return truth(is), true
			default:
				return "", false
			}
		}
	}
	if math.IsInf(result, 0) || math.IsNaN(result) {
		return "", false
	}
	return strconv.FormatFloat(result, 'f', -1, 64), true
}
