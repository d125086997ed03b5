package build

import (
	"context"
	"encoding/binary"
	"os"
	"slices"
	"strconv"
)

// Counted is the program without planners in one piece, in which each function notes that it ran: the global that is
// exported as "ran" and the function's number is 1 then. With the numbers come the functions' names.
func Counted(ctx context.Context, goroot string) (program []byte, names []string, err error) {
	b, parts, err := begin(ctx, goroot, []string{Lean})
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(b.temp)
	if program, err = b.link(ctx, parts); err != nil {
		return nil, nil, err
	}
	if program, err = pack(program, b.known()); err != nil {
		return nil, nil, err
	}
	m, ok := readModule(program)
	if !ok {
		return nil, nil, errFormat
	}
	if err := m.count(); err != nil {
		return nil, nil, err
	}
	return nameless(m.sections.write()), m.names, nil
}

// count adds the globals and lets each function set its own first.
func (m *module) count() error {
	globals, exports, code := m.sections.body(globalSection), m.sections.body(exportSection), m.sections.body(codeSection)
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

// List is a list of names as split reads it: those of a package below it, each after a tab.
func List(functions []string) string {
	var out []byte
	last := "\n" // no package
	for _, name := range slices.Compact(slices.Sorted(slices.Values(functions))) {
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
