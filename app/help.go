package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

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
