//go:build js && wasm

package browser

import (
	"bytes"
	"encoding/binary"
	"syscall/js"
)

// A file of gzip may have several members, one behind the other, as bgzip and `cat a.gz b.gz` leave them. The browser
// unpacks one, fails at what follows, and doesn't say how many bytes that one took. So the file is cut before all that
// looks like the beginning of a member; where one turns out not to end there, it is unpacked again, to the next cut.

// members unpacks a blob, member by member.
type members struct {
	blob     js.Value
	cuts     []int // where members may begin, and the end of the blob
	at, to   int   // the member that is unpacked: its cuts
	out      int   // bytes of it that were handed over
	came     int   // bytes of it that came
	total    int   // bytes of the only member, unpacked, as its end says; 0 if there may be more than one
	count    js.Func
	progress func(came int)
	take     func(bytes js.Value) bool
	end      func(whole bool)
}

// mostFalse is how many cuts may turn out to be none before only the end of the blob is tried.
const mostFalse = 64

// pourBlob hands over what is in a blob, which gzip may have packed, as pour does, and how many of its bytes have come.
func pourBlob(blob js.Value, packed bool, progress func(came int), take func(js.Value) bool, end func(whole bool)) {
	came := 0
	if !packed {
		pour(blob.Call("stream"), func(piece js.Value) bool {
			came += get(piece, "length").Int()
			progress(came)
			return take(piece)
		}, end)
		return
	}
	m := &members{blob: blob, cuts: []int{0}, to: 1, progress: progress, take: take, end: end}
	var last []byte // the end of the piece before, in which a header may begin
	pour(blob.Call("stream"), func(piece js.Value) bool {
		n := len(last)
		text := append(last, make([]byte, get(piece, "length").Int())...)
		js.CopyBytesToGo(text[n:], piece)
		m.cut(text, came-n)
		came += len(text) - n
		last = append([]byte{}, text[max(0, len(text)-memberHeader+1):]...)
		return true
	}, func(bool) {
		if m.cuts = append(m.cuts, came); len(m.cuts) == 2 && len(last) >= 4 {
			m.total = int(binary.LittleEndian.Uint32(last[len(last)-4:]))
		}
		m.count = js.FuncOf(func(_ js.Value, args []js.Value) any {
			m.came += get(args[0], "length").Int()
			if m.total == 0 {
				m.progress(m.cuts[m.at] + m.came)
			}
			args[1].Call("enqueue", args[0])
			return nil
		})
		m.next()
	})
}

// memberHeader is how many bytes a member begins with: two that mark it, the method, flags, a time, how well it is
// packed, and the system.
const memberHeader = 10

// cut notes where in a text, which begins there in the blob, members may begin.
func (m *members) cut(text []byte, from int) {
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], []byte{0x1f, 0x8b, 8})
		if i < 0 || at+i+memberHeader > len(text) {
			return
		}
		at += i
		if h := text[at:]; from+at > 0 && h[3] < 0x20 && h[8] <= 4 && (h[9] <= 13 || h[9] == 255) {
			m.cuts = append(m.cuts, from+at)
		}
	}
}

// next unpacks a member.
func (m *members) next() {
	skip := m.out
	m.out, m.came = 0, 0
	part := m.blob.Call("slice", m.cuts[m.at], m.cuts[m.to]).Call("stream")
	part = part.Call("pipeThrough", get(global, "TransformStream").New(map[string]any{"transform": m.count}))
	part = part.Call("pipeThrough", get(global, "DecompressionStream").New("gzip"))
	wanted := true
	pour(part, func(piece js.Value) bool {
		n := get(piece, "length").Int()
		if m.out += n; m.total > 0 { // a browser may take all that is packed at once
			m.progress(int(float64(m.cuts[1]) * min(1, float64(m.out)/float64(m.total))))
		}
		if again := min(n, skip); again > 0 {
			skip, piece = skip-again, piece.Call("subarray", again)
		}
		wanted = get(piece, "length").Int() == 0 || m.take(piece)
		return wanted
	}, func(whole bool) {
		m.out += skip // of what was handed over before, and didn't come this time
		last := m.to == len(m.cuts)-1
		switch {
		case whole && !last:
			m.at, m.to, m.out = m.to, m.to+1, 0
		case !wanted || last:
			m.count.Release()
			m.end(whole)
			return
		case m.to-m.at < mostFalse:
			m.to++
		default:
			m.to = len(m.cuts) - 1
		}
		m.next()
	})
}

// ifPacked hands over whether gzip has packed a blob, by how it begins, whatever its name says.
func ifPacked(blob js.Value, then func(packed bool)) {
	var head []byte
	pour(blob.Call("slice", 0, 2).Call("stream"), func(piece js.Value) bool {
		n := len(head)
		head = append(head, make([]byte, get(piece, "length").Int())...)
		js.CopyBytesToGo(head[n:], piece)
		return true
	}, func(bool) { then(string(head) == "\x1f\x8b") })
}
