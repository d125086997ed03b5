package figure

import _ "embed"

//go:embed readers.tsv
var readerFigures string

// readerTable is the figures of what is read from programs and traces, and held against measurements.
func readerTable() []entry {
	return entries(readerFigures, []drawn{
		{"predicted_measured", alone(Predicted)},
		{"ops_roofline", drawing(OpsRoofline)},
		{"hlo_roofline", alone(Roofline)},
		{"hlo_tiles", alone(Tiles)},
		{"trace_bars", alone(TraceBars)},
	})
}
