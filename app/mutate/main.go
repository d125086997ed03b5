// Command mutate changes the coefficients of the laws, one after another, and tells which test notices. A change that
// no test notices makes it fail: the law's table of terms worked out by hand has a hole.
//
//	go run ./app/mutate [-run REGEXP] [-list]
//
// Nothing in the tree is changed: the changed file lies in a temporary directory and is laid over its original by the
// go command's -overlay. Only short tests of the file's own package and of app/library are asked, and none that
// compares with a file that -update writes anew.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	only := flags.String("run", "", "only changes whose file and name, as in \"training/time.go: passes\", match")
	list := flags.Bool("list", false, "list the changes and make none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	all, err := mutations(table)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	l := lab{folder: folder, out: out}
	for _, m := range all {
		switch {
		case !match.MatchString(m.String()):
		case *list:
			fmt.Fprintf(out, "%s\n\t- %s\n\t+ %s\n", m, oneLine(m.old), oneLine(m.changed))
		default:
			if err := l.try(ctx, m); err != nil {
				return err
			}
		}
	}
	if *list {
		return nil
	}
	return l.report()
}

// lab is where changes are tried, and what came of them.
type lab struct {
	folder          string
	out             io.Writer
	caught          map[string]int // by package of the test
	tried           int
	survivors, sick []string
}

// library is the package whose tests hold sheets' laws to published and derived numbers.
const library = "library"

// goldens are tests that compare with files which -update writes anew: they notice any change, and say nothing of
// which is right.
const goldens = "^TestServingMeasuredAreTheRows$"

// try makes a change and asks the tests, those of its own package first.
func (l *lab) try(ctx context.Context, m mutation) error {
	overlay, err := m.writeOverlay(l.folder)
	if err != nil {
		return err
	}
	l.tried++
	for _, dir := range []string{filepath.Dir(m.file), library} {
		verdict, err := ask(ctx, overlay, dir)
		switch {
		case err != nil:
			return err
		case verdict == broken:
			l.sick = append(l.sick, m.String())
			fmt.Fprintf(l.out, "DOES NOT BUILD\t%s\n", m)
			return nil
		case verdict != "":
			if l.caught == nil {
				l.caught = map[string]int{}
			}
			l.caught[dir]++
			fmt.Fprintf(l.out, "caught\t%s\t%s.%s\n", m, dir, verdict)
			return nil
		}
	}
	l.survivors = append(l.survivors, m.String())
	fmt.Fprintf(l.out, "SURVIVED\t%s\t- %s\t+ %s\n", m, oneLine(m.old), oneLine(m.changed))
	return nil
}

// broken is the verdict on a change that doesn't compile.
const broken = "build failed"

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// ask runs the tests of a package under an overlay, and names the first that fails; "" if none does.
func ask(ctx context.Context, overlay, dir string) (verdict string, err error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-short", "-failfast", "-vet=off", "-timeout", "120s", "-skip",
		goldens, "-overlay", overlay, "./app/"+dir)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case !errors.As(err, &exit):
		return "", err
	}
	if found := failed.FindSubmatch(text); found != nil {
		return string(found[1]), nil
	}
	switch {
	case strings.Contains(string(text), "panic:"):
		return "(a panic)", nil
	case strings.Contains(string(text), "[build failed]"):
		return broken, nil
	}
	return "", fmt.Errorf("go test ./app/%s: %w\n%s", dir, err, text)
}

// report sums up, and fails if a change survived.
func (l *lab) report() error {
	w := tabwriter.NewWriter(l.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\ntests of\tcaught\n")
	for _, dir := range slices.Sorted(maps.Keys(l.caught)) {
		fmt.Fprintf(w, "app/%s\t%d\n", dir, l.caught[dir])
	}
	fmt.Fprintf(w, "all\t%d of %d\n", l.tried-len(l.survivors)-len(l.sick), l.tried)
	if err := w.Flush(); err != nil {
		return err
	}
	switch {
	case l.tried == 0:
		return errors.New("mutate: no change has such a name; -list lists them")
	case len(l.sick) > 0:
		return fmt.Errorf("mutate: %d changes don't build:\n  %s", len(l.sick), strings.Join(l.sick, "\n  "))
	case len(l.survivors) > 0:
		return fmt.Errorf("mutate: no test notices %d changes:\n  %s", len(l.survivors),
			strings.Join(l.survivors, "\n  "))
	}
	return nil
}

// writeOverlay writes the changed file and the overlay that puts it over its original, whose path it gives.
func (m mutation) writeOverlay(folder string) (overlay string, err error) {
	original, err := filepath.Abs(filepath.Join("app", m.file))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(original)
	if err != nil {
		return "", fmt.Errorf("run it in the repository's root: %w", err)
	}
	changed, err := m.change(string(text))
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "changed.go")
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		return "", err
	}
	said, err := json.Marshal(map[string]map[string]string{"Replace": {original: file}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, said, 0o644)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// table is a change a line: the file below app, what it changes, the text, which is there once, and what takes its
// place. Ends of lines and tabs in them are written \n and \t.
//
//go:embed mutations.tsv
var table string

// mutation is a change of a coefficient.
type mutation struct{ file, name, old, changed string }

// String names m.
func (m mutation) String() string { return m.file + ": " + m.name }

// mutations reads the table.
func mutations(text string) (all []mutation, err error) {
	plain := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("mutations.tsv: %q has %d cells; write file, name, text and its change", line,
				len(cells))
		}
		all = append(all, mutation{cells[0], cells[1], plain.Replace(cells[2]), plain.Replace(cells[3])})
	}
	return all, nil
}

// change is a file with m made.
func (m mutation) change(text string) (string, error) {
	if n := strings.Count(text, m.old); n != 1 {
		return "", fmt.Errorf("mutations.tsv: %s: %q is there %d times; write text that is there once", m, m.old, n)
	}
	return strings.Replace(text, m.old, m.changed, 1), nil
}
