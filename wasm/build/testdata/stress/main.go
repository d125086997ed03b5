// Command stress does all that needs the linker's table about functions: it grows stacks and collects garbage under
// deep calls and calls made by reflect, panics and recovers in many ways, and prints what it found.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

func main() {
	debug.SetGCPercent(5)
	runtime.GC() // starts the goroutines that collect garbage
	begun := make(chan string, 1)
	go begin(begun)
	for range 10_000 { // collected by main, which has to help, before another goroutine runs
		waste = make([]byte, 4096)
	}
	fmt.Println("begun", <-begun)
	fmt.Println("deep", deep(3000, &node{1, nil}))
	fmt.Println("wide", wide())
	fmt.Println("made", made())
	fmt.Println("bound", reflect.ValueOf(&node{7, nil}).MethodByName("Sum").Interface().(func(...int) int)(1, 2, 3))
	for _, f := range []func(){index, division, null, chars, func() { panic(errors.New("ours")) }, again, wrapped} {
		fmt.Println("recovered", recovered(f))
	}
	fmt.Println("by a helper", recovered(func() { defer helper(); panic("not the helper's") }))
	for place := range 9 {
		fmt.Println("fallen", place, caught(place), fallen(place, &node{place, nil}))
	}
	fmt.Println("exit", exit())
}

var waste []byte

// begin is where a goroutine begins.
func begin(begun chan string) { begun <- strings.Repeat("x", 3) }

type node struct {
	n    int
	next *node
}

// Sum is called through reflect.
func (n *node) Sum(more ...int) int {
	runtime.GC()
	total := n.n
	for _, m := range more {
		total += m
	}
	return total
}

// deep holds pointers in each of many frames while the stack grows and garbage is collected.
func deep(n int, from *node) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	text := strings.Repeat("x", n%7)
	link := &node{n % 10, from}
	rest := deep(n-1, link)
	if n%1000 == 0 {
		runtime.GC()
	}
	return rest + len(text) + link.n + link.next.n
}

// wide does so in many goroutines.
func wide() int {
	var wait sync.WaitGroup
	sums := make([]int, 20)
	for i := range sums {
		wait.Go(func() { sums[i] = deep(100+i, &node{i, nil}) })
	}
	wait.Wait()
	total := 0
	for _, s := range sums {
		total += s
	}
	return total
}

// made calls a function that reflect made, which collects garbage while its arguments are only on the stack.
func made() string {
	kind := reflect.TypeFor[func(string, *node, []byte) string]()
	f := reflect.MakeFunc(kind, func(args []reflect.Value) []reflect.Value {
		runtime.GC()
		deep(200, &node{2, nil})
		return []reflect.Value{reflect.ValueOf(fmt.Sprint(args[0], args[1].Elem().Field(0), args[2]))}
	})
	out := ""
	for i := range 5 {
		out += f.Interface().(func(string, *node, []byte) string)(
			strings.Repeat("a", i),
			&node{i, nil},
			[]byte{byte(i)},
		) + ";"
	}
	return out
}

func recovered(f func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	f()
	return "nothing"
}

var zero int

func index()    { fmt.Println([]int{1}[zero+5]) }
func division() { fmt.Println(1 / zero) }
func chars()    { fmt.Println(any(zero).(string)) }
func null() {
	var n *node
	fmt.Println(n.next.next)
}

// again panics while it panics.
func again() {
	defer func() {
		defer func() { panic(fmt.Sprint("third after ", recover())) }()
		panic("second")
	}()
	panic("first")
}

// helper isn't the deferred function that may recover: a function that it calls is.
func helper() { inner() }

func inner() { fmt.Println("inner", recover()) }

// value has a method that can't be called where there is none.
type value struct{ n int }

func (v value) Get() int { return v.n }

func wrapped() {
	var v *value
	gets := map[bool]interface{ Get() int }{true: v} // the compiler can't know
	fmt.Println(gets[zero == 0].Get())
}

// caught is what a panic at a place of fall said. While fall is still on the stack, this grows and garbage is
// collected.
func caught(place int) (said string) {
	defer func() {
		runtime.GC()
		sum := deep(700, &node{place, nil})
		said = fmt.Sprint(recover(), sum)
	}()
	return fall(place, &node{place, &node{3, nil}})
}

// fallen does the same in a function that recovers by itself, with pointers that it reads again.
func fallen(place int, n *node) (said string) {
	text := strings.Repeat("t", place+2)
	defer func() {
		runtime.GC()
		said = fmt.Sprint(recover(), text, n.n, deep(300, n))
	}()
	if place%2 == 0 {
		fmt.Println([]byte(text)[place+zero+9])
	}
	link := &node{place, n}
	if place%3 == 0 {
		fmt.Println(link.next.next.next.n)
	}
	text += fall(place, link)
	return text[:place]
}

// fall panics at one of many places, at each with other pointers in its variables.
func fall(place int, n *node) string {
	var none *node
	if place == zero {
		return fmt.Sprint(none.next)
	}
	text := strings.Repeat("a", place)
	if place == zero+1 {
		return text[place+4:]
	}
	link := &node{place, n}
	if place == zero+2 {
		return fmt.Sprint(link.next.next.next.n, text)
	}
	some := append([]byte(text), byte(link.n))
	if place == zero+3 {
		some[place+9] = 1
	}
	number := place / (place - 4 + zero)
	names := map[string]*node{text: link, "b": n}
	if place == zero+5 {
		names["c"].n = number
	}
	if place == zero+6 {
		number += len(some[place+3 : place-zero])
	}
	if place == zero+7 {
		panic(fmt.Sprint(text, link.n, names["b"].n))
	}
	return fmt.Sprint(text, string(some), number, len(names), any(link).(fmt.Stringer))
}

// exit ends a goroutine from within, which runs what it deferred.
func exit() string {
	done := make(chan string)
	go func() {
		defer func() { done <- fmt.Sprint("deferred ", recover()) }()
		func() { runtime.Goexit() }()
	}()
	return <-done
}
