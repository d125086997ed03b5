package figure

// readerTable is the figures of what is read from programs and traces, and held against measurements.
func readerTable() []entry {
	return []entry{
		{Name: "predicted_measured", Takes: "family held family",
			Doc:  "What was measured over what was predicted, of the rows of a family; the others of the quantity are pale.",
			draw: alone(Predicted)},
		{Name: "ops_roofline", Takes: "profile HLO profile, at",
			Doc: "The operations of a program as bars, as wide as the time that each must take, and as points under the " +
				"roofs of the chip; dragging along the bars sets the input `at`.",
			draw: drawing(OpsRoofline)},
		{Name: "hlo_roofline", Takes: "profile HLO profile",
			Doc:  "The operations of a program under the roofs of a chip, over the operations for each byte of HBM traffic.",
			draw: alone(Roofline)},
		{Name: "hlo_tiles", Takes: "shape HLO shape",
			Doc:  "How a small array lies in memory, tile by tile, with its padding.",
			draw: alone(Tiles)},
		{Name: "trace_bars", Takes: "trace trace",
			Doc:  "Where the time of each device of a trace went, bar by bar.",
			draw: alone(TraceBars)},
	}
}
