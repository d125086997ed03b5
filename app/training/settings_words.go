package training

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// flags reads words of a command: --name value, --name=value, name=value. What stands before the first is left out.
func (r *settingReader) flags(text string) {
	if r.deep++; r.deep > mostDepth { // variables that hold themselves
		r.deep--
		return
	}
	defer func() { r.deep-- }()
	const visible = "CUDA_VISIBLE_DEVICES=" // its commas part no words
	if before, rest, is := strings.Cut(text, visible); is {
		value, more, _ := strings.Cut(rest, " ")
		r.add(visible[:len(visible)-1], unquoted(value))
		text = before + more
	}
	if strings.Contains(text, "(") { // arguments of Python, on one line
		text = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, ": int = ", "="), " = ", "="), " * ", "*")
	}
	c := command{settingReader: r, launches: starts(text)}
	for _, word := range words(text) {
		if !c.nested(word) {
			c.take(word)
		}
	}
	c.end()
}

// command is a command whose words are read.
type command struct {
	*settingReader
	name     string   // of the flag that was read last
	values   []string // and its values; nil if there are none yet
	own      bool     // whether what follows belongs to a program that trains
	launches bool     // whether its -n is how many devices there are
}

// end sets a flag to the values that followed it.
func (c *command) end() {
	value := pick(c.values == nil, "true", strings.Join(c.values, " "))
	switch {
	case c.name == "":
	case strings.HasPrefix(value, "{") && unnamed(c.name): // its fields may be known
		c.addValue(strings.TrimLeft(c.name, "-"), value)
	default:
		c.add(c.name, value)
	}
	c.name, c.values = "", nil
}

// nested reads a word that is a command of its own, in quotes or as a list, and tells whether it is one.
func (c *command) nested(word string) bool {
	quoted := strings.HasPrefix(word, "--") && !strings.Contains(word, "=")
	program := !strings.HasPrefix(word, "-") && (c.name == "" && strings.Contains(word, " --") || // of bash -c '...'
		strings.Contains(word, "python") && strings.Contains(word, "="))
	switch {
	case (quoted || program) && len(words(word)) > 1:
		if program {
			c.name = ""
		}
		c.end()
		c.flags(word)
	case c.name == "" && strings.HasPrefix(word, "[") && strings.Contains(word, "--"): // as Python starts a program
		c.flags(strings.Trim(word, "[]"))
	default:
		return false
	}
	return true
}

// take takes a word: a flag, one with its value, or a value of the flag before it.
func (c *command) take(word string) {
	left, right, pair := strings.Cut(word, "=")
	number := len(word) > 1 && word[0] == '-' && word[1] >= '0' && word[1] <= '9'
	program := strings.HasSuffix(word, ".py")
	c.own = c.own || program
	if program && len(c.values) > 0 { // what stands before it is the launcher's
		c.end()
	}
	listed := c.name != "" && c.values == nil && strings.HasPrefix(c.name, "--") && pair &&
		strings.Contains(right, ",") && strings.Contains(right, "=") // in quotes: it is one value
	switch {
	case listed:
		c.values = append(c.values, word)
	case strings.HasPrefix(word, "-") && !number, pair && plainName(left):
		c.end()
		if c.name = strings.TrimSuffix(left, ":"); c.name == "-n" && !c.own && c.launches {
			c.name = "np"
		} else if len(strings.TrimLeft(c.name, "-")) < 2 && !pair && !c.own {
			c.name = "" // a shell's own: mkdir -p, set -x
		} else if pair {
			c.addValue(c.section+strings.TrimLeft(left, "+"), unquoted(right))
			c.name = ""
		}
	case (c.name == "" || len(c.values) > 0) && c.assignments(word) != "":
		c.end()
		c.flags(c.assignments(word))
	case c.name != "" && c.expand(word) == "--": // flags that were read where they were set
	case strings.HasPrefix(word, "$") && c.blank(word):
	case strings.HasPrefix(word, "$") && len(c.values) > 0 && c.expand(word) == word && c.name[0] == '-':
		c.end()
		c.put(word, word) // more flags, which nothing sets
	case c.name != "":
		c.values = append(c.values, unquoted(word))
	}
}

// starts tells whether a line has a launcher whose -n is how many devices there are.
func starts(line string) bool {
	return strings.Contains(line, "mpirun ") || strings.Contains(line, "mpiexec ") ||
		strings.Contains(line, "composer ")
}

// assignments are those that a variable holds, "engine.tp=2 optim.lr=1", which a command names; "" if it holds others.
func (r *settingReader) assignments(word string) string {
	for range 3 { // variables that hold variables
		name := strings.Trim(word, `"${}`)
		value := r.known[name]
		if !strings.HasPrefix(strings.Trim(word, `"`), "$") || value == "" {
			return ""
		}
		if strings.Contains(value, " ") && strings.Contains(value, "=") && !strings.Contains(value, "--") {
			return value
		}
		word = value
	}
	return ""
}

// unnamed tells whether settings have a value of that name only in a file that it names.
func unnamed(name string) bool {
	found, _ := candidates(name)
	return len(found) == 0 || found[0].part == "file" || found[0].part == "dsfile"
}

// plainName tells whether a word may be the name of a setting.
func plainName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z' || s[i] >= '0' && s[i] <= '9' || strings.IndexByte("_.-+", s[i]) >= 0) {
			return false
		}
	}
	return s != ""
}

// words are those of a command; one in quotes is whole.
func words(text string) (all []string) {
	var word []byte
	quote, deep, prints, in := byte(0), 0, 0, false // prints: how deep in what commands print, $(...)
	for i := range len(text) {
		switch c := text[i]; {
		case quote == 0 && (c == '(' && i > 0 && text[i-1] == '$' || prints > 0 && (c == '(' || c == ')')):
			prints += pick(c == '(', 1, -1)
			word, in = append(word, c), true
		case prints > 0:
			word = append(word, c)
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word = append(word, c)
		case (c == '"' || c == '\'') && deep == 0:
			quote, in = c, true
		case (c == ' ' || c == '\t' || c == ',' || c == '\\' || c == '(' || c == ')' || c == ';') && deep == 0:
			if in {
				all, word, in = append(all, string(word)), word[:0], false
			}
		default:
			switch c {
			case '[', '{':
				deep++
			case ']', '}':
				deep = max(0, deep-1)
			}
			word, in = append(word, c), true
		}
	}
	if in {
		all = append(all, string(word))
	}
	return all
}

// alignments are ways of training that have more passes and models than one on text alone.
const alignments = "dpo|kto|orpo|cpo|grpo|ppo|rloo|gkd|xpo|online_dpo|onlinedpo|nash_md|nashmd|reward|rm|prm|simpo"

// aligns is the way of training that the name of a program says: scripts/dpo.py, dpo_tune.py; "" of others.
func aligns(program string) string {
	name := strings.ToLower(strings.TrimSuffix(program, ".py"))
	name = name[strings.LastIndexAny(name, "/.")+1:]
	if listed(alignments, name) {
		return name
	}
	for _, part := range parts(name) {
		if listed(alignments, part) && part != "reward" {
			return part
		}
	}
	return ""
}

// parts are those of a program's name.
//
//go:noinline
func parts(name string) []string {
	return strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' })
}

// prefers notes a way of training that has more passes and models than one on text alone: by the programs, commands
// and classes of TRL.
func (r *settingReader) prefers(bare string) {
	for _, word := range words(bare) {
		name := strings.ToLower(word[strings.LastIndexAny(word, "/.= ")+1:])
		switch kind := strings.TrimSuffix(strings.TrimSuffix(name, "config"), "trainer"); {
		case strings.HasSuffix(word, ".py"), strings.Contains(word, ".cli."):
			name = aligns(word)
		case kind != name:
			name = kind
		case !strings.HasPrefix(bare, "trl "):
			continue
		}
		if listed(alignments, name) && !slices.Contains(r.all, setting{name: "trl", value: name}) {
			r.put("trl", name)
		}
	}
}

// calls notes functions of Python that a line calls: some of them are settings, such as fully_shard(), and the axes of
// init_device_mesh("cuda", (2, 8), mesh_dim_names=("replicate", "shard")) are others.
func (r *settingReader) calls(bare string) {
	for _, axis := range [...]string{"Context", "Tensor", "Pipeline", "Expert"} { // of OLMo-core
		if strings.Contains(bare, axis+"ParallelConfig") {
			r.axis = strings.ToLower(axis) + "."
		}
	}
	parts := strings.Split(bare, "(")
	variable, _, _ := strings.Cut(bare, "=")
	learns := !untaught(variable)
	for i, before := range parts[:len(parts)-1] {
		name := strings.ToLower(before[strings.LastIndexAny(before, " =,")+1:]) + "()"
		kind, config := strings.CutSuffix(name, "_config()")
		kind = kind[strings.LastIndexByte(kind, '_')+1:]
		if strings.HasSuffix(name, "_recipe()") || // of NeMo and Megatron Bridge, which names the model
			config && listed("pretrain|finetune|sft|peft", kind) && strings.ContainsAny(name, "0123456789") {
			if r.put("factory", name); kind == "peft" {
				r.put("peft", "lora")
			}
		}
		if learns {
			r.loads(name, parts[i+1])
		}
		for at := 0; at >= 0; at = strings.IndexByte(name, '.') {
			name = strings.TrimPrefix(name[at:], ".")
			if fields()[name] != nil {
				r.put(name, "true")
			}
		}
		if strings.HasSuffix(before, "mesh_dim_names=") {
			sizes, all := words(before), 1
			for k, axis := range words(parts[i+1]) {
				if k < len(sizes)-1 {
					r.add("mesh."+axis, sizes[k])
					n, _ := strconv.Atoi(r.calculated(sizes[k]))
					all = min(max(0, all*n), mostOfFlag)
				}
			}
			if all > 1 {
				r.put("mesh.all", strconv.Itoa(all))
			}
		}
	}
}

// untaught tells whether a variable of Python holds a model that doesn't learn, as its name says: teacher, ref_model.
func untaught(variable string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(variable, func(r rune) bool { return !unicode.IsLetter(r) }),
		func(word string) bool { return listed("teacher|ref|reference|reward|draft|judge", word) })
}

// loads notes the model that a script of Python loads: AutoModelForCausalLM.from_pretrained("org/model-8b"). The first
// is the one that learns; tokenizers and settings of a model are loaded by classes of their own.
func (r *settingReader) loads(name, arguments string) {
	const key = "pretrained_model_name_or_path"
	class, is := strings.CutSuffix(name, ".from_pretrained()")
	first, _, _ := strings.Cut(strings.TrimSpace(arguments), ",")
	first = strings.TrimRight(first, ") ")
	id := unquoted(first)
	if id == first { // a variable
		id = unquoted(r.known[first])
	}
	switch {
	case !is || !strings.Contains(class, "model") || r.known[key] != "":
	case first == "": // it stands on the next line
		r.loading = name
	case strings.Contains(id, "/"):
		r.add(key, id)
	}
}

// errand tells whether a line runs a command that doesn't train, or says what a program's arguments are.
func errand(bare string) bool {
	first, rest, _ := strings.Cut(bare, " ")
	return strings.Contains(first, "add_argument(") ||
		rest != "" && rest[0] != '=' && !strings.ContainsAny(rest, "&;") &&
			listed("pip|pip3|apt-get|conda|git|echo|wget|curl|hf|huggingface-cli|lm_eval|lm-eval", first)
}
