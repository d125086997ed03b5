package quantity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// Readers write numbers as their country does: 22,5 and 1 000 000, 4.2 million, 4,2 Mio, 3 мс, gb/s, about 5, ½. A text
// that the grammar of [Parse] refuses is put into that grammar, and read again; one that could be meant in two ways is
// refused with both.

// typist puts what a person typed into the grammar of Parse.
type typist struct {
	src   string
	pos   int
	out   strings.Builder
	from  []int // for each byte of out, the offset in src that it stands for
	like  *Dim  // what the number should be, if that is known
	fault *Error
}

// plain is text in the grammar of Parse, with the offsets in text that its bytes stand for.
func plain(text string, like *Dim) (string, []int, *Error) {
	t := typist{src: unfolded(strings.TrimRight(text, " \t\r\n.,;!?…\u00a0")), like: like}
	t.skipAbout()
	t.skipFold()
	for t.pos < len(t.src) && t.fault == nil {
		t.next()
	}
	return t.out.String(), append(t.from, len(text)), t.fault
}

// write appends text, which stands for what begins at offset at.
func (t *typist) write(text string, at int) {
	t.out.WriteString(text)
	for range len(text) {
		t.from = append(t.from, at)
	}
}

func (t *typist) refuse(at int, what, remedy *phrase.Phrase) {
	if t.fault == nil {
		t.fault = &Error{Offset: at, What: what, Remedy: remedy}
	}
}

// last is the last byte written that is no space; 0 if there is none.
func (t *typist) last() byte {
	text := strings.TrimRight(t.out.String(), " ")
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}

// wantsNumber tells whether a number must come next: at the beginning and behind an operator.
func (t *typist) wantsNumber() bool { return strings.IndexByte("\x00+-*/^($", t.last()) >= 0 }

func (t *typist) skipAbout() {
	for {
		rest := strings.TrimLeft(t.src[t.pos:], " \t\r\n\u00a0")
		t.pos = len(t.src) - len(rest)
		end := letters(rest)
		if end == 0 {
			_, end = utf8.DecodeRuneInString(rest)
		}
		if end == 0 || end == len(rest) || !strings.Contains(about, " "+strings.ToLower(rest[:end])+" ") {
			return
		}
		t.pos += end
		if strings.HasPrefix(t.src[t.pos:], ".") {
			t.pos++
		}
	}
}

// unfolded is text without the word or sign at its end that says only that the number before it is a factor.
func unfolded(text string) string {
	number := strings.TrimRight(text, "timesfoldxX×раз -\u00a0")
	fold := strings.Trim(text[len(number):], " -\u00a0")
	if number == "" || !isDigit(number[len(number)-1]) || !strings.Contains(folds, " "+strings.ToLower(fold)+" ") {
		return text
	}
	return number
}

// skipFold skips the sign before a factor: x10, × 10.
func (t *typist) skipFold() {
	if rest := strings.TrimLeft(t.src[t.pos:], "xX× \u00a0"); rest != "" && isDigit(rest[0]) {
		t.pos = len(t.src) - len(rest)
	}
}

// letters is how many bytes of text are letters.
func letters(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && r != 'µ' {
			return i
		}
	}
	return len(text)
}

func (t *typist) next() {
	at := t.pos
	rest := t.src[at:]
	r, size := utf8.DecodeRuneInString(rest)
	n := letters(rest)
	switch {
	case r >= '0' && r <= '9', r == ',' && t.wantsNumber() && len(rest) > 1 && isDigit(rest[1]):
		t.number()
	case n > 0:
		t.pos += n
		t.word(rest[:n], at)
	case t.fraction(r, size, at):
	case lowered(r) != 0 && r >= utf8.RuneSelf:
		power, end := Lowered(rest)
		power = "^" + power
		if out := t.out.String(); strings.HasSuffix(out, "10") && !(len(out) > 2 && isDigit(out[len(out)-3])) {
			power = rest[:end] // 10²⁴ is exact
		}
		t.write(power, at)
		t.pos += end
	case strings.HasPrefix(rest, "..") || r == '…':
		t.aRange(at)
	case unicode.IsDigit(r):
		t.write(string('0'+digitValue(r)), at)
		t.pos += size
	default:
		t.write(rest[:size], at)
		t.pos += size
	}
}

// digitValue is the value of a digit of another script, which stand in tens: ４ and ٤ are 4.
func digitValue(r rune) (n rune) {
	for ; n < 9 && unicode.IsDigit(r-n-1); n++ {
	}
	return n
}

func (t *typist) aRange(at int) {
	t.refuse(at, phrase.New("quantity.a-range"), phrase.New("quantity.write-one-number"))
}

// fraction reads ½, also behind a whole number: 1½.
func (t *typist) fraction(r rune, size, at int) bool {
	_, value, ok := strings.Cut(fractions, string(r))
	if !ok || r < utf8.RuneSelf || lowered(r) != 0 {
		return false
	}
	value, _, _ = strings.Cut(value, " ")
	if s := t.out.String(); s != "" && isDigit(s[len(s)-1]) {
		value = value[1:]
	}
	t.write(value, at)
	t.pos += size
	return true
}

// separators are what may stand between the digits of a number. All but point and comma only separate thousands.
const separators = ",._'’ \u00a0\u2009\u202f\u2007\u2008"

// number reads digits with whatever separates them.
func (t *typist) number() {
	at := t.pos
	groups, signs := []string{""}, []string{}
	for {
		n := 0
		for n < len(t.src)-t.pos && isDigit(t.src[t.pos+n]) {
			n++
		}
		groups[len(groups)-1] = t.src[t.pos : t.pos+n]
		t.pos += n
		rest := t.src[t.pos:]
		r, size := utf8.DecodeRuneInString(rest)
		if size == 0 || !strings.ContainsRune(separators, r) || len(rest) == size || !isDigit(rest[size]) ||
			(r == ' ' || r >= utf8.RuneSelf) && (!apartGroup(rest[size:]) || n > 3) {
			break
		}
		sign := string(r)
		if r != ',' && r != '.' && r != '_' {
			sign = " "
		}
		signs, groups = append(signs, sign), append(groups, "")
		t.pos += size
	}
	text, ok := join(groups, signs)
	if !ok {
		t.refuse(at, phrase.New("quantity.separators", "text", clip(t.src[at:t.pos], 24)),
			phrase.New("quantity.write-separators"))
		return
	}
	exp := scanner{src: t.src, pos: t.pos}
	exp.exponent()
	t.write(text+strings.ReplaceAll(t.src[t.pos:exp.pos], "−", "-"), at)
	t.pos = exp.pos
}

// apartGroup tells whether text begins with exactly three digits.
func apartGroup(text string) bool { return (&scanner{src: text}).groupAt(0) }

// join is a number whose groups of digits have these signs between them, with a decimal point and nothing else. A lone
// comma before three digits separates thousands, as on all pages of the book; one before more or fewer is a decimal
// comma.
func join(groups, signs []string) (string, bool) {
	n := len(signs)
	if n == 0 {
		return groups[0], true
	}
	whole, last := groups[:n], signs[n-1]
	decimal := last == "." || last == ","
	switch {
	case n == 1 && last == ",":
		decimal = !grouped(groups, 3)
	case n > 1 && signs[n-2] == last:
		decimal = false
	}
	if !decimal {
		whole = groups
	}
	for _, s := range signs[:len(whole)-1] {
		if s != signs[0] || decimal && s == last {
			return "", false
		}
	}
	// In India the groups before the last have two digits: 12,34,567.
	if len(whole) > 1 && signs[0] != "_" && !grouped(whole, 3) && (signs[0] != "," || !grouped(whole, 2)) {
		return "", false
	}
	text := strings.Join(whole, "")
	if decimal {
		if text == "" {
			text = "0"
		}
		text += "." + groups[n]
	}
	return text, true
}

// grouped tells whether these are the digits of a number in groups of the given size, the last one of three.
func grouped(groups []string, size int) bool {
	for i, g := range groups {
		switch {
		case i == 0 && (g == "" || g[0] == '0' || len(g) > size), i == len(groups)-1 && len(g) != 3,
			0 < i && i < len(groups)-1 && len(g) != size:
			return false
		}
	}
	return true
}

func synonym(word string) string {
	_, rest, ok := strings.Cut(synonyms, " "+word+":")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, " ")
	return rest
}

// word reads a run of letters at offset at.
func (t *typist) word(word string, at int) {
	spelt, _ := (&scanner{src: word}).word() // µ is u
	behind := ""
	if t.pos < len(t.src) {
		behind = t.src[t.pos:]
	}
	if behind != "" && (behind[0] == '_' || isDigit(behind[0])) { // a name, or x8192
		t.write(spelt, at)
		return
	}
	lower := strings.ToLower(spelt)
	if t.known(spelt) {
		t.write(spelt, at)
		return
	}
	if strings.Contains(rangeWords, " "+lower+" ") {
		t.aRange(at)
		return
	}
	means := synonym(lower)
	switch {
	case means == "":
		t.unit(spelt, at)
	case means[0] == 'e':
		t.magnitude(means, at)
	case isDigit(means[0]):
		t.count(means, spelt, at)
	case means == "/" || means == "*" || means == "+" || means == "-":
		trimmed := strings.TrimRight(t.out.String(), " ")
		t.from = t.from[:len(trimmed)]
		t.out.Reset()
		t.out.WriteString(trimmed)
		t.write(means, at)
		t.pos = len(t.src) - len(strings.TrimLeft(behind, " \u00a0"))
	case means == "$" || means == "?":
		t.write(strings.Replace(strings.Replace(means, "$", "USD", 1), "?", spelt, 1), at)
	default:
		t.write(means, at)
		t.skipPoint()
	}
}

// known tells whether the grammar has the word as it is.
func (t *typist) known(word string) bool {
	_, ok := lookup(word)
	return ok || len(word) == 1 && magnitude(word[0]) != 0 || word == "x" || word == "X" || word == "per"
}

// skipPoint leaves out the point of an abbreviation: 4 Mio. tokens.
func (t *typist) skipPoint() {
	if rest := t.src[t.pos:]; strings.HasPrefix(rest, ".") && !(len(rest) > 1 && isDigit(rest[1])) {
		t.pos++
	}
}

// count writes a word for a number: a day, half a day, two thousand.
func (t *typist) count(number, spelt string, at int) {
	if t.wantsNumber() && (number != "1" || spelt == "one" || letters(strings.TrimLeft(t.src[t.pos:], " ")) > 0) {
		t.write(number, at)
		return
	}
	if number != "1" || spelt == "one" || !isDigit(t.last()) { // half a day
		t.write(spelt, at)
	}
}

// magnitude writes a power of ten behind the number before it.
func (t *typist) magnitude(exp string, at int) {
	text := strings.TrimRight(t.out.String(), " ")
	number := strings.TrimRight(text, "0123456789.")
	switch {
	case t.wantsNumber():
		exp = "1" + exp
	case len(number) == len(text) || strings.HasSuffix(number, "^") || strings.HasSuffix(number, "e") ||
		strings.HasSuffix(number, "-"): // behind another exponent
		exp = "*1" + exp
	default:
		t.from = t.from[:len(text)]
		t.out.Reset()
		t.out.WriteString(text)
	}
	t.write(exp, at)
	t.skipPoint()
}

// unit writes a unit under the name that the grammar has for it.
func (t *typist) unit(word string, at int) {
	if name := written(word); name != "" {
		t.write(name, at)
		t.skipPoint()
		return
	}
	if err := ambiguous(strings.ToUpper(word[:1])+word[1:], at); err != nil {
		t.fault = err.(*Error)
		t.fault.What = phrase.New("quantity.could-bit-or-byte", "word", word)
		return
	}
	switch names := t.folded(word); {
	case len(names) == 1:
		word = names[0]
	case len(names) > 1:
		t.refuse(at, phrase.New("quantity.could-be-units", "word", clip(word, 24), "units", phrase.Or(names)),
			phrase.New("quantity.write-the-one"))
		return
	}
	t.write(word, at)
}

// written is the name of a unit whose prefix is written out or in Cyrillic: gigabytes, ГБ; "" for any other.
func written(word string) string {
	lower := strings.ToLower(word)
	for rest := longPrefixes; rest != ""; {
		var entry string
		entry, rest, _ = strings.Cut(rest, " ")
		long, short, _ := strings.Cut(entry, ":")
		base, ok := strings.CutPrefix(lower, long)
		if !ok || base == "" {
			continue
		}
		if cyrillic := synonym(base); cyrillic != "" && word[0] >= utf8.RuneSelf {
			base = cyrillic
		}
		switch base {
		case "б":
			base = "B"
		case "вт":
			base = "W"
		case "втч":
			base = "Wh"
		}
		if len(base) == 1 && word[0] < utf8.RuneSelf {
			continue
		}
		if len(short) == 2 && (base == "byte" || base == "bytes") {
			base = "B"
		}
		if long == "м" && (base == "s" || strings.HasPrefix(word, "м") && (base == "J" || base[0] == 'W')) { // мс, мВт
			short = "m"
		}
		if base == "hertz" {
			base = "Hz"
		}
		if _, ok := lookup(short + base); ok {
			return short + base
		}
	}
	switch lower {
	case "б":
		return "byte"
	case "hertz":
		return "Hz"
	}
	return ""
}

// folded are the units that a word may be if its case is wrong: one of each meaning, and of those only what is wanted
// if one of them is.
func (t *typist) folded(word string) (names []string) {
	var seen []measure
	add := func(name string) {
		m, ok := lookup(name)
		if !ok || !strings.EqualFold(name, word) {
			return
		}
		for _, other := range seen {
			if other == m {
				return
			}
		}
		seen, names = append(seen, m), append(names, name)
	}
	for i := range units {
		for _, name := range units[i].names {
			prefix := len(word) - len(name)
			if prefix < 0 || prefix > 2 || !strings.EqualFold(word[prefix:], name) {
				continue
			}
			add(name)
			for _, c := range units[i].prefixes {
				add(string(c) + name)
				add(string(c) + "i" + name)
			}
		}
	}
	rest := strings.TrimLeft(t.src[t.pos:], " ")
	rate := strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "per ")
	var fit []string
	for i, m := range seen {
		if rate && m.dim[Second] == 0 || !rate && t.like != nil && m.dim == *t.like {
			fit = append(fit, names[i])
		}
	}
	if len(fit) == 1 {
		return fit
	}
	return names
}

// isRange tells whether a text is two numbers with a dash between them, the first the smaller one, as nobody writes a
// difference.
func isRange(text string) bool {
	s := scanner{src: text, field: true}
	s.blank()
	a, _, err := s.literal()
	s.blank()
	if err != nil || !s.take('-') {
		return false
	}
	s.blank()
	b, _, err := s.literal()
	s.blank()
	bare := a.Dim.IsZero() && a.Label == (Label{})
	return err == nil && s.pos == len(text) && (a.Dim == b.Dim && a.Value < b.Value ||
		bare && (!b.Dim.IsZero() || a.Value > 1 && b.IsPercent()))
}
