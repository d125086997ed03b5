package hlo

import (
	"fmt"
	"strings"
	"testing"
)

// turned is a program of one loop: what its body makes of the counter and its condition of that, in HLO.
func turned(begin, body, condition string) string {
	return fmt.Sprintf(`HloModule m, is_scheduled=true

%%less (a: s32[], b: s32[]) -> pred[] {
  %%a = s32[] parameter(0)
  %%b = s32[] parameter(1)
  ROOT %%c = pred[] compare(%%a, %%b), direction=LT
}

%%less_than_10 (a: s32[]) -> pred[] {
  %%a = s32[] parameter(0)
  %%b = s32[] constant(10)
  ROOT %%c = pred[] compare(%%a, %%b), direction=LT
}

%%up (a: s32[]) -> s32[] {
  %%a = s32[] parameter(0)
  %%one = s32[] constant(1)
  ROOT %%c = s32[] add(%%a, %%one)
}

%%body (t: (s32[], f32[8], s32[])) -> (s32[], f32[8], s32[]) {
  %%t = (s32[], f32[8], s32[]) parameter(0)
  %%i = s32[] get-tuple-element(%%t), index=0
  %%x = f32[8] get-tuple-element(%%t), index=1
  %%n = s32[] get-tuple-element(%%t), index=2
  %%one = s32[] constant(1)
  %%y = f32[8] add(%%x, %%x)
  %s
  ROOT %%r = (s32[], f32[8], s32[]) tuple(%%next, %%y, %%n)
}

%%cond (t: (s32[], f32[8], s32[])) -> pred[] {
  %%t = (s32[], f32[8], s32[]) parameter(0)
  %%i = s32[] get-tuple-element(%%t), index=0
  %%n = s32[] get-tuple-element(%%t), index=2
  %s
}

ENTRY %%main (x: f32[8], k: s32[]) -> f32[8] {
  %%x = f32[8] parameter(0)
  %%k = s32[] parameter(1)
  %%n = s32[] constant(20)
  %s
  %%tuple = (s32[], f32[8], s32[]) tuple(%%i, %%x, %%n)
  %%w = (s32[], f32[8], s32[]) while(%%tuple), condition=%%cond, body=%%body
  ROOT %%o = f32[8] get-tuple-element(%%w), index=1
}`, body, condition, begin)
}

// How often a loop runs is counted here by running it.
func ran(i, step, n int, holds func(i, n int) bool) float64 {
	turns := 0.0
	for ; holds(i, n) && turns < 1000; i += step {
		turns++
	}
	return turns
}

func TestTurns(t *testing.T) {
	holds := map[string]func(i, n int) bool{
		"LT": func(i, n int) bool { return i < n }, "LE": func(i, n int) bool { return i <= n },
		"GT": func(i, n int) bool { return i > n }, "GE": func(i, n int) bool { return i >= n },
		"NE": func(i, n int) bool { return i != n }, "EQ": func(i, n int) bool { return i == n }}
	for direction, hold := range holds {
		for _, begin := range []int{-3, 0, 5, 10, 12, 32} {
			for _, step := range []int{-4, -1, 1, 3} {
				for _, n := range []int{-7, 0, 10, 11} {
					want := ran(begin, step, n, hold)
					got, known := counted(t, turned(fmt.Sprintf("%%i = s32[] constant(%d)", begin),
						fmt.Sprintf("%%by = s32[] constant(%d)\n  %%next = s32[] add(%%by, %%i)", step),
						fmt.Sprintf("%%k = s32[] constant(%d)\n  ROOT %%c = pred[] compare(%%i, %%k), direction=%s", n,
							direction)))
					if known != (want < 1000) || known && got != want {
						t.Errorf("from %d by %d while %s %d: %v, %v, want %v", begin, step, direction, n, got, known,
							want)
					}
				}
			}
		}
	}
}

// counted is how often the loop of a program runs, by the vector operations that its body does: eight each time.
func counted(t *testing.T, text string) (turns float64, known bool) {
	t.Helper()
	m, err := Read(text)
	if err != nil || m.Unread > 0 {
		t.Fatalf("%v, %v in %s", err, m.Faults, text)
	}
	p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
	for i := range p.Ops {
		if p.Ops[i].Name == "y" {
			turns = p.Ops[i].Times
		}
	}
	return turns, len(p.Looped) == 0
}

// The counter may pass through tuples, copies, fusions and calls, on its way in, around and to the condition.
func TestTripCountsOfOtherForms(t *testing.T) {
	const (
		zero = "%i = s32[] constant(0)"
		next = "%next = s32[] add(%i, %one)"
		less = "ROOT %c = pred[] compare(%i, %n), direction=LT"
	)
	for _, c := range []struct {
		begin, body, condition string
		want                   float64 // -1: nobody can know
	}{
		{zero, next, less, 20},
		{zero, next, "ROOT %c = pred[] compare(%n, %i), direction=GT", 20},
		{"%z = s32[] constant(0)\n  %i = s32[] copy(%z)", next, less, 20},
		{"%z = s64[] constant(4)\n  %i = s32[] convert(%z)", next, less, 16},
		{"%z = s32[] constant(4)\n  %zz = (s32[], s32[]) tuple(%z, %z)\n  %i = s32[] get-tuple-element(%zz), index=1",
			next, less, 16},
		{zero, "%next = s32[] fusion(%i), kind=kLoop, calls=%up", less, 20},
		{zero, "%next = s32[] call(%i), to_apply=%up", less, 20},
		{zero, "%j = s32[] add(%i, %one)\n  %next = s32[] add(%j, %one)", less, 10},
		{zero, "%back = s32[] constant(-2)\n  %next = s32[] subtract(%i, %back)", less, 10},
		{zero, next, "ROOT %c = pred[] fusion(%i, %n), kind=kLoop, calls=%less", 20},
		{zero, next, "ROOT %c = pred[] fusion(%i), kind=kLoop, calls=%less_than_10", 10},
		{zero, next, "%d = pred[] compare(%i, %n), direction=GE\n  ROOT %c = pred[] not(%d)", 20},
		{zero, next, "%d = pred[] compare(%i, %n), direction=LT\n  %k = s32[] constant(7)\n" +
			"  %e = pred[] compare(%i, %k), direction=NE\n  ROOT %c = pred[] and(%d, %e)", 7},
		{zero, next,
			"%k = s32[] constant(2)\n  %j = s32[] add(%i, %k)\n  ROOT %c = pred[] compare(%j, %n), direction=LT", 18},
		{"%i = s32[] constant(1)", "%next = s32[] add(%i, %i)", less, 5}, // 1, 2, 4, 8, 16
		{"%i = s32[] constant(2)", "%two = s32[] constant(3)\n  %m = s32[] multiply(%two, %i)\n" +
			"  %next = s32[] subtract(%m, %one)", less, 3}, // 2, 5, 14
		{"%i = s32[] constant(3)", "%next = s32[] shift-left(%i, %one)",
			"%m = s32[] add(%i, %i)\n  ROOT %c = pred[] compare(%m, %n), direction=LE", 2}, // 3, 6
		{"%i = s32[] constant(100)", "%next = s32[] shift-right-arithmetic(%i, %one)",
			"ROOT %c = pred[] compare(%i, %n), direction=GT", 3}, // 100, 50, 25, and then 12
		{"%i = s32[] constant(7)", "%seven = s32[] constant(7)\n  %next = s32[] divide(%i, %seven)",
			"%z = s32[] constant(0)\n  ROOT %c = pred[] compare(%i, %z), direction=NE", 2}, // 7, 1
		{"%i = s32[] constant(0)", next,
			"%k = s32[] constant(30)\n  %m = s32[] subtract(%k, %i)\n" +
				"  ROOT %c = pred[] compare(%m, %n), direction=GT", 10},
		{"%i = s32[] constant(0)", "%next = s32[] add(%i, %i)", less, -1},
		{"%i = s32[] constant(9)", "%up = s32[] add(%i, %one)\n  %next = s32[] shift-right-logical(%up, %one)",
			"ROOT %c = pred[] compare(%i, %n), direction=LT", -1},
		{"%i = s32[] constant(9)", "%z = s32[] constant(0)\n  %next = s32[] divide(%i, %z)", less, -1},
		{"%i = s32[] add(%k, %k)", next, less, -1},
		{zero, "%next = s32[] multiply(%i, %one)", less, -1},
		{zero, "%next = s32[] copy(%i)", less, -1},
		{zero, next, "%d = pred[] compare(%i, %n), direction=LT\n  %e = pred[] custom-call(%i), " +
			"custom_call_target=\"f\"\n" +
			"  ROOT %c = pred[] and(%d, %e)", -1},
	} {
		got, known := counted(t, turned(c.begin, c.body, c.condition))
		if known != (c.want >= 0) || known && got != c.want {
			t.Errorf("%s; %s; %s: %v, %v, want %v", c.begin, c.body, c.condition, got, known, c.want)
		}
	}
}

// A loop that something else may end before its counter does counts with all turns of that, and is listed with them.
func TestTurnsAtTheMost(t *testing.T) {
	const test = "%d = pred[] compare(%i, %n), direction=LT\n  " +
		"%e = pred[] custom-call(%i), custom_call_target=\"f\"\n  ROOT %c = pred[] "
	for condition, most := range map[string]float64{"and(%d, %e)": 20, "and(%e, %d)": 20, "or(%d, %e)": 1} {
		text := turned("%i = s32[] constant(0)", "%next = s32[] add(%i, %one)", test+condition)
		if got, known := counted(t, text); known || got != most {
			t.Errorf("%s: %v turns, %v", condition, got, known)
		}
		m, err := Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if p := m.On(one); len(p.Looped) != 1 || p.Looped[0].Most != most {
			t.Errorf("%s: %v", condition, p.Looped)
		}
	}
}

// A loop within a loop, whose bound the outer one only hands on, runs as often in each turn of that.
func TestTurnsWithin(t *testing.T) {
	text := turned("%i = s32[] constant(0)", "%next = s32[] add(%i, %one)",
		"ROOT %c = pred[] compare(%i, %n), direction=LT")
	inner := text[strings.Index(text, "%body"):strings.Index(text, "ENTRY")]
	outer := strings.NewReplacer("%body", "%outer", "%cond", "%outercond", "%y = f32[8] add(%x, %x)",
		"%zero = s32[] constant(5)\n  %in = (s32[], f32[8], s32[]) tuple(%zero, %x, %n)\n"+
			"  %w = (s32[], f32[8], s32[]) while(%in), condition=%cond, body=%body\n"+
			"  %y0 = f32[8] get-tuple-element(%w), index=1").Replace(inner)
	outer = strings.ReplaceAll(outer, "%y,", "%y0,")
	text = strings.Replace(text, "ENTRY", outer+"ENTRY", 1)
	text = strings.Replace(text, "while(%tuple), condition=%cond, body=%body", "while(%tuple), condition=%outercond, "+
		"body=%outer", 1)
	if got, known := counted(t, text); !known || got != 20*15 {
		t.Errorf("%v, %v, want %v", got, known, 20*15)
	}
}

// The compiler's note counts before all else, however it is quoted.
func TestTurnsNoted(t *testing.T) {
	plain := turned("%i = s32[] copy(%k)", "%next = s32[] add(%i, %one)",
		"ROOT %c = pred[] compare(%i, %n), direction=LT")
	for _, note := range []string{`{"known_trip_count":{"n":"5"},"known_init_step":{"init":"0","step":"1"}}`,
		`{"known_induction_variable":{"tuple_index":"0"}, "known_trip_count": {"n": "5"}}`,
		`"{\"known_trip_count\":{\"n\":\"5\"}}"`} {
		text := strings.Replace(plain, "body=%body\n", "body=%body, backend_config="+note+"\n", 1)
		if got, known := counted(t, text); !known || got != 5 {
			t.Errorf("%s: %v, %v", note, got, known)
		}
	}
}
