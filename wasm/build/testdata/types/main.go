// Command types does all that needs descriptions of types, without looking for types by their names: switches on types
// and on interfaces, keys of maps that are interfaces, comparisons, errors in errors, and what panics say.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

type (
	number  int
	text    string
	pair    struct{ a, b any }
	large   [40]string
	shape   interface{ Area() float64 }
	named   interface{ Name() string }
	square  struct{ side float64 }
	circle  struct{ radius float64 }
	labeled struct {
		shape
		label string
	}
	broken struct{ at int }
)

func (s square) Area() float64    { return s.side * s.side }
func (c *circle) Area() float64   { return 3 * c.radius * c.radius }
func (l labeled) Name() string    { return l.label }
func (b *broken) Error() string   { return fmt.Sprint("broken at ", b.at) }
func (n number) String() string   { return strings.Repeat("|", int(n)) }
func (b broken) Unwrap() error    { return errors.ErrUnsupported }
func (b *broken) Is(e error) bool { return e == errEnd }

// What nobody calls: a method that an interface asks for all the same, and one that none does.
func (c *circle) MarksOnly()     {}
func (c *circle) NobodyCalls()   {}
func (c *circle) nobodyCalls()   {}
func (l labeled) NobodyElse()    {}
func (b *broken) AnotherNobody() {}

var errEnd = errors.New("end")

// values are of many types, some of which have no name.
func values() []any {
	n := 7
	return []any{
		nil, true, 1, int8(2), uint16(3), float32(4), 5i, "six", number(7), text("eight"), []int{9}, []any{10, "x"},
		map[string][]number{"eleven": {1}}, map[any]int{12: 12}, func(int) string { return "13" }, func() {}, &n,
		[3]int{1, 2, 3},
		[2]any{1, "a"}, struct{ x, y int }{1, 2}, struct{ x any }{"z"}, pair{1, "two"}, &pair{}, large{}, square{2},
		&square{3},
		&circle{2}, labeled{square{4}, "four"}, &broken{5}, make(chan int), make(<-chan []string), (*circle)(nil), errEnd,
		map[pair]map[string]func(){}, []map[string]int{{"a": 1}}, [][]byte{[]byte("b")}, []struct{ k string }{{"v"}},
	}
}

func main() {
	all := values()
	for round := range 3 {
		for i, v := range all {
			_, marked := v.(interface{ MarksOnly() })
			fmt.Println(i, kind(v), sort(v), met(v), marked)
		}
		runtime.GC()
		waste = make([]byte, 1<<20*(round+1))
	}
	keys := map[any]int{}
	for i, v := range all {
		if hashable(v) {
			keys[v] = i
		}
	}
	for i, v := range values() {
		if !hashable(v) {
			continue
		}
		at, ok := keys[v]
		fmt.Println(i, at, ok, v == all[i])
	}
	var b *broken
	err := fmt.Errorf("outer: %w", &broken{3})
	fmt.Println(errors.As(err, &b), b, errors.Is(err, errEnd), errors.Is(err, errors.ErrUnsupported))
	fmt.Printf("%T %T %T %T %v\n", number(1), &pair{}, square{}, err, number(3))
	for _, f := range []func(){
		func() { fmt.Println(all[2].(string)) }, func() { fmt.Println(all[24].(named)) },
		func() { fmt.Println(all[8].(square)) },
	} {
		fmt.Println(said(f))
	}
}

var waste []byte

func said(f func()) (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	f()
	return "nothing"
}

// hashable says whether a value may be a key of a map.
func hashable(v any) (ok bool) {
	defer func() { ok = recover() == nil }()
	return map[any]bool{v: true}[v]
}

// kind is a switch on concrete types, with and without a name.
func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case bool, int8, uint16:
		return "small"
	case int:
		return "int"
	case []int, [3]int:
		return "ints"
	case map[string][]number:
		return fmt.Sprint("map of ", len(v["eleven"]))
	case map[any]int:
		return fmt.Sprint("map with ", v[12])
	case func(int) string:
		return v(1)
	case struct{ x, y int }:
		return fmt.Sprint("x and y ", v.x+v.y)
	case []map[string]int:
		return fmt.Sprint("maps ", v[0]["a"])
	case *pair, *square:
		return "pointer"
	case large:
		return "large"
	case number:
		return "number " + v.String()
	case <-chan []string:
		return "channel"
	}
	return "other"
}

// sort is a switch on interfaces.
func sort(v any) string {
	switch v := v.(type) {
	case error:
		return "error " + v.Error()
	case named:
		return "named " + v.Name()
	case fmt.Stringer:
		return "says " + v.String()
	case interface{ Area() float64 }:
		if c, ok := v.(*circle); ok && c == nil {
			return "no circle"
		}
		return fmt.Sprint("area ", v.Area())
	}
	return "none"
}

// met is a switch on the types of an interface that has methods.
func met(v any) string {
	s, ok := v.(shape)
	if !ok {
		return "-"
	}
	switch s.(type) {
	case square:
		return "square"
	case *circle:
		return "circle"
	case labeled:
		return "labeled"
	}
	return "shape"
}
