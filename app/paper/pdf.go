package paper

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// file is a PDF as Chromium writes it: all objects stand one after another, found by one table at the end.
type file struct {
	head       string         // the lines before the first object
	objects    map[int]string // by number, from behind "obj" to before "endobj"
	root, info int
}

// errForm is what a PDF that another program wrote gives.
var errForm = errors.New("this PDF isn't as Chromium writes them")

var (
	trailer = regexp.MustCompile(`/Root (\d+) 0 R\s*/Info (\d+) 0 R`)
	begins  = regexp.MustCompile(`^(\d+) 0 obj\s`)
)

// readPDF reads a PDF.
func readPDF(pdf []byte) (*file, error) {
	text := string(pdf)
	_, last, _ := strings.Cut(text[max(0, len(text)-64):], "startxref\n")
	at, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(last), "%%EOF")))
	if err != nil || at < 0 || at > len(text) || !strings.HasPrefix(text[at:], "xref\n0 ") {
		return nil, errForm
	}
	table := text[at:]
	found := trailer.FindStringSubmatch(table)
	if found == nil {
		return nil, errForm
	}
	f := &file{objects: map[int]string{}}
	f.root, _ = strconv.Atoi(found[1])
	f.info, _ = strconv.Atoi(found[2])
	starts := []int{at}
	for line := range strings.SplitSeq(table[:strings.Index(table, "trailer")], "\n") {
		if offset, used := strings.CutSuffix(strings.TrimSpace(line), " 00000 n"); used {
			start, err := strconv.Atoi(offset)
			if err != nil || start > at {
				return nil, errForm
			}
			starts = append(starts, start)
		}
	}
	slices.Sort(starts)
	for i, start := range starts[:len(starts)-1] {
		object := strings.TrimSpace(text[start:starts[i+1]])
		head := begins.FindStringSubmatch(object)
		if head == nil || !strings.HasSuffix(object, "endobj") {
			return nil, errForm
		}
		n, _ := strconv.Atoi(head[1])
		f.objects[n] = strings.TrimSpace(strings.TrimSuffix(object[len(head[0]):], "endobj"))
	}
	f.head = text[:starts[0]]
	return f, nil
}

var (
	kids  = regexp.MustCompile(`/Kids \[([^\]]*)\]`)
	refs  = regexp.MustCompile(`(\d+) 0 R`)
	dests = regexp.MustCompile(`/Dests (\d+) 0 R`)
	dest  = regexp.MustCompile(`/([^\s/\[\]<>()]+) \[(\d+) 0 R`)
	tree  = regexp.MustCompile(`/Pages (\d+) 0 R`)
)

// Destinations tells on which page each id stands to which a printed book has a link.
func Destinations(pdf []byte) (map[string]int, error) {
	f, err := readPDF(pdf)
	if err != nil {
		return nil, err
	}
	top, names := tree.FindStringSubmatch(f.objects[f.root]), dests.FindStringSubmatch(f.objects[f.root])
	if top == nil || names == nil {
		return nil, errForm
	}
	pages := map[string]int{}
	f.number(top[1], pages)
	out := map[string]int{}
	n, _ := strconv.Atoi(names[1])
	for _, d := range dest.FindAllStringSubmatch(f.objects[n], -1) {
		out[d[1]] = pages[d[2]]
	}
	return out, nil
}

// number numbers the pages below an object.
func (f *file) number(object string, pages map[string]int) {
	n, _ := strconv.Atoi(object)
	below := kids.FindStringSubmatch(f.objects[n])
	if below == nil {
		pages[object] = len(pages) + 1
		return
	}
	for _, kid := range refs.FindAllStringSubmatch(below[1], -1) {
		f.number(kid[1], pages)
	}
}

var (
	contents = regexp.MustCompile(`/Contents (\d+) 0 R`)
	scales   = regexp.MustCompile(`^([\d.]+) 0 0 -[\d.]+ 0 [\d.]+ cm\s+q\s+([\d.]+) 0 0 [\d.]+ [\d.]+ [\d.]+ cm`)
)

// Scale tells how large a pixel is on each page of a printed book, in points: 0.75, or less where the browser made all
// smaller because something is wider than the paper. It does so without a word.
func Scale(pdf []byte) (least float64, err error) {
	f, err := readPDF(pdf)
	if err != nil {
		return 0, err
	}
	for _, object := range f.objects {
		at := contents.FindStringSubmatch(object)
		if at == nil {
			continue
		}
		n, _ := strconv.Atoi(at[1])
		found := scales.FindStringSubmatch(inflate(f.objects[n]))
		if found == nil {
			return 0, errForm
		}
		paper, _ := strconv.ParseFloat(found[1], 64)
		page, _ := strconv.ParseFloat(found[2], 64)
		if scale := paper * page; least == 0 || scale < least {
			least = scale
		}
	}
	if least == 0 {
		return 0, errForm
	}
	return least, nil
}

// inflate is the beginning of an object's stream, "" if there is none.
func inflate(object string) string {
	_, packed, _ := strings.Cut(object, "stream\n")
	z, err := zlib.NewReader(strings.NewReader(packed))
	if err != nil {
		return ""
	}
	begin := make([]byte, 256)
	n, _ := io.ReadFull(z, begin) // what lies behind the beginning may be cut off
	return string(begin[:n])
}

// About is what a printed book says of itself.
type About struct{ Title, Author, Subject, Keywords, Day string }

// Finish says in a printed book what it is, opens it with its bookmarks, and packs it: what the browser writes down
// of its structure, for those who have it read to them, is half of the file. The same pages give the same bytes.
func Finish(pdf []byte, about About) ([]byte, error) {
	f, err := readPDF(pdf)
	if err != nil {
		return nil, err
	}
	f.objects[f.info] = about.object()
	const catalog = "/Type /Catalog"
	f.objects[f.root] = strings.Replace(f.objects[f.root], catalog, catalog+"\n/PageMode /UseOutlines", 1)
	return f.packed()
}

// object is the object of a PDF that says what it is.
func (a About) object() string {
	var b strings.Builder
	b.WriteString("<<")
	for _, part := range [][2]string{
		{"Title", a.Title}, {"Author", a.Author}, {"Subject", a.Subject}, {"Keywords", a.Keywords},
		{"Creator", "Scalebook"}, {"Producer", "Chromium, Skia/PDF"},
	} {
		if part[1] != "" {
			fmt.Fprintf(&b, "/%s <%s>\n", part[0], hexText(part[1]))
		}
	}
	if a.Day != "" {
		day := strings.ReplaceAll(a.Day, "-", "")
		fmt.Fprintf(&b, "/CreationDate (D:%s000000Z)\n/ModDate (D:%[1]s000000Z)\n", day)
	}
	return b.String() + ">>"
}

// hexText is a text as the hexadecimal digits of UTF-16, with its mark.
func hexText(text string) string {
	out := []byte{0xfe, 0xff}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.BigEndian.AppendUint16(out, unit)
	}
	return fmt.Sprintf("%X", out)
}

// bundle is how many objects are packed together.
const bundle = 200

// packed is a PDF of version 1.5 in which objects without a stream are packed, many together.
func (f *file) packed() ([]byte, error) {
	var numbers, small []int
	for n := range f.objects {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var out bytes.Buffer
	out.WriteString(strings.Replace(f.head, "%PDF-1.4", "%PDF-1.5", 1))
	last := numbers[len(numbers)-1]
	table := make([][3]int, last+1) // by number: the kind of place, and the two numbers that it is
	for _, n := range numbers {
		if !strings.HasSuffix(f.objects[n], "endstream") {
			small = append(small, n)
			continue
		}
		table[n] = [3]int{1, out.Len(), 0}
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n, f.objects[n])
	}
	for some := range slices.Chunk(small, bundle) {
		var index, bodies strings.Builder
		for i, n := range some {
			table[n] = [3]int{2, len(table), i}
			fmt.Fprintf(&index, "%d %d ", n, bodies.Len())
			bodies.WriteString(f.objects[n] + "\n")
		}
		about := fmt.Sprintf("/Type /ObjStm /N %d /First %d", len(some), index.Len())
		table = append(table, [3]int{1, out.Len(), 0})
		if err := stream(&out, len(table)-1, about, index.String()+bodies.String()); err != nil {
			return nil, err
		}
	}
	start := out.Len()
	table = append(table, [3]int{1, start, 0})
	var places bytes.Buffer
	for _, at := range table {
		places.WriteByte(byte(at[0]))
		binary.Write(&places, binary.BigEndian, uint32(at[1])) // a bytes.Buffer doesn't fail
		binary.Write(&places, binary.BigEndian, uint16(at[2]))
	}
	about := fmt.Sprintf("/Type /XRef /Size %d /W [1 4 2] /Root %d 0 R /Info %d 0 R", len(table), f.root, f.info)
	if err := stream(&out, len(table)-1, about, places.String()); err != nil {
		return nil, err
	}
	fmt.Fprintf(&out, "startxref\n%d\n%%%%EOF\n", start)
	return out.Bytes(), nil
}

// stream writes an object with a packed stream.
func stream(out *bytes.Buffer, number int, about, text string) error {
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	if err == nil {
		_, err = z.Write([]byte(text))
	}
	if err == nil {
		err = z.Close()
	}
	fmt.Fprintf(out, "%d 0 obj\n<<%s /Filter /FlateDecode /Length %d>> stream\n", number, about, packed.Len())
	out.Write(packed.Bytes())
	out.WriteString("\nendstream\nendobj\n")
	return err
}
