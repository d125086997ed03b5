package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/interpolation"
	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/shell"
)

// setting is a name and a value of a text, whatever its format. A name inside sections has theirs before it, with dots.
type setting struct {
	name, value string
	twice       string // the variable of a script that it takes, which the script sets to several values
}

// mostDepth is how deep lists, objects and conditions may nest.
const mostDepth = 32

// settings are those of a text, and the tool that its command is of, if it is one that says so: flags (--name value,
// --name=value, name=value), lines of YAML (name: value), of TOML (name = value, [section]) and objects of JSON, also
// one after another. A list is its entries with spaces between them.
func settings(text string) (all []setting, tool string) {
	r := settingReader{known: map[string]string{}, again: map[string]string{}}
	text = strings.TrimPrefix(pasted.Typed(pasted.Plain(text)), "\xef\xbb\xbf")
	text = notebook(quoted(uncommentedBlocks(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))))
	lines := strings.Split(windows(noted(text)), "\n")
	for i, line := range lines[1:] { // an environment of a cluster's manifest, which may stand behind the command
		name, is := strings.CutPrefix(strings.TrimSpace(lines[i]), "- name: ")
		value, follows := strings.CutPrefix(strings.TrimSpace(line), "value: ")
		if is && follows && constantName(name) {
			r.known[name] = unquoted(value)
		}
	}
	for i := 0; i < len(lines); i++ {
		r.asked(lines[i])
		line := uncommented(lines[i])
		parts, deep := []string{line}, opened(line)
		for i+1 < len(lines) { // the command, or what is open in brackets, goes on
			cut, more := continued(line)
			if parts[len(parts)-1] = cut; !more && deep <= 0 {
				break
			}
			i++
			line = strings.TrimSpace(uncommented(lines[i]))
			parts, deep = append(parts, line), deep+nesting(line)
		}
		whole := strings.Join(parts, " ")
		if i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == `"` && strings.Count(whole, `"`)%2 > 0 { // its end
			whole += `"`
			i++
		}
		r.line(r.uncast(whole))
	}
	r.ownVariables(text)
	r.commands()
	r.interpolate()
	if r.errand && !r.trains && r.tool == "" {
		return nil, servingTool
	}
	return r.all, r.tool
}

// quoted is a text without the marks of a letter that quotes it, if each of its lines has one, or of Markdown around
// it.
func quoted(text string) string {
	if strings.HasPrefix(text, "```") {
		_, text, _ = strings.Cut(text, "\n")
	}
	if text == "" || text[0] != '>' || strings.Count(text, "\n>") < strings.Count(strings.TrimSpace(text), "\n") {
		return text
	}
	return strings.TrimPrefix(strings.ReplaceAll(strings.ReplaceAll("\n"+text, "\n>", "\n"), "\n ", "\n"), "\n")
}

// notebook is the code of a notebook of Jupyter, without what else its file holds; any other text is as it is.
func notebook(text string) string {
	if text == "" || text[0] != '{' || !strings.Contains(text, `"cell_type"`) {
		return text
	}
	var code []byte
	key, kind := "", ""
	for {
		i := strings.IndexByte(text, '"')
		if i < 0 {
			return string(code)
		}
		end := i + 1
		for end < len(text) && text[end] != '"' {
			end += pick(text[end] == '\\', 2, 1)
		}
		word := text[i:min(end+1, len(text))]
		if plain, err := strconv.Unquote(word); err == nil {
			word = plain
		}
		text = strings.TrimLeft(text[min(end+1, len(text)):], " \t\r\n")
		switch {
		case strings.HasPrefix(text, ":"):
			key = word
		case key == "cell_type":
			kind = word
		case key == "source" && kind == "code":
			code = append(code, strings.TrimPrefix(word, "!")...) // a command of a shell
			if !strings.HasPrefix(text, ",") {
				code = append(code, '\n')
			}
		}
	}
}

// continued is a line without the sign that the next one belongs to it, of a shell's and those of Windows.
func continued(line string) (cut string, is bool) {
	line = strings.TrimRight(line, " \t")
	last := len(line) - 1
	if last >= 0 && (line[last] == '\\' || strings.HasSuffix(line, " `") || strings.HasSuffix(line, " ^")) {
		return line[:last], true
	}
	return line, false
}

// interpolate puts in what values of YAML name: others before and behind them, and variables that the text sets.
func (r *settingReader) interpolate() {
	values := map[string]string{}
	for _, s := range r.all {
		values[s.name] = s.value
	}
	text := interpolation.Text{
		Value: func(path string) (string, bool) { value, known := values[path]; return value, known },
		Env:   func(name string) (string, bool) { value, known := r.known[name]; return value, known },
	}
	for i, s := range r.all {
		if !strings.Contains(s.value, "${") {
			continue
		}
		if value, whole := text.Resolve(s.value, s.name); whole {
			r.all[i].value = unquoted(value)
		}
	}
}

// broken tells whether a text that is one object ends before its brackets do.
func broken(text string) bool {
	deep := 0
	text = strings.TrimSpace(strings.TrimPrefix(text, "\xef\xbb\xbf"))
	if text == "" || text[0] != '{' {
		return false
	}
	for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		deep += nesting(uncommented(line))
	}
	return deep > 0
}

type settingReader struct {
	all       []setting
	tool      string  // whose own command trains, if one does; servingTool if the only command serves
	open      []level // sections of YAML that the next line may be in
	section   string  // of TOML
	block     int     // more than this far in stands a text of many lines; 0 if there is none
	known     map[string]string
	again     map[string]string // of those that are set to other values again, what they were
	twice     string            // one of them that the setting takes
	branches  shell.Branches    // of a script
	unsure    string            // the condition of its line that only a run would decide
	variables []string          // names that a script sets as a shell does
	sources   bool              // it reads another script
	errand    bool              // it runs a program that doesn't train
	trains    bool              // it runs another
	ray       bool              // the next number of workers is Ray's
	axis      string            // whose degree comes next
	deep      int               // how many commands hold the one that is read
	loading   string            // the function of Python that loads a model whose name stands on the next line
}

// level is a section that begins so far in.
type level struct {
	indent int
	name   string
}

// uncommented is a line without its comment.
func uncommented(line string) string {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && (i == 0 || strings.IndexByte(" \t=:[{(,", line[i-1]) >= 0):
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'),
			c == '/' && strings.HasPrefix(line[i:], "//") && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return line[:i]
		}
	}
	return line
}

// opened is how many brackets of a line that begins with one, or whose value does, are still open at its end.
func opened(line string) int {
	begins := strings.TrimSpace(line)
	if i := strings.IndexAny(begins, ":="); i >= 0 && begins[0] != '{' {
		begins = strings.TrimSpace(begins[i+1:])
	}
	if begins == "" || begins[0] != '{' && begins[0] != '[' {
		return 0
	}
	return nesting(line)
}

// nesting is how many brackets a line opens more than it closes.
func nesting(line string) (deep int) {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"':
			quote = c
		case c == '{' || c == '[':
			deep++
		case c == '}' || c == ']':
			deep--
		}
	}
	return deep
}

// line reads a line, which is whole.
func (r *settingReader) line(line string) {
	if shell.Sums(line) {
		line = r.expand(line) // its words are divided by spaces
	}
	line = printed(strings.TrimPrefix(line, "$ ")) // as typed at a prompt
	bare := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if r.passes(bare) {
		return
	}
	r.trains = r.trains || strings.Contains(bare, ".py ") || strings.Contains(bare, " -m ") ||
		strings.HasPrefix(bare, "accelerate ")
	if r.block > 0 && (bare == "" || indent >= r.block) {
		if instructs(bare) && !errand(bare) {
			r.flags(bare)
		}
		return
	}
	r.block = 0
	rest, taken := r.conditions(bare)
	if !taken {
		return
	}
	r.echoed(rest)
	if rest = r.launched(rest); rest != bare {
		line, bare = rest, rest
	}
	r.loop(bare)
	r.splits(bare)
	if strings.Contains(bare, "Config") || strings.Contains(bare, "Trainer") || strings.Contains(bare, ".py") ||
		strings.Contains(bare, "trl ") || strings.Contains(bare, ".cli.") {
		r.prefers(bare)
	}
	if r.loading != "" {
		name := r.loading
		r.loading = ""
		r.loads(name, bare)
	}
	if strings.Contains(bare, "(") {
		r.calls(bare)
		r.ray = r.ray || strings.Contains(bare, "ScalingConfig(")
	}
	r.statement(line, bare, indent)
}

// passes tells whether a line is another step than the one that trains, such as an export; of one that trains it notes
// the tool.
func (r *settingReader) passes(bare string) bool {
	tool, trains := commanded(bare)
	switch {
	case trains:
		r.tool = tool
		return false
	case tool != "":
		if tool == servingTool && r.tool == "" {
			r.tool = tool
		}
		return true
	}
	other := strings.ContainsAny(bare, " ") && untrained(bare)
	r.errand = r.errand || other
	return other
}

// statement reads what a line sets, in whatever language it is.
func (r *settingReader) statement(line, bare string, indent int) {
	switch {
	case bare == "" || bare[:min(3, len(bare))] == "---" || bare == "..." || strings.HasPrefix(bare, "set -"):
	case errand(bare):
	case strings.HasPrefix(bare, ". ") || strings.HasPrefix(bare, "source "):
		r.source(bare)
	case strings.HasPrefix(bare, ": "): // : ${TP:=4}
		name, value, is := strings.Cut(strings.Trim(bare, `: "${}`), ":=")
		if was := r.known[name]; is && was == "" {
			r.add(name, value)
		} else if is && was != value && r.unsure != "" { // of a branch that may be taken in place of the other
			r.again[name] = value
		}
	case r.assigned(bare):
	case bare[0] == '{':
		f := flow{text: bare, out: r}
		f.value("", 0)
	case r.dotted(bare):
	case bare[0] == '[' && !strings.ContainsAny(bare, ",="):
		r.section, r.open = strings.Trim(bare, "[] ")+".", nil
	default:
		r.fields(line, bare, indent)
	}
}

// servingTool is what the table calls engines that serve.
const servingTool = "engine"

// dotted reads an argument as Megatron-LM and DeepSpeed print it when they start: "seq_length ........ 4096".
func (r *settingReader) dotted(bare string) bool {
	before, value, is := strings.Cut(bare, " ..")
	value = strings.TrimLeft(value, ".")
	name := before[strings.LastIndexByte(before, ' ')+1:]
	if !is || value != "" && value[0] != ' ' || !plainName(name) {
		return false
	}
	r.addValue("--"+name, strings.TrimSpace(value))
	return true
}

// fields reads a line of YAML or TOML, or flags.
func (r *settingReader) fields(line, bare string, indent int) {
	for strings.HasPrefix(bare, "- ") { // an entry of a list
		bare = strings.TrimSpace(bare[2:])
		indent += 2
		if name, _, is := yamlField(bare); !is || strings.HasPrefix(name, "-") {
			r.entry(bare, indent-2)
			return
		}
	}
	if bare == "-" {
		return
	}
	name, value, is := yamlField(bare)
	if is && name == "value" && r.known["wandb_version"] != "" && len(r.open) > 0 { // Weights & Biases describes each
		name, indent = r.open[len(r.open)-1].name, indent-1
		r.open = r.open[:len(r.open)-1]
	}
	if !is {
		r.equals(bare)
		return
	}
	for len(r.open) > 0 && r.open[len(r.open)-1].indent >= indent {
		r.open = r.open[:len(r.open)-1]
	}
	path := r.section
	for _, l := range r.open {
		path += l.name + "."
	}
	switch {
	case strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">"):
		r.block = indent + 1
	case value == "" || strings.HasPrefix(value, "&") && !strings.Contains(value, " "):
		r.open = append(r.open, level{indent, name})
	case path == "" && listed("TP|PP|CP|EP|DP|MBS|GBS", name): // of a note, no script’s own
		r.addValue(strings.ToLower(name), value)
	default:
		r.addValue(path+strings.TrimLeft(name, "-"), value) // files of flags have their dashes
	}
}

// equals reads a line with an equals sign, as TOML and Python have it, or one of flags.
func (r *settingReader) equals(bare string) {
	name, value, is := tomlField(bare)
	switch {
	case r.together(bare):
	case spacedArguments(bare):
		r.flags(strings.ReplaceAll(bare, " = ", "="))
	case is && called(value): // what follows are its arguments
		made, arguments, _ := strings.Cut(value, "(")
		if strings.HasPrefix(made, "run.") { // NeMo's, of what stands first in it
			made, arguments, _ = strings.Cut(arguments+",", ",")
		}
		if _, named, is := strings.Cut(arguments, `name="`); is && strings.HasSuffix(made, "Config") {
			made, _, _ = strings.Cut(named, `"`)
		}
		if known, _ := candidates(name); len(known) > 0 && made != "" &&
			(strings.HasPrefix(arguments, ")") && known[0].part[0] != '.' ||
				known[0].part == "optimizer" || known[0].part == "lightning") { // what it makes is known by its name
			r.addValue(r.section+name, strings.TrimSpace(made))
		}
		r.flags(value)
	case is:
		if r.section == "" && strings.HasPrefix(bare, name+"=") {
			r.variables = append(r.variables, name)
		}
		r.addValue(r.section+name, value)
	default:
		r.flags(bare)
	}
}

// together reads what Python sets on one line, each its own value or all to one: a.tp, a.pp = 4, 2; a = b = 4096.
func (r *settingReader) together(bare string) bool {
	sides := strings.Split(bare, " = ")
	names, values := strings.Split(sides[0], ", "), strings.Split(sides[len(sides)-1], ", ")
	if len(sides) > 2 {
		names, values = sides[:len(sides)-1], slices.Repeat(sides[len(sides)-1:], len(sides)-1)
	}
	if len(names) < 2 || len(names) != len(values) || slices.ContainsFunc(names, func(name string) bool {
		return !plainName(name) || name[0] == '-'
	}) {
		return false
	}
	for i, name := range names {
		r.addValue(r.section+name, values[i])
	}
	return true
}

// spacedArguments tells whether a line has several arguments of a call whose equals signs stand apart: model, r = 16.
func spacedArguments(bare string) bool {
	_, rest, more := strings.Cut(bare, ", ")
	for more && !strings.ContainsAny(bare, "{(") {
		name, _, is := strings.Cut(rest, " = ")
		if is && plainName(name) {
			return true
		}
		_, rest, more = strings.Cut(rest, ", ")
	}
	return false
}

// called tells whether a value calls something, as in Python.
func called(value string) bool {
	name, _, is := strings.Cut(value, "(")
	return is && plainName(strings.TrimSpace(name))
}

// entry adds an entry to the list of the section that is open.
func (r *settingReader) entry(value string, indent int) {
	for len(r.open) > 0 && r.open[len(r.open)-1].indent > indent {
		r.open = r.open[:len(r.open)-1]
	}
	path := strings.TrimSuffix(r.section, ".")
	for i, l := range r.open {
		if i > 0 || path != "" {
			path += "."
		}
		path += l.name
	}
	value = unquoted(value)
	if strings.HasPrefix(value, "--") && strings.Contains(value, " ") { // one word of a command
		value = strings.Replace(value, "=", `="`, 1) + `"`
	}
	if last := len(r.all) - 1; last >= 0 && r.all[last].name == path {
		r.all[last].value += " " + value
	} else if path != "" {
		r.put(path, value)
	}
}

// yamlField is a line "name: value", also of JSON with quotes and a comma.
func yamlField(bare string) (name, value string, is bool) {
	name, value, is = strings.Cut(bare, ":")
	name = unquoted(name)
	if noted := strings.ReplaceAll(name, " ", "_"); noted != name && partOf(noted) != "" { // in a note: Sequence length
		name = noted
	}
	if _, kind, of := strings.Cut(name, ".com/"); of { // nvidia.com/gpu
		name = "com_" + kind
	}
	if !is || name == "" || strings.ContainsAny(name, " \t={}[]()$/") ||
		value != "" && value[0] != ' ' && value[0] != '\t' {
		return "", "", false
	}
	value = strings.TrimPrefix(strings.TrimSpace(value), "int = ") // of Python
	return name, strings.TrimSuffix(value, ","), true
}

// tomlField is a line "name = value", also of a script or an argument of Python.
func tomlField(bare string) (name, value string, is bool) {
	name, value, is = strings.Cut(bare, "=")
	trimmed := strings.TrimSpace(name)
	spaced := trimmed != name
	if spaced || strings.HasSuffix(name, "?") || strings.HasSuffix(name, ":") { // make's TP ?= 4
		trimmed = strings.TrimRight(trimmed, "?: ")
	}
	if !is || trimmed == "" || strings.ContainsAny(trimmed, " \t({[") || strings.HasPrefix(trimmed, "-") {
		return "", "", false
	}
	value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), ","))
	if strings.HasSuffix(value, ")") && !strings.Contains(value, "(") { // of the call that it is an argument of
		value = strings.TrimRight(value, ")")
	}
	if !spaced && several(value) {
		return "", "", false
	}
	return trimmed, value, true
}

// several tells whether behind a shell's NAME=value, of which this is the value and what follows, there is more: other
// names, or the command that they are set for.
func several(value string) bool {
	if value == "" || value[0] == '(' || strings.HasPrefix(value, "$(") {
		return false
	}
	if value[0] == '[' || value[0] == '{' { // arguments of Python may follow
		end := 1
		for end < len(value) && nesting(value[:end]) > 0 {
			end++
		}
		rest := strings.TrimSpace(value[end:])
		return strings.HasPrefix(rest, ",") && strings.Contains(rest, "=")
	}
	if quote := value[0]; quote == '"' || quote == '\'' {
		_, rest, closed := strings.Cut(value[1:], value[:1])
		return closed && (strings.HasPrefix(rest, " ") && strings.ContainsAny(rest, "=-") ||
			strings.HasPrefix(rest, ",") && strings.Contains(rest, "="))
	}
	return strings.Contains(value, "=") || strings.Contains(value, " -")
}

// addValue adds a setting; an object is its fields.
func (r *settingReader) addValue(name, value string) {
	set := value != "" && value[0] == '{' && value != "{}" && !strings.ContainsAny(value, ":=") // of Python
	if value != "" && (value[0] == '{' || value[0] == '[') && !set {
		f := flow{text: value, out: r}
		f.value(name, 0)
		return
	}
	r.add(name, unquoted(value))
}

func unquoted(s string) string {
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), ","))
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
