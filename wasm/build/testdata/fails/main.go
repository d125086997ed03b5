// Command fails ends with a panic, as its argument says: of an error, a text, or the runtime's own.
package main

import (
	"errors"
	"os"
)

func main() {
	var list []int
	switch os.Args[1] {
	case "error":
		panic(errors.New("it broke"))
	case "text":
		go func() { panic("somewhere") }()
		select {}
	default:
		list[len(os.Args)] = 1
	}
}
