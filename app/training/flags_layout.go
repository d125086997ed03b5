package training

import "strings"

// uneven tells whether stages, or their chunks, have different numbers of layers.
func (w *flagWriter) uneven() bool {
	return w.PP > 1 && (w.depth%(w.PP*w.Virtual) != 0 || w.First+w.Last > 0)
}

// laid tells whether Megatron-LM takes the plan's stages by a layout alone: its other flags want stages of one size
// between the ends, and chunks of one size.
func (w *flagWriter) laid() bool { return w.tool == "megatron" && w.uneven() && !w.endsSuffice() }

// layout is the stages as Megatron-LM's flag of that name has them: E is the input's table, t a layer, L the logits;
// chunks stand one after another.
func (w *flagWriter) layout() string { return strings.Join(w.chunks(), "") }

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
			all = append(all, strings.Repeat("t", n)+"|")
		}
	}
	last := len(all) - 1
	all[0], all[last] = "E"+all[0], strings.TrimSuffix(all[last], "|")+"L"
	return all
}
