package measured

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/measured/summary"
)

// WriteErrors prints how far predictions lie off, what other tools reach, and which assumptions break.
func WriteErrors(w io.Writer) error {
	families, figures := Summarize()
	if err := writeFamilies(w, families); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, f := range figures {
		fmt.Fprintf(w, "%s %.4g\n", f.Name, f.Value)
	}
	if err := writeRuns(w); err != nil {
		return err
	}
	for _, f := range families {
		if f.Breaks != "" {
			fmt.Fprintf(w, "misses: %s, %s: %s\n", f.Name, f.Quantity, f.Breaks)
		}
	}
	return writeRivals(w)
}

func writeFamilies(w io.Writer, families []summary.Family) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "rows\tmedian\tp90\tin interval\thigh/low\t family\t")
	for _, h := range families {
		fmt.Fprintf(out, "%d\t%.1f %%\t%.1f %%\t%.0f %%\t%.2f\t %s, %s: %s, %s\t\n", h.Rows, 100*h.Median, 100*h.P90,
			100*h.Coverage, h.Width, h.Half, h.Name, h.Quantity, h.Part)
	}
	return out.Flush()
}

// writeRuns prints how far published runs lie off, with their sign, and the widest misses first.
func writeRuns(w io.Writer) error {
	runs, misses := PublishedRuns(AllRuns())
	fmt.Fprintln(w, "\npublished runs, by the version of their software; bias below 0 is too fast:")
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "rows\tmedian\tp90\tbias\tin interval\t software\t")
	for _, r := range runs {
		fmt.Fprintf(out, "%d\t%.1f %%\t%.1f %%\t%+.1f %%\t%.0f %%\t %s, %s\t\n", r.Rows, 100*r.Median, 100*r.P90,
			100*r.Bias, 100*r.Inside, r.Stack, r.Part)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nthe widest misses of them, predicted over measured:")
	for _, m := range misses {
		fmt.Fprintf(
			w,
			"%.2f  %s: %.4g s, measured %.4g s (%s)\n",
			m.Predicted/m.Measured,
			m.ID,
			m.Predicted,
			m.Measured,
			m.Stack,
		)
	}
	fmt.Fprintln(w)
	return nil
}

// writeRivals prints what other tools reach on rows of the same kind.
func writeRivals(w io.Writer) error {
	fmt.Fprintln(w, "\nothers on 945 plans of the Ultra-Scale grid that ran and 539 that failed, in percent:")
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "step\tp90\tMFU >= 5 %\tregret\tmean\tmemory\tp90\trefused\t who\t")
	for _, r := range summary.Rivals() {
		for _, x := range []float64{r.Step, r.StepP90, r.Used, r.Regret, r.RegretMean, r.Memory, r.MemoryP90, r.RefusedRuns} {
			if x != x {
				fmt.Fprint(out, "\t")
			} else {
				fmt.Fprintf(out, "%.3g\t", 100*x)
			}
		}
		fmt.Fprintf(out, " %s\t\n", r.Name)
	}
	return out.Flush()
}
