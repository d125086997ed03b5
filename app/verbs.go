package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// verb is what the command can do, as its help says it.
type verb struct {
	name     string
	takes    string   // what stands beside the flags: "FILE[#sheet-id]"
	does     string   // a line
	more     []string // paragraphs of its own help
	examples [2]string
	run      func(args []string, s streams) int
}

// verbs are all of them, in the order in which the help lists them.
func verbs() []verb {
	return []verb{
		{
			name: "serve", run: serve,
			does:     "builds and serves the book, and rebuilds it when a file changes",
			examples: [2]string{"", "-addr 127.0.0.1:9000 -base /scalebook/"},
		},
		{
			name: "build", run: build,
			does:     "writes the static site, ready for its base path",
			examples: [2]string{"-out dist -base /scalebook/", "-site https://example.org -date 2026-11-21"},
		},
		{
			name: "eval", takes: "FILE[#sheet-id]", run: eval,
			does: "evaluates a sheet of a .md or .sheet file, or of stdin (-), and prints its rows",
			more: []string{"The exit status is 1 if an expect doesn't hold, or if searches take longer than " +
				"the limit."},
			examples: [2]string{
				"-set B=512 content/rooflines.md#matmul", "-json -limit 30s content/training-planner.md#training",
			},
		},
		{
			name: "check", takes: "[PATH]...", run: check,
			does:     "checks every sheet: parse, dimensions, every expect",
			more:     []string{"PATH is a file, a folder, or - for stdin; content if there is none."},
			examples: [2]string{"", "-json content/rooflines.md"},
		},
		{
			name: "model", takes: "FILE", run: countModel,
			does: "counts a model: parameters, KV cache, operations for each token",
			more: []string{"FILE is a config.json, a params.json, arguments of Megatron-LM or NeMo, metadata " +
				"of GGUF, - for stdin, or a name of the catalog."},
			examples: [2]string{"llama3.70b", "-context 32768 -dtype fp8 config.json"},
		},
		{
			name: "read", takes: "FILE", run: readDocument,
			does: "reads what another program printed: HLO, a trace, nccl-tests, an engine’s start-up log",
			more: []string{"The calculator of the book that is made for such a file reads it; FILE may be packed by " +
				"gzip, or - for stdin. What is assumed of the chip and the like stands first; -set says otherwise."},
			examples: [2]string{"-set chip=gpu.h200 trace.json.gz", "all_reduce_perf.txt"},
		},
		{
			name: "plan", run: planTraining,
			does: "finds the best plans to train a model, exactly, and says why the others fail",
			more: []string{
				"Each of -model, -chip and -chips may be a list with commas. The exit status is 1 if nothing fits.",
			},
			examples: [2]string{
				"-model llama3.70b -chip h100 -chips 1024 -by cost -tokens 15T",
				"-model llama3.70b -chip h100 -chips 1024 -plan dp=64,tp=8,pp=2 -stack megatron-2021",
			},
		},
		{
			name: "serve-plan", run: servePlan,
			does: "estimates every way to serve a model on so many chips, and prints the Pareto-optimal ones",
			more: []string{"The exit status is 1 if nothing fits."},
			examples: [2]string{
				"-model llama3.70b -chip h100 -chips 8 -ttft 2s -tpot 50ms -rate 10",
				"-model llama3.70b -chip h100 -plan tp=8 -gpu-memory-utilization 0.9 -max-model-len 32768",
			},
		},
		{
			name: "predict", takes: "FILE.jsonl", run: predict,
			does: "predicts measurements: a set-up a line in, intervals by metric out",
			more: []string{"FILE.jsonl may be - for stdin. With -errors there is none."},
			examples: [2]string{
				"runs.jsonl", "-errors",
			},
		},
		{
			name: "diff", takes: "OLD NEW", run: diffEditions,
			does: "compares the results of two built sites: which changed, which are new, which are gone",
			more: []string{"OLD and NEW are folders, addresses of home pages, or files data/results.json."},
			examples: [2]string{
				"old-dist dist", "-json https://example.org/scalebook/ dist",
			},
		},
		{
			name: "mcp", run: serveTools,
			does: "is a server of tools for assistants (Model Context Protocol) on stdin and stdout",
			more: []string{"It reads no files but the pages of the book that -content names; an assistant gives the " +
				"text of a sheet, a config.json, settings or a log itself."},
			examples: [2]string{"", "-content ~/scalebook/content -limit 1m"},
		},
		{
			name: "completion", takes: "SHELL", run: complete,
			does:     "prints what makes a shell complete verbs and flags: bash, zsh or fish",
			examples: [2]string{"bash > ~/.local/share/bash-completion/completions/scalebook", "fish | source"},
		},
		{
			name: "messages", run: messages,
			does: "gathers every sentence that readers see for translators, and merges it into their files",
			more: []string{"It writes po/scalebook.pot in the folder of the chapters, and has GNU gettext’s " +
				"msgmerge bring each .po beside it up to that: what changed becomes fuzzy."},
			examples: [2]string{"", "-by-page"},
		},
		{
			name: "version", run: printVersion,
			does: "prints the edition, its commit, and the Go that built the command",
		},
	}
}

// verbOf finds a verb by its name.
func verbOf(name string) (v verb, known bool) {
	for _, v := range verbs() {
		if v.name == name {
			return v, true
		}
	}
	return verb{}, false
}

func (s streams) run(args []string) int {
	if len(args) == 0 {
		s.usage(s.err)
		return misuse
	}
	switch args[0] {
	case "help":
		if len(args) == 2 {
			if v, known := verbOf(args[1]); known {
				return v.run([]string{"-h"}, s)
			}
			return s.unknownVerb(args[1])
		}
		fallthrough
	case "-h", "-help", "--help":
		s.usage(s.out)
		return ok
	}
	v, known := verbOf(args[0])
	if !known {
		return s.unknownVerb(args[0])
	}
	return v.run(args[1:], s)
}

func (s streams) unknownVerb(name string) int {
	s.complain("scalebook: unknown verb %q; the verbs are %s", name, verbNames(", ", " and "))
	return misuse
}

// usage prints what all verbs do.
func (s streams) usage(w io.Writer) {
	fmt.Fprint(w, "scalebook builds, serves and checks the book, and evaluates its sheets.\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  scalebook %-11s %s\n", v.name, v.does)
	}
	fmt.Fprint(w, "\n`scalebook VERB -h` lists the flags of a verb, with what holds if they are left out, and "+
		"examples.\n"+
		"Flags may come before or after the file; - is stdin.\n")
}

// helpWidth is the longest line of a verb's help, in letters.
const helpWidth = 100

// printHelp prints what a verb does, all of its flags with what holds if they are left out, and examples.
func printHelp(w io.Writer, f *flag.FlagSet) {
	v, _ := verbOf(f.Name())
	hasFlags := false
	f.VisitAll(func(*flag.Flag) { hasFlags = true })
	line := "scalebook " + v.name
	if hasFlags {
		line += " [FLAG]..."
	}
	fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(line+" "+v.takes))
	writeWrapped(w, "", strings.ToUpper(v.does[:1])+v.does[1:]+".")
	for _, paragraph := range v.more {
		writeWrapped(w, "", paragraph)
	}
	if hasFlags {
		fmt.Fprint(w, "\nFlags:\n")
		f.VisitAll(func(g *flag.Flag) { printFlag(w, g) })
	}
	if v.examples == ([2]string{}) {
		return
	}
	fmt.Fprint(w, "\nExamples:\n")
	for _, e := range v.examples {
		fmt.Fprintf(w, "  %s\n", strings.TrimSpace("scalebook "+v.name+" "+e))
	}
}

// printFlag prints a flag, the kind of its value, its meaning and its default.
func printFlag(w io.Writer, g *flag.Flag) {
	kind, meaning := flag.UnquoteUsage(g)
	if kind != "" {
		kind = " " + kind
	}
	fmt.Fprintf(w, "  -%s%s\n", g.Name, kind)
	if !slices.Contains([]string{"", "0", "0s", "false"}, g.DefValue) {
		meaning += " (" + g.DefValue + " if left out)"
	}
	writeWrapped(w, "        ", meaning)
}

// writeWrapped writes a text in lines of helpWidth letters at the most, where its words allow it.
func writeWrapped(w io.Writer, indent, text string) {
	line := indent
	for word := range strings.FieldsSeq(text) {
		if line != indent {
			if len([]rune(line))+1+len([]rune(word)) > helpWidth {
				fmt.Fprintln(w, line)
				line = indent
			} else {
				line += " "
			}
		}
		line += word
	}
	fmt.Fprintln(w, line)
}

// verbNames joins the names of all verbs.
func verbNames(comma, last string) string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	end := len(names) - 1
	return strings.Join(names[:end], comma) + last + names[end]
}

// flagsOf are the flags of a verb, with a dash, by asking it for its help.
func flagsOf(v verb) []string {
	var names []string
	v.run([]string{"-h"}, streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard,
		help: func(f *flag.FlagSet) {
			f.VisitAll(func(g *flag.Flag) { names = append(names, "-"+g.Name) })
		}})
	return names
}

// complete is the verb that prints a script for a shell, which completes verbs, flags and files.
func complete(args []string, s streams) int {
	others, status, done := parse(newFlags("completion"), args, s)
	if done {
		return status
	}
	shells := map[string]func(io.Writer){"bash": completeBash, "zsh": completeZsh, "fish": completeFish}
	if len(others) != 1 || shells[others[0]] == nil {
		s.complain("scalebook completion: name one shell: bash, zsh or fish")
		return misuse
	}
	shells[others[0]](s.out)
	return ok
}

func completeBash(w io.Writer) {
	fmt.Fprint(w, "_scalebook() {\n  local word=${COMP_WORDS[COMP_CWORD]} words=\n"+
		"  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='"+verbNames(" ", " ")+"'\n"+
		"  elif [[ $word == -* ]]; then\n    case ${COMP_WORDS[1]} in\n")
	for _, v := range verbs() {
		if flags := flagsOf(v); len(flags) > 0 {
			fmt.Fprintf(w, "    %s) words='%s' ;;\n", v.name, strings.Join(flags, " "))
		}
	}
	fmt.Fprint(w, "    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"+
		"complete -o default -F _scalebook scalebook\n")
}

// completeZsh uses what zsh has for the functions of bash.
func completeZsh(w io.Writer) {
	fmt.Fprint(w, "autoload -U +X bashcompinit && bashcompinit\n")
	completeBash(w)
}

func completeFish(w io.Writer) {
	quoted := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `\'`) + "'" }
	for _, v := range verbs() {
		fmt.Fprintf(w, "complete -c scalebook -n __fish_use_subcommand -a %s -d %s\n", v.name, quoted(v.does))
		for _, name := range flagsOf(v) {
			fmt.Fprintf(w, "complete -c scalebook -n '__fish_seen_subcommand_from %s' -o %s\n",
				v.name, strings.TrimPrefix(name, "-"))
		}
	}
}

// newFlags is the flag set of a verb; what goes wrong is reported by parse.
func newFlags(verb string) *flag.FlagSet {
	f := flag.NewFlagSet(verb, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// parse reads flags wherever they stand, before, between or after the other arguments, and returns the others.
// All that follows `--` is not a flag. If done, the verb has nothing more to do but exit with status.
func parse(f *flag.FlagSet, args []string, s streams) (others []string, status int, done bool) {
	var literal []string
	for i, a := range args {
		if a == "--" {
			args, literal = args[:i], args[i+1:]
			break
		}
	}
	args = slices.Clone(args)
	for i, a := range args {
		if strings.HasPrefix(a, "-#") { // a sheet of stdin, no flag
			args[i] = "\x00" + a
		}
	}
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			if s.help != nil {
				s.help(f)
			} else {
				printHelp(s.out, f)
			}
			return nil, ok, true
		}
		if err != nil {
			s.complain("scalebook %s: %s", f.Name(), flagFault(f, err))
			return nil, misuse, true
		}
		if f.NArg() == 0 {
			if twice := saidTwice(f); twice != "" {
				s.complain("scalebook %s: %s", f.Name(), twice)
				return nil, misuse, true
			}
			return append(others, literal...), ok, false
		}
		others = append(others, strings.TrimPrefix(f.Arg(0), "\x00"))
		args = f.Args()[1:]
	}
}

// saidTwice names two flags that were given and set the same value: one of both would be dropped without a word.
func saidTwice(f *flag.FlagSet) (said string) {
	by := map[flag.Value]string{}
	f.Visit(func(g *flag.Flag) {
		if other, twice := by[g.Value]; twice {
			said = fmt.Sprintf("-%s and -%s are two names of one flag; write one of them", other, g.Name)
		}
		by[g.Value] = g.Name
	})
	return said
}

// badValue is what package flag says of a value that it can't read.
var badValue = regexp.MustCompile(
	`^invalid (?:boolean )?value (".*") for (?:flag )?-([a-z-]+): (?:parse error|value out of range)$`)

// flagFault says what is wrong with the flags of a verb, and what would be right.
func flagFault(f *flag.FlagSet, err error) string {
	m := badValue.FindStringSubmatch(err.Error())
	if m == nil {
		said := ""
		if name, is := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); is &&
			f.Name() == "serve-plan" {
			said = engineFlag(name)
		}
		return fmt.Sprintf("%v%s; its flags are %s", err, said, flagNames(f))
	}
	write := "true or false"
	switch f.Lookup(m[2]).Value.(flag.Getter).Get().(type) { // only values of the package's own fail so
	case time.Duration:
		write = "a time such as 50ms or 2s"
	case float64:
		write = "a number such as 0.5"
	case int:
		write = "a whole number such as 16"
	}
	return fmt.Sprintf("-%s is %s; write %s", m[2], m[1], write)
}

// flagNames lists the flags of a verb: "-base, -out".
func flagNames(f *flag.FlagSet) string {
	var names []string
	f.VisitAll(func(g *flag.Flag) { names = append(names, "-"+g.Name) })
	return strings.Join(names, ", ")
}

// bothForms is said where results can be printed in one form only.
const bothForms = "-json and -csv exclude each other; write one of them"

// basePath brings a base path into the form /a/b/. It refuses what can't be the path of an address.
func basePath(text string) (string, error) {
	trimmed := strings.Trim(text, "/")
	for part := range strings.SplitSeq(trimmed, "/") {
		if trimmed != "" && (part == "" || part == "." || part == "..") ||
			strings.ContainsAny(part, "?#%\\:\"'<>& \t\n") {
			return "", fmt.Errorf("-base %q is no base path; write something like / or /scalebook/", text)
		}
	}
	if trimmed == "" {
		return "/", nil
	}
	return "/" + trimmed + "/", nil
}

// settings collects -set name=value.
type settings []setting

type setting struct{ name, text string }

// String is needed by package flag.
func (s *settings) String() string { return "" }

// Set reads one name=value.
func (s *settings) Set(text string) error {
	name, value, found := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !found || name == "" {
		return errors.New("write -set name=value")
	}
	*s = append(*s, setting{name, strings.TrimSpace(value)})
	return nil
}
