package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/interpolation"
	"github.com/scalebook/scalebook/app/shell"
)

// What is no JSON is read line by line, as people have it: "key: value" of YAML, nested by spaces; "key = value" of
// logs and of gguf-dump; the arguments that Megatron-LM prints with points between; flags of a command line; what
// Python prints of a Namespace. Each line gives a field, or nothing.

// lines reads such a text.
type lines struct {
	reader
	root  *value
	open  []level           // the objects that are open, by their indentation
	shell map[string]string // what a command's script has set
	where map[string]string // and where; behind a space, where it has set it to something else before
	found bool              // a field has been
	below string            // the number of layers that a script treats otherwise than those behind them
}

// level is an object and how far its fields are indented.
type level struct {
	indent int
	object *value
	last   *value // its latest field without a value: what is indented below belongs to it
}

// readLines reads a text of lines; nil if no line has a field.
func readLines(src string) (*value, []double) {
	l := &lines{reader: reader{src: src}, root: &value{kind: object}, shell: map[string]string{},
		where: map[string]string{}}
	l.open = []level{{0, l.root, nil}}
	for at := 0; at < len(src); {
		line, _, _ := strings.Cut(src[at:], "\n")
		l.line(line, at)
		at += len(line) + 1
		if l.values > maxValues {
			break
		}
	}
	if !l.found {
		return nil, nil
	}
	if strings.Contains(src, "${") {
		l.interpolate(l.root, "")
	}
	return l.root, l.doubles
}

// interpolate puts in what texts below a path name: other values of the file, and variables that a script sets.
func (l *lines) interpolate(v *value, path string) {
	if v.kind == object {
		for i, item := range v.items {
			l.interpolate(item, strings.TrimPrefix(path+"."+v.names[i].text, "."))
		}
		return
	}
	if v.kind != text || !strings.Contains(v.text, "${") {
		return
	}
	values := interpolation.Text{Value: func(path string) (string, bool) {
		of := l.root
		for name := range strings.SplitSeq(path, ".") {
			if of = of.field(name); of == nil {
				return "", false
			}
		}
		return of.text, of.kind != object && of.kind != list
	}, Env: func(name string) (string, bool) { set, is := l.shell[name]; return set, is }}
	if resolved, whole := values.Resolve(v.text, path); whole {
		*v = *scalar(resolved, v.at)
	}
}

// unnumbered is a text with spaces in place of the numbers that its lines begin with, if each does, one after the
// other: as editors and cat -n show it.
func unnumbered(src string) string {
	out, number := []byte(src), -1
	for at := 0; at < len(src); {
		line, _, _ := strings.Cut(src[at:], "\n")
		rest := strings.TrimLeft(line, " ")
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil || number >= 0 && n != number+1 || len(line) == len(src) {
			return src
		}
		number = n
		for i := range digits {
			out[at+len(line)-len(rest)+i] = ' '
		}
		at += len(line) + 1
	}
	return string(out)
}

// unquoted is a text with spaces in place of what begins each of its lines in a letter that quotes it, or in a diff
// that adds it; lines that a diff has beside those are left empty.
func unquoted(src string) string {
	diff := strings.Contains(src, "\n@@ ")
	if src == "" || !diff && src[0] != '>' {
		return src
	}
	var b strings.Builder
	for line := range strings.Lines(src) {
		switch begin := line[0]; {
		case !diff && begin != '>' && strings.TrimSpace(line) != "":
			return src
		case diff && (begin != '+' && begin != ' ' || strings.HasPrefix(line, "+++")):
			line = "\n"
		case begin == '>' || begin == '+':
			line = " " + line[1:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// configured is a program in Python that makes a configuration by its class, without all that stands around it.
func configured(src string) string {
	program := strings.HasPrefix(src, "from ") || strings.HasPrefix(src, "import ")
	at := strings.Index(src, "Config(")
	if !program || at < 0 {
		return src
	}
	end, deep := at, 0
	for end < len(src) {
		if src[end] == '(' {
			deep++
		} else if src[end] == ')' {
			if deep--; deep == 0 {
				break
			}
		}
		end++
	}
	if !strings.Contains(src[at:end], "layer") {
		return src
	}
	at = strings.LastIndexByte(src[:at], '\n') + 1
	return strings.Repeat("\n", strings.Count(src[:at], "\n")) + src[at:min(len(src), end+1)]
}

// line reads one line, which begins at a place.
func (l *lines) line(line string, at int) {
	if shell.Sums(line) {
		line = l.expand(line) // its words are divided by spaces
	}
	full := line
	line = strings.TrimSpace(line)
	switch {
	case line == "" || line[0] == '#':
		return
	case strings.HasPrefix(line, "if "):
		l.branch(line)
		l.plain(full, at)
	case madeOf(line) != "": // of NeMo or TorchTitan: the class says whose model it is
		l.set(l.root, "config_class", madeOf(line), at)
		l.namespace(line, at)
	case called(line):
		l.namespace(full, at)
	case arguments(line):
		l.namespace("("+uncomment(full), at)
	case line[0] == '|' && strings.Count(line, "|") > 2: // of a table in Markdown: name, value
		cells := strings.Split(strings.ReplaceAll(line, "`", ""), "|")
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(cells[1])), " ", "_")
		if value := strings.TrimSpace(cells[2]); value != "" && strings.Trim(value, "-:") != "" {
			l.set(l.root, name, value, at)
		}
	case l.logged(line, at):
	case strings.HasPrefix(line, "--") && len(line) > 2 && isLetter(line[2]) || strings.Contains(line, " --"):
		l.flags(full, at)
	case dotted(line, func(key, value string) { l.set(l.root, key, value, at) }):
	default:
		l.plain(full, at)
	}
}

// logged reads a line of llama.cpp's loader, or of gguf-dump.
func (l *lines) logged(line string, at int) bool {
	if _, rest, ok := strings.Cut(line, "- kv "); ok {
		if _, rest, ok = strings.Cut(rest, ": "); ok {
			key, value, ok := strings.Cut(rest, " = ")
			words := strings.Fields(key)
			if !ok || len(words) == 0 {
				return true
			}
			if len(words) > 1 && strings.HasPrefix(words[1], "arr[") {
				_, n, _ := strings.Cut(strings.TrimSuffix(words[1], "]"), ",")
				l.array(words[0], value, n, at)
			} else {
				l.set(l.root, words[0], value, at)
			}
			return true
		}
	}
	for _, prefix := range []string{"print_info: ", "llm_load_print_meta: "} {
		if _, rest, ok := strings.Cut(line, prefix); ok {
			if key, value, ok := strings.Cut(rest, "="); ok {
				key = strings.TrimSpace(key)
				if !strings.Contains(value, ".") || !strings.Contains(value, " B") {
					if value = strings.TrimSpace(value); !strings.HasPrefix(value, "[") {
						value, _, _ = strings.Cut(value, " ")
					}
					l.set(l.root, key, value, at)
				}
			}
			return true
		}
	}
	cells := strings.Split(line, " | ")
	switch {
	case len(cells) == 3: // of gguf-dump: number and type, how many, key and value
		if key, value, ok := strings.Cut(cells[2], " = "); ok {
			if strings.Contains(cells[0], "[") {
				l.array(key, value, strings.TrimSpace(cells[1]), at)
			} else {
				l.set(l.root, key, value, at)
			}
		}
		return true
	case len(cells) == 4: // number and size, shape, type, name of a tensor
		l.tensor(strings.TrimSpace(cells[3]), strings.Split(cells[1], ","), at)
		return true
	}
	return false
}

// array sets a list of which a dump shows the beginning alone. Its length is known all the same.
func (l *lines) array(key, shown, n string, at int) {
	v := l.set(l.root, key, shown, at)
	if count, err := strconv.Atoi(n); err == nil && v != nil && (v.kind != list || len(v.items) != count) {
		*v = value{kind: list, at: v.at, text: n}
	}
}

// tensor notes the shape of a tensor.
func (l *lines) tensor(name string, shape []string, at int) {
	v := &value{kind: list, at: at}
	for _, s := range shape {
		v.items = append(v.items, scalar(strings.TrimSpace(s), at))
	}
	l.root.inside("tensors", at).add(name, v)
}

// dotted reads an argument that Megatron-LM prints: "num_layers ...... 32".
func dotted(line string, set func(key, value string)) bool {
	i := strings.Index(line, " ..")
	if i < 0 {
		return false
	}
	key, rest := line[:i], strings.TrimLeft(line[i+1:], ".")
	if j := strings.LastIndexByte(key, ' '); j >= 0 {
		key = key[j+1:] // behind a rank
	}
	if !isName(key) || !strings.HasPrefix(rest, " ") {
		return false
	}
	set(key, strings.TrimSpace(rest))
	return true
}

// flags reads the flags of a command line, and what a shell sets before.
func (l *lines) flags(line string, at int) {
	words := strings.Fields(strings.TrimRight(uncomment(line), "\\ \t\r"))
	for i := 0; i < len(words); i++ {
		word := strings.Trim(words[i], `"'()`)
		if at := strings.Index(word, "--"); at > 2 && strings.IndexByte(`"'(`, word[at-1]) >= 0 && word[at-2] == '=' &&
			isName(word[:at-2]) { // ARGS="--num-layers
			word = word[at:]
		}
		if !strings.HasPrefix(word, "--") || len(word) < 3 || !isLetter(word[2]) {
			continue
		}
		name, value, has := strings.Cut(word[2:], "=")
		for !has && i+1 < len(words) && !strings.HasPrefix(strings.Trim(words[i+1], `"'()`), "--") {
			if value += words[i+1]; words[i+1] == "\\" || words[i+1] == ")" {
				value = strings.TrimSuffix(value, words[i+1])
			}
			i++
		}
		value = strings.Trim(value, `"')`)
		if value == "" {
			value = "true"
		}
		name = strings.ReplaceAll(name, "-", "_")
		if rest, off := strings.CutPrefix(name, "disable_bias_linear"); off && rest == "" {
			name, value = "add_bias_linear", "false"
		} else if rest, off := strings.CutPrefix(name, "no_"); off && value == "true" {
			name, value = rest, "false"
		}
		value = l.expand(value)
		if l.below != "" && name == "moe_layer_freq" && strings.Contains(value, "$") {
			name, value = "first_k_dense_replace", l.below // a script makes a list of it, in a loop
		}
		if old := l.root.field(name); old != nil && old.kind != object && old.text != value && old.text != "" {
			l.twice(double{name, old.at, at, true})
		}
		l.set(l.root, name, value, at)
	}
}

// branch notes the number that a script compares a layer's with: "if (( i < FIRST ))".
func (l *lines) branch(line string) {
	for _, sign := range [...]string{"<", "-lt"} {
		_, last, _ := strings.Cut(line, " "+sign+" ")
		if bound, _, is := strings.Cut(strings.TrimLeft(last, `"${`), " "); is {
			bound = strings.TrimRight(bound, `"});]`)
			l.below = first(l.shell[bound], bound)
		}
	}
	if _, err := strconv.Atoi(l.below); err != nil {
		l.below = ""
	}
}

// madeOf is what a class of a configuration in Python is of, which a line makes or declares: Llama3 of "cfg =
// llm.Llama3Config(" and of "class Llama3Config8B(Llama3Config):"; empty if there is none.
func madeOf(line string) string {
	before, _, is := strings.Cut(line, "(")
	name := before[strings.LastIndexAny(before, " .=")+1:]
	class, _, has := strings.Cut(name, "Config")
	if !has {
		class, has = strings.CutSuffix(name, "ModelArgs")
	}
	if !is || !has {
		return ""
	}
	return class
}

// called tells whether a line is a call in Python with arguments by name, as Python prints objects.
func called(line string) bool {
	name, rest, has := strings.Cut(line, "(")
	argument, _, named := strings.Cut(rest, "=")
	return has && named && isName(strings.TrimSpace(name)) && isName(strings.TrimSpace(argument))
}

// arguments tells whether a line is several arguments by name, as they stand in a call in Python: "n_layer=32,
// n_head=8".
func arguments(line string) bool {
	name, rest, has := strings.Cut(line, "=")
	_, more, several := strings.Cut(rest, ", ")
	second, _, named := strings.Cut(more, "=")
	return has && several && named && isName(name) && isName(second)
}

// typed is the value of a field of a class in Python, behind its type: "int = 32", "Optional[int] = None".
func typed(value string) string {
	kind, rest, has := strings.Cut(value, " = ")
	kind, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(kind), "Optional["), "]")
	switch {
	case has && (kind == "int" || kind == "float" || kind == "bool" || kind == "str" ||
		strings.HasSuffix(kind, " | None")):
		return rest
	}
	return value
}

// expand puts in what a shell has set.
func (l *lines) expand(value string) string {
	return shell.Expand(value, func(name string) string {
		if at, before, is := strings.Cut(l.where[name], " "); is {
			last, _ := strconv.Atoi(at)
			first, _ := strconv.Atoi(before)
			l.twice(double{name, first, last, true})
		}
		return l.shell[name]
	})
}

// twice notes what a script sets twice, once for each name.
func (l *lines) twice(d double) {
	const enough = 20
	for i := range l.doubles {
		if l.doubles[i].name == d.name {
			return
		}
	}
	if len(l.doubles) < enough {
		l.doubles = append(l.doubles, d)
	}
}

// assign sets what a script calls so.
func (l *lines) assign(name, value string, at int) {
	where := strconv.Itoa(at)
	if before, set := l.shell[name]; set && before != value {
		last, _, _ := strings.Cut(l.where[name], " ")
		where += " " + last
	}
	l.shell[name], l.where[name] = value, where
}

// namespace reads what Python prints of arguments: "Namespace(num_layers=32, swiglu=True, ...)".
func (l *lines) namespace(line string, at int) {
	_, rest, _ := strings.Cut(line, "(")
	depth, from := 0, 0
	for i := 0; i <= len(rest); i++ {
		end := i == len(rest)
		if !end {
			switch rest[i] {
			case '[', '(', '{':
				depth++
			case ']', '}', ')':
				depth--
			}
		}
		if end || rest[i] == ',' && depth == 0 || depth < 0 {
			if key, value, ok := strings.Cut(rest[from:i], "="); ok {
				l.set(l.root, strings.TrimSpace(key), value, at)
			}
			from = i + 1
		}
		if depth < 0 {
			break
		}
	}
}

// plain reads "key: value", nested by spaces, or "key = value", or an item of a list.
func (l *lines) plain(line string, at int) {
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	text = strings.TrimSpace(text)
	for len(l.open) > 1 && indent < l.open[len(l.open)-1].indent {
		l.open = l.open[:len(l.open)-1]
	}
	top := &l.open[len(l.open)-1]
	if item, ok := strings.CutPrefix(text, "- "); ok {
		l.item(top, strings.TrimSpace(item), at)
		return
	}
	key, value, ok := strings.Cut(text, ":")
	if other, rest, equals := strings.Cut(text, "="); equals && (!ok || len(other) < len(key)) {
		key, value, ok = other, rest, true
		if isName(other) && other == strings.ToUpper(other) {
			l.assign(other, strings.Trim(strings.TrimSpace(l.expand(uncomment(rest))), `"'`), at)
			return // what a shell sets, not what a program is given
		}
	}
	if name, rest, columns := strings.Cut(text, "  "); columns && (!ok || strings.Contains(name, ".") && isName(name)) {
		l.columns(strings.ReplaceAll(name, " ", "_"), strings.Fields(rest), strings.TrimSpace(rest), at)
		return
	}
	key = strings.Trim(strings.TrimSpace(key), `"'`)
	if i := strings.LastIndexByte(key, '.'); i > 0 {
		switch key[:i] {
		case "args", "self", "cfg", "config", "recipe.model.config": // objects of Python
			key = key[i+1:]
		}
	}
	if name, kind, typed := strings.Cut(key, " "); typed && strings.Contains(name, ".") && ggufType(kind) {
		if _, n, is := strings.Cut(strings.TrimSuffix(kind, "]"), ","); is {
			l.array(name, strings.TrimSpace(value), strings.TrimSpace(n), at)
			return
		}
		key = name
	}
	if !ok || !isName(key) {
		return
	}
	if indent > top.indent && top.last != nil && top.last.kind == null && len(l.open) < maxDepth {
		top.last.kind, top.last.text = object, ""
		l.open = append(l.open, level{indent, top.last, nil})
		top = &l.open[len(l.open)-1]
	} else if indent > top.indent && top.last == nil && len(l.open) == 1 {
		top.indent = indent // all lines are indented
	}
	value = strings.TrimSuffix(strings.TrimSpace(uncomment(value)), ",") // the comma stands before a comment
	if value = typed(value); strings.TrimSpace(value) == "" {
		top.last = l.set(top.object, key, "", at)
		return
	}
	l.set(top.object, key, value, at)
	top.last = nil
}

// columns reads a row of what ollama show -v prints: a name and its value, or a tensor's name, type and shape.
func (l *lines) columns(name string, words []string, value string, at int) {
	if !strings.Contains(name, ".") && name != "embedding_length" {
		return
	}
	if strings.HasSuffix(name, ".weight") && len(words) > 1 {
		l.tensor(name, strings.Fields(strings.Trim(strings.Join(words[1:], " "), "[]")), at)
		return
	}
	shown, more, cut := strings.Cut(value, "...+")
	if n, err := strconv.Atoi(strings.TrimSuffix(more, " more]")); cut && err == nil {
		l.array(name, value, strconv.Itoa(n+len(strings.Fields(shown))), at)
		return
	}
	l.set(l.root, name, value, at)
}

// ggufType tells whether a word is a type of GGUF's values, as llama.cpp prints them.
func ggufType(s string) bool {
	s = strings.TrimSpace(s)
	switch s {
	case "str", "bool", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64":
		return true
	}
	return strings.HasPrefix(s, "arr[")
}

// item is an item of a list, one a line.
func (l *lines) item(top *level, text string, at int) {
	v := top.last
	if v == nil || v.kind != null && v.kind != list {
		return
	}
	v.kind, v.text = list, ""
	if l.values++; l.values <= maxValues {
		v.items = append(v.items, scalar(uncomment(text), at))
	}
}

// uncomment leaves out what follows a # behind a space.
func uncomment(s string) string {
	s, _, _ = strings.Cut(s, " #")
	return s
}

// set sets a field of an object to what a text says; a later one counts.
func (l *lines) set(of *value, key, text string, at int) *value {
	if !isName(key) {
		return nil
	}
	text = strings.TrimSpace(text)
	l.found = true
	l.values++
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		v := &value{kind: list, at: at}
		for item := range strings.SplitSeq(text[1:len(text)-1], ",") {
			if item = strings.TrimSpace(item); item != "" && l.values < maxValues {
				l.values++
				v.items = append(v.items, scalar(item, at))
			}
		}
		return of.add(key, v)
	}
	return of.add(key, scalar(text, at))
}

// add sets a field of an object; a later one counts.
func (v *value) add(key string, item *value) *value {
	if old := v.field(key); old != nil {
		*old = *item
		return old
	}
	v.names = append(v.names, name{key, item.at})
	v.items = append(v.items, item)
	return item
}

// inside is the field of an object that is an object, made if it isn't there.
func (v *value) inside(key string, at int) *value {
	if inner := v.field(key); inner != nil && inner.kind == object {
		return inner
	}
	return v.add(key, &value{kind: object, at: at})
}
