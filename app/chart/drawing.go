package chart

// Drawing is a plot laid out: what several questions about one plot have in common, computed once. It does not follow
// later changes of the plot, and is safe for concurrent use.
type Drawing struct{ l *layout }

// Draw lays the plot out.
func (p *Plot) Draw() Drawing { return Drawing{p.layout()} }

// SVG is Drawing.SVG of a plot drawn for this only.
func (p *Plot) SVG() string { return p.Draw().SVG() }

// Twin is Drawing.Twin of a plot drawn for this only.
func (p *Plot) Twin() (header []string, rows [][]string) { return p.Draw().Twin() }

// Summary is Drawing.Summary of a plot drawn for this only.
func (p *Plot) Summary() string { return p.Draw().Summary() }

// Read is Drawing.Read of a plot drawn for this only.
func (p *Plot) Read(x float64) Reading { return p.Draw().Read(x) }

// XAt is Drawing.XAt of a plot drawn for this only.
func (p *Plot) XAt(fraction float64) float64 { return p.Draw().XAt(fraction) }

// Cursor is Drawing.Cursor of a plot drawn for this only.
func (p *Plot) Cursor(x float64) float64 { return p.Draw().Cursor(x) }
