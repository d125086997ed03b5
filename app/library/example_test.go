package library_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

// A law is declared once: its parameters, its unit, its formula and its source. Sheets call it by its name.
func ExampleLaws() {
	for _, l := range library.Laws() {
		if l.Name == "all_gather_time_exact" {
			fmt.Printf("%s(%s) = %s, in %s\n", l.Name, l.Takes, l.Formula, l.Gives)
		}
	}
	sh, _ := sheet.Compile("T = all_gather_time_exact(1 GB, 8, 90 GB/s)", library.New())
	v, err := sh.Eval(nil).Value("T")
	fmt.Println(v, err)
	// Output:
	// all_gather_time_exact(V byte, N >= 1, W byte/s > 0) = (N - 1)/N * V/W, in s
	// 9.72 ms <nil>
}
