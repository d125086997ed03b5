package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/translation"
	wasm "github.com/scalebook/scalebook/wasm/build"
)

// build is the verb that writes the static site.
func build(args []string, s streams) int {
	flags := newFlags("build")
	out := flags.String("out", "dist", "the folder to write")
	base := flags.String("base", "/scalebook/", "the path of the site’s address")
	kill := flags.Bool("kill", false, "take back what browsers keep for offline use, instead of renewing it")
	books := flags.String("books", "", "a folder with the printed book and that for e-readers, as app/print writes it")
	langs := flags.String("langs", "en", "the languages, with commas: en,ru; each has its pages below its code")
	var o site.Options
	flags.StringVar(&o.Origin, "site", "", "the host that the site will be on: https://example.org")
	flags.StringVar(&o.Repository, "repo", "", "the address of the repository, for links that suggest a change")
	flags.StringVar(&o.Day, "date", "", "the day of the edition, for feeds: 2026-11-21")
	if status, done := flagsOnly(flags, args, s, base); done {
		return status
	}
	if err := atTop(); err != nil {
		s.complain("%v", err)
		return failed
	}
	if err := site.Writable(*out); err != nil {
		s.complain("%v", err)
		return failed
	}
	began := time.Now()
	p, err := compile(context.Background())
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	compiled := time.Now()
	o.Base, o.Offline = *base, !*kill
	if *books != "" {
		o.Books = os.DirFS(*books)
	}
	files, counts, err := renderIn(o, p, strings.Split(*langs, ","))
	if err == nil {
		err = files.Write(*out)
	}
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	for _, c := range counts {
		fmt.Fprintln(s.out, c)
	}
	fmt.Fprintf(s.out, "%s in %s for %s, built in %v (the WebAssembly program in %v)\n",
		count(len(files), "file"), *out, *base, since(compiled), compiled.Sub(began).Round(time.Millisecond))
	return ok
}

// flagsOnly parses the arguments of a verb that takes only flags, and settles its base path.
func flagsOnly(flags *flag.FlagSet, args []string, s streams, base *string) (status int, done bool) {
	others, status, done := parse(flags, args, s)
	if done {
		return status, true
	}
	if len(others) > 0 {
		s.complain(
			"scalebook %s: unexpected argument %q; it takes only the flags %s",
			flags.Name(),
			others[0],
			flagNames(flags),
		)
		return misuse, true
	}
	settled, err := basePath(*base)
	if err != nil {
		s.complain("scalebook %s: %v", flags.Name(), err)
		return misuse, true
	}
	*base = settled
	return ok, false
}

// browserProgram is what runs in the reader's browser.
type browserProgram struct {
	wasm.Binary
	exec []byte
}

// compile makes the program of the browser from the module that the working folder is in. What was compiled before is
// taken from a cache.
func compile(ctx context.Context) (p browserProgram, err error) {
	if p.Binary, err = wasm.Program(ctx, ""); err != nil {
		return p, err
	}
	support, err := wasm.Support(ctx, "")
	if err != nil {
		return p, err
	}
	p.exec, err = os.ReadFile(support)
	return p, err
}

// atTop says whether the working folder is the top of the repository.
func atTop() error {
	for _, name := range []string{"content", "web", "go.mod"} {
		if _, err := os.Stat(name); err != nil {
			return errors.New(name + ": not in the working folder; run the command at the top of the repository")
		}
	}
	return nil
}

// render makes the site of the working folder, for readers to keep offline or not.
func render(o site.Options, p browserProgram) (site.Files, error) {
	files, _, err := renderIn(o, p, nil)
	return files, err
}

// renderIn is render in English and in other languages, with how far each is translated.
func renderIn(o site.Options, p browserProgram, languages []string) (site.Files, []translation.Count, error) {
	o.Content, o.Web, o.Dir = os.DirFS("content"), os.DirFS("web"), "content"
	o.Program, o.Later, o.Exec = p.First, p.Later, p.exec
	o.ProgramPhrases = wasm.Translated
	return site.RenderIn(o, languages)
}

func since(t time.Time) time.Duration { return time.Since(t).Round(time.Millisecond) }
