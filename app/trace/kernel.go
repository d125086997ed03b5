package trace

import (
	_ "embed"
	"strings"
)

// rulesText tells what kernels do by their names, a line for each kind of one library. A pattern of it is
//
//	name     the last part of the function's own name; name* begins it, *name ends it
//	ns::     before such a name: a namespace around it
//	+words   words of the own name: +all_reduce is in oneShotAllReduceKernel; +word* begins one
//	<name    a name among its template arguments
//
// The first line fits of which one pattern does. A line that begins with > says whose a namespace is.
//
//go:embed kernels.txt
var rulesText string

// rule is a line: what a kernel does, whose it is, and the patterns of which one must fit.
type rule struct {
	does, library string
	patterns      []string
}

// rules are the rules, and the libraries by their namespaces.
type rules struct {
	list  []rule
	owner map[string]string
}

func readRules() *rules {
	r := &rules{owner: map[string]string{}}
	for line := range strings.Lines(rulesText) {
		words := strings.Fields(line)
		if words[0] == ">" {
			r.owner[strings.ToLower(words[1])] = strings.Join(words[2:], " ")
		} else {
			library := strings.TrimPrefix(strings.ReplaceAll(words[1], "_", " "), "-")
			r.list = append(r.list, rule{words[0], library, words[2:]})
		}
	}
	return r
}

// kernel is the name of a kernel in its parts, all in small letters.
type kernel struct {
	spaces []string // namespaces, the outer one first; of a wrapper also those of what it wraps
	base   string   // its own name
	words  string   // the words of that, each between underscores
	inner  []string // all names among its template arguments
	owner  string   // the outer namespace
}

// classify is what a rule says of a kernel. It is nothing of one that no rule knows.
func (r *rules) classify(name string) (does, library string) {
	k := parseKernel(name, 0)
	for i := range r.list {
		for _, p := range r.list[i].patterns {
			if !k.fits(p) {
				continue
			}
			does, library = r.list[i].does, r.list[i].library
			if owner := r.owner[k.owner]; owner != "" {
				library = owner
			} else if library == "" && len(k.spaces) > 0 { // of a wrapper, if what it wraps is nobody's
				library = r.owner[k.spaces[0]]
			}
			return does, library
		}
	}
	return "", ""
}

// fits tells whether a pattern fits.
func (k *kernel) fits(p string) bool {
	space, own, ok := strings.Cut(p, "::")
	if !ok {
		return k.named(p)
	}
	for _, s := range k.spaces {
		if s == space {
			return own == "*" || k.fits(own)
		}
	}
	return false
}

// named tells whether a pattern without namespaces fits.
func (k *kernel) named(p string) bool {
	begin, open := strings.CutSuffix(p, "*")
	switch p[0] {
	case '+':
		if !open {
			begin += "_"
		}
		return strings.Contains(k.words, "_"+begin[1:])
	case '<':
		for _, name := range k.inner {
			if name == begin[1:] || open && strings.HasPrefix(name, begin[1:]) {
				return true
			}
		}
		return false
	case '*':
		return strings.HasSuffix(k.base, p[1:])
	}
	bare := strings.TrimLeft(k.base, "_") // as Triton's kernels are called, whose authors keep them to themselves
	fits := func(name string) bool { return name == begin || open && strings.HasPrefix(name, begin) }
	return fits(k.base) || fits(bare)
}

// wrappers are functions that only run what their first template argument is.
const wrappers = "|kernel|kernel2|device_kernel|kentry|globalfn|invoke_kernel|"

// parseKernel takes a name apart: `void a::b<c::d<4>, e>(f)` is b in a, with c, d and e among its arguments.
func parseKernel(name string, depth int) (k kernel) {
	name = plain(name)
	if rest, ok := strings.CutPrefix(name, "_ZTS"); ok { // of SYCL, by the type of the kernel
		name = "_Z" + rest
	}
	if strings.HasPrefix(name, "_Z") {
		k.spaces, k.inner = mangled(name)
	} else {
		name = name[:arguments(name)]
		if at := lastSpace(name); at >= 0 {
			name = name[at+1:]
		}
		k.spaces, k.inner = parts(name)
	}
	if n := len(k.spaces); n > 0 {
		k.base, k.spaces = unnumbered(k.spaces[n-1]), k.spaces[:n-1]
		k.words = "_" + words(k.base) + "_"
	}
	wraps := strings.Contains(wrappers, "|"+strings.ToLower(k.base)+"|") || strings.HasPrefix(k.base, "enable_")
	if !wraps || !strings.HasPrefix(name, "_Z") {
		k.lower()
	}
	k.owner = k.base
	if len(k.spaces) > 0 {
		k.owner = k.spaces[0]
	}
	if depth == 4 || !wraps {
		return k
	}
	if what := wrapped(name); what != "" {
		inside := parseKernel(what, depth+1)
		inside.spaces = append(append(k.spaces, k.base), inside.spaces...)
		return inside
	}
	return k.unwrap()
}

// unwrap is what the kernel of a symbol wraps: the first of the names of its arguments that is that of a type.
func (k kernel) unwrap() kernel {
	for i, name := range k.inner {
		low := strings.ToLower(name)
		ordinary := low == name && !strings.Contains(name, "_") // as tuple, array: none of a kernel
		if ordinary || strings.HasPrefix(low, "enable_") || strings.HasPrefix(low, "gfx") {
			continue
		}
		k.spaces = append(append(k.spaces, k.base), k.inner[:i]...)
		k.words, k.base, k.inner = "_"+words(name)+"_", name, k.inner[i:]
		if k.owner = k.base; i > 0 {
			k.owner = k.spaces[len(k.spaces)-i]
		}
		break
	}
	k.lower()
	return k
}

// lower puts the names in small letters.
func (k *kernel) lower() {
	k.base = strings.ToLower(k.base)
	for _, list := range [][]string{k.spaces, k.inner} {
		for i := range list {
			list[i] = strings.ToLower(list[i])
		}
	}
}

// plain is a name without what says nothing.
func plain(name string) string {
	for _, noise := range [...]string{"(anonymous namespace)::", "<unnamed>::", "{anonymous}::", "_GLOBAL__N__::",
		" [clone .kd]"} {
		name = strings.ReplaceAll(name, noise, "")
	}
	if strings.HasPrefix(name, "kernel_cutlass_") { // of CUTLASS in Python: what follows are its arguments
		name, _, _ = strings.Cut(name, "_object_at_")
		name, _, _ = strings.Cut(name, "_tensorptr")
	}
	// its result's type
	if _, of, ok := strings.Cut(name, ">::type "); ok && strings.HasPrefix(name, "std::enable_if<") {
		name = of
	}
	return strings.TrimSuffix(strings.TrimSpace(name), ".kd")
}

// unnumbered is a name without the number that tells it from others of its kind: fusion.3, loop_add_fusion_12.
func unnumbered(name string) string {
	cut := strings.TrimRight(name, "0123456789")
	if len(cut) < len(name) && (strings.HasSuffix(cut, ".") || strings.HasSuffix(cut, "fusion_")) {
		return unnumbered(cut[:len(cut)-1])
	}
	return name
}

// lastSpace is the last blank outside of all brackets; -1 if there is none.
func lastSpace(name string) int {
	at, depth := -1, 0
	for i := range len(name) {
		switch name[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			depth--
		case ' ':
			if depth == 0 && i+1 < len(name) {
				at = i
			}
		}
	}
	return at
}

// wrapped is the first template argument that is a type of its own, not a number.
func wrapped(name string) string {
	begin := strings.IndexByte(name, '<')
	if begin < 0 {
		return ""
	}
	depth, from := 0, begin+1
	for i := from; i < len(name); i++ {
		switch name[i] {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		}
		if depth < 0 || depth == 0 && name[i] == ',' {
			if arg := strings.TrimSpace(name[from:i]); isType(arg) {
				return arg
			}
			from = i + 1
		}
		if depth < 0 {
			return ""
		}
	}
	return strings.TrimSpace(name[from:]) // the name is cut off
}

// isType tells whether an argument is a type that may be wrapped: no number, and not what composable kernel says of the
// device, as ck_tile::gfx950_t.
func isType(arg string) bool {
	return arg != "" && arg[0] != '(' && !(arg[0] >= '0' && arg[0] <= '9') && !strings.HasPrefix(arg, "ck_tile::gfx")
}

// parts are the names outside of angles, and those within.
func parts(name string) (outer, inner []string) {
	depth, from := 0, 0
	add := func(to int) {
		if part := strings.Trim(name[from:to], " *&"); part != "" && depth == 0 {
			outer = append(outer, part)
		} else if part != "" && len(inner) < 64 {
			inner = append(inner, part)
		}
	}
	for i := range len(name) {
		switch c := name[i]; c {
		case '<', '>', ':', ',', '(', ')', ' ', '{', '}', '[', ']':
			if add(i); c == '<' {
				depth++
			} else if c == '>' {
				depth = max(0, depth-1)
			}
			from = i + 1
		}
	}
	add(len(name))
	return outer, inner
}

// mangled are the names of a symbol of C++: _ZN5aiter3fooIfEE has aiter and foo, and then those of its arguments.
func mangled(name string) (outer, inner []string) {
	i := len("_Z")
	nested := i < len(name) && name[i] == 'N'
	own := true
	for i < len(name) {
		n, from := 0, i
		for ; i < len(name) && name[i] >= '0' && name[i] <= '9'; i++ {
			n = min(n*10+int(name[i]-'0'), len(name))
		}
		switch {
		case i == from:
			c := name[i]
			if c == 'I' || c == 'E' {
				own = false
			}
			i++
			if c == 'L' && !own { // a number among the arguments: Li256E
				i += literal(name[i:])
			}
		case n == 0 || i+n > len(name):
		case own && !strings.HasPrefix(name[i:], "_GLOBAL__N"):
			outer, own = append(outer, name[i:i+n]), nested
			i += n
		default:
			if len(inner) < 64 {
				inner = append(inner, name[i:i+n])
			}
			i += n
		}
	}
	return outer, inner
}

// literal is how many bytes of a symbol are a number behind its L: the letter of its type, digits, E; 0 if they are
// none.
func literal(name string) int {
	n := 1
	for n < len(name) && (name[n] >= '0' && name[n] <= '9' || n == 1 && name[n] == 'n') {
		n++
	}
	if n < 2 || n >= len(name) || name[n] != 'E' || name[0] < 'a' || name[0] > 'z' {
		return 0
	}
	return n + 1
}

// words are the words of a name in small letters, between underscores: FusedAddRMSNormKernel is
// fused_add_rms_norm_kernel, s16816gemm is s16816_gemm.
func words(name string) string {
	name = strings.ReplaceAll(name, "MoE", "Moe")
	b := make([]byte, 0, 2*len(name))
	kind := func(i int) byte {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z':
			return 'a'
		case c >= 'A' && c <= 'Z':
			return 'A'
		case c >= '0' && c <= '9':
			return '0'
		}
		return '_'
	}
	for i := range len(name) {
		k := kind(i)
		if i > 0 {
			before := kind(i - 1)
			begins := k == 'A' && (before == 'a' || before == '0') || k == 'a' && before == '0' ||
				k == 'A' && before == 'A' && i+1 < len(name) && kind(i+1) == 'a'
			if begins {
				b = append(b, '_')
			}
		}
		if k == '_' {
			b = append(b, '_')
		} else {
			b = append(b, name[i]|0x20*byte(b2i(k == 'A')))
		}
	}
	return string(b)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Short is the name without what says nothing of the operation: of a kernel in C++ what it gives and takes, and the
// namespaces of PyTorch. Two kernels of one template differ in what comes late in their names.
func (s *Spent) Short() string {
	name, ok := strings.CutPrefix(s.Name, "void ")
	if !ok || name == "" {
		return s.Name
	}
	name = unwrapped(name)
	for _, space := range [...]string{"at::native::", "at::detail::", "(anonymous namespace)::"} {
		name = strings.ReplaceAll(name, space, "")
	}
	return strings.TrimSpace(name[:arguments(name)])
}

// unwrapped is what a kernel wraps that does nothing itself: of cutlass::device_kernel<flash::FlashAttnFwdSm90<...> >
// the template's first argument, which tells forward from backward.
func unwrapped(name string) string {
	for range 4 {
		begin := strings.IndexByte(name, '<')
		own := name[:max(0, begin)]
		own = strings.ToLower(own[strings.LastIndexByte(own, ':')+1:])
		what := ""
		if strings.Contains(wrappers, "|"+own+"|") || strings.HasPrefix(own, "enable_") {
			what = wrapped(name)
		}
		if what == "" {
			return name
		}
		name = what
	}
	return name
}

// arguments is where the list of arguments begins that ends a name: an open parenthesis outside of all angles.
func arguments(name string) int {
	depth := 0
	for i, c := range name {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth == 0 {
				return i
			}
		}
	}
	return len(name)
}
