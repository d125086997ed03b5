package nccl

import (
	"strconv"
	"strings"
)

// keys are what records call their figures, in small letters and without signs: after each name the column of a line
// that is made of it. Times are microseconds, bandwidths GB/s.
const keys = "|size 0|sizeb 0|sizebytes 0|bytes 0|messagebytes 0|msgsize 0|time 1|timeus 1|latencyus 1|timeavgus 1|" +
	"avgus 1|medianus 1|algbw 2|algbwgbps 2|algbwgbs 2|busbw 3|busbwgbps 3|busbwgbs 3|wrong 4|name 5|op 5|collective 5|" +
	"ranks 6|nranks 6|worldsize 6|"

// The columns of a record that stand for themselves.
const (
	recordSize = iota
	recordTime
	recordRate
	recordBus
	recordWrong
	recordOp
	recordRanks
	recordColumns
)

// record is a size with its figures: of RCCL's and MSCCL++'s tests, which write them as JSON or CSV, and of others that
// name their figures alike.
type record [recordColumns]string

// set keeps a figure by its name.
func (r *record) set(name, value string) {
	letters := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' {
			return c
		}
		return -1
	}, strings.ToLower(name))
	if _, column, is := strings.Cut(keys, "|"+letters+" "); is && r[column[0]-'0'] == "" { // out of place comes first
		r[column[0]-'0'] = strings.Trim(value, "\" \t\r\n")
	}
}

// line is the record as nccl-tests print it, behind what names the collective and the ranks; "" if figures are missing.
func (r *record) line() string {
	size, time := numberOf(r[recordSize]), numberOf(r[recordTime])
	if !(size > 0 && time > 0) || numberOf(r[recordBus]) < 0 {
		return ""
	}
	rate := strconv.FormatFloat(size/time/1e3, 'f', 6, 64)
	text := strings.Join([]string{r[recordSize], "1 -", r[recordTime], rate, r[recordBus], r[recordWrong]}, " ") + "\n"
	if r[recordOp] != "" {
		text = "# " + r[recordOp] + "\n" + text
	}
	if r[recordRanks] != "" {
		text = "# -np " + r[recordRanks] + "\n" + text
	}
	return text
}

// recorded makes lines as nccl-tests print them of records in JSON, one behind the other or in lists, or of the rows of
// a table with commas; it is text itself if it holds neither.
func recorded(text string) string {
	if low := strings.ToLower(text); !strings.Contains(low, "busbw") && !strings.Contains(low, "bus_bw") {
		return text
	}
	var b strings.Builder
	for piece := range strings.SplitSeq(text, "{") {
		var r record
		object, _, whole := strings.Cut(piece, "}")
		for field := range strings.SplitSeq(object, ",") {
			if name, value, is := strings.Cut(field, ":"); is && whole {
				r.set(name, value)
			}
		}
		b.WriteString(r.line())
	}
	var head []string
	for line := range strings.Lines(text) {
		cells := strings.Split(line, ",")
		if low := strings.ToLower(line); len(cells) > 2 && strings.Contains(low, "busbw") &&
			!strings.Contains(low, "{") {
			head = cells
			continue
		}
		var r record
		for i := range min(len(head), len(cells)) {
			r.set(head[i], cells[i])
		}
		b.WriteString(r.line())
	}
	if b.Len() == 0 {
		return text
	}
	return b.String()
}
