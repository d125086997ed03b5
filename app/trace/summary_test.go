package trace

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// again reads the summary of a trace.
func again(t *testing.T, tr *Trace) *Trace {
	t.Helper()
	summary := tr.Summary()
	r, err := NewReader(summary)
	if err != nil {
		t.Fatal(err)
	}
	for r.Step() {
	}
	if r.Err() != nil {
		t.Fatalf("%v in %s", r.Err(), summary)
	}
	return r.Trace()
}

// A summary says all that its trace says.
func TestSummary(t *testing.T) {
	kineto, err := os.ReadFile("testdata/kineto.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a trace of PyTorch": string(kineto),
		"names": events(append(named, x(3, "a \"quoted\"\\ name\u2028", 0, 1.1), x(3, "<b>&amp;</b>", 2, 1.0/3),
			`{"ph":"X","pid":1,"tid":3,"name":"tab\t\u0000","ts":9,"dur":1,"args":{"long_name":"%a = f32[2] add(%b)\n"}}`)...),
		"faults":  events(append(named, `{"ph":"X"}`, x(3, "a", 0, 1), `{"ph":"b","name":"c"}`)...),
		"cut":     events(append(named, x(3, "a", 0, 1))...)[:440],
		"steps":   events(append(named, x(1, "1", 0, 130), x(3, "a", 0, 100))...),
		"nothing": events(),
		"hosts":   `[{"ph":"X","pid":7,"tid":1,"name":"f","ts":1,"dur":2}]`,
	} {
		want := whole(t, text)
		if got := again(t, want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
}

// What is no summary says so, and gives nothing.
func TestBrokenSummary(t *testing.T) {
	good := whole(t, events(append(named, x(3, "fusion", 0, 1))...)).Summary()
	for _, text := range []string{summaryBegin, good[:len(good)-1], good + "}",
		strings.Replace(good, `"class":0`, `"class":9`, 1), strings.Replace(good, `"times":1`, `"times":-1`, 1),
		strings.Replace(good, `"events":`, `"other":`, 1), strings.Replace(good, `"tracks":1`, `"tracks":1e9`, 1),
		strings.Replace(good, `"idle":0`, `"idle":NaN`, 1), summaryBegin + `"ops":[[[[`} {
		r, err := NewReader(text)
		if err != nil {
			t.Fatal(err)
		}
		for r.Step() {
		}
		if r.Err() == nil || len(r.Trace().Devices) > 0 {
			t.Errorf("taken: %s", text)
		}
	}
}
