package sharding

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// scanner walks over one text.
type scanner struct {
	where string
	text  []rune
	at    int
}

func newScanner(where, text string) (*scanner, error) {
	s := &scanner{where: where, text: []rune(text)}
	if len(s.text) > maxText {
		return nil, span{maxText + 1, 1}.fault(where, phrase.New("sharding.long-text", "most", maxText),
			phrase.New("sharding.shorten"))
	}
	return s, nil
}

func (s *scanner) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\u00a0') {
		s.at++
	}
}

// peek is the next character that is no space; 0 at the end.
func (s *scanner) peek() rune {
	s.space()
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) here() span {
	s.space()
	return span{s.at + 1, min(1, len(s.text)-s.at)}
}

func (s *scanner) since(start int) span { return span{start + 1, s.at - start} }

// accept takes one of the words, which are written one against the other.
func (s *scanner) accept(words ...string) bool {
	s.space()
	for _, w := range words {
		r := []rune(w)
		if s.at+len(r) <= len(s.text) && string(s.text[s.at:s.at+len(r)]) == w {
			s.at += len(r)
			return true
		}
	}
	return false
}

// run takes the characters that are of a kind.
func (s *scanner) run(of func(rune) bool) (string, span) {
	s.space()
	start := s.at
	for s.at < len(s.text) && of(s.text[s.at]) {
		s.at++
	}
	return string(s.text[start:s.at]), s.since(start)
}

// expected is the error that something else should stand here; remedy is the key of a sentence.
func (s *scanner) expected(wanted any, remedy string) *Error {
	what := phrase.New("sharding.ends", "wanted", wanted)
	if c := s.peek(); c != 0 {
		what = phrase.New("sharding.stands", "found", quoted(string(c)), "wanted", wanted)
	}
	return s.here().fault(s.where, what, phrase.New(remedy))
}

// commaOr is what may stand between or behind the parts of a list.
func commaOr(sign string) *phrase.Phrase { return phrase.New("sharding.want-comma-or", "sign", sign) }

func letter(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 'α' && c <= 'ω'
}
func digit(c rune) bool { return c >= '0' && c <= '9' }
func wordy(c rune) bool { return letter(c) || digit(c) || c == '\'' }

// name takes a name of letters and digits that begins with a letter; wanted and remedy are the keys of what it says
// without one.
func (s *scanner) name(wanted, remedy string) (string, span, error) {
	if !letter(s.peek()) {
		return "", span{}, s.expected(phrase.New(wanted), remedy)
	}
	word, at := s.run(wordy)
	if len([]rune(word)) > maxName {
		return "", span{}, at.fault(s.where, phrase.New("sharding.long-name", "name", quoted(word)), shortName())
	}
	return word, at, nil
}

// whole takes a whole number: 8192, 8_192, 8k (thousand), 8Ki (1024), 2M, 2Mi.
func (s *scanner) whole(most float64) (int, span, error) {
	word, at := s.run(func(c rune) bool { return digit(c) || c == '_' && s.at+1 < len(s.text) && digit(s.text[s.at+1]) })
	factor := 1.0
	for _, u := range []struct {
		word   string
		factor float64
	}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"k", 1e3}, {"M", 1e6}, {"B", 1e9}} {
		if s.at < len(s.text) && strings.HasPrefix(string(s.text[s.at:min(len(s.text), s.at+2)]), u.word) {
			s.at += len(u.word)
			factor = u.factor
			at.len += len(u.word)
			break
		}
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(word, "_", ""), 64)
	if err != nil || n*factor > most || n < 1 {
		for word == "" && s.at < len(s.text) && !strings.ContainsRune(",; ", s.text[s.at]) {
			s.at++ // show what stands there instead of a number
		}
		return 0, at, at.fault(
			s.where,
			phrase.New("sharding.no-size", "text", quoted(string(s.text[at.col-1:s.at]))),
			phrase.New("sharding.whole-number", "most", strconv.FormatFloat(most, 'f', -1, 64)),
		)
	}
	return int(n * factor), at, nil
}
