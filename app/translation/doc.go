// Package translation makes the book of another language from the book in English and a file of sentences.
//
// [Extract] gathers every sentence that a reader sees as messages of gettext (extract.go): the blocks of the chapters,
// the labels of sheets, the texts of drawings, and what the machinery says. The verb `messages` writes them into
// content/po/scalebook.pot and has msgmerge bring the file of each language up to it.
//
// [Read] reads such a file and holds each translation to its English (check.go): formulas, code, live numbers, links
// and numbers are kept, or the build fails at the line of the file. [Language.Content] is the content folder with the
// sentences of the language in the place of the English ones (content.go). A sheet is not copied: only what it says
// changes, and its names, values and expectations are those of the one sheet.
package translation
