// Package syntax reads the text of a sheet: characters to tokens (lex.go), tokens to statements and
// expressions (parse*.go, statements*.go), which make up a [Tree] (tree.go). It knows the words of the language
// and the units of its numbers, but neither names nor dimensions: what a tree means is checked by app/sheet.
//
// [Parse] reads a whole sheet, [ParseExpr] a single expression, and [Code] writes one back. Faults are [Error] values
// with place and remedy, collected in an [Errors]; one ends its statement only, so that a tree is of use also where
// there are some. Hostile text is bounded (errors.go).
package syntax
