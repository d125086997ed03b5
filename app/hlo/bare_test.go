package hlo

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The same program is read however it was printed: as Python and JSON show a text, by a logger, with numbers of lines,
// quoted, within a fence.
func TestTextsAsPrinted(t *testing.T) {
	for _, name := range []string{"reduce-f16.hlo", "relu-v5e.hlo", "fft-8gpus.hlo"} {
		src, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(src)
		text = text[strings.Index(text, "HloModule"):]
		want, err := Read(text)
		if err != nil {
			t.Fatal(name, err)
		}
		lined := func(prefix func(i int) string) string {
			var b strings.Builder
			i := 0
			for line := range strings.Lines(text) {
				i++
				b.WriteString(prefix(i) + line)
			}
			return b.String()
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for how, printed := range map[string]string{
			"as Python's repr": "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(text) + "'",
			"in JSON":          string(quoted), "in JSON, by name": `{"hlo": ` + string(quoted) + "}",
			"in Go": strconv.Quote(text),
			"by a logger": lined(func(i int) string {
				return fmt.Sprintf("I0829 10:%02d:00.%06d 1234 gpu_compiler.cc:512] ", i%60, 7*i)
			}),
			"by a logger, once": "I0829 10:00:00.123456    1234 hlo_module.cc:88] " + text,
			"numbered":          lined(func(i int) string { return fmt.Sprintf("%4d  ", i) }),
			"numbered by cat":   strings.TrimLeft(lined(func(i int) string { return fmt.Sprintf("%6d\t", i) }), " "),
			"numbered by grep":  lined(func(i int) string { return strconv.Itoa(i) + ":" }),
			"quoted":            lined(func(int) string { return "> " }),
			"indented":          lined(func(int) string { return "    " }), "of Windows": strings.ReplaceAll(text, "\n", "\r\n"),
			"plain": text,
		} {
			got, err := Read(printed)
			if err != nil {
				t.Errorf("%s %s: %v", name, how, err)
				continue
			}
			if got.Name != want.Name || got.Ops() != want.Ops() || len(got.Computations) != len(want.Computations) {
				t.Errorf("%s %s: %s, %d operations, want %s, %d", name, how, got.Name, got.Ops(), want.Name, want.Ops())
			}
		}
	}
}

// What a program was compiled for is told by what its compiler leaves in the text; of other texts nobody knows it.
func TestForGPU(t *testing.T) {
	for text, gpu := range map[string]bool{
		`custom-call(a, b), custom_call_target="__cublas$lt$matmul$f8"`:                                 true,
		`custom-call(a, b), custom_call_target="__cudnn$fmhaSoftmax"`:                                   true,
		`fusion(a), kind=kCustom, backend_config={"fusion_backend_config":{"kind":"__triton"}}`:         true,
		`all-gather-start(a), backend_config={"collective_backend_config":{"is_sync":false}}`:           true,
		`copy(a), backend_config={"operation_queue_id":"0"}`:                                            true,
		`custom-call(a), custom_call_target="__gpu$xla.gpu.triton"`:                                     true,
		`%f = bf16[8,128]{1,0:T(8,128)(2,1)} fusion(a), backend_config={"fusion_backend_config":{}}`:    false,
		`custom-call(a), custom_call_target="tpu_custom_call", backend_config={"operation_queue_id":0}`: false,
		`%d = f32[8,8]{1,0} dot(a, b)`:                                                                  false,
	} {
		if ForGPU(text) != gpu {
			t.Errorf("%s: for GPUs is %v", text, !gpu)
		}
	}
}

// What JAX compiles on a machine without other devices is for its CPU.
func TestForCPU(t *testing.T) {
	for text, want := range map[string]bool{
		`a = f32[8] fusion(f32[8] x), kind=kLoop, calls=%f, backend_config={"outer_dimension_partitions":["2"]}`: true,
		`a = (f32[8,8], s32[]) custom-call(f32[8,8] x), custom_call_target="lapack_spotrf_ffi"`:                  true,
		`a = f32[8] fusion(f32[8] x), kind=kLoop, calls=%f`:                                                      false,
	} {
		if m, err := Read(text); err != nil || m.ForCPU != want {
			t.Errorf("%s: %v, %v", text, m, err)
		}
	}
}
