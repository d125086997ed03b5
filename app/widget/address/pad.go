package address

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
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
