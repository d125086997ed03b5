//go:build !lean

package training

import (
	"strconv"
	"strings"
)

// uneven tells whether stages, or their chunks, have different numbers of layers.
func (w *flagWriter) uneven() bool {
	return w.PP > 1 && (w.depth%(w.PP*w.Virtual) != 0 || w.First+w.Last > 0)
}

// laid tells whether Megatron-LM takes the plan's stages by a layout alone: its other flags want stages of one size
// between the ends, and chunks of one size.
func (w *flagWriter) laid() bool { return w.tool == "megatron" && w.uneven() && !w.endsSuffice() }

// layout is the stages as Megatron-LM's flag of that name has them: E is the input's table, t a layer, L the logits;
// chunks stand one after another, and what is repeated is multiplied.
func (w *flagWriter) layout() string {
	chunks := w.chunks()
	var b strings.Builder
	for i := 0; i < len(chunks); {
		again := 1
		for i+again < len(chunks) && chunks[i+again] == chunks[i] {
			again++
		}
		b.WriteString(repeated(chunks[i], again))
		i += again
	}
	return b.String()
}

// repeated is a chunk and what divides it from the next, so many times.
func repeated(chunk string, times int) string {
	if times == 1 {
		return chunk
	}
	return "(" + chunk + ")*" + strconv.Itoa(times)
}

// chunks are the chunks of all stages, the first of each before the second. Where a stage's layers don't divide, the
// chunks beside the tables have one less.
func (w *flagWriter) chunks() []string {
	var all []string
	for k := range w.Virtual {
		for i, layers := range w.pricer.StageLayers(w.Plan) {
			n, more := layers/w.Virtual, layers%w.Virtual
			if k < more && i > 0 || k >= w.Virtual-more && i == 0 {
				n++
			}
			all = append(all, layersText(n)+"|")
		}
	}
	last := len(all) - 1
	all[0], all[last] = "E"+all[0], strings.TrimSuffix(all[last], "|")+"L"
	return all
}

func layersText(n int) string {
	if n < 3 {
		return strings.Repeat("t", n)
	}
	return "t*" + strconv.Itoa(n)
}

// unfold writes out what is repeated in a layout, up to a closing bracket; it fails on what is no layout.
func unfold(s string) (out, rest string, ok bool) {
	const longest = 1 << 14
	for s != "" && s[0] != ')' {
		unit := s[:1]
		if s = s[1:]; unit == "(" {
			if unit, s, ok = unfold(s); !ok || s == "" {
				return "", "", false
			}
			s = s[1:]
		} else if !strings.Contains("EtmL|", unit) {
			return "", "", false
		}
		times := 1
		if tail, found := strings.CutPrefix(s, "*"); found {
			s = strings.TrimLeft(tail, "0123456789")
			times, _ = strconv.Atoi(tail[:len(tail)-len(s)])
		}
		if times < 1 || times > longest || len(out)+times*len(unit) > longest {
			return "", "", false
		}
		out += strings.Repeat(unit, times)
	}
	return out, s, true
}

// laidStages reads a layout of p stages: how many chunks each has, and how many layers the first and the last, where
// that isn't what stages have anyway.
func laidStages(text string, p int) (chunks, first, last int, ok bool) {
	out, rest, ok := unfold(text)
	all := strings.Split(out, "|")
	if !ok || rest != "" || len(all)%p != 0 {
		return 0, 0, 0, false
	}
	layers := strings.Count(out, "t")
	for i, chunk := range all {
		switch n := strings.Count(chunk, "t"); i % p {
		case 0:
			first += n
		case p - 1:
			last += n
		}
	}
	if even := split(float64(layers), 0, p, ends{}, false); first == int(even.first) && last == int(even.last) {
		first, last = 0, 0
	}
	return len(all) / p, first, last, true
}
