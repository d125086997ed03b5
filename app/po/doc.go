// Package po reads and writes the files of GNU gettext in which translators work: messages with their references,
// comments for translators, flags, contexts and plural forms.
//
// [Parse] takes what msgmerge, Poedit and Weblate write. A fault names its line and what would be right. [File.Write]
// is read back as the same file. [Plurals] is the rule of a language's plural forms, as the header gives it in C.
//
// It is used when the book is built; no program for the browser carries it. The readers of PO that others keep drop
// what a translator needs (references and comments), or want a newer Go than the book does.
package po
