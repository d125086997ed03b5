package browser

import "github.com/chromedp/cdproto/page"

// Sheet is a size of paper, in inches.
type Sheet struct{ Width, Height float64 }

// The papers of the world's offices.
var (
	A4     = Sheet{8.27, 11.69}
	Letter = Sheet{8.5, 11}
)

// PDF is the page as it is printed on such paper, with its colours and pictures of the background left out as printers
// do.
func (t *Tab) PDF(on Sheet) ([]byte, error) {
	r, err := call(t, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: on.Width, PaperHeight: on.Height})
	return r.Data, err
}

// Bound is the page as a book: on the paper that its style names, with colours, with the tree of its headings as
// bookmarks, and tagged for those who have it read to them.
func (t *Tab) Bound() ([]byte, error) {
	yes := true
	r, err := call(t, page.PrintToPDF, page.PrintToPDFParams{
		PrintBackground: &yes, PreferCSSPageSize: &yes, GenerateTaggedPDF: &yes, GenerateDocumentOutline: &yes,
	})
	return r.Data, err
}
