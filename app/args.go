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
			return append(others, literal...), ok, false
		}
		others = append(others, strings.TrimPrefix(f.Arg(0), "\x00"))
		args = f.Args()[1:]
	}
}

// badValue is what package flag says of a value that it can't read.
var badValue = regexp.MustCompile(
	`^invalid (?:boolean )?value (".*") for (?:flag )?-([a-z-]+): (?:parse error|value out of range)$`)

// flagFault says what is wrong with the flags of a verb, and what would be right.
func flagFault(f *flag.FlagSet, err error) string {
	m := badValue.FindStringSubmatch(err.Error())
	if m == nil {
		return fmt.Sprintf("%v; its flags are %s", err, flagNames(f))
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
		if trimmed != "" && (part == "" || part == "." || part == "..") || strings.ContainsAny(part, "?#%\\:\"'<>& \t\n") {
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
