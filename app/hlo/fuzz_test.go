package hlo

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/cputime"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/scrap"
)

// whole prices a text on a chip, and fails if what comes out could not be shown.
func whole(t *testing.T, text string) *Profile {
	t.Helper()
	m, err := Read(text)
	if err != nil {
		if said := err.Error(); said == "" || !utf8.ValidString(said) || len(said) > 1000 {
			t.Errorf("said: %q", said)
		}
		return nil
	}
	p := m.On(chip(t, "tpu.v5e"))
	for _, x := range []float64{p.FLOPs, p.HBM, p.Sent, p.Time, p.Math, p.Memory, p.Comms, p.Hidden, p.True, p.Held} {
		if math.IsNaN(x) || x < 0 {
			t.Errorf("a sum is %v", x)
		}
	}
	for i := range p.Ops {
		if e := &p.Ops[i]; math.IsNaN(e.Time()) || e.Time() < 0 || e.Hidden > e.Comms {
			t.Errorf("%s takes %v, sends %v and hides %v", e.Name, e.Time(), e.Comms, e.Hidden)
		}
	}
	for _, f := range m.Faults {
		if said := f.What.String(); said == "" || strings.ContainsRune(said, 0) {
			t.Errorf("line %d: %q", f.Line, said)
		}
	}
	return p
}

func FuzzHLO(plain *testing.F) {
	f := scrap.Of(plain)
	for _, name := range []string{"relu-v5e.hlo", "fft-8gpus.hlo"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
		f.Add(string(text[:len(text)/2]))
	}
	f.Add("a = f32[2,3]{1,0:T(8,128)} dot(f32[2,4] b, f32[4,3] c), lhs_contracting_dims={1}")
	f.Add(`w = (s32[]) while((s32[]) t), condition=c, body=b, backend_config={"known_trip_count":{"n":"7"}}`)
	f.Add("c = bf16[4,8] convolution(bf16[4,8] x, bf16[8,8] y), window={size=4 stride=3 lhs_dilate=4}, " +
		"dim_labels=0f_io->0f")
	f.Add("w = (s3" + strings.Repeat("H", 2000) + "[")
	f.Add(overlapped)
	f.Add("ENTRY e {\n a = f32[2,3] parameter(0)\n b = f32[2,3] dot(a, lacking), rhs_contracting_dims={7}\n}\n")
	f.Fuzz(func(t *testing.T, text string) { whole(t, text) })
}

func TestHostile(t *testing.T) {
	if len(hardware.Catalog().All) == 0 {
		t.Fatal("no chips")
	}
	relu, err := os.ReadFile("testdata/relu-v5e.hlo")
	if err != nil {
		t.Fatal(err)
	}
	long := 1 << 20
	if testing.Short() {
		long /= 8
	}
	deep := "HloModule deep\n"
	for i := range 400 {
		name := "%c" + strings.Repeat("x", i)
		deep += name + " {\n ROOT a = f32[1] call(f32[1] b), to_apply=" + name + "x\n}\n"
	}
	twice := "c0 {\n ROOT a = f32[8] add(f32[8] b, f32[8] b)\n}\n"
	for i := 1; i < 200; i++ {
		n := strings.Repeat("c", i)
		call := " = f32[1] call(f32[1] b), to_apply=" + n + "0\n"
		twice += n + "c0 {\n a" + call + " ROOT d" + call + "}\n"
	}
	for name, text := range map[string]string{
		"empty": "", "blank": " \n\t\n", "half": string(relu[:len(relu)*2/3]),
		"a page": "<html><body>HLO</body></html>", "a million operations": strings.Repeat("a = f32[8] add(b, c)\n",
			long/2),
		"a million short ones": strings.Repeat("a = f32[] b()\n", long),
		"brackets":             "a = " + strings.Repeat("(", long),
		"open lines":           "a = f32[1] b(c, {\n" + strings.Repeat("x\n", long),
		"quotes":               `a = f32[1] b(c), d="` + strings.Repeat(`\"`, long),
		"markup":               `%<script>alert(1)</script> = f32[1] add(%"><img src=x onerror=alert(1)>)`,
		"huge":                 "a = f32[999999999,999999999,999999999] add(b, c)",
		"huge loops": strings.ReplaceAll("ENTRY e {\n w = f32[9] while(x), body=b, "+
			"backend_config={\"known_trip_count\":{\"n\":\"N\"}}\n}", "N", "99999999999"),
		"windows": strings.Repeat("c = f32[1,9999999,1] convolution(f32[1,9999999,1] x, "+
			"f32[9999999,1,1] y), window={size=9999999}, dim_labels=b0f_0io->b0f\n", 1000),
		"deep": deep, "twice each": twice,
		"itself":     "ENTRY c {\n ROOT a = f32[1] fusion(f32[1] b), calls=c\n}\n",
		"a tuple":    "a = (" + strings.Repeat("f32[1],", long/10) + ") tuple(b)",
		"one line":   strings.Repeat("x", 4*long),
		"remarks":    strings.Repeat("/*", long),
		"no text":    "a = f32[1] b(c)\xff",
		"dimensions": "a = f32[" + strings.Repeat("1,", long/10) + "1] add(b)",
	} {
		t.Run(name, func(t *testing.T) {
			var p *Profile
			if took, ok := cputime.Within(20*time.Second, func() { p = whole(t, text) }); !ok {
				t.Errorf("it took %v", took)
			}
			if p != nil {
				t.Log(p.Unread, "faults;", len(p.Ops), "operations")
			}
		})
	}
}
