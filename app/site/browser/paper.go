package browser

import "github.com/chromedp/cdproto/page"

// PDF is the page as it is printed, with its colours and pictures of the background left out as printers do.
func (t *Tab) PDF() ([]byte, error) {
	r, err := call(t, page.PrintToPDF, page.PrintToPDFParams{})
	return r.Data, err
}
