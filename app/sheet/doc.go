// Package sheet is the sheet language: worked problems that stay live. It knows no domain; functions, catalogs and
// dtypes come from a [value.Env]. What it computes with is declared in package value.
//
//	title An int8 matmul on one chip
//	let chip = tpu.v5e                    "Chip"
//	let B = 256 token in 1..16384 log     "Tokens in the batch"
//	ops    = 2 FLOP * B * 4096 * 16384    "Operations"
//	T_math = ops / chip.flops(int8)       "Time to compute"
//	expect T_math = 87.2 us within 0.1%
//
// What happens to a text, in this order:
//
//  1. Package syntax cuts it into tokens and reads them as a tree. A number takes its unit with it (app/quantity), so
//     that the variable B and the unit byte never meet. A fault ends its statement only.
//  2. compile.go names the slots of a program; inputs.go, menus.go and follow.go make inputs of `let`, with their range
//     or menu, which package input declares.
//  3. compile.go puts slots in an order in which each stands after what it reads; cycles are reported.
//  4. Package expr checks kinds and dimensions, and each expression becomes closures.
//  5. Asks, plots (plots.go), tables (tables.go) and expects (expect.go) are checked against the rows.
//  6. eval.go evaluates all rows in one state; sweep.go a few of them, again and again, while one input varies.
//
// On that stand sheet.go (what a reader sets), curves sampled by package plot, solve.go (which input makes a row what a
// reader wants, found by package solve), elasticities (sweep.go: which input matters most), and
// explain.go (formulas and workings, written down by package explain in the notation of package notation).
//
// Faults of a text are [Error] values with place and remedy, all found by [Compile], and never blamed twice: what uses
// a faulty line is left alone. What goes wrong in numbers (a division by zero, a chip without a peak) is the error of a
// row; rows that need it name it. Nothing that is not finite leaves a row, nothing panics, and hostile text is bounded
// (compile.go). A [Sheet] is immutable and may be used from several goroutines.
package sheet
