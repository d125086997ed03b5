// Package tex translates the mathematics of a book, written in a subset of LaTeX, into MathML Core.
//
// The subset is what its two tables name (symbols.txt, functions.txt) and the commands of commands.go and
// environments.go. Everything else is an error with its place: nothing is skipped and nothing is guessed, since a wrong
// formula in a textbook is worse than none. The output has no style attributes; what MathML Core leaves to CSS
// (alignment and rules of tables, bold words, boxes) is said by classes beginning with `m-`.
//
// The text goes through three steps: tokens (lex.go), a tree (parse*.go), and its printing (node.go), where the spaces
// around function names are settled.
package tex
