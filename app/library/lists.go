package library

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// mostDivided bounds the numbers whose divisors are listed: trying each divisor takes the square root of the number.
const mostDivided = 1 << 40

// addLists offers the catalogs as lists, and lists of numbers.
func addLists(env *sheet.Env) {
	for i, name := range []string{"accelerators", "original_accelerators", "models"} {
		env.Values[name] = recordList(env.Kins[i].Members)
	}
	env.Values["dtypes"] = sheet.Value{Kind: sheet.List, List: env.DTypes}
	env.Funcs["divisors"] = &sheet.Func{
		Name: "divisors", Params: []sheet.Param{count("n")}, Result: sheet.ListOf(plain), Source: law.Counted,
		Doc:  "The whole numbers that divide n without remainder, the least first: divisors(12) is 1, 2, 3, 4, 6, 12.",
		Work: 1 << 12, Call: divisors,
	}
}

// recordList is a list of records, such as a catalog.
func recordList(records []*sheet.Record) sheet.Value {
	list := make([]sheet.Value, len(records))
	for i, r := range records {
		list[i] = sheet.Value{Kind: sheet.Rec, Record: r}
	}
	return sheet.Value{Kind: sheet.List, List: list}
}

// divisors lists the divisors of a whole number, with its label.
func divisors(a []sheet.Value) (sheet.Value, error) {
	q := a[0].Num
	if x := q.Value; !(x >= 1 && x <= mostDivided) || x != math.Trunc(x) {
		return sheet.Value{}, &network.Error{What: "n is " + strconv.FormatFloat(x, 'g', -1, 64),
			Remedy: "give a whole number from 1 to " + strconv.FormatFloat(mostDivided, 'f', 0, 64)}
	}
	n := int64(q.Value)
	var list, high []sheet.Value
	for d := int64(1); d*d <= n; d++ {
		if n%d != 0 {
			continue
		}
		list = append(list, quantityValue(quantity.Quantity{Value: float64(d), Label: q.Label}))
		if d*d != n {
			high = append(high, quantityValue(quantity.Quantity{Value: float64(n / d), Label: q.Label}))
		}
	}
	slices.Reverse(high)
	return sheet.Value{Kind: sheet.List, List: append(list, high...)}, nil
}
