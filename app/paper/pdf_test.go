package paper

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// handmade is a PDF of three pages in the form that Chromium writes, with these objects more.
func handmade(more ...string) []byte {
	objects := append([]string{
		"<</Title (By a browser)\n/CreationDate (D:20261126043117+00'00')>>",
		"<</Type /Page\n/Parent 6 0 R>>", "<</Type /Page\n/Parent 5 0 R>>", "<</Type /Page\n/Parent 5 0 R>>",
		"<</Type /Pages\n/Count 2\n/Kids [3 0 R 4 0 R]\n/Parent 6 0 R>>",
		"<</Type /Pages\n/Count 3\n/Kids [2 0 R 5 0 R]>>",
		"<</one [2 0 R /XYZ 0 841.9 0]\n/one--b [4 0 R /XYZ 0 20 0]\n/two [3 0 R /XYZ 0 841.9 0]>>",
		"<</Type /Catalog\n/Pages 6 0 R\n/Dests 7 0 R\n/Lang (en)>>",
		"<</Length 20>> stream\nendobj 9 0 obj xref \nendstream",
	}, more...)
	var b, table strings.Builder
	b.WriteString("%PDF-1.4\n%\xd3\xeb\xe9\xe1\n")
	for i, o := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %[1]d\n/Root 8 0 R\n/Info 1 0 R>>\n", len(objects)+1,
		table.String())
	fmt.Fprintf(&b, "startxref\n%d\n%%%%EOF\n", at)
	return []byte(b.String())
}

// Pages are counted through the tree of pages, in its order.
func TestDestinations(t *testing.T) {
	got, err := Destinations(handmade())
	if want := map[string]int{"one": 1, "two": 2, "one--b": 3}; err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	whole := handmade()
	for _, bad := range [][]byte{nil, []byte("%PDF-1.7"), whole[:len(whole)/2], whole[20:],
		bytes.Replace(whole, []byte("/Root"), []byte("/Rest"), 1), bytes.Replace(whole, []byte("/Dests"), []byte("/Dusts"), 1),
		bytes.Replace(whole, []byte("startxref\n"), []byte("startxref\n-"), 1)} {
		if _, err := Destinations(bad); err == nil {
			t.Errorf("no error for %.60q", bad)
		}
	}
}

// A finished book says what it is, opens with its bookmarks, has all objects and streams as they were, and is found by
// its own table.
func TestFinish(t *testing.T) {
	var many []string
	for i := range 3 * bundle {
		many = append(many, fmt.Sprintf("<</Type /StructElem /K %d>>", i))
	}
	pdf, err := Finish(handmade(many...), About{Title: "Книга", Author: "Ann", Day: "2026-11-26"})
	if err != nil {
		t.Fatal(err)
	}
	text := string(pdf)
	if !strings.HasPrefix(text, "%PDF-1.5\n") {
		t.Errorf("it begins %.12q", text)
	}
	_, last, _ := strings.Cut(text[len(text)-40:], "startxref\n")
	at, err := strconv.Atoi(strings.TrimSuffix(last, "\n%%EOF\n"))
	if err != nil {
		t.Fatal(err)
	}
	table := inflated(t, text[at:])
	objects := map[int]string{}
	const wide = 7
	for n := 0; n*wide < len(table); n++ {
		entry := table[n*wide : (n+1)*wide]
		place := int(entry[1])<<24 | int(entry[2])<<16 | int(entry[3])<<8 | int(entry[4])
		switch entry[0] {
		case 1:
			if !strings.HasPrefix(text[place:], fmt.Sprintf("%d 0 obj\n", n)) {
				t.Fatalf("object %d isn't where the table says", n)
			}
			objects[n], _, _ = strings.Cut(text[place:], "\nendobj\n")
		case 2:
			objects[n] = within(t, inflated(t, standing(text, table, place, wide)), int(entry[5])<<8|int(entry[6]), n)
		}
	}
	for n, want := range map[int]string{
		1: "/Title <FEFF041A043D043804330430>", 8: "/PageMode /UseOutlines", 3: "<</Type /Page\n/Parent 5 0 R>>",
		9: "endobj 9 0 obj xref", 9 + 3*bundle: "/K 599>>",
	} {
		if !strings.Contains(objects[n], want) {
			t.Errorf("object %d is %.80q; it should have %q", n, objects[n], want)
		}
	}
	if strings.Contains(objects[1], "browser") || !strings.Contains(objects[1], "/CreationDate (D:20261126000000Z)") {
		t.Errorf("it says of itself %q", objects[1])
	}
	again, err := Finish(handmade(many...), About{Title: "Книга", Author: "Ann", Day: "2026-11-26"})
	if err != nil || !bytes.Equal(pdf, again) {
		t.Errorf("finished again it has other bytes (%v)", err)
	}
}

// standing is the object of a number as it stands in the file.
func standing(text, table string, n, wide int) string {
	entry := table[n*wide:]
	return text[int(entry[1])<<24|int(entry[2])<<16|int(entry[3])<<8|int(entry[4]):]
}

// within is the object of an index within a packed stream of objects.
func within(t *testing.T, stream string, index, number int) string {
	t.Helper()
	fields := strings.Fields(stream[:strings.Index(stream, "<<")])
	if fields[2*index] != strconv.Itoa(number) {
		t.Fatalf("place %d of a stream has object %s, not %d", index, fields[2*index], number)
	}
	begin, _ := strconv.Atoi(fields[2*index+1])
	rest := stream[strings.Index(stream, "<<")+begin:]
	if 2*index+3 < len(fields) {
		end, _ := strconv.Atoi(fields[2*index+3])
		rest = rest[:end-begin]
	}
	return strings.TrimSpace(rest)
}

// inflated is the stream of the object with which a text begins.
func inflated(t *testing.T, text string) string {
	t.Helper()
	length := regexp.MustCompile(`/Length (\d+)>> stream\n`).FindStringSubmatchIndex(text)
	if length == nil {
		t.Fatalf("no stream in %.80q", text)
	}
	n, _ := strconv.Atoi(text[length[2]:length[3]])
	r, err := zlib.NewReader(strings.NewReader(text[length[1] : length[1]+n]))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
