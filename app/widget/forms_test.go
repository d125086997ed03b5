package widget

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

const formsSheet = `title Forms
let heads = 8 in 1..64 step 1 "Heads"
let tp = 4 in 1..heads "Ways"
let d = 2 of divisors(heads) "Groups"
let fabric = ring of ring "A ring", tree "A tree"
let adds = off "Adds" when fabric = "tree"
let chips = tpu.v5e, gpu.h100 of accelerators most 3 "Chips"
let t = 0 in 0..2*heads step 1 play 500 ms "Slot"
let config = document(".json", 1 KiB) "Yours"
y = tp * d + t "Result"
most = 2 * heads "Slots"
let u = 0 in 0..most "Another"
`

// formsView is a view of an input of every form.
func formsView(t *testing.T) *View {
	t.Helper()
	s, errs := sheet.Compile(formsSheet, library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "forms"
	return New(s)
}

// TestForms finds the control of each form in the page.
func TestForms(t *testing.T) {
	page := HTML(Section(formsView(t)))
	for _, want := range []string{
		`<select class="field field-menu" id="forms--d" name="d"`, `<option value="4">4</option>`,
		`<option value="ring" selected>A ring</option>`,
		`aria-label="Take out TPU v5e"`, `<select class="field field-menu field-add" id="forms--chips"`,
		`<button type="button" class="tool step" id="forms--t--next" aria-label="Next: Slot"`,
		`aria-valuetext="1 of 17"`,
		`<textarea class="field field-document" id="forms--config"`, `accept=".json"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(page, `id="forms--adds"`) {
		t.Error("an input is there whose condition does not hold")
	}
}

// TestLeaves takes a row that only an input follows for no result.
func TestLeaves(t *testing.T) {
	if got := strings.Join(leaves(formsView(t).Sheet), " "); got != "y" {
		t.Errorf("the results are %s", got)
	}
}

// TestMisfit says beside a control that what the reader set doesn't fit, puts what is reckoned with into the address,
// and has the reader's value back when it fits again.
func TestMisfit(t *testing.T) {
	v := formsView(t)
	for _, set := range [][2]string{{"tp", "7"}, {"d", "8"}, {"heads", "6"}} {
		if err := v.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	note := HTML(v.Part("input:tp"))
	for _, want := range []string{"7 is out of range; give 1 to 6.", " Now 6. ", `aria-invalid="true"`, `value="7"`} {
		if !strings.Contains(note, want) {
			t.Errorf("no %q in %s", want, note)
		}
	}
	if got := address.Encode(v.Params()); got != "forms.d=2&forms.heads=6&forms.tp=6" {
		t.Errorf("the address has %s", got)
	}
	if err := v.Set("heads", "7"); err != nil {
		t.Fatal(err)
	}
	if note := HTML(v.Part("input:tp")); strings.Contains(note, "out of range") ||
		v.Value(v.fitted("tp")).Num.Value != 7 {
		t.Error("the reader's value doesn't come back")
	}
}

// TestApplyInOrder takes an address whose parts are in the order of names, not in that in which inputs follow each
// other.
func TestApplyInOrder(t *testing.T) {
	v := formsView(t)
	ps, _, _ := address.Decode("forms.adds=on&forms.chips=tpu.v5p,gpu.h200&forms.d=16&" +
		"forms.fabric=tree&forms.heads=48&forms.t=96&forms.tp=40")
	if problems := v.Apply(ps); len(problems) > 0 {
		t.Error(problems)
	}
	if got := address.Encode(v.Params()); got != address.Encode(ps) {
		t.Errorf("the address came back as %s", got)
	}
	problems := v.Apply([]address.Param{
		{Sheet: "forms", Name: "config", Text: "{}"},
		{Sheet: "forms", Name: "tp", Text: "49"},
		{Sheet: "forms", Name: "chips", Text: "tpu.v9"},
	})
	if len(problems) != 3 {
		t.Errorf("problems %q", problems)
	}
}

// TestSeveral adds and takes out choices.
func TestSeveral(t *testing.T) {
	v := formsView(t)
	v.Add("chips", nothingChosen)
	v.Add("chips", "tpu.v5p")
	v.Drop("chips gpu.h100")
	if got := v.Text(v.fitted("chips")); got != "tpu.v5e,tpu.v5p" {
		t.Error(got)
	}
	v.Add("chips", "gpu.h100")
	if page := HTML(v.Part("input:chips")); !strings.Contains(page, "At most 3") ||
		!strings.Contains(page, "disabled") {
		t.Error("a full menu goes on offering")
	}
	v.Undo("chips")
	if v.Changed("chips") || len(v.chosen(v.fitted("chips"))) != 2 {
		t.Error("undo doesn't bring back the author's choices")
	}
}

// TestStepper steps and plays to the end.
func TestStepper(t *testing.T) {
	v := formsView(t)
	at := func() float64 { return v.Value(v.fitted("t")).Num.Value }
	for _, c := range []struct {
		what string
		want float64
	}{{"next", 1}, {"next", 2}, {"back", 1}, {"last", 16}, {"next", 16}, {"first", 0}, {"back", 0}} {
		if v.Step("t", c.what); at() != c.want {
			t.Errorf("%s leads to %v, not %v", c.what, at(), c.want)
		}
	}
	v.Step("t", "play")
	ticks := 0
	for wait := v.StepDelay(); wait > 0 && ticks < 100; wait = v.Tick() {
		if ticks++; wait != 500 {
			t.Errorf("waits %d ms", wait)
		}
	}
	if ticks != 16 || at() != 16 {
		t.Errorf("%d ticks to %v", ticks, at())
	}
	v.Slide("t", 5)
	if at() != 5 || v.StepDelay() != 0 {
		t.Errorf("the slider leads to %v", at())
	}
}

// TestDocumentStays takes a document, keeps it out of the address, and refuses one that is too long.
func TestDocumentStays(t *testing.T) {
	v := formsView(t)
	if err := v.Set("config", `{"a": 1}`); err != nil || len(v.Params()) != 0 || !v.Changed("config") {
		t.Errorf("%v, %v", err, v.Params())
	}
	if err := v.Set("config", strings.Repeat("x", 1025)); err == nil {
		t.Error("a document may be longer than it may be")
	}
	if !strings.Contains(HTML(v.Part("input:config")), `aria-invalid="true"`) || v.Cap("config") != 1024 {
		t.Error("nothing says that it was refused")
	}
}

// TestStrip draws a figure at the values of its stepper's strip, before scripts only, and only if the stepper moves
// it.
func TestStrip(t *testing.T) {
	v, _ := figureView(t, "let t = 0 in 0..7 step 1 play strip 0, 3, 7\nlet B = 2\nfigure disc(t)\nfigure disc(B)\n")
	if got := strings.Count(part(v, "figure:0"), "<svg>"); got != 1 {
		t.Errorf("%d drawings once scripts run", got)
	}
	v.static = true
	for key, want := range map[string]int{"figure:0": 4, "figure:1": 1} {
		if got := strings.Count(part(v, key), "<svg>"); got != want {
			t.Errorf("%s: %d drawings, not %d", key, got, want)
		}
	}
}

// TestFollowText rounds what stands in a field that follows others, and reckons with all its digits.
func TestFollowText(t *testing.T) {
	s := written(t, "x", "let W = 820 GB/s\nlet t = 16 GB / W in 0.1 ms..10 s log\nlet n = 1e9 / W * 1 GB/s\n"+
		"let d = 123456789 byte\ny = t * W\n")
	v := New(s)
	for name, want := range map[string]string{"t": "19.5122 ms", "n": "1.21951 M", "d": "123.456789 MB"} {
		if got := v.Text(s.Input(name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if err := v.Set("t", "19.5122 ms"); err != nil || v.Changed("t") {
		t.Error("the text that stood there is taken for a reader's", err)
	}
	if y, err := v.Result.Value("y"); err != nil || y.String() != "16 GB" {
		t.Errorf("y = %v, %v", y, err)
	}
}

// TestShortNames keeps of a chip's name what tells the curves apart.
func TestShortNames(t *testing.T) {
	for labels, want := range map[string]string{
		"TPU v5e,H100 SXM 80 GB,TPU7x (Ironwood)": "TPU v5e,H100,TPU7x",
		"A100 SXM 40 GB,A100 SXM 80 GB":           "A100 SXM 40 GB,A100 SXM 80 GB",
		"V100 SXM2 32 GB,H100 PCIe 80 GB":         "V100,H100 PCIe 80 GB",
		"held (GB),held (s)":                      "held (GB),held (s)",
	} {
		if got := strings.Join(shortNames(strings.Split(labels, ",")), ","); got != want {
			t.Errorf("%s: %s, want %s", labels, got, want)
		}
	}
}

// TestNoGuess draws no estimate where none is asked for, though the axis reaches down to nothing.
func TestNoGuess(t *testing.T) {
	v := New(written(t, "x", "let n = 3 in 0..9\ny = 2 * n\nplot y over n linear\n"))
	if page := HTML(Section(v)); strings.Contains(page, "your estimate") {
		t.Error("an estimate stands in the plot that nothingChosen made")
	}
}

// TestStepText counts steps from 1; steps of more than one are said as what the input is.
func TestStepText(t *testing.T) {
	v := New(written(t, "x", "let a = 0 in 0..7 step 1 play\nlet b = 60 in 0..120 step 4 play\n"+
		"let c = 6 in 2..10 step 2 play\ny = a + b + c\n"))
	for name, want := range map[string]string{"a": "1 of 8", "b": "60 of 120", "c": "6 of 10"} {
		if got := v.stepText(v.Sheet.Input(name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Inputs stand below the headings of their groups; a folded group says how many of its inputs a reader changed.
func TestGroupsOfInputs(t *testing.T) {
	s, errs := sheet.Compile("let a = 1\ngroup \"What\"\nlet b = 2\ngroup \"How\" folded\nlet c = 3\nlet d = 4\n"+
		"y = a + b + c + d\ngroup \"Shown\"\nlet e = 5 when c > 3\n", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "groups"
	v := New(s)
	page := HTML(Section(v))
	at := -1
	for _, want := range []string{`name="a"`, `<legend>What</legend>`, `name="b"`,
		`<details class="group" data-key="group:2"`, `<span>How</span>`, `name="c"`, `name="d"`,
		`<legend>Shown</legend>`} {
		next := strings.Index(page, want)
		if next <= at {
			t.Errorf("%s stands at %d, after %d: %s", want, next, at, page)
		}
		at = next
	}
	if v.Set("d", "7"); part(v, "group:2") != "<span>How · 1 changed</span>" {
		t.Errorf("a changed input is told as %q", part(v, "group:2"))
	}
	if v.Toggle("group:2", true); !strings.Contains(HTML(Section(v)), `data-key="group:2" open`) {
		t.Error("a group that was opened is closed")
	}
}
