package widget

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

// onChips is one of the two sheets of the page on chips, with some inputs set.
func onChips(t testing.TB, id string, settings ...string) *View {
	t.Helper()
	page, err := os.ReadFile("../../content/chips.md")
	if err != nil {
		t.Fatal(err)
	}
	_, src, _ := strings.Cut(string(page), "```sheet "+id+"\n")
	src, _, _ = strings.Cut(src, "\n```")
	s, errs := sheet.Compile(src, Env())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = id
	v := NewLive(s)
	for i := 0; i < len(settings); i += 2 {
		if err := v.Set(settings[i], settings[i+1]); err != nil {
			t.Fatalf("%s: %v", settings[i], err)
		}
	}
	return v
}

// field is a number of an entry of a list, NaN if it has none.
func field(v *View, list, entry, name string) float64 {
	for _, x := range v.row(list).Value.List {
		if f, ok := x.Record.All()[name]; ok && x.Record.ID == entry {
			return f.Num.Value
		}
	}
	return math.NaN()
}

func near(a, b float64) bool { return math.Abs(a/b-1) < 1e-9 }

// The demands are peak rate over bandwidth, worked by hand.
func TestDemands(t *testing.T) {
	v := onChips(t, "chips", "chips", "tpu.v5e")
	for name, want := range map[string]float64{
		"i_hbm": 197e12 / 819e9, "i_link": 197e12 / 45e9, "i_scaleup": 197e12 / 180e9, "i_dcn": 197e12 / 3.125e9,
		"i_pcie": 197e12 / 16e9, "sweep": 15.75 * (1 << 30) / 819e9,
		"per_dollar": 197e12 * 3600 / 1.2, "scaleup": 180e9, "domain": 256,
	} {
		if got := field(v, "compared", "tpu.v5e", name); !near(got, want) {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	v = onChips(t, "chips", "chips", "gpu.h100", "dtype", "fp8")
	if got := field(v, "compared", "gpu.h100", "i_hbm"); !near(got, 1979e12/3350e9) {
		t.Error(got)
	}
	if v.Set("chips", "tpu.v5e"); v.Value(v.fitted("dtype")).Text == "fp8" {
		t.Error("a format stays that no chip has")
	}
}

// A changed constant counts everywhere, is marked, and can be undone; impossible ones are refused.
func TestEditing(t *testing.T) {
	v := onChips(t, "chips", "chips", "tpu.v5e,gpu.h100")
	marks := func() int { return strings.Count(whole(v), "edited-mark") }
	if marks() != 0 {
		t.Error("marked as it is")
	}
	if err := v.Set("tpu_v5e__hbm_bandwidth", "810"); err != nil {
		t.Fatal(err)
	}
	if got := field(v, "compared", "tpu.v5e", "i_hbm"); !near(got, 197e12/810e9) || marks() != 3 { // with the sweep
		t.Error(got, marks())
	}
	if got := v.row("i_hbm").Value.Num.Value; !near(got, 197e12/810e9) {
		t.Error("a row has", got)
	}
	for _, bad := range []string{"0", "-1 GB/s", "12 s", "fast", "1e308 GB/s", "", "<b>810</b>",
		strings.Repeat("9", 5000)} {
		if v.Set("tpu_v5e__hbm_bandwidth", bad) == nil {
			t.Error(bad, "is taken")
		}
	}
	if got := field(v, "compared", "tpu.v5e", "hbm_bandwidth"); got != 810e9 {
		t.Error("the last good value is lost:", got)
	}
	if v.Undo("tpu_v5e__hbm_bandwidth"); marks() != 0 || field(v, "compared", "tpu.v5e", "hbm_bandwidth") != 819e9 {
		t.Error("undo leaves something")
	}
	if v.Set("tpu_v9__hbm", "1 GB") == nil || v.Set("tpu_v5e__nothing", "1 GB") == nil {
		t.Error("constants that don't exist are taken")
	}
	err := v.Set("gpu_h100__hbm", "1e23 GB")
	if err != nil || strings.Contains(whole(v), "NaN") || strings.Contains(whole(v), "+Inf") {
		t.Error("a memory beyond all reason:", err)
	}
	if v.Reset(); len(v.Params()) != 0 || marks() != 0 {
		t.Error("reset leaves", v.Params())
	}
}

// A constant is shown, copied, and carried by the address, whether its chip is chosen yet or not.
func TestConstantTravels(t *testing.T) {
	v := onChips(t, "chips", "chips", "tpu.v5e,gpu.h100")
	const query = "chips.chips=gpu.h100,tpu.v6e&chips.gpu_h100__flops_bf16=1+PFLOP/s&chips.tpu_v6e__hbm=30+GB"
	ps, _, _ := address.Decode(query)
	if problems := v.Apply(ps); len(problems) > 0 || address.Encode(v.Params()) != query {
		t.Errorf("%q, %s", problems, address.Encode(v.Params()))
	}
	if got := field(v, "compared", "tpu.v6e", "hbm"); got != 30e9 {
		t.Error(got)
	}
	if got := v.Summary(); !strings.Contains(got, "2 constants are yours") {
		t.Error(got)
	}
	for _, form := range []string{"text", "markdown", "csv"} {
		if got := v.Export(form); !strings.Contains(got, "HBM capacity of TPU v6e") {
			t.Errorf("%s doesn't say what is the reader's:\n%s", form, got)
		}
	}
	w := New(written(t, "w", "let chip = tpu.v5e\nlet other = tpu.v5p of tpu.v5p, tpu.v5e\nx = chip.hbm + other.hbm\n"))
	if err := w.Set("tpu_v5e__hbm", "32 GB"); err != nil {
		t.Fatal(err)
	}
	if err := w.Set("other", "tpu.v5e"); err != nil || printed(w, "x") != "64 GB" {
		t.Error("two inputs with one chip:", printed(w, "x"), err)
	}
}

// Every constant of every chip has a field of its own, which reads its own text and gives its own value.
func TestEveryConstantHasAField(t *testing.T) {
	names := map[string]bool{}
	v := onChips(t, "chips")
	for _, a := range hardware.Catalog().All {
		r := v.Sheet.Input("chips").Option(a.ID).Value.Record
		for _, f := range a.Facts() {
			name := r.Key(f.Field)
			if names[name] {
				t.Errorf("two constants are called %s", name)
			}
			names[name] = true
			if err := v.Set(name, f.Text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if len(v.Params()) > 0 {
				t.Fatalf("%s = %s counts as a change", name, f.Text)
			}
		}
	}
}

// Every chip's list names each of its sources, doubts and other readings, also on paper.
func TestSourcesAreComplete(t *testing.T) {
	for _, a := range hardware.Catalog().All {
		v := onChips(t, "chips", "chips", a.ID)
		v.static = true
		page := whole(v)
		for _, f := range a.Facts() {
			says := []string{f.Text, f.Source.Title, f.Date, capital(f.Doubt), capital(f.Note)}
			for _, o := range f.Others {
				if o.Value.Value != f.Value.Value {
					says = append(says, o.Text, o.Source.Title, o.Doubt)
				}
			}
			for _, text := range says {
				if !strings.Contains(page, strings.ReplaceAll(HTML(el("i", text))[3:], "</i>", "")) {
					t.Errorf("%s, %s: nothing of %q", a.ID, f.Field, text)
				}
			}
		}
	}
}

// One order for all tables, also from an address of old; what nobody knows comes last either way.
func TestOrder(t *testing.T) {
	first := func(name, sort string) string {
		v := onChips(t, "chips", "chips", "tpu.v5e,gpu.h100,gpu.b200", name, sort)
		var orders []string
		for i, table := range v.Sheet.Tables {
			var ids []string
			for _, line := range v.Result.ListData(table, v.order(i)).Rows {
				ids = append(ids, line.Entry.Record.ID)
			}
			orders = append(orders, strings.Join(ids, " "))
		}
		if len(slices.Compact(orders)) != 1 {
			t.Errorf("%s = %s: the tables are not ranked alike", name, sort)
		}
		return orders[0]
	}
	for _, c := range [][3]string{
		{"sort", "power", "gpu.b200 gpu.h100 tpu.v5e"}, {"sort", "-power", "gpu.h100 gpu.b200 tpu.v5e"},
		{"sort", "i_hbm", "gpu.h100 gpu.b200 tpu.v5e"}, {"sort", "flops.bf16", "gpu.b200 gpu.h100 tpu.v5e"},
		{"sort.compared", "-power", "gpu.b200 gpu.h100 tpu.v5e"}, {"sort.compared", "hbm", "tpu.v5e gpu.h100 gpu.b200"},
	} {
		if got := first(c[0], c[1]); got != c[2] {
			t.Errorf("%s = %s: %s, not %s", c[0], c[1], got, c[2])
		}
	}
}

// What a chip does not have is distinguished from what nobody has written down; a column of which nobody knows anything
// is not there.
func TestNoneIsNotUnknown(t *testing.T) {
	v := onChips(t, "chips", "chips", "gpu.h100,tpu.v7x,tpu.v5e")
	_, links, _ := strings.Cut(v.Export("markdown"), "Links of a device")
	links, _, _ = strings.Cut(links, "FLOP per byte")
	for name, want := range map[string]string{"H100 SXM 80 GB": "| none | not known |",
		"TPU7x (Ironwood)": "| 100 | not known |"} {
		_, row, _ := strings.Cut(links, name)
		row, _, _ = strings.Cut(row, "\n")
		if !strings.Contains(row, want) {
			t.Errorf("%s: %q has no %q", name, row, want)
		}
	}
	if v.Set("chips", "gpu.h100"); strings.Contains(part(v, "table:1"), "VMEM bandwidth") {
		t.Error("a column of nothing stays")
	}
	if err := v.Set("chips", ""); err != nil || !strings.Contains(whole(v), "There are none.") {
		t.Error("no chip at all:", err)
	}
}
