// Package measured reads measurements of training, of serving, of single machines and of collectives as they are
// published, and predicts them.
//
// A row is one line of JSON:
//
//	{"id": "...", "kind": "training", "setup": {"model": "llama-3-8b", "device": "H100", "n_devices": "8", ...},
//	 "measured": {...}}
//
// Predict goes in steps:
//
//  1. A line becomes a Row. What was measured is not even read, but for the names of the metrics: a prediction can't
//     depend on it.
//  2. The row's kind chooses a Predictor, from the table in predict.go.
//  3. The predictor reads the set-up through its getters, which understand what people write: "128", "64-512",
//     "GPUs/32", "16M", "n/a". It asks the estimation packages, and answers with intervals, named and counted as
//     measurements are.
//  4. The answer is written as one object on one line, in the order of the rows. A row that can't be predicted
//     says why.
//
// This package is not part of the browser’s program: it uses encoding/json.
package measured

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Interval is a prediction: the measured value should lie between Low and High nine times in ten.
type Interval struct {
	Low  float64 `json:"low"`
	Mid  float64 `json:"mid"`
	High float64 `json:"high"`
}

// MarshalJSON writes six digits: more would pretend.
func (i Interval) MarshalJSON() ([]byte, error) {
	for _, x := range []float64{i.Low, i.Mid, i.High} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%v is no number", x)
		}
	}
	digits := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	return []byte(`{"low":` + digits(i.Low) + `,"mid":` + digits(i.Mid) + `,"high":` + digits(i.High) + `}`), nil
}

// Over is the interval of c/x where x lies in i: a rate from a time.
func (i Interval) Over(c float64) Interval { return Interval{c / i.High, c / i.Mid, c / i.Low} }

// Times is i scaled by a positive number.
func (i Interval) Times(c float64) Interval { return Interval{i.Low * c, i.Mid * c, i.High * c} }

// sound tells whether an interval is one: positive numbers, low to high.
func (i Interval) sound() bool {
	return i.Low > 0 && i.Low <= i.Mid && i.Mid <= i.High && !math.IsInf(i.High, 0)
}

// Prediction is what is printed for a row.
type Prediction struct {
	ID string `json:"id"`
	// whether it fits into the device's memory: yes, likely, unlikely or no; absent where that isn't asked or known
	Fits    string   `json:"fits,omitempty"`
	Metrics Metrics  `json:"predictions,omitempty"`
	Notes   []string `json:"notes,omitempty"`   // what should be known of the prediction
	Skipped string   `json:"skipped,omitempty"` // why there is no prediction

	unreadStated bool // notes have what was not read
}

// Metrics are intervals by the names that rows use. A name such as "busbw_GBps_by_bytes/8192" is printed as an object
// that holds "8192", as rows have it.
type Metrics map[string]Interval

// MarshalJSON writes the names in order.
func (m Metrics) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for name, interval := range m {
		outer, inner, within := strings.Cut(name, nested)
		if !within || inner == "s" || inner == "sec" { // a unit
			out[name] = interval
			continue
		}
		of, _ := out[outer].(Metrics)
		if of == nil {
			of = Metrics{}
			out[outer] = of
		}
		of[inner] = interval
	}
	return json.Marshal(out)
}

// Predictor predicts the rows of one kind. An error is the reason why a row is skipped.
type Predictor func(Row) (Prediction, error)

// One predicts a row.
func One(r Row) Prediction {
	kind := r.Kind
	switch strings.ReplaceAll(strings.ToLower(kind), "-", "") {
	case "pretraining", "pretrain":
		kind = "training"
	case "finetuning", "finetune", "sft":
		kind = "finetuning"
	}
	predict, known := predictors()[kind]
	if !known {
		return Prediction{ID: r.ID, Skipped: fmt.Sprintf("kind %q is not predicted; the kinds are %s", r.Kind,
			kindNames())}
	}
	said := r.Setup
	r.Setup = said.watched()
	p, err := predict(r)
	if err == nil {
		err = said.impossible()
	}
	if err != nil {
		return Prediction{ID: r.ID, Skipped: err.Error()}
	}
	p.ID = r.ID
	if unread := r.Setup.unread(); len(unread) > 0 && !p.unreadStated {
		p.Notes = append(p.Notes, fmt.Sprintf("%s: nothing here depends on that; leave it out, or say it by another "+
			"name",
			strings.Join(unread, ", ")))
	}
	if kind == "training" || kind == "memory" || kind == "finetuning" {
		p.asked(r.Asked)
	}
	return p
}

// Predict reads rows, a line each, and writes a prediction a line. Lines that are no rows are skipped, with the reason;
// rows is how many others there are. A line is read, answered and forgotten before the next, however many there are.
func Predict(r io.Reader, w io.Writer) (rows int, err error) {
	in, out := bufio.NewReaderSize(r, 1<<16), bufio.NewWriter(w)
	byteOrderMark := []byte("\xef\xbb\xbf") // with which some programs begin a file
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return rows, errors.Join(err, out.Flush())
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark)); len(line) > 0 {
			p, isRow := predictLine(line, n)
			if isRow {
				rows++
			}
			if err := encoder.Encode(p); err != nil {
				return rows, err
			}
		}
		if err == nil && in.Buffered() == 0 { // whoever writes a row and waits has the answer
			err = out.Flush()
		}
		if err != nil && err != io.EOF {
			return rows, err
		}
		if err == io.EOF {
			return rows, out.Flush()
		}
	}
}

// predictLine predicts line n of a file, if it is a row.
func predictLine(line []byte, n int) (p Prediction, isRow bool) {
	row, err := ReadRow(line)
	if err != nil {
		return Prediction{Skipped: fmt.Sprintf("line %d: %v", n, err)}, false
	}
	return One(row), true
}

// predictors are the kinds of rows that there are predictions for.
func predictors() map[string]Predictor {
	all := map[string]Predictor{
		"inference":       inference,
		"training":        trainingRow,
		"memory":          trainingRow,
		"known-good-plan": trainingRow,
		"finetuning":      finetuning,
		"quantised_size":  quantisedSize,
	}
	for kind, predict := range widthPredictors() {
		all[kind] = func(r Row) (Prediction, error) { return predict(r, shippedWidths()) }
	}
	return all
}

// widthPredictors are the predictors of those kinds whose intervals are [machineWidths].
func widthPredictors() map[string]func(Row, *machineWidths) (Prediction, error) {
	return map[string]func(Row, *machineWidths) (Prediction, error){
		"kv_capacity":  kvCapacity,
		"local_decode": localDecode,
		"nccl_tests":   collectiveTest,
	}
}

// kindNames lists the kinds.
func kindNames() string {
	var names []string
	for name := range predictors() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// formula reads a number as people write it in tables: a product or quotient of numbers and of other values of the
// set-up.
type formula struct {
	setup Setup
	depth int // of formulas inside formulas
}

// times is an x between two numbers.
var times = regexp.MustCompile(`(\d)\s*[xX]\s*(\d)`)

// deepest is how often a formula may name another: enough for "GPUs*6", and an end for one that names itself.
const deepest = 4

// value is the number that a text stands for.
func (f formula) value(text string) (float64, error) {
	if f.depth > deepest {
		return 0, errors.New("it names itself; write a number")
	}
	product, op := 1.0, byte('*')
	rest := times.ReplaceAllString(strings.ReplaceAll(text, "×", "*"), "$1*$2")
	for more := true; more; {
		var part string
		next := byte('*')
		if end := strings.IndexAny(rest, "*/"); end >= 0 {
			part, next, rest = rest[:end], rest[end], rest[end+1:]
		} else {
			part, more = rest, false
		}
		x, err := f.factor(strings.TrimSpace(part))
		if err != nil {
			return 0, err
		}
		if op == '/' {
			x = 1 / x
		}
		product, op = product*x, next
	}
	if math.IsInf(product, 0) || math.IsNaN(product) {
		return 0, errors.New("it has no value; write a number")
	}
	return product, nil
}

// factor is a number with an ending, a range, or the name of another value.
func (f formula) factor(text string) (float64, error) {
	if x, ok := number(text); ok {
		return x, nil
	}
	if low, high, found := strings.Cut(rangeSigns.Replace(text), "-"); found {
		if x, ok := number(low); ok {
			if _, ok := number(high); ok {
				return x, nil
			}
		}
	}
	names := []string{text, strings.ToLower(text)}
	if strings.EqualFold(text, "gpus") || strings.EqualFold(text, "chips") || strings.EqualFold(text, "devices") {
		names = append(names, "n_devices", "gpus")
	}
	name, value, found := f.setup.lookup(names)
	if !found {
		return 0, fmt.Errorf(
			"%q is no number and no value of this set-up; write a number, a range such as 64-512, or GPUs/32",
			text,
		)
	}
	switch v := value.(type) {
	case float64:
		return v, nil
	case string:
		return formula{f.setup, f.depth + 1}.value(v)
	}
	return 0, fmt.Errorf("%s is no number", name)
}
