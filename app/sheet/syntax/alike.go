package syntax

import (
	"strings"
	"unicode/utf8"
)

// alike are letters of other alphabets, each before the letter that it looks the same as in most typefaces.
const alike = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwѵvАAВBЕEЗ3КKМMНHОOРPСCТTУYХXІIЈJЅSҮYԌGԚQԜW" + // Cyrillic
	"οoνvΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" + // Greek
	"ПΠГΓФΦфφкκ" + // Cyrillic and Greek
	"օoսuհhոnՕOԱUՍU" + // Armenian
	"ıiɑaɡgſf\u212aK\u212bÅ\u2126Ω\u00b5μ" // Latin, and signs that are letters

// unseenLetters are letters that take no place, or look like a space.
const unseenLetters = "\u115f\u1160\u3164\uffa0"

// Look is a name as it looks: two names that look the same have the same Look. It is the name itself if all its letters
// are of the basic alphabet.
func Look(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return strings.Map(look, name)
		}
	}
	return name
}

// look is the letter that r looks the same as; -1 for one that can't be seen.
func look(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case '\uff10' <= r && r <= '\uff5a': // full width
		return r - '\uff10' + '0'
	case 0x1d400 <= r && r < 0x1d6a4: // bold, italic and so on, for mathematics
		return rune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[(r-0x1d400)%52])
	case 0x1d7ce <= r && r <= 0x1d7ff:
		return '0' + (r-0x1d7ce)%10
	case strings.ContainsRune(unseenLetters, r):
		return -1
	}
	for rest := alike; rest != ""; {
		other, n := utf8.DecodeRuneInString(rest)
		latin, m := utf8.DecodeRuneInString(rest[n:])
		if other == r {
			return latin
		}
		rest = rest[n+m:]
	}
	return r
}

// Foreign is the first letter of names that looks the same as another, by its number, such as U+0430; "" if there is
// none.
func Foreign(names ...string) string {
	for _, name := range names {
		for _, r := range name {
			if look(r) != r {
				return number(r)
			}
		}
	}
	return ""
}
