package build

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// release is what the passes that know Go's own tables must know of a release of Go. The zero value is an unknown one.
type release struct {
	name string // "go1.26"
	// Words of the module's description (struct moduledata in runtime/symtab.go).
	findfunctab int // where that table lies
	types       int // where the descriptions of types begin
	typesEnd    int // and where they end
	gofunc      int // where the data of functions begin
	// The last numbers of the versions that pages were opened with. Others may inline other functions where Go starts
	// and nothing can be left for later; there, all that could be called stays in the first module: 90 KB.
	tried []string
}

// releases are those whose pclntab and whose calls are known, and which the tests have run. RELEASES.md says how to add
// the next one.
var releases = []release{
	{name: "go1.26", findfunctab: 19, types: 37, typesEnd: 38, gofunc: 40, tried: []string{"7", "8", "9", "10", "11"}},
	{name: "go1.27", findfunctab: 19, types: 37, typesEnd: 39, gofunc: 43, tried: []string{"3", "4"}},
}

func (r release) known() bool { return r.name != "" }

// releaseOf is the release of a version of Go, such as "go1.26.8" or what a file VERSION holds.
func releaseOf(version string) release {
	version, _, _ = strings.Cut(version, "\n")
	for _, r := range releases {
		if rest, ok := strings.CutPrefix(version, r.name); ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return r
		}
	}
	return release{}
}

// isTried says whether pages were opened with a version of the release.
func (r release) isTried(version string) bool {
	version, _, _ = strings.Cut(version, "\n")
	patch, ok := strings.CutPrefix(version, r.name+".")
	return r.known() && ok && slices.Contains(r.tried, patch)
}

// Known are the folders of the Go installations of the last versions that were tried, one of each known release. Those
// that aren't here are fetched by Go.
func Known(ctx context.Context) (roots []string, err error) {
	for _, r := range releases {
		version := r.name + "." + r.tried[len(r.tried)-1]
		c := exec.CommandContext(ctx, "go", "env", "GOROOT")
		c.Env = append(os.Environ(), "GOTOOLCHAIN="+version)
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("%s can't be fetched: %w", version, err)
		}
		roots = append(roots, strings.TrimSpace(string(out)))
	}
	return roots, nil
}

// known names the releases that are.
func known() string {
	var names []string
	for _, r := range releases {
		names = append(names, r.name)
	}
	return strings.Join(names, " and ")
}

// What the passes that need a known release saved when they were last measured, as parts of a program's download, and
// what stand-ins for packages of the standard library and our own flags saved.
const (
	strippedShare = 0.16
	standInShare  = 0.31
)

// leftOut is one line about what this release of Go is too new or too old for; empty if there is nothing.
func (b *builder) leftOut(program []byte) string {
	if b.release.known() && b.standIns {
		return ""
	}
	version, _, _ := strings.Cut(b.version, "\n")
	share, what := 0.0, version
	if !b.release.known() {
		share += strippedShare
		what += " isn't known here (only " + known() + "), so that the pclntab stays whole and the program in one piece"
	}
	if !b.standIns {
		share += standInShare
		what += ": nothing stands in for packages of the standard library: " + b.why
	}
	more := int(share / (1 - share) * float64(zipped(program)))
	return fmt.Sprintf("wasm/build: %s; the browser's program is correct, but about %d KB larger to download; see "+
		"wasm/build/RELEASES.md", what, more/1000)
}

// The passes know these declarations of the runtime, as words of eight bytes or as fields of an entry, and these
// numbers. Inspect holds them against the source of a Go installation.
var (
	// knownHeader are the fields of struct pcHeader; atCount, atParts and headerSize say where some of them lie.
	knownHeader = "magic abi.PCLnTabMagic, pad1 uint8, pad2 uint8, minLC uint8, ptrSize uint8, nfunc int, " +
		"nfiles uint, _ uintptr, funcnameOffset uintptr, cuOffset uintptr, filetabOffset uintptr, " +
		"pctabOffset uintptr, pclnOffset uintptr"
	// knownEntry are the fields of struct _func: atName, atStack and the others say where they lie.
	knownEntry = "NotInHeap sys.NotInHeap, entryOff uint32, nameOff int32, args int32, deferreturn uint32, " +
		"pcsp uint32, pcfile uint32, pcln uint32, npcdata uint32, cuOffset uint32, startLine int32, " +
		"funcID abi.FuncID, flag abi.FuncFlag, _ [1]byte, nfuncdata uint8"
	// knownType and knownStruct are the fields of the descriptions of types: see types.go.
	knownType = "Size_ uintptr, PtrBytes uintptr, Hash uint32, TFlag TFlag, Align_ uint8, FieldAlign_ uint8, " +
		"Kind_ Kind, Equal func, GCData *byte, Str NameOff, PtrToThis TypeOff"
	knownStruct = "Type Type, PkgPath Name, Fields []StructField"
	// knownInterface and the next ones are the fields of the descriptions of methods.
	knownInterface = "Type Type, PkgPath Name, Methods []Imethod"
	knownImethod   = "Name NameOff, Typ TypeOff"
	knownUncommon  = "PkgPath NameOff, Mcount uint16, Xcount uint16, Moff uint32, _ uint32"
	knownMethod    = "Name NameOff, Mtyp TypeOff, Ifn TextOff, Tfn TextOff"
	// knownNumbers are the kinds of PCDATA and FUNCDATA.
	knownNumbers = "PCDATA_UnsafePoint=0 PCDATA_StackMapIndex=1 PCDATA_InlTreeIndex=2 PCDATA_ArgLiveIndex=3 " +
		"PCDATA_PanicBounds=4 FUNCDATA_ArgsPointerMaps=0 FUNCDATA_LocalsPointerMaps=1 FUNCDATA_StackObjects=2 " +
		"FUNCDATA_InlTree=3 FUNCDATA_OpenCodedDeferInfo=4 FUNCDATA_ArgInfo=5 FUNCDATA_ArgLiveInfo=6 FUNCDATA_WrapInfo=7"
)

// Inspect reads in the source of the Go installation at goroot what the passes must know of it. It returns the line for
// the table in releases.go, and what has changed beside that; nothing if all else is as it was.
func Inspect(goroot, version string) (line string, changes []string, err error) {
	files := map[string]*ast.File{}
	for _, name := range []string{
		"runtime/symtab.go", "runtime/runtime2.go", "internal/abi/symtab.go", "internal/abi/type.go",
	} {
		path := filepath.Join(goroot, "src", filepath.FromSlash(name))
		if files[name], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution); err != nil {
			return "", nil, err
		}
	}
	words, change := moduleWords(files["runtime/symtab.go"])
	if change != "" {
		changes = append(changes, change)
	}
	for _, s := range []struct{ file, name, want string }{
		{"runtime/symtab.go", "pcHeader", knownHeader}, {"runtime/runtime2.go", "_func", knownEntry},
		{"internal/abi/type.go", "Type", knownType}, {"internal/abi/type.go", "StructType", knownStruct},
		{"internal/abi/type.go", "InterfaceType", knownInterface}, {"internal/abi/type.go", "Imethod", knownImethod},
		{"internal/abi/type.go", "UncommonType", knownUncommon}, {"internal/abi/type.go", "Method", knownMethod},
	} {
		if got := fieldsOf(files[s.file], s.name); got != s.want {
			changes = append(changes,
				fmt.Sprintf("struct %s of %s: its fields are %s; known are %s", s.name, s.file, got, s.want))
		}
	}
	got := numbersOf(files["internal/abi/symtab.go"])
	for _, pair := range strings.Fields(knownNumbers) {
		name, want, _ := strings.Cut(pair, "=")
		if got[name] != want {
			changes = append(changes,
				fmt.Sprintf("%s of internal/abi/symtab.go is %q; known is %s", name, got[name], want))
		}
		delete(got, name)
	}
	for name, value := range got {
		changes = append(changes, fmt.Sprintf("%s of internal/abi/symtab.go, %s, isn't known", name, value))
	}
	name := strings.Join(strings.SplitN(strings.Split(version, "-")[0], ".", 3)[:2], ".")
	line = fmt.Sprintf("{name: %q, findfunctab: %d, types: %d, typesEnd: %d, gofunc: %d},",
		name, words["findfunctab"], words["types"], words["etypes"], words["gofunc"])
	return line, changes, nil
}

// structOf is the declaration of a struct; nil if there is none.
func structOf(f *ast.File, name string) *ast.StructType {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, s := range g.Specs {
				if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name {
					s, _ := t.Type.(*ast.StructType)
					return s
				}
			}
		}
	}
	return nil
}

// moduleWords is at which word of struct moduledata each field lies, up to the one that is needed last.
func moduleWords(f *ast.File) (words map[string]int, change string) {
	words = map[string]int{}
	s := structOf(f, "moduledata")
	if s == nil {
		return words, "there is no struct moduledata in runtime/symtab.go"
	}
	at := 0
	for _, field := range s.Fields.List {
		size := 0
		switch t := field.Type.(type) {
		case *ast.StarExpr:
			size = 1
		case *ast.ArrayType:
			size = 3
			if t.Len != nil {
				size = 0
			}
		case *ast.Ident:
			size = map[string]int{"uintptr": 1, "string": 2}[t.Name]
		}
		for _, name := range field.Names {
			if size == 0 && words["gofunc"] == 0 {
				return words, "struct moduledata of runtime/symtab.go: " + name.Name + " has a size that isn't known"
			}
			words[name.Name] = at
			at += size
		}
	}
	for _, name := range []string{"findfunctab", "types", "etypes", "gofunc"} {
		if words[name] == 0 {
			return words, "struct moduledata of runtime/symtab.go has no " + name
		}
	}
	return words, ""
}

// fieldsOf are the fields of a struct, a name and a type each.
func fieldsOf(f *ast.File, name string) string {
	s := structOf(f, name)
	if s == nil {
		return "not there"
	}
	var all []string
	for _, field := range s.Fields.List {
		kind := typeText(field.Type)
		if len(field.Names) == 0 {
			all = append(all, kind[strings.LastIndex(kind, ".")+1:]+" "+kind)
		}
		for _, n := range field.Names {
			all = append(all, n.Name+" "+kind)
		}
	}
	return strings.Join(all, ", ")
}

func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.FuncType:
		return "func"
	case *ast.ArrayType:
		if n, ok := e.Len.(*ast.BasicLit); ok {
			return "[" + n.Value + "]" + typeText(e.Elt)
		}
		return "[]" + typeText(e.Elt)
	}
	return "?"
}

// numbersOf are the constants PCDATA_… and FUNCDATA_…, whichever way they are counted.
func numbersOf(f *ast.File) map[string]string {
	out := map[string]string{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		counts := false
		for i, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			value := strconv.Itoa(i)
			if len(v.Values) == 1 {
				n, literal := v.Values[0].(*ast.BasicLit)
				counts = !literal
				if literal {
					value = n.Value
				}
			} else if !counts {
				value = "?"
			}
			for _, n := range v.Names {
				if strings.HasPrefix(n.Name, "PCDATA_") || strings.HasPrefix(n.Name, "FUNCDATA_") {
					out[n.Name] = value
				}
			}
		}
	}
	return out
}
