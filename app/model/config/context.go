package config

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// lengthNames are the fields that tell how long a sequence may be.
const lengthNames = "max_position_embeddings context_length block_size n_positions n_ctx max_seq_len " +
	"max_sequence_length seq_length model_max_length"

// context reads how long a sequence may be, as engines derive it: the least length that the file tells, times what its
// rotary positions are stretched by (vllm/config/model.py, _get_and_verify_max_len).
func (r *reading) context() {
	const most = 1 << 28
	length := 0.0
	var paths []string
	for n := range strings.FieldsSeq(lengthNames) {
		if x := r.inner.field(n).number(); x >= 1 && x == math.Trunc(x) {
			paths = append(paths, r.prefix+n)
			if length == 0 || x < length {
				length = x
			}
		}
	}
	path, stretched, factor := r.stretch()
	if stretched > 0 && length > 0 {
		length = stretched
	}
	if length *= factor; length < 1 || length > most {
		return
	}
	r.Model.Context = int(length)
	for _, field := range append(paths, path) {
		if field != "" && !r.used[field] {
			r.used[field] = true
			r.understood(field, phrase.New("config.context", "n", r.Model.Context))
		}
	}
}

// stretch is how far rotary positions are stretched: by which field, the length before that if it tells one, and by
// which factor. Most kinds have a length that counts it already: only of these it must be added.
func (r *reading) stretch() (path string, before, factor float64) {
	for _, n := range []string{"rope_scaling", "rope_parameters"} {
		v := r.inner.field(n)
		if v == nil || v.kind != object {
			continue
		}
		kind := first(wordOf(v.field("rope_type")), wordOf(v.field("type")))
		factor := v.field("factor").number()
		if factor <= 1 || r.family.id == "gemma3" {
			continue
		}
		switch kind {
		case "yarn":
			return r.prefix + n, v.field("original_max_position_embeddings").number(), factor
		case "linear", "dynamic":
			return r.prefix + n, 0, factor
		}
	}
	return "", 0, 1
}

// number is the value of a field that is a number; 0 if it is none.
func (v *value) number() float64 {
	if v == nil || v.kind != number {
		return 0
	}
	x, _ := strconv.ParseFloat(v.text, 64)
	return x
}

// list is the items of a list; none of anything else.
func (v *value) list() []*value {
	if v == nil || v.kind != list {
		return nil
	}
	return v.items
}
