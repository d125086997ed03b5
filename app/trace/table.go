package trace

import (
	"strconv"
	"strings"
)

// The columns of a table of kernels that count.
const (
	nameColumn = iota
	totalColumn
	timesColumn
	startColumn
	endColumn
	tookColumn
	deviceColumn
	queueColumn
	columns
)

// titles are columns by their titles, as nsys stats and rocprof print them. Times are nanoseconds.
const titles = "|Name 0|Kernel_Name 0|KernelName 0|Operation 0|Total Time (ns) 1|TotalDurationNs 1|Instances 2|" +
	"Count 2|Calls 2|Start (ns) 3|Start_Timestamp 3|BeginNs 3|End_Timestamp 4|EndNs 4|Duration (ns) 5|" +
	"Device 6|Agent_Id 6|gpu-id 6|Strm 7|Queue_Id 7|queue-id 7|"

// table is a table of kernels: of their sums, or of each by itself.
type table struct {
	commas bool         // stand between cells; else two blanks
	at     [columns]int // where its columns stand, from 1; 0 if there is none
	cells  int
}

// heads tells whether a line is the head of a table of kernels. That of calls of the host has no such columns.
func (t *table) heads(line string) bool {
	h := table{commas: strings.Contains(line, ",")}
	all := h.split(line)
	for i, title := range all {
		if _, rest, ok := strings.Cut(titles, "|"+title+" "); ok && rest[0] >= '0' && rest[0] < '0'+columns {
			h.at[rest[0]-'0'] = i + 1
		}
	}
	h.cells = len(all)
	sums := h.at[totalColumn] > 0 && h.at[timesColumn] > 0
	each := h.at[startColumn] > 0 && h.at[endColumn]+h.at[tookColumn] > 0
	if h.at[nameColumn] == 0 || !sums && !each {
		return false
	}
	*t = h
	return true
}

// split cuts a line into its cells. Of a table without commas the last cell has what is left.
func (t *table) split(line string) (cells []string) {
	from, quoted := 0, false
	for i := range len(line) + 1 {
		ends := i == len(line)
		switch {
		case ends:
		case t.commas:
			quoted = quoted != (line[i] == '"')
			ends = line[i] == ',' && !quoted
		default:
			ends = line[i] == ' ' && line[i:min(i+2, len(line))] == "  " && len(cells) != t.cells-1
		}
		if !ends {
			continue
		}
		if cell := strings.Trim(line[from:i], " \r\""); cell != "" || t.commas {
			cells = append(cells, strings.ReplaceAll(cell, `""`, `"`))
		}
		from = min(i+1, len(line))
	}
	return cells
}

// tabled finds the head of a table of kernels near the beginning of a text, and plans to read on from there.
func (r *Reader) tabled() bool {
	var t table
	for at := 0; at < min(len(r.src), slice); {
		line, _, _ := strings.Cut(r.src[at:], "\n")
		if t.heads(line) {
			r.pos = at
			r.jobs = []func() bool{func() bool { return r.rows(&t) }, r.devices}
			return true
		}
		at += len(line) + 1
	}
	return false
}

// rows reads a slice of the lines.
func (r *Reader) rows(t *table) (more bool) {
	for until := r.pos + slice; r.pos < until && r.kept < MaxEvents; {
		line, _, whole := strings.Cut(r.src[r.pos:], "\n")
		if !whole && len(line) < maxEvent && r.short(0) {
			return true
		}
		if line == "" && !whole {
			return false
		}
		switch {
		case t.heads(line):
		case strings.Contains(line, " (ns)"): // of another table
			*t = table{}
		default:
			r.row(t, line)
		}
		r.pos = min(r.pos+len(line)+1, len(r.src))
	}
	return r.kept < MaxEvents
}

// row keeps a line of a table; an empty line ends that.
func (r *Reader) row(t *table, line string) {
	if strings.Trim(line, " \r") == "" {
		*t = table{}
	}
	cells := t.split(line)
	if t.cells == 0 || len(cells) < t.cells || strings.Trim(line, " \r-") == "" {
		return
	}
	var text [columns]string
	var n [columns]int64
	for i, at := range t.at {
		if n[i] = -1; at > 0 {
			text[i] = cells[at-1]
			if x, err := strconv.ParseInt(strings.ReplaceAll(text[i], ",", ""), 10, 62); err == nil {
				n[i] = x
			}
		}
	}
	r.trace.Events++
	e := raw{name: text[nameColumn], kind: "kernel", process: text[deviceColumn], thread: text[queueColumn]}
	start, took := n[startColumn], n[tookColumn]
	if t.at[endColumn] > 0 {
		took = n[endColumn] - start
	}
	switch {
	case e.name != "" && start >= 0 && took >= 0:
		if !r.started {
			r.started, r.origin = true, start
		}
		if card, _, of := strings.Cut(e.process, " ("); of { // NVIDIA H100 80GB HBM3 (0)
			r.cards[strings.Clone(e.process)] = strings.Clone(card)
		}
		e.start, e.took = float64(start-r.origin)/1e3, float64(took)/1e3
		r.complete(r.track(&e), r.event(&e))
	case e.name != "" && n[totalColumn] >= 0 && n[timesColumn] >= 0:
		o := r.ops[r.op(&e)]
		o.times, o.time = o.times+float64(n[timesColumn]), o.time+float64(n[totalColumn])/1e3
		r.trace.Sums = true
	default:
		r.fault(noEvent)
	}
}
