package widget

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
)

// PadID is the id of the sheet in the scratch pad, where readers write sheets of their own.
const PadID = "scratch"

// What an address may carry, in bytes: the text of a sheet, and that compressed.
const (
	MaxPadText   = 64 << 10
	maxPadPacked = 16 << 10
)

// padVersion begins what PadCode writes: raw DEFLATE (RFC 1951) in base64url without padding (RFC 4648).
const padVersion = "1"

// What an address carries is packed and unpacked in three steps: PadCode and PadPacked write and read the characters,
// something that knows DEFLATE does its work (the browser itself, and EncodePad and DecodePad elsewhere), and PadText
// and CheckPad say whether the text may be there.

// PadCode is a packed text for the part of an address behind #s=.
func PadCode(packed []byte) (string, error) {
	if len(packed) > maxPadPacked {
		return "", phrase.New("widget.pad-too-large", "bytes", len(packed), "most", maxPadPacked)
	}
	return padVersion + base64.RawURLEncoding.EncodeToString(packed), nil
}

// PadPacked is the packed text in what PadCode wrote.
func PadPacked(code string) ([]byte, error) {
	code, ok := strings.CutPrefix(code, padVersion)
	if !ok {
		return nil, phrase.New("widget.pad-foreign")
	}
	if base64.RawURLEncoding.DecodedLen(len(code)) > maxPadPacked {
		return nil, phrase.New("widget.pad-too-long")
	}
	packed, err := base64.RawURLEncoding.Strict().DecodeString(code)
	if err != nil || strings.ContainsAny(code, "\r\n") {
		return nil, phrase.New("widget.pad-characters")
	}
	return packed, nil
}

// PadText is what was unpacked, if it is a text that may be there. Whoever unpacks stops behind MaxPadText bytes,
// however large an address says that its text is; whole says whether it came to its end.
func PadText(text []byte, whole bool) (string, error) {
	if len(text) <= MaxPadText && !whole {
		return "", phrase.New("widget.pad-incomplete")
	}
	if err := CheckPad(string(text)); err != nil {
		return "", err
	}
	return string(text), nil
}

// CheckPad says why a text can't be that of a sheet, be it a wrong one.
func CheckPad(text string) error {
	if len(text) > MaxPadText {
		return phrase.New("widget.pad-sheet-too-long", "most", MaxPadText>>10)
	}
	if !utf8.ValidString(text) ||
		strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) {
		return phrase.New("widget.pad-no-text")
	}
	return nil
}

// PadSource is the text of the view's sheet for the scratch pad.
func (v *View) PadSource() string { return strings.TrimSpace(v.Sheet.Source) + "\n" }

// PadAddress is the address of the scratch pad of the site at base, holding the view's sheet, which code is the code
// of, and what the reader changed in it.
func (v *View) PadAddress(base, code string) string {
	ps := v.Params()
	for i := range ps {
		ps[i].Sheet = PadID
	}
	return base + "scratch/" + Query(ps, nil) + "#s=" + code
}

// Edited is the view after its author changed the text of the sheet to that of s: what the reader typed, opened and
// guessed stays, as far as s still has a place for it.
func (v *View) Edited(s *sheet.Sheet) *View {
	next := New(s)
	next.rev, next.Heading = v.rev+1, v.Heading
	for _, in := range s.Inputs {
		if text, ok := v.typed[in.Name]; ok && next.Set(in.Name, text) != nil {
			next.Undo(in.Name)
		}
	}
	next.open, next.fields = v.open, v.fields
	for _, a := range s.Asks {
		if g := v.guesses[a.Name]; g != nil && sameAsk(v.Sheet, a) {
			next.guesses[a.Name] = g
		}
	}
	return next
}

func sameAsk(s *sheet.Sheet, a sheet.Ask) bool {
	for _, b := range s.Asks {
		if a == b {
			return true
		}
	}
	return false
}
