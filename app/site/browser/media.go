package browser

import (
	"maps"
	"slices"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
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

// Shifted types with the Shift key held down.
func (t *Tab) Shifted(keys string) error {
	return chromedp.Do(t.ctx, chromedp.KeyEvent(keys, chromedp.KeyModifiers(chromedp.ModifierShift)))
}

// Insert puts text into whatever has the focus at once, as pasting does.
func (t *Tab) Insert(text string) error {
	_, err := call(t, input.InsertText, input.InsertTextParams{Text: text})
	return err
}

// Tap touches the page at a point, in its pixels from the upper left corner of what is seen.
func (t *Tab) Tap(x, y float64) error {
	if err := t.Touch(input.DispatchTouchEventTypeTouchStart, x, y); err != nil {
		return err
	}
	return t.LiftFinger()
}

// Touch puts a finger down at a point, or moves it there.
func (t *Tab) Touch(how input.DispatchTouchEventType, x, y float64) error {
	_, err := call(t, input.DispatchTouchEvent,
		input.DispatchTouchEventParams{Type: how, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}})
	return err
}

// Mouse does something with the left button of the mouse at a place of the window.
func (t *Tab) Mouse(how input.DispatchMouseEventType, x, y float64) error {
	_, err := call(t, input.DispatchMouseEvent,
		input.DispatchMouseEventParams{Type: how, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
	return err
}

// LiftFinger ends a touch.
func (t *Tab) LiftFinger() error {
	_, err := call(t, input.DispatchTouchEvent, input.DispatchTouchEventParams{
		Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	return err
}
