package library

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// mostDivided bounds the numbers whose divisors are listed: a prime takes as many trials as half its root.
const mostDivided = 1 << 24

// addLists offers the catalogs as lists, and lists of numbers.
func addLists(env *value.Env) {
	for i, name := range []string{"accelerators", "original_accelerators", "models"} {
		env.Values[name] = recordList(env.RecordTypes[i].Members)
	}
	env.Values["dtypes"] = value.Value{Kind: value.List, List: env.DTypes}
	env.Funcs["divisors"] = &value.Func{
		Name: "divisors", Params: []value.Param{count("n")}, Result: value.ListOf(plain), Source: law.Counted,
		Doc:  "The whole numbers that divide n without remainder, the least first: divisors(12) is 1, 2, 3, 4, 6, 12.",
		Work: 200, Call: divisors,
	}
}

// recordList is a list of records, such as a catalog.
func recordList(records []*value.Record) value.Value {
	list := make([]value.Value, len(records))
	for i, r := range records {
		list[i] = value.Value{Kind: value.Rec, Record: r}
	}
	return value.Value{Kind: value.List, List: list}
}

// divisors lists the divisors of a whole number, with its label.
func divisors(a []value.Value) (value.Value, error) {
	q := a[0].Num
	if x := q.Value; !(x >= 1 && x <= mostDivided) || x != math.Trunc(x) {
		return value.Value{}, phrase.Fault{
			What:   phrase.New("library.argument-is", "name", "n", "value", strconv.FormatFloat(x, 'g', -1, 64)),
			Remedy: phrase.New("library.give-whole-from-to", "low", 1, "high", mostDivided)}
	}
	list := []int{1}
	for _, power := range primePowers(int(q.Value)) {
		for _, d := range list {
			for k := power.prime; ; k *= power.prime {
				list = append(list, d*k)
				if k == power.whole {
					break
				}
			}
		}
	}
	slices.Sort(list)
	values := make([]value.Value, len(list))
	for i, d := range list {
		values[i] = quantityValue(quantity.Quantity{Value: float64(d), Label: q.Label})
	}
	return value.Value{Kind: value.List, List: values}, nil
}

// primePower is a prime and the highest power of it that divides a number.
type primePower struct{ prime, whole int }

// primePowers are the powers of primes whose product is n.
func primePowers(n int) []primePower {
	var powers []primePower
	for p := 2; n > 1; p += 1 + p&1 {
		if p*p > n {
			p = n
		}
		power := primePower{p, 1}
		for n%p == 0 {
			power.whole, n = power.whole*p, n/p
		}
		if power.whole > 1 {
			powers = append(powers, power)
		}
	}
	return powers
}
