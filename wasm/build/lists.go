package build

import (
	"context"
	_ "embed"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// What comes with which module stands in four lists, which `go run ./app/site/measure split` writes anew: the
// functions that ran and the sentences that were said until the first calculator of any chapter was live, the
// functions that a program without planners and readers wouldn't have, and of these the ones that it would lack without
// readers alone. All others come with the module of chapters; so a new function that planners need only makes that one
// larger until the lists are written again. Each release of Go inlines other functions, so that the lists hold what any
// known release asks for.

// Lists are functions, in the linker's spelling, and keys of sentences.
type Lists struct {
	First     []string // functions of the first module
	Chapters  []string // those of the second one, which isn't written
	Planners  []string // those of the module of planners
	Readers   []string // those of the module of readers, and what of Go's own nobody was seen to run
	Sentences []string // sentences of the first module; a key and ".planners" or ".readers" is one of those modules
}

// The files of the lists, in the folder of this package.
const (
	firstList     = "first.txt"
	plannersList  = "planners.txt"
	readersList   = "readers.txt"
	sentencesList = "sentences.txt"
)

//go:embed first.txt
var firstFunctions string

//go:embed planners.txt
var plannerFunctions string

//go:embed readers.txt
var readerFunctions string

//go:embed sentences.txt
var listedSentences string

// placed says which module a function comes with.
func placed() func(function string) int {
	read := func(list string) map[string]bool {
		stable := map[string]bool{}
		for name := range names(list) {
			stable[unnumbered(name)] = true
		}
		return stable
	}
	first, planners, readers := read(firstFunctions), read(plannerFunctions), read(readerFunctions)
	return func(name string) int {
		name = unnumbered(name)
		switch {
		case name == chapterSentences: // which has run in a program that notes what it says
			return inChapters
		case first[name]:
			return inFirst
		case planners[name], name == plannerSentences:
			return inPlanners
		case readers[name], name == readerSentences:
			return inReaders
		default:
			return inChapters
		}
	}
}

// unnumbered is the name of a function without its number, if it is one of those that a package's variables begin with:
// they are counted through all files of the package.
func unnumbered(name string) string {
	const digits = "0123456789"
	begin, last, ok := cutLast(name, ".func")
	if ok && strings.Contains(begin, ".init.") && strings.Trim(last, digits+".") == "" {
		return begin + ".func" + strings.TrimLeft(last, digits)
	}
	return name
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Merge is what comes with which module for all of several releases: what any of them needs earlier comes earlier. Of
// Go's own packages, what was needed first once stays so: it may need a timer that ran out at the right time.
func Merge(all []Lists) (out Lists) {
	for name := range names(firstFunctions) {
		if !strings.HasPrefix(name, "github") {
			out.First = append(out.First, name)
		}
	}
	for _, l := range all {
		out.First = append(out.First, l.First...)
	}
	placed := setOf(out.First)
	for _, list := range []struct {
		to   *[]string
		from func(Lists) []string
	}{
		{&out.Chapters, func(l Lists) []string { return l.Chapters }},
		{&out.Planners, func(l Lists) []string { return l.Planners }},
		{&out.Readers, func(l Lists) []string { return l.Readers }},
	} {
		for _, l := range all {
			*list.to = append(*list.to, list.from(l)...)
		}
		*list.to = slices.DeleteFunc(*list.to, func(name string) bool { return placed[name] })
		for _, name := range *list.to {
			placed[name] = true
		}
	}
	out.Sentences = mergeSentences(all)
	for _, list := range []*[]string{&out.First, &out.Planners, &out.Readers} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return out
}

// mergeSentences is when sentences are said by any of several releases. A sentence comes with planners or readers if it
// does with all releases.
func mergeSentences(all []Lists) (out []string) {
	earliest, later := map[string]int{}, map[string]int{}
	for _, l := range all {
		for _, listed := range l.Sentences {
			key, k := laterKey(listed)
			if before, ok := earliest[key]; !ok || k < before {
				earliest[key] = k
			}
			if k != inFirst {
				later[key]++
			}
		}
	}
	for key, k := range earliest {
		if k == inFirst || later[key] == len(all) {
			out = append(out, key+endOf[k])
		}
	}
	slices.Sort(out)
	return out
}

// endOf is what follows the key of a sentence that only planners say, or only readers.
var endOf = map[int]string{inFirst: "", inPlanners: plannersEnd, inReaders: readersEnd}

const (
	plannersEnd = ".planners"
	readersEnd  = ".readers"
)

// laterKey is a key of the list without its end, and the module that this names.
func laterKey(listed string) (key string, module int) {
	if key, ok := strings.CutSuffix(listed, plannersEnd); ok {
		return key, inPlanners
	}
	if key, ok := strings.CutSuffix(listed, readersEnd); ok {
		return key, inReaders
	}
	return listed, inFirst
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Write writes the lists into wasm/build of the module that holds the working directory.
func (l Lists) Write(ctx context.Context) error {
	b, err := prepare(ctx, "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	for file, list := range map[string][]string{
		firstList: l.First, plannersList: l.Planners, readersList: l.Readers, sentencesList: l.Sentences,
	} {
		path := filepath.Join(b.module, "wasm", "build", file)
		if err := os.WriteFile(path, []byte(List(list)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Noted is the program in one piece, which notes what it runs and says: the global that is exported as "ran" and a
// function's number is 1 once the function has run, and the browser's function "said" hears the key of each sentence.
type Noted struct {
	Program []byte
	Names   []string                 // of functions, by number
	without [modules]map[string]bool // functions of the program without what that module brings and those after it
	keys    map[string][]string
}

// Note compiles the program that notes what it does.
func Note(ctx context.Context, goroot string) (*Noted, error) {
	b, parts, err := begin(ctx, goroot)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.temp)
	n := &Noted{}
	if n.keys, err = saidBy(parts); err != nil {
		return nil, err
	}
	program, err := b.link(ctx, parts, b.noteSentences)
	if err != nil {
		return nil, err
	}
	if program, err = pack(program, b.release); err != nil {
		return nil, err
	}
	m, ok := readModule(program)
	if !ok {
		return nil, errFormat
	}
	if err := m.count(); err != nil {
		return nil, err
	}
	n.Program, n.Names = nameless(m.sections.write()), m.names
	for k, change := range map[int]func([]part) error{
		inPlanners: b.without(plannerFiles, readerFiles), inReaders: b.without(readerFiles),
	} {
		less, err := b.link(ctx, parts, change)
		if err != nil {
			return nil, err
		}
		if m, ok = readModule(less); !ok {
			return nil, errFormat
		}
		n.without[k] = setOf(m.names)
	}
	return n, nil
}

// OnlyPlanners says whether a program without planners and readers lacks the function of that number.
func (n *Noted) OnlyPlanners(i int) bool { return n.lacks(inPlanners, i) }

// lacks says whether a program without a module and those after it lacks the function of that number.
func (n *Noted) lacks(module, i int) bool { return n.Names[i] != "" && !n.without[module][n.Names[i]] }

// Lists are the lists of a program that ran these functions, by number, and said the sentences of these keys until the
// first calculator of any chapter was live, and ran those on any page in all. What Go's own packages never ran comes
// last.
func (n *Noted) Lists(first, all []bool, said []string) Lists {
	l := Lists{First: nil, Sentences: said}
	module := map[string]int{}
	for i, name := range n.Names {
		switch {
		case first[i]:
			l.First = append(l.First, name)
		case n.lacks(inReaders, i), !all[i] && slices.Contains(idlePackages, packageOf(name)):
			l.Readers = append(l.Readers, name)
			module[name] = inReaders
		case n.OnlyPlanners(i):
			l.Planners = append(l.Planners, name)
			module[name] = inPlanners
		default:
			l.Chapters = append(l.Chapters, name)
		}
	}
	for key, functions := range n.keys {
		earliest := inReaders
		for _, name := range functions {
			earliest = min(earliest, module[name])
		}
		if earliest > inFirst {
			l.Sentences = append(l.Sentences, key+endOf[earliest])
		}
	}
	return l
}

// Again are the lists as they are of what came first and of what Go's own packages never ran, and besides what came
// first and what ran now, functions by number. All that follows from the source is new.
func (n *Noted) Again(cameFirst, ran []int) Lists {
	in := placed()
	first, all := make([]bool, len(n.Names)), make([]bool, len(n.Names))
	for i, name := range n.Names {
		first[i], all[i] = in(name) == inFirst, in(name) != inReaders
	}
	for _, i := range cameFirst {
		first[i] = true
	}
	for _, i := range ran {
		all[i] = true
	}
	var said []string
	for key := range names(listedSentences) {
		if _, k := laterKey(key); k == inFirst {
			said = append(said, key)
		}
	}
	return n.Lists(first, all, said)
}

// idlePackages are those of Go of which much is linked that never runs here: traces, traps, formats, reflection. What a
// reader's odd act may call of others isn't worth a fetch.
var idlePackages = []string{"runtime.", "fmt.", "reflect.", "internal_reflectlite.", "internal_abi.",
	"internal_fmtsort."}

// count adds the globals and lets each function set its own first.
func (m *module) count() error {
	globals, exports, code := m.sections.body(globalSection), m.sections.body(exportSection),
		m.sections.body(codeSection)
	if globals == nil || exports == nil {
		return errFormat
	}
	var bodies [][]byte
	for i, body := range m.bodies {
		global, ok := appended(globals, []byte{i32, 1, opI32Const, 0, opEnd})
		name := append(sized([]byte("ran"+strconv.Itoa(i))), kindGlobal)
		_, also := appended(exports, binary.AppendUvarint(name, uint64(global)))
		if !ok || !also {
			return errFormat
		}
		r := &reader{b: body}
		for range r.unsigned() { // its local variables
			r.unsigned()
			r.byte()
		}
		set := binary.AppendUvarint([]byte{opI32Const, 1, opGlobalSet}, uint64(global))
		bodies = append(bodies, sized(slices.Concat(body[:r.at], set, body[r.at:])))
	}
	*code = vector(bodies)
	return nil
}

// List is a sorted list of names as [names] reads it: those of a package below it, each after a tab.
func List(functions []string) string {
	var out []byte
	last := "\n" // no package
	for _, name := range functions {
		begin := packageOf(name)
		if name == "" {
			continue
		}
		if begin != last {
			out = append(append(out, begin...), '\n')
			last = begin
		}
		out = append(append(append(out, '\t'), name[len(begin):]...), '\n')
	}
	return string(out)
}

// names are the names of a list.
func names(list string) map[string]bool {
	all, below := map[string]bool{}, ""
	for line := range strings.Lines(list) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "\t"); ok {
			all[below+name] = true
		} else {
			below = line
		}
	}
	return all
}

// packageOf is the begin of a function's name in the linker's spelling, up to the dot after its package.
func packageOf(name string) string {
	dots := 1
	for i, c := range name {
		if c != '.' {
			continue
		}
		if dots--; dots < 0 || name[:i] != "github" && name[:i] != "golang" {
			return name[:i+1]
		}
	}
	return ""
}
