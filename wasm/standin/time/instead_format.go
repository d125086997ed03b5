//go:build js && wasm

package time

import "errors"

// This file stands in for format.go of package time in the browser's program, which prints no dates and reads none.

// Layouts that other files mention.
const (
	DateTime    = "2006-01-02 15:04:05"
	RFC3339     = "2006-01-02T15:04:05Z07:00"
	RFC3339Nano = "2006-01-02T15:04:05.999999999Z07:00"
)

var (
	longDayNames   = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	longMonthNames = []string{
		"January", "February", "March", "April", "May", "June",
		"July", "August", "September", "October", "November", "December",
	}
)

// String says that there is nothing to read.
func (Time) String() string { return "a time" }

// GoString says that there is nothing to read.
func (Time) GoString() string { return "a time" }

// Format says that there is nothing to read.
func (Time) Format(string) string { return "a time" }

// AppendFormat appends that there is nothing to read.
func (Time) AppendFormat(b []byte, _ string) []byte { return append(b, "a time"...) }

func (Time) appendStrictRFC3339(b []byte) ([]byte, error) { return b, errNoFormat() }

func parseStrictRFC3339([]byte) (Time, error) { return Time{}, errNoFormat() }

func errNoFormat() error { return errors.New("there are no dates in this program") }
