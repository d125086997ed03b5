package startlog

import "testing"

// TabbyAPI's settings, and its log, are those of ExLlama: bits of weights by the file's name, of the cache by its mode,
// and as many tokens as are asked for.
func TestExLlamaByItsSettings(t *testing.T) {
	for text, want := range map[string]struct {
		element, bpw, most float64
	}{
		"model:\n  model_name: Llama-3.1-8B-Instruct-4.25bpw-exl2\n  max_seq_len: 32768\n  cache_size: 65536\n" +
			"  cache_mode: Q6\nNVIDIA GeForce RTX 3090\n": {6.5 / 8, 4.25, 65536},
		"model:\n  model_name: Llama-3.1-8B-Instruct-exl3_4.0bpw\n  max_seq_len: 32768\n  cache_size: 32768\n" +
			"  cache_mode: 8,4\n  gpu_split_auto: true\n": {6.5 / 8, 4, 32768},
		"tabbyAPI\nmodel_name: Llama-3.1-8B-Instruct-6bpw-exl2\nmax_seq_len: 32768\ncache_mode: FP16\n": {0, 6, 0},
	} {
		l, err := Read(text)
		if err != nil || l.Engine != "exllama" || l.Known != "llama3.8b" || l.Length != 32768 {
			t.Errorf("%q: %v, %+v", text, err, l)
			continue
		}
		if l.Element != want.element || l.bpw != want.bpw || l.Setup.Most != want.most {
			t.Errorf("%q: %v bytes of an element, %v bits a weight, %v tokens", text, l.Element, l.bpw, l.Setup.Most)
		}
		if l.Chip == "" {
			l.Chip = "gpu.rtx3090"
		}
		r, length := of(t, l, 2, 2)
		for _, x := range Beside(l, r, length) {
			if x.IsLogged {
				t.Errorf("%q: settings say %s", text, x.Name)
			}
		}
	}
}
