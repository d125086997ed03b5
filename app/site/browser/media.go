package browser

import (
	"maps"
	"slices"

	"github.com/chromedp/cdproto/emulation"
)

// Prefer tells the page what the reader's system prefers, in place of all that it was told before: media features and
// their values, such as "prefers-color-scheme": "dark" and "forced-colors": "active".
func (t *Tab) Prefer(features map[string]string) error {
	var media emulation.SetEmulatedMediaParams
	for _, name := range slices.Sorted(maps.Keys(features)) {
		media.Features = append(media.Features, &emulation.MediaFeature{Name: name, Value: features[name]})
	}
	_, err := call(t, emulation.SetEmulatedMedia, media)
	return err
}
