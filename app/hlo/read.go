package hlo

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
)

// Reader reads a module step by step. Make one with NewReader.
type Reader struct {
	*Module
	lines  cutter
	now    *Computation // that is being read; nil outside of any
	loose  *Computation // operations that stand in none
	ops    int
	tables bool // within the tables of sources that a module may begin with
	ended  bool
}

// slice is how many bytes a step reads.
const slice = 32 << 10

// NewReader begins to read a module, a computation, or some operations of one. The error says why it can't be any.
func NewReader(text string) (*Reader, error) {
	if len(text) > MaxBytes {
		return nil, phrase.New("hlo.too-long", "most", MaxBytes>>20)
	}
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		if other := pasted.Other(text, "hlo", "binary"); other != nil {
			return nil, phrase.Fault{What: other, Remedy: phrase.New("hlo.paste")}
		}
		return nil, phrase.New("hlo.no-text")
	}
	text = bare(text)
	return &Reader{Module: &Module{named: map[string]*Computation{}, taps: mostTaps, looks: allLooks,
		counted: map[*Op]float64{}, callers: map[*Computation]caller{}}, loose: newComputation(""),
		lines: cutter{text: text}}, nil
}

// Read reads a module as a whole. It is an error if there is no operation at all.
func Read(text string) (*Module, error) {
	r, err := NewReader(text)
	if err != nil {
		return nil, err
	}
	for r.Step() {
	}
	return r.Whole()
}

// maxStray is how many lines that are no operations Check looks at.
const maxStray = 1000

// Check tells what is wrong with a text in which no operation can be found.
func Check(text string) error {
	r, err := NewReader(text)
	for err == nil && r.ops == 0 && !r.ended && r.Unread < maxStray {
		r.one()
	}
	if err == nil && r.ops == 0 {
		err = r.nothing()
	}
	return err
}

// Step reads a slice, and says whether there is more.
func (r *Reader) Step() (more bool) {
	for until := r.lines.pos + slice; r.lines.pos < until && !r.ended; {
		r.one()
	}
	return !r.ended
}

// one reads one line.
func (r *Reader) one() {
	l := r.lines.next()
	r.ended = l.text == "" || !r.line(l)
}

// Done is how much is read, from 0 to 1.
func (r *Reader) Done() float64 { return float64(r.lines.pos) / float64(max(1, len(r.lines.text))) }

// Whole is the module once all is read. It is an error if there is no operation at all.
func (r *Reader) Whole() (*Module, error) {
	if r.now != nil {
		r.Lacks = phrase.New("hlo.cut", "name", phrase.Printable(r.now.Name, 40))
		r.fault(0, r.Lacks)
		r.now = nil
	}
	if len(r.loose.Ops) > 0 {
		r.Computations = append(r.Computations, r.loose)
		r.loose = newComputation("")
	}
	if r.Entry == nil && len(r.Computations) > 0 {
		if r.Entry = r.Computations[len(r.Computations)-1]; r.Entry.Name != "" {
			r.Lacks = phrase.New("hlo.no-entry", "name", phrase.Printable(r.Entry.Name, 40))
		}
	}
	if r.ops == 0 {
		return nil, r.nothing()
	}
	return r.Module, nil
}

func newComputation(name string) *Computation {
	return &Computation{Name: name, ops: map[string]int{}}
}

// nothing is why a text has no operation: what its first line is instead.
func (r *Reader) nothing() error {
	if head := r.lines.text[:min(len(r.lines.text), slice)]; strings.Contains(head, "stablehlo.") ||
		strings.Contains(head, "mhlo.") || strings.Contains(head, "func.func") {
		return phrase.New("hlo.mlir")
	}
	if len(r.Faults) == 0 {
		return phrase.New("hlo.empty")
	}
	if other := pasted.Other(r.lines.text, "hlo"); other != nil {
		return phrase.Fault{What: other, Remedy: phrase.New("hlo.paste")}
	}
	return phrase.New("hlo.none", "line", r.Faults[0].Line, "what", r.Faults[0].What)
}

// line reads a line, and is false when there are too many operations.
func (r *Reader) line(l line) bool {
	switch s := l.text; {
	case r.tables && digit(rune(s[0])), strings.HasPrefix(s, "```"):
	case strings.HasPrefix(s, "HloModule "):
		r.module(s)
	case s == "FileNames" || s == "FunctionNames" || s == "FileLocations" || s == "StackFrames":
		r.tables = true
		return true
	case strings.HasPrefix(s, "}"):
		if r.now != nil {
			r.now.Thread = threadOf(s)
		}
		r.now = nil
	case header(s):
		r.computation(s)
	default:
		return r.operation(l)
	}
	r.tables = r.tables && digit(rune(l.text[0]))
	return true
}

// module begins a module. Of several, as passes of the compiler print them, the last is what was compiled furthest.
func (r *Reader) module(s string) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(s, "HloModule "), ",")
	r.Name = strings.TrimSpace(name)
	if len(r.Computations) > 0 {
		r.Computations, r.Entry, r.now = nil, nil, nil
		clear(r.named)
		r.Lacks = phrase.New("hlo.several", "name", phrase.Printable(r.Name, 40))
	}
	r.Scheduled = strings.Contains(rest, "is_scheduled=true")
	o := Op{rest: rest}
	r.Devices = o.whole("num_partitions") * o.whole("replica_count")
}

func (r *Reader) computation(s string) {
	name, entry := strings.CutPrefix(s, "ENTRY ")
	w := scan{src: strings.TrimLeft(name, " %")}
	r.now = newComputation(w.word())
	r.Computations = append(r.Computations, r.now)
	r.named[r.now.Name] = r.now
	if entry {
		r.Entry = r.now
	}
}

func (r *Reader) operation(l line) bool {
	if r.ops++; r.ops > MaxOps {
		r.fault(l.number, phrase.New("hlo.many", "most", MaxOps))
		r.ops--
		return false
	}
	c := r.now
	if c == nil {
		c = r.loose
	}
	text, ended := ending(l.text)
	o, fault := operation(text)
	if o.Line = l.number; fault == nil {
		r.hold(&o)
		if c.link(&o); o.bare && !r.infer(&o) {
			fault = phrase.New("hlo.shape-none", "at", phrase.Printable(o.Code+"("+o.inside+")", 20))
		}
	}
	if fault != nil {
		r.ops--
		r.fault(l.number, fault)
		return true
	}
	c.add(o)
	if ended {
		r.now = nil
	}
	return true
}

// ending takes the brace that ends a computation off its last operation, where that stands in the same line.
func ending(text string) (operation string, ended bool) {
	var n nest
	if text[len(text)-1] == '}' {
		n.read(text, text)
	}
	if n.depth == -1 {
		return strings.TrimSpace(text[:len(text)-1]), true
	}
	return text, false
}

// hold takes the computations out of a line that they stand in, and has it name them instead.
func (r *Reader) hold(o *Op) {
	if !strings.Contains(o.rest, "{") || !strings.Contains(o.rest, " = ") {
		return
	}
	for _, attr := range bodies {
		text := strings.TrimSpace(o.Attr(attr))
		if !strings.HasPrefix(text, "{") || !strings.Contains(text, " = ") {
			continue
		}
		c := newComputation(o.Name + "." + attr)
		outer := r.now
		r.now = c
		lines := cutter{text: strings.TrimSuffix(text[1:], "}"), number: o.Line}
		for l := lines.next(); l.text != "" && r.operation(l); l = lines.next() {
		}
		r.now = outer
		r.Computations = append(r.Computations, c)
		r.named[c.Name] = c
		o.rest = strings.Replace(o.rest, text, c.Name, 1)
	}
}

// infer finds the shape of an operation that is written without one, where that of what it takes or runs says it.
func (r *Reader) infer(o *Op) bool {
	for i := range o.Operands {
		if o.Operands[i].Shape == nil {
			return false
		}
	}
	switch first := o.operand(0); {
	case o.Code == "tuple":
		for i := range o.Operands {
			o.Shape.Tuple = append(o.Shape.Tuple, *o.operand(i))
		}
		return true
	case o.Code == "after-all":
		o.Shape.Type = "token"
		return true
	case o.Code == "get-tuple-element":
		part := o.dims("index")
		if len(part) != 1 || int(part[0]) >= len(first.Tuple) {
			return false
		}
		o.Shape = first.Tuple[int(part[0])]
		return true
	case o.Code == "fusion" || o.Code == "call":
		inner := r.inside(o)
		if inner == nil || inner.Root() == nil {
			return false
		}
		o.Shape = inner.Root().Shape
		return true
	case o.Code == "select" || o.Code == "clamp":
		o.Shape = *o.operand(1)
	case o.Code == "compare" || o.Code == "is-finite":
		o.Shape = *first
		o.Shape.Type = "pred"
	case strings.Contains(elementwise+"copy|while|all-reduce|collective-permute|opt-barrier|", "|"+o.Code+"|"):
		o.Shape = *first
	}
	return o.Shape.Type != "" || len(o.Shape.Tuple) > 0
}

// threadOf is what `execution_thread="host"` says.
func threadOf(text string) string {
	_, thread, _ := strings.Cut(text, `execution_thread="`)
	thread, _, _ = strings.Cut(thread, `"`)
	return thread
}

// link links an operation to those that give what it takes.
func (c *Computation) link(o *Op) {
	for i := range o.Operands {
		from, ok := c.ops[o.Operands[i].Name]
		if o.Operands[i].From = -1; !ok {
			continue
		}
		o.Operands[i].From = from
		if o.Operands[i].Shape == nil {
			o.Operands[i].Shape = &c.Ops[from].Shape
		}
	}
}

// add adds an operation that is linked.
func (c *Computation) add(o Op) {
	for i := range o.Operands {
		if from := o.Operands[i].From; from >= 0 {
			c.uses(&o, from)
		}
	}
	c.ops[o.Name] = len(c.Ops)
	c.Ops = append(c.Ops, o)
}

// uses notes what an operation uses of what another gives: a part of a tuple, or the whole. The end of what was begun
// gives what that began.
func (c *Computation) uses(by *Op, from int) {
	for o := &c.Ops[from]; ; o = &c.Ops[from] {
		part := by.dims("index")
		switch {
		case by.ends():
		case by.Code == "get-tuple-element" && len(part) == 1:
			keeps := strings.HasPrefix(o.Code, "custom-call") || o.Code == "async-start"
			if part := int(part[0]); keeps && !slices.Contains(o.read, part) {
				o.read = append(o.read, part)
			}
		default:
			o.entire = true
		}
		if from = o.from(0); !o.ends() || from < 0 {
			return
		}
	}
}

// scan reads a text from its start to its end.
type scan struct {
	src string
	pos int
}

func (s *scan) next() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// space skips blanks and remarks like /*index=5*/.
func (s *scan) space() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.pos++
		case strings.HasPrefix(s.src[s.pos:], "/*"):
			end := strings.Index(s.src[s.pos:], "*/")
			if end < 0 {
				s.pos = len(s.src)
				return
			}
			s.pos += end + 2
		default:
			return
		}
	}
}

// take skips a byte if it is the next one.
func (s *scan) take(c byte) bool {
	if s.next() != c || s.pos == len(s.src) {
		return false
	}
	s.pos++
	return true
}

// word reads letters, digits and the signs that names have.
func (s *scan) word() string {
	begin := s.pos
	for s.pos < len(s.src) && named(s.src[s.pos]) {
		s.pos++
	}
	return s.src[begin:s.pos]
}

func named(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' ||
		c == '#' || c >= 0x80
}

// group reads what stands between a bracket and its partner; texts in quotes are passed over. It is false if the
// bracket is never closed.
func (s *scan) group() (inside string, ok bool) {
	begin, depth := s.pos+1, 0
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				s.pos++
				return s.src[begin : s.pos-1], true
			}
		case '"':
			s.quoted()
		}
	}
	return "", false
}

// quoted goes to the closing quote.
func (s *scan) quoted() {
	for s.pos++; s.pos < len(s.src) && s.src[s.pos] != '"'; s.pos++ {
		if s.src[s.pos] == '\\' {
			s.pos++
		}
	}
}

// list calls do with each part of a text between commas that stand in no bracket, until it says false.
func list(text string, do func(part string) bool) {
	s, begin := scan{src: text}, 0
	for s.pos < len(text) {
		switch text[s.pos] {
		case '(', '{', '[':
			if _, ok := s.group(); !ok {
				s.pos = len(text)
			}
			continue
		case '"':
			s.quoted()
		case ',':
			if !do(strings.TrimSpace(text[begin:s.pos])) {
				return
			}
			begin = s.pos + 1
		}
		s.pos++
	}
	if last := strings.TrimSpace(text[min(begin, len(text)):]); last != "" {
		do(last)
	}
}

// numbers reads whole numbers between commas; ok is false if something else stands there.
func numbers(text string) (all []float64, ok bool) {
	ok = true
	list(text, func(part string) bool {
		n, err := strconv.ParseUint(part, 10, 60)
		ok = err == nil && len(all) < maxDims
		all = append(all, float64(n))
		return ok
	})
	return all, ok
}

// line is an operation, or what begins or ends a computation, with the line breaks within.
type line struct {
	text   string
	number int // of its first line, from 1
}

// maxLine is how long a line may grow by joining.
const maxLine = 1 << 20

// cutter cuts a text into such lines. What is wrapped over several is joined: a line that begins no operation of its
// own goes on with the one before, as long as that has not come to an end.
type cutter struct {
	text   string
	pos    int
	number int  // of the last line of the text that was read
	now    line // that may still go on
	begin  int  // where it began
	at     nest
}

// next is the next line; the last one is followed by an empty one.
func (c *cutter) next() line {
	for c.pos < len(c.text) {
		from, raw := c.pos, c.text[c.pos:]
		if end := strings.IndexByte(raw, '\n'); end >= 0 {
			raw = raw[:end]
		}
		c.number, c.pos = c.number+1, min(len(c.text), c.pos+len(raw)+1)
		if head := headed(raw); head > 0 {
			c.number, c.pos, raw = c.number-1, from+head, raw[:head]
		}
		s := strings.TrimSpace(raw)
		if s == "" || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "#") ||
			strings.HasPrefix(s, "/*") && strings.HasSuffix(s, "*/") {
			continue
		}
		if c.now.text != "" && len(c.now.text) < maxLine && c.at.unfinished && (c.within() || !begins(s)) {
			c.now.text = strings.TrimSpace(c.text[c.begin:c.pos])
			c.at.read(s, c.now.text)
			continue
		}
		whole := c.now
		c.now, c.begin, c.at = line{s, c.number}, from, nest{}
		if c.at.read(s, s); whole.text != "" {
			return whole
		}
	}
	last := c.now
	c.now = line{}
	return last
}

// within tells whether a line goes on over others that begin something: over the computations in quotes by which a
// module's first line says how values come back, or over a computation that stands in the line that runs it.
func (c *cutter) within() bool {
	return c.at.quoted && strings.HasPrefix(c.now.text, "HloModule ") || c.at.inline
}

// nest is how deep in brackets a line ends, and whether it has come to an end.
type nest struct {
	depth      int
	quoted     bool
	unfinished bool
	inline     bool // a computation begins in it: to_apply={
}

// read goes through one more line of a whole.
func (n *nest) read(s, whole string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && n.quoted:
			i++
		case c == '"':
			n.quoted = !n.quoted
		case n.quoted:
		case c == '(' || c == '{' || c == '[':
			n.depth++
		case c == ')' || c == '}' || c == ']':
			n.depth--
		}
	}
	last := s[len(s)-1]
	n.inline = n.inline || n.depth > 0 && holds(whole)
	n.unfinished = last == ',' || last == '=' || n.quoted || n.depth > 0 && !header(whole) && whole != "{" ||
		n.depth == 0 && typed(whole)
}

// holds tells whether a line ends where a computation begins that it runs.
func holds(s string) bool {
	if s[len(s)-1] != '{' {
		return false
	}
	s, ok := strings.CutSuffix(strings.TrimSpace(s[:len(s)-1]), "=")
	return ok && slices.Contains(bodies[:], s[strings.LastIndexAny(s, ", ")+1:])
}

// typed tells whether a line has the name and the shape of an operation, and nothing behind them.
func typed(s string) bool {
	_, s, ok := strings.Cut(s, "=")
	r := scan{src: s}
	r.space()
	if begin := r.pos; !ok || r.word() != "" && r.next() != '[' || r.pos == begin && r.next() != '(' {
		return false
	}
	for r.pos < len(s) {
		switch r.next() {
		case '(', '{', '[':
			if _, ok := r.group(); !ok {
				return false
			}
		case ' ':
			return false
		default:
			r.pos++
		}
	}
	return true
}

// begins tells whether a line begins something: an operation, a computation or a module.
func begins(s string) bool {
	if strings.HasPrefix(s, "HloModule ") || strings.HasPrefix(s, "ENTRY ") || strings.HasPrefix(s, "ROOT ") {
		return true
	}
	r := scan{src: s}
	r.take('%')
	name := r.word()
	return name != "" && (strings.HasPrefix(s[r.pos:], " = ") || s[0] == '%' && strings.HasSuffix(s, "{"))
}

// headed is how long the head of a computation is whose first operation stands in the same line; 0 if there is none.
func headed(line string) int {
	at := strings.Index(line, "{ ") + 1
	if at > 0 && strings.Contains(line[at:], " = ") && header(strings.TrimSpace(line[:at])) {
		return at
	}
	return 0
}

// header tells whether a line begins a computation.
func header(s string) bool {
	return strings.HasSuffix(s, "{") && !strings.Contains(s[:strings.IndexAny(s, "({")], "=")
}

// open tells whether a bracket of s is not closed.
func open(s string) bool {
	var n nest
	if s != "" {
		n.read(s, s)
	}
	return n.depth != 0 || n.quoted
}
