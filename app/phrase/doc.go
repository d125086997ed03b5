// Package phrase is what the machinery tells readers: its labels, messages and errors, as whole sentences with named
// gaps, one file for each language.
//
// A line of a language's file is a key, a tab, and a sentence:
//
//	sheet.cannot-add	cannot add `{left}`, {type}, to `{right}`, {other}
//
// Who speaks names the key and fills the gaps. Where the language is known, [Phrases.Say] gives the text; where it is
// not, as deep in the language of sheets, [New] gives a [Phrase], which is also an error, and which is put into words
// at the edge: by the command, or by the widget.
//
// The keys stand in order, so that a sentence is found by halving, without reading the file first: the program in the
// browser starts no later for it. What only the site and the command say in English stands in en.site.txt, and in no
// program for the browser; there, the sentences of en.txt come in parts (see wasm/build/sentences.go).
package phrase
