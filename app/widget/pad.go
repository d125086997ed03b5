package widget

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/sheet"
)

// PadID is the id of the sheet in the scratch pad, where readers write sheets of their own.
const PadID = "scratch"

// What an address may carry, in bytes: the text of a sheet, and that compressed.
const (
	MaxPadText   = 64 << 10
	maxPadPacked = 16 << 10
)

// padVersion begins what EncodePad writes: raw DEFLATE (RFC 1951) in base64url without padding (RFC 4648).
const padVersion = "1"

// EncodePad is the text of a sheet for the part of an address behind #s=.
func EncodePad(text string) (string, error) {
	if err := checkPad(text); err != nil {
		return "", err
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	if b.Len() > maxPadPacked {
		return "", fmt.Errorf("this text takes %d bytes compressed, and an address carries at most %d; copy the text itself", b.Len(), maxPadPacked)
	}
	return padVersion + base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}

// DecodePad is the text that EncodePad wrote. It trusts nothing: what it returns is text of at most MaxPadText bytes,
// however large the address says that it is.
func DecodePad(code string) (string, error) {
	code, ok := strings.CutPrefix(code, padVersion)
	if !ok {
		return "", errors.New("it was not made by this scratch pad, or by a later one")
	}
	if base64.RawURLEncoding.DecodedLen(len(code)) > maxPadPacked {
		return "", errors.New("it is longer than any that this scratch pad makes")
	}
	packed, err := base64.RawURLEncoding.Strict().DecodeString(code)
	if err != nil || strings.ContainsAny(code, "\r\n") {
		return "", errors.New("characters of it are missing or changed")
	}
	from := bytes.NewReader(packed)
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(from), MaxPadText+1))
	if len(text) > MaxPadText {
		return "", checkPad(string(text))
	}
	if err != nil || from.Len() > 0 {
		return "", errors.New("a part of it is missing or changed")
	}
	return string(text), checkPad(string(text))
}

// checkPad says why a text can't be that of a sheet, be it a wrong one.
func checkPad(text string) error {
	if len(text) > MaxPadText {
		return fmt.Errorf("a sheet has at most %d KiB of text", MaxPadText>>10)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) {
		return errors.New("it holds characters that no text has")
	}
	return nil
}

// PadAddress is the address of the scratch pad of the site at base, holding the view's sheet and what the reader changed in it.
func (v *View) PadAddress(base string) (string, error) {
	code, err := EncodePad(strings.TrimSpace(v.Sheet.Source) + "\n")
	if err != nil {
		return "", err
	}
	ps := v.Params()
	for i := range ps {
		ps[i].Sheet = PadID
	}
	return base + "scratch/" + Query(ps, nil) + "#s=" + code, nil
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
