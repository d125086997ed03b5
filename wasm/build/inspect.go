package build

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// The passes know these declarations of the runtime, as words of eight bytes or as fields of an entry, and these
// numbers. Inspect holds them against the source of a Go installation.
var (
	// knownHeader are the fields of struct pcHeader; atCount, atParts and headerSize say where some of them lie.
	knownHeader = "magic abi.PCLnTabMagic, pad1 uint8, pad2 uint8, minLC uint8, ptrSize uint8, nfunc int, " +
		"nfiles uint, _ uintptr, funcnameOffset uintptr, cuOffset uintptr, filetabOffset uintptr, " +
		"pctabOffset uintptr, pclnOffset uintptr"
	// knownEntry are the fields of struct _func: atName, atStack and the others say where they lie.
	knownEntry = "NotInHeap sys.NotInHeap, entryOff uint32, nameOff int32, args int32, deferreturn uint32, pcsp uint32, " +
		"pcfile uint32, pcln uint32, npcdata uint32, cuOffset uint32, startLine int32, funcID abi.FuncID, " +
		"flag abi.FuncFlag, _ [1]byte, nfuncdata uint8"
	// knownType and knownStruct are the fields of the descriptions of types: see closures.go.
	knownType = "Size_ uintptr, PtrBytes uintptr, Hash uint32, TFlag TFlag, Align_ uint8, FieldAlign_ uint8, Kind_ Kind, " +
		"Equal func, GCData *byte, Str NameOff, PtrToThis TypeOff"
	knownStruct = "Type Type, PkgPath Name, Fields []StructField"
	// knownNumbers are the kinds of PCDATA and FUNCDATA.
	knownNumbers = "PCDATA_UnsafePoint=0 PCDATA_StackMapIndex=1 PCDATA_InlTreeIndex=2 PCDATA_ArgLiveIndex=3 " +
		"PCDATA_PanicBounds=4 FUNCDATA_ArgsPointerMaps=0 FUNCDATA_LocalsPointerMaps=1 FUNCDATA_StackObjects=2 " +
		"FUNCDATA_InlTree=3 FUNCDATA_OpenCodedDeferInfo=4 FUNCDATA_ArgInfo=5 FUNCDATA_ArgLiveInfo=6 FUNCDATA_WrapInfo=7"
)

// Inspect reads in the source of the Go installation at goroot what the passes must know of it. It returns the line for
// the table in releases.go, and what has changed beside that; nothing if all else is as it was.
func Inspect(goroot, version string) (line string, changes []string, err error) {
	files := map[string]*ast.File{}
	for _, name := range []string{"runtime/symtab.go", "runtime/runtime2.go", "internal/abi/symtab.go", "internal/abi/type.go"} {
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
	} {
		if got := fieldsOf(files[s.file], s.name); got != s.want {
			changes = append(
				changes,
				fmt.Sprintf("struct %s of %s: its fields are %s; known are %s", s.name, s.file, got, s.want),
			)
		}
	}
	got := numbersOf(files["internal/abi/symtab.go"])
	for _, pair := range strings.Fields(knownNumbers) {
		name, want, _ := strings.Cut(pair, "=")
		if got[name] != want {
			changes = append(changes, fmt.Sprintf("%s of internal/abi/symtab.go is %q; known is %s", name, got[name], want))
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
