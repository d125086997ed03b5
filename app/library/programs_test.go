package library_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

// The example is a layer of Llama 3 8B, run 32 times: its matmuls are counted here by their sizes.
func TestExampleProgram(t *testing.T) {
	s, errs := sheet.Compile("p = hlo_profile(hlo_example(), tpu.v5e)\nflops = p.flops\nops = p.operations",
		library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := s.Eval(nil)
	ops, err := r.Value("ops")
	if err != nil {
		t.Fatal(err)
	}
	matmuls, sum := 0.0, 0.0
	for _, v := range ops.List {
		f := v.Record.Fields
		if f["times"].Num.Value != 32 {
			t.Errorf("%s runs %v times", v.Record.Name, f["times"].Num.Value)
		}
		sum += f["total"].Num.Value
		matmuls += f["flops"].Num.Value * 32
	}
	want := 32. * 2 * 8192 * 4096 * (768 + 512 + 3*1792)
	if math.Abs(matmuls/want-1) > 1e-3 {
		t.Errorf("%v operations, want a little more than %v", matmuls, want)
	}
	flops, err := r.Value("flops")
	if err != nil || flops.Num.Value != matmuls {
		t.Errorf("%v operations in all, %v by operation", flops.Num.Value, matmuls)
	}
}

// The recorded program is one turn of a loop that multiplies by two pieces of the weights while summands go around a
// ring of 16 chips, both ways. Its first matmul, its messages and its sums are counted here by their sizes.
func TestRecordedProgram(t *testing.T) {
	const source = "p = hlo_profile(hlo_recorded(), tpu.v4)\nunread = p.unread\nops = p.operations"
	s, errs := sheet.Compile(source, library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	ops, err := s.Eval(nil).Value("ops")
	if err != nil {
		t.Fatal(err)
	}
	const tokens, width, columns, place = 8 * 1024, 20 * 256, 4 * 288, 128 * 4
	const piece = 2. * tokens * columns
	want := map[string]map[string]float64{
		"fusion.128": {"flops": 2*2*tokens*width*columns + 2*width*columns, // the latter choose the pieces
			"hbm": 2*tokens*width + 2*2*width*columns + 2*piece + 2*place},
		"collective-permute.8": {"sent": piece, "comms": piece / 45e9},
		"fusion.139":           {"flops": tokens * columns, "hbm": 3 * piece},
	}
	for _, v := range ops.List {
		for field, x := range want[v.Record.Name] {
			if got := v.Record.Fields[field].Num.Value; math.Abs(got/x-1) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", v.Record.Name, field, got, x)
			}
		}
		delete(want, v.Record.Name)
	}
	if unread, err := s.Eval(nil).Value("unread"); len(want) > 0 || err != nil || unread.Num.Value > 0 {
		t.Errorf("missing: %v; unread lines: %v, %v", want, unread.Num.Value, err)
	}
}

// The recorded trace, added up by hand: 30 kernels of 48 us in all, two copies of 1 us, in 11,946 us of a marked step.
func TestRecordedTrace(t *testing.T) {
	s, errs := sheet.Compile("t = trace_read(trace_recorded())\nspan = t.span\ncompute = t.compute\n"+
		"copies = t.copies\nstep = t.step\nunread = t.unread\nops = trace_operations(t, gpu.v100)", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := s.Eval(nil)
	for name, want := range map[string]float64{"span": 11946e-6, "compute": 48e-6, "copies": 2e-6, "step": 13410e-6,
		"unread": 0} {
		if got, err := r.Value(name); err != nil || math.Abs(got.Num.Value-want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v", name, got.Num.Value, err, want)
		}
	}
	ops, err := r.Value("ops")
	if err != nil || len(ops.List) != 14 {
		t.Fatalf("%d operations: %v", len(ops.List), err)
	}
	names := map[string]bool{}
	for _, v := range ops.List {
		if names[v.Record.Name] {
			t.Errorf("two operations are called %s", v.Record.Name)
		}
		names[v.Record.Name] = true
	}
}

// The MLP's step, added up by hand from its file: 8 devices, whose spans are 3211.17 ms in all, of which 973.29 ms are
// the all-reduce of each; the longest of those is device 2's, while device 3 still computes.
func TestTraceOfMLP(t *testing.T) {
	s, errs := sheet.Compile("t = trace_read(trace_mlp())\nspan = t.span\nexposed = t.exposed\nevents = t.events\n"+
		"devices = t.devices", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := s.Eval(nil)
	for name, want := range map[string]float64{"span": 3.21117 / 8, "exposed": 0.97329 / 8, "events": 41} {
		if got, err := r.Value(name); err != nil || math.Abs(got.Num.Value/want-1) > 1e-5 {
			t.Errorf("%s: %v, %v, want %v", name, got.Num.Value, err, want)
		}
	}
	devices, err := r.Value("devices")
	if err != nil || len(devices.List) != 8 {
		t.Fatalf("%d devices: %v", len(devices.List), err)
	}
	waits := devices.List[2].Record.Fields["exposed"].Num.Value
	computes := devices.List[3].Record.Fields["compute"].Num.Value
	if math.Abs(waits-0.712887709) > 1e-9 || computes < 0.44 {
		t.Errorf("device 2 waits %v s, device 3 computes %v s", waits, computes)
	}
}

// A trace whose driver names its card is of that chip. Where nobody knows the card, a usual GPU is taken, and the note
// says that the chip is to be chosen.
func TestTraceNamesItsChip(t *testing.T) {
	s, errs := sheet.Compile("let text = document(\".json\", 1 MiB)\nr = trace_read(if(text = \"\", trace_mlp(), "+
		"text))\n"+
		"let chip = r.chip of accelerators\nnote = r.note\n", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for card, want := range map[string]string{"NVIDIA H100 80GB HBM3": "gpu.h100", "NVIDIA B200": "gpu.b200",
		"AMD Instinct MI300X": "gpu.mi300x", "NVIDIA GeForce RTX 4090": "gpu.rtx4090", "abacus": "gpu.h100"} {
		text := `{"deviceProperties":[{"id":0,"name":"` + card + `"}],"traceEvents":[{"ph":"M","pid":0,` +
			`"name":"process_labels","args":{"labels":"GPU 0"}},{"ph":"X","cat":"kernel","pid":0,"tid":7,` +
			`"name":"nvjet_tst_64x8","ts":1,"dur":5}]}`
		state, fault := s.Set(nil, "text", text)
		if fault != nil {
			t.Fatal(fault)
		}
		r := s.Eval(state)
		if got, err := r.Value("chip"); err != nil || got.Record == nil || got.Record.ID != want {
			t.Errorf("%s: %v, %v, want %s", card, got, err, want)
		}
		note, err := r.Value("note")
		if stated := strings.Contains(note.Text, "choose it"); err != nil || stated != (card == "abacus") {
			t.Errorf("%s: %q, %v", card, note.Text, err)
		}
	}
}

// A trace that breaks off says so where it says what is shown, also when it was put in short.
func TestCutTraceSaysSo(t *testing.T) {
	const event = `{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"gemm","ts":1,"dur":5}`
	for text, cut := range map[string]bool{`{"traceEvents":[` + event + `]}`: false,
		`{"traceEvents":[` + event + `,` + event[:20]: true} {
		for _, how := range []string{"text", "trace_summary(text)"} {
			s, errs := sheet.Compile("let text = document(\".json\", 1 MiB)\nnote = if(text = \"\", \"\", trace_read("+
				how+
				").note)\n", library.New())
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			state, fault := s.Set(nil, "text", text)
			if fault != nil {
				t.Fatal(fault)
			}
			got, err := s.Eval(state).Value("note")
			if said := fmt.Sprint(got); err != nil || strings.Contains(said, "ends in the middle") != cut {
				t.Errorf("%s: %s, %v", text, said, err)
			}
		}
	}
}

// A trace and what puts it in short say the same to a sheet.
func TestTraceInShort(t *testing.T) {
	const rows = "span = t.span\nidle = t.idle\nevents = t.events\nops = trace_operations(t, gpu.v100)\nsays = t.note"
	var said [2]string
	for i, text := range []string{"trace_recorded()", "trace_summary(trace_recorded())"} {
		s, errs := sheet.Compile("t = trace_read("+text+")\n"+rows, library.New())
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		for _, row := range s.Eval(nil).Rows[1:] {
			if row.Err != nil {
				t.Fatal(row.Err)
			}
			said[i] += fmt.Sprintln(row.Value.Num, row.Value.Text)
			for _, v := range row.Value.List {
				said[i] += fmt.Sprintln(v.Record.Name, v.Record.Fields)
			}
		}
	}
	if said[0] != said[1] {
		t.Errorf("the trace:\n%s\nin short:\n%s", said[0], said[1])
	}
}

// A program from before its arrays are split says that its sums are those of all devices; one that sends is split.
func TestProgramsBeforePartitioning(t *testing.T) {
	s, errs := sheet.Compile("let text = document(\".txt\", 1 MiB)\n"+
		"note = if(text = \"\", \"\", hlo_profile(text, gpu.h100).note)\n", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	const dot = "  d = bf16[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
	for text, want := range map[string]bool{
		"HloModule m, num_partitions=8\n\nENTRY e {\n" +
			"  x = bf16[8,8] parameter(0), sharding={devices=[8,1]<=[8]}\n" + dot +
			"  ROOT s = bf16[8,8] custom-call(d), custom_call_target=\"Sharding\"\n}\n": true,
		"HloModule m, num_partitions=8\n\nENTRY e {\n  x = bf16[8,8] parameter(0)\n" + dot +
			"  ROOT r = bf16[8,8] all-reduce(d), replica_groups={}\n}\n": false,
		"HloModule m\n\nENTRY e {\n  x = bf16[8,8] parameter(0)\n" + dot + "}\n": false,
	} {
		state, err := s.Set(nil, "text", text)
		if err != nil {
			t.Fatal(err)
		}
		note, err := s.Eval(state).Value("note")
		if got := strings.Contains(note.Text, "not yet split among its 8 devices"); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, note.Text, err)
		}
	}
}

// A program says whether it is optimised; a trace says what its time was for, which is all of it.
func TestNotes(t *testing.T) {
	s, errs := sheet.Compile("p = hlo_profile(hlo_example(), tpu.v5e)\noptimised = p.optimised\nhost = p.host\n"+
		"t = trace_read(trace_example())\nkinds = t.kinds\nunknown = t.unknown", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := s.Eval(nil)
	for name, want := range map[string]float64{"host": 0, "unknown": 0} {
		if got, err := r.Value(name); err != nil || got.Num.Value != want {
			t.Errorf("%s: %v, %v", name, got.Num.Value, err)
		}
	}
	if optimised, err := r.Value("optimised"); err != nil || !optimised.Bool {
		t.Errorf("the example is not optimised: %v", err)
	}
	kinds, err := r.Value("kinds")
	share := 0.0
	for _, v := range kinds.List {
		share += v.Record.Fields["share"].Num.Value
	}
	if err != nil || len(kinds.List) < 3 || math.Abs(share-1) > 1e-9 {
		t.Errorf("%d kinds of work take %v of the time: %v", len(kinds.List), share, err)
	}
}

// A table of sums says so, has what the time was for, and knows no span: nothing stands in its place.
func TestTraceOfSums(t *testing.T) {
	s, errs := sheet.Compile("let text = document(\".csv\", 1 MiB)\nr = trace_read(if(text = \"\", trace_mlp(), "+
		"text))\n"+
		"note = r.note\nspan = r.span\nkinds = r.kinds\n", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	state, fault := s.Set(nil, "text", "Time (%),Total Time (ns),Instances,Name\n100,4000,2,nvjet_tst_64x8\n")
	if fault != nil {
		t.Fatal(fault)
	}
	r := s.Eval(state)
	if note, err := r.Value("note"); err != nil || !strings.Contains(note.Text, "a table of sums") {
		t.Errorf("%q, %v", note.Text, err)
	}
	if span, err := r.Value("span"); err == nil {
		t.Errorf("a span of %v", span)
	}
	if kinds, err := r.Value("kinds"); err != nil || len(kinds.List) != 1 {
		t.Errorf("%v, %v", kinds, err)
	}
}

// What the text of a program leaves open is said: which branch runs, and sizes that are bounds.
func TestWhatTextsLeaveOpen(t *testing.T) {
	const (
		double = "%a (x: f32[8]) -> f32[8] {\n %x = f32[8] parameter(0)\n ROOT %r = f32[8] add(%x, %x)\n}\n"
		either = " ROOT %c = f32[8] conditional(%i, %p, %p), branch_computations={%a, %a}\n}\n"
	)
	s, errs := sheet.Compile("let text = document(\".txt\", 1 MiB)\n"+
		"open = hlo_profile(if(text = \"\", hlo_recorded(), text), gpu.h100).lines", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	const loop = "%b (t: (s32[], pred[])) -> (s32[], pred[]) {\n %t = (s32[], pred[]) parameter(0)\n " +
		"%i = s32[] get-tuple-element(%t), index=0\n %f = pred[] get-tuple-element(%t), index=1\n " +
		"%k = s32[] constant(1)\n %n = s32[] add(%i, %k)\n ROOT %r = (s32[], pred[]) tuple(%n, %f)\n}\n" +
		"%c (t: (s32[], pred[])) -> pred[] {\n %t = (s32[], pred[]) parameter(0)\n " +
		"%i = s32[] get-tuple-element(%t), index=0\n %f = pred[] get-tuple-element(%t), index=1\n " +
		"%m = s32[] constant(1200)\n %l = pred[] compare(%i, %m), direction=LT\n ROOT %a = pred[] and(%l, %f)\n}\n"
	for text, want := range map[string]string{
		loop + "ENTRY %m (f: pred[]) -> (s32[], pred[]) {\n %f = pred[] parameter(0)\n %z = s32[] constant(0)\n " +
			"%t = (s32[], pred[]) tuple(%z, %f)\n ROOT %w = (s32[], pred[]) while(%t), condition=%c, body=%b\n}\n": "" +
			"all of its 1,200 turns",
		double + "ENTRY %m (i: s32[], p: f32[8]) -> f32[8] {\n %i = s32[] parameter(0)\n %p = f32[8] parameter(1)\n" +
			either: "c runs one of its branches",
		"ENTRY %m (p: f32[<=8]) -> f32[<=8] {\n %p = f32[<=8] parameter(0)\n ROOT %n = f32[<=8] negate(%p)\n}\n": "" +
			"a size of n is a bound",
		"ENTRY %m (p: f32[8]) -> f32[8] {\n %p = f32[8] parameter(0)\n ROOT %n = f32[8] negate(%p)\n}\n": "",
	} {
		state, fault := s.Set(nil, "text", "HloModule m, is_scheduled=true\n\n"+text)
		if fault != nil {
			t.Fatal(fault)
		}
		open, err := s.Eval(state).Value("open")
		said := ""
		for _, line := range open.List {
			said += fmt.Sprint(line.Record.Fields["what"])
		}
		if err != nil || want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: %q, %v; want %q", text, said, err, want)
		}
	}
}
