// Package book turns a folder of Markdown chapters into pages.
//
// It works in these steps:
//
//  1. The front matter of each file says what page it makes (draft.go).
//  2. goldmark parses the rest; directives, live numbers, mathematics, citations and notes are small parsers of our
//     own beside its own (inline.go, directive.go).
//  3. A survey of each page in the order of its text numbers sections, figures, tables and problems, gives every
//     heading its id, and compiles the sheets (survey.go, sheets.go).
//  4. With all pages known, links, cross references, citations and numbers are resolved (links.go, live.go, cite.go).
//  5. Each page is printed as HTML, its mathematics as MathML, its figures as inline SVG (print*.go, inline.go,
//     figure.go).
//
// Whatever is wrong in a chapter is reported as a [Problem] with its place and what would be right; nothing panics, and
// the same files give the same bytes.
package book
