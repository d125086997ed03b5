package measured

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
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
}

// Metrics are intervals by the names that rows use. A name such as "busbw_GBps_by_bytes/8192" is printed as an object
// that holds "8192", as rows have it.
type Metrics map[string]Interval

// MarshalJSON writes the names in order.
func (m Metrics) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for name, interval := range m {
		outer, inner, within := strings.Cut(name, nested)
		if !within {
			out[outer] = interval
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
	predict, known := predictors()[r.Kind]
	if !known {
		return Prediction{ID: r.ID, Skipped: fmt.Sprintf("kind %q is not predicted; the kinds are %s", r.Kind, kindNames())}
	}
	p, err := predict(r)
	if err != nil {
		return Prediction{ID: r.ID, Skipped: err.Error()}
	}
	p.ID = r.ID
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
