package network

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/spell"
)

// mostPoints bounds the measurements of a text.
const mostPoints = 1000

// ReadPoints reads measurements, a line each or with semicolons between them: the size of the array and what it took,
// "64 MiB 339 us", or its bus bandwidth, "64 MiB 346.5 GB/s", of which share bytes cross a wire for each byte of the
// array. It takes the table of NCCL's tests as it is printed: sizes in bytes, times in microseconds, the columns of
// operations out of place. Lines that begin with # are left out, and so is a head without numbers.
func ReadPoints(text string, share float64) ([]Point, error) {
	var points []Point
	n := 0
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimSpace(line)
		if n++; line == "" || line[0] == '#' || n == 1 && isHead(line) && !isHead(text) {
			continue
		}
		p, ok := readTest(strings.Fields(line))
		if !ok {
			if p, ok = readPoint(line, share); !ok {
				return nil, phrase.Fault{
					What:   phrase.New("network.bad-measurement", "n", n, "line", clipped(line)),
					Remedy: phrase.New("network.write-measurement"),
				}
			}
		}
		if points = append(points, p); len(points) > mostPoints {
			return nil, phrase.Fault{
				What:   phrase.New("network.many-points", "most", mostPoints),
				Remedy: phrase.New("network.fewer-points"),
			}
		}
	}
	return points, nil
}

// isHead tells a line that names columns.
func isHead(line string) bool { return !strings.ContainsAny(line, "0123456789") }

// readTest reads a line of NCCL's tests: size, count, type, operation, root, time, and more.
func readTest(cells []string) (p Point, ok bool) {
	if len(cells) < 8 {
		return p, false
	}
	size, err := strconv.ParseFloat(cells[0], 64)
	time, err2 := strconv.ParseFloat(cells[5], 64)
	return Point{Bytes: q.Bytes(size), Time: q.Seconds(time * 1e-6)}, err == nil && err2 == nil && size > 0 && time > 0
}

// readPoint reads a size and a time or a bus bandwidth.
func readPoint(line string, share float64) (p Point, ok bool) {
	size, n, err := q.Literal(line)
	if err != nil || size.Dim != q.Bytes(1).Quantity().Dim {
		return p, false
	}
	rest := strings.Trim(line[n:], " \t,:")
	took, n, err := q.Literal(rest)
	if err != nil || n < len(rest) || !(size.Value > 0 && took.Value > 0) {
		return p, false
	}
	p = Point{Bytes: q.Bytes(size.Value), Time: q.Seconds(took.Value)}
	if took.Dim == q.Bandwidth(1).Quantity().Dim {
		p.Time = q.Seconds(share * size.Value / took.Value)
		return p, true
	}
	return p, took.Dim == q.Seconds(1).Quantity().Dim
}

// clipped is the beginning of a line.
func clipped(line string) string { return spell.Clip(strings.ToValidUTF8(line, ""), 40) }
