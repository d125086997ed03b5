package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/po"
	"github.com/scalebook/scalebook/app/translation"
)

// messages gathers what readers see and brings the files of translators up to it.
func messages(args []string, s streams) int {
	flags := newFlags("messages")
	content := flags.String("content", "content", "the folder of the chapters; translations stand in its folder po")
	byPage := flags.Bool("by-page", false, "list how far each language is, file by file")
	others, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(others) > 0 {
		s.complain("scalebook messages: unexpected argument %q; it takes only the flags %s", others[0], flagNames(flags))
		return misuse
	}
	if err := s.gather(*content, *byPage); err != nil {
		s.complain("scalebook messages: %v", err)
		return failed
	}
	return ok
}

// gather writes the template and merges it into the file of each language.
func (s streams) gather(content string, byPage bool) error {
	file, err := translation.Extract(os.DirFS(content), filepath.ToSlash(content))
	if err != nil {
		return err
	}
	dir := filepath.Join(content, "po")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	pot := filepath.Join(dir, "scalebook.pot")
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		return err
	}
	if err := os.WriteFile(pot, b.Bytes(), 0o666); err != nil {
		return err
	}
	texts := 0
	for _, m := range file.Messages {
		texts += len(strings.Fields(m.ID))
	}
	fmt.Fprintf(s.out, "%s: %d messages of %d words\n", pot, len(file.Messages), texts)
	languages, err := filepath.Glob(filepath.Join(dir, "*.po"))
	if err != nil {
		return err
	}
	for _, language := range languages {
		if err := s.merge(content, language, file, byPage); err != nil {
			return err
		}
	}
	return nil
}

// merge has msgmerge bring a language's file up to the template: what changed becomes fuzzy.
func (s streams) merge(content, language string, file *po.File, byPage bool) error {
	pot := filepath.Join(content, "po", "scalebook.pot")
	tool, err := exec.LookPath("msgmerge")
	if err != nil {
		return errors.New("msgmerge isn't installed, so " + language +
			" was not brought up to date; install GNU gettext: apt install gettext, or brew install gettext")
	}
	cmd := exec.Command(tool, "--quiet", "--update", "--backup=none", "--previous", "--width=120", language, pot)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: msgmerge says: %s", err, bytes.TrimSpace(out))
	}
	read, err := translation.Read(os.DirFS("."), filepath.ToSlash(language), "")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fmt.Fprintln(s.out, read.Count(file))
	if !byPage {
		return nil
	}
	pages, err := read.Content(os.DirFS(content), content)
	if err != nil {
		return err
	}
	counts := pages.Pages()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		fmt.Fprintf(s.out, "%5d of %5d untranslated %5d fuzzy  %s\n", c.Missing, c.All, c.Fuzzy, name)
	}
	return nil
}
