package modelcard_test

import (
	"flag"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/scalebook/scalebook/app/widget/modelcard"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(modelcard.New(), 300) {
		t.Error(f)
	}
}

// shown is the card with some controls set.
func shown(t testing.TB, settings ...string) *instrument.View {
	t.Helper()
	p, faults := instrument.Place(modelcard.New(), "", "")
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	v := p.View()
	for i := 0; i < len(settings); i += 2 {
		if err := v.Set(settings[i], settings[i+1]); err != nil {
			t.Fatalf("%s: %v", settings[i], err)
		}
	}
	return v
}

// result is a named result in base units; NaN if it has no number.
func result(v *instrument.View, name string) float64 {
	for _, x := range v.Values() {
		if x.Name == name {
			if n, err := strconv.ParseFloat(x.Data, 64); err == nil {
				return n
			}
		}
	}
	return math.NaN()
}

func html(v *instrument.View) string { return widget.HTML(v.Fill(v.Frame())...) }

// What paper and pencil give for Llama 3 70B.
func TestNumbers(t *testing.T) {
	const L, D, F, N, K, H, V = 80, 8192, 28672, 64, 8, 128, 128256
	const layers = L * (3*D*F + 2*D*(N+K)*H)
	const total = layers + 2*V*D + (2*L+1)*D
	v := shown(t, "context", "128k", "batch", "3", "weights", "int8", "cache", "fp8")
	const T = 128000
	for name, want := range map[string]float64{
		"params": total, "active": total, "active_bare": total - V*D,
		"weights": total, "kv_per_token": 2 * L * K * H, "kv": 2 * L * K * H * T, "kv_all": 3 * 2 * L * K * H * T,
		"flops":     6*(layers+V*D) + 6*L*N*H*T, // 12 T N H for each layer is the full square
		"crossover": math.Round(float64(layers) / (L * N * H)),
	} {
		if got := result(v, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for _, c := range []struct {
		mask, pass string
		want       float64
	}{{"full", "train", 6*(layers+V*D) + 12*L*N*H*T}, {"full", "forward", 2*(layers+V*D) + 4*L*N*H*T}, {"causal", "forward", 2*(layers+V*D) + 2*L*N*H*T}} {
		_, _ = v.Set("mask", c.mask), v.Set("pass", c.pass)
		if got := result(v, "flops"); got != c.want {
			t.Errorf("%s, %s: %v, want %v", c.mask, c.pass, got, c.want)
		}
	}
}

// Windows stop the cache, latents make it small, experts are not all used.
func TestOtherKinds(t *testing.T) {
	v := shown(t, "model", "mistral.7b", "context", "100000")
	if got, want := result(v, "kv"), 2.*2*32*8*128*4096; got != want {
		t.Errorf("a window of 4096: %v, want %v", got, want)
	}
	if got := result(v, "crossover"); !math.IsNaN(got) || !strings.Contains(html(v), "never") {
		t.Errorf("with windows everywhere attention never catches up, not at %v", got)
	}
	v = shown(t, "model", "deepseek.v3", "other", "llama3.405b", "context", "131072")
	if got, want := result(v, "kv_per_token"), 2.*61*(512+64); got != want {
		t.Errorf("latents: %v, want %v", got, want)
	}
	if got, want := result(v, "other_kv_per_token"), 2.*2*126*8*128; got != want {
		t.Errorf("the other: %v, want %v", got, want)
	}
	v = shown(t, "model", "mixtral.8x7b")
	attention, expert, small := 4096.*128*(32+8)*2, 3*4096.*14336, 32*(4096.*8+2*4096)+4096
	bare := 32*(attention+2*expert) + small + 32000*4096
	if got := result(v, "active_bare"); got != bare {
		t.Errorf("without the input embedding: %v, want %v", got, bare)
	}
	if got := result(v, "active"); got != bare+32000*4096 {
		t.Errorf("with it: %v, want %v", got, bare+32000*4096)
	}
}

// Every model of the catalog has all its numbers, beside any other, and they are its own.
func TestCatalog(t *testing.T) {
	all := model.Catalog().All
	for i, k := range all {
		other := all[(i+7)%len(all)]
		v := shown(t, "model", k.ID, "other", other.ID)
		for name, want := range map[string]float64{"params": k.Total(), "active": k.ActiveTotal(), "active_bare": k.ActiveWithoutLookup(), "other_params": other.Total()} {
			if got := result(v, name); got != want {
				t.Errorf("%s: %s is %v, want %v", k.ID, name, got, want)
			}
		}
		page := html(v)
		for _, want := range []string{k.Name, other.Name, k.Source.Title, strings.Fields(k.PublishedTotal)[0]} {
			if want = instrument.Escape(want); !strings.Contains(strings.ReplaceAll(page, ",", ""), strings.ReplaceAll(want, ",", "")) {
				t.Errorf("%s: the page lacks %q", k.ID, want)
			}
		}
	}
}

// A model takes as many chips as cover its bytes, and no more.
func TestChips(t *testing.T) {
	v := shown(t, "model", "llama3.70b", "other", "deepseek.v3", "batch", "64", "context", "32768")
	rows := table(v.Export("csv"), "Chip,")
	if len(rows) != len(hardware.Catalog().All) {
		t.Fatalf("%d lines for %d chips", len(rows), len(hardware.Catalog().All))
	}
	for i, a := range hardware.Catalog().All {
		hbm, err := a.Get("hbm")
		if err != nil {
			continue
		}
		cells := strings.Split(rows[i], ",")
		for j, bytes := range []float64{result(v, "weights"), result(v, "weights") + result(v, "kv_all"), result(v, "other_weights"), result(v, "other_weights") + result(v, "other_kv_all")} {
			n, err := strconv.ParseFloat(cells[len(cells)-4+j], 64)
			if err != nil || n*hbm.Value.Value < bytes || (n > 1 && (n-1)*hbm.Value.Value >= bytes) {
				t.Errorf("%s: %v chips of %v for %v bytes (%v)", a.ID, n, hbm.Text, bytes, err)
			}
		}
	}
	if got := html(shown(t, "model", "deepseek.v3")); !strings.Contains(got, "No chip of the catalog holds that alone") {
		t.Error("DeepSeek-V3 in bf16 fits on one chip")
	}
	if got := html(shown(t, "model", "llama3_2.1b", "batch", "1", "context", "1")); !strings.Contains(got, "Every chip of the catalog") {
		t.Error("Llama 3.2 1B does not fit on every chip")
	}
}

// table is the lines of a table in CSV, without its head.
func table(csv, head string) []string {
	_, rest, _ := strings.Cut("\n"+strings.ReplaceAll(csv, "\r", ""), "\n"+head)
	var rows []string
	for i, line := range strings.Split(rest, "\n") {
		if i > 0 && line == "" {
			break
		}
		if i > 0 {
			rows = append(rows, line)
		}
	}
	return rows
}

// The buttons set what the page says they do, and leave nothing of what was set before.
func TestExamples(t *testing.T) {
	v := shown(t, "mask", "full", "context", "7")
	buttons := map[string]string{}
	for _, n := range v.Fill(v.Frame()) {
		n.Walk(func(n *widget.Node) {
			for _, e := range n.Events {
				if e.Act.Do == instrument.DoSet && len(n.Kids) > 0 {
					buttons[n.Kids[0].Text] = e.Act.On
				}
			}
		})
	}
	for label, want := range map[string]string{
		"Latents against grouped heads, at 128k": "modelcard.context=131072&modelcard.model=llama3.405b&modelcard.other=deepseek.v3",
		"Windows, at a million tokens":           "modelcard.context=1048576&modelcard.model=gpt_oss.120b",
		"Active, by two counts":                  "modelcard.model=mixtral.8x7b&modelcard.other=gpt_oss.20b",
	} {
		v.Change(buttons[label])
		if got := widget.Encode(v.Params()); got != want {
			t.Errorf("%s: %s, want %s", label, got, want)
		}
	}
}

// The address brings the card back, but for a file.
func TestAddress(t *testing.T) {
	v := shown(t, "model", "gpt_oss.120b", "other", "qwen3.32b", "context", "4*8k", "batch", "2", "weights", "mxfp4", "cache", "fp8", "mask", "full", "sort", "-hbm")
	query := widget.Encode(v.Params())
	ps, _, problems := widget.Decode(query)
	w := shown(t)
	if problems = append(problems, w.Apply(ps)...); len(problems) > 0 || w.Export("text") != v.Export("text") {
		t.Error(problems, query)
	}
	v = shown(t, "config", "{"+sizes+"}", "context", "100")
	if query = widget.Encode(v.Params()); strings.Contains(query, "llama") || query != "modelcard.context=100&modelcard.model=own" {
		t.Error(query)
	}
	ps, _, _ = widget.Decode(query)
	w = shown(t)
	if problems := w.Apply(ps); len(problems) > 0 || !strings.Contains(html(w), "No config.json has been read yet") {
		t.Errorf("%q; who opens the link of a file is not told to paste it", problems)
	}
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		file     string
		settings []string
	}{{"llama3-70b.md", nil}, {"two.md", []string{"model", "deepseek.v3", "other", "gpt_oss.120b", "context", "131072", "weights", "fp8"}}} {
		got := shown(t, c.settings...).Export("markdown")
		if *update {
			if err := os.WriteFile("testdata/"+c.file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile("testdata/" + c.file)
		if err != nil || got != string(want) {
			t.Errorf("testdata/%s differs (%v); run with -update and look at the difference", c.file, err)
		}
	}
}
