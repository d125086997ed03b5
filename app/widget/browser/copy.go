//go:build js && wasm

package browser

import (
	"slices"
	"strings"
	"syscall/js"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// copy puts the sheet on the clipboard in one of the forms of the menu.
func (c *island) copy(what string) {
	text := ""
	switch what {
	case "link":
		ps := c.view.Params()
		if slices.ContainsFunc(c.view.Documents(), func(d widget.Document) bool { return d.Text != "" }) {
			c.pack(ps, func(ps []address.Param, left []string) { c.clip(c.linkTo(ps), left) })
		} else {
			c.clip(c.linkTo(ps), nil)
		}
		return
	case "embed":
		c.offerUse()
		return
	default:
		text = c.view.Export(what)
	}
	c.clip(text, nil)
}

// linkTo is the address of the calculator in a state.
func (c *island) linkTo(ps []address.Param) string {
	return c.home() + address.Query(ps, nil) + "#" + c.id
}

// clip puts a text on the clipboard; left are the documents that it should have carried.
func (c *island) clip(text string, left []string) {
	clipboard := get(global, "navigator", "clipboard")
	if !clipboard.Truthy() {
		c.copied(oldCopy(text), left)
		return
	}
	var done, failed js.Func
	handler := func(ok func() bool) js.Func {
		return js.FuncOf(func(js.Value, []js.Value) any {
			done.Release()
			failed.Release()
			c.copied(ok(), left)
			return nil
		})
	}
	done = handler(func() bool { return true })
	failed = handler(func() bool { return oldCopy(text) })
	clipboard.Call("writeText", text).Call("then", done, failed)
}

func (c *island) copied(ok bool, left []string) {
	said := c.phrases().Say("browser.copied")
	switch {
	case !ok:
		said = c.phrases().Say("browser.copying-forbidden")
	case len(left) > 0:
		said = c.phrases().Say("browser.copied-without", "documents", strings.Join(left, ", "))
	}
	c.report(said)
}

// report says a word beside the menu for a while, to be seen and heard.
func (c *island) report(said string) {
	c.ctx.Dispatch(func(app.Context) {
		c.view.Copied(said)
		c.view.Say(said)
	})
	after(4000, func() { c.ctx.Dispatch(func(app.Context) { c.view.Copied("") }) })
}

// oldCopy copies through a field, where there is no clipboard to write to.
func oldCopy(text string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	field := document.Call("createElement", "textarea")
	set(field, "value", text)
	field.Set("className", "visually-hidden")
	get(document, "body").Call("append", field)
	field.Call("select")
	ok = document.Call("execCommand", "copy").Bool()
	field.Call("remove")
	return ok
}

// encodePad is address.EncodePad with the browser's own DEFLATE. Its result comes later.
func encodePad(text string, then func(code string, err error)) {
	if err := address.CheckPad(text); err != nil {
		then("", err)
		return
	}
	through("CompressionStream", []byte(text), 2*address.MaxPadText, func(packed []byte, whole bool) {
		if !whole {
			then("", phrase.New("browser.no-deflate"))
			return
		}
		then(address.PadCode(packed))
	})
}

// decodePad is address.DecodePad with the browser's own DEFLATE.
func decodePad(code string, then func(text string, err error)) {
	packed, err := address.PadPacked(code)
	if err != nil {
		then("", err)
		return
	}
	if !get(global, "DecompressionStream").Truthy() {
		then("", phrase.New("browser.no-deflate"))
		return
	}
	through(
		"DecompressionStream",
		packed,
		address.MaxPadText,
		func(text []byte, whole bool) { then(address.PadText(text, whole)) },
	)
}

// through sends data through a stream of the browser, and hands over what comes out once it is whole or more than most.
func through(kind string, data []byte, most int, then func(out []byte, whole bool)) {
	maker := get(global, kind)
	if !maker.Truthy() {
		then(nil, false)
		return
	}
	in := get(global, "Uint8Array").New(len(data))
	js.CopyBytesToJS(in, data)
	packed := get(global, "Blob").New([]any{in}).Call("stream")
	drain(packed.Call("pipeThrough", maker.New("deflate-raw")), 0, most, then)
}

// drainFor is how many milliseconds pieces of a stream are taken, one after the other, before the page has its turn.
const drainFor = 8

// drain hands over what comes out of a stream once it is whole or more than most. About how many bytes come may be
// known.
func drain(stream js.Value, about, most int, then func(out []byte, whole bool)) {
	take, end := gathered(about, most, then)
	pour(stream, take, end)
}

// drainBlob is drain for a blob, which gzip may have packed.
func drainBlob(blob js.Value, packed bool, most int, then func(out []byte, whole bool)) {
	take, end := gathered(get(blob, "size").Int(), most, then)
	pourBlob(blob, packed, func(int) {}, take, end)
}

// gathered are what takes pieces as long as they are no more than most together, and what hands them over.
func gathered(about, most int, then func(out []byte, whole bool)) (take func(js.Value) bool, end func(whole bool)) {
	out := make([]byte, 0, min(about, most))
	return func(bytes js.Value) bool {
		size, more := len(out), get(bytes, "length").Int()
		out = slices.Grow(out, more)[:size+more]
		js.CopyBytesToGo(out[size:], bytes)
		return len(out) <= most
	}, func(whole bool) { then(out, whole) }
}

// pour hands over what comes out of a stream, piece by piece, until take wants no more, and says at the end whether
// that was all. Between pieces the page has its turn, so that a long one does not stop it.
func pour(stream js.Value, take func(bytes js.Value) bool, end func(whole bool)) {
	reader := stream.Call("getReader")
	var some, none js.Func
	over := func(whole bool) {
		some.Release()
		none.Release()
		end(whole)
	}
	next, began := func() { reader.Call("read").Call("then", some, none) }, time.Now()
	some = js.FuncOf(func(_ js.Value, args []js.Value) any {
		if get(args[0], "done").Bool() {
			over(true)
			return nil
		}
		if !take(get(args[0], "value")) {
			reader.Call("cancel")
			over(false)
			return nil
		}
		if time.Since(began).Milliseconds() < drainFor {
			next()
			return nil
		}
		after(0, func() { began = time.Now(); next() })
		return nil
	})
	none = js.FuncOf(func(js.Value, []js.Value) any { // what came in can't be read or unpacked
		over(false)
		return nil
	})
	next()
}

// promise is for the page's script: what f hands over, later.
func promise(f func(then func(map[string]any))) js.Value {
	begin := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(func(answer map[string]any) { args[0].Invoke(answer) })
		return nil
	})
	defer begin.Release()
	return get(global, "Promise").New(begin)
}

// A link carries what the reader gave a document to hold, packed, as far as an address is long enough.

// pack adds what the reader's documents hold to the parameters of a link, and names those that are too long for it.
func (c *island) pack(ps []address.Param, then func(ps []address.Param, left []string)) {
	docs := c.view.Documents()
	var left []string
	var next func(i int)
	next = func(i int) {
		switch {
		case i == len(docs):
			then(ps, left)
		case docs[i].Text == "":
			next(i + 1)
		default:
			encodePad(strings.ReplaceAll(docs[i].Text, "\r\n", "\n"), func(code string, err error) {
				p := address.Param{Sheet: c.id, Name: docs[i].Name, Text: address.Packed + code}
				if err != nil || docs[i].Size > 0 || len(address.LeftOut(append(slices.Clip(ps), p))) > 0 {
					left = append(left, docs[i].Label)
				} else {
					ps = append(ps, p)
				}
				next(i + 1)
			})
		}
	}
	next(0)
}

// unpack reads a document that an address carries, and then all that the address says, which may rest on it.
func (c *island) unpack(p address.Param, then func()) {
	decodePad(strings.TrimPrefix(p.Text, address.Packed), func(text string, err error) {
		c.oncePlaced(func() {
			c.ready()
			if err != nil {
				c.view.Notice(c.page.texts([]*phrase.Phrase{widget.Problem(p.Name, "", err)}))
			} else {
				c.view.Recall(widget.Document{Name: p.Name, Text: text})
			}
			then()
			c.follow()
			c.restartWork()
		})
	})
}

// oncePlaced does something as soon as the calculator stands in the page.
func (c *island) oncePlaced(do func()) {
	if !c.placed {
		after(20, func() { c.oncePlaced(do) })
		return
	}
	c.ctx.Dispatch(func(ctx app.Context) {
		ctx.PreventUpdate()
		c.guard(do)
	})
}
