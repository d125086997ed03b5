package input

import (
	"strings"
	"unicode/utf16"
)

// Decoded is the text that the bytes of a file are: UTF-8, or UTF-16 as PowerShell's > writes it, without the mark that
// tells them apart.
func Decoded(text string) string {
	low := 0 // which byte of two is the lower one
	switch {
	case strings.HasPrefix(text, "\xff\xfe"):
	case strings.HasPrefix(text, "\xfe\xff"):
		low = 1
	default:
		return strings.TrimPrefix(text, "\ufeff")
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, uint16(text[i+low])|uint16(text[i+1-low])<<8)
	}
	return string(utf16.Decode(units))
}
