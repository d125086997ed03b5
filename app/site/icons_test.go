package site

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/site/browser"
)

// icons are pictures of the mark for systems that take no SVG: their sizes in pixels, and how much of the width the
// mark takes. Those with less than all of it are full to their corners, because the system cuts a shape out of them.
var icons = []struct {
	name  string
	size  int
	share float64
}{
	{"icon-192.png", 192, 1},
	{"icon-512.png", 512, 1},
	{"icon-maskable-512.png", 512, 0.86},
	{"icon-touch.png", 180, 0.92},
}

// The icons are what the browser makes of the mark. `go test ./app/site -run Golden -update` draws them.
func TestGoldenIcons(t *testing.T) {
	t.Parallel()
	mark, err := os.ReadFile("../../web/icons/mark.svg")
	if err != nil {
		t.Fatal(err)
	}
	p := tab(t, browser.Options{})
	for _, icon := range icons {
		drawn := decode(t, p.draw(mark, icon.size, icon.share, "../../web/icons/"+icon.name))
		data, err := os.ReadFile("../../web/icons/" + icon.name)
		if err != nil {
			t.Fatal(err)
		}
		if kept := decode(t, data); !alike(drawn, kept) {
			t.Errorf("web/icons/%s is not the mark; draw it anew with -update", icon.name)
		}
		if len(data) > 16<<10 {
			t.Errorf("web/icons/%s has %d bytes", icon.name, len(data))
		}
	}
}

// draw makes the PNG, and writes it if that is wanted.
func (p *page) draw(mark []byte, size int, share float64, file string) []byte {
	p.t.Helper()
	url := p.text(fmt.Sprintf(`(async () => {
		const [size, share] = [%d, %v];
		const mark = new Image(size, size);
		mark.src = "data:image/svg+xml;base64,%s";
		await mark.decode();
		const canvas = Object.assign(document.createElement("canvas"), {width: size, height: size});
		const pen = canvas.getContext("2d");
		if (share < 1) { pen.fillStyle = "#fdfcf8"; pen.fillRect(0, 0, size, size); }
		const at = size * (1 - share) / 2;
		pen.drawImage(mark, at, at, size * share, size * share);
		return canvas.toDataURL("image/png");
	})()`, size, share, base64.StdEncoding.EncodeToString(mark)))
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
	p.check(err)
	if golden.Update() {
		var b bytes.Buffer
		p.check((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, decode(p.t, data)))
		p.check(os.WriteFile(file, b.Bytes(), 0o644))
	}
	return data
}

func decode(t testing.TB, data []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// alike says whether two pictures differ in hardly a pixel: browsers smooth edges in ways of their own.
func alike(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	off := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			ar, ag, ab, aa := a.At(x, y).RGBA()
			br, bg, bb, ba := b.At(x, y).RGBA()
			for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
				if d > 0x3000 || d < -0x3000 {
					off++
					break
				}
			}
		}
	}
	return off*500 < a.Bounds().Dx()*a.Bounds().Dy()
}
