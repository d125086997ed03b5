package library

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// measuredPoints is the measurements that figures lay over what was computed: a line for each model, chip, bits of
// weights, engine, mode, and tokens of prompt and answer, then requests:ms a token:tokens a second and chip. It is
// written from the tables of app/measured/rows.
//
//go:embed serving_measured.tsv
var measuredPoints string

// measured are the points of a model on a chip at these lengths.
func (n *servings) measured(a []value.Value) (value.Value, error) {
	var all []*value.Record
	begin := a[0].Record.ID + "\t" + a[1].Record.ID + "\t"
	for line := range strings.Lines(measuredPoints) {
		if !strings.HasPrefix(line, begin) {
			continue
		}
		c := strings.Split(strings.TrimSpace(line), "\t")
		bits, _ := strconv.ParseFloat(c[2], 64)
		if bits == a[4].Bits && c[5] == plainText(a[2]) && c[6] == plainText(a[3]) {
			all = append(all, n.pointsOf(c[3], c[4], c[7])...)
		}
	}
	return recordList(all), nil
}

// plainText is a number as the table writes it.
func plainText(v value.Value) string { return strconv.FormatFloat(v.Num.Value, 'g', -1, 64) }

// pointsOf reads the points of a line.
func (n *servings) pointsOf(engine, mode, text string) []*value.Record {
	var all []*value.Record
	for point := range strings.FieldsSeq(text) {
		c := strings.Split(point, ":")
		var x [3]float64
		for i := range x {
			x[i], _ = strconv.ParseFloat(c[i], 64)
		}
		r := n.fill("point", phrase.New("library.at-once", "plan", engineName(engine), "n", c[0]), []named{
			{"requests", x[0]}, {"tpot", x[1] / 1e3}, {"per_chip", x[2]}, {"per_user", 1e3 / x[1]}})
		r.ID = engine + "-" + mode + "-" + point
		r.say("engine", engineName(engine))
		r.say("mode", mode)
		all = append(all, r.Record)
	}
	return all
}
