//go:build !js

package address

import (
	"bytes"
	"compress/flate"
	"io"
)

// In a browser its own DEFLATE does this: see the live calculators.

// EncodePad is the text of a sheet for the part of an address behind #s=.
func EncodePad(text string) (string, error) {
	if err := CheckPad(text); err != nil {
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
	return PadCode(b.Bytes())
}

// DecodePad is the text that EncodePad wrote. It trusts nothing: what it returns is text of at most MaxPadText bytes.
func DecodePad(code string) (string, error) {
	packed, err := PadPacked(code)
	if err != nil {
		return "", err
	}
	from := bytes.NewReader(packed)
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(from), MaxPadText+1))
	return PadText(text, err == nil && from.Len() == 0)
}
