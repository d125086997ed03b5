package modelcard_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model/config"
)

// large is a file of a megabyte, as long as config takes: a classifier's with a name for each of its classes.
func large() string {
	var b strings.Builder
	b.WriteString(`{` + sizes + `,` + "\n" + `  "id2label": {`)
	for i := 0; b.Len() < config.MaxBytes-100; i++ {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n    \"" + strconv.Itoa(i) + `": "class number with a name ` + strconv.Itoa(i) + `"`)
	}
	b.WriteString("\n  }\n}")
	return b.String()
}

const sizes = `"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256`

// Reading the longest file that is taken fits a frame, natively; the browser's program takes some times that, once.
func BenchmarkLargeFile(b *testing.B) {
	text := []byte(large())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := config.Read(text); err != nil {
			b.Fatal(err)
		}
	}
}

// What a reader's next digit costs: the named results at once, and the parts that depend on the context a frame later.
func BenchmarkContext(b *testing.B) {
	v := shown(b, "other", "deepseek.v3")
	for i := 0; b.Loop(); i++ {
		if err := v.Set("context", strconv.Itoa(5000+i%1000)); err != nil {
			b.Fatal(err)
		}
		v.Values()
		for _, key := range []string{"part:glance", "part:operations", "part:caches", "part:chips"} {
			v.Part(key)
		}
	}
}
